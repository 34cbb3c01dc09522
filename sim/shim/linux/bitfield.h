/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/bitfield.h: for proto/ in user space */
#ifndef SIM_LINUX_BITFIELD_H
#define SIM_LINUX_BITFIELD_H

#include <linux/bits.h>

#define FIELD_GET(mask, reg)	(((reg) & (mask)) >> __builtin_ctzl(mask))
#define FIELD_PREP(mask, val)	(((unsigned long)(val) << __builtin_ctzl(mask)) & (mask))

#endif /* SIM_LINUX_BITFIELD_H */
