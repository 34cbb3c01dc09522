// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * policy_reps_kunit.c: recycled entropies, against the algorithm of arXiv 2407.21625 worked by hand.
 */
#include "policy_reps.c"

#include "testev.h"

#define FREEZE	1000	/* of set_of(), ns */

static struct smrc_entropy *explored(struct kunit *test, u32 n)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_REPS, n);

	e->reps.explore = 0;
	return e;
}

static void ack(struct smrc_entropy *e, u16 slot, u64 now)
{
	smrc_entropy_feedback(e, slot, SMRC_EV_SIG_ACK, now);
}

static void reps_start__explores_once_each(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_REPS, 40);
	u32 i;

	for (i = 0; i < 40; i++) {
		ack(e, 5, 1);
		smrc_entropy_pick(e);
	}
	KUNIT_EXPECT_LT(test, e->ev[5].sent, 8);
	for (i = 0; i < SMRC_REPS_RING; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 5);
}

/* Oldest first, each once. */
static void reps_pick__recycles(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 100);

	ack(e, 7, 1);
	ack(e, 3, 1);
	ack(e, 7, 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 7);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 3);
	ack(e, 9, 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 7);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 9);
	KUNIT_EXPECT_EQ(test, e->reps.n_valid, 0);
}

static void reps_pick__ring_overflows(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 100);
	u32 i;

	for (i = 0; i < 11; i++)
		ack(e, 20 + i, 1);
	for (i = 3; i < 11; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 20 + i);
	KUNIT_EXPECT_EQ(test, e->reps.n_valid, 0);
}

/* Nothing to recycle: a draw over the whole set. */
static void reps_pick__empty_is_random(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 64);
	u32 i, used = 0;

	for (i = 0; i < 640; i++)
		smrc_entropy_pick(e);
	for (i = 0; i < 64; i++)
		used += e->ev[i].sent > 0;
	KUNIT_EXPECT_GT(test, used, 60);
}

static void reps_learn__congested_is_not_kept(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 100);

	smrc_entropy_feedback(e, 4, SMRC_EV_SIG_ECN, 1);
	smrc_entropy_feedback(e, 4, SMRC_EV_SIG_TRIMMED, 1);
	KUNIT_EXPECT_EQ(test, e->reps.n_valid, 0);
	KUNIT_EXPECT_EQ(test, e->ev[4].state, SMRC_EV_GOOD);
}

static void reps_pick__unusable_is_dropped(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 100);

	ack(e, 4, 1);
	ack(e, 5, 1);
	ack(e, 6, 1);
	spoil(e, 4, 4);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 5), 6);
	KUNIT_EXPECT_EQ(test, e->reps.n_valid, 0);
}

/* Frozen: what is valid first, then the whole ring again and again, oldest first. */
static void reps_learn__freezes(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 100);
	u32 i;

	for (i = 0; i < 4; i++)
		ack(e, 10 + i, 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 10);
	smrc_entropy_feedback(e, 50, SMRC_EV_SIG_TIMEOUT, 100);
	for (i = 1; i < 4; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 10 + i);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 10 + i % 4);
}

static void reps_learn__thaws_with_an_ack(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 100);
	u32 i;

	ack(e, 10, 1);
	smrc_entropy_feedback(e, 50, SMRC_EV_SIG_TIMEOUT, 100);
	ack(e, 11, 100 + FREEZE - 1);
	KUNIT_EXPECT_TRUE(test, e->reps.frozen);
	/* A second failure does not prolong it. */
	smrc_entropy_feedback(e, 51, SMRC_EV_SIG_TIMEOUT, 100 + FREEZE - 1);
	ack(e, 12, 100 + FREEZE);
	KUNIT_EXPECT_FALSE(test, e->reps.frozen);
	KUNIT_EXPECT_EQ(test, e->reps.explore, REPS_EXPLORE_AGAIN);
	for (i = 0; i < REPS_EXPLORE_AGAIN; i++)
		smrc_entropy_pick(e);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 10);
}

/* Where every path is congested no clean acknowledgment comes: a marked one ends the freeze too, and is not kept. */
static void reps_learn__thaws_with_a_mark(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 100);

	ack(e, 10, 1);
	smrc_entropy_feedback(e, 50, SMRC_EV_SIG_TIMEOUT, 100);
	smrc_entropy_feedback(e, 11, SMRC_EV_SIG_ECN, 100 + FREEZE - 1);
	KUNIT_EXPECT_TRUE(test, e->reps.frozen);
	smrc_entropy_feedback(e, 11, SMRC_EV_SIG_ECN, 100 + FREEZE);
	KUNIT_EXPECT_FALSE(test, e->reps.frozen);
	KUNIT_EXPECT_EQ(test, e->reps.explore, REPS_EXPLORE_AGAIN);
	KUNIT_EXPECT_EQ(test, e->reps.n_valid, 1);
}

static void reps_learn__not_while_exploring(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_REPS, 10);

	smrc_entropy_feedback(e, 3, SMRC_EV_SIG_TIMEOUT, 100);
	KUNIT_EXPECT_FALSE(test, e->reps.frozen);
}

/* One loss is congestion; the one that makes its value bad is a failure. */
static void reps_learn__quorum(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 10);

	smrc_entropy_feedback(e, 3, SMRC_EV_SIG_LOSS, 100);
	smrc_entropy_feedback(e, 3, SMRC_EV_SIG_LOSS, 100);
	KUNIT_EXPECT_FALSE(test, e->reps.frozen);
	smrc_entropy_feedback(e, 3, SMRC_EV_SIG_LOSS, 100);
	KUNIT_EXPECT_TRUE(test, e->reps.frozen);
}

/* Frozen with nothing that worked before, or only what is bad by now: random after all. */
static void reps_pick__frozen_without_ring(struct kunit *test)
{
	struct smrc_entropy *e = explored(test, 10);
	u32 i;

	smrc_entropy_feedback(e, 3, SMRC_EV_SIG_TIMEOUT, 100);
	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_NE(test, smrc_entropy_pick(e), 3);
	ack(e, 4, 100);
	smrc_entropy_feedback(e, 4, SMRC_EV_SIG_TIMEOUT, 100);
	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_NE(test, smrc_entropy_pick(e), 4);
}

static struct kunit_case policy_reps_cases[] = {
	KUNIT_CASE(reps_start__explores_once_each),
	KUNIT_CASE(reps_pick__recycles),
	KUNIT_CASE(reps_pick__ring_overflows),
	KUNIT_CASE(reps_pick__empty_is_random),
	KUNIT_CASE(reps_pick__unusable_is_dropped),
	KUNIT_CASE(reps_pick__frozen_without_ring),
	KUNIT_CASE(reps_learn__congested_is_not_kept),
	KUNIT_CASE(reps_learn__freezes),
	KUNIT_CASE(reps_learn__thaws_with_an_ack),
	KUNIT_CASE(reps_learn__thaws_with_a_mark),
	KUNIT_CASE(reps_learn__not_while_exploring),
	KUNIT_CASE(reps_learn__quorum),
	{}
};

static struct kunit_suite policy_reps_suite = {
	.name = "smrc_policy_reps",
	.test_cases = policy_reps_cases,
};

kunit_test_suite(policy_reps_suite);
