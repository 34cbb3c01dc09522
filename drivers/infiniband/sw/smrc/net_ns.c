// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * net_ns.c: what the devices of one network namespace share: the UDP sockets, and the way from an address to a device.
 *
 * A packet is for the device that owns its destination address, whatever netdev it came in on: traffic between two own
 * addresses arrives on lo. Which addresses a device owns is rdma core's GID table, which core keeps in step with the
 * netdev and its upper devices; it tells every change through add_gid and del_gid, so that a look-up per packet needs
 * neither a lock nor a search.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/jhash.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <net/ipv6.h>
#include <net/netns/generic.h>
#include <net/udp_tunnel.h>
#include <rdma/ib_cache.h>

#include "proto/wire.h"
#include "rx.h"
#include "smrc.h"

#define SMRC_ADDR_HASH_BITS	6

/* The sockets of a namespace. */
enum {
	SMRC_SOCK_V4,
	SMRC_SOCK_V6,
	SMRC_SOCK_ALT_V4,
	SMRC_SOCK_ALT_V6,
	SMRC_SOCKS
};

/**
 * struct smrc_net - a network namespace; all is protected by smrc_net_lock, readers of @addrs use RCU
 * @devs: devices that have joined
 * @sock: sockets, there while @devs is not 0; NULL: none of that kind
 * @addrs: addresses of the devices
 */
struct smrc_net {
	unsigned int	devs;
	struct sock	*sock[SMRC_SOCKS];
	DECLARE_HASHTABLE(addrs, SMRC_ADDR_HASH_BITS);
};

/**
 * struct smrc_addr - an address of a device; belongs to an entry of the GID table
 * @node: entry in smrc_net.addrs; unhashed once the device has left
 * @rcu: freed after a grace period
 * @addr: the address, v4-mapped for IPv4
 * @dev: the device
 */
struct smrc_addr {
	struct hlist_node	node;
	struct rcu_head		rcu;
	struct in6_addr		addr;
	struct smrc_dev		*dev;
};

static unsigned int smrc_net_id __read_mostly;

/* Taken under rtnl and under the lock of a GID table; takes the locks that making and closing a socket needs. */
static DEFINE_MUTEX(smrc_net_lock);

static u32 smrc_addr_hash(const struct in6_addr *addr)
{
	return jhash2((const u32 *)addr->s6_addr32, ARRAY_SIZE(addr->s6_addr32), 0);
}

/* RoCEv2 senders may leave out the UDP checksum, the ICRC covers the packet: taken and sent so on IPv6 too. */
static int smrc_sock_open(struct net *net, bool v6, u16 port, struct sock **sk)
{
	struct udp_tunnel_sock_cfg tunnel = {
		.encap_type = 1,
		.encap_rcv = smrc_encap_rcv,
	};
	struct udp_port_cfg cfg = {
		.family = v6 ? AF_INET6 : AF_INET,
		.ipv6_v6only = v6,
		.local_udp_port = htons(port),
	};
	struct socket *sock;
	int err;

	err = udp_sock_create(net, &cfg, &sock);
	if (err)
		return err;
	setup_udp_tunnel_sock(net, sock->sk, &tunnel);
	*sk = sock->sk;
	return 0;
}

static void smrc_socks_close(struct smrc_net *sn)
{
	int i;

	for (i = SMRC_SOCKS - 1; i >= 0; i--) {
		if (sn->sock[i])
			udp_tunnel_sock_release(sn->sock[i]);
		sn->sock[i] = NULL;
	}
}

/* The kernel has no IPv6, or it was switched off at boot. */
static bool smrc_no_ipv6(int err)
{
	return err == -EAFNOSUPPORT || err == -EPFNOSUPPORT;
}

/*
 * Both families or neither: a namespace where only one could be had would lose half of its addresses silently. The
 * alternative port is a courtesy to those who follow the misprint of it, and not missed when it is taken.
 */
static int smrc_socks_open(struct smrc_net *sn, struct net *net)
{
	int err;

	err = smrc_sock_open(net, false, SMRC_UDP_PORT, &sn->sock[SMRC_SOCK_V4]);
	if (err)
		goto fail;
	err = smrc_sock_open(net, true, SMRC_UDP_PORT, &sn->sock[SMRC_SOCK_V6]);
	if (err && !smrc_no_ipv6(err))
		goto fail;
	smrc_sock_open(net, false, SMRC_UDP_PORT_ALT, &sn->sock[SMRC_SOCK_ALT_V4]);
	smrc_sock_open(net, true, SMRC_UDP_PORT_ALT, &sn->sock[SMRC_SOCK_ALT_V6]);
	return 0;

fail:
	if (err == -EADDRINUSE)
		pr_err_ratelimited("UDP port %u is taken in this network namespace (rdma_rxe loaded there?)\n",
				   SMRC_UDP_PORT);
	else
		pr_err_ratelimited("UDP port %u cannot be opened: error %d\n", SMRC_UDP_PORT, err);
	smrc_socks_close(sn);
	return err;
}

/**
 * smrc_net_join() - share in the sockets of a namespace
 * @dev: the device, which shares in none yet
 * @net: the namespace of its netdev
 *
 * Context: process.
 * Return: 0; -EADDRINUSE the port belongs to another; -ENOMEM and what else making a socket says.
 */
int smrc_net_join(struct smrc_dev *dev, struct net *net)
{
	struct smrc_net *sn = net_generic(net, smrc_net_id);
	int err = 0;

	mutex_lock(&smrc_net_lock);
	if (!sn->devs)
		err = smrc_socks_open(sn, net);
	if (!err) {
		sn->devs++;
		dev->sn = sn;
	}
	mutex_unlock(&smrc_net_lock);
	return err;
}

/**
 * smrc_net_leave() - give the share back; does nothing without one
 * @dev: the device
 *
 * Packets that are being received may know the device until a grace period has passed.
 *
 * Context: process; rtnl may be held.
 */
void smrc_net_leave(struct smrc_dev *dev)
{
	struct smrc_addr *addr;
	struct hlist_node *tmp;
	struct smrc_net *sn;
	int bkt;

	mutex_lock(&smrc_net_lock);
	sn = dev->sn;
	if (!sn)
		goto unlock;
	hash_for_each_safe(sn->addrs, bkt, tmp, addr, node) {
		if (addr->dev == dev)
			hash_del_rcu(&addr->node);
	}
	dev->sn = NULL;
	if (!--sn->devs)
		smrc_socks_close(sn);
unlock:
	mutex_unlock(&smrc_net_lock);
}

/**
 * smrc_net_find_dev() - the device that owns an address
 * @net: the namespace
 * @local: the address, v4-mapped for IPv4
 *
 * Where two devices own it (link-local addresses of two netdevs with one MAC) either may be found.
 *
 * Context: any; the caller holds rcu_read_lock().
 * Return: the device, valid until rcu_read_unlock(), or NULL.
 */
struct smrc_dev *smrc_net_find_dev(struct net *net, const struct in6_addr *local)
{
	struct smrc_net *sn = net_generic(net, smrc_net_id);
	struct smrc_addr *addr;

	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "caller must hold rcu_read_lock()");
	hash_for_each_possible_rcu(sn->addrs, addr, node, smrc_addr_hash(local)) {
		if (ipv6_addr_equal(&addr->addr, local))
			return addr->dev;
	}
	return NULL;
}

/**
 * smrc_add_gid() - verbs add_gid: the device has got an address
 * @attr: the GID, which is the address
 * @context: kept with it for smrc_del_gid()
 *
 * Context: process, lock of the GID table held.
 * Return: 0 or -ENOMEM.
 */
int smrc_add_gid(const struct ib_gid_attr *attr, void **context)
{
	struct smrc_dev *dev = to_smrc_dev(attr->device);
	struct smrc_addr *addr;

	addr = kzalloc_obj(*addr);
	if (!addr)
		return -ENOMEM;
	memcpy(&addr->addr, &attr->gid, sizeof(addr->addr));
	addr->dev = dev;
	*context = addr;

	mutex_lock(&smrc_net_lock);
	if (dev->sn)
		hash_add_rcu(dev->sn->addrs, &addr->node, smrc_addr_hash(&addr->addr));
	mutex_unlock(&smrc_net_lock);
	return 0;
}

/**
 * smrc_del_gid() - verbs del_gid: the device has lost an address
 * @attr: the GID
 * @context: as smrc_add_gid() left it
 *
 * Context: process, lock of the GID table held.
 * Return: 0.
 */
int smrc_del_gid(const struct ib_gid_attr *attr, void **context)
{
	struct smrc_addr *addr = *context;

	mutex_lock(&smrc_net_lock);
	hash_del_rcu(&addr->node);
	mutex_unlock(&smrc_net_lock);
	kfree_rcu(addr, rcu);
	*context = NULL;
	return 0;
}

static int __net_init smrc_pernet_init(struct net *net)
{
	struct smrc_net *sn = net_generic(net, smrc_net_id);

	hash_init(sn->addrs);
	return 0;
}

/* Netdevs go before this is called, and with each its device left. */
static void __net_exit smrc_pernet_exit(struct net *net)
{
	struct smrc_net *sn = net_generic(net, smrc_net_id);

	WARN_ON_ONCE(sn->devs);
	WARN_ON_ONCE(!hash_empty(sn->addrs));
}

static struct pernet_operations smrc_pernet_ops = {
	.init = smrc_pernet_init,
	.exit = smrc_pernet_exit,
	.id = &smrc_net_id,
	.size = sizeof(struct smrc_net),
};

/**
 * smrc_net_init() - at load
 *
 * Return: 0 or a negative errno.
 */
int smrc_net_init(void)
{
	return register_pernet_subsys(&smrc_pernet_ops);
}

/**
 * smrc_net_exit() - at unload, when no device is left
 */
void smrc_net_exit(void)
{
	unregister_pernet_subsys(&smrc_pernet_ops);
}
