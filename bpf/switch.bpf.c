// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What a leaf of scripts/fabric does beyond the kernel's routes, for tc (clsact):
 *
 *   lb_evmod, lb_flowlet  ingress of what comes from hosts: choose the path of a RoCE packet and write it into its
 *                         mark. A rule of the leaf sends marked packets by that path; when its link is down, they go
 *                         by the ordinary route, as all other packets do.
 *   queue                 egress of a link that has a rate: a queue that marks (ECN), trims or drops.
 *
 * scripts/fabric-switch.sh loads them once for each leaf, writes the first two maps, and reads the counters of @queues.
 */
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/pkt_cls.h>
#include <linux/udp.h>
#include <stdbool.h>
#include <stddef.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* <sys/socket.h> is for programs of a machine */
#define AF_INET		2
#define AF_INET6	10

#define ROCE_PORT	4791
#define FIRST_PATH	101	/* ifindex, mark and routing table of path 1: fabric-switch.sh has the same */
#define MAX_LINKS	256
#define FLOWS		4096	/* a power of two */
#define TRIM_KEEPS	64	/* bytes behind the UDP header: BTH and all that may follow it in a data packet */

/* Classes of packets, in the DSCP field (OCP MRC 1.0) */
enum dscp {
	DSCP_NO_TRIM		= 0,
	DSCP_TRIMMABLE		= 4,
	DSCP_TRIMMABLE_RETX	= 8,
	DSCP_TRIMMED		= 12,
	DSCP_TRIMMED_LASTHOP	= 16,
	DSCP_CONTROL		= 46,
};

/**
 * struct balance - how a leaf balances; written by fabric-switch.sh
 * @paths: at least 1
 * @salt: of the hash of flows
 * @gap: ns without a packet after which a flow may take another path
 */
struct balance {
	__u32 paths;
	__u32 salt;
	__u64 gap;
};

/**
 * struct link - a link that has a rate; written by fabric-switch.sh
 * @ps_per_byte: picoseconds that a byte takes
 * @limit: ns; what would wait for longer is trimmed or dropped
 * @mark: ns; what waits for longer is marked if it is ECN-capable
 * @trimmed: DSCP of what was trimmed here; 0 when this link does not trim
 */
struct link {
	__u64 ps_per_byte;
	__u64 limit;
	__u64 mark;
	__u64 trimmed;
};

/**
 * struct queue - what waits for a link, as times: the packets themselves wait in the qdisc fq
 * @lock: protects the two times
 * @free: ns of the monotonic clock when all that was taken is sent
 * @free_priority: the same for what passes the queue: control packets and trimmed ones
 * @marked: packets that were marked
 * @trimmed: packets that were trimmed
 * @dropped: packets that were dropped
 */
struct queue {
	struct bpf_spin_lock lock;
	__u64 free;
	__u64 free_priority;
	__u64 marked;
	__u64 trimmed;
	__u64 dropped;
};

/**
 * struct flow - a slot of the table of flows; flows of the same hash share it
 * @seen: ns of the monotonic clock when its last packet came
 * @path: the path that it takes, from 0
 */
struct flow {
	__u64 seen;
	__u64 path;
};

/**
 * struct headers - what is looked at of a packet
 * @v6: is it IPv6, else IPv4
 * @dscp: enum dscp or any other
 * @udp_at: offset of the UDP header; 0 when this is no RoCE packet
 * @source_port: UDP source port of a RoCE packet
 * @addresses: source and destination, the last 4 bytes of each over IPv4
 */
struct headers {
	__u32 v6;
	__u32 dscp;
	__u32 udp_at;
	__u32 source_port;
	__u32 addresses[8];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct balance);
} balance SEC(".maps");

struct {	/* by ifindex */
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_LINKS);
	__type(key, __u32);
	__type(value, struct link);
} links SEC(".maps");

struct {	/* by ifindex */
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, MAX_LINKS);
	__type(key, __u32);
	__type(value, struct queue);
} queues SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, FLOWS);
	__type(key, __u32);
	__type(value, struct flow);
} flows SEC(".maps");

/* --- packets --- */

static __always_inline bool parse_udp(struct __sk_buff *skb, struct headers *h, __u32 at)
{
	struct udphdr udp;

	if (bpf_skb_load_bytes(skb, at, &udp, sizeof(udp)) || udp.dest != bpf_htons(ROCE_PORT))
		return false;
	h->udp_at = at;
	h->source_port = bpf_ntohs(udp.source);
	return true;
}

static __always_inline void parse_ipv4(struct __sk_buff *skb, struct headers *h)
{
	struct iphdr ip;

	if (bpf_skb_load_bytes(skb, ETH_HLEN, &ip, sizeof(ip)))
		return;
	h->dscp = ip.tos >> 2;
	h->addresses[3] = ip.saddr;
	h->addresses[7] = ip.daddr;
	/* No options in a RoCE packet, and no fragments */
	if (ip.ihl == 5 && ip.protocol == IPPROTO_UDP && !(ip.frag_off & bpf_htons(0x3fff)))
		parse_udp(skb, h, ETH_HLEN + sizeof(ip));
}

static __always_inline void parse_ipv6(struct __sk_buff *skb, struct headers *h)
{
	struct ipv6hdr ip;

	if (bpf_skb_load_bytes(skb, ETH_HLEN, &ip, sizeof(ip)))
		return;
	h->v6 = 1;
	h->dscp = (ip.priority << 2 | ip.flow_lbl[0] >> 6) & 0x3f;
	__builtin_memcpy(h->addresses, &ip.saddr, 32);
	if (ip.nexthdr == IPPROTO_UDP)
		parse_udp(skb, h, ETH_HLEN + sizeof(ip));
}

/* false: no IP */
static __always_inline bool parse(struct __sk_buff *skb, struct headers *h)
{
	__builtin_memset(h, 0, sizeof(*h));
	if (skb->protocol == bpf_htons(ETH_P_IP))
		parse_ipv4(skb, h);
	else if (skb->protocol == bpf_htons(ETH_P_IPV6))
		parse_ipv6(skb, h);
	else
		return false;
	return true;
}

/* --- load balancing --- */

static __always_inline int send_by(struct __sk_buff *skb, __u32 path)
{
	skb->mark = FIRST_PATH + path;
	return TC_ACT_OK;
}

/* Seed 2: the path is the entropy value modulo the number of paths */
SEC("tc")
int lb_evmod(struct __sk_buff *skb)
{
	struct balance *b;
	struct headers h;
	__u32 zero = 0;

	b = bpf_map_lookup_elem(&balance, &zero);
	if (!b || !b->paths || !parse(skb, &h) || !h.udp_at)
		return TC_ACT_OK;
	return send_by(skb, h.source_port % b->paths);
}

static __always_inline __u32 mix(__u32 hash, __u32 word)
{
	hash = (hash ^ word) * 0x9e3779b1;	/* 2^32 divided by the golden ratio */
	return hash ^ hash >> 15;
}

static __always_inline __u32 flow_hash(const struct headers *h, __u32 salt)
{
	__u32 hash = mix(salt, h->source_port);
	int i;

	for (i = 0; i < 8; i++)
		hash = mix(hash, h->addresses[i]);
	return mix(hash, ROCE_PORT);
}

/* ns that a packet would wait for this link; 0 for one without a rate, where nothing waits */
static __always_inline __u64 load_of(__u32 dev, __u64 now)
{
	struct queue *q = bpf_map_lookup_elem(&queues, &dev);

	return q && q->free > now ? q->free - now : 0;
}

/* Has the path's own routing table a route that can be used? Not when its link is down. */
static bool is_up(struct __sk_buff *skb, const struct headers *h, __u32 path)
{
	struct bpf_fib_lookup fib = {
		.family = h->v6 ? AF_INET6 : AF_INET,
		.ifindex = skb->ifindex,
		.tbid = FIRST_PATH + path,
	};

	if (h->v6)
		__builtin_memcpy(fib.ipv6_dst, &h->addresses[4], 16);
	else
		fib.ipv4_dst = h->addresses[7];
	return bpf_fib_lookup(skb, &fib, sizeof(fib), BPF_FIB_LOOKUP_DIRECT | BPF_FIB_LOOKUP_TBID |
			      BPF_FIB_LOOKUP_SKIP_NEIGH) == BPF_FIB_LKUP_RET_SUCCESS;
}

/**
 * struct search - for the path with the least load
 * @skb: the packet
 * @h: its headers
 * @paths: how many there are
 * @now: ns of the monotonic clock
 * @path: the next to look at
 * @best: the best so far
 * @least: its load
 */
struct search {
	struct __sk_buff *skb;
	const struct headers *h;
	__u64 now;
	__u32 paths;
	__u32 path;
	__u32 best;
	__u64 least;
};

static long look_at_path(__u32 nr __attribute__((unused)), void *data)
{
	struct search *s = data;
	__u64 load = load_of(FIRST_PATH + s->path, s->now);

	if (load < s->least && is_up(s->skb, s->h, s->path)) {
		s->least = load;
		s->best = s->path;
	}
	s->path = s->path + 1 < s->paths ? s->path + 1 : 0;
	return 0;
}

/* Of those with the least load, the first from a random one on */
static __always_inline __u32 least_loaded(struct __sk_buff *skb, const struct headers *h, __u32 paths, __u64 now)
{
	struct search s = {
		.skb = skb,
		.h = h,
		.now = now,
		.paths = paths,
		.path = bpf_get_prandom_u32() % paths,
		.least = ~0ULL,
	};

	s.best = s.path;
	bpf_loop(paths, look_at_path, &s, 0);
	return s.best;
}

/* A flow keeps its path while its packets follow each other closely: then none overtakes another */
SEC("tc")
int lb_flowlet(struct __sk_buff *skb)
{
	__u64 now = bpf_ktime_get_ns();
	struct balance *b;
	struct headers h;
	struct flow *f;
	__u32 key = 0;

	b = bpf_map_lookup_elem(&balance, &key);
	if (!b || !b->paths || !parse(skb, &h) || !h.udp_at)
		return TC_ACT_OK;
	key = flow_hash(&h, b->salt) % FLOWS;
	f = bpf_map_lookup_elem(&flows, &key);
	if (!f)
		return TC_ACT_OK;
	/* Another CPU may have seen a later packet since this one read the clock */
	if (!f->seen || (__s64)(now - f->seen) > (__s64)b->gap)
		f->path = least_loaded(skb, &h, b->paths, now);
	if (now > f->seen)
		f->seen = now;
	return send_by(skb, f->path);
}

/* --- queues --- */

static __always_inline bool is_trimmable(__u32 dscp)
{
	return dscp == DSCP_TRIMMABLE || dscp == DSCP_TRIMMABLE_RETX;
}

static __always_inline bool has_priority(__u32 dscp)
{
	return dscp == DSCP_CONTROL || dscp == DSCP_TRIMMED || dscp == DSCP_TRIMMED_LASTHOP;
}

/* When the last byte is sent of a packet that takes @takes ns; 0 when it would have to wait longer than allowed */
static __always_inline __u64 take_turn(struct queue *q, const struct link *l, __u64 now, __u64 takes, __u64 *waits)
{
	__u64 start, done = 0;

	bpf_spin_lock(&q->lock);
	start = q->free > now ? q->free : now;
	if (start - now <= l->limit) {
		done = start + takes;
		q->free = done;
	}
	bpf_spin_unlock(&q->lock);
	*waits = start - now;
	return done;
}

/* The same before all that waits, which thereby waits longer */
static __always_inline __u64 take_first_turn(struct queue *q, const struct link *l, __u64 now, __u64 takes)
{
	__u64 start, done = 0;

	bpf_spin_lock(&q->lock);
	start = q->free_priority > now ? q->free_priority : now;
	if (start - now <= l->limit) {
		done = start + takes;
		q->free_priority = done;
		q->free = (q->free > now ? q->free : now) + takes;
	}
	bpf_spin_unlock(&q->lock);
	return done;
}

static __always_inline void trim_ipv4(struct __sk_buff *skb, __u32 dscp, __u32 len)
{
	__be16 was, is;
	__u8 tos[2];

	/* Version, header length and TOS are one word of the checksum */
	bpf_skb_load_bytes(skb, ETH_HLEN, &was, 2);
	__builtin_memcpy(tos, &was, 2);
	tos[1] = dscp << 2 | (tos[1] & 3);
	__builtin_memcpy(&is, tos, 2);
	bpf_l3_csum_replace(skb, ETH_HLEN + offsetof(struct iphdr, check), was, is, 2);
	bpf_skb_store_bytes(skb, ETH_HLEN, &is, 2, 0);
	bpf_skb_load_bytes(skb, ETH_HLEN + offsetof(struct iphdr, tot_len), &was, 2);
	is = bpf_htons(sizeof(struct iphdr) + len);
	bpf_l3_csum_replace(skb, ETH_HLEN + offsetof(struct iphdr, check), was, is, 2);
	bpf_skb_store_bytes(skb, ETH_HLEN + offsetof(struct iphdr, tot_len), &is, 2, 0);
}

static __always_inline void trim_ipv6(struct __sk_buff *skb, __u32 dscp, __u32 len)
{
	__be16 payload = bpf_htons(len);
	__u8 class[2];

	/* Version, traffic class, begin of the flow label: 4, 8, 4 bits */
	bpf_skb_load_bytes(skb, ETH_HLEN, class, 2);
	class[0] = (class[0] & 0xf0) | dscp >> 2;
	class[1] = (class[1] & 0x3f) | dscp << 6;
	bpf_skb_store_bytes(skb, ETH_HLEN, class, 2, 0);
	bpf_skb_store_bytes(skb, ETH_HLEN + offsetof(struct ipv6hdr, payload_len), &payload, 2, 0);
}

/*
 * Cut all but the headers off, make the lengths say so, and mark the packet as trimmed. One that is short already is
 * marked all the same: what counts is that its payload is not to be relied upon. The UDP checksum becomes 0, which
 * RoCEv2 allows.
 */
static __always_inline bool trim(struct __sk_buff *skb, const struct headers *h, __u32 dscp)
{
	__u32 keep = sizeof(struct udphdr) + TRIM_KEEPS;
	struct {
		__be16 len;
		__be16 check;
	} udp = {};

	if (skb->len > h->udp_at + keep) {
		if (bpf_skb_change_tail(skb, h->udp_at + keep, 0))
			return false;
	} else {
		keep = skb->len - h->udp_at;
	}
	if (h->v6)
		trim_ipv6(skb, dscp, keep);
	else
		trim_ipv4(skb, dscp, keep);
	udp.len = bpf_htons(keep);
	return !bpf_skb_store_bytes(skb, h->udp_at + offsetof(struct udphdr, len), &udp, sizeof(udp), 0);
}

static __always_inline void count(__u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

static __always_inline int drop(struct queue *q)
{
	count(&q->dropped);
	return TC_ACT_SHOT;
}

/*
 * Let fq send the packet at @when. fq orders the packets of a flow, and makes all of a flow wait for its first: the two
 * classes must be a flow each. It takes the hash for the flow.
 */
static __always_inline int send_at(struct __sk_buff *skb, __u64 when, bool priority)
{
	bpf_set_hash(skb, priority);
	/* fq takes the clock on trust otherwise, and says so for every packet */
	bpf_skb_set_tstamp(skb, when, BPF_SKB_TSTAMP_DELIVERY_MONO);
	return TC_ACT_OK;
}

SEC("tc")
int queue(struct __sk_buff *skb)
{
	__u64 now = bpf_ktime_get_ns(), when, waits;
	__u32 dev = skb->ifindex;
	struct headers h;
	struct queue *q;
	struct link *l;

	l = bpf_map_lookup_elem(&links, &dev);
	q = bpf_map_lookup_elem(&queues, &dev);
	if (!l || !q || !parse(skb, &h))
		return TC_ACT_OK;
	if (!has_priority(h.dscp)) {
		when = take_turn(q, l, now, skb->wire_len * l->ps_per_byte / 1000, &waits);
		if (when) {
			if (waits > l->mark && bpf_skb_ecn_set_ce(skb))
				count(&q->marked);
			return send_at(skb, when, false);
		}
		if (!l->trimmed || !h.udp_at || !is_trimmable(h.dscp) || !trim(skb, &h, l->trimmed))
			return drop(q);
		count(&q->trimmed);
	}
	when = take_first_turn(q, l, now, skb->len * l->ps_per_byte / 1000);
	return when ? send_at(skb, when, true) : drop(q);
}
