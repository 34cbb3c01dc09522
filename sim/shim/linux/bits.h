/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/bits.h: for proto/ in user space */
#ifndef SIM_LINUX_BITS_H
#define SIM_LINUX_BITS_H

#define BIT(n)		(1UL << (n))
#define BIT_ULL(n)	(1ULL << (n))
#define GENMASK(h, l)	((~0UL << (l)) & (~0UL >> (63 - (h))))

#endif /* SIM_LINUX_BITS_H */
