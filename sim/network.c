// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * network.c: a packet's way through the network.
 *
 * Queues are served in order, so when a packet is queued the time it will be sent is known: what waits is a time, not a
 * list, and a hop costs one event, the arrival at the other end. Packets on their way on a link are in the order in
 * which they arrive, so only the first of them is an event.
 *
 * With trimming there is a class before data. Its packets are small; one that goes first delays the data that is queued
 * after it, and not, as it would, the data that waits already.
 */
#include <linux/limits.h>
#include <linux/minmax.h>

#include "memory.h"
#include "network.h"

#define POOL_FIRST	1024	/* packets there is room for at first */

/**
 * sim_mix() - spread the bits of a number
 * @x: any number
 *
 * Return: a number all of whose bits depend on all of @x.
 */
u64 sim_mix(u64 x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	return x ^ x >> 32;
}

/**
 * network_links() - how many links a network has
 * @o: the options
 *
 * Return: the number, each direction counted.
 */
u32 network_links(const struct sim_options *o)
{
	return 2 * (o->hosts + o->leaves * o->spines);
}

static void kind_init(struct sim_kind *k, const struct sim_options *o, u32 mbps)
{
	struct smrc_pkt full = { .opcode = SMRC_OP_WRITE_MIDDLE, .has_ts = true, .payload_len = o->mtu };

	k->ps_byte = 8000000ULL / mbps;
	k->full_ps = k->ps_byte * network_frame(&full);
	k->room_ps = k->full_ps * o->queue;
	k->mark_ps = o->ecn ? k->full_ps * o->ecn : U64_MAX;
}

static void link_cut(struct sim_link *l, const struct sim_cut *cut)
{
	l->cut_from = cut->from_ns;
	l->cut_to = cut->to_ns;
}

static void network_cut(struct sim_network *n, const struct sim_cut *cut)
{
	u32 leaf, spine, i;

	for (leaf = 0; leaf < n->o->leaves; leaf++) {
		for (spine = 0; spine < n->o->spines; spine++) {
			if ((cut->leaf >= 0 && (u32)cut->leaf != leaf) ||
			    (cut->spine >= 0 && (u32)cut->spine != spine))
				continue;
			i = leaf * n->o->spines + spine;
			if (cut->up)
				link_cut(&n->link[n->climb + i], cut);
			if (cut->down)
				link_cut(&n->link[n->descend + i], cut);
		}
	}
}

static void pool_add(struct sim_network *n, u32 from)
{
	u32 i;

	for (i = n->pool_size; i-- > from;) {
		n->pool[i].next = n->pool_free;
		n->pool_free = i;
	}
}

/**
 * network_init() - build a network
 * @n: to fill in; deliver and ctx are the caller's
 * @o: the options, kept
 * @ev: the events, in which sources 0 .. network_links() - 1 are its links
 */
void network_init(struct sim_network *n, const struct sim_options *o, struct events *ev)
{
	u32 i, class;

	n->o = o;
	n->ev = ev;
	n->hosts_leaf = o->hosts / o->leaves;
	n->climb = 2 * o->hosts;
	n->descend = n->climb + o->leaves * o->spines;
	n->n_links = network_links(o);
	n->link = memory_get(n->n_links, sizeof(*n->link));
	for (i = 0; i < n->n_links; i++) {
		for (class = 0; class < SIM_CLASSES; class++)
			n->link[i].head[class] = SIM_NONE;
	}
	kind_init(&n->access, o, o->host_mbps);
	kind_init(&n->fabric, o, o->fabric_mbps);
	n->fabric.burst_ps = n->fabric.ps_byte * o->burst;
	n->leaf_seed = memory_get(o->leaves, sizeof(*n->leaf_seed));
	for (i = 0; i < o->leaves; i++)
		n->leaf_seed[i] = sim_mix(o->seed << 20 | i);
	for (i = 0; i < o->n_cuts; i++)
		network_cut(n, &o->cut[i]);
	n->pool_free = SIM_NONE;
	n->pool_size = POOL_FIRST;
	n->pool = memory_get(n->pool_size, sizeof(*n->pool));
	pool_add(n, 0);
}

/**
 * network_free() - the opposite of network_init()
 * @n: the network
 */
void network_free(struct sim_network *n)
{
	memory_put(n->link);
	memory_put(n->leaf_seed);
	memory_put(n->pool);
}

static u32 pool_take(struct sim_network *n)
{
	u32 i = n->pool_free, had = n->pool_size;

	if (i == SIM_NONE) {
		n->pool_size += had / 2;
		n->pool = memory_grow(n->pool, had, n->pool_size, sizeof(*n->pool));
		pool_add(n, had);
		i = n->pool_free;
	}
	n->pool_free = n->pool[i].next;
	return i;
}

static void pool_give(struct sim_network *n, u32 i)
{
	n->pool[i].next = n->pool_free;
	n->pool_free = i;
}

static void link_arm(struct sim_network *n, u32 link)
{
	const struct sim_link *l = &n->link[link];
	u64 at = U64_MAX;
	u32 class;

	for (class = 0; class < SIM_CLASSES; class++) {
		if (l->head[class] != SIM_NONE)
			at = min(at, n->pool[l->head[class]].at);
	}
	events_set(n->ev, link, at);
}

/* The packet will have been sent at @sent_ps. */
static void link_push(struct sim_network *n, u32 link, u32 i, enum sim_class class, u64 sent_ps)
{
	struct sim_link *l = &n->link[link];
	u64 sent = sent_ps / SIM_PS;

	if (sent >= l->cut_from && sent < l->cut_to) {
		n->swallowed += smrc_op_is_data(n->pool[i].pkt.opcode);
		n->swallowed_control += !smrc_op_is_data(n->pool[i].pkt.opcode);
		pool_give(n, i);
		return;
	}
	n->pool[i].at = sent + n->o->delay_ns;
	n->pool[i].next = SIM_NONE;
	if (l->head[class] != SIM_NONE) {
		n->pool[l->tail[class]].next = i;
		l->tail[class] = i;
		return;
	}
	l->head[class] = i;
	l->tail[class] = i;
	link_arm(n, link);
}

static bool link_is_last(const struct sim_network *n, u32 link)
{
	return link >= n->o->hosts && link < n->climb;
}

/* A full queue: returns true when something is left of the packet. */
static bool link_overflow(struct sim_network *n, u32 link, struct sim_packet *p, enum sim_class *class)
{
	if (n->o->overflow == SIM_DROP || *class == SIM_CLASS_FIRST) {
		n->dropped++;
		return false;
	}
	n->trimmed++;
	p->trimmed = true;
	p->last_hop = link_is_last(n, link);
	p->bytes -= p->pkt.payload_len;
	p->pkt.payload_len = 0;
	*class = SIM_CLASS_FIRST;
	return true;
}

/* How long a packet of data that comes now would wait. A port that was idle saved up for a burst. */
static u64 link_waits(const struct sim_link *l, const struct sim_kind *k, u64 now_ps)
{
	u64 ahead_ps = now_ps + k->burst_ps;

	return l->spent_ps > ahead_ps ? l->spent_ps - ahead_ps : 0;
}

/* A port of a switch: is there room, and does the packet wait so long that it is marked? */
static bool link_admit(struct sim_network *n, u32 link, const struct sim_kind *k, struct sim_packet *p,
		       enum sim_class *class, u64 now_ps)
{
	const struct sim_link *l = &n->link[link];
	u64 waits = link_waits(l, k, now_ps);

	if (*class == SIM_CLASS_FIRST)
		waits = l->first_ps > now_ps ? l->first_ps - now_ps : 0;

	if (waits + p->bytes * k->ps_byte > k->room_ps)
		return link_overflow(n, link, p, class) && link_admit(n, link, k, p, class, now_ps);
	if (waits > k->mark_ps && smrc_op_is_data(p->pkt.opcode) && !p->trimmed) {
		n->marked += !p->ce;
		p->ce = true;
	}
	return true;
}

/* When the packet will have been sent. */
static u64 link_serve(struct sim_link *l, const struct sim_kind *k, u32 bytes, enum sim_class class, u64 now_ps)
{
	u64 takes = bytes * k->ps_byte;
	u64 waits = link_waits(l, k, now_ps);

	l->spent_ps = max(l->spent_ps, now_ps) + takes;
	l->bytes += bytes;
	if (class == SIM_CLASS_DATA)
		return now_ps + link_waits(l, k, now_ps);
	/* Behind others of its class, or behind the packet that is being sent. */
	l->first_ps = max(l->first_ps, now_ps + min(waits, k->full_ps)) + takes;
	return l->first_ps;
}

static void link_queue(struct sim_network *n, u32 link, u32 i, u64 now)
{
	const struct sim_kind *k = link < n->climb ? &n->access : &n->fabric;
	struct sim_packet *p = &n->pool[i];
	enum sim_class class = SIM_CLASS_DATA;
	u64 now_ps = now * SIM_PS;

	if (n->o->overflow == SIM_TRIM && (p->trimmed || !smrc_op_is_data(p->pkt.opcode)))
		class = SIM_CLASS_FIRST;
	/* A host keeps what it cannot send yet. */
	if (link >= n->o->hosts && !link_admit(n, link, k, p, &class, now_ps)) {
		pool_give(n, i);
		return;
	}
	link_push(n, link, i, class, link_serve(&n->link[link], k, p->bytes, class, now_ps));
}

/**
 * network_send() - a host sends
 * @n: the network
 * @p: the packet; at, next, and what switches do to it need not be filled in
 * @now: current time, ns
 */
void network_send(struct sim_network *n, const struct sim_packet *p, u64 now)
{
	u32 i = pool_take(n);

	n->pool[i] = *p;
	n->pool[i].bytes = network_frame(&p->pkt);
	link_queue(n, p->src, i, now);
}

static u32 leaf_spine(const struct sim_network *n, u32 leaf, const struct sim_packet *p)
{
	u64 x = (u64)p->src << 32 | (u64)p->dst << 16 | p->port;

	if (n->o->hash == SIM_HASH_EVMOD)
		return p->port % n->o->spines;
	return (sim_mix(x ^ n->leaf_seed[leaf]) >> 32) * n->o->spines >> 32;
}

/* The link that a packet takes from the end of @link, or SIM_NONE at its host. */
static u32 network_route(const struct sim_network *n, u32 link, const struct sim_packet *p)
{
	u32 to = p->dst / n->hosts_leaf, from;

	if (link >= n->descend)
		return n->o->hosts + p->dst;
	if (link >= n->climb)
		return n->descend + to * n->o->spines + (link - n->climb) % n->o->spines;
	if (link >= n->o->hosts)
		return SIM_NONE;
	from = link / n->hosts_leaf;
	if (from == to)
		return n->o->hosts + p->dst;
	return n->climb + from * n->o->spines + leaf_spine(n, from, p);
}

/**
 * network_arrive() - the first packet of a link arrives at its end
 * @n: the network
 * @link: the link, whose time has come
 * @now: current time, ns
 */
void network_arrive(struct sim_network *n, u32 link, u64 now)
{
	struct sim_link *l = &n->link[link];
	u32 class = SIM_CLASS_FIRST;
	struct sim_packet copy;
	u32 i, next;

	if (l->head[class] == SIM_NONE || n->pool[l->head[class]].at > now)
		class = SIM_CLASS_DATA;
	i = l->head[class];
	l->head[class] = n->pool[i].next;
	link_arm(n, link);
	next = network_route(n, link, &n->pool[i]);
	if (next != SIM_NONE) {
		link_queue(n, next, i, now);
		return;
	}
	/* The host sends, for which the pool may have to move. */
	copy = n->pool[i];
	pool_give(n, i);
	n->deliver(n->ctx, &copy, now);
}

/**
 * network_carried() - what a link has carried
 * @n: the network
 * @link: the link
 * @now: current time, ns
 *
 * Return: bytes, without those that wait.
 */
u64 network_carried(const struct sim_network *n, u32 link, u64 now)
{
	const struct sim_kind *k = link < n->climb ? &n->access : &n->fabric;
	const struct sim_link *l = &n->link[link];
	u64 waits = link_waits(l, k, now * SIM_PS);

	return l->bytes - min(l->bytes, waits / k->ps_byte);
}
