// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tackloss_kunit.c: who is blamed for a lost transport ACK, who is not, and what ends a run of losses.
 */
#include "tackloss.c"

#include <kunit/test.h>

#define US	1000ULL
#define T0	1000000000ULL
#define RTO_MIN	(4000 * US)
#define WAITED	(1000 * US)	/* by who asks */
#define CROSSED	(WAITED / 2)
#define SLOT	7
#define NEXT	100	/* PSNs before this one were acknowledged */

struct fixture {
	struct smrc_tackloss t;
	struct smrc_rtt r;
};

/* An end that only receives. */
static struct fixture receiver(void)
{
	struct fixture f;

	smrc_tackloss_init(&f.t);
	smrc_rtt_init(&f.r, RTO_MIN, 1000 * RTO_MIN);
	return f;
}

static u16 send(struct fixture *f, u16 slot, u32 msn, u64 now)
{
	struct smrc_tackloss next = { .sent_ns = now, .msn = msn, .next_psn = NEXT, .slot = slot, .open = true };

	return smrc_tackloss_sent(&f->t, &next, &f->r);
}

static bool asked(struct fixture *f, u32 psn, u64 now)
{
	return smrc_tackloss_asked(&f->t, psn, WAITED, &f->r, now);
}

/* None was sent: there is none to blame. */
static void tackloss_asked__none_sent(struct kunit *test)
{
	struct fixture f = receiver();

	KUNIT_EXPECT_FALSE(test, asked(&f, 0xffffff, T0));
}

/* Asked before it is old enough: it may still be on its way, and can be blamed later. */
static void tackloss_asked__crossed(struct kunit *test)
{
	struct fixture f = receiver();

	send(&f, SLOT, 1, T0);
	KUNIT_EXPECT_FALSE(test, asked(&f, NEXT - 1, T0));
	KUNIT_EXPECT_FALSE(test, asked(&f, NEXT - 1, T0 + CROSSED - 1));
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 1, T0 + CROSSED));
	KUNIT_EXPECT_EQ(test, f.t.slot, SLOT);
}

/* An end that has samples knows how long round trips are. */
static void tackloss_asked__long_round_trip(struct kunit *test)
{
	struct fixture f = receiver();

	smrc_rtt_sample(&f.r, 2 * RTO_MIN, 1);
	send(&f, SLOT, 1, T0);
	KUNIT_EXPECT_FALSE(test, asked(&f, NEXT - 1, T0 + 2 * RTO_MIN - 1));
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 1, T0 + 2 * RTO_MIN));
}

/* Of what came later, or did not come, it told nothing: nobody is to blame. */
static void tackloss_asked__not_told(struct kunit *test)
{
	struct fixture f = receiver();

	send(&f, SLOT, 1, T0);
	KUNIT_EXPECT_FALSE(test, asked(&f, NEXT, T0 + RTO_MIN));
	KUNIT_EXPECT_FALSE(test, asked(&f, NEXT + 50, T0 + RTO_MIN));
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 50, T0 + RTO_MIN));
}

/* Asked twice for the same one: blamed once. The next is another matter. */
static void tackloss_asked__twice(struct kunit *test)
{
	struct fixture f = receiver();

	send(&f, SLOT, 1, T0);
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 1, T0 + CROSSED));
	KUNIT_EXPECT_FALSE(test, asked(&f, NEXT - 1, T0 + 2 * CROSSED));
	send(&f, SLOT + 1, 1, T0 + 2 * CROSSED);
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 1, T0 + 3 * CROSSED));
	KUNIT_EXPECT_EQ(test, f.t.slot, SLOT + 1);
}

/* Only the latest: of the one before it nothing is known. */
static void tackloss_asked__latest(struct kunit *test)
{
	struct fixture f = receiver();

	send(&f, SLOT, 1, T0);
	send(&f, SLOT + 1, 2, T0 + CROSSED);
	KUNIT_EXPECT_FALSE(test, asked(&f, NEXT - 1, T0 + CROSSED + 1));
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 1, T0 + 2 * CROSSED));
	KUNIT_EXPECT_EQ(test, f.t.slot, SLOT + 1);
}

/* A QP that does not spray has no slot; the loss is a loss all the same. */
static void tackloss_asked__no_slot(struct kunit *test)
{
	struct fixture f = receiver();

	send(&f, SMRC_EV_NO_SLOT, 1, T0);
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 1, T0 + CROSSED));
	KUNIT_EXPECT_EQ(test, f.t.slot, SMRC_EV_NO_SLOT);
}

/* One arrived that nobody asked for when there was time to, and that a new message followed. */
static void tackloss_sent__not_missed(struct kunit *test)
{
	struct fixture f = receiver();

	KUNIT_EXPECT_EQ(test, send(&f, SLOT, 1, T0), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, send(&f, SLOT + 1, 2, T0 + RTO_MIN), SLOT);
	KUNIT_EXPECT_EQ(test, send(&f, SLOT + 2, 3, T0 + 2 * RTO_MIN - 1), SMRC_EV_NO_SLOT);
}

/* Sent again, for a duplicate or a question: the requester missed it, or something. */
static void tackloss_sent__again(struct kunit *test)
{
	struct fixture f = receiver();

	send(&f, SLOT, 1, T0);
	KUNIT_EXPECT_EQ(test, send(&f, SLOT + 1, 1, T0 + 9 * RTO_MIN), SMRC_EV_NO_SLOT);
}

/* One that was blamed did not arrive, however much later the next is sent. */
static void tackloss_sent__after_blame(struct kunit *test)
{
	struct fixture f = receiver();

	send(&f, SLOT, 1, T0);
	KUNIT_EXPECT_TRUE(test, asked(&f, NEXT - 1, T0 + CROSSED));
	KUNIT_EXPECT_EQ(test, send(&f, SLOT + 1, 2, T0 + 9 * RTO_MIN), SMRC_EV_NO_SLOT);
}

static struct kunit_case tackloss_cases[] = {
	KUNIT_CASE(tackloss_asked__none_sent),
	KUNIT_CASE(tackloss_asked__crossed),
	KUNIT_CASE(tackloss_asked__long_round_trip),
	KUNIT_CASE(tackloss_asked__not_told),
	KUNIT_CASE(tackloss_asked__twice),
	KUNIT_CASE(tackloss_asked__latest),
	KUNIT_CASE(tackloss_asked__no_slot),
	KUNIT_CASE(tackloss_sent__not_missed),
	KUNIT_CASE(tackloss_sent__again),
	KUNIT_CASE(tackloss_sent__after_blame),
	{}
};

static struct kunit_suite tackloss_suite = {
	.name = "smrc_tackloss",
	.test_cases = tackloss_cases,
};

kunit_test_suite(tackloss_suite);
