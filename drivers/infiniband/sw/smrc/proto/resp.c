// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * resp.c: responses that a QP owes.
 *
 * A requester may have no more requests open than it was told (IBTA 9.4.4, max_dest_rd_atomic); one that is answered
 * counts until its response is acknowledged, which the requester need not know, so the table has room for more. What
 * finds no room is not accepted, and comes again.
 */
#include <linux/string.h>

#include "psn.h"
#include "resp.h"

/**
 * smrc_resps_init() - none owed; the first request is number 0
 * @t: to fill in
 * @resp: memory for @size entries; stays the caller's
 * @size: power of two, at most 2^15, or 0
 */
void smrc_resps_init(struct smrc_resps *t, struct smrc_resp *resp, u32 size)
{
	memset(t, 0, sizeof(*t));
	if (size)
		memset(resp, 0, size * sizeof(*resp));
	t->resp = resp;
	t->size = size;
}

/**
 * smrc_resps_arrived() - a request came, maybe before others
 * @t: the table
 * @number: number it claims, any
 *
 * Return: its entry, used from now on, for the caller to fill in; NULL when there is no room, or it was there before.
 */
struct smrc_resp *smrc_resps_arrived(struct smrc_resps *t, u16 number)
{
	u16 ahead = number - (u16)t->acked;
	struct smrc_resp *r;

	if (ahead >= t->size)
		return NULL;
	r = smrc_resps_at(t, number);
	if (r->used)
		return NULL;
	r->used = true;
	return r;
}

/**
 * smrc_resps_ready() - a request retires: its response may begin
 * @t: the table
 * @number: number it claims, any
 * @msn: its message number, 24 bits
 *
 * Return: its entry; NULL when it is not the one that follows, so that the requester counts wrongly.
 */
struct smrc_resp *smrc_resps_ready(struct smrc_resps *t, u16 number, u32 msn)
{
	struct smrc_resp *r;

	if (!t->size || number != (u16)t->ready || t->ready - t->acked >= t->size)
		return NULL;
	r = smrc_resps_at(t, number);
	if (!r->used)
		return NULL;
	r->msn = msn;
	t->ready++;
	return r;
}

/**
 * smrc_resps_next() - the response of which a packet is to be sent next
 * @t: the table
 *
 * Return: its entry; NULL when there is none, or it is refused.
 */
struct smrc_resp *smrc_resps_next(const struct smrc_resps *t)
{
	struct smrc_resp *r;

	if (t->next == t->ready)
		return NULL;
	r = smrc_resps_at(t, t->next);
	return r->syndrome ? NULL : r;
}

/**
 * smrc_resps_sent() - a packet of the response that is being sent was sent the first time
 * @t: the table; smrc_resps_next() told one
 * @len: its payload, bytes
 * @last: it was the last one
 * @psn: its PSN
 */
void smrc_resps_sent(struct smrc_resps *t, u32 len, bool last, u32 psn)
{
	struct smrc_resp *r = smrc_resps_at(t, t->next);

	r->off += len;
	if (!last)
		return;
	r->last_psn = psn;
	t->next++;
}

/**
 * smrc_resps_acked() - packets were acknowledged: forget responses that need not be sent again
 * @t: the table
 * @una: oldest PSN not acknowledged
 */
void smrc_resps_acked(struct smrc_resps *t, u32 una)
{
	struct smrc_resp *r;

	while (t->acked != t->next) {
		r = smrc_resps_at(t, t->acked);
		if (!smrc_psn_before(r->last_psn, una))
			return;
		memset(r, 0, sizeof(*r));
		t->acked++;
	}
}

/**
 * smrc_resps_refused() - is it the turn of a response that cannot be given?
 * @t: the table
 *
 * Those before it are to reach the requester first: it completes in order (IBTA 9.9.3).
 *
 * Return: its entry, or NULL.
 */
struct smrc_resp *smrc_resps_refused(const struct smrc_resps *t)
{
	struct smrc_resp *r;

	if (t->acked == t->ready)
		return NULL;
	r = smrc_resps_at(t, t->acked);
	return r->syndrome ? r : NULL;
}

/**
 * smrc_resps_blocked() - is the latest request whose turn came refused?
 * @t: the table
 *
 * Return: true when it is: nothing behind it may retire.
 */
bool smrc_resps_blocked(const struct smrc_resps *t)
{
	return smrc_resps_owed(t) && smrc_resps_at(t, t->ready - 1)->syndrome;
}
