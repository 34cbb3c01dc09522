// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * shim.c: the two functions of the kernel's library that settings.c calls and a C library has not.
 */
#include <errno.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <stdlib.h>

/* Equal, whether or not a newline is behind one of them. */
bool sysfs_streq(const char *a, const char *b)
{
	size_t na = strcspn(a, "\n"), nb = strcspn(b, "\n");

	return na == nb && !memcmp(a, b, na);
}

/* The caller made sure that @text begins with a digit. */
int kstrtou32(const char *text, unsigned int base, u32 *value)
{
	unsigned long long v;
	char *end;

	errno = 0;
	v = strtoull(text, &end, base);
	if (errno || v > U32_MAX || end == text || *end)
		return -EINVAL;
	*value = v;
	return 0;
}
