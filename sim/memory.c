// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* memory.c: a simulation that lacks memory cannot go on, so nobody has to handle that. */
#include <stdlib.h>
#include <sys/resource.h>

#include "memory.h"
#include "options.h"

/**
 * memory_get() - memory for some objects
 * @n: how many
 * @size: of one, bytes
 *
 * Return: the memory, all zero.
 */
void *memory_get(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die("no memory for %zu objects of %zu bytes: fewer hosts, or fewer flows", n, size);
	return p;
}

/**
 * memory_grow() - make room for more objects
 * @p: what memory_get() or this returned
 * @had: objects there was room for
 * @n: objects there is to be room for, more than @had
 * @size: of one, bytes
 *
 * Return: the memory, which may lie elsewhere; what is new is not zero.
 */
void *memory_grow(void *p, size_t had, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p)
		die("no memory for %zu objects of %zu bytes beside %zu", n - had, size, had);
	return p;
}

/**
 * memory_put() - give memory back
 * @p: what memory_get() returned
 */
void memory_put(void *p)
{
	free(p);
}

/**
 * memory_peak() - most memory that the process had at any time
 *
 * Return: bytes that were resident, those of the program included.
 */
u64 memory_peak(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (u64)usage.ru_maxrss * 1024;
}
