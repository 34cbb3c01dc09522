/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef SMRC_COMPAT_LINUX_HRTIMER_H
#define SMRC_COMPAT_LINUX_HRTIMER_H

#include <linux/version.h>
#include_next <linux/hrtimer.h>

/* hrtimer_setup() sets the function too. Delete when the floor is >= 6.13. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

#endif /* SMRC_COMPAT_LINUX_HRTIMER_H */
