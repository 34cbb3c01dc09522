/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * testpsn.h: first PSNs to run a case from, as a parameter generator.
 */
#ifndef SMRC_TESTPSN_H
#define SMRC_TESTPSN_H

#include <kunit/test.h>

/* First PSNs: low, around the sign of the half-space order, and so near the end that a short run wraps. */
static const u32 test_psn[] = { 0, 1, 0x7ffff0, 0x800000, 0xffffc0, 0xfffffe, 0xffffff };

static inline void test_psn_desc(const u32 *psn, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "psn %#x", *psn);
}

KUNIT_ARRAY_PARAM(test_psn, test_psn, test_psn_desc);

#endif /* SMRC_TESTPSN_H */
