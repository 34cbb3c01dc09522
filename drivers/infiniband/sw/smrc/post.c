// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * post.c: work requests: copied once into the driver's own memory, then checked there. A user posts into his ring and
 * calls with no request ("doorbell"); a kernel user's requests are copied straight from the call.
 */
#include <linux/string.h>

#include "qp.h"
#include "smrc.h"
#include "trace.h"

/* ------------------------------------------------- send: checks on the private copy */

static int smrc_msg_kind(u32 opcode)
{
	switch (opcode) {
	case IB_WR_SEND:
		return SMRC_MSG_SEND;
	case IB_WR_SEND_WITH_IMM:
		return SMRC_MSG_SEND_IMM;
	case IB_WR_RDMA_WRITE:
		return SMRC_MSG_WRITE;
	case IB_WR_RDMA_WRITE_WITH_IMM:
		return SMRC_MSG_WRITE_IMM;
	case IB_WR_RDMA_READ:
		return SMRC_MSG_READ;
	case IB_WR_ATOMIC_CMP_AND_SWP:
		return SMRC_MSG_CMP_SWAP;
	case IB_WR_ATOMIC_FETCH_AND_ADD:
		return SMRC_MSG_FETCH_ADD;
	default:
		return -EOPNOTSUPP;
	}
}

static bool smrc_takes_rqe(u8 kind)
{
	return kind == SMRC_MSG_SEND || kind == SMRC_MSG_SEND_IMM || kind == SMRC_MSG_WRITE_IMM;
}

#define SMRC_SEND_FLAGS	(IB_SEND_FENCE | IB_SEND_SIGNALED | IB_SEND_SOLICITED | IB_SEND_INLINE)

/* Length of the scatter/gather list, or -1 when it is longer than a message may be. */
static s64 smrc_sge_len(const struct smrc_sge *sge, u32 n)
{
	u64 len = 0;
	u32 i;

	for (i = 0; i < n; i++)
		len += sge[i].length;
	return len <= SMRC_MSG_MAX ? (s64)len : -1;
}

/* Give the next message its numbers. A refused request keeps its place in the order of completions. */
static void smrc_swqe_number(struct smrc_sq *sq, struct smrc_swqe *wqe)
{
	wqe->msn = sq->msn;
	sq->msn = smrc_psn_add(sq->msn, 1);
	wqe->rqmsn = 0;
	if (smrc_takes_rqe(wqe->kind))
		wqe->rqmsn = sq->rqmsn++;
	else if (smrc_msg_asks(wqe->kind))
		wqe->rqmsn = sq->reads++;
}

static void smrc_swqe_refuse(struct smrc_qp *qp, struct smrc_swqe *wqe, enum ib_wc_status status)
{
	wqe->status = status;
	wqe->verr = SMRC_VERR_BAD_WQE;
	wqe->num_sge = 0;
	wqe->len = 0;
	smrc_count(qp->dev, WQE_INVALID);
}

/* What draws a response takes no data along, and needs a QP that may have one open. */
static bool smrc_swqe_wrong(const struct smrc_qp *qp, const struct smrc_swqe *wqe, int kind)
{
	if (kind < 0 || (wqe->flags & ~SMRC_SEND_FLAGS))
		return true;
	return smrc_msg_asks(kind) && ((wqe->flags & IB_SEND_INLINE) || !qp->attr.max_rd_atomic);
}

/* Length of the message, or -1 when it cannot have that. The result of an atomic goes to the first entry. */
static s64 smrc_swqe_len(const struct smrc_swqe *wqe, int kind, u32 inline_len)
{
	if (smrc_msg_atomic(kind))
		return wqe->num_sge == 1 && wqe->sge[0].length >= SMRC_ATOMIC_LEN ? SMRC_ATOMIC_LEN : -1;
	return wqe->flags & IB_SEND_INLINE ? inline_len : smrc_sge_len(wqe->sge, wqe->num_sge);
}

static void smrc_swqe_check(struct smrc_qp *qp, struct smrc_swqe *wqe, u32 opcode, u32 inline_len)
{
	int kind = smrc_msg_kind(opcode);
	s64 len;

	wqe->opcode = opcode;
	wqe->status = IB_WC_SUCCESS;
	wqe->verr = 0;
	wqe->kind = SMRC_MSG_WRITE;
	if (smrc_swqe_wrong(qp, wqe, kind)) {
		smrc_swqe_refuse(qp, wqe, IB_WC_LOC_QP_OP_ERR);
		return;
	}
	len = smrc_swqe_len(wqe, kind, inline_len);
	if (len < 0) {
		smrc_swqe_refuse(qp, wqe, IB_WC_LOC_LEN_ERR);
		return;
	}
	wqe->kind = kind;
	wqe->len = len;
}

static void smrc_swqe_operands(struct smrc_swqe *wqe, u32 opcode, u64 compare_add, u64 swap)
{
	bool add = opcode == IB_WR_ATOMIC_FETCH_AND_ADD;

	wqe->swap_add = add ? compare_add : swap;
	wqe->compare = add ? 0 : compare_add;
}

/* A user's index names entries that do not exist: there is no telling what he meant. */
static void smrc_ring_broken(struct smrc_qp *qp)
{
	if (qp->state == IB_QPS_ERR)
		return;
	smrc_count(qp->dev, WQE_INVALID);
	smrc_qp_event(qp, IB_EVENT_QP_FATAL);
	smrc_qp_error(qp);
}

/* ------------------------------------------------- send: a user's ring */

/* The head is copied first; how much of the rest to copy follows from the copy alone. */
static void smrc_swqe_copy(struct smrc_qp *qp, struct smrc_swqe *wqe, const struct smrc_send_wqe *from)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_send_wqe head;

	memcpy(&head, from, sizeof(head));
	barrier();	/* from here on the copy, and never the user's memory again */
	wqe->wr_id = head.wr_id;
	wqe->raddr = head.remote_addr;
	wqe->rkey = head.rkey;
	smrc_swqe_operands(wqe, head.opcode, head.compare_add, head.swap);
	wqe->imm = (__force __be32)head.imm;
	wqe->flags = head.send_flags;
	wqe->num_sge = 0;
	if (head.send_flags & IB_SEND_INLINE ? head.inline_len > sq->max_inline : head.num_sge > sq->max_sge) {
		wqe->opcode = head.opcode;
		wqe->kind = SMRC_MSG_WRITE;
		smrc_swqe_refuse(qp, wqe, IB_WC_LOC_QP_OP_ERR);
		return;
	}
	if (head.send_flags & IB_SEND_INLINE) {
		memcpy(wqe->sge, from->sge, head.inline_len);
	} else {
		wqe->num_sge = head.num_sge;
		memcpy(wqe->sge, from->sge, head.num_sge * sizeof(struct smrc_sge));
	}
	smrc_swqe_check(qp, wqe, head.opcode, head.inline_len);
}

/**
 * smrc_sq_fetch() - copy what a user posted since the last time
 * @qp: a user's QP, its lock held
 *
 * An index that claims more than the ring holds puts the QP in error.
 */
void smrc_sq_fetch(struct smrc_qp *qp)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_swqe *wqe;
	u32 prod;

	lockdep_assert_held(&qp->lock);
	if (!qp->user)
		return;
	prod = smrc_kring_prod(&sq->ring);
	if (prod - sq->prod > sq->mask + 1 - (sq->prod - sq->cons)) {
		smrc_ring_broken(qp);
		return;
	}
	for (; sq->prod != prod; sq->prod++) {
		wqe = smrc_swqe(sq, sq->prod);
		smrc_swqe_copy(qp, wqe, smrc_kring_entry(&sq->ring, sq->prod));
		smrc_swqe_number(sq, wqe);
	}
}

/* ------------------------------------------------- send: a kernel user's requests */

static int smrc_swqe_inline(struct smrc_swqe *wqe, const struct ib_send_wr *wr, u32 max, u32 *len)
{
	u32 n = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		if (wr->sg_list[i].length > max - n)
			return -EINVAL;
		memcpy((u8 *)wqe->sge + n, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		n += wr->sg_list[i].length;
	}
	*len = n;
	return 0;
}

/* What it wants of the peer's memory: the kinds of requests have it in different places. */
static void smrc_swqe_remote(struct smrc_swqe *wqe, const struct ib_send_wr *wr)
{
	int kind = smrc_msg_kind(wr->opcode);

	wqe->raddr = 0;
	wqe->rkey = 0;
	if (smrc_msg_atomic(kind)) {
		wqe->raddr = atomic_wr(wr)->remote_addr;
		wqe->rkey = atomic_wr(wr)->rkey;
		smrc_swqe_operands(wqe, wr->opcode, atomic_wr(wr)->compare_add, atomic_wr(wr)->swap);
	} else if (kind != SMRC_MSG_SEND && kind != SMRC_MSG_SEND_IMM) {
		wqe->raddr = rdma_wr(wr)->remote_addr;
		wqe->rkey = rdma_wr(wr)->rkey;
	}
}

static int smrc_swqe_from_wr(struct smrc_qp *qp, struct smrc_swqe *wqe, const struct ib_send_wr *wr)
{
	struct smrc_sq *sq = &qp->sq;
	u32 inline_len = 0;
	int i, err;

	if (smrc_msg_kind(wr->opcode) < 0)
		return -EOPNOTSUPP;
	if (wr->num_sge < 0 || wr->num_sge > sq->max_sge || (wr->send_flags & ~SMRC_SEND_FLAGS))
		return -EINVAL;
	wqe->wr_id = wr->wr_id;
	wqe->flags = wr->send_flags;
	wqe->imm = wr->ex.imm_data;
	smrc_swqe_remote(wqe, wr);
	wqe->num_sge = 0;
	if (wr->send_flags & IB_SEND_INLINE) {
		err = smrc_swqe_inline(wqe, wr, sq->max_inline, &inline_len);
		if (err)
			return err;
	} else {
		wqe->num_sge = wr->num_sge;
		for (i = 0; i < wr->num_sge; i++)
			wqe->sge[i] = (struct smrc_sge) {
				.addr = wr->sg_list[i].addr,
				.length = wr->sg_list[i].length,
				.lkey = wr->sg_list[i].lkey,
			};
	}
	smrc_swqe_check(qp, wqe, wr->opcode, inline_len);
	return 0;
}

static bool smrc_sq_has_room(const struct smrc_sq *sq)
{
	/* Pairs with smrc_sq_consume(). */
	return sq->prod - smp_load_acquire(&sq->cons) <= sq->mask;
}

static int smrc_post_send_kernel(struct smrc_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_swqe *wqe;
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&sq->post_lock, flags);
	for (; wr; wr = wr->next) {
		if (!smrc_sq_has_room(sq)) {
			err = -ENOMEM;
			break;
		}
		wqe = smrc_swqe(sq, sq->prod);
		err = smrc_swqe_from_wr(qp, wqe, wr);
		if (err)
			break;
		smrc_swqe_number(sq, wqe);
		/* Pairs with smrc_sq_prod(). */
		smp_store_release(&sq->prod, sq->prod + 1);
	}
	spin_unlock_irqrestore(&sq->post_lock, flags);
	if (err)
		*bad = wr;
	/* Never from the post chain: the caller may hold locks that its completion handler takes. */
	queue_work(smrc_wq, &qp->work);
	return err;
}

/**
 * smrc_post_send() - verbs post_send
 * @ibqp: the QP
 * @wr: kernel user: the requests; user: NULL, they are in his ring
 * @bad: first request not taken
 *
 * Context: kernel user: any; user: process, transmits before it returns.
 * Return: 0; -EINVAL in a state that does not send, or for a malformed request; -EOPNOTSUPP for an opcode not offered;
 * -ENOMEM when the queue is full.
 */
int smrc_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);
	enum ib_qp_state state = READ_ONCE(qp->state);

	if (state < IB_QPS_RTS) {
		*bad = wr;
		return -EINVAL;
	}
	if (!qp->user)
		return smrc_post_send_kernel(qp, wr, bad);
	if (wr) {
		*bad = wr;
		return -EOPNOTSUPP;
	}
	smrc_qp_run(qp);
	return 0;
}

/* ------------------------------------------------- receive */

static void smrc_rwqe_check(struct smrc_qp *qp, struct smrc_rwqe *wqe)
{
	s64 len = smrc_sge_len(wqe->sge, wqe->num_sge);

	wqe->status = IB_WC_SUCCESS;
	wqe->verr = 0;
	wqe->len = len;
	if (len < 0) {
		wqe->status = IB_WC_LOC_QP_OP_ERR;
		wqe->verr = SMRC_VERR_BAD_WQE;
		wqe->len = 0;
		smrc_count(qp->dev, WQE_INVALID);
	}
}

static void smrc_rwqe_copy(struct smrc_qp *qp, struct smrc_rwqe *wqe, const struct smrc_recv_wqe *from)
{
	struct smrc_recv_wqe head;

	memcpy(&head, from, sizeof(head));
	barrier();	/* from here on the copy, and never the user's memory again */
	wqe->wr_id = head.wr_id;
	wqe->num_sge = 0;
	if (head.num_sge > qp->rq.max_sge) {
		wqe->status = IB_WC_LOC_QP_OP_ERR;
		wqe->verr = SMRC_VERR_BAD_WQE;
		wqe->len = 0;
		smrc_count(qp->dev, WQE_INVALID);
		return;
	}
	wqe->num_sge = head.num_sge;
	memcpy(wqe->sge, from->sge, head.num_sge * sizeof(struct smrc_sge));
	smrc_rwqe_check(qp, wqe);
}

/**
 * smrc_rq_fetch() - copy what a user posted since the last time
 * @qp: a user's QP, its lock held
 */
void smrc_rq_fetch(struct smrc_qp *qp)
{
	struct smrc_rq *rq = &qp->rq;
	u32 prod;

	lockdep_assert_held(&qp->lock);
	if (!qp->user)
		return;
	prod = smrc_kring_prod(&rq->ring);
	if (prod - rq->prod > rq->mask + 1 - (rq->prod - rq->cons)) {
		smrc_ring_broken(qp);
		return;
	}
	for (; rq->prod != prod; rq->prod++)
		smrc_rwqe_copy(qp, smrc_rwqe(rq, rq->prod), smrc_kring_entry(&rq->ring, rq->prod));
}

static bool smrc_rq_has_room(const struct smrc_rq *rq)
{
	/* Pairs with smrc_rq_consume(). */
	return rq->prod - smp_load_acquire(&rq->cons) <= rq->mask;
}

static int smrc_post_recv_kernel(struct smrc_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct smrc_rq *rq = &qp->rq;
	struct smrc_rwqe *wqe;
	unsigned long flags;
	int i, err = 0;

	spin_lock_irqsave(&rq->post_lock, flags);
	for (; wr; wr = wr->next) {
		if (!smrc_rq_has_room(rq)) {
			err = -ENOMEM;
			break;
		}
		if (wr->num_sge < 0 || wr->num_sge > rq->max_sge) {
			err = -EINVAL;
			break;
		}
		wqe = smrc_rwqe(rq, rq->prod);
		wqe->wr_id = wr->wr_id;
		wqe->num_sge = wr->num_sge;
		for (i = 0; i < wr->num_sge; i++)
			wqe->sge[i] = (struct smrc_sge) {
				.addr = wr->sg_list[i].addr,
				.length = wr->sg_list[i].length,
				.lkey = wr->sg_list[i].lkey,
			};
		smrc_rwqe_check(qp, wqe);
		/* Pairs with smrc_rq_prod(). */
		smp_store_release(&rq->prod, rq->prod + 1);
	}
	spin_unlock_irqrestore(&rq->post_lock, flags);
	if (err)
		*bad = wr;
	return err;
}

/**
 * smrc_post_recv() - verbs post_recv
 * @ibqp: the QP
 * @wr: kernel user: the requests; user: NULL, they are in his ring
 * @bad: first request not taken
 *
 * A user calls only when the ring says so (SMRC_RING_NEED_KICK): the QP is in error and flushes what is posted.
 *
 * Context: kernel user: any; user: process.
 * Return: as smrc_post_send().
 */
int smrc_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);
	int err = 0;

	if (READ_ONCE(qp->state) == IB_QPS_RESET || (qp->user && wr)) {
		*bad = wr;
		return -EINVAL;
	}
	if (!qp->user)
		err = smrc_post_recv_kernel(qp, wr, bad);
	/* In error, the work flushes what was posted. */
	if (READ_ONCE(qp->state) == IB_QPS_ERR)
		queue_work(smrc_wq, &qp->work);
	return err;
}
