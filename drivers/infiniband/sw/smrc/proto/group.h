/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * group.h: one congestion window for all QPs to a peer, and whose turn it is to send (seed 1, "Spraying and QP
 * groups").
 *
 * As long as the window has room, whoever wants to send does. Who finds it full waits in line; the first in the line
 * sends SMRC_GROUP_TURN packets as room comes up, and goes to the end of it. The caller serialises all calls on one
 * group.
 */
#ifndef SMRC_GROUP_H
#define SMRC_GROUP_H

#include <linux/list.h>
#include <linux/types.h>

#include "cwnd.h"

#define SMRC_GROUP_TURN		8U	/* packets of a turn (ours; seed 1 names none) */

/**
 * struct smrc_member - a QP in its group
 * @node: place in the line, if it waits
 * @inflight: its packets in flight, as the group counts them
 * @left: packets left of its turn
 * @refused: it wants to send, and may not yet
 */
struct smrc_member {
	struct list_head	node;
	u32			inflight;
	u32			left;
	bool			refused;
};

/**
 * struct smrc_group - all QPs to a peer
 * @cwnd: their window
 * @inflight: packets in flight of all of them
 * @line: those that wait, in the order of their turns
 */
struct smrc_group {
	struct smrc_cwnd	cwnd;
	u32			inflight;
	struct list_head	line;
};

void smrc_group_init(struct smrc_group *g);
void smrc_member_init(struct smrc_member *m);
void smrc_group_update(struct smrc_group *g, struct smrc_member *m, u32 inflight);
void smrc_group_begin(struct smrc_group *g, struct smrc_member *m, u32 inflight);
u32 smrc_group_room(struct smrc_group *g, struct smrc_member *m);
void smrc_group_sent(struct smrc_group *g, struct smrc_member *m);
void smrc_group_rest(struct smrc_group *g, struct smrc_member *m);
void smrc_group_leave(struct smrc_group *g, struct smrc_member *m);
struct smrc_member *smrc_group_next(struct smrc_group *g);

#endif /* SMRC_GROUP_H */
