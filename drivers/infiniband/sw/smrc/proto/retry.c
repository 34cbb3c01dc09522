// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * retry.c: how long a QP tries before it gives up (IBTA 9.7.6.1.3, 9.7.5.2.8; ibv_modify_qp(3)).
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "retry.h"

#define RETRY_CODE_MASK		31	/* codes of both timers have 5 bits */
#define RETRY_CNT_MASK		7
#define RETRY_TICK_NS		4096ULL	/* local ACK timeout of code 0 if it were not "infinite" */
#define RNR_UNIT_NS		10000U	/* the RNR timer counts in units of 0.01 ms */

/* RNR NAK timer codes in units of 0.01 ms (IBTA 9.7.5.2.8, table 45). */
static const u32 rnr_units[RETRY_CODE_MASK + 1] = {
	65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192,
	256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
};

/**
 * smrc_retry_timeout_ns() - the local ACK timeout of a code (IBTA 9.7.6.1.3)
 * @code: attribute timeout; only its low 5 bits count
 *
 * Return: 4.096 us * 2^@code in ns, or 0 for code 0: no timeout.
 */
u64 smrc_retry_timeout_ns(u8 code)
{
	code &= RETRY_CODE_MASK;
	return code ? RETRY_TICK_NS << code : 0;
}

/**
 * smrc_retry_rnr_ns() - how long a requester waits after an RNR NAK (IBTA 9.7.5.2.8, table 45)
 * @code: attribute min_rnr_timer, or the code from the wire; only its low 5 bits count
 *
 * Return: 10 us .. 655.36 ms, in ns.
 */
u64 smrc_retry_rnr_ns(u8 code)
{
	return (u64)rnr_units[code & RETRY_CODE_MASK] * RNR_UNIT_NS;
}

/**
 * smrc_retry_init() - take over the attributes of a QP
 * @r: to fill in
 * @timeout_code: attribute timeout
 * @retry_cnt: attribute retry_cnt, 0..7; 7 is an ordinary count
 * @rnr_retry: attribute rnr_retry, 0..7; SMRC_RNR_INFINITE never ends
 */
void smrc_retry_init(struct smrc_retry *r, u8 timeout_code, u8 retry_cnt, u8 rnr_retry)
{
	memset(r, 0, sizeof(*r));
	r->timeout = smrc_retry_timeout_ns(timeout_code);
	r->retry_cnt = retry_cnt & RETRY_CNT_MASK;
	r->rnr_retry = rnr_retry & RETRY_CNT_MASK;
	r->rnr_left = r->rnr_retry;
}

/**
 * smrc_retry_heard() - packets arrived at the peer that had not
 * @r: give-up state; the caller serialises
 * @now: current time, ns
 *
 * The path works, so the transport deadline starts anew; but the RNR retries are a message's, and it is not done yet.
 */
void smrc_retry_heard(struct smrc_retry *r, u64 now)
{
	r->progress = now;
}

/**
 * smrc_retry_progress() - a message is done, or an idle QP got work
 * @r: give-up state; the caller serialises
 * @now: current time, ns
 */
void smrc_retry_progress(struct smrc_retry *r, u64 now)
{
	r->progress = now;
	r->rnr_left = r->rnr_retry;
}

/**
 * smrc_retry_deadline() - when the QP gives up if nothing is heard
 * @r: give-up state
 * @rto: retransmission timeout without back-off, ns: a timeout attribute below it would give up before the first
 *	retransmission
 *
 * Return: time in ns, U64_MAX when it never gives up.
 */
u64 smrc_retry_deadline(const struct smrc_retry *r, u64 rto)
{
	u64 each = max(r->timeout, rto);

	/* The shift stands for the largest number of tries, 8. */
	if (!r->timeout || each > (U64_MAX - r->progress) >> 3)
		return U64_MAX;
	return r->progress + each * (r->retry_cnt + 1);
}

/**
 * smrc_retry_rnr() - the responder was not ready for the message at the head
 * @r: give-up state; the caller serialises
 * @now: current time, ns
 *
 * The responder is alive: the transport deadline starts anew. The RNR retries do not, until smrc_retry_progress().
 *
 * Return: true when the message may be tried again after the RNR timer, false when its retries are used up.
 */
bool smrc_retry_rnr(struct smrc_retry *r, u64 now)
{
	r->progress = now;
	if (r->rnr_retry == SMRC_RNR_INFINITE)
		return true;
	if (!r->rnr_left)
		return false;
	r->rnr_left--;
	return true;
}
