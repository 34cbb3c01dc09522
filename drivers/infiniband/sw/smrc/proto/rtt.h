/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * rtt.h: round-trip time, retransmission timeout, base RTT. The estimator is that of RFC 6298, but for a deviation that
 * is held for a while; the base RTT that only falls is seed 1's ("Path feedback and probes").
 */
#ifndef SMRC_RTT_H
#define SMRC_RTT_H

#include <linux/minmax.h>
#include <linux/types.h>

#define SMRC_BASE_RTT_MARGIN_NS	1000U	/* how far below the base RTT a sample must be; then added to it */

/**
 * struct smrc_rtt - estimator of one QP; all times in ns
 * @srtt: smoothed RTT, 0 before the first sample
 * @rttvar: deviation that the timeout reckons with
 * @mdev: smoothed deviation
 * @peak: largest @mdev of this round
 * @round_at: when the round ends
 * @rto_min: floor of the RTO
 * @rto_max: ceiling of the RTO, back-off included
 * @reorder: added to the smoothed RTT and four deviations: how much later packets arrived that were sent again in vain
 * @reorder_at: when @reorder may grow again
 * @backoff: how often the RTO was doubled since the last progress, at most 16
 */
struct smrc_rtt {
	u64	srtt;
	u64	rttvar;
	u64	mdev;
	u64	peak;
	u64	round_at;
	u64	rto_min;
	u64	rto_max;
	u64	reorder;
	u64	reorder_at;
	u8	backoff;
};

void smrc_rtt_init(struct smrc_rtt *r, u64 rto_min, u64 rto_max);
void smrc_rtt_sample(struct smrc_rtt *r, u64 rtt, u64 now_ns);
void smrc_rtt_reordered(struct smrc_rtt *r, u64 early_ns, u64 now_ns);
u64 smrc_rtt_get(const struct smrc_rtt *r, u64 base_rtt);
u64 smrc_rtt_late(const struct smrc_rtt *r, u64 base_rtt);
u64 smrc_rtt_quiet(const struct smrc_rtt *r, u64 base_rtt);
u64 smrc_rtt_rto_base(const struct smrc_rtt *r, u64 base_rtt);
u64 smrc_rtt_rto(const struct smrc_rtt *r, u64 base_rtt);
void smrc_rtt_backoff(struct smrc_rtt *r);
void smrc_rtt_progress(struct smrc_rtt *r);
u64 smrc_base_rtt_sample(u64 base, u64 rtt);

/**
 * smrc_base_rtt_floor() - what no round trip is shorter than
 * @base: base RTT, from samples, ns
 *
 * Return: a quarter less, and at least the margin, by which a sample may be shorter and not lower the base RTT; ns.
 */
static inline u64 smrc_base_rtt_floor(u64 base)
{
	return base - min(base, max_t(u64, base / 4, SMRC_BASE_RTT_MARGIN_NS));
}

#endif /* SMRC_RTT_H */
