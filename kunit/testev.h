/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * testev.h: sets of entropy values, for the suites of entropy.c and of the policies.
 */
#ifndef SMRC_TESTEV_H
#define SMRC_TESTEV_H

#include <kunit/test.h>

#include "entropy.h"

/* Seed 1, "Worked example: the defaults". */
#define SEED_CFG {	\
	.type = SMRC_SPRAY_DEFAULT,	\
	.mask_bits = 7,	\
	.port_offset = 256,	\
	.link_rate_mbps = 400000,	\
	.base_rtt_us = 6,	\
	.mss = 4096,	\
	.loss_quorum = 1,	\
}

static inline struct smrc_entropy *draw(struct kunit *test, const struct smrc_entropy_cfg *cfg, u64 seed)
{
	struct smrc_entropy *e = kunit_kzalloc(test, sizeof(*e), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, e);
	smrc_entropy_init(e, cfg, seed);
	return e;
}

/* A set of @n values whose rotation stands at slot 0, so that a slot is also the turn it has. */
static inline struct smrc_entropy *set_of(struct kunit *test, enum smrc_spray_type type, u32 n)
{
	const struct smrc_entropy_cfg cfg = {
		.type = type, .mask_bits = 8, .port_offset = 0xc000, .active_size = n, .loss_quorum = 3,
		.freeze_ns = 1000,
	};
	struct smrc_entropy *e = draw(test, &cfg, n);

	KUNIT_ASSERT_EQ(test, e->n, n);
	e->next = 0;
	return e;
}

static inline void mark(struct smrc_entropy *e, u16 first, u16 last)
{
	for (; first <= last; first++)
		smrc_entropy_feedback(e, first, SMRC_EV_SIG_ECN, 1);
}

static inline void spoil(struct smrc_entropy *e, u16 first, u16 last)
{
	for (; first <= last; first++)
		smrc_entropy_feedback(e, first, SMRC_EV_SIG_TIMEOUT, 1);
}

#endif /* SMRC_TESTEV_H */
