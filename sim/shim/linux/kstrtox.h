/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/kstrtox.h: for proto/ in user space */
#ifndef SIM_LINUX_KSTRTOX_H
#define SIM_LINUX_KSTRTOX_H

#include <linux/types.h>

int kstrtou32(const char *text, unsigned int base, u32 *value);

#endif /* SIM_LINUX_KSTRTOX_H */
