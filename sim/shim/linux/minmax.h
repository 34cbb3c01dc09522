/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* linux/minmax.h: for proto/ in user space */
#ifndef SIM_LINUX_MINMAX_H
#define SIM_LINUX_MINMAX_H

#define min(a, b)		({ __auto_type _a = (a); __auto_type _b = (b); _a < _b ? _a : _b; })
#define max(a, b)		({ __auto_type _a = (a); __auto_type _b = (b); _a > _b ? _a : _b; })
#define min_t(type, a, b)	({ type _ta = (a); type _tb = (b); _ta < _tb ? _ta : _tb; })
#define max_t(type, a, b)	({ type _ta = (a); type _tb = (b); _ta > _tb ? _ta : _tb; })
#define clamp_t(type, v, lo, hi)	min_t(type, max_t(type, v, lo), hi)
#define clamp(v, lo, hi)	clamp_t(__typeof__(v), v, lo, hi)
#define swap(a, b)		do { __auto_type _s = (a); (a) = (b); (b) = _s; } while (0)

#endif /* SIM_LINUX_MINMAX_H */
