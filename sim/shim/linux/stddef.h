/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/stddef.h: for proto/ in user space */
#ifndef SIM_LINUX_STDDEF_H
#define SIM_LINUX_STDDEF_H

#include_next <linux/stddef.h>

#include <stddef.h>

#endif /* SIM_LINUX_STDDEF_H */
