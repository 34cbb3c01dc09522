// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * policy_default.c: the rotation with marks (seed 1, "Which value a packet takes").
 *
 * The values take turns. A value on which congestion was met is marked, and passed over once: its mark is cleared, and
 * the next unmarked among the SMRC_EV_LOOK_AHEAD values that follow it in the rotation is taken, else the cleared one.
 * The rotation goes on behind the value taken. Values assumed bad are not in the rotation and are not counted among
 * those that follow.
 */
#include "policy.h"

/* Pass over @marked: the slot that is taken in its place, which is @marked itself when all that follow are marked. */
static u16 default_pass_over(const struct smrc_entropy *e, u16 marked, u16 avoid)
{
	u16 slot = marked;
	int i;

	for (i = 0; i < SMRC_EV_LOOK_AHEAD; i++) {
		slot = smrc_ev_seek(e, smrc_ev_after(e, slot), avoid);
		if (e->ev[slot].state != SMRC_EV_SKIP)
			return slot;
	}
	return marked;
}

static u16 default_pick(struct smrc_entropy *e, u16 avoid)
{
	u16 slot = smrc_ev_seek(e, e->next, avoid);

	if (e->ev[slot].state == SMRC_EV_SKIP) {
		/* Cleared before the look ahead, so that a short rotation ends at this value again. */
		e->ev[slot].state = SMRC_EV_GOOD;
		slot = default_pass_over(e, slot, avoid);
	}
	e->next = smrc_ev_after(e, slot);
	return slot;
}

static bool default_learn(struct smrc_entropy *e, u16 slot, enum smrc_ev_signal sig, u64 now_ns)
{
	if (sig != SMRC_EV_SIG_ECN && sig != SMRC_EV_SIG_TRIMMED)
		return false;
	return e->ev[slot].state == SMRC_EV_GOOD && smrc_ev_set_state(e, slot, SMRC_EV_SKIP, now_ns);
}

const struct smrc_policy smrc_policy_default = {
	.pick = default_pick,
	.learn = default_learn,
};
