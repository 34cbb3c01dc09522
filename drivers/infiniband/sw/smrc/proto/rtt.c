// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rtt.c: round-trip time and retransmission timeout (RFC 6298), base RTT (seed 1, "Path feedback and probes").
 */
#include <linux/minmax.h>
#include <linux/string.h>

#include "rtt.h"

#define RTT_BACKOFF_MAX		16
#define RTT_FIRST_RTO		4	/* base RTTs in the RTO before there is a sample */
#define RTT_ROUND		4	/* smoothed RTTs for which the largest deviation is taken */
#define RTT_QUIET		4	/* part of rto_min that is waited before a question */
#define RTT_REORDER_SHIFT	10	/* half of what was learnt of reordering is forgotten in 700 samples */

/**
 * smrc_rtt_init() - no sample yet
 * @r: to fill in
 * @rto_min: floor of the RTO, ns
 * @rto_max: ceiling of the RTO, ns, back-off included; not below @rto_min
 */
void smrc_rtt_init(struct smrc_rtt *r, u64 rto_min, u64 rto_max)
{
	memset(r, 0, sizeof(*r));
	r->rto_min = rto_min;
	r->rto_max = rto_max;
}

static void rtt_round(struct smrc_rtt *r, u64 now_ns)
{
	r->peak = 0;
	r->round_at = now_ns + RTT_ROUND * r->srtt;
}

/**
 * smrc_rtt_sample() - take in a sample (RFC 6298 2.2, 2.3: alpha 1/8, beta 1/4)
 * @r: the estimator; the caller serialises, and knows which transmission came back (Karn)
 * @rtt: the sample, ns; 0 counts as 1, one beyond the ceiling of the RTO as that ceiling
 * @now_ns: current time, ns
 *
 * The gains are meant for one sample in a round trip. Here there are many, from paths of different delay, of which a
 * few fast ones would make the deviation forget the slow ones. So the largest deviation counts at once, and fades by a
 * quarter of what it is beyond the largest of the latest round.
 */
void smrc_rtt_sample(struct smrc_rtt *r, u64 rtt, u64 now_ns)
{
	u64 dev;

	rtt = max_t(u64, min(rtt, r->rto_max), 1);
	r->reorder -= r->reorder >> RTT_REORDER_SHIFT;
	if (!r->srtt) {
		r->srtt = rtt;
		r->mdev = rtt / 2;
		r->rttvar = r->mdev;
		rtt_round(r, now_ns);
		return;
	}
	dev = rtt > r->srtt ? rtt - r->srtt : r->srtt - rtt;
	r->mdev = (3 * r->mdev + dev) / 4;
	r->srtt = max_t(u64, (7 * r->srtt + rtt) / 8, 1);
	r->peak = max(r->peak, r->mdev);
	r->rttvar = max(r->rttvar, r->peak);
	if (now_ns >= r->round_at) {
		r->rttvar -= (r->rttvar - r->peak + 3) / 4;
		rtt_round(r, now_ns);
	}
}

/* The age at which a packet is later than round trips vary, and than those packets that were sent again in vain. */
static u64 rtt_late(const struct smrc_rtt *r)
{
	return r->srtt + 4 * r->rttvar + r->reorder;
}

/**
 * smrc_rtt_reordered() - a packet was sent again in vain
 * @r: the estimator; the caller serialises
 * @early_ns: how long after it had been sent again it was known to have arrived, ns
 * @now_ns: current time, ns
 *
 * So much longer is waited from now on. Paths of different delay make the deviation of the samples too small a figure:
 * most packets come by the fast ones. What was sent by the old figure still comes back for a while, so this grows once
 * in that time; it fades with the samples (RFC 8985 6.2 adapts RACK's window in the same way, step by step).
 */
void smrc_rtt_reordered(struct smrc_rtt *r, u64 early_ns, u64 now_ns)
{
	if (now_ns < r->reorder_at)
		return;
	r->reorder = min(r->reorder + early_ns, r->rto_max);
	r->reorder_at = now_ns + rtt_late(r);
}

/**
 * smrc_rtt_get() - one RTT
 * @r: the estimator
 * @base_rtt: base RTT of the peer, ns
 *
 * Return: the smoothed RTT, or @base_rtt before the first sample, ns.
 */
u64 smrc_rtt_get(const struct smrc_rtt *r, u64 base_rtt)
{
	return r->srtt ? r->srtt : base_rtt;
}

/**
 * smrc_rtt_late() - the age at which a packet is later than round trips vary
 * @r: the estimator
 * @base_rtt: base RTT of the peer, ns, for the time before the first sample
 *
 * What the gap rule of loss.c is to take for one RTT. About half of all round trips take longer than the smoothed one:
 * with that figure alone a burst that queues on one of several equal paths is sent twice (5 % of all packets in the
 * simulation of kunit/sim_kunit.c, 0.5 % with this one).
 *
 * Return: smoothed RTT, four deviations and what smrc_rtt_reordered() learnt, without floor, at most rto_max; or
 * @base_rtt before the first sample; ns.
 */
u64 smrc_rtt_late(const struct smrc_rtt *r, u64 base_rtt)
{
	return r->srtt ? min(rtt_late(r), r->rto_max) : base_rtt;
}

/**
 * smrc_rtt_quiet() - how long to hear nothing before the peer is asked what arrived (pto.c)
 * @r: the estimator
 * @base_rtt: base RTT of the peer, ns, for the time before the first sample
 *
 * Two round trips, as in RFC 8985 7.2, so that the answer to what was sent would be there if it took one and a half.
 * The floor of the RTO is there for hosts whose CPU is busy elsewhere; a part of it does here, for a question costs
 * less than a retransmission in vain. Where two round trips are longer than the RTO, and before the first sample, this
 * is the RTO, and what is in flight is sent again and not asked for.
 *
 * Return: two smoothed RTTs, at least a quarter of rto_min and, below rto_min, smrc_rtt_late(); at most
 *	smrc_rtt_rto_base(), and that before the first sample, since the base RTT may be a guess that is too small by
 *	far; ns.
 */
u64 smrc_rtt_quiet(const struct smrc_rtt *r, u64 base_rtt)
{
	u64 rto = smrc_rtt_rto_base(r, base_rtt);
	u64 least = max(min(rtt_late(r), r->rto_min), r->rto_min / RTT_QUIET);

	return r->srtt ? min(max(2 * r->srtt, least), rto) : rto;
}

/**
 * smrc_rtt_rto_base() - the retransmission timeout before any back-off (RFC 6298 2.3)
 * @r: the estimator
 * @base_rtt: base RTT of the peer, ns, for the time before the first sample
 *
 * What smrc_retry_deadline() is to be given: with the back-off in it, a peer that is gone would push the end of its own
 * connection away.
 *
 * Return: the timeout in ns, rto_min .. rto_max.
 */
u64 smrc_rtt_rto_base(const struct smrc_rtt *r, u64 base_rtt)
{
	u64 rto = r->srtt ? rtt_late(r) : RTT_FIRST_RTO * min(base_rtt, r->rto_max);

	return min(max(rto, r->rto_min), r->rto_max);
}

/**
 * smrc_rtt_rto() - the retransmission timeout (RFC 6298 2.3, 5.5)
 * @r: the estimator
 * @base_rtt: base RTT of the peer, ns, for the time before the first sample
 *
 * Return: the timeout in ns, rto_min .. rto_max, back-off included.
 */
u64 smrc_rtt_rto(const struct smrc_rtt *r, u64 base_rtt)
{
	u64 rto = smrc_rtt_rto_base(r, base_rtt);

	return rto > r->rto_max >> r->backoff ? r->rto_max : rto << r->backoff;
}

/**
 * smrc_rtt_backoff() - the timer fired: double the RTO
 * @r: the estimator; the caller serialises
 */
void smrc_rtt_backoff(struct smrc_rtt *r)
{
	if (r->backoff < RTT_BACKOFF_MAX)
		r->backoff++;
}

/**
 * smrc_rtt_progress() - a round trip ended: end the back-off
 * @r: the estimator; the caller serialises
 */
void smrc_rtt_progress(struct smrc_rtt *r)
{
	r->backoff = 0;
}

/**
 * smrc_base_rtt_sample() - what a sample makes of the base RTT
 * @base: base RTT so far, ns
 * @rtt: the sample, ns
 *
 * The base RTT only falls, and only for a sample more than 1 us below it, to 1 us above the sample: the rule of the
 * seed's sibling device, of which the seed tells only that a probe's sample can lower it.
 *
 * Return: the base RTT from now on, ns.
 */
u64 smrc_base_rtt_sample(u64 base, u64 rtt)
{
	if (base <= SMRC_BASE_RTT_MARGIN_NS || rtt >= base - SMRC_BASE_RTT_MARGIN_NS)
		return base;
	return rtt + SMRC_BASE_RTT_MARGIN_NS;
}
