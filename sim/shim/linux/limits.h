/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/limits.h: for proto/ in user space, and for the C library, which has one of its own */
#ifndef SIM_LINUX_LIMITS_H
#define SIM_LINUX_LIMITS_H

#include_next <linux/limits.h>

#define S16_MAX		((s16)(U16_MAX >> 1))
#define S16_MIN		((s16)(-S16_MAX - 1))
#define U8_MAX		((u8)~0U)
#define U16_MAX		((u16)~0U)
#define U32_MAX		((u32)~0U)
#define U64_MAX		((u64)~0ULL)

#endif /* SIM_LINUX_LIMITS_H */
