/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* dump.h: dumps of the generic netlink family "smrc" as tables. */
#ifndef SMRC_TOOL_DUMP_H
#define SMRC_TOOL_DUMP_H

#include <netinet/in.h>

#include "table.h"

/* How an attribute becomes text. */
enum field_kind {
	FIELD_STRING,
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_US,	/* u64 of ns, told in us */
	FIELD_ADDR,	/* 16 bytes, IPv4 mapped */
	FIELD_EV_STATE,
	FIELD_QP_STATE,
};

/**
 * struct field - an attribute that becomes a cell
 * @col: the column
 * @attr: the attribute
 * @kind: how
 */
struct field {
	struct column	col;
	int		attr;
	enum field_kind	kind;
};

/**
 * struct dump - a kind of dump
 * @cmd: netlink command
 * @max: largest attribute
 * @dev: attribute that names the device
 * @remote: attribute that restricts it to a peer, or 0
 * @fields: what is shown
 * @n_fields: how many
 */
struct dump {
	int			cmd;
	int			max;
	int			dev;
	int			remote;
	const struct field	*fields;
	size_t			n_fields;
};

extern const struct dump dump_peers, dump_evs, dump_qps;

void dump_table_init(const struct dump *d, struct table *t);
void dump_table_free(struct table *t);
int dump_open(void);
void dump_close(void);
int dump_run(const struct dump *d, const char *dev, const struct in6_addr *remote, struct table *t);

#endif /* SMRC_TOOL_DUMP_H */
