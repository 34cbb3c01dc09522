/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/bitops.h: for proto/ in user space; nothing here is atomic */
#ifndef SIM_LINUX_BITOPS_H
#define SIM_LINUX_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>

#define BITS_PER_LONG	64

static inline bool test_bit(unsigned long nr, const unsigned long *map)
{
	return map[nr / BITS_PER_LONG] >> (nr % BITS_PER_LONG) & 1;
}

static inline void __set_bit(unsigned long nr, unsigned long *map)
{
	map[nr / BITS_PER_LONG] |= BIT(nr % BITS_PER_LONG);
}

static inline bool __test_and_clear_bit(unsigned long nr, unsigned long *map)
{
	bool was = test_bit(nr, map);

	map[nr / BITS_PER_LONG] &= ~BIT(nr % BITS_PER_LONG);
	return was;
}

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline unsigned long __ffs64(u64 x)
{
	return __builtin_ctzll(x);
}

#endif /* SIM_LINUX_BITOPS_H */
