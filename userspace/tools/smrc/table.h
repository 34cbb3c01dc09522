/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* table.h: rows of named cells, printed as a table for people or as JSON for programs. */
#ifndef SMRC_TOOL_TABLE_H
#define SMRC_TOOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/**
 * struct column - a column
 * @head: its head in a table
 * @key: its name in JSON
 * @text: its cells are strings; else JSON takes them as they are
 * @left: aligned left in a table
 */
struct column {
	const char	*head;
	const char	*key;
	bool		text;
	bool		left;
};

/**
 * struct table - rows of the same columns
 * @cols: the columns
 * @n_cols: how many
 * @cell: all cells, row by row; a cell without value is NULL
 * @n_rows: how many rows
 */
struct table {
	const struct column	*cols;
	size_t			n_cols;
	char			**cell;
	size_t			n_rows;
};

void table_init(struct table *t, const struct column *cols, size_t n_cols);
void table_row(struct table *t);
void table_cell(struct table *t, size_t col, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
const char *table_get(const struct table *t, size_t row, const char *key);
void table_print(const struct table *t);
void table_print_json(const struct table *t);
void table_free(struct table *t);

#endif /* SMRC_TOOL_TABLE_H */
