// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tackloss_kunit.c: who is blamed for a lost transport ACK, and who is not.
 */
#include "tackloss.c"

#include <kunit/test.h>

#define T0	1000000000ULL
#define RTT	250000ULL
#define SLOT	7

/* None was sent: there is none to blame. */
static void tackloss_asked__none_sent(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0), SMRC_EV_NO_SLOT);
}

/* Asked within a round trip: it may still be on its way, and can be blamed later. */
static void tackloss_asked__crossed(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SLOT, T0);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0 + RTT - 1), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0 + RTT), SLOT);
}

/* Asked twice for the same one: blamed once. The next is another matter. */
static void tackloss_asked__twice(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SLOT, T0);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0 + RTT), SLOT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0 + 2 * RTT), SMRC_EV_NO_SLOT);
	smrc_tackloss_sent(&t, SLOT + 1, T0 + 2 * RTT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0 + 3 * RTT), SLOT + 1);
}

/* A later one was sent: the earlier one is not known of. */
static void tackloss_asked__latest(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SLOT, T0);
	smrc_tackloss_sent(&t, SLOT + 1, T0 + RTT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0 + RTT + 1), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_asked(&t, RTT, T0 + 2 * RTT), SLOT + 1);
}

static struct kunit_case tackloss_cases[] = {
	KUNIT_CASE(tackloss_asked__none_sent),
	KUNIT_CASE(tackloss_asked__crossed),
	KUNIT_CASE(tackloss_asked__twice),
	KUNIT_CASE(tackloss_asked__latest),
	{}
};

static struct kunit_suite tackloss_suite = {
	.name = "smrc_tackloss",
	.test_cases = tackloss_cases,
};

kunit_test_suite(tackloss_suite);
