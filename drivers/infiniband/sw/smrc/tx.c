// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * tx.c: what a QP does when it runs: timers, losses, acknowledgements owed, packets.
 *
 * It runs in the context of a user's doorbell, or on smrc_wq (softirq) when a packet, a timer or a kernel user's post
 * asked for it. Packets are collected under the QP lock and sent after it is given up.
 */
#include <linux/timekeeping.h>

#include "cc.h"
#include "mr.h"
#include "peer.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"
#include "tx_build.h"

/* Packets of one run; what is left over goes on in the work item, so that no run holds the CPU for long. */
#define SMRC_TX_BUDGET	64

static bool smrc_tx_may_send(const struct smrc_qp *qp)
{
	return smrc_qp_streams(qp) && smrc_peer_proven(qp->peer);
}

/* How many packets of requests may be sent now. */
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

/* ------------------------------------------------- one packet */

/**
 * struct smrc_tx - a packet about to be sent
 * @wqe: the request it is of, NULL when it is of a response
 * @resp: the response it is of, else NULL
 * @from: where the bytes of the message are
 * @sge: a response: the one entry of @from
 * @seg: place in the message
 * @pkt: its fields
 */
struct smrc_tx {
	struct smrc_swqe	*wqe;
	struct smrc_resp	*resp;
	struct smrc_source	from;
	struct smrc_sge		sge;
	struct smrc_seg		seg;
	struct smrc_pkt		pkt;
};

/* The packet of a request that begins at @off. */
static void smrc_tx_request(const struct smrc_qp *qp, struct smrc_swqe *wqe, u32 off, u64 now, struct smrc_tx *tx)
{
	bool inl = wqe->flags & IB_SEND_INLINE;
	u32 carried = smrc_msg_asks(wqe->kind) ? 0 : wqe->len;
	bool send;

	smrc_segment_at(wqe->kind, carried, off, qp->mtu, &tx->seg);
	send = smrc_op_is_send(tx->seg.opcode);
	tx->wqe = wqe;
	tx->resp = NULL;
	tx->from = (struct smrc_source) {
		.sge = wqe->sge,
		.num_sge = inl ? 0 : wqe->num_sge,
		.data = inl ? wqe->sge : NULL,
	};
	tx->pkt = (struct smrc_pkt) {
		.opcode = tx->seg.opcode,
		.se = tx->seg.last && (wqe->flags & IB_SEND_SOLICITED),
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = qp->dqpn,
		.has_ts = true,
		.ts = smrc_ts(now),
		.payload_len = tx->seg.len,
		.data = {
			.rqmsn = wqe->rqmsn,
			.msn = wqe->msn,
			.rkey = send ? 0 : wqe->rkey,
			.va = send ? off : wqe->raddr + off,
			.msg_len = wqe->len,
			.imm = wqe->imm,
			.rsp_psn = qp->rq.win.next,
			.swap_add = wqe->swap_add,
			.compare = wqe->compare,
		},
	};
}

/* The packet of a response that begins at @off. */
static void smrc_tx_response(const struct smrc_qp *qp, struct smrc_resp *resp, u32 off, u64 now, struct smrc_tx *tx)
{
	if (resp->opcode == SMRC_OP_READ_REQUEST)
		smrc_segment_at(SMRC_MSG_READ_RESP, resp->len, off, qp->mtu, &tx->seg);
	else
		smrc_segment_at(SMRC_MSG_ATOMIC_RESP, 0, 0, qp->mtu, &tx->seg);
	tx->wqe = NULL;
	tx->resp = resp;
	tx->sge = (struct smrc_sge) { .addr = resp->va, .length = resp->len, .lkey = resp->rkey };
	tx->from = (struct smrc_source) { .sge = &tx->sge, .num_sge = 1, .rights = SMRC_ACC_REMOTE_READ };
	tx->pkt = (struct smrc_pkt) {
		.opcode = tx->seg.opcode,
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = qp->dqpn,
		.has_ts = true,
		.ts = smrc_ts(now),
		.payload_len = tx->seg.len,
		.data = { .msn = resp->msn, .va = off, .msg_len = resp->len, .orig = resp->orig },
	};
}

/* The bytes cannot be read: a request fails once it is the oldest, a response gets a NAK once it is. */
static void smrc_tx_unreadable(struct smrc_qp *qp, struct smrc_tx *tx)
{
	if (tx->resp) {
		tx->resp->syndrome = SMRC_SYN_NAK_REM_ACCESS;
		return;
	}
	tx->wqe->status = IB_WC_LOC_PROT_ERR;
	tx->wqe->verr = smrc_mracc_verr(tx->from.refused);
	qp->sq.stuck = true;
	smrc_count(qp->dev, WQE_INVALID);
}

/* Build and queue it. Returns false when it cannot be read: then nothing was sent. */
static bool smrc_tx_emit(struct smrc_qp *qp, struct sk_buff_head *list, struct smrc_tx *tx, u16 port)
{
	struct smrc_pkt *pkt = &tx->pkt;
	struct sk_buff *skb = smrc_build_data(qp, &tx->from, tx->seg.off, port, pkt);

	if (tx->from.refused) {
		smrc_tx_unreadable(qp, tx);
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

/* ------------------------------------------------- which packet */

/* A lost packet as it is to be sent again. Returns false when that of its message is given up. */
static bool smrc_tx_again(struct smrc_qp *qp, const struct smrc_sb_pkt *sent, u64 now, struct smrc_tx *tx)
{
	struct smrc_resp *resp;
	struct smrc_swqe *wqe;

	if (sent->response) {
		resp = smrc_resps_at(&qp->rq.resps, sent->wqe);
		smrc_tx_response(qp, resp, sent->off, now, tx);
		return !resp->syndrome;
	}
	wqe = smrc_swqe(&qp->sq, sent->wqe);
	smrc_tx_request(qp, wqe, sent->off, now, tx);
	return !wqe->status;
}

/* The oldest lost packet again, on another value, if there is one and the window has room. */
static bool smrc_tx_lost(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_sb_pkt *sent;
	struct smrc_tx tx __uninitialized;
	u16 port, slot;
	u32 psn;

	if (!smrc_sb_next_lost(&sq->sb, &psn) || !smrc_tx_cwnd(qp))
		return false;
	sent = smrc_sb_pkt(&sq->sb, psn);
	if (!smrc_tx_again(qp, sent, now, &tx))
		return false;
	port = smrc_tx_port(qp, sent->slot, &slot);
	tx.pkt.psn = psn;
	tx.pkt.rtx = true;
	if (!smrc_tx_emit(qp, list, &tx, port))
		return false;
	smrc_sb_resend(&sq->sb, psn, slot, now);
	smrc_cc_sent(qp);
	if (tx.wqe)
		smrc_rnr_sent(&sq->rnr, psn);
	smrc_count(qp->dev, TX_RTX);
	return true;
}

/* The next PSN goes to the packet; the last one that the windows allow asks for a SACK, since nothing may follow. */
static bool smrc_tx_first(struct smrc_qp *qp, struct sk_buff_head *list, struct smrc_tx *tx, u32 tag, u32 room, u64 now)
{
	struct smrc_sb *sb = &qp->sq.sb;
	u16 port, slot;
	u32 psn;

	port = smrc_tx_port(qp, SMRC_EV_NO_SLOT, &slot);
	tx->pkt.psn = sb->nxt;
	/* The end of a message need not ask: it draws a transport ACK, which acknowledges its packets as well. */
	tx->pkt.ack_req = room == 1 && !tx->seg.last;
	if (!smrc_tx_emit(qp, list, tx, port))
		return false;
	psn = smrc_sb_send(sb, tag, tx->seg.off, slot, now);
	smrc_sb_pkt(sb, psn)->response = tx->resp;
	smrc_cc_sent(qp);
	smrc_count(qp->dev, TX_DATA);
	return true;
}

/* The next packet of the response that is being sent. A receiver that is not ready does not hold it up. */
static bool smrc_tx_resp(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_resps *resps = &qp->rq.resps;
	struct smrc_resp *resp = smrc_resps_next(resps);
	struct smrc_tx tx __uninitialized;
	u32 room;

	if (!resp)
		return false;
	room = smrc_sb_room(&qp->sq.sb, qp->sq.window);
	if (room)
		room = min(room, smrc_cc_room(qp));
	if (!room)
		return false;
	smrc_tx_response(qp, resp, resp->off, now, &tx);
	if (!smrc_tx_first(qp, list, &tx, resps->next, room, now))
		return false;
	smrc_resps_sent(resps, tx.seg.len, tx.seg.last, tx.pkt.psn);
	return true;
}

/* Opcodes beyond MRC 1.0 need a peer that knows them. */
static u32 smrc_tx_needs(const struct smrc_swqe *wqe)
{
	switch (wqe->kind) {
	case SMRC_MSG_SEND:
	case SMRC_MSG_SEND_IMM:
		return SMRC_CAP_SEND;
	case SMRC_MSG_READ:
		return SMRC_CAP_READ;
	case SMRC_MSG_CMP_SWAP:
	case SMRC_MSG_FETCH_ADD:
		return SMRC_CAP_ATOMIC;
	default:
		return 0;
	}
}

static bool smrc_tx_refused(struct smrc_qp *qp, struct smrc_swqe *wqe)
{
	const struct smrc_discover *disc = &qp->peer->disc;

	if (!(smrc_tx_needs(wqe) & ~READ_ONCE(disc->caps)))
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

/* Must it wait for READs before it (IBTA 10.8.3.3, 9.4.4)? */
static bool smrc_tx_fenced(const struct smrc_qp *qp, const struct smrc_swqe *wqe)
{
	if (wqe->flags & IB_SEND_FENCE)
		return qp->sq.reading;
	return smrc_msg_asks(wqe->kind) && qp->sq.reading >= qp->attr.max_rd_atomic;
}

/* The last packet of a request was sent. */
static void smrc_tx_done(struct smrc_qp *qp, struct smrc_tx *tx)
{
	struct smrc_swqe *wqe = tx->wqe;
	struct smrc_sq *sq = &qp->sq;

	wqe->last_psn = tx->pkt.psn;
	sq->next++;
	sq->off = 0;
	if (!smrc_msg_asks(wqe->kind))
		return;
	wqe->left = smrc_segment_count(wqe->len, qp->mtu);
	sq->reading++;
}

/* The next packet of the request that is being cut. */
static bool smrc_tx_new(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_swqe *wqe;
	struct smrc_tx tx __uninitialized;
	u32 room;

	if (sq->stuck || !smrc_qp_sends(qp) || sq->next == smrc_sq_end(qp))
		return false;
	room = smrc_sb_room(&sq->sb, sq->window);
	if (room)
		room = min(room, smrc_tx_cwnd(qp));
	if (!room)
		return false;
	wqe = smrc_swqe(sq, sq->next);
	if (wqe->status || smrc_tx_refused(qp, wqe) || smrc_tx_fenced(qp, wqe))
		return false;
	smrc_tx_request(qp, wqe, sq->off, now, &tx);
	if (!sq->off && !tx.seg.last && !smrc_build_readable(qp, &tx.from)) {
		smrc_tx_unreadable(qp, &tx);
		return false;
	}
	if (!smrc_tx_first(qp, list, &tx, sq->next, room, now))
		return false;
	smrc_rnr_sent(&sq->rnr, tx.pkt.psn);
	sq->off += tx.seg.len;
	if (tx.seg.last)
		smrc_tx_done(qp, &tx);
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
		if (!smrc_tx_lost(qp, list, now) && !smrc_tx_resp(qp, list, now) && !smrc_tx_new(qp, list, now))
			break;
	}
	smrc_cc_end(qp);
	if (budget < SMRC_TX_BUDGET)
		smrc_pto_moved(&sq->pto);
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
		smrc_comp_resp(qp, &list, now);
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
