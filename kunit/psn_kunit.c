// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "psn.h"

#include <kunit/test.h>

#define HALF	(1 << (SMRC_PSN_BITS - 1))

static const struct psn_pair {
	u32	a;
	u32	b;
	s32	diff;		/* a - b */
} psn_pairs[] = {
	{ 0, 0, 0 },
	{ 1, 0, 1 },
	{ 0, 1, -1 },
	{ 0xffffff, 0xffffff, 0 },
	{ 0, 0xffffff, 1 },
	{ 0xffffff, 0, -1 },
	{ 5, 0xfffffb, 10 },
	{ 0xfffffb, 5, -10 },
	{ 0x800000, 0x7fffff, 1 },
	{ HALF - 1, 0, HALF - 1 },
	{ 0, HALF - 1, -(HALF - 1) },
	{ HALF, 0, -HALF },
	{ 0, HALF, -HALF },
	{ HALF + 1, 0, -(HALF - 1) },
	{ 0x123456, 0x923457, HALF - 1 },
	{ 0x923456, 0x123456, -HALF },
};

static void psn_pair_desc(const struct psn_pair *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%06x to %06x", p->b, p->a);
}

KUNIT_ARRAY_PARAM(psn_pairs, psn_pairs, psn_pair_desc);

static void psn_add__pair(struct kunit *test)
{
	const struct psn_pair *p = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_psn_add(p->b, p->diff), p->a);
	KUNIT_EXPECT_EQ(test, smrc_psn_add(p->a, -p->diff), p->b);
}

static void psn_add__wraps_to_24_bits(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_psn_add(0xffffff, 1), 0U);
	KUNIT_EXPECT_EQ(test, smrc_psn_add(0, -1), 0xffffffU);
	KUNIT_EXPECT_EQ(test, smrc_psn_add(0x000010, 0x1000000), 0x10U);
	KUNIT_EXPECT_EQ(test, smrc_psn_add(0x000010, -0x1000000), 0x10U);
	KUNIT_EXPECT_EQ(test, smrc_psn_add(0xffffff, S32_MAX), 0xfffffeU);
	KUNIT_EXPECT_EQ(test, smrc_psn_add(0xffffff, S32_MIN), 0xffffffU);
}

static void psn_diff__pair(struct kunit *test)
{
	const struct psn_pair *p = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_psn_diff(p->a, p->b), p->diff);
}

static void psn_before__pair(struct kunit *test)
{
	const struct psn_pair *p = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_psn_before(p->a, p->b), p->diff < 0);
}

/* But for the two that are exactly half the space apart, one of two different PSNs is before the other. */
static void psn_before__is_an_order(struct kunit *test)
{
	const struct psn_pair *p = test->param_value;
	bool ab = smrc_psn_before(p->a, p->b);
	bool ba = smrc_psn_before(p->b, p->a);

	if (p->diff == -HALF)
		KUNIT_EXPECT_TRUE(test, ab && ba);
	else
		KUNIT_EXPECT_EQ(test, ab + ba, p->diff != 0);
}

static const struct psn_range {
	u32	psn;
	u32	base;
	u32	len;
	bool	in;
} psn_ranges[] = {
	{ 0, 0, 0, false },
	{ 0, 0, 1, true },
	{ 1, 0, 1, false },
	{ 0xffffff, 0, 1, false },
	{ 9, 10, 5, false },
	{ 10, 10, 5, true },
	{ 14, 10, 5, true },
	{ 15, 10, 5, false },
	{ 0xfffffd, 0xfffffe, 4, false },
	{ 0xfffffe, 0xfffffe, 4, true },
	{ 0xffffff, 0xfffffe, 4, true },
	{ 0, 0xfffffe, 4, true },
	{ 1, 0xfffffe, 4, true },
	{ 2, 0xfffffe, 4, false },
	{ 0x7fffff, 0, HALF, true },
	{ 0x800000, 0, HALF, false },
	{ 0x3fffff, 0xc00000, HALF, true },
	{ 0x400000, 0xc00000, HALF, false },
};

static void psn_range_desc(const struct psn_range *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%06x in %u from %06x", p->psn, p->len, p->base);
}

KUNIT_ARRAY_PARAM(psn_ranges, psn_ranges, psn_range_desc);

static void psn_in__range(struct kunit *test)
{
	const struct psn_range *p = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_psn_in(p->psn, p->base, p->len), p->in);
}

static struct kunit_case psn_cases[] = {
	KUNIT_CASE_PARAM(psn_add__pair, psn_pairs_gen_params),
	KUNIT_CASE(psn_add__wraps_to_24_bits),
	KUNIT_CASE_PARAM(psn_diff__pair, psn_pairs_gen_params),
	KUNIT_CASE_PARAM(psn_before__pair, psn_pairs_gen_params),
	KUNIT_CASE_PARAM(psn_before__is_an_order, psn_pairs_gen_params),
	KUNIT_CASE_PARAM(psn_in__range, psn_ranges_gen_params),
	{}
};

static struct kunit_suite psn_suite = {
	.name = "smrc_psn",
	.test_cases = psn_cases,
};

kunit_test_suite(psn_suite);
