// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * discover_kunit.c: requests with back-off until a peer has answered.
 */
#include "discover.c"

#include <kunit/test.h>

#define MS	1000000ULL

static void discover_init__asks_at_once(struct kunit *test)
{
	struct smrc_discover d;

	memset(&d, 0xff, sizeof(d));
	smrc_discover_init(&d, 1000);
	KUNIT_EXPECT_FALSE(test, d.proven);
	KUNIT_EXPECT_FALSE(test, d.answered);
	KUNIT_EXPECT_EQ(test, d.tries, 0);
	KUNIT_EXPECT_EQ(test, d.caps, 0);
	KUNIT_EXPECT_EQ(test, d.mpr, 1);
	KUNIT_EXPECT_FALSE(test, smrc_discover_due(&d, 999));
	KUNIT_EXPECT_TRUE(test, smrc_discover_due(&d, 1000));
}

/* 1, 2, 4 .. 512 ms, then 1 s for ever. */
static void discover_sent__backs_off(struct kunit *test)
{
	struct smrc_discover d;
	u64 now = 7, wait = MS;
	u32 i;

	smrc_discover_init(&d, now);
	for (i = 1; i <= 40; i++) {
		smrc_discover_sent(&d, now);
		KUNIT_EXPECT_EQ(test, d.tries, i);
		KUNIT_EXPECT_EQ(test, d.next_ns, now + wait);
		KUNIT_EXPECT_FALSE(test, smrc_discover_due(&d, now + wait - 1));
		now += wait;
		KUNIT_EXPECT_TRUE(test, smrc_discover_due(&d, now));
		wait = min(2 * wait, 1000 * MS);
	}
	KUNIT_EXPECT_EQ(test, wait, 1000 * MS);
}

static void discover_sent__tries_saturate(struct kunit *test)
{
	struct smrc_discover d;

	smrc_discover_init(&d, 0);
	d.tries = U32_MAX - 1;
	smrc_discover_sent(&d, 5);
	smrc_discover_sent(&d, 5);
	KUNIT_EXPECT_EQ(test, d.tries, U32_MAX);
	KUNIT_EXPECT_EQ(test, d.next_ns, 5 + 1000 * MS);
}

static void discover_sent__after_answer(struct kunit *test)
{
	struct smrc_discover d;

	smrc_discover_init(&d, 0);
	smrc_discover_answer(&d, 1, 8);
	smrc_discover_sent(&d, 5);
	KUNIT_EXPECT_EQ(test, d.next_ns, U64_MAX);
	KUNIT_EXPECT_FALSE(test, smrc_discover_due(&d, U64_MAX));
}

/* A packet proves the peer but does not tell its capabilities: the requests go on. */
static void discover_proof__once(struct kunit *test)
{
	struct smrc_discover d;

	smrc_discover_init(&d, 0);
	KUNIT_EXPECT_TRUE(test, smrc_discover_proof(&d));
	KUNIT_EXPECT_FALSE(test, smrc_discover_proof(&d));
	KUNIT_EXPECT_TRUE(test, d.proven);
	KUNIT_EXPECT_FALSE(test, d.answered);
	KUNIT_EXPECT_TRUE(test, smrc_discover_due(&d, 0));
}

static void discover_answer__told(struct kunit *test)
{
	struct smrc_discover d;

	smrc_discover_init(&d, 0);
	KUNIT_EXPECT_TRUE(test, smrc_discover_answer(&d, 0x534d0001, 8));
	KUNIT_EXPECT_TRUE(test, d.proven);
	KUNIT_EXPECT_TRUE(test, d.answered);
	KUNIT_EXPECT_EQ(test, d.caps, 0x534d0001);
	KUNIT_EXPECT_EQ(test, d.mpr, 8);
	KUNIT_EXPECT_FALSE(test, smrc_discover_due(&d, U64_MAX - 1));
	KUNIT_EXPECT_FALSE(test, smrc_discover_proof(&d));
}

static void discover_answer__news(struct kunit *test)
{
	struct smrc_discover d;

	smrc_discover_init(&d, 0);
	smrc_discover_proof(&d);
	KUNIT_EXPECT_TRUE(test, smrc_discover_answer(&d, 0, 0));
	KUNIT_EXPECT_EQ(test, d.mpr, 1);
	KUNIT_EXPECT_FALSE(test, smrc_discover_answer(&d, 0, 0));
	KUNIT_EXPECT_FALSE(test, smrc_discover_answer(&d, 0, 1));
	KUNIT_EXPECT_TRUE(test, smrc_discover_answer(&d, 0, 2));
	KUNIT_EXPECT_TRUE(test, smrc_discover_answer(&d, 1, 2));
	KUNIT_EXPECT_EQ(test, d.caps, 1);
	KUNIT_EXPECT_EQ(test, d.mpr, 2);
}

static struct kunit_case discover_cases[] = {
	KUNIT_CASE(discover_init__asks_at_once),
	KUNIT_CASE(discover_sent__backs_off),
	KUNIT_CASE(discover_sent__tries_saturate),
	KUNIT_CASE(discover_sent__after_answer),
	KUNIT_CASE(discover_proof__once),
	KUNIT_CASE(discover_answer__told),
	KUNIT_CASE(discover_answer__news),
	{}
};

static struct kunit_suite discover_suite = {
	.name = "smrc_discover",
	.test_cases = discover_cases,
};

kunit_test_suite(discover_suite);
