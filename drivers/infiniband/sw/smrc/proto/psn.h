/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * psn.h: arithmetic on 24-bit packet sequence numbers (IBTA 9.7.2; OCP MRC 1.0 7.4).
 *
 * A PSN is kept in a u32 whose top byte is zero. Two PSNs compare by half of the number space: a is before b when
 * it takes fewer than 2^23 steps forward from a to b. Every comparison of PSNs goes through this file.
 */
#ifndef SMRC_PSN_H
#define SMRC_PSN_H

#include <linux/types.h>

#define SMRC_PSN_BITS	24
#define SMRC_PSN_MASK	0xffffffU

/**
 * smrc_psn_add() - step a PSN
 * @psn: where to start
 * @n: how many steps, negative to go back
 *
 * Return: the PSN @n steps on, wrapped to 24 bits.
 */
static inline u32 smrc_psn_add(u32 psn, s32 n)
{
	return (psn + (u32)n) & SMRC_PSN_MASK;
}

/**
 * smrc_psn_diff() - signed distance between two PSNs
 * @a: a PSN
 * @b: a PSN
 *
 * Return: the number of steps from @b to @a, in -2^23 .. 2^23 - 1.
 */
static inline s32 smrc_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << (32 - SMRC_PSN_BITS)) >> (32 - SMRC_PSN_BITS);
}

/**
 * smrc_psn_before() - is @a before @b in the half-space order?
 * @a: a PSN
 * @b: a PSN
 *
 * Return: true when fewer than 2^23 steps forward lead from @a to @b; false when they are equal.
 */
static inline bool smrc_psn_before(u32 a, u32 b)
{
	return smrc_psn_diff(a, b) < 0;
}

/**
 * smrc_psn_in() - does @psn lie in the @len PSNs that start at @base?
 * @psn: the PSN asked about
 * @base: first PSN of the range
 * @len: length of the range, at most 2^23
 *
 * Return: true when it does.
 */
static inline bool smrc_psn_in(u32 psn, u32 base, u32 len)
{
	return ((psn - base) & SMRC_PSN_MASK) < len;
}

#endif /* SMRC_PSN_H */
