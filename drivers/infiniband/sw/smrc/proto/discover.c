// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * discover.c: does a peer speak MRC? (OCP MRC 1.0 7.4.7; the use for discovery is ours)
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "discover.h"

/**
 * smrc_discover_init() - nothing known; the first request is due at once
 * @d: to fill in
 * @now_ns: current time, ns
 */
void smrc_discover_init(struct smrc_discover *d, u64 now_ns)
{
	memset(d, 0, sizeof(*d));
	d->mpr = 1;
	d->next_ns = now_ns;
}

/**
 * smrc_discover_due() - is it time to send a request?
 * @d: what is known; the caller serialises
 * @now_ns: current time, ns
 *
 * Requests go on after the peer is proven by its packets, until it has told its capabilities.
 *
 * Return: true when a request is to be sent now.
 */
bool smrc_discover_due(const struct smrc_discover *d, u64 now_ns)
{
	return !d->answered && now_ns >= d->next_ns;
}

/**
 * smrc_discover_sent() - a request was sent (or dropped on the way out): wait twice as long as before
 * @d: what is known; the caller serialises
 * @now_ns: current time, ns
 */
void smrc_discover_sent(struct smrc_discover *d, u64 now_ns)
{
	u64 wait = SMRC_DISCOVER_FIRST_NS;
	u32 i;

	for (i = 0; i < d->tries && wait < SMRC_DISCOVER_MAX_NS; i++)
		wait *= 2;
	if (d->tries < U32_MAX)
		d->tries++;
	if (!d->answered)
		d->next_ns = now_ns + min(wait, SMRC_DISCOVER_MAX_NS);
}

/**
 * smrc_discover_proof() - a packet that only an MRC endpoint sends came from the peer
 * @d: what is known; the caller serialises
 *
 * Return: true when the peer was not proven before.
 */
bool smrc_discover_proof(struct smrc_discover *d)
{
	bool news = !d->proven;

	d->proven = true;
	return news;
}

/**
 * smrc_discover_answer() - the peer told what it can do
 * @d: what is known; the caller serialises
 * @caps: SMRC_CAP_* word, 0 from a plain MRC 1.0 endpoint
 * @mpr: its receive window in units of SMRC_MPR_UNIT; 0, not told, counts as 1
 *
 * A later answer replaces an earlier one: the peer may have been set up anew.
 *
 * Return: true when this says something that was not known.
 */
bool smrc_discover_answer(struct smrc_discover *d, u32 caps, u8 mpr)
{
	bool news;

	mpr = max_t(u8, mpr, 1);
	news = !d->answered || d->caps != caps || d->mpr != mpr;
	d->proven = true;
	d->answered = true;
	d->caps = caps;
	d->mpr = mpr;
	d->next_ns = U64_MAX;
	return news;
}
