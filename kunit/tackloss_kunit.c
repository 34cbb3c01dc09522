// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tackloss_kunit.c: who is blamed for a lost transport ACK, who is not, and what ends a run of losses.
 */
#include "tackloss.c"

#include <kunit/test.h>

#define T0	1000000000ULL
#define AGE	250000ULL
#define SLOT	7

/* None was sent: there is none to blame. */
static void tackloss_asked__none_sent(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	KUNIT_EXPECT_FALSE(test, smrc_tackloss_asked(&t, AGE, T0));
}

/* Asked before it is old enough: it may still be on its way, and can be blamed later. */
static void tackloss_asked__crossed(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SLOT, 1, AGE, T0);
	KUNIT_EXPECT_FALSE(test, smrc_tackloss_asked(&t, AGE, T0));
	KUNIT_EXPECT_FALSE(test, smrc_tackloss_asked(&t, AGE, T0 + AGE - 1));
	KUNIT_EXPECT_TRUE(test, smrc_tackloss_asked(&t, AGE, T0 + AGE));
	KUNIT_EXPECT_EQ(test, t.slot, SLOT);
}

/* Asked twice for the same one: blamed once. The next is another matter. */
static void tackloss_asked__twice(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SLOT, 1, AGE, T0);
	KUNIT_EXPECT_TRUE(test, smrc_tackloss_asked(&t, AGE, T0 + AGE));
	KUNIT_EXPECT_FALSE(test, smrc_tackloss_asked(&t, AGE, T0 + 2 * AGE));
	smrc_tackloss_sent(&t, SLOT + 1, 1, AGE, T0 + 2 * AGE);
	KUNIT_EXPECT_TRUE(test, smrc_tackloss_asked(&t, AGE, T0 + 3 * AGE));
	KUNIT_EXPECT_EQ(test, t.slot, SLOT + 1);
}

/* Only the latest: of the one before it nothing is known. */
static void tackloss_asked__latest(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SLOT, 1, AGE, T0);
	smrc_tackloss_sent(&t, SLOT + 1, 2, AGE, T0 + AGE);
	KUNIT_EXPECT_FALSE(test, smrc_tackloss_asked(&t, AGE, T0 + AGE + 1));
	KUNIT_EXPECT_TRUE(test, smrc_tackloss_asked(&t, AGE, T0 + 2 * AGE));
	KUNIT_EXPECT_EQ(test, t.slot, SLOT + 1);
}

/* A QP that does not spray has no slot; the loss is a loss all the same. */
static void tackloss_asked__no_slot(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SMRC_EV_NO_SLOT, 1, AGE, T0);
	KUNIT_EXPECT_TRUE(test, smrc_tackloss_asked(&t, AGE, T0 + AGE));
	KUNIT_EXPECT_EQ(test, t.slot, SMRC_EV_NO_SLOT);
}

/* One that nobody missed for long enough arrived; of one that is followed at once nothing is known. */
static void tackloss_sent__not_missed(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_sent(&t, SLOT, 1, AGE, T0), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_sent(&t, SLOT + 1, 2, AGE, T0 + AGE), SLOT);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_sent(&t, SLOT + 2, 3, AGE, T0 + 2 * AGE - 1), SMRC_EV_NO_SLOT);
}

/* One that was blamed did not arrive, however much later the next is sent. */
static void tackloss_sent__after_blame(struct kunit *test)
{
	struct smrc_tackloss t;

	smrc_tackloss_init(&t);
	smrc_tackloss_sent(&t, SLOT, 1, AGE, T0);
	KUNIT_EXPECT_TRUE(test, smrc_tackloss_asked(&t, AGE, T0 + AGE));
	KUNIT_EXPECT_EQ(test, smrc_tackloss_sent(&t, SLOT + 1, 1, AGE, T0 + 9 * AGE), SMRC_EV_NO_SLOT);
}

struct told_case {
	const char	*name;
	u32		psn;
	u32		msn;
	bool		used;
	bool		told;
};

/* PSNs up to 99 arrived, and six messages with them. */
static const struct told_case told_cases[] = {
	{ "what is asked for arrived", 99, 6, false, true },
	{ "an old PSN", 90, 6, false, true },
	{ "it did not arrive", 100, 6, false, false },
	{ "a message is not told yet", 99, 5, false, false },
	{ "another message began", 99, 6, true, false },
};

KUNIT_ARRAY_PARAM_DESC(told, told_cases, name);

static void tackloss_told__cases(struct kunit *test)
{
	const struct told_case *c = test->param_value;
	struct smrc_tackloss t;
	struct smrc_rxmsg msg[8];
	struct smrc_rxmsgs msgs;
	struct smrc_rxwin win = { .next = 100 };

	smrc_tackloss_init(&t);
	smrc_rxmsgs_init(&msgs, msg, ARRAY_SIZE(msg));
	msgs.next = 6;
	msg[6].used = c->used;
	smrc_tackloss_sent(&t, SLOT, c->msn, AGE, T0);
	KUNIT_EXPECT_EQ(test, smrc_tackloss_told(&t, &win, &msgs, c->psn), c->told);
}

static struct kunit_case tackloss_cases[] = {
	KUNIT_CASE(tackloss_asked__none_sent),
	KUNIT_CASE(tackloss_asked__crossed),
	KUNIT_CASE(tackloss_asked__twice),
	KUNIT_CASE(tackloss_asked__latest),
	KUNIT_CASE(tackloss_asked__no_slot),
	KUNIT_CASE(tackloss_sent__not_missed),
	KUNIT_CASE(tackloss_sent__after_blame),
	KUNIT_CASE_PARAM(tackloss_told__cases, told_gen_params),
	{}
};

static struct kunit_suite tackloss_suite = {
	.name = "smrc_tackloss",
	.test_cases = tackloss_cases,
};

kunit_test_suite(tackloss_suite);
