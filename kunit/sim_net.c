// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * sim_net.c: the network of the simulation: a heap of packets on their way, ordered by the time they arrive.
 */
#include "sim.h"

#include <linux/minmax.h>

/* A number in 0 .. @below - 1. */
u32 sim_random(struct sim *s, u32 below)
{
	return test_random(&s->rnd) % below;
}

static bool sim_chance(struct sim *s, u32 permille)
{
	return permille && sim_random(s, 1000) < permille;
}

/* The path of a port: each run deals the ports to paths anew. */
u32 net_path(const struct sim *s, u16 port)
{
	return (((u32)port ^ (u32)s->seed << 16) * 2654435761U >> 16) % s->paths;
}

static bool net_dead(const struct sim *s, u32 path, bool to_sender)
{
	const struct sim_cfg *cfg = s->cfg;

	if (!(cfg->dead >> path & 1) || (to_sender && cfg->one_way))
		return false;
	return s->now >= cfg->dead_from_us * US && (!cfg->dead_to_us || s->now < cfg->dead_to_us * US);
}

void net_init(struct sim *s)
{
	u32 i;

	for (i = 0; i < SIM_FLIGHTS; i++)
		s->heap[i + 1] = i;
}

static bool flight_before(const struct sim *s, u32 a, u32 b)
{
	const struct sim_flight *fa = &s->flight[s->heap[a]], *fb = &s->flight[s->heap[b]];

	return fa->at != fb->at ? fa->at < fb->at : fa->order < fb->order;
}

static void net_push(struct sim *s, const struct sim_flight *f)
{
	u32 i = ++s->n_flights;

	SIM_CHECK(s, i <= SIM_FLIGHTS);
	s->flight[s->heap[i]] = *f;
	for (; i > 1 && flight_before(s, i, i / 2); i /= 2)
		swap(s->heap[i], s->heap[i / 2]);
}

/* The packet that arrives next, at its time. */
void net_pop(struct sim *s, struct sim_flight *f)
{
	u32 i, child;

	*f = s->flight[s->heap[1]];
	swap(s->heap[1], s->heap[s->n_flights]);
	s->n_flights--;
	for (i = 1; (child = 2 * i) <= s->n_flights; i = child) {
		if (child < s->n_flights && flight_before(s, child + 1, child))
			child++;
		if (!flight_before(s, child, i))
			break;
		swap(s->heap[i], s->heap[child]);
	}
}

static void net_carry(struct sim *s, struct sim_flight *f, u32 path)
{
	u64 *last = &s->path_last[f->to_sender][path];
	u64 *free = &s->path_free[f->to_sender][path];

	*free = max(*free, s->now) + SIM_SERIAL_NS;
	f->at = *free + (20 + path * s->cfg->spread_us) * US;
	if (s->cfg->jitter_us)
		f->at += sim_random(s, s->cfg->jitter_us * US);
	if (s->cfg->fifo)
		f->at = max(f->at, *last);
	if (f->to_sender && f->at >= s->cfg->held_from_us * US)
		f->at = max(f->at, s->cfg->held_to_us * US);
	*last = f->at;
	f->order = s->order++;
	net_push(s, f);
}

/* Send @pkt with source port @port, by way of its wire form. */
void net_send(struct sim *s, struct smrc_pkt *pkt, u16 port, bool to_sender)
{
	u32 path = net_path(s, port), n;
	struct sim_flight f = { .port = port, .to_sender = to_sender };
	u8 buf[SMRC_HDR_MAX];

	pkt->pkey = SMRC_PKEY_DEFAULT;
	pkt->dqpn = SMRC_QPN_FIRST;
	pkt->pad = -pkt->payload_len & 3;
	n = smrc_wire_build(buf, pkt);
	SIM_CHECK(s, n);
	n += pkt->payload_len + pkt->pad + SMRC_ICRC_LEN;
	SIM_CHECK(s, smrc_wire_parse(buf, sizeof(buf), n, &f.pkt) == SMRC_WIRE_OK);

	if (net_dead(s, path, to_sender) || sim_chance(s, to_sender ? s->cfg->ack_loss : s->cfg->loss))
		return;
	if (smrc_op_is_data(pkt->opcode)) {
		f.ce = sim_chance(s, s->cfg->ecn);
		f.trimmed = sim_chance(s, s->cfg->trim);
	}
	net_carry(s, &f, path);
	if (sim_chance(s, s->cfg->dup))
		net_carry(s, &f, path);
}

/* When the next packet arrives. */
u64 net_next(const struct sim *s)
{
	return s->n_flights ? s->flight[s->heap[1]].at : U64_MAX;
}
