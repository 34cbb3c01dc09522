/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/build_bug.h: for proto/ in user space */
#ifndef SIM_LINUX_BUILD_BUG_H
#define SIM_LINUX_BUILD_BUG_H

#define __sim_assert(what, text, ...)	_Static_assert(what, text)
#define static_assert(what, ...)	__sim_assert(what, ##__VA_ARGS__, #what)

#endif /* SIM_LINUX_BUILD_BUG_H */
