// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * probe_kunit.c: turns, periods and answers of probes.
 */
#include "probe.c"

#include <kunit/test.h>

#define PERIOD	150000ULL	/* seed 1, ReliabilityProbePeriod */

struct fixture {
	struct smrc_entropy e;
	struct smrc_probe p;
};

/* A peer with @n values of which @bad spread over the set are bad; entropy.c is tested elsewhere. */
static struct fixture *peer_of(struct kunit *test, u16 n, u16 bad)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u16 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	f->e.n = n;
	f->e.n_bad = bad;
	for (i = 0; i < bad; i++)
		f->e.ev[i * n / bad].state = SMRC_EV_ASSUMED_BAD;
	smrc_probe_init(&f->p, PERIOD);
	return f;
}

static void probe_init__nothing_open(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 0);
	struct smrc_probe_answer a;
	u32 id;

	KUNIT_EXPECT_EQ(test, f->p.period_ns, PERIOD);
	for (id = 0; id <= U16_MAX; id++) {
		smrc_probe_answer(&f->p, id, 1, &a);
		KUNIT_ASSERT_FALSE(test, a.known);
		KUNIT_ASSERT_EQ(test, a.slot, SMRC_EV_NO_SLOT);
	}
}

static void probe_due__nothing_bad(struct kunit *test)
{
	struct fixture *f = peer_of(test, 72, 0);

	f->e.ev[3].state = SMRC_EV_SKIP;
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 0), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, U64_MAX), SMRC_EV_NO_SLOT);
}

/* A set that was never drawn has no values. */
static void probe_due__empty_set(struct kunit *test)
{
	struct fixture *f = peer_of(test, 0, 0);

	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 1), SMRC_EV_NO_SLOT);
}

static void probe_due__one_per_period(struct kunit *test)
{
	struct fixture *f = peer_of(test, 72, 1);
	u64 t = 1000;

	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, t), 0);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, t), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, t + PERIOD - 1), SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, t + PERIOD), 0);
	KUNIT_EXPECT_EQ(test, f->p.next_ns, t + 2 * PERIOD);
}

/* Probing stops when nothing is bad and starts again with the next bad value, without a wait. */
static void probe_due__starts_again(struct kunit *test)
{
	struct fixture *f = peer_of(test, 72, 1);

	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 5), 0);
	f->e.ev[0].state = SMRC_EV_GOOD;
	f->e.n_bad = 0;
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 10 * PERIOD), SMRC_EV_NO_SLOT);
	f->e.ev[9].state = SMRC_EV_ASSUMED_BAD;
	f->e.n_bad = 1;
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 10 * PERIOD + 1), 9);
}

struct turns_case {
	u16 n;
	u16 bad;
};

static const struct turns_case turns_cases[] = {
	{ 1, 1 }, { 2, 1 }, { 2, 2 }, { 72, 1 }, { 72, 2 }, { 72, 3 }, { 72, 71 }, { 72, 72 }, { 256, 7 }, { 256, 256 },
};

static void turns_desc(const struct turns_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u of %u bad", c->bad, c->n);
}

KUNIT_ARRAY_PARAM(turns, turns_cases, turns_desc);

/* Seed 1: with k values assumed bad, each is probed once every k periods. */
static void probe_due__turns(struct kunit *test)
{
	const struct turns_case *c = test->param_value;
	struct fixture *f = peer_of(test, c->n, c->bad);
	u32 *last = kunit_kzalloc(test, SMRC_EV_MAX * sizeof(*last), GFP_KERNEL);
	u32 turn;
	u16 slot;

	KUNIT_ASSERT_NOT_NULL(test, last);
	for (turn = 1; turn <= 4 * c->bad; turn++) {
		slot = smrc_probe_due(&f->p, &f->e, turn * PERIOD);
		KUNIT_ASSERT_LT(test, slot, c->n);
		KUNIT_ASSERT_EQ(test, f->e.ev[slot].state, SMRC_EV_ASSUMED_BAD);
		if (turn > c->bad)
			KUNIT_EXPECT_EQ(test, turn - last[slot], c->bad);
		else
			KUNIT_EXPECT_EQ(test, last[slot], 0);
		last[slot] = turn;
	}
}

/* A value that returns leaves the turns of the others as they were. */
static void probe_due__one_returns(struct kunit *test)
{
	struct fixture *f = peer_of(test, 9, 3);

	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, PERIOD), 3);
	f->e.ev[6].state = SMRC_EV_GOOD;
	f->e.n_bad = 2;
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 2 * PERIOD), 0);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 3 * PERIOD), 3);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 4 * PERIOD), 0);
}

/* A peer that answers nothing is probed more and more slowly; one answer, and the period is the setting again. */
static void probe_due__silence(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	struct smrc_probe_answer a;
	u64 t = 0;
	u32 i;
	u16 id;

	for (i = 0; i < SMRC_PROBE_SILENCE - 1; i++, t = f->p.next_ns)
		KUNIT_ASSERT_EQ(test, smrc_probe_due(&f->p, &f->e, t), 0);
	KUNIT_EXPECT_EQ(test, t, (SMRC_PROBE_SILENCE - 1) * PERIOD);
	smrc_probe_due(&f->p, &f->e, t);
	KUNIT_EXPECT_EQ(test, f->p.next_ns, t + 2 * PERIOD);
	for (i = 0; i < 100 * SMRC_PROBE_SILENCE; i++)
		smrc_probe_due(&f->p, &f->e, f->p.next_ns);
	t = f->p.next_ns;
	smrc_probe_due(&f->p, &f->e, t);
	KUNIT_EXPECT_EQ(test, f->p.next_ns, t + (PERIOD << SMRC_PROBE_SLOWEST));
	id = smrc_probe_sent(&f->p, 0, t);
	smrc_probe_answer(&f->p, id, t + 1, &a);
	t = f->p.next_ns;
	smrc_probe_due(&f->p, &f->e, t);
	KUNIT_EXPECT_EQ(test, f->p.next_ns, t + PERIOD);
}

/* Heard on another path: the dead one is probed every period, however long it stays dead. */
static void probe_heard__other_path(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	u64 t = 0;
	u32 i;

	for (i = 0; i < 10 * SMRC_PROBE_SILENCE; i++, t = f->p.next_ns) {
		KUNIT_ASSERT_EQ(test, t, i * PERIOD);
		KUNIT_ASSERT_EQ(test, smrc_probe_due(&f->p, &f->e, t), 0);
		KUNIT_ASSERT_FALSE(test, smrc_probe_heard(&f->p, t));
	}
}

/* A peer that comes back is probed a period later, not when its silence would have ended. */
static void probe_heard__after_silence(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	u64 t = 0;
	u32 i;

	for (i = 0; i < 10 * SMRC_PROBE_SILENCE; i++, t = f->p.next_ns)
		smrc_probe_due(&f->p, &f->e, t);
	smrc_probe_due(&f->p, &f->e, t);
	KUNIT_ASSERT_GT(test, f->p.next_ns, t + 1 + PERIOD);
	KUNIT_EXPECT_TRUE(test, smrc_probe_heard(&f->p, t + 1));
	KUNIT_EXPECT_EQ(test, f->p.next_ns, t + 1 + PERIOD);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, t + 1 + PERIOD), 0);
	KUNIT_EXPECT_EQ(test, f->p.next_ns, t + 1 + 2 * PERIOD);
}

/*
 * A round trip of 1000 periods, much longer than the probes are remembered: the pace slows down until an answer is
 * known. The probes that fly at each pace slow it down once.
 */
static void probe_answer__slower_than_the_ring(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	static u64 sent_at[4096];
	struct smrc_probe_answer a = {};
	u16 answered = 0, sent = 0;
	u64 t = 0;

	while (!a.known) {
		KUNIT_ASSERT_LT(test, sent, 4000);
		while (answered < sent && sent_at[answered] + 1000 * PERIOD <= t && !a.known)
			smrc_probe_answer(&f->p, answered++, t, &a);
		if (a.known)
			break;
		if (smrc_probe_due(&f->p, &f->e, t) != SMRC_EV_NO_SLOT) {
			sent_at[sent] = t;
			KUNIT_ASSERT_EQ(test, smrc_probe_sent(&f->p, 0, t), sent);
			sent++;
		}
		t += PERIOD;
	}
	KUNIT_EXPECT_EQ(test, a.slot, 0);
	/* 64 probes of 16 periods each are a thousand. */
	KUNIT_EXPECT_EQ(test, f->p.stretch, 4);
	f->e.n_bad = 0;
	smrc_probe_due(&f->p, &f->e, t);
	KUNIT_EXPECT_EQ(test, f->p.stretch, 0);
}

/* Ids that were never sent, or are answered again, change no pace. */
static void probe_answer__strangers_change_no_pace(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	struct smrc_probe_answer a;
	u32 i;

	for (i = 0; i < 100; i++)
		smrc_probe_sent(&f->p, 0, i);
	for (i = 100; i < 65536; i++)
		smrc_probe_answer(&f->p, i, i, &a);
	KUNIT_EXPECT_EQ(test, f->p.stretch, 0);
	smrc_probe_answer(&f->p, 10, 200, &a);
	KUNIT_EXPECT_EQ(test, f->p.stretch, 1);
	smrc_probe_answer(&f->p, 11, 200, &a);
	KUNIT_EXPECT_EQ(test, f->p.stretch, 1);
}

/* Acknowledgments on other paths do not undo the pace that a long round trip needs. */
static void probe_heard__keeps_the_stretch(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);

	f->p.stretch = 3;
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 0), 0);
	KUNIT_EXPECT_EQ(test, f->p.next_ns, 8 * PERIOD);
	KUNIT_EXPECT_FALSE(test, smrc_probe_heard(&f->p, 0));
	KUNIT_EXPECT_EQ(test, f->p.next_ns, 8 * PERIOD);
}

static void probe_sent__ids(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	u32 i;

	for (i = 0; i < 70000; i++)
		KUNIT_ASSERT_EQ(test, smrc_probe_sent(&f->p, 1, i), i % SMRC_PROBE_QUESTION);
}

static void probe_sent__schedule_stays(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);

	smrc_probe_sent(&f->p, 2, 77);
	KUNIT_EXPECT_EQ(test, f->p.next_ns, 0);
	KUNIT_EXPECT_EQ(test, smrc_probe_due(&f->p, &f->e, 78), 0);
}

static void probe_answer__rtt(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	struct smrc_probe_answer a;
	u16 id = smrc_probe_sent(&f->p, 3, 1000);

	smrc_probe_answer(&f->p, id, 1234, &a);
	KUNIT_EXPECT_TRUE(test, a.known);
	KUNIT_EXPECT_EQ(test, a.slot, 3);
	KUNIT_EXPECT_EQ(test, a.rtt_ns, 234);
}

static void probe_answer__clock_stands(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	struct smrc_probe_answer a;
	u16 id = smrc_probe_sent(&f->p, 3, 1000);

	smrc_probe_answer(&f->p, id, 999, &a);
	KUNIT_EXPECT_TRUE(test, a.known);
	KUNIT_EXPECT_EQ(test, a.rtt_ns, 0);
}

static void probe_answer__twice(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	struct smrc_probe_answer a;
	u16 id = smrc_probe_sent(&f->p, 3, 1000);

	smrc_probe_answer(&f->p, id, 1100, &a);
	smrc_probe_answer(&f->p, id, 1200, &a);
	KUNIT_EXPECT_FALSE(test, a.known);
	KUNIT_EXPECT_EQ(test, a.slot, SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, a.rtt_ns, 0);
}

static void probe_answer__no_value(struct kunit *test)
{
	struct fixture *f = peer_of(test, 4, 1);
	struct smrc_probe_answer a;
	u16 id = smrc_probe_sent(&f->p, SMRC_EV_NO_SLOT, 1000);

	smrc_probe_answer(&f->p, id, 1010, &a);
	KUNIT_EXPECT_TRUE(test, a.known);
	KUNIT_EXPECT_EQ(test, a.slot, SMRC_EV_NO_SLOT);
	KUNIT_EXPECT_EQ(test, a.rtt_ns, 10);
}

/* The latest SMRC_PROBE_RING probes are remembered, in any order of answers, also where the id wraps. */
static void probe_answer__ring(struct kunit *test)
{
	struct fixture *f = peer_of(test, 256, 1);
	struct smrc_probe_answer a;
	u16 first, id, i;

	f->p.next_id = 32732;
	first = smrc_probe_sent(&f->p, 200, 1);
	for (i = 0; i < SMRC_PROBE_RING; i++)
		smrc_probe_sent(&f->p, i, 1000 + i);
	smrc_probe_answer(&f->p, first, 2000, &a);
	KUNIT_EXPECT_FALSE(test, a.known);
	for (i = SMRC_PROBE_RING; i-- > 0;) {
		id = (first + 1 + i) & ~SMRC_PROBE_QUESTION;
		smrc_probe_answer(&f->p, id, 2000, &a);
		KUNIT_EXPECT_TRUE(test, a.known);
		KUNIT_EXPECT_EQ(test, a.slot, i);
		KUNIT_EXPECT_EQ(test, a.rtt_ns, 1000 - i);
	}
}

static struct kunit_case probe_cases[] = {
	KUNIT_CASE(probe_init__nothing_open),
	KUNIT_CASE(probe_due__nothing_bad),
	KUNIT_CASE(probe_due__empty_set),
	KUNIT_CASE(probe_due__one_per_period),
	KUNIT_CASE(probe_due__starts_again),
	KUNIT_CASE_PARAM(probe_due__turns, turns_gen_params),
	KUNIT_CASE(probe_due__one_returns),
	KUNIT_CASE(probe_due__silence),
	KUNIT_CASE(probe_answer__slower_than_the_ring),
	KUNIT_CASE(probe_answer__strangers_change_no_pace),
	KUNIT_CASE(probe_heard__keeps_the_stretch),
	KUNIT_CASE(probe_heard__other_path),
	KUNIT_CASE(probe_heard__after_silence),
	KUNIT_CASE(probe_sent__ids),
	KUNIT_CASE(probe_sent__schedule_stays),
	KUNIT_CASE(probe_answer__rtt),
	KUNIT_CASE(probe_answer__clock_stands),
	KUNIT_CASE(probe_answer__twice),
	KUNIT_CASE(probe_answer__no_value),
	KUNIT_CASE(probe_answer__ring),
	{}
};

static struct kunit_suite probe_suite = {
	.name = "smrc_probe",
	.test_cases = probe_cases,
};

kunit_test_suite(probe_suite);
