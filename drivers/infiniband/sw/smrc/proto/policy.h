/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * policy.h: what a spraying policy is: how the next value is chosen, and what feedback teaches.
 *
 * All policies share the active set of entropy.c: how it is drawn, and that values assumed bad are left out until a
 * probe is answered. A policy chooses among the rest. To add one: a file policy_NAME.c with a struct smrc_policy, its
 * state in struct smrc_entropy, a line in the table of entropy.c, its name in settings.[ch], a suite,
 * Documentation/entropy.rst.
 */
#ifndef SMRC_POLICY_H
#define SMRC_POLICY_H

#include "entropy.h"

/**
 * struct smrc_policy - a spraying policy
 * @start: a set was drawn: initial state, which is all zero before; may be NULL
 * @pick: the slot that the next packet takes: one for which smrc_ev_usable(), which there is. May be any when called
 *	with nothing to avoid and all bad: then all are usable
 * @learn: something was learnt of a value, after entropy.c did its part; may be NULL. Returns true when it changed the
 *	state of the value
 */
struct smrc_policy {
	void	(*start)(struct smrc_entropy *e);
	u16	(*pick)(struct smrc_entropy *e, u16 avoid);
	bool	(*learn)(struct smrc_entropy *e, u16 slot, enum smrc_ev_signal sig, u64 now_ns);
};

extern const struct smrc_policy smrc_policy_default;	/* policy_default.c */
extern const struct smrc_policy smrc_policy_counter;	/* policy_oblivious.c */
extern const struct smrc_policy smrc_policy_random;	/* policy_oblivious.c */
extern const struct smrc_policy smrc_policy_reps;	/* policy_reps.c */

/**
 * smrc_ev_after() - the slot that follows in the rotation
 * @e: the set
 * @slot: a slot
 *
 * Return: the slot.
 */
static inline u16 smrc_ev_after(const struct smrc_entropy *e, u16 slot)
{
	return slot + 1 < e->n ? slot + 1 : 0;
}

bool smrc_ev_usable(const struct smrc_entropy *e, u16 slot, u16 avoid);
u16 smrc_ev_seek(const struct smrc_entropy *e, u16 slot, u16 avoid);
u16 smrc_ev_random(struct smrc_entropy *e, u16 avoid);
bool smrc_ev_set_state(struct smrc_entropy *e, u16 slot, enum smrc_ev_state state, u64 now_ns);

#endif /* SMRC_POLICY_H */
