// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * limit.c: how fast one CPU moves packets of Soft-MRC's size through the kernel's UDP path when there is no transport:
 * the yardstick of "make bench". For kernel 7.3 only, and no part of the driver.
 *
 * A packet is one skb: 32 bytes of headers, the payload as a page fragment, a CRC. It goes from a socket in one network
 * namespace (10.0.0.1) to a socket in another (10.0.0.2). Sender and receiver each compute the CRC over the payload,
 * and the receiver copies the payload once, as a software RDMA device must.
 *
 *	insmod limit.ko sender=PID receiver=PID [packets=N] [payload=BYTES]
 *	cat /sys/module/limit/parameters/mib_s
 *
 * where the two processes run in the two namespaces. Measures while it loads.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/crc32.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/route.h>
#include <net/udp_tunnel.h>

#define LIMIT_PORT	4791
#define LIMIT_HDR	32	/* BTH, METH and RETH */
#define LIMIT_ROOM	(LL_MAX_HEADER + sizeof(struct iphdr) + sizeof(struct udphdr))
#define LIMIT_SPORT	49152
#define LIMIT_SPORTS	72	/* size of an active set by default */

static unsigned int sender;
module_param(sender, uint, 0444);
MODULE_PARM_DESC(sender, "a process in the sender's network namespace");

static unsigned int receiver;
module_param(receiver, uint, 0444);
MODULE_PARM_DESC(receiver, "a process in the receiver's network namespace");

static unsigned int packets = 20000;
module_param(packets, uint, 0444);
MODULE_PARM_DESC(packets, "how many to send");

static unsigned int payload = 4096;
module_param(payload, uint, 0444);
MODULE_PARM_DESC(payload, "bytes of payload in each, one page at most");

static unsigned int mib_s;
module_param(mib_s, uint, 0444);
MODULE_PARM_DESC(mib_s, "result: payload received, MiB/s");

/**
 * struct limit_run - one measurement
 * @tx: sender's socket
 * @rx: receiver's socket
 * @rt: route to the receiver
 * @src: page with the payload
 * @dst: where the receiver copies it to
 * @received: packets that arrived whole
 * @broken: packets that did not
 */
struct limit_run {
	struct socket	*tx;
	struct socket	*rx;
	struct rtable	*rt;
	struct page	*src;
	void		*dst;
	u64		received;
	u64		broken;
};

static struct limit_run run;

static u32 limit_crc(struct sk_buff *skb, u32 off, u32 len)
{
	struct skb_seq_state st;
	u32 crc = ~0U, done = 0;
	const u8 *data;
	u32 n;

	skb_prepare_seq_read(skb, off, off + len, &st);
	while ((n = skb_seq_read(done, &data, &st))) {
		n = min(n, len - done);
		crc = crc32_le(crc, data, n);
		done += n;
	}
	return crc;
}

static int limit_rcv(struct sock *sk, struct sk_buff *skb)
{
	u32 off = sizeof(struct udphdr) + LIMIT_HDR;
	__be32 crc;

	if (skb->len != off + payload + sizeof(crc) || skb_copy_bits(skb, off + payload, &crc, sizeof(crc)) ||
	    be32_to_cpu(crc) != limit_crc(skb, off, payload) || skb_copy_bits(skb, off, run.dst, payload))
		run.broken++;
	else
		run.received++;
	consume_skb(skb);
	return 0;
}

static struct sk_buff *limit_build(struct page_frag *frag)
{
	struct sk_buff *skb = alloc_skb(LIMIT_ROOM + LIMIT_HDR, GFP_ATOMIC);
	u32 crc = crc32_le(~0U, page_address(run.src), payload);

	if (!skb)
		return NULL;
	skb_reserve(skb, LIMIT_ROOM);
	skb_put_zero(skb, LIMIT_HDR);
	if (!skb_page_frag_refill(sizeof(__be32), frag, GFP_ATOMIC)) {
		kfree_skb(skb);
		return NULL;
	}
	*(__be32 *)(page_address(frag->page) + frag->offset) = cpu_to_be32(crc);
	get_page(run.src);
	skb_add_rx_frag(skb, 0, run.src, 0, payload, PAGE_SIZE);
	get_page(frag->page);
	skb_add_rx_frag(skb, 1, frag->page, frag->offset, sizeof(__be32), sizeof(__be32));
	frag->offset += sizeof(__be32);
	skb->protocol = htons(ETH_P_IP);
	return skb;
}

static int limit_send_all(void)
{
	struct page_frag frag = {};
	struct sk_buff *skb;
	unsigned int i;
	int err = 0;

	for (i = 0; i < packets; i++) {
		skb = limit_build(&frag);
		if (!skb) {
			err = -ENOMEM;
			break;
		}
		dst_hold(&run.rt->dst);
		local_bh_disable();
		udp_tunnel_xmit_skb(run.rt, run.tx->sk, skb, htonl(0x0a000001), htonl(0x0a000002), 0, 64, htons(IP_DF),
				    htons(LIMIT_SPORT + i % LIMIT_SPORTS), htons(LIMIT_PORT), false, true, 0);
		local_bh_enable();
		cond_resched();
	}
	if (frag.page)
		put_page(frag.page);
	return err;
}

static int limit_open(struct net *from, struct net *to)
{
	struct udp_port_cfg port = { .family = AF_INET, .local_udp_port = htons(LIMIT_PORT) };
	struct udp_tunnel_sock_cfg tunnel = { .encap_type = 1, .encap_rcv = limit_rcv };
	struct flowi4 fl = {
		.daddr = htonl(0x0a000002),
		.saddr = htonl(0x0a000001),
		.flowi4_proto = IPPROTO_UDP,
	};
	int err;

	err = udp_sock_create(from, &port, &run.tx);
	if (err)
		return err;
	err = udp_sock_create(to, &port, &run.rx);
	if (err)
		goto close_tx;
	setup_udp_tunnel_sock(to, run.rx->sk, &tunnel);
	run.rt = ip_route_output_key(from, &fl);
	if (!IS_ERR(run.rt))
		return 0;
	err = PTR_ERR(run.rt);
	udp_tunnel_sock_release(run.rx->sk);
close_tx:
	udp_tunnel_sock_release(run.tx->sk);
	return err;
}

static void limit_close(void)
{
	ip_rt_put(run.rt);
	udp_tunnel_sock_release(run.rx->sk);
	udp_tunnel_sock_release(run.tx->sk);
}

static int limit_measure(struct net *from, struct net *to)
{
	ktime_t start;
	u64 ns;
	int err;

	err = limit_open(from, to);
	if (err)
		return err;
	start = ktime_get();
	err = limit_send_all();
	ns = ktime_to_ns(ktime_sub(ktime_get(), start));
	limit_close();
	mib_s = div64_u64(mul_u64_u64_div_u64(run.received * payload, NSEC_PER_SEC, max(ns, 1ULL)), 1 << 20);
	pr_info("%u packets of %u bytes: %llu received, %llu broken, %llu ns each, %u MiB/s\n", packets, payload,
		run.received, run.broken, div64_u64(ns, packets), mib_s);
	return err ?: run.received ? 0 : -EIO;
}

static int __init limit_init(void)
{
	struct net *from, *to;
	int err = -ENOMEM;

	if (!packets || !payload || payload > PAGE_SIZE)
		return -EINVAL;
	from = get_net_ns_by_pid(sender);
	if (IS_ERR(from))
		return PTR_ERR(from);
	to = get_net_ns_by_pid(receiver);
	if (IS_ERR(to)) {
		err = PTR_ERR(to);
		goto put_from;
	}
	run.src = alloc_page(GFP_KERNEL | __GFP_ZERO);
	run.dst = kmalloc(payload, GFP_KERNEL);
	if (run.src && run.dst)
		err = limit_measure(from, to);
	kfree(run.dst);
	if (run.src)
		put_page(run.src);
	put_net(to);
put_from:
	put_net(from);
	return err;
}
module_init(limit_init);

static void __exit limit_exit(void)
{
}
module_exit(limit_exit);

MODULE_DESCRIPTION("Raw cost of the UDP path, for Soft-MRC's benchmark");
MODULE_LICENSE("Dual BSD/GPL");
