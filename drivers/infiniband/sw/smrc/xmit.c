// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * xmit.c: route, and hand over to IP. What the stack refuses is lost like on the wire: counted, never an error of a QP.
 */
#include <net/dst_cache.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/route.h>

#include "smrc.h"
#include "proto/wire.h"
#include "xmit.h"

static struct dst_entry *smrc_lookup4(struct net *net, const struct smrc_path *path, struct dst_cache *cache)
{
	struct flowi4 fl = {
		.flowi4_oif = path->oif,
		.flowi4_proto = IPPROTO_UDP,
		.saddr = path->local.s6_addr32[3],
		.daddr = path->remote.s6_addr32[3],
		.fl4_dport = htons(SMRC_UDP_PORT),
	};
	struct rtable *rt = ip_route_output_key(net, &fl);

	if (IS_ERR(rt))
		return NULL;
	if (cache)
		dst_cache_set_ip4(cache, &rt->dst, fl.saddr);
	return &rt->dst;
}

static struct dst_entry *smrc_route4(struct net *net, const struct smrc_path *path, struct dst_cache *cache)
{
	struct rtable *rt;
	__be32 saddr;

	rt = cache ? dst_cache_get_ip4(cache, &saddr) : NULL;
	return rt ? &rt->dst : smrc_lookup4(net, path, cache);
}

#if IS_ENABLED(CONFIG_IPV6)
static struct dst_entry *smrc_lookup6(struct net *net, const struct smrc_path *path, struct dst_cache *cache)
{
	struct flowi6 fl = {
		.flowi6_oif = path->oif,
		.flowi6_proto = IPPROTO_UDP,
		.saddr = path->local,
		.daddr = path->remote,
		.fl6_dport = htons(SMRC_UDP_PORT),
	};
	struct dst_entry *dst = ip6_route_output(net, NULL, &fl);

	if (dst->error) {
		dst_release(dst);
		return NULL;
	}
	if (cache)
		dst_cache_set_ip6(cache, dst, &fl.saddr);
	return dst;
}

static struct dst_entry *smrc_route6(struct net *net, const struct smrc_path *path, struct dst_cache *cache)
{
	struct dst_entry *dst;
	struct in6_addr saddr;

	dst = cache ? dst_cache_get_ip6(cache, &saddr) : NULL;
	return dst ?: smrc_lookup6(net, path, cache);
}

static int smrc_out6(struct net *net, struct sk_buff *skb)
{
	memset(IP6CB(skb), 0, sizeof(*IP6CB(skb)));
	return ip6_local_out(net, NULL, skb);
}
#else
static struct dst_entry *smrc_route6(struct net *net, const struct smrc_path *path, struct dst_cache *cache)
{
	return NULL;
}

static int smrc_out6(struct net *net, struct sk_buff *skb)
{
	kfree_skb(skb);
	return NET_XMIT_DROP;
}
#endif

static int smrc_out4(struct net *net, struct sk_buff *skb)
{
	memset(IPCB(skb), 0, sizeof(*IPCB(skb)));
	return ip_local_out(net, NULL, skb);
}

/*
 * A packet that is too long now, for the MTU is for all to change, ends here. IP would answer it with an ICMP error to
 * this very host, which then takes the smaller MTU for that of the path, for ten minutes, whatever the netdev's is by
 * then.
 */
static void smrc_out(struct smrc_dev *dev, struct net *net, const struct dst_entry *dst, bool v6, struct sk_buff *skb)
{
	int err;

	if (skb->len > dst_mtu(dst)) {
		smrc_count(dev, LOCAL_DROP);
		kfree_skb(skb);
		return;
	}
	err = v6 ? smrc_out6(net, skb) : smrc_out4(net, skb);
	if (net_xmit_eval(err))
		smrc_count(dev, LOCAL_DROP);
}

/**
 * smrc_xmit() - send packets to one address
 * @dev: the device
 * @path: where to
 * @cache: where to look for and keep the route, or NULL
 * @list: complete packets from tx_build.c, all for @path; empty afterwards
 *
 * Context: bottom halves off, RCU read lock held; no other lock, since a stacked virtual device may deliver within the
 * call.
 */
void smrc_xmit(struct smrc_dev *dev, const struct smrc_path *path, struct dst_cache *cache, struct sk_buff_head *list)
{
	struct dst_entry *dst = NULL;
	struct sk_buff *skb;
	struct net *net;

	if (skb_queue_empty(list))
		return;
	net = rcu_dereference(dev->net);
	if (net)
		dst = path->v6 ? smrc_route6(net, path, cache) : smrc_route4(net, path, cache);
	if (!dst) {
		smrc_count_add(dev, LOCAL_DROP, skb_queue_len(list));
		__skb_queue_purge(list);
		return;
	}
	while ((skb = __skb_dequeue(list))) {
		/* Whoever queues it takes a reference of its own (skb_dst_force()). */
		skb_dst_set_noref(skb, dst);
		skb->dev = dst->dev;
		smrc_out(dev, net, dst, path->v6, skb);
	}
	dst_release(dst);
}
