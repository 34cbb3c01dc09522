// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * top.c: looks at counters, peers and entropy values, and prints what changed since the look before.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "dump.h"
#include "top.h"

/* Counters that become rates, and the columns they are shown in */
static const struct rate {
	const char	*counter;
	struct column	col;
	double		scale;	/* of a unit in the column */
} rates[] = {
	{ "tx_bytes", { "TX-MIB/S", "tx_mib_s" }, 1 << 20 },
	{ "rx_bytes", { "RX-MIB/S", "rx_mib_s" }, 1 << 20 },
	{ "tx_data_pkts", { "TX-PKT/S", "tx_pkt_s" }, 1 },
	{ "tx_rtx_pkts", { "RTX/S", "rtx_s" }, 1 },
	{ "rx_data_pkts", { "RX-PKT/S", "rx_pkt_s" }, 1 },
	{ "rx_duplicates", { "DUP/S", "dup_s" }, 1 },
	{ "rx_ecn_echoes", { "MARKS/S", "marks_s" }, 1 },
	{ "total_probe_pkts_tx", { "PROBES/S", "probes_s" }, 1 },
};

#define N_RATES	ARRAY_SIZE(rates)

/**
 * struct look - one look
 * @at: when, seconds
 * @devs: devices
 * @n_devs: how many
 * @counters: of each device, as in rates
 * @peers: all peers
 * @evs: all values
 */
struct look {
	double		at;
	char		**devs;
	int		n_devs;
	uint64_t	(*counters)[N_RATES];
	struct table	peers;
	struct table	evs;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void look_free(struct look *l)
{
	int i;

	for (i = 0; i < l->n_devs; i++)
		free(l->devs[i]);
	free(l->devs);
	free(l->counters);
	dump_table_free(&l->peers);
	dump_table_free(&l->evs);
}

static int look_at(struct look *l, int i)
{
	size_t k;
	int err;

	for (k = 0; k < N_RATES; k++)
		device_counter(l->devs[i], rates[k].counter, &l->counters[i][k]);
	err = dump_run(&dump_peers, l->devs[i], NULL, &l->peers);
	if (!err)
		err = dump_run(&dump_evs, l->devs[i], NULL, &l->evs);
	return err;
}

static int look_devices(struct look *l, const char *dev)
{
	if (!dev)
		return device_list(&l->devs);
	l->devs = calloc(1, sizeof(*l->devs));
	if (!l->devs)
		return -ENOMEM;
	l->devs[0] = strdup(dev);
	return l->devs[0] ? 1 : -ENOMEM;
}

static int look(struct look *l, const char *dev)
{
	int err = 0, i;

	memset(l, 0, sizeof(*l));
	dump_table_init(&dump_peers, &l->peers);
	dump_table_init(&dump_evs, &l->evs);
	l->at = now();
	l->n_devs = look_devices(l, dev);
	if (l->n_devs < 0) {
		err = l->n_devs;
		l->n_devs = 0;
		return err;
	}
	l->counters = calloc(l->n_devs + 1, sizeof(*l->counters));
	if (!l->counters)
		return -ENOMEM;
	for (i = 0; i < l->n_devs && !err; i++) {
		err = look_at(l, i);
		/* It may have gone since it was listed; not if it was asked for */
		if (err == -ENODEV && !dev)
			err = 0;
	}
	return err;
}

static int find_device(const struct look *l, const char *dev)
{
	int i;

	for (i = 0; i < l->n_devs; i++) {
		if (!strcmp(l->devs[i], dev))
			return i;
	}
	return -1;
}

/* A device that was deleted and added again counts from 0. */
static double rate(uint64_t was, uint64_t is, double seconds)
{
	return (is < was ? is : is - was) / seconds;
}

static void device_rows(const struct look *old, const struct look *new, struct table *t)
{
	double seconds = new->at - old->at;
	int i, was;
	size_t k;

	for (i = 0; i < new->n_devs; i++) {
		was = find_device(old, new->devs[i]);
		table_row(t);
		table_cell(t, 0, "%s", new->devs[i]);
		for (k = 0; was >= 0 && k < N_RATES; k++)
			table_cell(t, 1 + k, "%.1f",
				   rate(old->counters[was][k], new->counters[i][k], seconds) / rates[k].scale);
	}
}

/* A row of values is the same one as before when it tells of the same value. */
static bool same_value(const struct table *a, const struct table *b, size_t row)
{
	static const char *const keys[] = { "dev", "remote", "ev" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (row >= a->n_rows || strcmp(table_get(a, row, keys[i]), table_get(b, row, keys[i])))
			return false;
	}
	return true;
}

/* Packets sent on a value between two looks */
static unsigned long sent_since(const struct look *old, const struct look *new, size_t row)
{
	unsigned long sent = strtoul(table_get(&new->evs, row, "sent"), NULL, 10);

	if (!same_value(&old->evs, &new->evs, row))
		return sent;
	return (uint32_t)(sent - strtoul(table_get(&old->evs, row, "sent"), NULL, 10));
}

static bool of_peer(const struct look *l, size_t value, size_t peer)
{
	return !strcmp(table_get(&l->evs, value, "dev"), table_get(&l->peers, peer, "dev")) &&
	       !strcmp(table_get(&l->evs, value, "remote"), table_get(&l->peers, peer, "remote"));
}

static void print_value(const char *state, unsigned long sent, unsigned long most, bool colour)
{
	static const char shades[] = " .:-=+*#";
	const char *on = "", *off = colour ? "\033[0m" : "";
	char c = shades[most ? (sent * (sizeof(shades) - 2) + most - 1) / most : 0];

	if (!strcmp(state, "assumed_bad")) {
		on = colour ? "\033[31m" : "";
		c = 'x';
	} else if (!strcmp(state, "skip")) {
		on = colour ? "\033[33m" : "";
	}
	printf("%s%c%s", on, c, *on ? off : "");
}

/* A character for each value in the order of the rotation: how much it carried, or that it is assumed bad */
static void print_values(const struct look *old, const struct look *new, size_t peer, bool colour)
{
	unsigned long most = 0, sent;
	size_t i;

	for (i = 0; i < new->evs.n_rows; i++) {
		sent = of_peer(new, i, peer) ? sent_since(old, new, i) : 0;
		most = sent > most ? sent : most;
	}
	printf("  |");
	for (i = 0; i < new->evs.n_rows; i++) {
		if (of_peer(new, i, peer))
			print_value(table_get(&new->evs, i, "state"), sent_since(old, new, i), most, colour);
	}
	printf("|\n");
}

static void print_people(const struct look *old, const struct look *new, const struct table *devices)
{
	bool terminal = isatty(STDOUT_FILENO), colour = terminal && !getenv("NO_COLOR");
	size_t i;

	if (terminal)
		printf("\033[H\033[J");
	table_print(devices);
	for (i = 0; i < new->peers.n_rows; i++) {
		printf("\n%s to %s: %s, %s QPs, base RTT %s us, %s values, %s bad\n", table_get(&new->peers, i, "dev"),
		       table_get(&new->peers, i, "remote"), table_get(&new->peers, i, "policy"),
		       table_get(&new->peers, i, "qps"), table_get(&new->peers, i, "base_rtt_us"),
		       table_get(&new->peers, i, "values"), table_get(&new->peers, i, "bad"));
		print_values(old, new, i, colour);
	}
	if (!terminal)
		putchar('\n');
}

static void print_programs(const struct look *old, const struct look *new, const struct table *devices)
{
	printf("{\"seconds\":%.3f,\"devices\":", new->at - old->at);
	table_print_json(devices);
	printf(",\"peers\":");
	table_print_json(&new->peers);
	printf(",\"values\":");
	table_print_json(&new->evs);
	printf("}\n");
}

static void print_change(const struct top *top, const struct look *old, const struct look *new)
{
	struct column cols[1 + N_RATES] = { { "DEV", "dev", true, true } };
	struct table devices;
	size_t k;

	for (k = 0; k < N_RATES; k++)
		cols[1 + k] = rates[k].col;
	table_init(&devices, cols, ARRAY_SIZE(cols));
	device_rows(old, new, &devices);
	if (top->json)
		print_programs(old, new, &devices);
	else
		print_people(old, new, &devices);
	table_free(&devices);
	fflush(stdout);
}

/**
 * top_word - take in a word from the command line
 * @top: what to show
 * @word: a device, interval=SECONDS or count=N
 *
 * Return: 0, or -EINVAL for what is none of them.
 */
int top_word(struct top *top, const char *word)
{
	char *end = NULL;

	if (!strncmp(word, "interval=", 9)) {
		top->interval = strtod(word + 9, &end);
		return *end || !(top->interval >= 0.1 && top->interval <= 3600) ? -EINVAL : 0;
	}
	if (!strncmp(word, "count=", 6)) {
		top->count = strtoul(word + 6, &end, 10);
		return *end || word[6] == '-' || !top->count ? -EINVAL : 0;
	}
	if (top->dev || strchr(word, '='))
		return -EINVAL;
	top->dev = word;
	return 0;
}

/**
 * top_run - look and print until there were enough, or nobody reads any more
 * @top: what to show
 *
 * The family must be open (dump_open()).
 *
 * Return: 0 or a negative errno.
 */
int top_run(const struct top *top)
{
	const struct timespec pause = { top->interval, (top->interval - (time_t)top->interval) * 1e9 };
	struct look old, new;
	unsigned long n;
	int err = look(&old, top->dev);

	for (n = 0; !err && !ferror(stdout) && (!top->count || n < top->count); n++) {
		nanosleep(&pause, NULL);
		err = look(&new, top->dev);
		if (!err)
			print_change(top, &old, &new);
		look_free(&old);
		old = new;
	}
	look_free(&old);
	return err;
}
