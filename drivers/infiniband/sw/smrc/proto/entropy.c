// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * entropy.c: the entropy values of one peer (seed 1, "The active set" and "Path feedback and probes"). Which of them a
 * packet takes is the policy's: policy_*.c.
 *
 * A value has one state, so a value assumed bad carries no mark: while all are bad the rotation is a plain one.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "policy.h"

static const struct smrc_policy *const ev_policies[SMRC_SPRAY_TYPES] = {
	[SMRC_SPRAY_NONE]	= &smrc_policy_counter,	/* only the endpoint exchange takes values */
	[SMRC_SPRAY_DEFAULT]	= &smrc_policy_default,
	[SMRC_SPRAY_REPS]	= &smrc_policy_reps,
	[SMRC_SPRAY_COUNTER]	= &smrc_policy_counter,
	[SMRC_SPRAY_RANDOM]	= &smrc_policy_random,
};

static u32 ev_range(const struct smrc_entropy_cfg *cfg)
{
	return 1U << min_t(u32, cfg->mask_bits, SMRC_EV_BITS_MAX);
}

/**
 * smrc_entropy_size() - how many values the active set of a peer has
 * @cfg: how to draw the set
 *
 * Seed 1, "The active set": 0 asks for one bandwidth-delay product of full packets, at most SMRC_EV_BDP_CAP; any other
 * figure is taken without that cap. Neither goes beyond the range. Mb/s times us is bits, hence the 8.
 *
 * Return: 1 .. 2^mask_bits.
 */
u32 smrc_entropy_size(const struct smrc_entropy_cfg *cfg)
{
	u64 bdp = div_u64((u64)cfg->link_rate_mbps * cfg->base_rtt_us, 8);
	u64 full = (u64)cfg->mss + SMRC_EV_HDR_LEN;
	u64 n = cfg->active_size;

	if (!n)
		n = min_t(u64, div64_u64(bdp, full), SMRC_EV_BDP_CAP);
	return clamp_t(u64, n, 1, ev_range(cfg));
}

/* One step of a Weyl sequence, its bits mixed by two multiplications: uniform enough to deal a deck of 256. */
static u32 ev_random(u64 *state)
{
	u64 x;

	*state += 0x9e3779b97f4a7c15ULL;
	x = *state;
	x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
	x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93ULL;
	return x >> 32;
}

/* A number in 0 .. n - 1. */
static u32 ev_random_below(u64 *state, u32 n)
{
	return ((u64)ev_random(state) * n) >> 32;
}

/**
 * smrc_entropy_init() - draw a set: a random subset of the range in random order, from a random start
 * @e: the set to fill in
 * @cfg: how to draw it; limits are those of settings.h
 * @seed: the only source of randomness; the same seed draws the same set
 *
 * All values start usable and unmarked (seed 1, "Spraying and QP groups"). The caller owns @e.
 */
void smrc_entropy_init(struct smrc_entropy *e, const struct smrc_entropy_cfg *cfg, u64 seed)
{
	u32 range = ev_range(cfg);
	u32 i, other;

	memset(e, 0, sizeof(*e));
	e->port_offset = cfg->port_offset;
	e->loss_quorum = max_t(u8, cfg->loss_quorum, 1);
	e->n = smrc_entropy_size(cfg);
	e->type = cfg->type < SMRC_SPRAY_TYPES ? cfg->type : SMRC_SPRAY_DEFAULT;
	e->freeze_ns = cfg->freeze_ns;

	/* slot_of is the deck while the set is dealt: the first n cards of a shuffle that stops there. */
	for (i = 0; i < range; i++)
		e->slot_of[i] = i;
	for (i = 0; i < e->n; i++) {
		other = i + ev_random_below(&seed, range - i);
		swap(e->slot_of[i], e->slot_of[other]);
		e->ev[i].port = cfg->port_offset + e->slot_of[i];
	}

	for (i = 0; i < SMRC_EV_MAX; i++)
		e->slot_of[i] = SMRC_EV_NO_SLOT;
	for (i = 0; i < e->n; i++)
		e->slot_of[(u16)(e->ev[i].port - e->port_offset)] = i;
	e->next = ev_random_below(&seed, e->n);
	e->rnd = seed;
	if (ev_policies[e->type]->start)
		ev_policies[e->type]->start(e);
}

/**
 * smrc_ev_usable() - may this packet take a value?
 * @e: the set
 * @slot: a slot
 * @avoid: slot that it must not take, or SMRC_EV_NO_SLOT
 *
 * Return: true unless it is the one to avoid, or is assumed bad while others are not: when every value is bad, every
 * value is used.
 */
bool smrc_ev_usable(const struct smrc_entropy *e, u16 slot, u16 avoid)
{
	if (slot == avoid)
		return false;
	return e->ev[slot].state != SMRC_EV_ASSUMED_BAD || e->n_bad == e->n;
}

/**
 * smrc_ev_seek() - first usable slot of the rotation at or behind another
 * @e: the set
 * @slot: a slot
 * @avoid: as in smrc_ev_usable(); the caller made sure that there is another
 *
 * Return: the slot.
 */
u16 smrc_ev_seek(const struct smrc_entropy *e, u16 slot, u16 avoid)
{
	u16 i;

	for (i = 1; i < e->n && !smrc_ev_usable(e, slot, avoid); i++)
		slot = smrc_ev_after(e, slot);
	return slot;
}

/**
 * smrc_ev_random() - a random usable slot
 * @e: the set; the caller serialises
 * @avoid: as in smrc_ev_usable(); the caller made sure that there is another
 *
 * Return: the slot; all that are usable are equally likely.
 */
u16 smrc_ev_random(struct smrc_entropy *e, u16 avoid)
{
	u16 tries, slot;

	/* Drawing again keeps it uniform; when nearly all are bad, few draws would do, and the next usable one must. */
	for (tries = 0; tries < 4; tries++) {
		slot = ev_random_below(&e->rnd, e->n);
		if (smrc_ev_usable(e, slot, avoid))
			return slot;
	}
	return smrc_ev_seek(e, slot, avoid);
}

static u16 ev_take(struct smrc_entropy *e, u16 avoid)
{
	u16 slot = ev_policies[e->type]->pick(e, avoid);

	e->ev[slot].sent++;
	return slot;
}

/**
 * smrc_entropy_pick() - the value that the next packet takes
 * @e: the set; the caller serialises
 *
 * Values assumed bad are left out, unless every value is bad: then all are used. Among the rest the policy chooses.
 *
 * Return: a slot, 0 .. n - 1, counted as sent.
 */
u16 smrc_entropy_pick(struct smrc_entropy *e)
{
	return ev_take(e, SMRC_EV_NO_SLOT);
}

/**
 * smrc_entropy_pick_other() - the value that a retransmission takes
 * @e: the set; the caller serialises
 * @avoid: slot that the packet was last sent on; any number, one that is no slot avoids nothing
 *
 * As smrc_entropy_pick() with @avoid left out for this one packet (its mark stays), while there is another value to
 * use; else @avoid is used again.
 *
 * Return: a slot, 0 .. n - 1, counted as sent.
 */
u16 smrc_entropy_pick_other(struct smrc_entropy *e, u16 avoid)
{
	u16 usable = e->n_bad < e->n ? e->n - e->n_bad : e->n;

	if (avoid >= e->n || (usable == 1 && smrc_ev_usable(e, avoid, SMRC_EV_NO_SLOT)))
		avoid = SMRC_EV_NO_SLOT;
	return ev_take(e, avoid);
}

/**
 * smrc_entropy_question() - the value that a question takes (pto.c)
 * @e: the set; the caller serialises
 *
 * Return: a slot as from smrc_entropy_pick(), but counted as probed.
 */
u16 smrc_entropy_question(struct smrc_entropy *e)
{
	u16 slot = ev_policies[e->type]->pick(e, SMRC_EV_NO_SLOT);

	e->ev[slot].probes++;
	return slot;
}

/**
 * smrc_entropy_slot() - find a value that came from the network
 * @e: the set
 * @value: any number
 *
 * Return: its slot, or SMRC_EV_NO_SLOT when it is not of the active set.
 */
u16 smrc_entropy_slot(const struct smrc_entropy *e, u32 value)
{
	u32 i = value - e->port_offset;

	return i < SMRC_EV_MAX ? e->slot_of[i] : SMRC_EV_NO_SLOT;
}

/**
 * smrc_ev_set_state() - a value changes its state
 * @e: the set; the caller serialises
 * @slot: its slot
 * @state: its state from now on
 * @now_ns: current time, ns
 *
 * Return: true when it was another.
 */
bool smrc_ev_set_state(struct smrc_entropy *e, u16 slot, enum smrc_ev_state state, u64 now_ns)
{
	struct smrc_ev *ev = &e->ev[slot];

	if (ev->state == state)
		return false;
	if (state == SMRC_EV_ASSUMED_BAD)
		e->n_bad++;
	else if (ev->state == SMRC_EV_ASSUMED_BAD)
		e->n_bad--;
	ev->state = state;
	ev->changed_ns = now_ns;
	return true;
}

static void ev_acked(struct smrc_ev *ev)
{
	ev->acked++;
	ev->losses = 0;
}

static bool ev_lost(const struct smrc_entropy *e, struct smrc_ev *ev)
{
	ev->lost++;
	if (ev->losses < U8_MAX)
		ev->losses++;
	return ev->losses >= e->loss_quorum;
}

/* What holds for every policy: whether the value is alive. */
static bool ev_judge(struct smrc_entropy *e, u16 slot, enum smrc_ev_signal sig, u64 now_ns)
{
	struct smrc_ev *ev = &e->ev[slot];

	switch (sig) {
	case SMRC_EV_SIG_ACK:
	case SMRC_EV_SIG_ECN:
		ev_acked(ev);
		return false;
	case SMRC_EV_SIG_ALWAYS_SKIP:
		ev_acked(ev);
		return smrc_ev_set_state(e, slot, SMRC_EV_ASSUMED_BAD, now_ns);
	case SMRC_EV_SIG_TIMEOUT:
		ev_lost(e, ev);
		return smrc_ev_set_state(e, slot, SMRC_EV_ASSUMED_BAD, now_ns);
	case SMRC_EV_SIG_LOSS:
		return ev_lost(e, ev) && smrc_ev_set_state(e, slot, SMRC_EV_ASSUMED_BAD, now_ns);
	case SMRC_EV_SIG_ABSOLVED:
	case SMRC_EV_SIG_PROBE_OK:
		ev->losses = 0;
		return ev->state == SMRC_EV_ASSUMED_BAD && smrc_ev_set_state(e, slot, SMRC_EV_GOOD, now_ns);
	default:
		return false;
	}
}

/**
 * smrc_entropy_feedback() - tell the set what was learnt of a value
 * @e: the set; the caller serialises
 * @slot: slot of the value; any number, one that is no slot is ignored
 * @sig: what was learnt; one signal for each SACK, chosen by its mark
 * @now_ns: current time, ns
 *
 * Seed 1, "Path feedback and probes", with the states of OCP MRC 1.0 9.3.1. An acknowledgment does not take a value out
 * of ASSUMED_BAD, since it may be for a packet that passed before the path failed; the answer to a probe does, and so
 * does the late arrival of a packet for which the value was blamed. Answers to probes are not counted as acked, since
 * probes are not counted as sent.
 *
 * Return: true when the state of the value changed.
 */
bool smrc_entropy_feedback(struct smrc_entropy *e, u16 slot, enum smrc_ev_signal sig, u64 now_ns)
{
	const struct smrc_policy *policy = ev_policies[e->type];
	bool changed;

	if (slot >= e->n)
		return false;
	changed = ev_judge(e, slot, sig, now_ns);
	if (policy->learn && policy->learn(e, slot, sig, now_ns))
		changed = true;
	return changed;
}

/**
 * smrc_entropy_probed() - a probe is sent on a value
 * @e: the set; the caller serialises
 * @slot: slot of the value; any number, one that is no slot is ignored
 */
void smrc_entropy_probed(struct smrc_entropy *e, u16 slot)
{
	if (slot < e->n)
		e->ev[slot].probes++;
}

/**
 * smrc_entropy_rtt() - a packet or a probe on a value tells a round trip
 * @e: the set; the caller serialises
 * @slot: slot of the value; any number, one that is no slot is ignored
 * @rtt_ns: the round trip, ns
 */
void smrc_entropy_rtt(struct smrc_entropy *e, u16 slot, u64 rtt_ns)
{
	if (slot < e->n)
		e->ev[slot].rtt_ns = min_t(u64, rtt_ns, U32_MAX);
}
