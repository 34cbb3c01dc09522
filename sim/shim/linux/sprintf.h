/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/sprintf.h: for proto/ in user space */
#ifndef SIM_LINUX_SPRINTF_H
#define SIM_LINUX_SPRINTF_H

#include <stdio.h>

#endif /* SIM_LINUX_SPRINTF_H */
