/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* memory.h: memory that ends the program when there is none, and is counted */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include <linux/types.h>

void *memory_get(size_t n, size_t size);
void *memory_grow(void *p, size_t had, size_t n, size_t size);
void memory_put(void *p);
u64 memory_peak(void);

#endif /* SIM_MEMORY_H */
