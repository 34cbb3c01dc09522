/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * cwnd.h: the congestion window, in packets, and who sets it: nobody (a fixed window), or NSCC (nscc.h).
 */
#ifndef SMRC_CWND_H
#define SMRC_CWND_H

#include <linux/minmax.h>
#include <linux/types.h>

#include "nscc.h"
#include "scoreboard.h"
#include "settings.h"

#define SMRC_PENALTY_ONE	128U	/* OCP MRC 1.0, rcv_cwnd_pen: 64 halves the window */

/**
 * struct smrc_cwnd - a congestion window
 * @packets: packets that may be in flight, at least 1
 * @rescue: one packet may go beyond the window: the timer fired, and unless something is sent nothing will be heard
 * @penalty: what the receiver asks to be given up of it, in 1/128
 * @cc: who sets it
 * @nscc: SMRC_CC_NSCC: the controller
 */
struct smrc_cwnd {
	u32			packets;
	bool			rescue;
	u8			penalty;
	enum smrc_cc		cc;
	struct smrc_nscc	nscc;
};

void smrc_cwnd_fixed(struct smrc_cwnd *w, u32 packets);
void smrc_cwnd_nscc(struct smrc_cwnd *w, const struct smrc_nscc_cfg *cfg);
void smrc_cwnd_acked(struct smrc_cwnd *w, const struct smrc_ack_result *res, u32 inflight, u64 base_ns, bool ecn,
		     u64 now_ns);
void smrc_cwnd_penalty(struct smrc_cwnd *w, u8 penalty);
void smrc_cwnd_lost(struct smrc_cwnd *w);
void smrc_cwnd_fired(struct smrc_cwnd *w);

/**
 * smrc_cwnd_size() - the window as it is after what the receiver asks for
 * @w: the window
 *
 * Return: packets, at least 1.
 */
static inline u32 smrc_cwnd_size(const struct smrc_cwnd *w)
{
	return max_t(u32, w->packets - (u32)((u64)w->packets * w->penalty / SMRC_PENALTY_ONE), 1);
}

/**
 * smrc_cwnd_room() - how many more packets may be sent
 * @w: the window
 * @inflight: packets sent and neither acknowledged nor declared lost
 *
 * Return: packets, 0 when the window is full.
 */
static inline u32 smrc_cwnd_room(const struct smrc_cwnd *w, u32 inflight)
{
	u32 size = smrc_cwnd_size(w);

	return inflight < size ? size - inflight : w->rescue;
}

/**
 * smrc_cwnd_sent() - a packet was sent
 * @w: the window; the caller serialises
 */
static inline void smrc_cwnd_sent(struct smrc_cwnd *w)
{
	w->rescue = false;
}

#endif /* SMRC_CWND_H */
