/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * loss.h: which packets are lost, and when to look again. Design: sequence gaps alone mean nothing when packets are
 * sprayed, so a gap counts only when it is deep and the packet is older than one RTT (seed 1, SACKLossMinRetxPkts).
 */
#ifndef SMRC_LOSS_H
#define SMRC_LOSS_H

#include "scoreboard.h"

/* Which rule declared a packet lost. */
enum smrc_loss_reason {
	SMRC_LOSS_GAP,		/* more than depth PSNs below the highest SACKed and older than one RTT */
	SMRC_LOSS_SAME_VALUE,	/* guard or more later ones of its value arrived, and older than one RTT (ours) */
	SMRC_LOSS_TIMEOUT,	/* older than the RTO; in silence only one packet in an RTO */
	SMRC_LOSS_NACK,		/* the receiver said so; never made by smrc_loss_next() */
};

/**
 * struct smrc_loss_cfg - the figures the rules use
 * @depth: sack_loss_min_retx_pkts
 * @guard: same_value_loss_guard, 0 = rule off
 * @rtt_ns: one RTT: smrc_rtt_late(), since half of all packets are older than the smoothed one when they are
 *	acknowledged
 * @rto_ns: retransmission timeout, back-off included
 */
struct smrc_loss_cfg {
	u32	depth;
	u32	guard;
	u64	rtt_ns;
	u64	rto_ns;
};

/**
 * struct smrc_loss - one packet declared lost
 * @psn: its PSN
 * @slot: slot of the value it was last sent on
 * @reason: enum smrc_loss_reason
 */
struct smrc_loss {
	u32	psn;
	u16	slot;
	u8	reason;
};

/**
 * struct smrc_loss_scan - one walk over the scoreboard
 * @psn: next PSN to look at
 * @deadline_ns: after the walk: when a packet becomes lost if nothing is heard; U64_MAX when nothing is in flight
 * @fired: a packet timed out in silence: the RTO is to back off
 */
struct smrc_loss_scan {
	u32	psn;
	u64	deadline_ns;
	bool	fired;
};

void smrc_loss_begin(const struct smrc_sb *sb, struct smrc_loss_scan *scan);
bool smrc_loss_next(struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, u64 now_ns, struct smrc_loss_scan *scan,
		    struct smrc_loss *out);

#endif /* SMRC_LOSS_H */
