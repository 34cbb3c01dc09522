// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tackloss.c: which entropy value lost a transport ACK (ours; the specification has an end that only receives send a
 * probe each round trip instead).
 */
#include "entropy.h"
#include "tackloss.h"

/**
 * smrc_tackloss_init() - none sent yet
 * @t: to fill in
 */
void smrc_tackloss_init(struct smrc_tackloss *t)
{
	t->sent_ns = 0;
	t->slot = SMRC_EV_NO_SLOT;
}

/**
 * smrc_tackloss_sent() - a transport ACK is sent
 * @t: the latest so far; the caller serialises
 * @slot: slot of its entropy value, or SMRC_EV_NO_SLOT
 * @now_ns: current time, ns
 */
void smrc_tackloss_sent(struct smrc_tackloss *t, u16 slot, u64 now_ns)
{
	t->sent_ns = now_ns;
	t->slot = slot;
}

/**
 * smrc_tackloss_asked() - the requester does not know what the latest transport ACK tells
 * @t: the latest; the caller serialises
 * @base_rtt_ns: base RTT of the peer, ns
 * @now_ns: current time, ns
 *
 * When it asks less than a round trip after the transport ACK was sent, the two may have crossed. Only the latest can
 * be blamed: of those before it nothing is known. One is blamed once.
 *
 * Return: the slot that lost it; SMRC_EV_NO_SLOT when that cannot be told.
 */
u16 smrc_tackloss_asked(struct smrc_tackloss *t, u64 base_rtt_ns, u64 now_ns)
{
	u16 slot = t->slot;

	if (now_ns < t->sent_ns + base_rtt_ns)
		return SMRC_EV_NO_SLOT;
	t->slot = SMRC_EV_NO_SLOT;
	return slot;
}
