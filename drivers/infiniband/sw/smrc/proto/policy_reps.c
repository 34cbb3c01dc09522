// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * policy_reps.c: recycled entropies (seed 2, REPS; arXiv 2407.21625).
 *
 * A value that just brought a packet through without congestion is worth using again. Such values go into a ring of
 * SMRC_REPS_RING; a packet takes the oldest that was not used again yet, and a random one of the set when there is
 * none. So load moves away from congested paths as fast as acknowledgments come, with a few bytes of state.
 *
 *	explore		the first packets, one for each value of the set: random
 *	recycle		the ring, else random
 *	frozen		a path failed: nothing is tried that is not known to have worked; entries of the ring are used
 *			again and again. Ends with the first acknowledgment after freeze_ns, with a short exploration
 *
 * Differs from the paper: values are those of the active set, and those assumed bad are not used even when they are in
 * the ring. A timeout, and a loss that makes its value bad, are the failures that freeze.
 */
#include "policy.h"

#define REPS_EXPLORE_AGAIN	16	/* random packets after a freeze (the reference simulator's figure) */

static void reps_start(struct smrc_entropy *e)
{
	e->reps.explore = e->n;
}

/* The oldest entry not used again yet; there is one. */
static u16 reps_recycle(struct smrc_reps *r)
{
	u8 i = (r->head - r->n_valid) & (SMRC_REPS_RING - 1);

	r->n_valid--;
	return r->slot[i];
}

/* While frozen: the entries in turn, whether used again or not. */
static u16 reps_again(struct smrc_reps *r)
{
	u8 i = (r->head - r->n_filled + r->turn) & (SMRC_REPS_RING - 1);

	r->turn = r->turn + 1 < r->n_filled ? r->turn + 1 : 0;
	return r->slot[i];
}

/* An entry that is still usable, else SMRC_EV_NO_SLOT. */
static u16 reps_from_ring(struct smrc_entropy *e, u16 avoid)
{
	struct smrc_reps *r = &e->reps;
	u16 slot;
	u8 i;

	while (r->n_valid) {
		slot = reps_recycle(r);
		if (smrc_ev_usable(e, slot, avoid))
			return slot;
	}
	for (i = 0; r->frozen && i < r->n_filled; i++) {
		slot = reps_again(r);
		if (smrc_ev_usable(e, slot, avoid))
			return slot;
	}
	return SMRC_EV_NO_SLOT;
}

static u16 reps_pick(struct smrc_entropy *e, u16 avoid)
{
	u16 slot = SMRC_EV_NO_SLOT;

	if (e->reps.explore)
		e->reps.explore--;
	else
		slot = reps_from_ring(e, avoid);
	return slot == SMRC_EV_NO_SLOT ? smrc_ev_random(e, avoid) : slot;
}

static void reps_thaw(struct smrc_reps *r, u64 now_ns)
{
	if (r->frozen && now_ns >= r->thaw_ns) {
		r->frozen = false;
		r->explore = REPS_EXPLORE_AGAIN;
	}
}

static void reps_keep(struct smrc_reps *r, u16 slot)
{
	r->slot[r->head] = slot;
	r->head = (r->head + 1) & (SMRC_REPS_RING - 1);
	if (r->n_valid < SMRC_REPS_RING)
		r->n_valid++;
	if (r->n_filled < SMRC_REPS_RING)
		r->n_filled++;
}

/* What fails while everything is still being tried says nothing about the ring. */
static void reps_freeze(struct smrc_entropy *e, u64 now_ns)
{
	struct smrc_reps *r = &e->reps;

	if (r->frozen || r->explore)
		return;
	r->frozen = true;
	r->turn = 0;
	r->thaw_ns = now_ns + e->freeze_ns;
}

static bool reps_learn(struct smrc_entropy *e, u16 slot, enum smrc_ev_signal sig, u64 now_ns)
{
	switch (sig) {
	case SMRC_EV_SIG_ACK:
		reps_thaw(&e->reps, now_ns);
		reps_keep(&e->reps, slot);
		break;
	case SMRC_EV_SIG_ECN:	/* where all paths are congested no other acknowledgment may come */
		reps_thaw(&e->reps, now_ns);
		break;
	case SMRC_EV_SIG_LOSS:
		if (e->ev[slot].state != SMRC_EV_ASSUMED_BAD)
			break;
		fallthrough;
	case SMRC_EV_SIG_TIMEOUT:
		reps_freeze(e, now_ns);
		break;
	default:
		break;
	}
	return false;
}

const struct smrc_policy smrc_policy_reps = {
	.start = reps_start,
	.pick = reps_pick,
	.learn = reps_learn,
};
