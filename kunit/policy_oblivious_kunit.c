// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * policy_oblivious_kunit.c: turns and draws that do not listen to congestion.
 */
#include "policy_oblivious.c"

#include "testev.h"

static void counter_pick__takes_turns(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_COUNTER, 5);
	u32 i;

	mark(e, 1, 3);
	for (i = 0; i < 12; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), i % 5);
	KUNIT_EXPECT_EQ(test, e->ev[1].state, SMRC_EV_GOOD);
}

static void counter_pick__bad_is_out(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_COUNTER, 5);

	spoil(e, 0, 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 2);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 3), 4);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 2);
}

/* 6400 draws of 64: 100 each, deviation 10; six of them either way. */
static void random_pick__uniform(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_RANDOM, 64);
	u32 i;

	mark(e, 0, 31);
	for (i = 0; i < 6400; i++)
		KUNIT_ASSERT_LT(test, smrc_entropy_pick(e), 64);
	for (i = 0; i < 64; i++) {
		KUNIT_EXPECT_GT(test, e->ev[i].sent, 40);
		KUNIT_EXPECT_LT(test, e->ev[i].sent, 160);
	}
}

/* With few usable values the draw ends in a search; each is still taken, and no other. */
static void random_pick__bad_is_out(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_RANDOM, 64);
	u32 i;

	spoil(e, 2, 63);
	for (i = 0; i < 200; i++)
		KUNIT_ASSERT_LT(test, smrc_entropy_pick(e), 2);
	KUNIT_EXPECT_GT(test, e->ev[0].sent, 0);
	KUNIT_EXPECT_GT(test, e->ev[1].sent, 0);
	for (i = 0; i < 50; i++)
		KUNIT_ASSERT_EQ(test, smrc_entropy_pick_other(e, 0), 1);
	spoil(e, 0, 1);
	for (i = 0; i < 200; i++)
		KUNIT_ASSERT_NE(test, smrc_entropy_pick_other(e, 7), 7);
}

static void random_pick__repeatable(struct kunit *test)
{
	struct smrc_entropy *a = set_of(test, SMRC_SPRAY_RANDOM, 100);
	struct smrc_entropy *b = set_of(test, SMRC_SPRAY_RANDOM, 100);
	u32 i, same = 0;

	for (i = 0; i < 100; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(a), smrc_entropy_pick(b));
	b->rnd++;
	for (i = 0; i < 100; i++)
		same += smrc_entropy_pick(a) == smrc_entropy_pick(b);
	KUNIT_EXPECT_LT(test, same, 20);
}

static struct kunit_case policy_oblivious_cases[] = {
	KUNIT_CASE(counter_pick__takes_turns),
	KUNIT_CASE(counter_pick__bad_is_out),
	KUNIT_CASE(random_pick__uniform),
	KUNIT_CASE(random_pick__bad_is_out),
	KUNIT_CASE(random_pick__repeatable),
	{}
};

static struct kunit_suite policy_oblivious_suite = {
	.name = "smrc_policy_oblivious",
	.test_cases = policy_oblivious_cases,
};

kunit_test_suite(policy_oblivious_suite);
