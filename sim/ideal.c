// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ideal.c: how soon a run could be over: when the fullest cut of the network that a flow passes (its host's link, all
 * links of its leaf to spines, the same at the other end) has no pause and no packet is sent twice, and the last packet
 * and its transport ACK meet no queue. Dead links are not left out.
 */
#include <linux/minmax.h>

#include "endpoint.h"
#include "memory.h"
#include "segment.h"

/* Time that all data of a flow takes on one link, ps. */
static u64 ideal_load(const struct sim_options *o, const struct sim_kind *k)
{
	u64 packets = smrc_segment_count(o->msg_bytes, o->mtu);
	struct smrc_pkt head = { .opcode = SMRC_OP_WRITE_MIDDLE, .has_ts = true };

	return o->msgs * (packets * network_frame(&head) + o->msg_bytes) * k->ps_byte;
}

/* What a packet needs from host to host in an empty network, ps. */
static u64 ideal_transit(const struct sim *s, const struct smrc_pkt *pkt, bool climbs)
{
	u64 hops = climbs ? 4 : 2;
	u64 bytes = network_frame(pkt);

	return 2 * bytes * s->net.access.ps_byte + (climbs ? 2 * bytes * s->net.fabric.ps_byte : 0) +
	       hops * s->o.delay_ns * SIM_PS;
}

struct ideal_cuts {
	u64	*up;		/* of each host, ps */
	u64	*down;
	u64	*climb;		/* of each leaf */
	u64	*descend;
};

static bool ideal_climbs(const struct sim *s, const struct sim_flow *f)
{
	return f->src / s->net.hosts_leaf != f->dst / s->net.hosts_leaf;
}

static void ideal_fill(const struct sim *s, struct ideal_cuts *c)
{
	u64 access = ideal_load(&s->o, &s->net.access);
	u64 fabric = ideal_load(&s->o, &s->net.fabric) / s->o.spines;
	u32 i;

	for (i = 0; i < s->n_flows; i++) {
		c->up[s->flow[i].src] += access;
		c->down[s->flow[i].dst] += access;
		if (!ideal_climbs(s, &s->flow[i]))
			continue;
		c->climb[s->flow[i].src / s->net.hosts_leaf] += fabric;
		c->descend[s->flow[i].dst / s->net.hosts_leaf] += fabric;
	}
}

static u64 ideal_flow(const struct sim *s, const struct ideal_cuts *c, const struct sim_flow *f)
{
	u32 size = min(s->o.msg_bytes, s->o.mtu);
	struct smrc_pkt last = { .opcode = SMRC_OP_WRITE_MIDDLE, .has_ts = true, .payload_len = size };
	struct smrc_pkt tack = { .opcode = SMRC_OP_TACK };
	u64 host = max(c->up[f->src], c->down[f->dst]), leaf = 0;
	bool climbs = ideal_climbs(s, f);
	const struct sim_kind *k;

	if (climbs)
		leaf = max(c->climb[f->src / s->net.hosts_leaf], c->descend[f->dst / s->net.hosts_leaf]);
	k = host >= leaf ? &s->net.access : &s->net.fabric;
	/* The packet's own time at the cut is in the load. */
	return max(host, leaf) + ideal_transit(s, &last, climbs) - network_frame(&last) * k->ps_byte +
	       ideal_transit(s, &tack, climbs);
}

/**
 * ideal_ns() - how soon a run could be over
 * @s: the run
 *
 * Return: ns.
 */
u64 ideal_ns(const struct sim *s)
{
	struct ideal_cuts c = {
		.up = memory_get(s->o.hosts, sizeof(u64)),
		.down = memory_get(s->o.hosts, sizeof(u64)),
		.climb = memory_get(s->o.leaves, sizeof(u64)),
		.descend = memory_get(s->o.leaves, sizeof(u64)),
	};
	u64 ps = 0;
	u32 i;

	ideal_fill(s, &c);
	for (i = 0; i < s->n_flows; i++)
		ps = max(ps, ideal_flow(s, &c, &s->flow[i]));
	memory_put(c.up);
	memory_put(c.down);
	memory_put(c.climb);
	memory_put(c.descend);
	return ps / SIM_PS;
}
