/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/bitmap.h: for proto/ in user space */
#ifndef SIM_LINUX_BITMAP_H
#define SIM_LINUX_BITMAP_H

#include <linux/bitops.h>
#include <string.h>

static inline void bitmap_zero(unsigned long *map, unsigned int bits)
{
	memset(map, 0, (bits + BITS_PER_LONG - 1) / BITS_PER_LONG * sizeof(*map));
}

#endif /* SIM_LINUX_BITMAP_H */
