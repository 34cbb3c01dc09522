// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * loss_kunit.c: each rule at its edge, the deadline to the nanosecond, and short walks against full ones.
 */
#include "loss.c"

#include "testlib.h"
#include "testpsn.h"

#define SIZE	256
#define RTT	1000ULL
#define RTO	5000ULL
#define T0	100000ULL
#define LATE	(T0 + RTT + 1)	/* what was sent at T0 is older than one RTT */

static const struct smrc_loss_cfg rules = { .depth = 5, .guard = 3, .rtt_ns = RTT, .rto_ns = RTO };

struct fixture {
	struct smrc_sb sb;
	struct smrc_sb_pkt pkt[SIZE];
};

static u32 first_psn(struct kunit *test, s32 n)
{
	return smrc_psn_add(*(const u32 *)test->param_value, n);
}

/* @n packets sent at T0, T0 + 1 .., each on a slot of its own. */
static struct fixture *sent(struct kunit *test, u32 n)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	smrc_sb_init(&f->sb, f->pkt, SIZE, first_psn(test, 0));
	for (i = 0; i < n; i++)
		smrc_sb_send(&f->sb, 0, 0, i, T0 + i);
	return f;
}

static void arrived_at(struct kunit *test, struct fixture *f, s32 n, u64 now)
{
	const struct smrc_sack s = {
		.cack = smrc_psn_add(f->sb.una, -1),
		.ack_psn = first_psn(test, n), .sack_base = first_psn(test, n), .bitmap = 1,
		.ts = smrc_ts(smrc_sb_pkt(&f->sb, first_psn(test, n))->sent_ns),
	};
	struct smrc_ack_result res;

	smrc_sb_sack(&f->sb, &s, now, &res);
}

static void arrived(struct kunit *test, struct fixture *f, s32 n)
{
	arrived_at(test, f, n, T0);
}

/* One walk: how many are declared lost, the first of them, and the deadline. */
static u32 walk(struct fixture *f, const struct smrc_loss_cfg *cfg, u64 now, struct smrc_loss *first, u64 *deadline)
{
	struct smrc_loss_scan scan;
	struct smrc_loss loss;
	u32 n = 0;

	smrc_loss_begin(&f->sb, &scan);
	while (smrc_loss_next(&f->sb, cfg, now, &scan, &loss)) {
		if (!n++ && first)
			*first = loss;
	}
	if (deadline)
		*deadline = scan.deadline_ns;
	return n;
}

static void loss_begin__at_una(struct kunit *test)
{
	struct fixture *f = sent(test, 3);
	struct smrc_loss_scan scan;

	smrc_loss_begin(&f->sb, &scan);
	KUNIT_EXPECT_EQ(test, scan.psn, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, scan.deadline_ns, U64_MAX);
}

static void loss_next__nothing_in_flight(struct kunit *test)
{
	struct fixture *f = sent(test, 0);
	u64 deadline;

	KUNIT_EXPECT_EQ(test, walk(f, &rules, U64_MAX, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, U64_MAX);
	f = sent(test, 2);
	smrc_sb_lose(&f->sb, first_psn(test, 0));
	arrived(test, f, 1);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, U64_MAX, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, U64_MAX);
}

/* More than depth PSNs below the highest that arrived. */
static void loss_next__gap_depth(struct kunit *test)
{
	struct fixture *f = sent(test, 20);
	struct smrc_loss loss;

	arrived(test, f, 5);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 2 * RTT, NULL, NULL), 0);
	arrived(test, f, 6);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 2 * RTT, &loss, NULL), 1);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, loss.slot, 0);
	KUNIT_EXPECT_EQ(test, loss.reason, SMRC_LOSS_GAP);
	KUNIT_EXPECT_EQ(test, smrc_sb_pkt(&f->sb, loss.psn)->state, SMRC_SB_LOST);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 2 * RTT, NULL, NULL), 0);
	arrived(test, f, 9);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 2 * RTT, &loss, NULL), 3);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 1));
}

/* Its latest transmission is older than one RTT. */
static void loss_next__gap_age(struct kunit *test)
{
	struct fixture *f = sent(test, 20);
	struct smrc_loss loss;
	u64 deadline;

	arrived(test, f, 6);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + RTT, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, T0 + RTT + 1);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, deadline, NULL, &deadline), 1);
	KUNIT_EXPECT_EQ(test, deadline, T0 + 1 + RTO + 1);
	smrc_sb_resend(&f->sb, first_psn(test, 0), 9, T0 + 1500);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 1500 + RTT, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, T0 + 1500 + RTT + 1);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, deadline, &loss, NULL), 1);
	KUNIT_EXPECT_EQ(test, loss.slot, 9);
	KUNIT_EXPECT_EQ(test, loss.reason, SMRC_LOSS_GAP);
}

static void loss_next__depth_limits(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f = sent(test, 200);

	cfg.depth = 1024;
	arrived(test, f, 199);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, T0 + 2 * RTT, NULL, NULL), 0);
	cfg.depth = U32_MAX;
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, T0 + 2 * RTT, NULL, NULL), 0);
	cfg.depth = 198;
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, T0 + 2 * RTT, NULL, NULL), 1);
	cfg.depth = 1;
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, T0 + 2 * RTT, NULL, NULL), 197);
}

/* Packets 0, 2, 4 .. on slot 0, the others on slot 1. */
static struct fixture *two_values(struct kunit *test, u32 n)
{
	struct fixture *f = sent(test, 0);
	u32 i;

	for (i = 0; i < n; i++)
		smrc_sb_send(&f->sb, 0, 0, i % 2, T0);
	return f;
}

/* guard transmissions later on the same value arrived, and it is older than one RTT. */
static void loss_next__same_value(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f;
	struct smrc_loss loss;
	u64 deadline;
	u32 guard;

	cfg.depth = 1024;
	for (guard = 1; guard <= 64; guard *= 2) {
		cfg.guard = guard;
		f = two_values(test, 140);
		arrived(test, f, 2 * guard - 1);
		KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE, NULL, NULL), 0);
		arrived(test, f, 2 * guard);
		KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE - 1, NULL, &deadline), 0);
		KUNIT_EXPECT_EQ(test, deadline, LATE);
		KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE, &loss, NULL), 1);
		KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 0));
		KUNIT_EXPECT_EQ(test, loss.slot, 0);
		KUNIT_EXPECT_EQ(test, loss.reason, SMRC_LOSS_SAME_VALUE);
	}
}

static void loss_next__same_value_off(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f = two_values(test, 140);

	cfg.depth = 1024;
	cfg.guard = 0;
	arrived(test, f, 138);
	arrived(test, f, 139);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, T0 + RTO, NULL, NULL), 0);
}

/* A retransmission is judged by the value and the turn it has now. */
static void loss_next__same_value_again(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f = two_values(test, 6);
	struct smrc_loss loss;

	cfg.guard = 1;
	cfg.depth = 1024;
	arrived(test, f, 2);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE, NULL, NULL), 1);
	smrc_sb_resend(&f->sb, first_psn(test, 0), 1, T0);
	arrived(test, f, 5);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE, &loss, NULL), 2);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 1));
	KUNIT_EXPECT_EQ(test, smrc_sb_pkt(&f->sb, first_psn(test, 0))->state, SMRC_SB_INFLIGHT);
	smrc_sb_send(&f->sb, 0, 0, 1, T0);
	arrived(test, f, 6);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE, &loss, NULL), 1);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, loss.slot, 1);
}

/* Serials of a value wrap at 2^16; packets of no value count among themselves. */
static void loss_next__same_value_wraps(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f = sent(test, 0);
	u32 i;

	cfg.depth = 1024;
	f->sb.ev_sent[SMRC_EV_MAX] = 0xfffd;
	f->sb.ev_acked[SMRC_EV_MAX] = 0xfffd;
	for (i = 0; i < 5; i++)
		smrc_sb_send(&f->sb, 0, 0, SMRC_EV_NO_SLOT, T0);
	arrived(test, f, 3);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE, NULL, NULL), 1);
	arrived(test, f, 4);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, LATE, NULL, NULL), 1);
	KUNIT_EXPECT_EQ(test, smrc_sb_pkt(&f->sb, first_psn(test, 2))->state, SMRC_SB_INFLIGHT);
}

/* What is overdue goes at once while others are heard of. */
static void loss_next__timeout(struct kunit *test)
{
	struct fixture *f = sent(test, 4);
	struct smrc_loss loss;
	u64 deadline;

	arrived_at(test, f, 3, T0 + 10 * RTO);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + RTO, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, T0 + RTO + 1);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, deadline, &loss, &deadline), 1);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, loss.reason, SMRC_LOSS_TIMEOUT);
	KUNIT_EXPECT_EQ(test, deadline, T0 + 1 + RTO + 1);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 10 * RTO, &loss, &deadline), 2);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 1));
	KUNIT_EXPECT_EQ(test, deadline, U64_MAX);
}

/* Nothing heard: one packet, and after another RTO the oldest again. */
static void loss_next__timeout_in_silence(struct kunit *test)
{
	struct fixture *f = sent(test, 3);
	struct smrc_loss_scan scan;
	struct smrc_loss loss;
	u64 deadline;

	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + RTO, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, T0 + RTO + 1);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 2 * RTO, &loss, &deadline), 1);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, loss.reason, SMRC_LOSS_TIMEOUT);
	KUNIT_EXPECT_EQ(test, deadline, T0 + 3 * RTO + 1);
	smrc_sb_resend(&f->sb, first_psn(test, 0), 9, T0 + 2 * RTO);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 3 * RTO, &loss, &deadline), 0);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, deadline, &loss, NULL), 1);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, loss.slot, 9);

	/* The retransmission is heard of: the others are overdue. */
	smrc_sb_resend(&f->sb, first_psn(test, 0), 8, T0 + 3 * RTO + 1);
	arrived_at(test, f, 0, T0 + 3 * RTO + 2);
	smrc_loss_begin(&f->sb, &scan);
	KUNIT_EXPECT_TRUE(test, smrc_loss_next(&f->sb, &rules, T0 + 3 * RTO + 2, &scan, &loss));
	KUNIT_EXPECT_TRUE(test, smrc_loss_next(&f->sb, &rules, T0 + 3 * RTO + 2, &scan, &loss));
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 2));
	KUNIT_EXPECT_FALSE(test, smrc_loss_next(&f->sb, &rules, T0 + 3 * RTO + 2, &scan, &loss));
	KUNIT_EXPECT_FALSE(test, scan.fired);
}

/* Behind what was last heard of there is silence, and only a timeout in it makes the RTO back off. */
static void loss_next__silence_begins(struct kunit *test)
{
	struct smrc_loss_scan scan;
	struct smrc_loss loss;
	struct fixture *f;
	s32 heard;
	u32 n;

	for (heard = 0; heard < 5; heard++) {
		f = sent(test, 5);
		arrived_at(test, f, heard, T0 + 9);
		smrc_loss_begin(&f->sb, &scan);
		for (n = 0; smrc_loss_next(&f->sb, &rules, T0 + 10 + RTO, &scan, &loss); n++)
			;
		KUNIT_EXPECT_EQ(test, n, heard + (heard < 4));
		KUNIT_EXPECT_EQ(test, scan.fired, heard < 4);
	}
}

/* A burst is sent at one time: that a part of it was heard of does not break the silence of the rest. */
static void loss_next__silence_within_burst(struct kunit *test)
{
	struct fixture *f = sent(test, 0);
	u32 i;

	for (i = 0; i < 4; i++)
		smrc_sb_send(&f->sb, 0, 0, i, T0);
	arrived_at(test, f, 2, T0 + 9);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + RTO + 1, NULL, NULL), 1);
}

/* Behind packets sent again the one sent once is still found. */
static void loss_next__timeout_behind_resent(struct kunit *test)
{
	struct fixture *f = sent(test, 5);
	struct smrc_loss loss;
	u64 deadline;

	arrived_at(test, f, 4, T0 + 2 * RTO);
	smrc_sb_lose(&f->sb, first_psn(test, 0));
	smrc_sb_lose(&f->sb, first_psn(test, 1));
	smrc_sb_resend(&f->sb, first_psn(test, 0), 7, T0 + 4000);
	smrc_sb_resend(&f->sb, first_psn(test, 1), 7, T0 + 3000);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 4000, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, T0 + 2 + RTO + 1);
	KUNIT_EXPECT_EQ(test, walk(f, &rules, T0 + 3 + RTO + 1, &loss, &deadline), 2);
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 2));
	KUNIT_EXPECT_EQ(test, deadline, T0 + 3000 + RTO + 1);
}

static void loss_next__proof_before_timer(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f = sent(test, 20);
	struct smrc_loss loss;

	arrived(test, f, 6);
	KUNIT_EXPECT_GT(test, walk(f, &cfg, T0 + 10 * RTO, &loss, NULL), 1);
	KUNIT_EXPECT_EQ(test, loss.reason, SMRC_LOSS_GAP);
	f = two_values(test, 20);
	arrived(test, f, 6);
	KUNIT_EXPECT_GT(test, walk(f, &cfg, T0 + 10 * RTO, &loss, NULL), 1);
	KUNIT_EXPECT_EQ(test, loss.reason, SMRC_LOSS_SAME_VALUE);
}

static void loss_next__no_timer(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f = sent(test, 20);
	u64 deadline;

	cfg.rto_ns = U64_MAX;
	cfg.rtt_ns = U64_MAX;
	arrived(test, f, 19);
	KUNIT_EXPECT_EQ(test, walk(f, &cfg, U64_MAX - 1, NULL, &deadline), 0);
	KUNIT_EXPECT_EQ(test, deadline, U64_MAX);
}

/* A walk goes on where it stopped, also when the scoreboard moved on meanwhile. */
static void loss_next__scoreboard_moved(struct kunit *test)
{
	struct fixture *f = sent(test, 11);
	struct smrc_loss_scan scan;
	struct smrc_ack_result res;
	struct smrc_loss loss;

	arrived_at(test, f, 10, T0 + 2 * RTO);
	smrc_loss_begin(&f->sb, &scan);
	KUNIT_EXPECT_TRUE(test, smrc_loss_next(&f->sb, &rules, T0 + 2 * RTO, &scan, &loss));
	smrc_sb_cumack(&f->sb, first_psn(test, 8), T0, &res);
	KUNIT_EXPECT_TRUE(test, smrc_loss_next(&f->sb, &rules, T0 + 2 * RTO, &scan, &loss));
	KUNIT_EXPECT_EQ(test, loss.psn, first_psn(test, 9));
	KUNIT_EXPECT_FALSE(test, smrc_loss_next(&f->sb, &rules, T0 + 2 * RTO, &scan, &loss));
}

/* The rules over every PSN, without the short cuts: what a walk must find and when the next one is due. */
static u32 full_walk(const struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, u64 now, u8 *lost, u64 *deadline)
{
	u64 due, from, fired = sb->fired_ns;
	bool silent;
	const struct smrc_sb_pkt *p;
	u32 psn, n = 0;

	*deadline = U64_MAX;
	for (psn = sb->una; psn != sb->nxt; psn = smrc_psn_add(psn, 1)) {
		p = smrc_sb_pkt(sb, psn);
		lost[psn % SIZE] = 0;
		if (p->state != SMRC_SB_INFLIGHT)
			continue;
		silent = p->sent_ns >= sb->newest_ns;
		from = silent ? max(p->sent_ns, fired) : p->sent_ns;
		due = from + cfg->rto_ns + 1;
		if (smrc_psn_diff(sb->high, psn) > (s32)cfg->depth ||
		    (cfg->guard && (s16)(sb->ev_acked[smrc_sb_ev(p->slot)] - p->ev_serial) >= (s32)cfg->guard))
			due = min(due, p->sent_ns + cfg->rtt_ns + 1);
		if (due > now) {
			*deadline = min(*deadline, due);
			continue;
		}
		if (silent && due == from + cfg->rto_ns + 1)
			fired = now;
		lost[psn % SIZE] = 1;
		n++;
	}
	return n;
}

/* A random history; every walk finds what the full one finds, in order, with the same deadline. */
static void loss_next__model(struct kunit *test)
{
	struct smrc_loss_cfg cfg = rules;
	struct fixture *f = sent(test, 0);
	u64 now = T0, rnd = 31 + *(const u32 *)test->param_value, due, last_due;
	struct smrc_loss_scan scan;
	u32 i, k, n, psn, total = 0;
	struct smrc_loss loss;
	u8 lost[SIZE];

	for (i = 0; i < 20000; i++) {
		now += test_random(&rnd) % 300;
		for (k = test_random(&rnd) % 6; k && smrc_sb_room(&f->sb, SIZE); k--)
			smrc_sb_send(&f->sb, 0, 0, test_random(&rnd) % 8, now);
		for (k = test_random(&rnd) % 4; k && smrc_sb_next_lost(&f->sb, &psn); k--)
			smrc_sb_resend(&f->sb, psn, test_random(&rnd) % 8, now);
		for (k = test_random(&rnd) % 6; k && !smrc_sb_empty(&f->sb); k--) {
			psn = smrc_psn_add(f->sb.una, test_random(&rnd) % 24);
			if (smrc_sb_holds(&f->sb, psn))
				arrived_at(test, f, smrc_psn_diff(psn, first_psn(test, 0)), now);
		}
		/* Sometimes nothing is heard for long. */
		if (!(i % 50))
			now += 3 * RTO;

		cfg.guard = i / 5000;
		n = full_walk(&f->sb, &cfg, now, lost, &due);
		smrc_loss_begin(&f->sb, &scan);
		for (k = 0, psn = f->sb.una; smrc_loss_next(&f->sb, &cfg, now, &scan, &loss); k++) {
			KUNIT_ASSERT_EQ(test, lost[loss.psn % SIZE], 1);
			KUNIT_ASSERT_FALSE(test, smrc_psn_before(loss.psn, psn));
			psn = smrc_psn_add(loss.psn, 1);
		}
		KUNIT_ASSERT_EQ(test, k, n);
		KUNIT_ASSERT_EQ(test, scan.deadline_ns, due);
		total += n;
		if (!f->sb.inflight)
			continue;
		/* Nothing falls due before the deadline, something at it, unless silence puts it off. */
		KUNIT_ASSERT_EQ(test, full_walk(&f->sb, &cfg, due - 1, lost, &last_due), 0);
		n = full_walk(&f->sb, &cfg, due, lost, &last_due);
		KUNIT_ASSERT_TRUE(test, n || last_due <= f->sb.fired_ns + RTO + 1);
	}
	KUNIT_EXPECT_GT(test, total, 1000);
}

static struct kunit_case loss_cases[] = {
	KUNIT_CASE_PARAM(loss_begin__at_una, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__nothing_in_flight, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__gap_depth, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__gap_age, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__depth_limits, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__same_value, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__same_value_off, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__same_value_again, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__same_value_wraps, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__timeout, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__timeout_in_silence, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__silence_begins, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__silence_within_burst, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__timeout_behind_resent, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__proof_before_timer, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__no_timer, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__scoreboard_moved, test_psn_gen_params),
	KUNIT_CASE_PARAM(loss_next__model, test_psn_gen_params),
	{}
};

static struct kunit_suite loss_suite = {
	.name = "smrc_loss",
	.test_cases = loss_cases,
};

kunit_test_suite(loss_suite);
