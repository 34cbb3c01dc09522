// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * policy_oblivious.c: spraying that does not listen to congestion (UEC 1.0, oblivious spraying): "counter" lets the
 * values take turns, "random" draws one for each packet. Only values assumed bad are left out. They are what the other
 * policies are measured against.
 */
#include "policy.h"

static u16 counter_pick(struct smrc_entropy *e, u16 avoid)
{
	u16 slot = smrc_ev_seek(e, e->next, avoid);

	e->next = smrc_ev_after(e, slot);
	return slot;
}

static u16 random_pick(struct smrc_entropy *e, u16 avoid)
{
	return smrc_ev_random(e, avoid);
}

const struct smrc_policy smrc_policy_counter = {
	.pick = counter_pick,
};

const struct smrc_policy smrc_policy_random = {
	.pick = random_pick,
};
