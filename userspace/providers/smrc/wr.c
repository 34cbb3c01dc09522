// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * wr.c: the send API of function calls, ibv_wr_start() to ibv_wr_complete() (man ibv_wr_post): each request is built
 * where the driver will read it, and all of a batch become visible at its end.
 *
 * Errors are remembered and told by ibv_wr_complete(), which posts nothing then. The lock of the send queue is held
 * from start to end, as the manual page allows.
 */
#include <errno.h>
#include <string.h>

#include "smrc.h"

static inline struct smrc_qp *ex_qp(struct ibv_qp_ex *ex)
{
	return container_of(ex, struct smrc_qp, vqp.qp_ex);
}

static void smrc_wr_start(struct ibv_qp_ex *ex)
{
	struct smrc_qp *qp = ex_qp(ex);

	pthread_spin_lock(&qp->sq_lock);
	qp->wr.prod = qp->sq.hdr->prod;
	qp->wr.err = smrc_send_allowed(&ex->qp_base) ? 0 : EINVAL;
	qp->wr.wqe = NULL;
}

/* The next entry, all of it set but for what is given; NULL when there is none, or something was wrong already */
static struct smrc_send_wqe *wr_next(struct smrc_qp *qp, enum ibv_wr_opcode opcode)
{
	struct ibv_qp_ex *ex = &qp->vqp.qp_ex;
	struct smrc_send_wqe *wqe;

	qp->wr.wqe = NULL;
	if (!qp->wr.err && !smrc_ring_room(&qp->sq, qp->wr.prod))
		qp->wr.err = ENOMEM;
	if (qp->wr.err)
		return NULL;
	wqe = smrc_ring_entry(&qp->sq, qp->wr.prod++);
	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = ex->wr_id;
	wqe->opcode = opcode;
	/* Whether the data is inline the setter says */
	wqe->send_flags = (ex->wr_flags & ~IBV_SEND_INLINE) | qp->send_flags;
	qp->wr.wqe = wqe;
	return wqe;
}

static struct smrc_send_wqe *wr_remote(struct smrc_qp *qp, enum ibv_wr_opcode opcode, uint32_t rkey, uint64_t addr)
{
	struct smrc_send_wqe *wqe = wr_next(qp, opcode);

	if (!wqe)
		return NULL;
	wqe->rkey = rkey;
	wqe->remote_addr = addr;
	return wqe;
}

static void smrc_wr_send(struct ibv_qp_ex *ex)
{
	wr_next(ex_qp(ex), IBV_WR_SEND);
}

static void smrc_wr_send_imm(struct ibv_qp_ex *ex, __be32 imm)
{
	struct smrc_send_wqe *wqe = wr_next(ex_qp(ex), IBV_WR_SEND_WITH_IMM);

	if (wqe)
		wqe->imm = (__force uint32_t)imm;
}

static void smrc_wr_write(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t addr)
{
	wr_remote(ex_qp(ex), IBV_WR_RDMA_WRITE, rkey, addr);
}

static void smrc_wr_write_imm(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t addr, __be32 imm)
{
	struct smrc_send_wqe *wqe = wr_remote(ex_qp(ex), IBV_WR_RDMA_WRITE_WITH_IMM, rkey, addr);

	if (wqe)
		wqe->imm = (__force uint32_t)imm;
}

static void smrc_wr_read(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t addr)
{
	wr_remote(ex_qp(ex), IBV_WR_RDMA_READ, rkey, addr);
}

static void smrc_wr_cmp_swp(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t addr, uint64_t compare, uint64_t swap)
{
	struct smrc_send_wqe *wqe = wr_remote(ex_qp(ex), IBV_WR_ATOMIC_CMP_AND_SWP, rkey, addr);

	if (!wqe)
		return;
	wqe->compare_add = compare;
	wqe->swap = swap;
}

static void smrc_wr_fetch_add(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t addr, uint64_t add)
{
	struct smrc_send_wqe *wqe = wr_remote(ex_qp(ex), IBV_WR_ATOMIC_FETCH_AND_ADD, rkey, addr);

	if (wqe)
		wqe->compare_add = add;
}

static void smrc_wr_sge_list(struct ibv_qp_ex *ex, size_t num_sge, const struct ibv_sge *list)
{
	struct smrc_qp *qp = ex_qp(ex);

	if (!qp->wr.wqe)
		return;
	if (num_sge > qp->max_send_sge) {
		qp->wr.err = EINVAL;
		return;
	}
	qp->wr.wqe->num_sge = num_sge;
	memcpy(qp->wr.wqe->sge, list, num_sge * sizeof(*list));
}

static void smrc_wr_sge(struct ibv_qp_ex *ex, uint32_t lkey, uint64_t addr, uint32_t length)
{
	const struct ibv_sge sge = { .addr = addr, .length = length, .lkey = lkey };

	smrc_wr_sge_list(ex, 1, &sge);
}

static void smrc_wr_inline_list(struct ibv_qp_ex *ex, size_t num_buf, const struct ibv_data_buf *list)
{
	struct smrc_qp *qp = ex_qp(ex);
	struct smrc_send_wqe *wqe = qp->wr.wqe;
	uint32_t len = 0;
	size_t i;

	if (!wqe)
		return;
	for (i = 0; i < num_buf; i++) {
		if (list[i].length > qp->max_inline - len) {
			qp->wr.err = EINVAL;
			return;
		}
		memcpy((char *)wqe->sge + len, list[i].addr, list[i].length);
		len += list[i].length;
	}
	wqe->send_flags |= IBV_SEND_INLINE;
	wqe->inline_len = len;
}

static void smrc_wr_inline(struct ibv_qp_ex *ex, void *addr, size_t length)
{
	const struct ibv_data_buf buf = { .addr = addr, .length = length };

	smrc_wr_inline_list(ex, 1, &buf);
}

static int smrc_wr_complete(struct ibv_qp_ex *ex)
{
	struct smrc_qp *qp = ex_qp(ex);
	int err = qp->wr.err;

	if (!err && qp->wr.prod != qp->sq.hdr->prod) {
		smrc_ring_store(&qp->sq.hdr->prod, qp->wr.prod);
		err = smrc_kick_send(&ex->qp_base);
	}
	pthread_spin_unlock(&qp->sq_lock);
	return err;
}

static void smrc_wr_abort(struct ibv_qp_ex *ex)
{
	pthread_spin_unlock(&ex_qp(ex)->sq_lock);
}

/**
 * smrc_wr_init - offer the API on a queue pair
 * @qp: queue pair, which was asked for it
 * @ops: enum ibv_qp_create_send_ops_flags that it was asked for
 *
 * Return: 0, or EOPNOTSUPP when there is no such operation, or no send queue.
 */
int smrc_wr_init(struct smrc_qp *qp, uint64_t ops)
{
	struct ibv_qp_ex *ex = &qp->vqp.qp_ex;

	if (ops & ~SMRC_SEND_OPS || !qp->sq.hdr)
		return EOPNOTSUPP;
	ex->wr_start = smrc_wr_start;
	ex->wr_complete = smrc_wr_complete;
	ex->wr_abort = smrc_wr_abort;
	ex->wr_send = smrc_wr_send;
	ex->wr_send_imm = smrc_wr_send_imm;
	ex->wr_rdma_write = smrc_wr_write;
	ex->wr_rdma_write_imm = smrc_wr_write_imm;
	ex->wr_rdma_read = smrc_wr_read;
	ex->wr_atomic_cmp_swp = smrc_wr_cmp_swp;
	ex->wr_atomic_fetch_add = smrc_wr_fetch_add;
	ex->wr_set_sge = smrc_wr_sge;
	ex->wr_set_sge_list = smrc_wr_sge_list;
	ex->wr_set_inline_data = smrc_wr_inline;
	ex->wr_set_inline_data_list = smrc_wr_inline_list;
	qp->vqp.comp_mask |= VERBS_QP_EX;
	return 0;
}
