// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * table.c: see table.h. Without memory the program ends: there is nothing it could still do.
 */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

/**
 * table_init - a table without rows
 * @t: to fill in
 * @cols: columns, kept by reference
 * @n_cols: how many
 */
void table_init(struct table *t, const struct column *cols, size_t n_cols)
{
	*t = (struct table) { .cols = cols, .n_cols = n_cols };
}

/**
 * table_row - begin a row; all its cells are without value
 * @t: the table
 */
void table_row(struct table *t)
{
	size_t cells = (t->n_rows + 1) * t->n_cols;

	t->cell = reallocarray(t->cell, cells, sizeof(*t->cell));
	if (!t->cell)
		err(1, "table");
	memset(t->cell + t->n_rows * t->n_cols, 0, t->n_cols * sizeof(*t->cell));
	t->n_rows++;
}

/**
 * table_cell - give a cell of the last row its value
 * @t: the table
 * @col: column
 * @fmt: the value
 */
void table_cell(struct table *t, size_t col, const char *fmt, ...)
{
	char **cell = &t->cell[(t->n_rows - 1) * t->n_cols + col];
	va_list args;

	free(*cell);
	va_start(args, fmt);
	if (vasprintf(cell, fmt, args) < 0)
		err(1, "table");
	va_end(args);
}

static const char *value(const struct table *t, size_t row, size_t col)
{
	const char *cell = t->cell[row * t->n_cols + col];

	return cell ? cell : "-";
}

/**
 * table_get - the value of a cell
 * @t: the table
 * @row: row
 * @key: name of the column in JSON
 *
 * Return: the value, "-" when it has none or there is no such column.
 */
const char *table_get(const struct table *t, size_t row, const char *key)
{
	size_t col;

	for (col = 0; col < t->n_cols; col++) {
		if (!strcmp(t->cols[col].key, key))
			return value(t, row, col);
	}
	return "-";
}

static int width(const struct table *t, size_t col)
{
	size_t w = strlen(t->cols[col].head), row;

	for (row = 0; row < t->n_rows; row++) {
		if (strlen(value(t, row, col)) > w)
			w = strlen(value(t, row, col));
	}
	return w;
}

static void print_padded(const struct table *t, size_t col, int w, const char *text)
{
	bool last = col + 1 == t->n_cols;

	if (t->cols[col].left)
		printf("%-*s%s", last ? 0 : w, text, last ? "\n" : "  ");
	else
		printf("%*s%s", w, text, last ? "\n" : "  ");
}

/**
 * table_print - for people
 * @t: the table
 */
void table_print(const struct table *t)
{
	size_t row, col;
	int w[t->n_cols];

	for (col = 0; col < t->n_cols; col++) {
		w[col] = width(t, col);
		print_padded(t, col, w[col], t->cols[col].head);
	}
	for (row = 0; row < t->n_rows; row++) {
		for (col = 0; col < t->n_cols; col++)
			print_padded(t, col, w[col], value(t, row, col));
	}
}

static void print_quoted(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			printf("\\u%04x", *s);
		else
			putchar(*s);
	}
	putchar('"');
}

/**
 * table_print_json - for programs: an array of objects; a cell without value is left out
 * @t: the table
 */
void table_print_json(const struct table *t)
{
	size_t row, col;
	const char *cell;
	bool first;

	printf("[");
	for (row = 0; row < t->n_rows; row++) {
		printf("%s{", row ? "," : "");
		first = true;
		for (col = 0; col < t->n_cols; col++) {
			cell = t->cell[row * t->n_cols + col];
			if (!cell)
				continue;
			printf("%s\"%s\":", first ? "" : ",", t->cols[col].key);
			first = false;
			if (t->cols[col].text)
				print_quoted(cell);
			else
				printf("%s", cell);
		}
		printf("}");
	}
	printf("]");
}

/**
 * table_free - give its memory back
 * @t: the table
 */
void table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->n_rows * t->n_cols; i++)
		free(t->cell[i]);
	free(t->cell);
}
