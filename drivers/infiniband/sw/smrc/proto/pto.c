// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * pto.c: when to ask the peer what arrived, and about which PSN.
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "psn.h"
#include "pto.h"

#define PTO_ASKED_MAX	16	/* the wait does not double any more */

/**
 * smrc_pto_init() - nothing asked yet
 * @p: to fill in
 * @first: where ids begin, any number: another one each time, so that late answers from before are not known
 */
void smrc_pto_init(struct smrc_pto *p, u16 first)
{
	memset(p, 0, sizeof(*p));
	p->inflight_at = U64_MAX;
	p->untold_at = U64_MAX;
	p->id = first | SMRC_PROBE_QUESTION;
	p->slot = SMRC_EV_NO_SLOT;
}

/**
 * smrc_pto_moved() - something was sent or acknowledged: what is in flight is waited for anew
 * @p: the questions; the caller serialises
 */
void smrc_pto_moved(struct smrc_pto *p)
{
	p->inflight_at = U64_MAX;
	p->inflight_asked = false;
}

/**
 * smrc_pto_told() - the oldest message is done: the transport ACK of the next one is waited for anew
 * @p: the questions; the caller serialises
 */
void smrc_pto_told(struct smrc_pto *p)
{
	p->untold_at = U64_MAX;
	p->untold_asked = 0;
}

/* The wait for the first question for a transport ACK, or for the next when one was not answered. */
static u64 pto_patience(const struct smrc_pto *p, const struct smrc_rtt *r, u64 base_rtt_ns)
{
	if (!p->untold_asked)
		return smrc_rtt_quiet(r, base_rtt_ns);
	return min(smrc_rtt_rto(r, base_rtt_ns) << (p->untold_asked - 1), r->rto_max);
}

/**
 * smrc_pto_update() - reckon when to ask, by what is waited for now
 * @p: the questions; the caller serialises
 * @wait: what is waited for
 * @r: round trips
 * @base_rtt_ns: base RTT of the peer, ns
 * @now_ns: current time, ns
 *
 * For packets in flight once is enough: the RTO sends one again, and that draws an answer. When all of the oldest
 * message arrived and yet it is not told, nothing else would; so that is asked for again and again, ever more slowly,
 * and whatever else moves meanwhile: what follows may be long.
 */
void smrc_pto_update(struct smrc_pto *p, struct smrc_pto_wait wait, const struct smrc_rtt *r, u64 base_rtt_ns,
		     u64 now_ns)
{
	if (!wait.inflight || p->inflight_asked)
		p->inflight_at = U64_MAX;
	else if (p->inflight_at == U64_MAX)
		p->inflight_at = now_ns + smrc_rtt_quiet(r, base_rtt_ns);

	if (!wait.untold)
		smrc_pto_told(p);
	else if (p->untold_at == U64_MAX)
		p->untold_at = now_ns + pto_patience(p, r, base_rtt_ns);
}

/**
 * smrc_pto_psn() - the PSN of a question
 * @sb: the scoreboard
 * @wait: what is waited for
 *
 * Return: the oldest PSN of which nothing was heard; the one before it, which arrived, when a transport ACK is missed.
 */
u32 smrc_pto_psn(const struct smrc_sb *sb, struct smrc_pto_wait wait)
{
	return smrc_psn_add(sb->una, wait.untold ? -1 : 0);
}

/**
 * smrc_pto_sent() - a question is about to be sent
 * @p: the questions; the caller serialises
 * @slot: slot of its entropy value, or SMRC_EV_NO_SLOT
 * @now_ns: current time, ns
 *
 * It speaks for all that is waited for. The one before it is forgotten: what its answer acknowledges counts all the
 * same.
 *
 * Return: the id of the probe, with SMRC_PROBE_QUESTION.
 */
u16 smrc_pto_sent(struct smrc_pto *p, u16 slot, u64 now_ns)
{
	p->id = (p->id + 1) | SMRC_PROBE_QUESTION;
	p->slot = slot;
	p->sent_ns = now_ns;
	p->open = true;
	p->inflight_at = U64_MAX;
	p->inflight_asked = true;
	if (now_ns >= p->untold_at && p->untold_asked < PTO_ASKED_MAX)
		p->untold_asked++;
	p->untold_at = U64_MAX;
	return p->id;
}

/**
 * smrc_pto_answer() - judge the answer to a question
 * @p: the questions; the caller serialises
 * @id: id that the answer carries; any number
 * @now_ns: current time, ns
 * @out: the verdict
 *
 * As smrc_probe_answer(). It does not end the back-off of the RTO: that the peer answers does not say that data gets
 * through, and if it did, the answer acknowledges it.
 */
void smrc_pto_answer(struct smrc_pto *p, u16 id, u64 now_ns, struct smrc_probe_answer *out)
{
	out->known = p->open && p->id == id;
	out->slot = SMRC_EV_NO_SLOT;
	out->rtt_ns = 0;
	if (!out->known)
		return;
	p->open = false;
	out->slot = p->slot;
	if (now_ns > p->sent_ns)
		out->rtt_ns = now_ns - p->sent_ns;
}
