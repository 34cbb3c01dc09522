/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* monitor.h: every packet as a row of CSV, from the trace event smrc_packet. */
#ifndef SMRC_TOOL_MONITOR_H
#define SMRC_TOOL_MONITOR_H

#include <stdbool.h>

/**
 * struct monitor - what to show
 * @filter: expression for the kernel's filter of trace events, empty for all
 * @count: end after so many rows; 0 = when told to
 * @buffer_kib: size of the trace buffer of each CPU
 */
struct monitor {
	char		filter[512];
	unsigned long	count;
	unsigned long	buffer_kib;
};

#define MONITOR_BUFFER_KIB	4096

int monitor_word(struct monitor *m, const char *word);
int monitor_run(const struct monitor *m);

#endif /* SMRC_TOOL_MONITOR_H */
