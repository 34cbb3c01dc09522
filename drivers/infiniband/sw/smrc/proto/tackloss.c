// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tackloss.c: which entropy value lost a transport ACK (ours; the specification has an end that only receives send a
 * probe each round trip instead).
 */
#include <linux/minmax.h>

#include "entropy.h"
#include "psn.h"
#include "tackloss.h"

/**
 * smrc_tackloss_init() - none sent yet
 * @t: to fill in
 */
void smrc_tackloss_init(struct smrc_tackloss *t)
{
	t->sent_ns = 0;
	t->msn = 0;
	t->next_psn = 0;
	t->slot = SMRC_EV_NO_SLOT;
	t->open = false;
}

/**
 * smrc_tackloss_sent() - a transport ACK is sent
 * @t: the latest so far, and from now on @next; the caller serialises
 * @next: the one that is sent, open
 * @r: round trips of this end
 *
 * Of the one before it is assumed that it arrived when there was the time of an RTO to ask for it, nobody did, and then
 * more was told. A requester that waits for it would have asked (smrc_rtt_quiet()), and to one that does not wait the
 * loss did no harm.
 *
 * Return: slot of the one before it, when that arrived; else SMRC_EV_NO_SLOT.
 */
u16 smrc_tackloss_sent(struct smrc_tackloss *t, const struct smrc_tackloss *next, const struct smrc_rtt *r)
{
	bool arrived = t->open && t->msn != next->msn && next->sent_ns >= t->sent_ns + smrc_rtt_rto_base(r, 0);
	u16 slot = arrived ? t->slot : SMRC_EV_NO_SLOT;

	*t = *next;
	return slot;
}

/**
 * smrc_tackloss_asked() - a question came
 * @t: the latest transport ACK; the caller serialises
 * @psn: PSN of the question, of which its sender knows nothing, or not that its message is done; see smrc_pto_psn()
 * @waited_ns: how long its sender waited at least: two round trips as he knows them, see smrc_rtt_quiet()
 * @r: round trips of this end, which has samples if it sends data
 * @now_ns: current time, ns
 *
 * If the latest transport ACK told that and did not cross the question, it was lost. Only the latest can be blamed: of
 * those before it nothing is known. One is blamed once.
 *
 * Return: true when it was lost, by the value of @t->slot.
 */
bool smrc_tackloss_asked(struct smrc_tackloss *t, u32 psn, u32 waited_ns, const struct smrc_rtt *r, u64 now_ns)
{
	u64 round_trip = max_t(u64, r->srtt, waited_ns / 2);

	if (!t->open || !smrc_psn_before(psn, t->next_psn) || now_ns < t->sent_ns + round_trip)
		return false;
	t->open = false;
	return true;
}
