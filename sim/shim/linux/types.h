/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/types.h: the kernel's names of integers, for proto/ in user space */
#ifndef SIM_LINUX_TYPES_H
#define SIM_LINUX_TYPES_H

#include_next <linux/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t		u8;
typedef uint16_t	u16;
typedef uint32_t	u32;
typedef uint64_t	u64;
typedef int8_t		s8;
typedef int16_t		s16;
typedef int32_t		s32;
typedef int64_t		s64;

#define __packed	__attribute__((__packed__))
#define fallthrough	__attribute__((__fallthrough__))
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#endif /* SIM_LINUX_TYPES_H */
