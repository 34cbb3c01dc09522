// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * monitor.c: reads the trace event smrc_packet in a trace instance of its own, which disturbs nobody else's tracing.
 * The kernel applies the filter. What a full buffer lost is counted and told.
 */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "monitor.h"
#include "table.h"

#define POLL_MS	20	/* between two looks at the buffers */

/* Values of fields that have names (trace.h) */
struct name {
	unsigned int	value;
	const char	*name;
};

static const struct name dirs[] = { { 0, "tx" }, { 1, "rtx" }, { 2, "rx" } };

static const struct name types[] = {
	{ 0xc0, "send_first" }, { 0xc1, "send_middle" }, { 0xc2, "send_last" }, { 0xc3, "send_last_imm" },
	{ 0xc4, "send_only" }, { 0xc5, "send_only_imm" }, { 0xc6, "write_first" }, { 0xc7, "write_middle" },
	{ 0xc8, "write_last" }, { 0xc9, "write_last_imm" }, { 0xca, "write_only" }, { 0xcb, "write_only_imm" },
	{ 0xd1, "tack" }, { 0xd8, "ep_request" }, { 0xd9, "ep_response" }, { 0xdc, "sack" }, { 0xdd, "nack" },
	{ 0xde, "probe" },
};

/* What is shown, in this order, after the time and the device */
static const struct shown {
	const char		*column;
	const char		*field;		/* of the trace event */
	const struct name	*names;
	size_t			n_names;
} shown[] = {
	{ "dir", "dir", dirs, ARRAY_SIZE(dirs) },
	{ "type", "opcode", types, ARRAY_SIZE(types) },
	{ "qpn", "qpn" },
	{ "psn", "psn" },
	{ "ev", "ev" },
	{ "size", "size" },
	{ "ecn", "ce" },
};

/* A value of @s in the filter's language, or -1 */
static long shown_value(const struct shown *s, const char *text)
{
	unsigned long value;
	char *end;
	size_t i;

	for (i = 0; i < s->n_names; i++) {
		if (!strcmp(text, s->names[i].name))
			return s->names[i].value;
	}
	value = strtoul(text, &end, 0);
	return s->n_names || !isdigit(text[0]) || *end || value > UINT32_MAX ? -1 : (long)value;
}

static int filter_add(struct monitor *m, const char *fmt, const char *field, const char *value)
{
	size_t used = strlen(m->filter), room = sizeof(m->filter) - used;
	int n = snprintf(m->filter + used, room, "%s%s == ", used ? " && " : "", field);

	if (n < 0 || (size_t)n >= room)
		return -ENOSPC;
	used += n;
	room -= n;
	n = snprintf(m->filter + used, room, fmt, value);
	return n < 0 || (size_t)n >= room ? -ENOSPC : 0;
}

static int filter_device(struct monitor *m, const char *dev)
{
	const char *c;

	for (c = dev; *c; c++) {
		if (!isalnum(*c) && !strchr("_-.", *c))
			return -EINVAL;
	}
	return *dev ? filter_add(m, "\"%s\"", "dev", dev) : -EINVAL;
}

static int number(const char *text, unsigned long *value)
{
	char *end;

	*value = strtoul(text, &end, 10);
	return !isdigit(text[0]) || *end || !*value || *value > UINT32_MAX ? -EINVAL : 0;
}

/**
 * monitor_word - take in NAME=VALUE from the command line
 * @m: what to show
 * @word: a column and what it must be, or "count" or "buffer"
 *
 * Returns 0, -EINVAL for what is no such word, -ENOSPC when there are too many.
 */
int monitor_word(struct monitor *m, const char *word)
{
	const char *text = strchr(word, '=');
	char value[16];
	size_t i, len;
	long v;

	if (!text)
		return -EINVAL;
	len = text++ - word;
	if (len == 3 && !strncmp(word, "dev", len))
		return filter_device(m, text);
	if (len == 5 && !strncmp(word, "count", len))
		return number(text, &m->count);
	if (len == 6 && !strncmp(word, "buffer", len))
		return number(text, &m->buffer_kib);
	for (i = 0; i < ARRAY_SIZE(shown); i++) {
		if (strlen(shown[i].column) != len || strncmp(word, shown[i].column, len))
			continue;
		v = shown_value(&shown[i], text);
		if (v < 0)
			return -EINVAL;
		snprintf(value, sizeof(value), "%ld", v);
		return filter_add(m, "%s", shown[i].field, value);
	}
	return -EINVAL;
}

/**
 * struct follow - a monitor at work
 * @m: what to show
 * @in: trace instance
 * @field: fields of the event, as in shown
 * @tracing: the event is on
 * @rows: rows printed
 * @lost: events that the buffer had no room for
 * @err: why the output fails, or 0
 */
struct follow {
	const struct monitor	*m;
	struct tracefs_instance	*in;
	struct tep_format_field	*field[ARRAY_SIZE(shown)];
	bool			tracing;
	unsigned long		rows;
	unsigned long long	lost;
	int			err;
};

static volatile sig_atomic_t told_to_stop;

static void on_signal(int sig)
{
	(void)sig;
	told_to_stop = 1;
}

static void stop_tracing(struct follow *f)
{
	if (f->tracing)
		tracefs_event_disable(f->in, "smrc", "smrc_packet");
	f->tracing = false;
}

static void check_output(struct follow *f)
{
	if (!f->err && ferror(stdout))
		f->err = -errno;
}

static bool enough(const struct follow *f)
{
	return f->err || (f->m->count && f->rows >= f->m->count);
}

static void print_value(const struct shown *s, unsigned long long value)
{
	size_t i;

	for (i = 0; i < s->n_names; i++) {
		if (s->names[i].value == value) {
			printf(",%s", s->names[i].name);
			return;
		}
	}
	printf(",%llu", value);
}

/* libtracefs drops what it has read when this returns other than 0: only when nothing more is wanted. */
static int on_packet(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct follow *f = context;
	unsigned long long value;
	const char *dev;
	size_t i;
	int len;

	(void)cpu;
	/* Nothing more comes then, and what is there is printed to its end. */
	if (told_to_stop)
		stop_tracing(f);
	if (enough(f))
		return 1;
	dev = tep_get_field_raw(NULL, event, "dev", record, &len, 0);
	printf("%llu.%09llu,%.*s", record->ts / 1000000000, record->ts % 1000000000, dev ? len : 0, dev ? dev : "");
	for (i = 0; i < ARRAY_SIZE(shown); i++) {
		if (tep_read_number_field(f->field[i], record->data, &value))
			value = 0;
		print_value(&shown[i], value);
	}
	putchar('\n');
	check_output(f);
	f->rows++;
	return 0;
}

static int on_missed(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct follow *f = context;

	(void)event;
	(void)cpu;
	f->lost += record->missed_events > 0 ? record->missed_events : 1;
	return 0;
}

static int find_fields(struct follow *f, struct tep_handle *tep)
{
	struct tep_event *event = tep_find_event_by_name(tep, "smrc", "smrc_packet");
	size_t i;

	if (!event)
		return -ENOENT;
	for (i = 0; i < ARRAY_SIZE(shown); i++) {
		f->field[i] = tep_find_field(event, shown[i].field);
		if (!f->field[i])
			return -EPROTO;
	}
	return 0;
}

static int start(struct follow *f, struct tep_handle *tep)
{
	int err = find_fields(f, tep);

	if (err)
		return err;
	tracefs_instance_file_write(f->in, "trace_clock", "mono");	/* one clock for all CPUs */
	if (tracefs_instance_set_buffer_size(f->in, f->m->buffer_kib, -1))
		return -errno;
	if (f->m->filter[0] &&
	    tracefs_instance_file_write(f->in, "events/smrc/smrc_packet/filter", f->m->filter) < 0)
		return -errno;
	if (tracefs_follow_event(tep, f->in, "smrc", "smrc_packet", on_packet, f) ||
	    tracefs_follow_missed_events(f->in, on_missed, f))
		return -errno;
	if (tracefs_event_enable(f->in, "smrc", "smrc_packet"))
		return -errno;
	f->tracing = true;
	return 0;
}

static void print_new(struct follow *f, struct tep_handle *tep)
{
	tracefs_iterate_raw_events(tep, f->in, NULL, 0, NULL, NULL);
	fflush(stdout);
	check_output(f);
}

/* Waits a little. Has the reader gone? */
static bool reader_left(void)
{
	struct pollfd reader = { .fd = STDOUT_FILENO };

	return poll(&reader, 1, POLL_MS) > 0 && (reader.revents & (POLLERR | POLLHUP));
}

static int follow(struct follow *f, struct tep_handle *tep)
{
	puts("time,dev,dir,type,qpn,psn,ev,size,ecn");
	check_output(f);
	while (!told_to_stop && !enough(f)) {
		print_new(f, tep);
		if (reader_left())
			return 0;
	}
	stop_tracing(f);
	if (!enough(f))
		print_new(f, tep);
	return f->err == -EPIPE ? 0 : f->err;
}

static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
}

/**
 * monitor_run - print a row for every packet until a signal comes, there were enough, or nobody reads any more
 * @m: what to show
 *
 * Returns 0 or a negative errno: -ENOENT when the module is not loaded, that of the output when it fails.
 */
int monitor_run(const struct monitor *m)
{
	static const char *const systems[] = { "smrc", NULL };
	struct follow f = { .m = m };
	struct tep_handle *tep;
	char name[32];
	int err;

	tep = tracefs_local_events_system(NULL, systems);
	if (!tep)
		return errno ? -errno : -ENOENT;
	catch_signals();
	snprintf(name, sizeof(name), "smrc-monitor-%d", (int)getpid());
	f.in = tracefs_instance_create(name);
	if (!f.in) {
		err = -errno;
		tep_free(tep);
		return err;
	}
	err = start(&f, tep);
	if (!err)
		err = follow(&f, tep);
	if (f.lost)
		fprintf(stderr, "smrc: %llu packets were lost: the reader was slow (buffer=KIB makes room)\n", f.lost);
	tracefs_instance_destroy(f.in);
	tracefs_instance_free(f.in);
	tep_free(tep);
	return err;
}
