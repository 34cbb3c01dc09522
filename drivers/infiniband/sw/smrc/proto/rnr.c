// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rnr.c: the receiver was not ready (IBTA 9.7.5.2.8; ibv_modify_qp(3)).
 *
 *	not waiting --- a packet is refused, retries left ---> waiting until the receiver's timer is over
 *	waiting     --- the time is over ---> trying: one packet at a time
 *	waiting     --- the refused packet arrived by another copy ---> not waiting
 *	trying      --- anything arrives ---> not waiting
 *	trying      --- refused again, retries left ---> waiting
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "rnr.h"

#define RNR_CODE_MASK	31	/* codes have 5 bits */
#define RNR_UNIT_NS	10000U	/* the RNR timer counts in units of 0.01 ms */

/* RNR NAK timer codes in units of 0.01 ms (IBTA 9.7.5.2.8, table 45). */
static const u32 rnr_units[RNR_CODE_MASK + 1] = {
	65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
	256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
};

/**
 * smrc_rnr_ns() - how long a requester waits after an RNR NAK (IBTA 9.7.5.2.8, table 45)
 * @code: attribute min_rnr_timer, or the code from the wire; only its low 5 bits count
 *
 * Return: 10 us .. 655.36 ms, in ns.
 */
u64 smrc_rnr_ns(u8 code)
{
	return (u64)rnr_units[code & RNR_CODE_MASK] * RNR_UNIT_NS;
}

/**
 * smrc_rnr_init() - take over the attribute of a QP that waits for nothing
 * @r: to fill in
 * @rnr_retry: attribute rnr_retry, 0..7; SMRC_RNR_INFINITE never ends
 */
void smrc_rnr_init(struct smrc_rnr *r, u8 rnr_retry)
{
	memset(r, 0, sizeof(*r));
	r->retry = min_t(u8, rnr_retry, SMRC_RNR_INFINITE);
	r->left = r->retry;
}

/**
 * smrc_rnr_refused() - the receiver was not ready for a packet in flight
 * @r: state of the QP; the caller serialises
 * @psn: the packet
 * @sent_ns: when it was last sent
 * @code: how long the receiver wants to be left alone
 * @now_ns: current time, ns
 *
 * The packets of a window are refused one by one; what was sent before the latest wait was over tells nothing new and
 * uses up no retry.
 *
 * Return: what to do.
 */
enum smrc_rnr_verdict smrc_rnr_refused(struct smrc_rnr *r, u32 psn, u64 sent_ns, u8 code, u64 now_ns)
{
	if (r->until || sent_ns < r->over)
		return SMRC_RNR_OLD;
	if (r->retry != SMRC_RNR_INFINITE) {
		if (!r->left)
			return SMRC_RNR_EXCEEDED;
		r->left--;
	}
	r->until = now_ns + smrc_rnr_ns(code);
	r->over = r->until;
	r->psn = psn;
	r->trying = true;
	r->trial = psn;
	return SMRC_RNR_WAIT;
}

/**
 * smrc_rnr_arrived() - packets newly arrived at the receiver
 * @r: state of the QP; the caller serialises
 * @refused_too: the one that was refused last is among them: another copy of it found a receive request
 */
void smrc_rnr_arrived(struct smrc_rnr *r, bool refused_too)
{
	if (refused_too)
		r->until = 0;
	/* While it waits, what arrives was sent before, and says nothing of the receiver's requests. */
	if (!r->until)
		r->trying = false;
}

/**
 * smrc_rnr_done() - a message is done: the next one has all its retries
 * @r: state of the QP; the caller serialises
 */
void smrc_rnr_done(struct smrc_rnr *r)
{
	r->left = r->retry;
}

/**
 * smrc_rnr_expired() - is a wait over by now?
 * @r: state of the QP; the caller serialises
 * @now_ns: current time, ns
 *
 * Return: true once, when it is.
 */
bool smrc_rnr_expired(struct smrc_rnr *r, u64 now_ns)
{
	if (!r->until || now_ns < r->until)
		return false;
	r->until = 0;
	return true;
}

/**
 * smrc_rnr_sent() - a packet goes out
 * @r: state of the QP; the caller serialises
 * @psn: the packet
 */
void smrc_rnr_sent(struct smrc_rnr *r, u32 psn)
{
	r->trial = psn;
}

/**
 * smrc_rnr_room() - how many packets may be sent
 * @r: state of the QP
 * @trial_flies: r->trial is in flight: a packet refused is not, until it is sent again. Not asked of others, which may
 *	have been sent before the wait and vanished
 * @room: how many more the congestion window allows
 *
 * Return: 0 .. @room.
 */
u32 smrc_rnr_room(const struct smrc_rnr *r, bool trial_flies, u32 room)
{
	if (r->until)
		return 0;
	if (!r->trying)
		return room;
	return trial_flies ? 0 : min(room, 1U);
}
