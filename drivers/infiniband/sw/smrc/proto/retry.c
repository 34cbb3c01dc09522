// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * retry.c: how long a QP tries before it gives up (IBTA 9.7.6.1.3; ibv_modify_qp(3)).
 */
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "retry.h"

#define RETRY_CODE_MASK		31	/* codes have 5 bits */
#define RETRY_CNT_MASK		7
#define RETRY_TICK_NS		4096ULL	/* local ACK timeout of code 0 if it were not "infinite" */

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
 * smrc_retry_init() - take over the attributes of a QP
 * @r: to fill in
 * @timeout_code: attribute timeout
 * @retry_cnt: attribute retry_cnt, 0..7; 7 is an ordinary count
 */
void smrc_retry_init(struct smrc_retry *r, u8 timeout_code, u8 retry_cnt)
{
	memset(r, 0, sizeof(*r));
	r->timeout = smrc_retry_timeout_ns(timeout_code);
	r->retry_cnt = retry_cnt & RETRY_CNT_MASK;
}

/**
 * smrc_retry_progress() - the time to give up starts anew
 * @r: give-up state; the caller serialises
 * @from_ns: from when on, ns: now, when packets arrived at the peer that had not, a message is done, or an idle QP got
 *	work; the end of the wait, when the receiver was not ready
 */
void smrc_retry_progress(struct smrc_retry *r, u64 from_ns)
{
	r->progress = from_ns;
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
