/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * nscc.h: network signal based congestion control (OCP MRC 1.0 8; UET 1.0 3.6.13): a window of bytes that the sender
 * steers by two signals of each acknowledgment, the ECN mark and the queueing delay.
 */
#ifndef SMRC_NSCC_H
#define SMRC_NSCC_H

#include <linux/math64.h>
#include <linux/types.h>

/**
 * struct smrc_nscc_cfg - what the controller is scaled to; smrc_nscc_config() makes one
 * @mss: payload of a full packet, bytes
 * @base_rtt_ns: round trip without queues
 * @target_ns: queueing delay to steer for
 * @max_bytes: largest window
 * @gain_bytes: what a round trip without any delay adds to the window
 * @fair_bytes: what a round trip with delay and without marks adds
 * @eta_bytes: what every round trip adds
 * @fast_num: fast increase: the window grows by @fast_num / SMRC_NSCC_ONE of the bytes acknowledged
 */
struct smrc_nscc_cfg {
	u32	mss;
	u64	base_rtt_ns;
	u64	target_ns;
	u64	max_bytes;
	u64	gain_bytes;
	u64	fair_bytes;
	u64	eta_bytes;
	u64	fast_num;
};

#define SMRC_NSCC_ONE	1048576U	/* 1.0 in fractions */

/**
 * struct smrc_nscc - controller of one window
 * @cfg: its scale
 * @cwnd: the window, bytes, between one mss and max_bytes
 * @gained: bytes x bytes that acknowledgments earned since the last adjustment; divided by the window they are its
 *	growth
 * @acked: bytes acknowledged since the last adjustment
 * @adjusted_ns: time of that
 * @delay_ns: average queueing delay
 * @decreased_ns: time of the last decrease by marks
 * @fast: bytes acknowledged in a row without delay
 * @period_ends_ns: end of quick adapt's period, 0 before the first acknowledgment
 * @achieved: bytes acknowledged in it
 * @silent: bytes acknowledged without a sample, which count with the next one
 * @ignore: bytes whose acknowledgments tell of a window that is no more, since quick adapt cut it
 * @troubled: a packet was lost or trimmed in the period
 */
struct smrc_nscc {
	struct smrc_nscc_cfg	cfg;
	u64			cwnd;
	u64			gained;
	u64			acked;
	u64			adjusted_ns;
	u64			delay_ns;
	u64			decreased_ns;
	u64			fast;
	u64			period_ends_ns;
	u64			achieved;
	u64			silent;
	u64			ignore;
	bool			troubled;
};

/**
 * struct smrc_nscc_ack - what an acknowledgment says
 * @bytes: newly acknowledged
 * @inflight: bytes in flight after it
 * @sample: @delay_ns and @ecn are known; a transport ACK names no packet and tells neither
 * @delay_ns: round trip of the packet that caused it, without the base RTT
 * @ecn: that packet met congestion
 */
struct smrc_nscc_ack {
	u64	bytes;
	u64	inflight;
	bool	sample;
	u64	delay_ns;
	bool	ecn;
};

void smrc_nscc_config(struct smrc_nscc_cfg *cfg, u32 mss, u32 mbps, u64 base_rtt_ns, u32 limit, bool trimming);
void smrc_nscc_init(struct smrc_nscc *c, const struct smrc_nscc_cfg *cfg);
void smrc_nscc_ack(struct smrc_nscc *c, const struct smrc_nscc_ack *ack, u64 now_ns);
void smrc_nscc_lost(struct smrc_nscc *c, u32 bytes);

/**
 * smrc_nscc_packets() - the window in full packets
 * @c: the controller
 *
 * Return: at least 1.
 */
static inline u32 smrc_nscc_packets(const struct smrc_nscc *c)
{
	return div_u64(c->cwnd, c->cfg.mss);
}

#endif /* SMRC_NSCC_H */
