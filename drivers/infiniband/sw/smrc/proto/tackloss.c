// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tackloss.c: which entropy value lost a transport ACK (ours; the specification has an end that only receives send a
 * probe each round trip instead).
 *
 * Both rules want an age, smrc_rtt_crossed(): what is younger may be on its way still, so nothing is known of it.
 */
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
	t->slot = SMRC_EV_NO_SLOT;
	t->open = false;
}

/**
 * smrc_tackloss_sent() - a transport ACK is sent
 * @t: the latest so far; the caller serialises
 * @slot: slot of its entropy value, or SMRC_EV_NO_SLOT
 * @msn: messages it tells, 24 bits
 * @age_ns: age from which the one before it counts as arrived, ns
 * @now_ns: current time, ns
 *
 * Of one that was not missed for so long it is assumed that it arrived: a requester that waits for it would have asked,
 * and to one that does not wait the loss did no harm.
 *
 * Return: slot of the one before it, when that arrived; else SMRC_EV_NO_SLOT.
 */
u16 smrc_tackloss_sent(struct smrc_tackloss *t, u16 slot, u32 msn, u64 age_ns, u64 now_ns)
{
	u16 arrived = t->open && now_ns >= t->sent_ns + age_ns ? t->slot : SMRC_EV_NO_SLOT;

	t->sent_ns = now_ns;
	t->msn = msn;
	t->slot = slot;
	t->open = true;
	return arrived;
}

/**
 * smrc_tackloss_told() - was all told that a question is for?
 * @t: the latest transport ACK
 * @win: the receive window
 * @msgs: the messages
 * @psn: PSN of the question, see smrc_pto_psn()
 *
 * Return: true when what it asks for arrived, the messages that retired were told, and nothing came of another, of
 *	which SACKs would have told.
 */
bool smrc_tackloss_told(const struct smrc_tackloss *t, const struct smrc_rxwin *win, const struct smrc_rxmsgs *msgs,
			u32 psn)
{
	return smrc_psn_before(psn, win->next) && t->msn == msgs->next && smrc_rxmsgs_idle(msgs);
}

/**
 * smrc_tackloss_asked() - a question came for what was told: smrc_tackloss_told()
 * @t: the latest; the caller serialises
 * @age_ns: age from which it counts as lost, ns
 * @now_ns: current time, ns
 *
 * Only the latest can be blamed: of those before it nothing is known. One is blamed once.
 *
 * Return: true when it was lost, by the value of @t->slot.
 */
bool smrc_tackloss_asked(struct smrc_tackloss *t, u64 age_ns, u64 now_ns)
{
	if (!t->open || now_ns < t->sent_ns + age_ns)
		return false;
	t->open = false;
	return true;
}
