// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * peer.c: entropy values and probes of a host for another host (the driver's peer.c).
 */
#include <linux/bitops.h>
#include <linux/limits.h>

#include "endpoint.h"

#define US	1000ULL

/**
 * peer_init() - draw a set of entropy values
 * @peer: to fill in; who it is, is the caller's
 * @o: the options
 * @seed: of the set
 */
void peer_init(struct sim_peer *peer, const struct sim_options *o, u64 seed)
{
	const u32 *v = o->set.v;
	struct smrc_entropy_cfg cfg = {
		.type = v[SMRC_SET_SPRAY_TYPE],
		.mask_bits = v[SMRC_SET_MASK_BITS],
		.port_offset = v[SMRC_SET_PORT_OFFSET],
		.active_size = v[SMRC_SET_ACTIVE_SIZE],
		.link_rate_mbps = v[SMRC_SET_LINK_RATE],
		.base_rtt_us = v[SMRC_SET_BASE_RTT],
		.mss = o->mtu,
		.loss_quorum = v[SMRC_SET_LOSS_QUORUM],
		.freeze_ns = v[SMRC_SET_BASE_RTT] * US * SMRC_FREEZE_RTTS,
	};

	smrc_entropy_init(&peer->ent, &cfg, seed);
	smrc_probe_init(&peer->probe, v[SMRC_SET_PROBE_PERIOD] * US);
	peer->base_rtt_ns = v[SMRC_SET_BASE_RTT] * US;
}

/**
 * peer_sprays() - does every packet take a value of its own?
 * @peer: the peer
 *
 * Return: false with packet_spraying_type none.
 */
bool peer_sprays(const struct sim_peer *peer)
{
	return peer->ent.type != SMRC_SPRAY_NONE;
}

/**
 * peer_pick() - the entropy value of the next packet
 * @peer: the peer, one that sprays
 * @avoid: slot not to take while another is usable, or SMRC_EV_NO_SLOT
 * @slot: slot of the value
 *
 * Return: the value.
 */
u16 peer_pick(struct sim_peer *peer, u16 avoid, u16 *slot)
{
	*slot = avoid == SMRC_EV_NO_SLOT ? smrc_entropy_pick(&peer->ent) : smrc_entropy_pick_other(&peer->ent, avoid);
	return peer->ent.ev[*slot].port;
}

static void peer_arm(struct sim *s, struct sim_peer *peer)
{
	if (peer->ent.n_bad && peer->n)
		events_set(&s->ev, peer->source, peer->probe.next_ns > s->now ? peer->probe.next_ns : s->now);
}

/**
 * peer_signal() - feedback on a value
 * @s: the run
 * @peer: the peer
 * @slot: its slot, any number: one that is none is ignored
 * @sig: what was learnt
 */
void peer_signal(struct sim *s, struct sim_peer *peer, u16 slot, enum smrc_ev_signal sig)
{
	if (smrc_entropy_feedback(&peer->ent, slot, sig, s->now))
		peer_arm(s, peer);
}

/**
 * peer_sacked() - a SACK, NACK or transport ACK came
 * @s: the run
 * @peer: the peer, one that sprays
 * @value: entropy value it names, U32_MAX: none
 * @sig: what it says of that value
 * @res: what it acknowledges, NULL when nothing
 */
void peer_sacked(struct sim *s, struct sim_peer *peer, u32 value, enum smrc_ev_signal sig,
		 const struct smrc_ack_result *res)
{
	u16 named = smrc_entropy_slot(&peer->ent, value);
	bool news = smrc_ack_news(res, sig);
	u16 slot;
	u32 i;
	u64 w;

	if (smrc_probe_heard(&peer->probe, s->now))
		peer_arm(s, peer);
	for (i = 0; res && i < SMRC_EV_MAX / 64; i++) {
		for (w = res->alive[i]; w; w &= w - 1) {
			slot = i * 64 + __ffs64(w);
			if (slot != named || !news)
				peer_signal(s, peer, slot, SMRC_EV_SIG_ACK);
		}
	}
	if (news)
		peer_signal(s, peer, named, sig);
	if (res && res->has_rtt && !res->spurious)
		smrc_entropy_rtt(&peer->ent, named, res->rtt_ns);
}

/**
 * peer_answered() - a probe was answered
 * @s: the run
 * @peer: the peer
 * @ans: what the answer says
 */
void peer_answered(struct sim *s, struct sim_peer *peer, const struct smrc_probe_answer *ans)
{
	if (smrc_probe_heard(&peer->probe, s->now))
		peer_arm(s, peer);
	peer->base_rtt_ns = smrc_base_rtt_sample(peer->base_rtt_ns, ans->rtt_ns);
	smrc_entropy_rtt(&peer->ent, ans->slot, ans->rtt_ns);
	peer_signal(s, peer, ans->slot, SMRC_EV_SIG_PROBE_OK);
}

/**
 * peer_probe_answer() - the answer to a probe of the schedule came
 * @s: the run
 * @peer: the peer
 * @id: id of the probe
 *
 * Return: false when no such probe is open.
 */
bool peer_probe_answer(struct sim *s, struct sim_peer *peer, u16 id)
{
	struct smrc_probe_answer ans;

	smrc_probe_answer(&peer->probe, id, s->now, &ans);
	if (ans.known)
		peer_answered(s, peer, &ans);
	return ans.known;
}

/**
 * peer_timer() - probe the value whose turn it is
 * @s: the run
 * @peer: the peer, whose time has come
 */
void peer_timer(struct sim *s, struct sim_peer *peer)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_PROBE, .probe.ts = smrc_ts(s->now) };
	u16 slot = smrc_probe_due(&peer->probe, &peer->ent, s->now);

	events_set(&s->ev, peer->source, U64_MAX);
	if (slot != SMRC_EV_NO_SLOT) {
		pkt.probe.id = smrc_probe_sent(&peer->probe, slot, s->now);
		smrc_entropy_probed(&peer->ent, slot);
		sim_send(s, peer->first + peer->turn++ % peer->n, peer->receives, peer->ent.ev[slot].port, &pkt);
	}
	peer_arm(s, peer);
}
