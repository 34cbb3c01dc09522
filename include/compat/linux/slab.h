/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef SMRC_COMPAT_LINUX_SLAB_H
#define SMRC_COMPAT_LINUX_SLAB_H

#include_next <linux/slab.h>

/* Memory for one object, GFP_KERNEL. Delete when the floor is >= 7.0. */
#ifndef kzalloc_obj
#define kzalloc_obj(x)	((typeof(x) *)kzalloc(sizeof(x), GFP_KERNEL))
#endif

#endif /* SMRC_COMPAT_LINUX_SLAB_H */
