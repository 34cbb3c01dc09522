// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * comp.c: messages end: completions in post order, receives in message order, errors, flushes.
 */
#include "cq.h"
#include "mr.h"
#include "peer.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"

/**
 * smrc_qp_event() - an asynchronous event is owed to the QP's user; the work item delivers it, under no lock
 * @qp: the QP, its lock held
 * @type: which
 */
void smrc_qp_event(struct smrc_qp *qp, enum ib_event_type type)
{
	qp->events |= BIT(type);
	queue_work(smrc_wq, &qp->work);
}

/**
 * smrc_qp_deliver() - tell the consumers of the QP's completions, after its lock was given up
 * @qp: the QP, which the caller keeps from going away
 */
void smrc_qp_deliver(struct smrc_qp *qp)
{
	smrc_cq_deliver(to_smrc_cq(qp->ibqp.recv_cq));
	if (qp->ibqp.send_cq != qp->ibqp.recv_cq)
		smrc_cq_deliver(to_smrc_cq(qp->ibqp.send_cq));
}

/* ------------------------------------------------- send queue */

static enum ib_wc_opcode smrc_wc_opcode(u8 opcode)
{
	switch (opcode) {
	case IB_WR_RDMA_WRITE:
	case IB_WR_RDMA_WRITE_WITH_IMM:
		return IB_WC_RDMA_WRITE;
	case IB_WR_RDMA_READ:
		return IB_WC_RDMA_READ;
	case IB_WR_ATOMIC_CMP_AND_SWP:
		return IB_WC_COMP_SWAP;
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		return IB_WC_FETCH_ADD;
	default:
		return IB_WC_SEND;
	}
}

/* A QP whose completions are lost is of no use any more (IBTA 11.2.8.6); the work item sees to it. */
static void smrc_comp_push(struct smrc_qp *qp, struct ib_cq *cq, const struct ib_wc *wc, bool solicited)
{
	if (smrc_cq_push(to_smrc_cq(cq), wc, solicited) || qp->state == IB_QPS_ERR || (qp->due & SMRC_DUE_FATAL))
		return;
	qp->due |= SMRC_DUE_FATAL;
	smrc_qp_event(qp, IB_EVENT_QP_FATAL);
}

/**
 * smrc_comp_drained() - in state SQD, all requests that were begun are finished: tell who wants to know, once
 * @qp: the QP, its lock held
 */
void smrc_comp_drained(struct smrc_qp *qp)
{
	if (qp->state != IB_QPS_SQD || !qp->sq.drain_event)
		return;
	qp->sq.drain_event = false;
	smrc_qp_event(qp, IB_EVENT_SQ_DRAINED);
}

/* The oldest send request ends. Its entry goes back to the poster. */
static void smrc_comp_send_one(struct smrc_qp *qp, enum ib_wc_status status, u8 verr)
{
	struct smrc_sq *sq = &qp->sq;
	const struct smrc_swqe *wqe = smrc_swqe(sq, sq->cons);
	struct ib_wc wc = {
		.wr_id = wqe->wr_id,
		.status = status,
		.opcode = smrc_wc_opcode(wqe->opcode),
		.vendor_err = verr,
		.byte_len = wqe->len,
		.qp = &qp->ibqp,
		.src_qp = qp->dqpn,
	};
	bool tell = status || qp->sig_all || (wqe->flags & IB_SEND_SIGNALED);

	if (smrc_msg_asks(wqe->kind) && (s32)(sq->next - sq->cons) > 0)
		sq->reading--;
	/* Before the completion can be seen: who sees it may count on the room for another request. */
	smrc_sq_consume(sq);
	if (sq->cons == smrc_sq_end(qp)) {
		sq->busy = false;
		smrc_comp_drained(qp);
	}
	if (tell)
		smrc_comp_push(qp, qp->ibqp.send_cq, &wc, false);
}

/**
 * smrc_comp_head_sent() - may the oldest request complete?
 * @sq: the send half
 *
 * It must have been sent to its end, and no packet of it may still be on the scoreboard, whatever the peer says: its
 * entry would be used again under that packet.
 *
 * Return: true when there is one, and it may.
 */
bool smrc_comp_head_sent(const struct smrc_sq *sq)
{
	return sq->cons != sq->acked;
}

/**
 * smrc_comp_head_told() - has the peer told that it retired the oldest request?
 * @sq: the send half; smrc_comp_head_sent()
 *
 * Return: true when it has: of one that draws a response only that is awaited.
 */
bool smrc_comp_head_told(const struct smrc_sq *sq)
{
	return smrc_psn_before(smrc_swqe(sq, sq->cons)->msn, sq->told);
}

/* What draws a response ends with it, and needs no transport ACK beside it; it may have nowhere to go. */
static bool smrc_comp_head_done(const struct smrc_sq *sq)
{
	const struct smrc_swqe *wqe = smrc_swqe(sq, sq->cons);

	if (!smrc_comp_head_sent(sq))
		return false;
	return smrc_msg_asks(wqe->kind) ? !wqe->left && !wqe->status : smrc_comp_head_told(sq);
}

/**
 * smrc_comp_send() - complete what the peer has acknowledged, or answered
 * @qp: the QP, its lock held
 * @now: current time, ns
 */
void smrc_comp_send(struct smrc_qp *qp, u64 now)
{
	struct smrc_sq *sq = &qp->sq;

	lockdep_assert_held(&qp->lock);
	while (smrc_comp_head_done(sq)) {
		/* What it was to fail with is overtaken: another copy of its packets arrived. */
		if (smrc_swqe(sq, sq->cons)->status)
			sq->stuck = false;
		smrc_comp_send_one(qp, IB_WC_SUCCESS, 0);
		smrc_retry_progress(&sq->retry, now);
		smrc_rnr_done(&sq->rnr);
		smrc_pto_told(&sq->pto);
	}
}

/**
 * smrc_comp_send_error() - the oldest send request fails, and the QP with it
 * @qp: the QP, its lock held
 * @status: of its completion
 * @verr: enum smrc_vendor_err
 */
void smrc_comp_send_error(struct smrc_qp *qp, enum ib_wc_status status, u8 verr)
{
	struct smrc_sq *sq = &qp->sq;

	lockdep_assert_held(&qp->lock);
	if (sq->cons != smrc_sq_prod(sq)) {
		trace_smrc_fail(&qp->dev->ibdev, qp->ibqp.qp_num, smrc_swqe(sq, sq->cons)->wr_id, status, verr);
		/* A queue that fails is not drained: the completion tells, and the event does not. */
		sq->drain_event = false;
		smrc_comp_send_one(qp, status, verr);
	}
	smrc_qp_error(qp);
}

/**
 * smrc_comp_head() - if the oldest send request is one that cannot be sent, it fails now
 * @qp: the QP, its lock held
 */
void smrc_comp_head(struct smrc_qp *qp)
{
	struct smrc_sq *sq = &qp->sq;
	const struct smrc_swqe *wqe = smrc_swqe(sq, sq->cons);

	if (!smrc_qp_sends(qp) || sq->cons == smrc_sq_end(qp) || !wqe->status)
		return;
	smrc_comp_send_error(qp, wqe->status, wqe->verr);
}

/* ------------------------------------------------- receive queue */

static void smrc_comp_recv_one(struct smrc_qp *qp, const struct smrc_rxmsg *msg, enum ib_wc_status status, u8 verr)
{
	struct smrc_rq *rq = &qp->rq;
	const struct smrc_rwqe *rwqe = smrc_rwqe(rq, rq->cons);
	struct ib_wc wc = {
		.wr_id = rwqe->wr_id,
		.status = status,
		.opcode = IB_WC_RECV,
		.vendor_err = verr,
		.qp = &qp->ibqp,
		.src_qp = qp->dqpn,
	};

	if (msg) {
		wc.byte_len = msg->len;
		if (!smrc_op_is_send(msg->opcode))
			wc.opcode = IB_WC_RECV_RDMA_WITH_IMM;
		if (smrc_op_has_imm(msg->opcode)) {
			wc.ex.imm_data = msg->imm;
			wc.wc_flags = IB_WC_WITH_IMM;
		}
	}
	/* As in smrc_comp_send_one(). */
	smrc_rq_consume(rq);
	smrc_comp_push(qp, qp->ibqp.recv_cq, &wc, msg && msg->se);
}

/* A message is refused: the requester is told, and the QP is in error (IBTA 9.9.3). */
static void smrc_comp_nak(struct smrc_qp *qp, struct sk_buff_head *list, u8 syndrome, u32 msn, u64 now)
{
	bool access = syndrome == SMRC_SYN_NAK_REM_ACCESS;

	if (access)
		smrc_count(qp->dev, RX_ACCESS);
	else if (syndrome == SMRC_SYN_NAK_INV_REQ)
		smrc_count(qp->dev, RX_INVALID);
	qp->rq.nak = syndrome;
	qp->rq.nak_msn = msn;
	smrc_ack_nak(qp, list, now);
	smrc_qp_event(qp, access ? IB_EVENT_QP_ACCESS_ERR : IB_EVENT_QP_REQ_ERR);
	smrc_qp_error(qp);
}

/* The message at the head is refused. A receive request that it was to go to ends with it. */
static void smrc_comp_refuse(struct smrc_qp *qp, struct sk_buff_head *list, const struct smrc_rxmsg *msg, u8 syndrome,
			     u64 now)
{
	struct smrc_rq *rq = &qp->rq;
	const struct smrc_rwqe *rwqe = smrc_rwqe(rq, rq->cons);

	if (smrc_op_is_send(msg->opcode) && rq->cons != smrc_rq_prod(rq) && rwqe->status)
		smrc_comp_recv_one(qp, msg, rwqe->status, rwqe->verr);
	smrc_comp_nak(qp, list, syndrome, rq->msgs.next, now);
}

/* May the QP give what a READ wants? */
static u8 smrc_comp_read_check(struct smrc_qp *qp, const struct smrc_resp *resp)
{
	struct smrc_mr_cursor cur;
	enum smrc_mracc acc;

	if (!(qp->attr.qp_access_flags & IB_ACCESS_REMOTE_READ))
		return SMRC_SYN_NAK_REM_ACCESS;
	/* As for a WRITE of no bytes, the key is not looked at. */
	if (!resp->len)
		return 0;
	rcu_read_lock();
	acc = smrc_mr_find(qp->dev, resp->rkey, qp->pd, SMRC_ACC_REMOTE_READ, resp->va, resp->len, &cur);
	rcu_read_unlock();
	return acc ? SMRC_SYN_NAK_REM_ACCESS : 0;
}

/*
 * A READ or an atomic retires: all before it is in place, so it may be read, or done. One that is refused gets its NAK
 * behind the responses before it (smrc_comp_resp()). Returns a syndrome when the requester counts wrongly.
 */
static u8 smrc_comp_asked(struct smrc_qp *qp, const struct smrc_rxmsg *msg)
{
	struct smrc_resp *resp = smrc_resps_ready(&qp->rq.resps, msg->rqmsn, qp->rq.msgs.next);

	if (!resp)
		return SMRC_SYN_NAK_INV_REQ;
	if (resp->opcode == SMRC_OP_READ_REQUEST)
		resp->syndrome = smrc_comp_read_check(qp, resp);
	else
		resp->syndrome = smrc_place_atomic(qp, resp);
	qp->due |= SMRC_DUE_SCAN;
	return 0;
}

static bool smrc_comp_retire(struct smrc_qp *qp, struct sk_buff_head *list, const struct smrc_rxmsg *msg, u64 now)
{
	struct smrc_rq *rq = &qp->rq;
	u8 syndrome = smrc_rxmsg_verdict(msg);

	if (!syndrome && smrc_op_takes_rqe(msg->opcode) &&
	    (msg->rqmsn != (u16)rq->cons || rq->cons == smrc_rq_prod(rq)))
		syndrome = SMRC_SYN_NAK_INV_REQ;
	if (!syndrome && smrc_op_asks(msg->opcode))
		syndrome = smrc_comp_asked(qp, msg);
	if (syndrome) {
		smrc_comp_refuse(qp, list, msg, syndrome, now);
		return false;
	}
	if (smrc_op_takes_rqe(msg->opcode))
		smrc_comp_recv_one(qp, msg, IB_WC_SUCCESS, 0);
	smrc_rxmsgs_retire(&rq->msgs);
	return true;
}

/**
 * smrc_comp_recv() - retire, in order, the messages that are complete
 * @qp: the QP, its lock held
 * @list: where a NAK goes
 * @now: current time, ns
 */
void smrc_comp_recv(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	const struct smrc_rxmsg *msg;

	lockdep_assert_held(&qp->lock);
	while ((msg = smrc_rxmsgs_ready(&qp->rq.msgs, qp->rq.win.next))) {
		if (smrc_resps_blocked(&qp->rq.resps) || !smrc_comp_retire(qp, list, msg, now))
			return;
	}
}

/**
 * smrc_comp_resp() - if the oldest response owed is one that cannot be given, it is refused now, and the QP is in error
 * @qp: the QP, its lock held
 * @list: where the NAK goes
 * @now: current time, ns
 */
void smrc_comp_resp(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	const struct smrc_resp *resp = smrc_resps_refused(&qp->rq.resps);

	lockdep_assert_held(&qp->lock);
	if (!resp || qp->state == IB_QPS_ERR)
		return;
	smrc_comp_nak(qp, list, resp->syndrome, resp->msn, now);
}

/* ------------------------------------------------- error */

/**
 * smrc_comp_flush() - complete everything posted with a flush error
 * @qp: the QP in error, its lock held
 */
void smrc_comp_flush(struct smrc_qp *qp)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_rq *rq = &qp->rq;

	lockdep_assert_held(&qp->lock);
	smrc_sq_fetch(qp);
	while (sq->cons != smrc_sq_prod(sq))
		smrc_comp_send_one(qp, IB_WC_WR_FLUSH_ERR, 0);
	smrc_rq_fetch(qp);
	while (rq->cons != smrc_rq_prod(rq))
		smrc_comp_recv_one(qp, NULL, IB_WC_WR_FLUSH_ERR, 0);
}

/**
 * smrc_qp_error() - the QP goes to error: both queues are flushed, and what is posted from now on will be
 * @qp: the QP, its lock held
 */
void smrc_qp_error(struct smrc_qp *qp)
{
	lockdep_assert_held(&qp->lock);
	if (qp->state == IB_QPS_ERR)
		return;
	trace_smrc_qp_state(&qp->dev->ibdev, qp->ibqp.qp_num, qp->state, IB_QPS_ERR);
	WRITE_ONCE(qp->state, IB_QPS_ERR);
	/* Its other end may be gone, so it is no way for probes any more. */
	if (qp->peer)
		smrc_peer_detach(qp->peer, qp);
	qp->due = 0;
	/* From here on the provider calls after it posted a receive, and the call flushes. */
	if (qp->rq.ring.map)
		WRITE_ONCE(qp->rq.ring.hdr->flags, SMRC_RING_NEED_KICK);
	/* A post that did not see the flag is older than this fetch. */
	smp_mb();
	smrc_comp_flush(qp);
}
