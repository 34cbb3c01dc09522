// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rxwin_kunit.c: verdicts, the cumulative point and SACKs, each from first PSNs around the wrap and half of the space.
 */
#include "rxwin.c"

#include "testlib.h"
#include "testpsn.h"

#define SIZE	128

static struct smrc_rxwin *window(struct kunit *test, u32 size, u32 first)
{
	unsigned long *bits = kunit_kzalloc(test, BITS_TO_LONGS(size) * sizeof(long), GFP_KERNEL);
	struct smrc_rxwin *w = kunit_kzalloc(test, sizeof(*w), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bits);
	KUNIT_ASSERT_NOT_NULL(test, w);
	smrc_rxwin_init(w, bits, size, first);
	return w;
}

static struct smrc_rxwin *window_param(struct kunit *test)
{
	return window(test, SIZE, *(const u32 *)test->param_value);
}

static u32 first_psn(struct kunit *test, s32 n)
{
	return smrc_psn_add(*(const u32 *)test->param_value, n);
}

static void rxwin_init__empty(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);

	memset(w->bits, 0xff, SIZE / 8);
	smrc_rxwin_init(w, w->bits, SIZE, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, w->next, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, w->high, first_psn(test, -1));
	KUNIT_EXPECT_EQ(test, smrc_rxwin_cack(w), first_psn(test, -1));
	KUNIT_EXPECT_EQ(test, w->ooo, 0);
	KUNIT_EXPECT_EQ(test, bitmap_weight(w->bits, SIZE), 0);
}

static void rxwin_check__edges(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);

	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, 0)), SMRC_RX_NEW);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, SIZE - 1)), SMRC_RX_NEW);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, SIZE)), SMRC_RX_BEYOND);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, (1 << 23) - 1)), SMRC_RX_BEYOND);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, -(1 << 23))), SMRC_RX_DUP);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, -1)), SMRC_RX_DUP);
}

static void rxwin_check__seen(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);

	smrc_rxwin_accept(w, first_psn(test, 3));
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, 3)), SMRC_RX_DUP);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, 2)), SMRC_RX_NEW);
	/* The entry of the ring that 3 has belongs to a PSN beyond as well. */
	KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, 3 + SIZE)), SMRC_RX_BEYOND);
}

static void rxwin_accept__in_order(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);
	u32 i;

	for (i = 0; i < 3 * SIZE; i++) {
		KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, i)), 1);
		KUNIT_EXPECT_EQ(test, w->next, first_psn(test, i + 1));
		KUNIT_EXPECT_EQ(test, w->high, first_psn(test, i));
		KUNIT_EXPECT_EQ(test, w->ooo, 0);
	}
}

static void rxwin_accept__gap_closes(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);
	u32 i;

	for (i = SIZE - 1; i > 0; i--) {
		KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, i)), 0);
		KUNIT_EXPECT_EQ(test, w->ooo, SIZE - i);
		KUNIT_EXPECT_EQ(test, w->high, first_psn(test, SIZE - 1));
		KUNIT_EXPECT_EQ(test, w->next, first_psn(test, 0));
	}
	KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, 0)), SIZE);
	KUNIT_EXPECT_EQ(test, w->next, first_psn(test, SIZE));
	KUNIT_EXPECT_EQ(test, w->ooo, 0);
	/* The ring is clean for the PSNs that now have its entries. */
	for (i = SIZE; i < 2 * SIZE; i++)
		KUNIT_EXPECT_EQ(test, smrc_rxwin_check(w, first_psn(test, i)), SMRC_RX_NEW);
}

static void rxwin_accept__partly(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);

	smrc_rxwin_accept(w, first_psn(test, 1));
	smrc_rxwin_accept(w, first_psn(test, 3));
	KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, 0)), 2);
	KUNIT_EXPECT_EQ(test, w->ooo, 1);
	KUNIT_EXPECT_EQ(test, w->high, first_psn(test, 3));
	KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, 2)), 2);
	KUNIT_EXPECT_EQ(test, w->ooo, 0);
}

static void rxwin_accept__not_new(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);

	smrc_rxwin_accept(w, first_psn(test, 0));
	smrc_rxwin_accept(w, first_psn(test, 5));
	KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, 0)), 0);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, 5)), 0);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, 1 + SIZE)), 0);
	KUNIT_EXPECT_EQ(test, w->next, first_psn(test, 1));
	KUNIT_EXPECT_EQ(test, w->high, first_psn(test, 5));
	KUNIT_EXPECT_EQ(test, w->ooo, 1);
	KUNIT_EXPECT_EQ(test, bitmap_weight(w->bits, SIZE), 1);
}

/* Random arrivals in and around the window against one flag per PSN. */
static void rxwin_accept__model(struct kunit *test)
{
	u32 span = 20000, size = 1024, next = 0, ooo = 0, i, k, moved;
	struct smrc_rxwin *w = window(test, size, first_psn(test, 0));
	u8 *seen = kunit_kzalloc(test, span + 4 * size, GFP_KERNEL);
	u64 rnd = 0x1234567;
	struct smrc_sack s;

	KUNIT_ASSERT_NOT_NULL(test, seen);
	while (next < span) {
		k = next + test_random(&rnd) % (test_random(&rnd) % 2 ? 32 : 2 * size);
		k = k > 16 ? k - test_random(&rnd) % 16 : k;
		if (k < next || (k < next + size && seen[k])) {
			KUNIT_ASSERT_EQ(test, smrc_rxwin_check(w, first_psn(test, k)), SMRC_RX_DUP);
		} else if (k >= next + size) {
			KUNIT_ASSERT_EQ(test, smrc_rxwin_check(w, first_psn(test, k)), SMRC_RX_BEYOND);
		} else {
			KUNIT_ASSERT_EQ(test, smrc_rxwin_check(w, first_psn(test, k)), SMRC_RX_NEW);
			seen[k] = 1;
			ooo++;
			for (moved = 0; seen[next]; moved++, ooo--)
				next++;
			KUNIT_ASSERT_EQ(test, smrc_rxwin_accept(w, first_psn(test, k)), moved);
		}
		KUNIT_ASSERT_EQ(test, w->next, first_psn(test, next));
		KUNIT_ASSERT_EQ(test, w->ooo, ooo);
		smrc_rxwin_sack(w, first_psn(test, k), &s);
		KUNIT_ASSERT_EQ(test, s.cack, first_psn(test, next - 1));
		for (i = 0; i < 64; i++)
			KUNIT_ASSERT_EQ(test, s.bitmap >> i & 1,
					seen[smrc_psn_diff(smrc_psn_add(s.sack_base, i), first_psn(test, 0))]);
	}
}

static void rxwin_sack__nothing_yet(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);
	struct smrc_sack s;

	smrc_rxwin_sack(w, first_psn(test, -1), &s);
	KUNIT_EXPECT_EQ(test, s.cack, first_psn(test, -1));
	KUNIT_EXPECT_EQ(test, s.ack_psn, first_psn(test, -1));
	KUNIT_EXPECT_EQ(test, s.sack_base, first_psn(test, 0));
	KUNIT_EXPECT_EQ(test, s.bitmap, 0);
	KUNIT_EXPECT_EQ(test, s.ooo, 0);
}

/* What the caller owns of a SACK stays. */
static void rxwin_sack__callers_fields(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);
	struct smrc_sack s = {
		.entropy = 0xc001, .mark = 1, .probe = true, .probe_id = 2, .mpr = 8, .ts = 3, .rcvd_bytes = 4,
	};

	smrc_rxwin_sack(w, first_psn(test, 0), &s);
	KUNIT_EXPECT_EQ(test, s.entropy, 0xc001);
	KUNIT_EXPECT_EQ(test, s.mark, 1);
	KUNIT_EXPECT_TRUE(test, s.probe);
	KUNIT_EXPECT_EQ(test, s.probe_id, 2);
	KUNIT_EXPECT_EQ(test, s.mpr, 8);
	KUNIT_EXPECT_EQ(test, s.ts, 3);
	KUNIT_EXPECT_EQ(test, s.rcvd_bytes, 4);
}

/* base = max(psn - 63, cack + 1) for a PSN of the window, cack + 1 for any other. */
static void rxwin_sack__base(struct kunit *test)
{
	static const struct { s32 psn; s32 base; } c[] = {
		{ 0, 0 }, { 1, 0 }, { 62, 0 }, { 63, 0 }, { 64, 1 }, { 65, 2 }, { 127, 64 },
		{ 128, 0 }, { 5000, 0 }, { -1, 0 }, { -64, 0 }, { -5000, 0 },
	};
	struct smrc_rxwin *w = window_param(test);
	struct smrc_sack s;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(c); i++) {
		smrc_rxwin_sack(w, first_psn(test, c[i].psn), &s);
		KUNIT_EXPECT_EQ(test, s.sack_base, first_psn(test, c[i].base));
		KUNIT_EXPECT_EQ(test, s.ack_psn, first_psn(test, c[i].psn));
		KUNIT_EXPECT_EQ(test, s.cack, first_psn(test, -1));
	}
}

static void rxwin_sack__bits(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);
	struct smrc_sack s;

	smrc_rxwin_accept(w, first_psn(test, 0));
	smrc_rxwin_accept(w, first_psn(test, 1));
	smrc_rxwin_accept(w, first_psn(test, 3));
	smrc_rxwin_accept(w, first_psn(test, 65));
	smrc_rxwin_sack(w, first_psn(test, 1), &s);
	KUNIT_EXPECT_EQ(test, s.cack, first_psn(test, 1));
	KUNIT_EXPECT_EQ(test, s.sack_base, first_psn(test, 2));
	KUNIT_EXPECT_EQ(test, s.bitmap, BIT_ULL(1) | BIT_ULL(63));
	KUNIT_EXPECT_EQ(test, s.ooo, 2);

	/* The packet that causes the SACK is the last bit when it is far ahead. */
	smrc_rxwin_accept(w, first_psn(test, 129));
	smrc_rxwin_sack(w, first_psn(test, 129), &s);
	KUNIT_EXPECT_EQ(test, s.sack_base, first_psn(test, 66));
	KUNIT_EXPECT_EQ(test, s.bitmap, BIT_ULL(63));
}

/* A full smallest window: the bitmap does not run into the ring's next turn. */
static void rxwin_sack__smallest_window(struct kunit *test)
{
	struct smrc_rxwin *w = window(test, 64, first_psn(test, 0));
	struct smrc_sack s;
	u32 i;

	for (i = 1; i < 64; i++)
		smrc_rxwin_accept(w, first_psn(test, i));
	smrc_rxwin_sack(w, first_psn(test, 63), &s);
	KUNIT_EXPECT_EQ(test, s.bitmap, ~1ULL);
	KUNIT_EXPECT_EQ(test, smrc_rxwin_accept(w, first_psn(test, 0)), 64);
	smrc_rxwin_accept(w, first_psn(test, 65));
	smrc_rxwin_sack(w, first_psn(test, 65), &s);
	KUNIT_EXPECT_EQ(test, s.bitmap, 2);
}

static void rxwin_sack__ooo_saturates(struct kunit *test)
{
	struct smrc_rxwin *w = window_param(test);
	struct smrc_sack s;

	w->ooo = 0x7fff;
	smrc_rxwin_sack(w, first_psn(test, 0), &s);
	KUNIT_EXPECT_EQ(test, s.ooo, 0x7fff);
	w->ooo = 0x8000;
	smrc_rxwin_sack(w, first_psn(test, 0), &s);
	KUNIT_EXPECT_EQ(test, s.ooo, 0x7fff);
}

static struct kunit_case rxwin_cases[] = {
	KUNIT_CASE_PARAM(rxwin_init__empty, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_check__edges, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_check__seen, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_accept__in_order, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_accept__gap_closes, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_accept__partly, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_accept__not_new, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_accept__model, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_sack__nothing_yet, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_sack__callers_fields, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_sack__base, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_sack__bits, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_sack__smallest_window, test_psn_gen_params),
	KUNIT_CASE_PARAM(rxwin_sack__ooo_saturates, test_psn_gen_params),
	{}
};

static struct kunit_suite rxwin_suite = {
	.name = "smrc_rxwin",
	.test_cases = rxwin_cases,
};

kunit_test_suite(rxwin_suite);
