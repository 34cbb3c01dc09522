// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tx_build.c: one packet as an skb: payload, MRC headers, UDP, IP, ICRC.
 *
 * The IP header is written here and not by udp_tunnel_xmit_skb(), since the ICRC covers it, IPv4 identification
 * included: packets carry identification 0 with DF set, which RFC 6864 allows. The ICRC covers the UDP source port as
 * well, so a packet is built anew for each transmission.
 */
#include <linux/highmem.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <net/udp.h>

#include "mr.h"
#include "peer.h"
#include "proto/flow.h"
#include "proto/icrc.h"
#include "qp.h"
#include "smrc.h"
#include "tx_build.h"

/* Room in front for Ethernet and what tunnels below may add, so that the stack need not reallocate. */
#define SMRC_HEADROOM	(LL_MAX_HEADER + sizeof(struct ipv6hdr) + sizeof(struct udphdr) + SMRC_HDR_MAX)
/* Payload up to this size is copied: cheaper than a page fragment and the trailer's. */
#define SMRC_COPY_MAX	256
/* Pad and ICRC. */
#define SMRC_TAIL_MAX	8

/*
 * Bottom halves are off, so the per-CPU caches of NAPI serve: no trip to the slab allocator, and nothing to clear where
 * the kernel clears what it allocates.
 */
static struct sk_buff *smrc_skb_alloc(u32 linear)
{
	u32 size = SKB_DATA_ALIGN(SMRC_HEADROOM + linear + SMRC_TAIL_MAX) +
		   SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	struct sk_buff *skb;
	void *head;

	/* Large ones would need pages of high order from that cache. */
	if (size > PAGE_SIZE / 2) {
		skb = alloc_skb(SMRC_HEADROOM + linear + SMRC_TAIL_MAX, GFP_ATOMIC);
		if (skb)
			skb_reserve(skb, SMRC_HEADROOM);
		return skb;
	}
	head = napi_alloc_frag(size);
	if (!head)
		return NULL;
	skb = napi_build_skb(head, size);
	if (!skb) {
		skb_free_frag(head);
		return NULL;
	}
	skb_reserve(skb, SMRC_HEADROOM);
	return skb;
}

static void smrc_push_ip4(struct sk_buff *skb, const struct smrc_path *path, u8 tos)
{
	struct iphdr *ip = skb_push(skb, sizeof(*ip));

	skb_reset_network_header(skb);
	skb->protocol = htons(ETH_P_IP);
	*ip = (struct iphdr) {
		.version = 4,
		.ihl = 5,
		.tos = tos,
		.tot_len = htons(skb->len),
		.frag_off = htons(IP_DF),
		.ttl = path->ttl,
		.protocol = IPPROTO_UDP,
		.saddr = path->local.s6_addr32[3],
		.daddr = path->remote.s6_addr32[3],
	};
}

static void smrc_push_ip6(struct sk_buff *skb, const struct smrc_path *path, u8 tos, u16 sport)
{
	u32 len = skb->len;
	struct ipv6hdr *ip = skb_push(skb, sizeof(*ip));

	skb_reset_network_header(skb);
	skb->protocol = htons(ETH_P_IPV6);
	ip6_flow_hdr(ip, tos, htonl(smrc_flow_label_ev(sport)));
	ip->payload_len = htons(len);
	ip->nexthdr = IPPROTO_UDP;
	ip->hop_limit = path->ttl;
	ip->saddr = path->local;
	ip->daddr = path->remote;
}

static void smrc_icrc_path(struct smrc_icrc_ip *ip, const struct smrc_path *path)
{
	ip->v6 = path->v6;
	ip->id = 0;
	ip->frag_off = htons(IP_DF);
	if (path->v6) {
		memcpy(ip->saddr, &path->local, sizeof(ip->saddr));
		memcpy(ip->daddr, &path->remote, sizeof(ip->daddr));
	} else {
		memcpy(ip->saddr, &path->local.s6_addr32[3], 4);
		memcpy(ip->daddr, &path->remote.s6_addr32[3], 4);
	}
}

/* CRC over the page fragments of @skb, which hold payload alone. */
static u32 smrc_icrc_frags(u32 crc, const struct sk_buff *skb)
{
	int i;

	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *f = &skb_shinfo(skb)->frags[i];
		void *va = kmap_local_page(skb_frag_page(f));

		crc = smrc_icrc_update(crc, va + skb_frag_off(f), skb_frag_size(f));
		kunmap_local(va);
	}
	return crc;
}

/*
 * Finish @skb, whose linear part holds MRC headers (and payload, unless that is in fragments): pad, ICRC, UDP and IP
 * headers. A fragment of its own takes the tail when the payload is in fragments.
 */
static bool smrc_finish(struct sk_buff *skb, const struct smrc_path *path, u16 sport, u8 tos, u32 pad,
			struct page_frag *frag)
{
	u32 tail = pad + SMRC_ICRC_LEN;
	struct smrc_icrc_ip icrc_ip;
	struct udphdr *udp;
	u32 udp_len, crc;
	u8 *trailer;

	udp_len = skb->len + tail + sizeof(*udp);
	smrc_icrc_path(&icrc_ip, path);
	if (skb_is_nonlinear(skb)) {
		if (!skb_page_frag_refill(SMRC_TAIL_MAX, frag, GFP_ATOMIC))
			return false;
		crc = smrc_icrc_begin(&icrc_ip, sport, SMRC_UDP_PORT, udp_len, skb->data, skb_headlen(skb));
		crc = smrc_icrc_frags(crc, skb);
		trailer = page_address(frag->page) + frag->offset;
		get_page(frag->page);
		skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, frag->page, frag->offset, tail, SMRC_TAIL_MAX);
		frag->offset += SMRC_TAIL_MAX;
		memset(trailer, 0, pad);
		crc = smrc_icrc_update(crc, trailer, pad);
	} else {
		trailer = skb_put(skb, tail);
		memset(trailer, 0, pad);
		crc = smrc_icrc_begin(&icrc_ip, sport, SMRC_UDP_PORT, udp_len, skb->data, skb->len - SMRC_ICRC_LEN);
	}
	*(__le32 *)(trailer + pad) = smrc_icrc_end(crc);

	udp = skb_push(skb, sizeof(*udp));
	skb_reset_transport_header(skb);
	udp->source = htons(sport);
	udp->dest = htons(SMRC_UDP_PORT);
	udp->len = htons(udp_len);
	udp->check = 0;
	skb->ip_summed = CHECKSUM_NONE;
	if (path->v6)
		smrc_push_ip6(skb, path, tos, sport);
	else
		smrc_push_ip4(skb, path, tos);
	return true;
}

/*
 * The class of a packet, for switches and for the queues of this host: control packets go before data there too. A
 * class that the application chose means to this host what it means for any socket.
 */
static u8 smrc_classify(struct sk_buff *skb, const struct smrc_path *path, const struct smrc_dscp *dscp,
			enum smrc_class cls)
{
	u8 tos = smrc_dscp_of(dscp, cls, path->tos >> 2) << 2;

	if (cls == SMRC_CLASS_CONTROL)
		skb->priority = TC_PRIO_CONTROL;
	else if (path->tos >> 2)
		skb->priority = rt_tos2priority(path->tos);
	return tos;
}

/**
 * smrc_build_ctl() - a packet without payload
 * @path: where to
 * @dscp: the classes of its sender
 * @cls: its class
 * @sport: entropy value
 * @pkt: the packet
 *
 * Context: bottom halves off.
 * Return: the packet, or NULL when there is no memory.
 */
struct sk_buff *smrc_build_ctl(const struct smrc_path *path, const struct smrc_dscp *dscp, enum smrc_class cls,
			       u16 sport, const struct smrc_pkt *pkt)
{
	struct sk_buff *skb = smrc_skb_alloc(0);

	if (!skb)
		return NULL;
	skb_push(skb, smrc_wire_hdr_len(pkt->opcode, false));
	smrc_wire_build(skb->data, pkt);
	smrc_finish(skb, path, sport, smrc_classify(skb, path, dscp, cls), 0, NULL);
	return skb;
}

/* One piece of a scatter/gather list, for both ways to take payload in. */
typedef int (*smrc_piece_fn)(struct sk_buff *skb, struct page *page, u32 off, u32 len);

static int smrc_piece_copy(struct sk_buff *skb, struct page *page, u32 off, u32 len)
{
	void *va = kmap_local_page(page);

	skb_put_data(skb, va + off, len);
	kunmap_local(va);
	return 0;
}

/* One fragment stays free for the tail. */
static int smrc_piece_attach(struct sk_buff *skb, struct page *page, u32 off, u32 len)
{
	int n = skb_shinfo(skb)->nr_frags;

	if (n >= MAX_SKB_FRAGS - 1)
		return -EMSGSIZE;
	get_page(page);
	skb_add_rx_frag(skb, n, page, off, len, PAGE_SIZE);
	skb_shinfo(skb)->flags |= SKBFL_SHARED_FRAG;
	return 0;
}

static int smrc_piece_sge(struct smrc_qp *qp, struct smrc_source *from, const struct smrc_sge *sge, u32 skip, u32 len,
			  struct sk_buff *skb, smrc_piece_fn piece)
{
	struct smrc_mr_cursor cur;
	struct page *page;
	u32 off, n;
	int err;

	from->refused = smrc_mr_find(qp->dev, sge->lkey, qp->pd, from->rights, sge->addr + skip, len, &cur);
	if (from->refused)
		return -EACCES;
	while (smrc_mr_next(&cur, &page, &off, &n)) {
		err = piece(skb, page, off, n);
		if (err)
			return err;
	}
	return 0;
}

/* Take @len bytes of the message from offset @off on into @skb. RCU read lock held, for the regions. */
static int smrc_gather(struct smrc_qp *qp, struct smrc_source *from, u32 off, u32 len, struct sk_buff *skb,
		       smrc_piece_fn piece)
{
	u32 i, n;
	int err;

	if (from->data) {
		skb_put_data(skb, from->data + off, len);
		return 0;
	}
	for (i = 0; i < from->num_sge && len; i++) {
		const struct smrc_sge *sge = &from->sge[i];

		if (off >= sge->length) {
			off -= sge->length;
			continue;
		}
		n = min(len, sge->length - off);
		err = smrc_piece_sge(qp, from, sge, off, n, skb, piece);
		if (err)
			return err;
		off = 0;
		len -= n;
	}
	return 0;
}

static struct sk_buff *smrc_payload(struct smrc_qp *qp, struct smrc_source *from, u32 off, u32 len)
{
	/* A kernel user's memory may be slab, whose pages cannot be held. */
	bool copy = len <= SMRC_COPY_MAX || from->data || !qp->user;
	struct sk_buff *skb;
	int err;

	skb = smrc_skb_alloc(copy ? len : 0);
	if (!skb)
		return NULL;
	rcu_read_lock();
	err = smrc_gather(qp, from, off, len, skb, copy ? smrc_piece_copy : smrc_piece_attach);
	if (err == -EMSGSIZE) {
		/* More pieces than an skb has fragments. */
		kfree_skb(skb);
		skb = smrc_skb_alloc(len);
		err = skb ? smrc_gather(qp, from, off, len, skb, smrc_piece_copy) : 0;
	}
	rcu_read_unlock();
	if (err) {
		kfree_skb(skb);
		return NULL;
	}
	return skb;
}

/**
 * smrc_build_readable() - may the whole message be read?
 * @qp: the QP; its lock held
 * @from: the message
 *
 * Asked before the first of several packets goes out: nothing of a message that cannot be sent to its end is to reach
 * the peer. Each packet asks again, for a region may go away in between.
 *
 * Return: false when not; then @from->refused says why.
 */
bool smrc_build_readable(struct smrc_qp *qp, struct smrc_source *from)
{
	struct smrc_mr_cursor cur;
	u32 i;

	rcu_read_lock();
	for (i = 0; i < from->num_sge && !from->refused; i++) {
		const struct smrc_sge *sge = &from->sge[i];

		if (sge->length)
			from->refused = smrc_mr_find(qp->dev, sge->lkey, qp->pd, from->rights, sge->addr, sge->length,
						     &cur);
	}
	rcu_read_unlock();
	return !from->refused;
}

/**
 * smrc_build_data() - a data packet
 * @qp: the QP; its lock held
 * @from: the message
 * @off: offset of the packet in it
 * @sport: entropy value
 * @pkt: its header fields; payload_len set, pad is set here
 *
 * Return: the packet; NULL without memory, or when the message cannot be read (then @from->refused says why).
 */
struct sk_buff *smrc_build_data(struct smrc_qp *qp, struct smrc_source *from, u32 off, u16 sport, struct smrc_pkt *pkt)
{
	enum smrc_class cls = pkt->rtx ? SMRC_CLASS_RETX : SMRC_CLASS_DATA;
	struct sk_buff *skb;
	u8 tos;

	lockdep_assert_held(&qp->lock);
	pkt->pad = -pkt->payload_len & 3;
	skb = smrc_payload(qp, from, off, pkt->payload_len);
	if (!skb)
		return NULL;
	skb_push(skb, smrc_wire_hdr_len(pkt->opcode, pkt->has_ts));
	smrc_wire_build(skb->data, pkt);
	tos = smrc_classify(skb, &qp->path, &qp->dscp, cls) | INET_ECN_ECT_0;
	if (!smrc_finish(skb, &qp->path, sport, tos, pkt->pad, &qp->frag)) {
		kfree_skb(skb);
		return NULL;
	}
	return skb;
}
