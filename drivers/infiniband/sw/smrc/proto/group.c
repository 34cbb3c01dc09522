// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * group.c: a window that QPs share, and the line in which they wait for it.
 */
#include <linux/minmax.h>

#include "group.h"

/**
 * smrc_group_init() - a group without members
 * @g: to fill in, all but the window
 */
void smrc_group_init(struct smrc_group *g)
{
	g->inflight = 0;
	INIT_LIST_HEAD(&g->line);
}

/**
 * smrc_member_init() - a QP that has sent nothing
 * @m: to fill in
 */
void smrc_member_init(struct smrc_member *m)
{
	*m = (struct smrc_member) { .left = SMRC_GROUP_TURN };
	INIT_LIST_HEAD(&m->node);
}

/**
 * smrc_group_update() - packets of a member were acknowledged or lost
 * @g: the group
 * @m: the member
 * @inflight: what it has in flight now
 */
void smrc_group_update(struct smrc_group *g, struct smrc_member *m, u32 inflight)
{
	g->inflight += inflight - m->inflight;
	m->inflight = inflight;
}

/**
 * smrc_group_begin() - a member begins to send; smrc_group_rest() ends it
 * @g: the group
 * @m: the member
 * @inflight: what it has in flight now
 */
void smrc_group_begin(struct smrc_group *g, struct smrc_member *m, u32 inflight)
{
	m->refused = false;
	smrc_group_update(g, m, inflight);
}

static bool group_first(const struct smrc_group *g, const struct smrc_member *m)
{
	return g->line.next == &m->node;
}

/**
 * smrc_group_room() - how many packets may a member send, which has one to send?
 * @g: the group
 * @m: the member; it is in line when none
 *
 * Return: packets; 0: not now, smrc_group_next() will name it.
 */
u32 smrc_group_room(struct smrc_group *g, struct smrc_member *m)
{
	u32 room = smrc_cwnd_room(&g->cwnd, g->inflight);

	m->refused = false;
	if (room && list_empty(&g->line))
		return room;
	if (room && group_first(g, m))
		return min(room, m->left);
	m->refused = true;
	if (list_empty(&m->node))
		list_add_tail(&m->node, &g->line);
	return 0;
}

/**
 * smrc_group_sent() - a member sent a packet
 * @g: the group
 * @m: the member
 *
 * At the end of its turn it goes to the end of the line.
 */
void smrc_group_sent(struct smrc_group *g, struct smrc_member *m)
{
	smrc_cwnd_sent(&g->cwnd);
	smrc_group_update(g, m, m->inflight + 1);
	if (list_empty(&m->node) || --m->left)
		return;
	m->left = SMRC_GROUP_TURN;
	list_move_tail(&m->node, &g->line);
}

/**
 * smrc_group_rest() - a member has done what it can
 * @g: the group
 * @m: the member
 *
 * Unless it was refused, it has no more to send, and waits no more; what is left of its turn is forfeited.
 */
void smrc_group_rest(struct smrc_group *g, struct smrc_member *m)
{
	if (m->refused)
		return;
	m->left = SMRC_GROUP_TURN;
	list_del_init(&m->node);
}

/**
 * smrc_group_leave() - a QP ends or fails
 * @g: the group
 * @m: the member; may be used again
 */
void smrc_group_leave(struct smrc_group *g, struct smrc_member *m)
{
	smrc_group_update(g, m, 0);
	m->refused = false;
	smrc_group_rest(g, m);
}

/**
 * smrc_group_next() - whose turn is it?
 * @g: the group
 *
 * Return: the member that waits and may send now, NULL when there is none.
 */
struct smrc_member *smrc_group_next(struct smrc_group *g)
{
	if (!smrc_cwnd_room(&g->cwnd, g->inflight))
		return NULL;
	return list_first_entry_or_null(&g->line, struct smrc_member, node);
}
