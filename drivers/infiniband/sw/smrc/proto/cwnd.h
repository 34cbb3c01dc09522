/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * cwnd.h: the congestion window. Today one policy: a fixed number of packets.
 */
#ifndef SMRC_CWND_H
#define SMRC_CWND_H

#include <linux/types.h>

/**
 * struct smrc_cwnd - window of one QP
 * @packets: packets that may be in flight
 */
struct smrc_cwnd {
	u32	packets;
};

/**
 * smrc_cwnd_init() - a fixed window
 * @w: to fill in
 * @packets: its size; 0 counts as 1
 */
static inline void smrc_cwnd_init(struct smrc_cwnd *w, u32 packets)
{
	w->packets = packets ? packets : 1;
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
	return inflight < w->packets ? w->packets - inflight : 0;
}

#endif /* SMRC_CWND_H */
