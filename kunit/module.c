// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include <linux/module.h>

MODULE_DESCRIPTION("KUnit tests of Soft-MRC's protocol core");
MODULE_LICENSE("Dual BSD/GPL");
