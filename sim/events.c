// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * events.c: a tournament tree. A source whose time changes plays its matches again on the way to the root; the way ends
 * where it neither won before nor wins now, which for most is after few steps.
 */
#include <linux/limits.h>

#include "events.h"
#include "memory.h"

/**
 * events_init() - nothing happens yet
 * @e: to fill in
 * @sources: how many there are
 */
void events_init(struct events *e, u32 sources)
{
	u32 i;

	for (e->leaves = 2; e->leaves < sources; e->leaves *= 2)
		;
	e->time = memory_get(e->leaves, sizeof(*e->time));
	e->winner = memory_get(e->leaves, sizeof(*e->winner));
	for (i = 0; i < e->leaves; i++)
		e->time[i] = U64_MAX;
	for (i = e->leaves - 1; i; i--)
		e->winner[i] = 2 * i >= e->leaves ? 2 * i - e->leaves : e->winner[2 * i];
}

/**
 * events_free() - the opposite of events_init()
 * @e: the events
 */
void events_free(struct events *e)
{
	memory_put(e->time);
	memory_put(e->winner);
}

/**
 * events_set() - something happens at another time
 * @e: the events
 * @source: its source
 * @time: when, ns; U64_MAX: never
 */
void events_set(struct events *e, u32 source, u64 time)
{
	u32 node = (source + e->leaves) / 2;
	u32 left = source & ~1U, right = left + 1;
	u32 won, was;

	e->time[source] = time;
	for (;;) {
		won = e->time[right] < e->time[left] ? right : left;
		was = e->winner[node];
		e->winner[node] = won;
		if (node == 1 || (won != source && was != source))
			return;
		left = e->winner[node & ~1U];
		right = e->winner[node | 1];
		node /= 2;
	}
}
