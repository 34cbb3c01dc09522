// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * pto_kunit.c: when a sender asks what arrived, about what, and what it takes for the answer.
 */
#include "pto.c"

#include <kunit/test.h>

#define US		1000ULL
#define T0		1000000000ULL
#define BASE		(20 * US)
#define RTO_MIN		(400 * US)
#define RTO_MAX		(6400 * US)
#define QUIET		(RTO_MIN / 4)
#define SLOT		7

static const struct smrc_pto_wait nothing, flight = { .inflight = true }, untold = { .untold = true },
				  both = { .inflight = true, .untold = true };

struct fixture {
	struct smrc_pto p;
	struct smrc_rtt r;
};

/* Round trips of 20 us that do not vary. */
static struct fixture quiet_sender(void)
{
	struct fixture f;

	smrc_pto_init(&f.p, 5);
	smrc_rtt_init(&f.r, RTO_MIN, RTO_MAX);
	f.r.srtt = BASE;
	return f;
}

static void update(struct fixture *f, struct smrc_pto_wait wait, u64 now)
{
	smrc_pto_update(&f->p, wait, &f->r, BASE, now);
}

struct wait_case {
	const char		*name;
	struct smrc_pto_wait	wait;
	bool			asks;
	bool			asks_again;
};

static const struct wait_case wait_cases[] = {
	{ "nothing", { false, false }, false, false },
	{ "packets in flight: the RTO comes next", { true, false }, true, false },
	{ "a transport ACK: nothing else would bring it", { false, true }, true, true },
	{ "both", { true, true }, true, true },
};

KUNIT_ARRAY_PARAM_DESC(wait, wait_cases, name);

static void pto_update__waits(struct kunit *test)
{
	const struct wait_case *c = test->param_value;
	struct fixture f = quiet_sender();

	update(&f, c->wait, T0);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), c->asks ? T0 + QUIET : U64_MAX);
	if (!c->asks)
		return;
	smrc_pto_sent(&f.p, SLOT, T0 + QUIET);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), U64_MAX);
	update(&f, c->wait, T0 + QUIET);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), c->asks_again ? T0 + QUIET + RTO_MIN : U64_MAX);
}

/* The time runs from the first look, until something is sent or acknowledged. */
static void pto_update__runs(struct kunit *test)
{
	struct fixture f = quiet_sender();

	update(&f, flight, T0);
	update(&f, flight, T0 + 5);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), T0 + QUIET);
	smrc_pto_moved(&f.p);
	update(&f, flight, T0 + 9);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), T0 + 9 + QUIET);
	update(&f, nothing, T0 + 10);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), U64_MAX);
}

/* What moves behind a message does not put off the question for its transport ACK; that it is done does. */
static void pto_update__whatever_moves(struct kunit *test)
{
	struct fixture f = quiet_sender();
	u64 now;

	for (now = T0; now < T0 + QUIET; now += QUIET / 10) {
		update(&f, both, now);
		smrc_pto_moved(&f.p);
	}
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), T0 + QUIET);
	smrc_pto_told(&f.p);
	update(&f, both, now);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), now + QUIET);
}

/* Asked for what is in flight while a transport ACK is missed, too, but not for long: that is not slowed down by it. */
static void pto_sent__not_due(struct kunit *test)
{
	struct fixture f = quiet_sender();

	update(&f, flight, T0);
	update(&f, both, T0 + QUIET / 2);
	smrc_pto_sent(&f.p, SLOT, T0 + QUIET);
	update(&f, both, T0 + QUIET);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), T0 + 2 * QUIET);
}

/* Asked in vain: ever more slowly, up to the longest RTO. Then the message is done, and it begins anew. */
static void pto_update__slows_down(struct kunit *test)
{
	struct fixture f = quiet_sender();
	u64 now = T0, wait;
	u32 i;

	update(&f, untold, now);
	for (i = 0; i < 40; i++) {
		now = smrc_pto_at(&f.p);
		smrc_pto_sent(&f.p, SLOT, now);
		update(&f, untold, now);
		wait = i < 5 ? RTO_MIN << i : RTO_MAX;
		KUNIT_ASSERT_EQ(test, smrc_pto_at(&f.p) - now, min(wait, RTO_MAX));
	}
	smrc_pto_told(&f.p);
	update(&f, untold, now);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), now + QUIET);
}

/* The largest settings do not overflow. */
static void pto_update__largest(struct kunit *test)
{
	struct fixture f = quiet_sender();

	smrc_rtt_init(&f.r, 10000000 * US, 60000000 * US);
	f.r.srtt = 1;
	f.r.backoff = 16;
	f.p.untold_asked = PTO_ASKED_MAX;
	update(&f, untold, T0);
	KUNIT_EXPECT_EQ(test, smrc_pto_at(&f.p), T0 + 60000000 * US);
}

/* It asks for what nothing was heard of, or for what arrived when that is not told. */
static void pto_psn__cases(struct kunit *test)
{
	struct smrc_sb sb = { .una = 0 };

	KUNIT_EXPECT_EQ(test, smrc_pto_psn(&sb, flight), 0);
	KUNIT_EXPECT_EQ(test, smrc_pto_psn(&sb, untold), 0xffffff);
	KUNIT_EXPECT_EQ(test, smrc_pto_psn(&sb, both), 0xffffff);
}

static void pto_answer__latest_once(struct kunit *test)
{
	struct fixture f = quiet_sender();
	struct smrc_probe_answer a;
	u16 id = smrc_pto_sent(&f.p, SLOT, T0);

	KUNIT_EXPECT_TRUE(test, id & SMRC_PROBE_QUESTION);
	smrc_pto_answer(&f.p, id + 1, T0 + 5, &a);
	KUNIT_EXPECT_FALSE(test, a.known);
	KUNIT_EXPECT_EQ(test, a.slot, SMRC_EV_NO_SLOT);
	smrc_pto_answer(&f.p, id, T0 + 5, &a);
	KUNIT_EXPECT_TRUE(test, a.known);
	KUNIT_EXPECT_EQ(test, a.slot, SLOT);
	KUNIT_EXPECT_EQ(test, a.rtt_ns, 5);
	smrc_pto_answer(&f.p, id, T0 + 6, &a);
	KUNIT_EXPECT_FALSE(test, a.known);
}

/* A question follows another: the answer to the first names what is forgotten. */
static void pto_answer__forgotten(struct kunit *test)
{
	struct fixture f = quiet_sender();
	struct smrc_probe_answer a;
	u16 first = smrc_pto_sent(&f.p, SLOT, T0);
	u16 second = smrc_pto_sent(&f.p, SMRC_EV_NO_SLOT, T0 + 1);

	KUNIT_EXPECT_NE(test, first, second);
	smrc_pto_answer(&f.p, first, T0 + 5, &a);
	KUNIT_EXPECT_FALSE(test, a.known);
	smrc_pto_answer(&f.p, second, T0 + 5, &a);
	KUNIT_EXPECT_TRUE(test, a.known);
	KUNIT_EXPECT_EQ(test, a.slot, SMRC_EV_NO_SLOT);
}

/* Before the first question there is nothing to answer, whatever the id. */
static void pto_answer__none_sent(struct kunit *test)
{
	struct fixture f = quiet_sender();
	struct smrc_probe_answer a;
	u32 id;

	for (id = 0; id <= U16_MAX; id++) {
		smrc_pto_answer(&f.p, id, T0, &a);
		KUNIT_ASSERT_FALSE(test, a.known);
	}
}

/* The bit that tells a question from other probes stays when the id wraps. */
static void pto_sent__id_wraps(struct kunit *test)
{
	struct fixture f = quiet_sender();

	f.p.id = U16_MAX;
	KUNIT_EXPECT_EQ(test, smrc_pto_sent(&f.p, SLOT, T0), SMRC_PROBE_QUESTION);
}

static struct kunit_case pto_cases[] = {
	KUNIT_CASE_PARAM(pto_update__waits, wait_gen_params),
	KUNIT_CASE(pto_update__runs),
	KUNIT_CASE(pto_update__whatever_moves),
	KUNIT_CASE(pto_sent__not_due),
	KUNIT_CASE(pto_update__slows_down),
	KUNIT_CASE(pto_update__largest),
	KUNIT_CASE(pto_psn__cases),
	KUNIT_CASE(pto_answer__latest_once),
	KUNIT_CASE(pto_answer__forgotten),
	KUNIT_CASE(pto_answer__none_sent),
	KUNIT_CASE(pto_sent__id_wraps),
	{}
};

static struct kunit_suite pto_suite = {
	.name = "smrc_pto",
	.test_cases = pto_cases,
};

kunit_test_suite(pto_suite);
