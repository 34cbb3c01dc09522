// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * output.c: what a run says at its end. Every figure is a row of one list, which is printed as a table or as JSON.
 */
#include <linux/array_size.h>
#include <linux/minmax.h>
#include <stdio.h>

#include "endpoint.h"
#include "memory.h"

/* Sums that a mean and Jain's index are made of. */
struct sums {
	u64	n;
	double	sum;
	double	squares;
	double	min;
	double	max;
};

static void sums_add(struct sums *t, double x)
{
	t->min = t->n ? min(t->min, x) : x;
	t->max = t->n ? max(t->max, x) : x;
	t->sum += x;
	t->squares += x * x;
	t->n++;
}

static double sums_mean(const struct sums *t)
{
	return t->n ? t->sum / t->n : 0;
}

static double sums_jain(const struct sums *t)
{
	return t->squares ? t->sum * t->sum / (t->n * t->squares) : 0;
}

/* Of all flows together. */
struct totals {
	struct sums	goodput;	/* of each flow, Mbit/s */
	u64		end_ns;
	u64		placed;
	u64		dups;
	u64		bad;
	u64		failed;
};

static void totals_flow(struct totals *t, const struct sim *s, const struct sim_flow *f)
{
	double bits = (double)s->o.msgs * s->o.msg_bytes * 8;
	bool done = f->snd.done_ns && !f->snd.failed;

	sums_add(&t->goodput, done ? bits * 1000 / f->snd.done_ns : 0);
	t->end_ns = max(t->end_ns, f->snd.done_ns ?: s->now);
	t->placed += f->rcv.placed;
	t->dups += f->rcv.dups;
	t->bad += f->rcv.bad;
	t->failed += f->snd.failed;
}

/* Mark the leaves that have to send to, and to receive from, spines. */
static void leaves_used(const struct sim *s, bool *sends, bool *receives)
{
	u32 i, from, to;

	for (i = 0; i < s->n_flows; i++) {
		from = s->flow[i].src / s->net.hosts_leaf;
		to = s->flow[i].dst / s->net.hosts_leaf;
		if (from != to) {
			sends[from] = true;
			receives[to] = true;
		}
	}
}

/* What links to or from spines carried while all flows ran, as part of what they can carry. */
static void links_used(const struct sim *s, const bool *leaf, u32 first, struct sums *t)
{
	double can = (double)s->first_done_ns * SIM_PS / s->net.fabric.ps_byte;
	u32 i;

	for (i = 0; i < s->o.leaves * s->o.spines; i++) {
		if (leaf[i / s->o.spines] && s->first_done_ns)
			sums_add(t, s->at_first[first + i] / can);
	}
}

/* The link to a spine that was given most, against their mean. */
static double links_fullest(const struct sim *s, const bool *leaf)
{
	struct sums t = {};
	u32 i;

	for (i = 0; i < s->o.leaves * s->o.spines; i++) {
		if (leaf[i / s->o.spines])
			sums_add(&t, s->net.link[s->net.climb + i].bytes);
	}
	return t.sum ? t.max / sums_mean(&t) : 0;
}

/* A row of the result; @digits behind the point. */
struct row {
	const char	*name;
	double		value;
	int		digits;
	const char	*text;
};

static void print_rows(const struct row *row, u32 n, bool json)
{
	u32 i;

	for (i = 0; i < n; i++) {
		if (json)
			printf("%s\"%s\": %.*f", i ? ", " : "{", row[i].name, row[i].digits, row[i].value);
		else
			printf("%-40s %18.*f\n", row[i].text, row[i].digits, row[i].value);
	}
	if (json)
		printf("}\n");
}

/**
 * output() - print the result
 * @s: a run that is over
 * @wall_s: seconds that it took
 * @cpu_s: seconds of CPU that it took: less where others want the CPU as well
 */
void output(const struct sim *s, double wall_s, double cpu_s)
{
	bool *sends = memory_get(s->o.leaves, sizeof(*sends));
	bool *receives = memory_get(s->o.leaves, sizeof(*receives));
	struct sums up = {}, down = {};
	double ideal = ideal_ns(s);
	struct totals t = {};
	u32 i;

	for (i = 0; i < s->n_flows; i++)
		totals_flow(&t, s, &s->flow[i]);
	leaves_used(s, sends, receives);
	links_used(s, sends, s->net.climb, &up);
	links_used(s, receives, s->net.descend, &down);
	const struct row rows[] = {
		{ "hosts", s->o.hosts, 0, "hosts" },
		{ "flows", s->n_flows, 0, "flows" },
		{ "failed", t.failed, 0, "flows that gave up" },
		{ "unfinished", s->running, 0, "flows not done in time" },
		{ "completion_us", t.end_ns / 1e3, 3, "all done after, us" },
		{ "ideal_us", ideal / 1e3, 3, "ideal, us" },
		{ "ratio", t.end_ns / ideal, 4, "ratio of the two" },
		{ "goodput_min_mbps", t.goodput.min, 3, "goodput of a flow, least, Mbit/s" },
		{ "goodput_mean_mbps", sums_mean(&t.goodput), 3, "goodput of a flow, mean, Mbit/s" },
		{ "goodput_max_mbps", t.goodput.max, 3, "goodput of a flow, most, Mbit/s" },
		{ "jain_flows", sums_jain(&t.goodput), 4, "Jain's index over flows" },
		{ "up_utilisation", sums_mean(&up), 4, "links to spines, utilisation" },
		{ "up_jain", sums_jain(&up), 4, "links to spines, Jain's index" },
		{ "up_fullest", links_fullest(s, sends), 3, "links to spines, fullest against mean" },
		{ "down_utilisation", sums_mean(&down), 4, "links from spines, utilisation" },
		{ "down_jain", sums_jain(&down), 4, "links from spines, Jain's index" },
		{ "delivered_bytes", t.placed, 0, "payload delivered, bytes" },
		{ "bad_messages", t.bad, 0, "messages not as sent" },
		{ "packets", s->packets, 0, "data packets sent first" },
		{ "again", s->again, 0, "data packets sent again" },
		{ "in_vain", t.dups, 0, "data packets received twice" },
		{ "control", s->control, 0, "control packets sent" },
		{ "dropped", s->net.dropped, 0, "packets dropped by full queues" },
		{ "trimmed", s->net.trimmed, 0, "packets trimmed" },
		{ "marked", s->net.marked, 0, "packets marked" },
		{ "swallowed", s->net.swallowed, 0, "data packets swallowed by dead links" },
		{ "swallowed_control", s->net.swallowed_control, 0, "control packets swallowed by dead links" },
		{ "events", s->events, 0, "events" },
		{ "events_per_s", s->events / wall_s, 0, "events a second" },
		{ "events_per_cpu_s", s->events / cpu_s, 0, "events a second of CPU" },
		{ "wall_s", wall_s, 3, "seconds it took" },
		{ "memory_bytes", memory_peak(), 0, "memory, bytes" },
		{ "memory_per_host", memory_peak() / s->o.hosts, 0, "memory of a host, bytes" },
	};
	print_rows(rows, ARRAY_SIZE(rows), s->o.json);
	memory_put(sends);
	memory_put(receives);
}
