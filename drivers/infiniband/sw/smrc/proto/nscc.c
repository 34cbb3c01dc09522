// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * nscc.c: network signal based congestion control (OCP MRC 1.0 8; UET 1.0 3.6.13).
 *
 * Each acknowledgment falls into one of four quadrants (OCP MRC 1.0 table 8-1):
 *
 *                  below the target delay         at or above it
 *  not marked      grow by how far below          grow by a fair share
 *  ECN mark        hold: spraying moves away      shrink by how far above
 *
 * Growth is collected and given to the window once per round trip or 8 packets; shrinking happens once per round trip.
 * Two shortcuts: a whole window without any delay grows it at once (fast increase); a period that brought in far less
 * than the window, with losses or a delay far above the target, sets the window to what came in (quick adapt).
 *
 * Constants are those of the UET reference, scaled from its network of 100 Gb/s and 12 us: growth goes with the
 * bandwidth-delay product, so that the time to share a link does not depend on its speed.
 */
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "nscc.h"

#define REF_BDP		150000U		/* 100 Gb/s x 12 us, bytes */
#define REF_RTT_NS	12000U

#define ADJUST_PACKETS	8	/* growth is given to the window at the latest after so many */
#define MD_GAMMA_NUM	4	/* a decrease takes 0.8 of the share by which the delay exceeds the target */
#define MD_GAMMA_DEN	5
#define DELAY_ALPHA	80	/* weight of one packet in the average delay: 1/80 = 0.0125 */
#define QA_GATE		3	/* quick adapt: less than max >> QA_GATE came in */
#define QA_DELAY	4	/* quick adapt: delay above so many targets */
#define NO_DELAY_SHARE	16	/* below target / 16 a packet met no queue */

/* @x x @bdp / reference BDP, never 0: growth by a fraction of a byte would be none. */
static u64 nscc_scale(u64 x, u64 bdp)
{
	return max_t(u64, mul_u64_u64_div_u64(x, bdp, REF_BDP), 1);
}

/**
 * smrc_nscc_config() - scale the controller
 * @cfg: to fill in
 * @mss: payload of a full packet, bytes, at least 1
 * @mbps: rate of the link, Mb/s, at least 1
 * @base_rtt_ns: round trip without queues, ns, at least 1
 * @limit: packets that the window may never exceed, at least 1
 * @trimming: switches trim: the target is 0.75 base RTTs then, else 1
 */
void smrc_nscc_config(struct smrc_nscc_cfg *cfg, u32 mss, u32 mbps, u64 base_rtt_ns, u32 limit, bool trimming)
{
	u64 bdp = mul_u64_u64_div_u64(base_rtt_ns, mbps, 8000);
	u64 target = max_t(u64, trimming ? base_rtt_ns * 3 / 4 : base_rtt_ns, 1);
	u64 max_bytes = clamp_t(u64, bdp + bdp / 2, mss, (u64)limit * mss);
	u64 gain = mul_u64_u64_div_u64(4ULL * mss, target, REF_RTT_NS);

	*cfg = (struct smrc_nscc_cfg) {
		.mss = mss,
		.base_rtt_ns = base_rtt_ns,
		.target_ns = target,
		.max_bytes = max_bytes,
		.gain_bytes = min(nscc_scale(gain, bdp), max_bytes),
		.fair_bytes = min(nscc_scale(5ULL * mss, bdp), max_bytes),
		.eta_bytes = min(nscc_scale(15 * mss / 100, bdp), max_bytes),
		.fast_num = nscc_scale(SMRC_NSCC_ONE / 4, bdp),
	};
}

/**
 * smrc_nscc_init() - a new window: as large as it may become, since most paths are free
 * @c: to fill in
 * @cfg: the scale
 */
void smrc_nscc_init(struct smrc_nscc *c, const struct smrc_nscc_cfg *cfg)
{
	memset(c, 0, sizeof(*c));
	c->cfg = *cfg;
	c->cwnd = cfg->max_bytes;
}

static void nscc_set(struct smrc_nscc *c, u64 cwnd)
{
	c->cwnd = clamp_t(u64, cwnd, c->cfg.mss, c->cfg.max_bytes);
}

/* The average, which an acknowledgment of many packets moves as far as many of one would. */
static void nscc_average(struct smrc_nscc *c, u64 delay, u64 bytes)
{
	u64 packets = clamp_t(u64, div_u64(bytes, c->cfg.mss), 1, DELAY_ALPHA);

	c->delay_ns = div_u64(c->delay_ns * (DELAY_ALPHA - packets) + delay * packets, DELAY_ALPHA);
}

/* A period is over: did it bring in so little that the window must be a dream? Returns true when it was cut. */
static bool nscc_quick_adapt(struct smrc_nscc *c, const struct smrc_nscc_ack *ack, u64 now_ns)
{
	u64 period = c->cfg.base_rtt_ns + c->cfg.target_ns;
	/* After a pause as well: what came in while nothing was sent tells nothing. */
	bool first = !c->period_ends_ns || now_ns >= c->period_ends_ns + period;
	bool bad = c->troubled || ack->delay_ns > QA_DELAY * c->cfg.target_ns;
	u64 achieved = c->achieved;

	if (now_ns < c->period_ends_ns)
		return false;
	c->period_ends_ns = now_ns + period;
	c->achieved = 0;
	c->troubled = false;
	if (first || !bad || achieved >= c->cfg.max_bytes >> QA_GATE || achieved >= c->cwnd)
		return false;
	nscc_set(c, achieved);
	c->ignore = ack->inflight;
	c->gained = 0;
	c->acked = 0;
	return true;
}

/* Returns true while a run without delay makes the window grow by itself. */
static bool nscc_fast_increase(struct smrc_nscc *c, u64 delay, u64 bytes)
{
	if (delay >= c->cfg.target_ns / NO_DELAY_SHARE) {
		c->fast = 0;
		return false;
	}
	c->fast += bytes;
	if (c->fast <= c->cwnd)
		return false;
	nscc_set(c, c->cwnd + mul_u64_u64_div_u64(bytes, c->cfg.fast_num, SMRC_NSCC_ONE));
	return true;
}

static void nscc_grow(struct smrc_nscc *c, u64 delay, u64 bytes)
{
	u64 below = c->cfg.target_ns - delay;

	if (!nscc_fast_increase(c, delay, bytes))
		c->gained += bytes * mul_u64_u64_div_u64(c->cfg.gain_bytes, below, c->cfg.target_ns);
}

static void nscc_grow_fairly(struct smrc_nscc *c, u64 bytes)
{
	c->fast = 0;
	c->gained += bytes * c->cfg.fair_bytes;
}

/* By the average, so that one late packet does not halve the window; by half at most. */
static void nscc_shrink(struct smrc_nscc *c, u64 now_ns)
{
	u64 over, cut;

	c->fast = 0;
	if (c->delay_ns <= c->cfg.target_ns || now_ns < c->decreased_ns + c->cfg.base_rtt_ns)
		return;
	over = c->delay_ns - c->cfg.target_ns;
	cut = mul_u64_u64_div_u64(div_u64(c->cwnd * MD_GAMMA_NUM, MD_GAMMA_DEN), over, c->delay_ns);
	nscc_set(c, c->cwnd - min(cut, c->cwnd / 2));
	c->decreased_ns = now_ns;
}

static void nscc_adjust(struct smrc_nscc *c, u64 now_ns)
{
	bool period = now_ns >= c->adjusted_ns + c->cfg.base_rtt_ns;

	if (!period && c->acked < ADJUST_PACKETS * (u64)c->cfg.mss)
		return;
	nscc_set(c, c->cwnd + div64_u64(c->gained, c->cwnd) + (period ? c->cfg.eta_bytes : 0));
	c->gained = 0;
	c->acked = 0;
	if (period)
		c->adjusted_ns = now_ns;
}

/**
 * smrc_nscc_ack() - an acknowledgment came
 * @c: the controller; the caller serialises
 * @ack: what it says
 * @now_ns: current time, ns, not 0
 */
void smrc_nscc_ack(struct smrc_nscc *c, const struct smrc_nscc_ack *ack, u64 now_ns)
{
	u64 bytes = ack->bytes;

	c->achieved += bytes;
	if (c->ignore) {
		c->ignore -= min(bytes, c->ignore);
		return;
	}
	if (!ack->sample) {
		c->silent += bytes;
		return;
	}
	bytes += c->silent;
	c->silent = 0;
	nscc_average(c, ack->delay_ns, bytes);
	if (nscc_quick_adapt(c, ack, now_ns))
		return;
	if (ack->ecn && ack->delay_ns >= c->cfg.target_ns)
		nscc_shrink(c, now_ns);
	else if (!ack->ecn && ack->delay_ns < c->cfg.target_ns)
		nscc_grow(c, ack->delay_ns, bytes);
	else if (!ack->ecn)
		nscc_grow_fairly(c, bytes);
	c->acked += bytes;
	nscc_adjust(c, now_ns);
}

/**
 * smrc_nscc_lost() - a packet was trimmed or lost: the network holds less than it was taken to hold
 * @c: the controller; the caller serialises
 * @bytes: its payload
 */
void smrc_nscc_lost(struct smrc_nscc *c, u32 bytes)
{
	c->troubled = true;
	nscc_set(c, c->cwnd - min_t(u64, bytes, c->cwnd - c->cfg.mss));
}
