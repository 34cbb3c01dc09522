/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * testlib.h: what several suites share: a repeatable random number.
 */
#ifndef SMRC_TESTLIB_H
#define SMRC_TESTLIB_H

#include <linux/types.h>

/* xorshift64*: any state but 0. */
static inline u32 test_random(u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1dULL) >> 32;
}

#endif /* SMRC_TESTLIB_H */
