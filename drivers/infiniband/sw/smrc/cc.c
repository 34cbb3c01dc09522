// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cc.c: the congestion window a QP sends by. Without QP groups it is the QP's own; with them all QPs to a peer share
 * one, which is the peer's, and take turns (seed 1, "Spraying and QP groups"; proto/group.c).
 *
 * All but what says otherwise is called under the QP lock, bottom halves off.
 */
#include "cc.h"
#include "peer.h"
#include "qp.h"
#include "smrc.h"

/* Packets that the window of a group may reach: that of a QP ends at its scoreboard, and a group has any number. */
#define SMRC_GROUP_LIMIT	65536U

static void smrc_cc_init(struct smrc_dev *dev, struct smrc_cwnd *cwnd, enum smrc_cc cc, u32 fixed, u32 mss, u32 limit,
			 bool trimming)
{
	u64 base_rtt = READ_ONCE(dev->settings.v[SMRC_SET_BASE_RTT]) * (u64)NSEC_PER_USEC;
	struct smrc_nscc_cfg cfg;

	if (cc == SMRC_CC_FIXED) {
		smrc_cwnd_fixed(cwnd, fixed);
		return;
	}
	smrc_nscc_config(&cfg, mss, smrc_netdev_rate(dev), base_rtt, limit, trimming);
	smrc_cwnd_nscc(cwnd, &cfg);
}

/**
 * smrc_cc_start() - a window of the QP's own, for the link and the path as far as they are known now
 * @qp: the QP, on its way to RTS
 */
void smrc_cc_start(struct smrc_qp *qp)
{
	smrc_cc_init(qp->dev, &qp->sq.cwnd, qp->cc, qp->cwnd_packets, qp->mtu, qp->win_size, qp->dscp.trimming);
}

/**
 * smrc_cc_group() - the window of a group
 * @peer: a new peer, with QP groups; nobody else knows it
 * @s: the settings it is made with
 * @mss: path MTU of its first QP, bytes
 */
void smrc_cc_group(struct smrc_peer *peer, const struct smrc_settings *s, u32 mss)
{
	smrc_group_init(&peer->group);
	smrc_cc_init(peer->dev, &peer->group.cwnd, s->v[SMRC_SET_CC], s->v[SMRC_SET_CWND], mss, SMRC_GROUP_LIMIT,
		     peer->dscp.trimming);
}

/* Let the one whose turn it is send, unless that is @self, which sends now or is at the end of it. */
static void smrc_cc_pass(struct smrc_peer *peer, const struct smrc_qp *self)
{
	struct smrc_member *next = smrc_group_next(&peer->group);

	lockdep_assert_held(&peer->lock);
	if (next && (!self || next != &self->member))
		queue_work(smrc_wq, &container_of(next, struct smrc_qp, member)->work);
}

/**
 * smrc_cc_begin() - a QP begins to send
 * @qp: the QP
 */
void smrc_cc_begin(struct smrc_qp *qp)
{
	struct smrc_peer *peer = qp->peer;

	if (!peer->grouped)
		return;
	spin_lock(&peer->lock);
	smrc_group_begin(&peer->group, &qp->member, qp->sq.sb.inflight);
	spin_unlock(&peer->lock);
}

/**
 * smrc_cc_room() - how many packets may a QP send now, which has one to send?
 * @qp: the QP
 *
 * Return: packets; 0 when the window is full, or it is the turn of others.
 */
u32 smrc_cc_room(struct smrc_qp *qp)
{
	struct smrc_peer *peer = qp->peer;
	u32 room;

	if (!peer->grouped)
		return smrc_cwnd_room(&qp->sq.cwnd, qp->sq.sb.inflight);
	spin_lock(&peer->lock);
	room = smrc_group_room(&peer->group, &qp->member);
	spin_unlock(&peer->lock);
	return room;
}

/**
 * smrc_cc_sent() - a packet was sent
 * @qp: the QP
 */
void smrc_cc_sent(struct smrc_qp *qp)
{
	struct smrc_peer *peer = qp->peer;

	if (!peer->grouped) {
		smrc_cwnd_sent(&qp->sq.cwnd);
		return;
	}
	spin_lock(&peer->lock);
	smrc_group_sent(&peer->group, &qp->member);
	spin_unlock(&peer->lock);
}

/**
 * smrc_cc_end() - a QP has sent what it could: it is the turn of the next
 * @qp: the QP
 */
void smrc_cc_end(struct smrc_qp *qp)
{
	struct smrc_peer *peer = qp->peer;

	if (!peer->grouped)
		return;
	spin_lock(&peer->lock);
	smrc_group_rest(&peer->group, &qp->member);
	smrc_cc_pass(peer, qp);
	spin_unlock(&peer->lock);
}

/**
 * smrc_cc_acked() - an acknowledgment came
 * @qp: the QP
 * @res: what it changed
 * @ecn: the packet that caused it met congestion
 * @now: current time, ns
 */
void smrc_cc_acked(struct smrc_qp *qp, const struct smrc_ack_result *res, bool ecn, u64 now)
{
	struct smrc_peer *peer = qp->peer;
	u64 base_rtt = smrc_peer_base_rtt(peer);

	if (!peer->grouped) {
		smrc_cwnd_acked(&qp->sq.cwnd, res, qp->sq.sb.inflight, base_rtt, ecn, now);
		return;
	}
	spin_lock(&peer->lock);
	smrc_group_update(&peer->group, &qp->member, qp->sq.sb.inflight);
	smrc_cwnd_acked(&peer->group.cwnd, res, peer->group.inflight, base_rtt, ecn, now);
	/* This QP as well: with all acknowledged it may have nothing more to do, and must leave the line. */
	smrc_cc_pass(peer, NULL);
	spin_unlock(&peer->lock);
}

/**
 * smrc_cc_penalty() - the receiver says how much of the window it asks to be given up
 * @qp: the QP
 * @penalty: in 1/128
 */
void smrc_cc_penalty(struct smrc_qp *qp, u8 penalty)
{
	struct smrc_peer *peer = qp->peer;

	if (!peer->grouped) {
		smrc_cwnd_penalty(&qp->sq.cwnd, penalty);
		return;
	}
	spin_lock(&peer->lock);
	smrc_cwnd_penalty(&peer->group.cwnd, penalty);
	spin_unlock(&peer->lock);
}

/**
 * smrc_cc_lost() - a packet was lost or trimmed
 * @qp: the QP
 */
void smrc_cc_lost(struct smrc_qp *qp)
{
	struct smrc_peer *peer = qp->peer;

	if (!peer->grouped) {
		smrc_cwnd_lost(&qp->sq.cwnd);
		return;
	}
	spin_lock(&peer->lock);
	smrc_group_update(&peer->group, &qp->member, qp->sq.sb.inflight);
	smrc_cwnd_lost(&peer->group.cwnd);
	spin_unlock(&peer->lock);
}

/**
 * smrc_cc_fired() - the timer took a packet in silence
 * @qp: the QP
 */
void smrc_cc_fired(struct smrc_qp *qp)
{
	struct smrc_peer *peer = qp->peer;

	if (!peer->grouped) {
		smrc_cwnd_fired(&qp->sq.cwnd);
		return;
	}
	spin_lock(&peer->lock);
	smrc_cwnd_fired(&peer->group.cwnd);
	spin_unlock(&peer->lock);
}

/**
 * smrc_cc_leave() - a QP ends or fails
 * @peer: its peer, its lock held
 * @qp: the QP; its own lock may be held or not, it sends nothing any more
 */
void smrc_cc_leave(struct smrc_peer *peer, struct smrc_qp *qp)
{
	lockdep_assert_held(&peer->lock);
	if (!peer->grouped)
		return;
	smrc_group_leave(&peer->group, &qp->member);
	smrc_cc_pass(peer, qp);
}
