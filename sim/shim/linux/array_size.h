/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/array_size.h: for proto/ in user space */
#ifndef SIM_LINUX_ARRAY_SIZE_H
#define SIM_LINUX_ARRAY_SIZE_H

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#endif /* SIM_LINUX_ARRAY_SIZE_H */
