// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "mracc.c"

#include <kunit/test.h>
#include <linux/limits.h>

#define KEY	0x1234ab01U
#define PD	7U
#define ALL	(SMRC_ACC_LOCAL_WRITE | SMRC_ACC_REMOTE_WRITE | SMRC_ACC_REMOTE_READ | SMRC_ACC_REMOTE_ATOMIC)

static const struct mracc_range {
	const char	*name;
	u64		start;		/* of the region */
	u64		mr_len;
	u64		va;		/* of the access */
	u64		len;
	enum smrc_mracc	verdict;
} mracc_ranges[] = {
	{ "whole region", 0x1000, 0x2000, 0x1000, 0x2000, SMRC_MRACC_OK },
	{ "first byte", 0x1000, 0x2000, 0x1000, 1, SMRC_MRACC_OK },
	{ "last byte", 0x1000, 0x2000, 0x2fff, 1, SMRC_MRACC_OK },
	{ "one byte before", 0x1000, 0x2000, 0xfff, 1, SMRC_MRACC_BOUNDS },
	{ "from one byte before", 0x1000, 0x2000, 0xfff, 2, SMRC_MRACC_BOUNDS },
	{ "one byte behind", 0x1000, 0x2000, 0x3000, 1, SMRC_MRACC_BOUNDS },
	{ "to one byte behind", 0x1000, 0x2000, 0x2fff, 2, SMRC_MRACC_BOUNDS },
	{ "one byte too long", 0x1000, 0x2000, 0x1000, 0x2001, SMRC_MRACC_BOUNDS },
	{ "empty at start", 0x1000, 0x2000, 0x1000, 0, SMRC_MRACC_OK },
	{ "empty at end", 0x1000, 0x2000, 0x3000, 0, SMRC_MRACC_OK },
	{ "empty behind end", 0x1000, 0x2000, 0x3001, 0, SMRC_MRACC_BOUNDS },
	{ "empty before start", 0x1000, 0x2000, 0xfff, 0, SMRC_MRACC_BOUNDS },
	{ "sum of va and len wraps to start", 0x1000, 0x2000, 0x1001, U64_MAX, SMRC_MRACC_BOUNDS },
	{ "sum of va and len wraps into region", 0x1000, 0x2000, 0x1800, U64_MAX - 0x400, SMRC_MRACC_BOUNDS },
	{ "va at the very end", 0x1000, 0x2000, U64_MAX, 1, SMRC_MRACC_BOUNDS },
	{ "va at the very end, wraps", 0x1000, 0x2000, U64_MAX, 0x1800, SMRC_MRACC_BOUNDS },
	{ "va 0", 0x1000, 0x2000, 0, 0x1800, SMRC_MRACC_BOUNDS },
	{ "zero-based", 0, 0x2000, 0, 0x2000, SMRC_MRACC_OK },
	{ "zero-based, last byte", 0, 0x2000, 0x1fff, 1, SMRC_MRACC_OK },
	{ "zero-based, behind", 0, 0x2000, 0x2000, 1, SMRC_MRACC_BOUNDS },
	{ "zero-based, va -1", 0, 0x2000, U64_MAX, 2, SMRC_MRACC_BOUNDS },
	{ "all of memory", 0, U64_MAX, 0, U64_MAX, SMRC_MRACC_OK },
	{ "all of memory, end", 0, U64_MAX, U64_MAX - 1, 1, SMRC_MRACC_OK },
	{ "all of memory, too far", 0, U64_MAX, U64_MAX - 1, 2, SMRC_MRACC_BOUNDS },
	{ "top of memory", U64_MAX - 0xfff, 0x1000, U64_MAX - 0xfff, 0x1000, SMRC_MRACC_OK },
	{ "top of memory, last byte", U64_MAX - 0xfff, 0x1000, U64_MAX, 1, SMRC_MRACC_OK },
	{ "top of memory, around", U64_MAX - 0xfff, 0x1000, U64_MAX, 2, SMRC_MRACC_BOUNDS },
	{ "top of memory, va 0", U64_MAX - 0xfff, 0x1000, 0, 1, SMRC_MRACC_BOUNDS },
	{ "top of memory, empty at 0", U64_MAX - 0xfff, 0x1000, 0, 0, SMRC_MRACC_BOUNDS },
	{ "empty region, a byte", 0x1000, 0, 0x1000, 1, SMRC_MRACC_BOUNDS },
	{ "empty region, empty", 0x1000, 0, 0x1000, 0, SMRC_MRACC_OK },
	{ "longest message", 0x1000, 1ULL << 31, 0x1000, 1ULL << 31, SMRC_MRACC_OK },
	{ "longest message and a byte", 0x1000, 1ULL << 31, 0x1000, (1ULL << 31) + 1, SMRC_MRACC_BOUNDS },
};

static void mracc_range_desc(const struct mracc_range *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", p->name);
}

KUNIT_ARRAY_PARAM(mracc_range, mracc_ranges, mracc_range_desc);

static void mracc_check__range(struct kunit *test)
{
	const struct mracc_range *p = test->param_value;
	struct smrc_mracc_mr mr = {
		.start = p->start,
		.len = p->mr_len,
		.key = KEY,
		.pd = PD,
		.rights = ALL,
		.valid = true,
	};

	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD, SMRC_ACC_REMOTE_WRITE, p->va, p->len), p->verdict);
}

static void mracc_check__rights(struct kunit *test)
{
	struct smrc_mracc_mr mr = { .len = 64, .key = KEY, .pd = PD, .valid = true };
	enum smrc_mracc want;
	u32 have, need;

	for (have = 0; have <= ALL; have++) {
		for (need = 0; need <= ALL; need++) {
			mr.rights = have;
			want = (have & need) == need ? SMRC_MRACC_OK : SMRC_MRACC_RIGHTS;
			KUNIT_EXPECT_EQ_MSG(test, smrc_mracc_check(&mr, KEY, PD, need, 0, 64), want,
					    "have %x need %x", have, need);
		}
	}
}

static void mracc_check__key_and_pd(struct kunit *test)
{
	struct smrc_mracc_mr mr = { .len = 64, .key = KEY, .pd = PD, .rights = ALL, .valid = true };

	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD, ALL, 0, 64), SMRC_MRACC_OK);
	/* same index, other key byte: a key of a region that is gone */
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY + 1, PD, ALL, 0, 64), SMRC_MRACC_KEY);
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY ^ 0x80000000, PD, ALL, 0, 64), SMRC_MRACC_KEY);
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD + 1, ALL, 0, 64), SMRC_MRACC_PD);
	mr.valid = false;
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD, ALL, 0, 64), SMRC_MRACC_KEY);
}

static void mracc_check__order(struct kunit *test)
{
	struct smrc_mracc_mr mr = { .len = 64, .key = KEY, .pd = PD, .valid = true };

	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY + 1, PD + 1, ALL, 0, 65), SMRC_MRACC_KEY);
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD + 1, ALL, 0, 65), SMRC_MRACC_PD);
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD, ALL, 0, 65), SMRC_MRACC_RIGHTS);
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD, 0, 0, 65), SMRC_MRACC_BOUNDS);
	KUNIT_EXPECT_EQ(test, smrc_mracc_check(&mr, KEY, PD, 0, 0, 64), SMRC_MRACC_OK);
}

static struct kunit_case mracc_cases[] = {
	KUNIT_CASE_PARAM(mracc_check__range, mracc_range_gen_params),
	KUNIT_CASE(mracc_check__rights),
	KUNIT_CASE(mracc_check__key_and_pd),
	KUNIT_CASE(mracc_check__order),
	{}
};

static struct kunit_suite mracc_suite = {
	.name = "smrc_mracc",
	.test_cases = mracc_cases,
};

kunit_test_suite(mracc_suite);
