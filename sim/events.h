/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * events.h: what happens next. Everything that can happen has a source (a link, a queue pair, a peer) with a number and
 * one time of its own, so there is nothing to allocate and at most one entry for a link, however many packets it holds.
 */
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include <linux/types.h>

/**
 * struct events - a tournament of all sources for the earliest time
 * @leaves: sources there is room for, a power of two
 * @time: time of each source, ns; U64_MAX: nothing
 * @winner: winner of the match at each inner node; 1 is the root, children of i are 2 i and 2 i + 1
 */
struct events {
	u32	leaves;
	u64	*time;
	u32	*winner;
};

void events_init(struct events *e, u32 sources);
void events_free(struct events *e);
void events_set(struct events *e, u32 source, u64 time);

/**
 * events_next() - the source whose turn it is
 * @e: the events
 *
 * Return: its number; of several at the same time the lowest, so that a run is the same every time.
 */
static inline u32 events_next(const struct events *e)
{
	return e->winner[1];
}

#endif /* SIM_EVENTS_H */
