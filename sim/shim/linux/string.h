/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/string.h: for proto/ in user space */
#ifndef SIM_LINUX_STRING_H
#define SIM_LINUX_STRING_H

#include <linux/types.h>
#include <string.h>

bool sysfs_streq(const char *a, const char *b);

#endif /* SIM_LINUX_STRING_H */
