// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cwnd.c: the congestion window. A packet counts as a full one, whatever it carries: what small packets load is queues
 * of packets and the hosts.
 */
#include "cwnd.h"

/**
 * smrc_cwnd_fixed() - a window that nothing changes
 * @w: to fill in
 * @packets: its size; 0 counts as 1
 */
void smrc_cwnd_fixed(struct smrc_cwnd *w, u32 packets)
{
	w->rescue = false;
	w->penalty = 0;
	w->cc = SMRC_CC_FIXED;
	w->packets = packets ? packets : 1;
}

/**
 * smrc_cwnd_nscc() - a window that NSCC sets
 * @w: to fill in
 * @cfg: the scale of the controller
 */
void smrc_cwnd_nscc(struct smrc_cwnd *w, const struct smrc_nscc_cfg *cfg)
{
	w->rescue = false;
	w->penalty = 0;
	w->cc = SMRC_CC_NSCC;
	smrc_nscc_init(&w->nscc, cfg);
	w->packets = smrc_nscc_packets(&w->nscc);
}

/**
 * smrc_cwnd_acked() - an acknowledgment came
 * @w: the window; the caller serialises
 * @res: what it changed
 * @inflight: packets in flight after it
 * @base_ns: base RTT of the peer, ns
 * @ecn: the packet that caused it met congestion
 * @now_ns: current time, ns, not 0
 *
 * The round trip of a packet that was sent twice may be too short to tell a delay. What the receiver spent is no delay
 * of the network.
 */
void smrc_cwnd_acked(struct smrc_cwnd *w, const struct smrc_ack_result *res, u32 inflight, u64 base_ns, bool ecn,
		     u64 now_ns)
{
	u64 path_ns = res->rtt_ns - res->service_ns;
	struct smrc_nscc_ack a;

	if (w->cc != SMRC_CC_NSCC)
		return;
	a = (struct smrc_nscc_ack) {
		.bytes = (u64)res->newly * w->nscc.cfg.mss,
		.inflight = (u64)inflight * w->nscc.cfg.mss,
		.sample = res->has_rtt && !res->spurious,
		.delay_ns = path_ns > base_ns ? path_ns - base_ns : 0,
		.ecn = ecn,
	};
	smrc_nscc_ack(&w->nscc, &a, now_ns);
	w->packets = smrc_nscc_packets(&w->nscc);
}

/**
 * smrc_cwnd_penalty() - the receiver says how much of the window it asks to be given up
 * @w: the window; the caller serialises
 * @penalty: in 1/128, 0..127; it holds until the receiver says another
 *
 * NSCC heeds it (OCP MRC 1.0, receiver flow control); a fixed window stays.
 */
void smrc_cwnd_penalty(struct smrc_cwnd *w, u8 penalty)
{
	if (w->cc == SMRC_CC_NSCC)
		w->penalty = min_t(u8, penalty, SMRC_PENALTY_ONE - 1);
}

/**
 * smrc_cwnd_lost() - a packet was lost or trimmed
 * @w: the window; the caller serialises
 */
void smrc_cwnd_lost(struct smrc_cwnd *w)
{
	if (w->cc != SMRC_CC_NSCC)
		return;
	smrc_nscc_lost(&w->nscc, w->nscc.cfg.mss);
	w->packets = smrc_nscc_packets(&w->nscc);
}

/**
 * smrc_cwnd_fired() - the timer took a packet in silence (loss.c)
 * @w: the window; the caller serialises
 *
 * A window that shrank below what is in flight, and shrinks with every packet lost, would never let it go again.
 */
void smrc_cwnd_fired(struct smrc_cwnd *w)
{
	w->rescue = true;
}
