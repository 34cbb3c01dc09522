/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef SMRC_COMPAT_LINUX_WORKQUEUE_H
#define SMRC_COMPAT_LINUX_WORKQUEUE_H

#include <linux/version.h>
#include_next <linux/workqueue.h>

/*
 * Newer kernels want every queue to say WQ_PERCPU or WQ_UNBOUND; older ones do not know the flag, or know it but refuse
 * it beside WQ_BH. Delete, and write WQ_BH | WQ_PERCPU, when the floor is >= 7.3.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define COMPAT_WQ_BH	WQ_BH
#else
#define COMPAT_WQ_BH	(WQ_BH | WQ_PERCPU)
#endif

#endif /* SMRC_COMPAT_LINUX_WORKQUEUE_H */
