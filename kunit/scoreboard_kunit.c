// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * scoreboard_kunit.c: what acknowledgments change, honest and hostile, each from first PSNs around the wrap and half
 * of the number space.
 */
#include "scoreboard.c"

#include "testlib.h"
#include "testpsn.h"

#define SIZE	128

struct fixture {
	struct smrc_sb sb;
	struct smrc_sb_pkt pkt[SIZE];
};

static u32 first_psn(struct kunit *test, s32 n)
{
	return smrc_psn_add(*(const u32 *)test->param_value, n);
}

/* @n packets sent at times 1000, 1010, 1020 .. on slots 0, 1, 2 .. */
static struct fixture *sent(struct kunit *test, u32 n)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	smrc_sb_init(&f->sb, f->pkt, SIZE, first_psn(test, 0));
	for (i = 0; i < n; i++)
		smrc_sb_send(&f->sb, 100 + i, 4096 * i, i, 1000 + 10 * i);
	return f;
}

static struct smrc_sb_pkt *nth(struct kunit *test, struct fixture *f, s32 n)
{
	return smrc_sb_pkt(&f->sb, first_psn(test, n));
}

/* The SACK of a receiver: everything before @next arrived, and what @bitmap says from PSN @base on; caused by @psn. */
static struct smrc_ack_result sack(struct kunit *test, struct fixture *f, s32 next, s32 psn, s32 base, u64 bitmap,
				   u64 now)
{
	const struct smrc_sack s = {
		.cack = first_psn(test, next - 1),
		.ack_psn = first_psn(test, psn),
		.sack_base = first_psn(test, base),
		.bitmap = bitmap,
	};
	struct smrc_ack_result res;

	memset(&res, 0xff, sizeof(res));
	smrc_sb_sack(&f->sb, &s, now, &res);
	return res;
}

/* The counters are what a count of the entries gives; una, nxt, high, lost are in order; una is not SACKED. */
static void check_counts(struct kunit *test, const struct smrc_sb *sb)
{
	u32 psn, inflight = 0, lost = 0, used = (sb->nxt - sb->una) & SMRC_PSN_MASK;

	for (psn = sb->una; psn != sb->nxt; psn = smrc_psn_add(psn, 1)) {
		inflight += smrc_sb_pkt(sb, psn)->state == SMRC_SB_INFLIGHT;
		lost += smrc_sb_pkt(sb, psn)->state == SMRC_SB_LOST;
		if (smrc_sb_pkt(sb, psn)->state == SMRC_SB_LOST)
			KUNIT_ASSERT_FALSE(test, smrc_psn_before(psn, sb->lost));
		if (smrc_sb_pkt(sb, psn)->state == SMRC_SB_SACKED)
			KUNIT_ASSERT_FALSE(test, smrc_psn_before(sb->high, psn));
	}
	KUNIT_ASSERT_TRUE(test, !used || smrc_sb_pkt(sb, sb->una)->state != SMRC_SB_SACKED);
	KUNIT_ASSERT_LE(test, used, sb->size);
	KUNIT_ASSERT_EQ(test, sb->inflight, inflight);
	KUNIT_ASSERT_EQ(test, sb->n_lost, lost);
	KUNIT_ASSERT_FALSE(test, smrc_psn_before(sb->high, smrc_psn_add(sb->una, -1)));
	KUNIT_ASSERT_TRUE(test, smrc_psn_before(sb->high, sb->nxt));
	KUNIT_ASSERT_LE(test, (sb->lost - sb->una) & SMRC_PSN_MASK, used);
}

static void sb_init__empty(struct kunit *test)
{
	struct fixture *f = sent(test, 0);

	KUNIT_EXPECT_TRUE(test, smrc_sb_empty(&f->sb));
	KUNIT_EXPECT_EQ(test, f->sb.una, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, f->sb.nxt, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, f->sb.high, first_psn(test, -1));
	check_counts(test, &f->sb);
}

static void sb_room__window(struct kunit *test)
{
	struct fixture *f = sent(test, 5);

	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, SIZE), SIZE - 5);
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, U32_MAX), SIZE - 5);
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, 6), 1);
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, 5), 0);
	/* The peer made its window smaller. */
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, 4), 0);
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, 0), 0);
	f = sent(test, SIZE);
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, SIZE), 0);
}

/* PSNs that arrived out of order hold their place until the cumulative point passes. */
static void sb_room__sacked_counts(struct kunit *test)
{
	struct fixture *f = sent(test, 5);

	sack(test, f, 0, 4, 1, 0xf, 2000);
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, SIZE), SIZE - 5);
	sack(test, f, 5, 0, 5, 0, 2000);
	KUNIT_EXPECT_EQ(test, smrc_sb_room(&f->sb, SIZE), SIZE);
}

static void sb_send__records(struct kunit *test)
{
	struct fixture *f = sent(test, 0);

	/* A ring of any content, which must not look as if something had arrived. */
	memset(f->pkt, 0xff, sizeof(f->pkt));
	KUNIT_EXPECT_EQ(test, smrc_sb_send(&f->sb, 7, 8192, 3, 55), first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, smrc_sb_send(&f->sb, 8, 0, 3, 56), first_psn(test, 1));
	KUNIT_EXPECT_EQ(test, nth(test, f, 0)->wqe, 7);
	KUNIT_EXPECT_EQ(test, nth(test, f, 0)->off, 8192);
	KUNIT_EXPECT_EQ(test, nth(test, f, 0)->slot, 3);
	KUNIT_EXPECT_EQ(test, nth(test, f, 0)->sent_ns, 55);
	KUNIT_EXPECT_EQ(test, nth(test, f, 0)->state, SMRC_SB_INFLIGHT);
	KUNIT_EXPECT_EQ(test, nth(test, f, 0)->tx_count, 1);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->ev_serial - nth(test, f, 0)->ev_serial, 1);
	KUNIT_EXPECT_EQ(test, f->sb.nxt, first_psn(test, 2));
	check_counts(test, &f->sb);
}

static void sb_send__serial_per_slot(struct kunit *test)
{
	struct fixture *f = sent(test, 0);

	smrc_sb_send(&f->sb, 0, 0, 0, 1);
	smrc_sb_send(&f->sb, 0, 0, 255, 1);
	smrc_sb_send(&f->sb, 0, 0, SMRC_EV_NO_SLOT, 1);
	smrc_sb_send(&f->sb, 0, 0, 0, 1);
	smrc_sb_send(&f->sb, 0, 0, SMRC_EV_NO_SLOT, 1);
	KUNIT_EXPECT_EQ(test, f->sb.ev_sent[0], 2);
	KUNIT_EXPECT_EQ(test, f->sb.ev_sent[255], 1);
	KUNIT_EXPECT_EQ(test, f->sb.ev_sent[256], 2);
	KUNIT_EXPECT_EQ(test, nth(test, f, 3)->ev_serial, 2);
	KUNIT_EXPECT_EQ(test, nth(test, f, 4)->ev_serial, 2);
	KUNIT_EXPECT_EQ(test, nth(test, f, 4)->slot, SMRC_EV_NO_SLOT);
}

static void sb_resend__lost(struct kunit *test)
{
	struct fixture *f = sent(test, 3);

	smrc_sb_lose(&f->sb, first_psn(test, 1));
	smrc_sb_resend(&f->sb, first_psn(test, 1), 2, 5000);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->state, SMRC_SB_INFLIGHT);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->tx_count, 2);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->slot, 2);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->ev_serial, 2);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->sent_ns, 5000);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->wqe, 101);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->off, 4096);
	check_counts(test, &f->sb);
}

static void sb_resend__not_lost(struct kunit *test)
{
	struct fixture *f = sent(test, 3);
	struct fixture *before = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, before);
	sack(test, f, 0, 1, 1, 1, 2000);
	memcpy(before, f, sizeof(*f));
	smrc_sb_resend(&f->sb, first_psn(test, 0), 9, 5000);
	smrc_sb_resend(&f->sb, first_psn(test, 1), 9, 5000);
	smrc_sb_resend(&f->sb, first_psn(test, 3), 9, 5000);
	smrc_sb_resend(&f->sb, first_psn(test, -1), 9, 5000);
	KUNIT_EXPECT_EQ(test, memcmp(before, f, sizeof(*f)), 0);
}

static void sb_resend__count_saturates(struct kunit *test)
{
	struct fixture *f = sent(test, 1);
	u32 i;

	for (i = 0; i < 600; i++) {
		KUNIT_ASSERT_TRUE(test, smrc_sb_lose(&f->sb, first_psn(test, 0)));
		smrc_sb_resend(&f->sb, first_psn(test, 0), 0, i);
	}
	KUNIT_EXPECT_EQ(test, nth(test, f, 0)->tx_count, U8_MAX);
	KUNIT_EXPECT_FALSE(test, sack(test, f, 1, 0, 1, 0, 9000).has_rtt);
}

static void sb_sack__cumulative(struct kunit *test)
{
	struct fixture *f = sent(test, 10);
	struct smrc_ack_result r = sack(test, f, 4, 3, 4, 0, 2000);

	KUNIT_EXPECT_FALSE(test, r.bad);
	KUNIT_EXPECT_EQ(test, r.newly, 4);
	KUNIT_EXPECT_EQ(test, r.cum, 4);
	KUNIT_EXPECT_EQ(test, r.saved, 0);
	KUNIT_EXPECT_EQ(test, f->sb.una, first_psn(test, 4));
	KUNIT_EXPECT_EQ(test, f->sb.high, first_psn(test, 3));
	check_counts(test, &f->sb);
	r = sack(test, f, 10, 9, 10, 0, 2000);
	KUNIT_EXPECT_EQ(test, r.newly, 6);
	KUNIT_EXPECT_TRUE(test, smrc_sb_empty(&f->sb));
	check_counts(test, &f->sb);
}

static void sb_sack__bitmap(struct kunit *test)
{
	struct fixture *f = sent(test, 100);
	struct smrc_ack_result r = sack(test, f, 2, 80, 17, BIT_ULL(63) | BIT_ULL(3) | 1, 5000);

	KUNIT_EXPECT_EQ(test, r.newly, 5);
	KUNIT_EXPECT_EQ(test, r.cum, 2);
	KUNIT_EXPECT_EQ(test, f->sb.high, first_psn(test, 80));
	KUNIT_EXPECT_EQ(test, nth(test, f, 17)->state, SMRC_SB_SACKED);
	KUNIT_EXPECT_EQ(test, nth(test, f, 18)->state, SMRC_SB_INFLIGHT);
	KUNIT_EXPECT_EQ(test, nth(test, f, 20)->state, SMRC_SB_SACKED);
	KUNIT_EXPECT_EQ(test, nth(test, f, 80)->state, SMRC_SB_SACKED);
	check_counts(test, &f->sb);
	/* The same again changes nothing. */
	r = sack(test, f, 2, 80, 17, BIT_ULL(63) | BIT_ULL(3) | 1, 5000);
	KUNIT_EXPECT_EQ(test, r.newly + r.cum + r.saved, 0);
	KUNIT_EXPECT_FALSE(test, r.has_rtt);
	/* The cumulative point passes what was SACKed before: moved, not newly arrived. */
	r = sack(test, f, 21, 19, 21, 0, 5000);
	KUNIT_EXPECT_EQ(test, r.cum, 19);
	KUNIT_EXPECT_EQ(test, r.newly, 17);
	KUNIT_EXPECT_EQ(test, f->sb.high, first_psn(test, 80));
	check_counts(test, &f->sb);
}

/* Any signed offset is valid: the bitmap may begin before the cumulative point. */
static void sb_sack__base_before_cack(struct kunit *test)
{
	struct fixture *f = sent(test, 20);
	struct smrc_ack_result r = sack(test, f, 10, 12, -40, BIT_ULL(52) | BIT_ULL(45) | BIT_ULL(0), 5000);

	KUNIT_EXPECT_EQ(test, r.cum, 10);
	KUNIT_EXPECT_EQ(test, r.newly, 11);
	KUNIT_EXPECT_EQ(test, f->sb.high, first_psn(test, 12));
	check_counts(test, &f->sb);
}

/* A bitmap that says una arrived moves it, as the cumulative PSN that the receiver should have sent would. */
static void sb_sack__una_by_bit(struct kunit *test)
{
	struct fixture *f = sent(test, 20);
	struct smrc_ack_result r;

	sack(test, f, 0, 4, 3, 3, 2000);
	r = sack(test, f, 0, 0, 0, 7, 2000);
	KUNIT_EXPECT_EQ(test, r.newly, 3);
	KUNIT_EXPECT_EQ(test, r.cum, 5);
	KUNIT_EXPECT_EQ(test, f->sb.una, first_psn(test, 5));
	check_counts(test, &f->sb);
	/* Also when nothing is left behind it. */
	r = sack(test, f, 0, 19, 5, 0x7fff, 2000);
	KUNIT_EXPECT_EQ(test, r.cum, 15);
	KUNIT_EXPECT_TRUE(test, smrc_sb_empty(&f->sb));
	check_counts(test, &f->sb);
}

/* A SACK that was overtaken moves nothing back; its bits count. */
static void sb_sack__stale(struct kunit *test)
{
	struct fixture *f = sent(test, 20);
	struct smrc_ack_result r;

	sack(test, f, 8, 7, 8, 0, 2000);
	r = sack(test, f, 3, 12, 3, BIT_ULL(9) | BIT_ULL(1), 2000);
	KUNIT_EXPECT_FALSE(test, r.bad);
	KUNIT_EXPECT_EQ(test, r.cum, 0);
	KUNIT_EXPECT_EQ(test, r.newly, 1);
	KUNIT_EXPECT_EQ(test, f->sb.una, first_psn(test, 8));
	KUNIT_EXPECT_EQ(test, nth(test, f, 12)->state, SMRC_SB_SACKED);
	check_counts(test, &f->sb);
}

static void sb_sack__very_old(struct kunit *test)
{
	static const s32 next[] = { 0, -1, -SIZE, -SIZE - 1, -30000, -(1 << 22), -(1 << 23) + 200 };
	struct fixture *f = sent(test, 20);
	struct smrc_ack_result r;
	u32 i;

	sack(test, f, 8, 7, 8, 0, 2000);
	for (i = 0; i < ARRAY_SIZE(next); i++) {
		r = sack(test, f, next[i], next[i] - 1, next[i] - 64, U64_MAX, 2000);
		KUNIT_EXPECT_FALSE(test, r.bad);
		KUNIT_EXPECT_EQ(test, r.newly + r.cum + r.saved, 0);
		KUNIT_EXPECT_EQ(test, f->sb.una, first_psn(test, 8));
		KUNIT_EXPECT_EQ(test, f->sb.inflight, 12);
	}
}

struct bad_case {
	const char *name;
	s32 next;
	s32 psn;
	s32 base;
	u64 bitmap;
	bool probe;
	bool bad;
};

/* 20 PSNs were sent, 8 of them acknowledged. */
static const struct bad_case bad_cases[] = {
	{ "all that was sent", 20, 19, 20, 0, false, false },
	{ "cumulative one too far", 21, 19, 21, 0, false, true },
	{ "cumulative far too far", 5000, 19, 5000, 0, false, true },
	{ "cumulative almost half ahead", 20 + (1 << 23), 19, 9, 0, false, true },
	{ "cause is the last sent", 8, 19, 8, 0, false, false },
	{ "cause one too far", 8, 20, 8, 0, false, true },
	{ "cause ignored in a probe's answer", 8, 20, 8, 0, true, false },
	{ "last bit is the last sent", 8, 10, 19, 1, false, false },
	{ "bit one too far", 8, 10, 20, 1, false, true },
	{ "one bit of many too far", 8, 10, 9, 0xfff, false, true },
	{ "highest bit one too far", 8, 10, -43, BIT_ULL(63), false, true },
	{ "highest bit on the last sent", 8, 10, -44, BIT_ULL(63), false, false },
	{ "no bit, base too far", 8, 10, 20000, 0, false, false },
	{ "bit too far in a probe's answer", 8, 10, 20, 1, true, true },
};

KUNIT_ARRAY_PARAM_DESC(bad, bad_cases, name);

static void sb_sack__never_sent(struct kunit *test)
{
	const struct bad_case *c = test->param_value;
	struct fixture *before = kunit_kzalloc(test, sizeof(*before), GFP_KERNEL);
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct smrc_ack_result res;
	struct smrc_sack s;
	u32 i, k;

	KUNIT_ASSERT_NOT_NULL(test, before);
	KUNIT_ASSERT_NOT_NULL(test, f);
	for (i = 0; i < ARRAY_SIZE(test_psn); i++) {
		smrc_sb_init(&f->sb, f->pkt, SIZE, test_psn[i]);
		for (k = 0; k < 20; k++)
			smrc_sb_send(&f->sb, 0, 0, 0, 1000);
		smrc_sb_cumack(&f->sb, smrc_psn_add(test_psn[i], 7), 0, &res);
		memcpy(before, f, sizeof(*f));

		memset(&s, 0, sizeof(s));
		s.cack = smrc_psn_add(test_psn[i], c->next - 1);
		s.ack_psn = smrc_psn_add(test_psn[i], c->psn);
		s.sack_base = smrc_psn_add(test_psn[i], c->base);
		s.bitmap = c->bitmap;
		s.probe = c->probe;
		smrc_sb_sack(&f->sb, &s, 2000, &res);
		KUNIT_EXPECT_EQ(test, res.bad, c->bad);
		if (c->bad) {
			KUNIT_EXPECT_EQ(test, res.newly + res.cum + res.saved, 0);
			KUNIT_EXPECT_EQ(test, memcmp(before, f, sizeof(*f)), 0);
		}
	}
}

static void sb_sack__saved(struct kunit *test)
{
	struct fixture *f = sent(test, 10);
	struct smrc_ack_result r;
	u32 psn;

	smrc_sb_lose(&f->sb, first_psn(test, 0));
	smrc_sb_lose(&f->sb, first_psn(test, 2));
	smrc_sb_lose(&f->sb, first_psn(test, 5));
	smrc_sb_resend(&f->sb, first_psn(test, 0), 9, 1500);
	r = sack(test, f, 1, 5, 1, BIT_ULL(4), 2000);
	KUNIT_EXPECT_EQ(test, r.newly, 2);
	KUNIT_EXPECT_EQ(test, r.saved, 1);
	KUNIT_EXPECT_EQ(test, f->sb.n_lost, 1);
	check_counts(test, &f->sb);
	r = sack(test, f, 6, 4, 6, 0, 2000);
	KUNIT_EXPECT_EQ(test, r.saved, 1);
	KUNIT_EXPECT_FALSE(test, smrc_sb_next_lost(&f->sb, &psn));
	check_counts(test, &f->sb);
}

struct rtt_case {
	const char *name;
	s32 next;
	s32 psn;
	s32 base;
	u64 bitmap;
	u64 now;
	bool has;
	u64 rtt;
	u64 ts;		/* time whose timestamp the SACK brings back, ns; 0: none */
	u64 service;
	bool spurious;
	bool absolves;
	u64 newest;	/* latest transmission known to have ended, ns; 0: 6, the one SACKed before */
};

#define AGAIN	2000000ULL	/* when 3 is sent again */

/* Sent at 1000 + 10 n; 3 was sent again at AGAIN, 4 is declared lost, 6 was SACKed before. */
static const struct rtt_case rtt_cases[] = {
	{ "cumulative", 1, 0, 1, 0, 1700, true, 700 },
	{ "cumulative over several", 3, 1, 3, 0, 1700, true, 690 },
	{ "bit", 0, 7, 7, 1, 1700, true, 630, .newest = 1070 },
	{ "cause is not in the SACK", 1, 7, 1, 0, 1700, false, 0 },
	{ "others tell of later ones", 0, 4, 4, 0x21, 1700, true, 660, .absolves = true, .newest = 1090 },
	{ "cause is old", 1, -1, 1, 0, 1700, false, 0 },
	{ "sent twice (Karn)", 4, 3, 4, 0, AGAIN + 300, false, 0 },
	{ "sent twice, by bit", 0, 3, 3, 1, AGAIN + 300, false, 0 },
	{ "sent twice, the second arrived", 0, 3, 3, 1, AGAIN + 300, true, 300, .ts = AGAIN, .newest = AGAIN },
	{ "the second arrived, served for a while", 0, 3, 3, 1, AGAIN + 40000, true, 40000, .ts = AGAIN + 30000,
	  .service = 234 * 128, .newest = AGAIN },
	{ "sent twice, the first arrived", 0, 3, 3, 1, AGAIN + 300, true, AGAIN + 300 - 1024, .ts = 1030,
	  .absolves = true, .spurious = true },
	{ "sent once, served for a while", 1, 0, 1, 0, 1700, true, 700, .ts = 1000 + 3 * 128, .service = 3 * 128 },
	{ "sent once, served for longer than it took", 1, 0, 1, 0, 1700, true, 700, .ts = 1000 + 9 * 128 },
	{ "sent once: no need of a timestamp", 1, 0, 1, 0, 1700, true, 700, .ts = 77777 },
	{ "declared lost, sent once", 0, 4, 4, 1, 1700, true, 660, .absolves = true },
	{ "SACKed before", 0, 6, 6, 1, 1700, false, 0 },
	{ "SACKed before, now cumulative", 8, 6, 8, 0, 1700, false, 0, .newest = 1070 },
	{ "clock behind", 1, 0, 1, 0, 999, true, 0 },
};

KUNIT_ARRAY_PARAM_DESC(rtt, rtt_cases, name);

static void sb_sack__rtt(struct kunit *test)
{
	const struct rtt_case *c = test->param_value;
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	struct smrc_ack_result res;
	struct smrc_sack s;
	u32 i, k, p;

	KUNIT_ASSERT_NOT_NULL(test, f);
	for (i = 0; i < ARRAY_SIZE(test_psn); i++) {
		p = test_psn[i];
		smrc_sb_init(&f->sb, f->pkt, SIZE, p);
		for (k = 0; k < 20; k++)
			smrc_sb_send(&f->sb, 0, 0, 0, 1000 + 10 * k);
		smrc_sb_lose(&f->sb, smrc_psn_add(p, 3));
		smrc_sb_resend(&f->sb, smrc_psn_add(p, 3), 1, AGAIN);
		smrc_sb_lose(&f->sb, smrc_psn_add(p, 4));
		memset(&s, 0, sizeof(s));
		s.cack = smrc_psn_add(p, -1);
		s.ack_psn = smrc_psn_add(p, 6);
		s.sack_base = s.ack_psn;
		s.bitmap = 1;
		smrc_sb_sack(&f->sb, &s, 1500, &res);

		s.cack = smrc_psn_add(p, c->next - 1);
		s.ack_psn = smrc_psn_add(p, c->psn);
		s.sack_base = smrc_psn_add(p, c->base);
		s.bitmap = c->bitmap;
		s.ts = c->ts ? smrc_ts(c->ts) : 0;
		smrc_sb_sack(&f->sb, &s, c->now, &res);
		KUNIT_EXPECT_EQ(test, res.has_rtt, c->has);
		KUNIT_EXPECT_EQ(test, res.rtt_ns, c->rtt);
		KUNIT_EXPECT_EQ(test, res.service_ns, c->service);
		KUNIT_EXPECT_EQ(test, res.spurious, c->spurious);
		KUNIT_EXPECT_EQ(test, res.in_vain, c->spurious);
		KUNIT_EXPECT_EQ(test, res.early_ns, c->spurious ? c->now - AGAIN : 0);
		KUNIT_EXPECT_EQ(test, res.absolves, c->absolves);
		KUNIT_EXPECT_EQ(test, f->sb.newest_ns, c->newest ?: 1060);
	}
}

static void sb_sack__probe_gives_no_sample(struct kunit *test)
{
	struct fixture *f = sent(test, 5);
	const struct smrc_sack s = {
		.cack = first_psn(test, 0),
		.ack_psn = first_psn(test, 0),
		.sack_base = first_psn(test, 1),
		.probe = true,
	};
	struct smrc_ack_result res;

	smrc_sb_sack(&f->sb, &s, 2000, &res);
	KUNIT_EXPECT_EQ(test, res.newly, 1);
	KUNIT_EXPECT_FALSE(test, res.has_rtt);
}

static void sb_sack__credits_value(struct kunit *test)
{
	struct fixture *f = sent(test, 0);
	u32 i;

	for (i = 0; i < 6; i++)
		smrc_sb_send(&f->sb, 0, 0, i % 2, 1000);
	sack(test, f, 0, 4, 4, 1, 2000);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[0], 3);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[1], 0);
	/* An earlier one that arrives later does not take it back. */
	sack(test, f, 3, 2, 3, 0, 2000);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[0], 3);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[1], 1);
}

/* Which of two transmissions arrived is not known, so neither value gains. */
static void sb_sack__credits_no_retransmission(struct kunit *test)
{
	struct fixture *f = sent(test, 3);

	smrc_sb_lose(&f->sb, first_psn(test, 0));
	smrc_sb_resend(&f->sb, first_psn(test, 0), 2, 1500);
	sack(test, f, 1, 0, 1, 0, 2000);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[0], 0);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[2], 0);
}

static void sb_sack__serial_wraps(struct kunit *test)
{
	struct fixture *f = sent(test, 0);
	u32 i;

	f->sb.ev_sent[256] = 0xfffe;
	f->sb.ev_acked[256] = 0xfffe;
	for (i = 0; i < 4; i++)
		smrc_sb_send(&f->sb, 0, 0, SMRC_EV_NO_SLOT, 1000);
	KUNIT_EXPECT_EQ(test, nth(test, f, 1)->ev_serial, 0);
	sack(test, f, 0, 2, 2, 1, 2000);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[256], 1);
	sack(test, f, 1, 0, 1, 0, 2000);
	KUNIT_EXPECT_EQ(test, f->sb.ev_acked[256], 1);
}

static void sb_cumack__moves(struct kunit *test)
{
	struct fixture *f = sent(test, 10);
	struct smrc_ack_result r;

	smrc_sb_lose(&f->sb, first_psn(test, 2));
	smrc_sb_cumack(&f->sb, first_psn(test, 4), 0, &r);
	KUNIT_EXPECT_FALSE(test, r.bad);
	KUNIT_EXPECT_EQ(test, r.newly, 5);
	KUNIT_EXPECT_EQ(test, r.cum, 5);
	KUNIT_EXPECT_EQ(test, r.saved, 1);
	KUNIT_EXPECT_FALSE(test, r.has_rtt);
	KUNIT_EXPECT_EQ(test, f->sb.una, first_psn(test, 5));
	check_counts(test, &f->sb);
	smrc_sb_cumack(&f->sb, first_psn(test, 3), 0, &r);
	KUNIT_EXPECT_FALSE(test, r.bad);
	KUNIT_EXPECT_EQ(test, r.newly + r.cum, 0);
	smrc_sb_cumack(&f->sb, first_psn(test, 10), 0, &r);
	KUNIT_EXPECT_TRUE(test, r.bad);
	KUNIT_EXPECT_EQ(test, f->sb.una, first_psn(test, 5));
	smrc_sb_cumack(&f->sb, first_psn(test, 9), 0, &r);
	KUNIT_EXPECT_EQ(test, r.cum, 5);
	KUNIT_EXPECT_TRUE(test, smrc_sb_empty(&f->sb));
}

/* Acknowledged sooner after it was sent again than any round trip: it had arrived before. */
/* A transport ACK that overtakes the SACK of its packet leaves it nothing to tell of the value but congestion. */
static void ack_news__told_once(struct kunit *test)
{
	struct fixture *f = sent(test, 4);
	struct smrc_ack_result r;

	r = sack(test, f, 1, 0, 1, 0, 5000);
	KUNIT_EXPECT_TRUE(test, smrc_ack_news(&r, SMRC_EV_SIG_ACK));
	smrc_sb_cumack(&f->sb, first_psn(test, 1), 5000, &r);
	KUNIT_EXPECT_EQ(test, r.alive[0], BIT(1));
	r = sack(test, f, 2, 1, 2, 0, 5000);
	KUNIT_EXPECT_FALSE(test, smrc_ack_news(&r, SMRC_EV_SIG_ACK));
	KUNIT_EXPECT_TRUE(test, smrc_ack_news(&r, SMRC_EV_SIG_ECN));
	KUNIT_EXPECT_TRUE(test, smrc_ack_news(NULL, SMRC_EV_SIG_ABSOLVED));
}

static void sb_cumack__in_vain(struct kunit *test)
{
	static const struct {
		u64 floor;
		u32 in_vain;
		u64 early;
	} cases[] = { { 0, 0, 0 }, { 400, 0, 0 }, { 401, 1, 400 }, { 500, 1, 400 }, { 501, 2, 500 } };
	struct smrc_ack_result r;
	struct fixture *f;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		f = sent(test, 10);
		f->sb.floor_ns = cases[i].floor;
		smrc_sb_lose(&f->sb, first_psn(test, 2));
		smrc_sb_lose(&f->sb, first_psn(test, 4));
		smrc_sb_lose(&f->sb, first_psn(test, 6));	/* not sent again yet: nothing was in vain */
		smrc_sb_resend(&f->sb, first_psn(test, 2), 7, 20000);
		smrc_sb_resend(&f->sb, first_psn(test, 4), 7, 20100);
		smrc_sb_cumack(&f->sb, first_psn(test, 8), 20500, &r);
		KUNIT_EXPECT_EQ(test, r.in_vain, cases[i].in_vain);
		KUNIT_EXPECT_EQ(test, r.early_ns, cases[i].early);
		KUNIT_EXPECT_EQ(test, r.saved, 1);
	}
}

static void sb_lose__in_flight_only(struct kunit *test)
{
	struct fixture *f = sent(test, 3);

	sack(test, f, 0, 1, 1, 1, 2000);
	KUNIT_EXPECT_TRUE(test, smrc_sb_lose(&f->sb, first_psn(test, 0)));
	KUNIT_EXPECT_FALSE(test, smrc_sb_lose(&f->sb, first_psn(test, 0)));
	KUNIT_EXPECT_FALSE(test, smrc_sb_lose(&f->sb, first_psn(test, 1)));
	KUNIT_EXPECT_FALSE(test, smrc_sb_lose(&f->sb, first_psn(test, 3)));
	KUNIT_EXPECT_FALSE(test, smrc_sb_lose(&f->sb, first_psn(test, -1)));
	KUNIT_EXPECT_FALSE(test, smrc_sb_lose(&f->sb, first_psn(test, SIZE)));
	check_counts(test, &f->sb);
}

static void sb_next_lost__oldest(struct kunit *test)
{
	struct fixture *f = sent(test, 100);
	u32 psn;

	KUNIT_EXPECT_FALSE(test, smrc_sb_next_lost(&f->sb, &psn));
	smrc_sb_lose(&f->sb, first_psn(test, 70));
	smrc_sb_lose(&f->sb, first_psn(test, 40));
	KUNIT_ASSERT_TRUE(test, smrc_sb_next_lost(&f->sb, &psn));
	KUNIT_EXPECT_EQ(test, psn, first_psn(test, 40));
	/* One before those looked at already. */
	smrc_sb_lose(&f->sb, first_psn(test, 10));
	KUNIT_ASSERT_TRUE(test, smrc_sb_next_lost(&f->sb, &psn));
	KUNIT_EXPECT_EQ(test, psn, first_psn(test, 10));
	smrc_sb_resend(&f->sb, psn, 0, 3000);
	KUNIT_ASSERT_TRUE(test, smrc_sb_next_lost(&f->sb, &psn));
	KUNIT_EXPECT_EQ(test, psn, first_psn(test, 40));
	/* una passes it. */
	sack(test, f, 60, 59, 60, 0, 4000);
	KUNIT_ASSERT_TRUE(test, smrc_sb_next_lost(&f->sb, &psn));
	KUNIT_EXPECT_EQ(test, psn, first_psn(test, 70));
	smrc_sb_resend(&f->sb, psn, 0, 3000);
	KUNIT_EXPECT_FALSE(test, smrc_sb_next_lost(&f->sb, &psn));
}

/* A full window lost and sent again, twice around the ring. */
static void sb_next_lost__full_window(struct kunit *test)
{
	struct fixture *f = sent(test, SIZE);
	u32 i, round, psn;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < SIZE; i++)
			KUNIT_ASSERT_TRUE(test, smrc_sb_lose(&f->sb, first_psn(test, round * SIZE + i)));
		for (i = 0; i < SIZE; i++) {
			KUNIT_ASSERT_TRUE(test, smrc_sb_next_lost(&f->sb, &psn));
			KUNIT_ASSERT_EQ(test, psn, first_psn(test, round * SIZE + i));
			smrc_sb_resend(&f->sb, psn, 1, 5000);
		}
		KUNIT_EXPECT_FALSE(test, smrc_sb_next_lost(&f->sb, &psn));
		check_counts(test, &f->sb);
		sack(test, f, (round + 1) * SIZE, 0, (round + 1) * SIZE, 0, 6000);
		for (i = 0; i < SIZE; i++)
			smrc_sb_send(&f->sb, 0, 0, 0, 7000);
	}
}

/* Random SACKs, true and false, NACKs and sends: counts stay right, and nothing leaves the ring. */
static void sb_sack__hostile(struct kunit *test)
{
	struct fixture *f = sent(test, 0);
	struct smrc_ack_result res;
	u64 rnd = 4711 + *(const u32 *)test->param_value;
	u32 i, k, psn, bad = 0, good = 0;
	struct smrc_sack s;

	for (i = 0; i < 20000; i++) {
		for (k = test_random(&rnd) % 8; k && smrc_sb_room(&f->sb, SIZE); k--)
			smrc_sb_send(&f->sb, i, k, test_random(&rnd) % 300, i);
		smrc_sb_lose(&f->sb, smrc_psn_add(f->sb.una, test_random(&rnd) % (2 * SIZE)));
		if (test_random(&rnd) % 2 && smrc_sb_next_lost(&f->sb, &psn))
			smrc_sb_resend(&f->sb, psn, test_random(&rnd) % 300, i);
		memset(&s, 0, sizeof(s));
		s.cack = smrc_psn_add(f->sb.una, test_random(&rnd) % 16 - 8);
		if (test_random(&rnd) % 16 == 0)
			s.cack = test_random(&rnd) & SMRC_PSN_MASK;
		s.ack_psn = smrc_psn_add(s.cack, (s16)test_random(&rnd) >> (test_random(&rnd) % 16));
		s.sack_base = smrc_psn_add(s.cack, (s16)test_random(&rnd) >> (test_random(&rnd) % 16));
		s.bitmap = ((u64)test_random(&rnd) << 32 | test_random(&rnd)) >> (test_random(&rnd) % 64);
		smrc_sb_sack(&f->sb, &s, i, &res);
		bad += res.bad;
		good += res.newly;
		check_counts(test, &f->sb);
	}
	KUNIT_EXPECT_GT(test, bad, 1000);
	KUNIT_EXPECT_GT(test, good, 1000);
}

static struct kunit_case scoreboard_cases[] = {
	KUNIT_CASE_PARAM(sb_init__empty, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_room__window, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_room__sacked_counts, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_send__records, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_send__serial_per_slot, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_resend__lost, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_resend__not_lost, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_resend__count_saturates, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__cumulative, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__bitmap, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__base_before_cack, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__una_by_bit, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__stale, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__very_old, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__never_sent, bad_gen_params),
	KUNIT_CASE_PARAM(sb_sack__saved, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__rtt, rtt_gen_params),
	KUNIT_CASE_PARAM(sb_sack__probe_gives_no_sample, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__credits_value, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__credits_no_retransmission, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__serial_wraps, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_sack__hostile, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_cumack__moves, test_psn_gen_params),
	KUNIT_CASE_PARAM(ack_news__told_once, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_cumack__in_vain, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_lose__in_flight_only, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_next_lost__oldest, test_psn_gen_params),
	KUNIT_CASE_PARAM(sb_next_lost__full_window, test_psn_gen_params),
	{}
};

static struct kunit_suite scoreboard_suite = {
	.name = "smrc_scoreboard",
	.test_cases = scoreboard_cases,
};

kunit_test_suite(scoreboard_suite);
