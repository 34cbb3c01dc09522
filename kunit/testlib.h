/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * testlib.h: what several suites share: first PSNs to run a case from, a repeatable random number.
 */
#ifndef SMRC_TESTLIB_H
#define SMRC_TESTLIB_H

#include <kunit/test.h>
#include <linux/types.h>

/* First PSNs: low, around the sign of the half-space order, and so near the end that a short run wraps. */
static const u32 test_psn[] = { 0, 1, 0x7ffff0, 0x800000, 0xffffc0, 0xfffffe, 0xffffff };

static inline void test_psn_desc(const u32 *psn, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "psn %#x", *psn);
}

KUNIT_ARRAY_PARAM(test_psn, test_psn, test_psn_desc);

/* xorshift64*: any state but 0. */
static inline u32 test_random(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1dULL) >> 32;
}

#endif /* SMRC_TESTLIB_H */
