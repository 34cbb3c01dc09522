/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* top.h: rates of devices, and how the packets to each peer are spread over its values, again and again. */
#ifndef SMRC_TOOL_TOP_H
#define SMRC_TOOL_TOP_H

#include <stdbool.h>

/**
 * struct top - what to show
 * @dev: only this device, or NULL
 * @interval: seconds between two looks
 * @count: end after so many; 0 = when told to
 * @json: an object on a line for each, for programs
 */
struct top {
	const char	*dev;
	double		interval;
	unsigned long	count;
	bool		json;
};

int top_word(struct top *top, const char *word);
int top_run(const struct top *top);

#endif /* SMRC_TOOL_TOP_H */
