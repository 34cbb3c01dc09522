// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * traffic.c: who sends to whom. Flows are made in the order of their hosts, those of one pair next to each other.
 */
#include <linux/minmax.h>
#include <stdlib.h>

#include "endpoint.h"
#include "memory.h"

/**
 * traffic_flows() - how many flows a run has
 * @o: the options
 *
 * Return: the number.
 */
u32 traffic_flows(const struct sim_options *o)
{
	switch (o->traffic) {
	case SIM_INCAST:
		return o->fan_in * o->qps;
	case SIM_ALL_TO_ALL:
		return o->hosts * (o->hosts - 1) * o->qps;
	default:
		return o->hosts * o->qps;
	}
}

static void traffic_pair(struct sim *s, u32 *n, u32 src, u32 dst)
{
	u32 i;

	for (i = 0; i < s->o.qps; i++) {
		s->flow[*n].src = src;
		s->flow[*n].dst = dst;
		++*n;
	}
}

/* Sattolo's shuffle: one cycle through all hosts, so that none sends to itself. */
static void traffic_permutation(struct sim *s)
{
	u16 *to = memory_get(s->o.hosts, sizeof(*to));
	u64 rnd = sim_mix(s->o.seed ^ 0x7061697273ULL);
	u32 i, n = 0;

	for (i = 0; i < s->o.hosts; i++)
		to[i] = i;
	for (i = s->o.hosts - 1; i; i--) {
		rnd = sim_mix(rnd + 1);
		swap(to[i], to[rnd % i]);
	}
	for (i = 0; i < s->o.hosts; i++)
		traffic_pair(s, &n, i, to[i]);
	memory_put(to);
}

static void traffic_flows_make(struct sim *s)
{
	u32 i, k, n = 0;

	switch (s->o.traffic) {
	case SIM_INCAST:
		for (i = 1; i <= s->o.fan_in; i++)
			traffic_pair(s, &n, i, 0);
		break;
	case SIM_ALL_TO_ALL:
		for (i = 0; i < s->o.hosts; i++) {
			for (k = 0; k < s->o.hosts; k++) {
				if (i != k)
					traffic_pair(s, &n, i, k);
			}
		}
		break;
	default:
		traffic_permutation(s);
		break;
	}
}

static u32 peer_key(u16 local, u16 remote)
{
	return (u32)local << 16 | remote;
}

static int key_order(const void *a, const void *b)
{
	const u32 *ka = a, *kb = b;

	return *ka < *kb ? -1 : *ka > *kb;
}

static struct sim_peer *peer_of(const struct sim *s, const u32 *key, u16 local, u16 remote)
{
	u32 k = peer_key(local, remote);
	const u32 *found = bsearch(&k, key, s->n_peers, sizeof(*key), key_order);

	return &s->peer[found - key];
}

/* A peer that sends nothing but acknowledgements probes through the queue pairs by which it receives. */
static void traffic_receives(struct sim_peer *peer, u32 flow)
{
	if (peer->n && !peer->receives)
		return;
	peer->receives = true;
	peer->first = flow;
	peer->n++;
}

/* As in the driver a pair of hosts has one state at each end, whichever end opened its queue pairs. */
static void traffic_peers_make(struct sim *s)
{
	u32 *key = memory_get(2 * s->n_flows, sizeof(*key));
	struct sim_flow *f;
	u32 i, n = 0;

	for (i = 0; i < s->n_flows; i++) {
		key[2 * i] = peer_key(s->flow[i].src, s->flow[i].dst);
		key[2 * i + 1] = peer_key(s->flow[i].dst, s->flow[i].src);
	}
	qsort(key, 2 * s->n_flows, sizeof(*key), key_order);
	for (i = 0; i < 2 * s->n_flows; i++) {
		if (!n || key[n - 1] != key[i])
			key[n++] = key[i];
	}
	s->n_peers = n;
	s->peer = memory_get(n, sizeof(*s->peer));
	for (i = 0; i < n; i++) {
		peer_init(&s->peer[i], &s->o, sim_mix(s->o.seed) ^ sim_mix(~(u64)key[i]));
		s->peer[i].source = s->net.n_links + i;
	}
	for (i = s->n_flows; i-- > 0;) {
		f = &s->flow[i];
		f->snd.peer = peer_of(s, key, f->src, f->dst);
		f->rcv.peer = peer_of(s, key, f->dst, f->src);
		f->snd.peer->first = i;
		f->snd.peer->n++;
	}
	for (i = s->n_flows; i-- > 0;)
		traffic_receives(s->flow[i].rcv.peer, i);
	memory_put(key);
}

/**
 * traffic_make() - make all flows, and the peers they need
 * @s: the run, whose network is there
 */
void traffic_make(struct sim *s)
{
	s->n_flows = traffic_flows(&s->o);
	s->flow = memory_get(s->n_flows, sizeof(*s->flow));
	traffic_flows_make(s);
	traffic_peers_make(s);
}
