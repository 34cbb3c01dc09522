// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tx.c: what a QP does when it runs: timers, losses, acknowledgements owed, packets.
 *
 * It runs in the context of a user's doorbell, or on smrc_wq (softirq) when a packet, a timer or a kernel user's post
 * asked for it. Packets are collected under the QP lock and sent after it is given up.
 */
#include <linux/timekeeping.h>

#include "cc.h"
#include "peer.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"
#include "tx_build.h"

/* Packets of one run; what is left over goes on in the work item, so that no run holds the CPU for long. */
#define SMRC_TX_BUDGET	64

static bool smrc_tx_may_send(const struct smrc_qp *qp)
{
	return smrc_qp_sends(qp) && smrc_peer_proven(qp->peer);
}

/* How many packets may be sent now. */
static u32 smrc_tx_cwnd(struct smrc_qp *qp)
{
	struct smrc_sq *sq = &qp->sq;
	bool trial_flies = smrc_sb_flies(&sq->sb, sq->rnr.trial);

	return smrc_rnr_room(&sq->rnr, trial_flies, smrc_cc_room(qp));
}

static u16 smrc_tx_port(struct smrc_qp *qp, u16 avoid, u16 *slot)
{
	if (qp->peer->type != SMRC_SPRAY_NONE)
		return smrc_peer_pick(qp->peer, avoid, slot);
	*slot = SMRC_EV_NO_SLOT;
	return qp->sport;
}

static struct smrc_pkt smrc_tx_pkt(const struct smrc_qp *qp, const struct smrc_swqe *wqe, const struct smrc_seg *seg,
				   u32 psn, u64 now)
{
	bool send = smrc_op_is_send(seg->opcode);

	return (struct smrc_pkt) {
		.opcode = seg->opcode,
		.se = seg->last && (wqe->flags & IB_SEND_SOLICITED),
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = qp->dqpn,
		.psn = psn,
		.has_ts = true,
		.ts = smrc_ts(now),
		.payload_len = seg->len,
		.data = {
			.rqmsn = wqe->rqmsn,
			.msn = wqe->msn,
			.rkey = send ? 0 : wqe->rkey,
			.va = send ? seg->off : wqe->raddr + seg->off,
			.msg_len = wqe->len,
			.imm = wqe->imm,
		},
	};
}

/* Build and queue one packet. Returns false when the request cannot be read: then nothing was sent. */
static bool smrc_tx_emit(struct smrc_qp *qp, struct sk_buff_head *list, struct smrc_swqe *wqe, u32 off, u16 port,
			 struct smrc_pkt *pkt)
{
	struct sk_buff *skb = smrc_build_data(qp, wqe, off, port, pkt);

	if (wqe->status) {
		qp->sq.stuck = true;
		return false;
	}
	/* Without memory the packet counts as sent and lost: a retransmission will make up for it. */
	if (skb)
		__skb_queue_tail(list, skb);
	else
		smrc_count(qp->dev, LOCAL_DROP);
	smrc_count_add(qp->dev, TX_BYTES, pkt->payload_len);
	trace_smrc_packet(&qp->dev->ibdev, pkt->rtx ? SMRC_DIR_RTX : SMRC_DIR_TX, pkt, qp->ibqp.qp_num, pkt->psn, port,
			  pkt->payload_len, false);
	return true;
}

/* The oldest lost packet again, on another value, if there is one and the window has room. */
static bool smrc_tx_lost(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_sb_pkt *sent;
	struct smrc_swqe *wqe;
	struct smrc_pkt pkt __uninitialized;
	struct smrc_seg seg;
	u16 port, slot;
	u32 psn;

	if (!smrc_sb_next_lost(&sq->sb, &psn) || !smrc_tx_cwnd(qp))
		return false;
	sent = smrc_sb_pkt(&sq->sb, psn);
	wqe = smrc_swqe(sq, sent->wqe);
	if (wqe->status)
		return false;
	smrc_segment_at(wqe->kind, wqe->len, sent->off, qp->mtu, &seg);
	port = smrc_tx_port(qp, sent->slot, &slot);
	pkt = smrc_tx_pkt(qp, wqe, &seg, psn, now);
	pkt.rtx = true;
	if (!smrc_tx_emit(qp, list, wqe, sent->off, port, &pkt))
		return false;
	smrc_sb_resend(&sq->sb, psn, slot, now);
	smrc_cc_sent(qp);
	smrc_rnr_sent(&sq->rnr, psn);
	smrc_count(qp->dev, TX_RTX);
	return true;
}

/* A SEND needs a peer that knows the opcodes beyond MRC 1.0. */
static bool smrc_tx_refused(struct smrc_qp *qp, struct smrc_swqe *wqe)
{
	const struct smrc_discover *disc = &qp->peer->disc;

	if (wqe->kind != SMRC_MSG_SEND && wqe->kind != SMRC_MSG_SEND_IMM)
		return false;
	if (READ_ONCE(disc->caps) & SMRC_CAP_SEND)
		return false;
	/* Proven by another packet, but its answer to our request is still on the way. */
	if (!READ_ONCE(disc->answered))
		return true;
	wqe->status = IB_WC_LOC_QP_OP_ERR;
	wqe->verr = SMRC_VERR_PEER_NO_SEND;
	qp->sq.stuck = true;
	smrc_count(qp->dev, PEER_NO_SEND);
	return true;
}

/* The next packet of the request that is being cut. */
static bool smrc_tx_new(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_swqe *wqe;
	struct smrc_pkt pkt __uninitialized;
	struct smrc_seg seg;
	u16 port, slot;
	u32 room;

	if (sq->stuck || sq->next == smrc_sq_end(qp))
		return false;
	room = smrc_sb_room(&sq->sb, sq->window);
	if (room)
		room = min(room, smrc_tx_cwnd(qp));
	if (!room)
		return false;
	wqe = smrc_swqe(sq, sq->next);
	if (wqe->status || smrc_tx_refused(qp, wqe))
		return false;
	smrc_segment_at(wqe->kind, wqe->len, sq->off, qp->mtu, &seg);
	if (!sq->off && !seg.last && !smrc_build_readable(qp, wqe))
		return false;
	port = smrc_tx_port(qp, SMRC_EV_NO_SLOT, &slot);
	pkt = smrc_tx_pkt(qp, wqe, &seg, sq->sb.nxt, now);
	/*
	 * The last packet that the windows allow asks for a SACK, since nothing may follow that would draw one. The end
	 * of a message need not ask: it draws a transport ACK, which acknowledges its packets as well.
	 */
	pkt.ack_req = room == 1 && !seg.last;
	if (!smrc_tx_emit(qp, list, wqe, sq->off, port, &pkt))
		return false;
	smrc_rnr_sent(&sq->rnr, smrc_sb_send(&sq->sb, sq->next, sq->off, slot, now));
	smrc_cc_sent(qp);
	smrc_count(qp->dev, TX_DATA);
	sq->off += seg.len;
	if (seg.last) {
		sq->next++;
		sq->off = 0;
	}
	return true;
}

/* Returns true when the budget ended it: there may be more. */
static bool smrc_tx_run(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_sq *sq = &qp->sq;
	u32 budget;

	if (!sq->busy && sq->cons != smrc_sq_end(qp)) {
		sq->busy = true;
		smrc_retry_progress(&sq->retry, now);
	}
	if (!smrc_tx_may_send(qp))
		return false;
	smrc_cc_begin(qp);
	for (budget = SMRC_TX_BUDGET; budget; budget--) {
		if (!smrc_tx_lost(qp, list, now) && !smrc_tx_new(qp, list, now))
			break;
	}
	smrc_cc_end(qp);
	if (budget < SMRC_TX_BUDGET)
		smrc_timer_stir(sq);
	return !budget;
}

static void smrc_qp_tell(struct smrc_qp *qp, u32 events)
{
	struct ib_event ev = { .device = &qp->dev->ibdev, .element.qp = &qp->ibqp };
	u32 bit;

	for (; events; events &= events - 1) {
		bit = __ffs(events);
		ev.event = bit;
		if (qp->ibqp.event_handler)
			qp->ibqp.event_handler(&ev, qp->ibqp.qp_context);
	}
}

/* All duties of a QP, in order. Bottom halves are off. Returns true when it must run again. */
static bool smrc_qp_duties(struct smrc_qp *qp)
{
	struct smrc_peer *peer;
	struct sk_buff_head list;
	bool more = false;
	u32 events;
	u64 now;

	__skb_queue_head_init(&list);
	/* Keeps the peer, which a change to RESET may give up as soon as the QP is unlocked. */
	rcu_read_lock();
	spin_lock(&qp->lock);
	now = ktime_get_ns();	/* under the lock: times of one QP never go back */
	peer = qp->peer;
	if (qp->state >= IB_QPS_RTR && qp->state != IB_QPS_ERR) {
		if (qp->state == IB_QPS_RTS)
			smrc_sq_fetch(qp);
		smrc_timer_run(qp, &list, now);
		smrc_ack_scan(qp, now);
		smrc_ack_flush(qp, &list, now);
		more = smrc_tx_run(qp, &list, now);
		smrc_comp_head(qp);
		if (qp->due & SMRC_DUE_FATAL)
			smrc_qp_error(qp);
	}
	if (qp->state == IB_QPS_ERR)
		smrc_comp_flush(qp);
	smrc_timer_update(qp, now);
	events = qp->events;
	qp->events = 0;
	spin_unlock(&qp->lock);

	if (!skb_queue_empty(&list))
		smrc_xmit(qp->dev, &peer->path, &peer->route, &list);
	rcu_read_unlock();
	if (qp->user)
		smrc_qp_deliver(qp);
	if (unlikely(events))
		smrc_qp_tell(qp, events);
	return more;
}

/**
 * smrc_qp_work() - the work item of a QP
 * @work: &smrc_qp.work
 */
void smrc_qp_work(struct work_struct *work)
{
	struct smrc_qp *qp = container_of(work, struct smrc_qp, work);

	if (smrc_qp_duties(qp))
		queue_work(smrc_wq, work);
}

/**
 * smrc_qp_run() - run a QP in the context of its user
 * @qp: the QP
 *
 * Context: process, in a system call on the QP.
 */
void smrc_qp_run(struct smrc_qp *qp)
{
	/* Packets go out, and softirq answers, once per call and not once per lock. */
	local_bh_disable();
	if (smrc_qp_duties(qp))
		queue_work(smrc_wq, &qp->work);
	local_bh_enable();
}
