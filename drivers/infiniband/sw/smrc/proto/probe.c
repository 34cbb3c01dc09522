// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * probe.c: which value to probe when, and what an answer says (seed 1, "Path feedback and probes").
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "probe.h"

/**
 * smrc_probe_init() - no probe sent yet; the first is due as soon as a value is bad
 * @p: to fill in
 * @period_ns: time between two probes, ns
 */
void smrc_probe_init(struct smrc_probe *p, u64 period_ns)
{
	memset(p, 0, sizeof(*p));
	p->period_ns = period_ns;
}

static u64 probe_period(const struct smrc_probe *p, const struct smrc_entropy *e)
{
	u32 patience = max(SMRC_PROBE_SILENCE, 8U * e->n);

	return p->period_ns << min(p->silent / patience + p->stretch, SMRC_PROBE_SLOWEST);
}

/**
 * smrc_probe_due() - whose turn is it to be probed?
 * @p: the schedule; the caller serialises
 * @e: the set of the peer
 * @now_ns: current time, ns
 *
 * Takes the turn: the next one is a period later and begins behind the value returned, whether or not the caller finds
 * room to send the probe (seed 1: a probe for which there is no room is not sent).
 *
 * Return: slot of a value assumed bad, or SMRC_EV_NO_SLOT when none is bad or the period is not over.
 */
u16 smrc_probe_due(struct smrc_probe *p, const struct smrc_entropy *e, u64 now_ns)
{
	u16 slot, i;

	if (!e->n_bad)
		p->stretch = 0;
	if (!e->n_bad || now_ns < p->next_ns)
		return SMRC_EV_NO_SLOT;

	for (i = 1; i <= e->n; i++) {
		slot = (p->cursor + i) % e->n;
		if (e->ev[slot].state != SMRC_EV_ASSUMED_BAD)
			continue;
		p->cursor = slot;
		if (p->silent < U16_MAX)
			p->silent++;
		p->next_ns = now_ns + probe_period(p, e);
		return slot;
	}
	return SMRC_EV_NO_SLOT;
}

/**
 * smrc_probe_heard() - the peer acknowledged something by whatever path, so it is there: only some of its paths are not
 * @p: the schedule; the caller serialises
 * @now_ns: current time, ns
 *
 * Return: true when the next probe is due sooner by that.
 */
bool smrc_probe_heard(struct smrc_probe *p, u64 now_ns)
{
	u64 soon = now_ns + (p->period_ns << p->stretch);

	p->silent = 0;
	if (p->next_ns <= soon)
		return false;
	p->next_ns = soon;
	return true;
}

/**
 * smrc_probe_sent() - remember a probe that is about to be sent
 * @p: the schedule; the caller serialises
 * @slot: slot of the value it goes out on, or SMRC_EV_NO_SLOT
 * @now_ns: current time, ns
 *
 * The probe SMRC_PROBE_RING before this one is forgotten.
 *
 * Return: the id of the probe, without SMRC_PROBE_QUESTION.
 */
u16 smrc_probe_sent(struct smrc_probe *p, u16 slot, u64 now_ns)
{
	u16 id = p->next_id;
	u32 i = id % SMRC_PROBE_RING;

	p->next_id = (id + 1) & ~SMRC_PROBE_QUESTION;
	if (p->sent_at_pace < U16_MAX)
		p->sent_at_pace++;
	p->sent[i].sent_ns = now_ns;
	p->sent[i].id = id;
	p->sent[i].slot = slot;
	p->sent[i].open = true;
	return id;
}

/*
 * An answer to a probe that is forgotten by now: the round trip takes longer than SMRC_PROBE_RING periods, and at this
 * pace none would ever be known. Answers to what was sent at the old pace tell that once only.
 */
static void probe_too_late(struct smrc_probe *p, u16 id)
{
	u16 age = (p->next_id - id) & ~SMRC_PROBE_QUESTION;

	if (id & SMRC_PROBE_QUESTION || p->stretch >= SMRC_PROBE_SLOWEST)
		return;
	if (age <= SMRC_PROBE_RING || age > p->sent_at_pace)
		return;
	p->stretch++;
	p->sent_at_pace = 0;
}

/**
 * smrc_probe_answer() - judge an answer
 * @p: the schedule; the caller serialises
 * @id: id that the answer carries; any number
 * @now_ns: current time, ns
 * @out: the verdict
 *
 * An answer closes its probe: a second one with the same id is not known any more. The slot comes from what was sent,
 * not from what the peer echoes, so that a peer cannot talk a value back into the rotation.
 */
void smrc_probe_answer(struct smrc_probe *p, u16 id, u64 now_ns, struct smrc_probe_answer *out)
{
	u32 i = id % SMRC_PROBE_RING;

	out->known = p->sent[i].open && p->sent[i].id == id;
	out->slot = SMRC_EV_NO_SLOT;
	out->rtt_ns = 0;
	p->silent = 0;
	if (!out->known) {
		probe_too_late(p, id);
		return;
	}

	p->sent[i].open = false;
	out->slot = p->sent[i].slot;
	if (now_ns > p->sent[i].sent_ns)
		out->rtt_ns = now_ns - p->sent[i].sent_ns;
}
