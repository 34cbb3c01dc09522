// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * qp.c: queue pairs: life, and posting of work requests into the rings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "smrc.h"

static int smrc_map_qp(struct smrc_qp *qp, int fd, const struct smrc_create_qp_resp *resp)
{
	int err;

	err = smrc_ring_map(&qp->sq, fd, &resp->sq, sizeof(struct smrc_send_wqe));
	if (err)
		return err;
	err = smrc_ring_map(&qp->rq, fd, &resp->rq, sizeof(struct smrc_recv_wqe));
	if (err)
		smrc_ring_unmap(&qp->sq);
	return err;
}

static uint32_t smrc_min(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* What an entry holds is a limit beside the QP's attributes: nothing may be written past it */
static void smrc_set_limits(struct smrc_qp *qp, const struct ibv_qp_init_attr_ex *attr)
{
	uint32_t room;

	if (qp->sq.hdr) {
		room = qp->sq.stride - sizeof(struct smrc_send_wqe);
		qp->max_send_sge = smrc_min(attr->cap.max_send_sge, room / sizeof(struct smrc_sge));
		qp->max_inline = smrc_min(attr->cap.max_inline_data, room);
	}
	if (qp->rq.hdr) {
		room = qp->rq.stride - sizeof(struct smrc_recv_wqe);
		qp->max_recv_sge = smrc_min(attr->cap.max_recv_sge, room / sizeof(struct smrc_sge));
	}
	qp->send_flags = attr->sq_sig_all ? IBV_SEND_SIGNALED : 0;
}

/**
 * smrc_create_qp_ex - make a queue pair
 * @context: open device
 * @attr: what is wanted, of comp_mask the protection domain and the operations of the ibv_wr_*() calls; cap is updated
 *	to what the queue pair has
 *
 * Return: the queue pair in state RESET, or NULL with errno set: EOPNOTSUPP for what is not offered.
 */
struct ibv_qp *smrc_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct smrc_create_qp_cmd_resp resp = {};
	struct smrc_create_qp_cmd cmd = {};
	struct smrc_qp *qp;
	int err;

	if (attr->comp_mask & ~(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	qp = calloc(1, sizeof(*qp));
	if (!qp)
		return NULL;

	err = ibv_cmd_create_qp_ex(context, &qp->vqp, attr, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp, sizeof(resp));
	if (err)
		goto err_free;
	err = smrc_map_qp(qp, context->cmd_fd, &resp.drv_payload);
	if (err)
		goto err_destroy;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
		err = smrc_wr_init(qp, attr->send_ops_flags);
	if (err)
		goto err_unmap;
	smrc_set_limits(qp, attr);
	pthread_spin_init(&qp->sq_lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&qp->rq_lock, PTHREAD_PROCESS_PRIVATE);
	return &qp->vqp.qp;

err_unmap:
	smrc_ring_unmap(&qp->sq);
	smrc_ring_unmap(&qp->rq);
err_destroy:
	ibv_cmd_destroy_qp(&qp->vqp.qp);
err_free:
	free(qp);
	errno = err;
	return NULL;
}

/**
 * smrc_create_qp - make a queue pair
 * @pd: protection domain
 * @attr: what is wanted; cap is updated to what the queue pair has
 *
 * Return: as smrc_create_qp_ex().
 */
struct ibv_qp *smrc_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp_init_attr_ex ex = {
		.qp_context = attr->qp_context, .send_cq = attr->send_cq, .recv_cq = attr->recv_cq, .srq = attr->srq,
		.cap = attr->cap, .qp_type = attr->qp_type, .sq_sig_all = attr->sq_sig_all,
		.comp_mask = IBV_QP_INIT_ATTR_PD, .pd = pd,
	};
	struct ibv_qp *qp = smrc_create_qp_ex(pd->context, &ex);

	if (qp)
		attr->cap = ex.cap;
	return qp;
}

/**
 * smrc_modify_qp - change attributes or state
 * @ibqp: queue pair
 * @attr: new values
 * @attr_mask: which of them
 *
 * Return: 0 or an errno.
 */
int smrc_modify_qp(struct ibv_qp *ibqp, struct ibv_qp_attr *attr, int attr_mask)
{
	struct ibv_modify_qp cmd = {};

	return ibv_cmd_modify_qp(ibqp, attr, attr_mask, &cmd, sizeof(cmd));
}

/**
 * smrc_query_qp - attributes as the driver has them
 * @ibqp: queue pair
 * @attr: answer
 * @attr_mask: what is asked for
 * @init_attr: answer, what belongs to creation
 *
 * Return: 0 or an errno.
 */
int smrc_query_qp(struct ibv_qp *ibqp, struct ibv_qp_attr *attr, int attr_mask, struct ibv_qp_init_attr *init_attr)
{
	struct ibv_query_qp cmd = {};

	return ibv_cmd_query_qp(ibqp, attr, attr_mask, init_attr, &cmd, sizeof(cmd));
}

/**
 * smrc_destroy_qp - drop a queue pair
 * @ibqp: queue pair
 *
 * Return: 0 or an errno.
 */
int smrc_destroy_qp(struct ibv_qp *ibqp)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);
	int err;

	err = ibv_cmd_destroy_qp(ibqp);
	if (err)
		return err;
	smrc_ring_unmap(&qp->sq);
	smrc_ring_unmap(&qp->rq);
	pthread_spin_destroy(&qp->sq_lock);
	pthread_spin_destroy(&qp->rq_lock);
	free(qp);
	return 0;
}

/*
 * Make the driver look at a ring: the post command with no work request in it, which the core hands on as a call of
 * post_send or post_recv with an empty list. Both commands have the same layout then.
 */
static int smrc_kick(struct ibv_qp *ibqp, uint32_t command, uint32_t wqe_size)
{
	struct ib_uverbs_post_send_resp resp;
	struct ibv_post_send cmd = {
		.hdr.command	= command,
		.hdr.in_words	= sizeof(cmd) / 4,
		.hdr.out_words	= sizeof(resp) / 4,
		.response	= (uintptr_t)&resp,
		.qp_handle	= ibqp->handle,
		.wqe_size	= wqe_size,
	};
	ssize_t n;

	n = write(ibqp->context->cmd_fd, &cmd, sizeof(cmd));
	if (n == (ssize_t)sizeof(cmd))
		return 0;
	return n < 0 ? errno : EIO;
}

/**
 * smrc_kick_send - make the driver look at the send queue
 * @ibqp: queue pair
 *
 * Return: 0 or an errno.
 */
int smrc_kick_send(struct ibv_qp *ibqp)
{
	return smrc_kick(ibqp, IB_USER_VERBS_CMD_POST_SEND, sizeof(struct ib_uverbs_send_wr));
}

/* Total bytes of a scatter/gather list of at most SMRC_MAX_SGE entries: no overflow */
static uint64_t smrc_sg_bytes(const struct ibv_sge *sg, int num_sge)
{
	uint64_t bytes = 0;
	int i;

	for (i = 0; i < num_sge; i++)
		bytes += sg[i].length;
	return bytes;
}

static int smrc_check_send(const struct smrc_qp *qp, const struct ibv_send_wr *wr)
{
	if (wr->num_sge < 0 || (uint32_t)wr->num_sge > qp->max_send_sge)
		return EINVAL;
	if (wr->send_flags & IBV_SEND_INLINE && smrc_sg_bytes(wr->sg_list, wr->num_sge) > qp->max_inline)
		return EINVAL;
	return 0;
}

static void smrc_put_data(struct smrc_send_wqe *wqe, const struct ibv_send_wr *wr)
{
	char *data = (char *)wqe->sge;
	int i;

	wqe->inline_len = 0;
	if (!(wr->send_flags & IBV_SEND_INLINE)) {
		wqe->num_sge = wr->num_sge;
		if (wr->num_sge)
			memcpy(wqe->sge, wr->sg_list, wr->num_sge * sizeof(wqe->sge[0]));
		return;
	}
	wqe->num_sge = 0;
	for (i = 0; i < wr->num_sge; i++) {
		if (!wr->sg_list[i].length)
			continue;
		memcpy(data + wqe->inline_len, (void *)(uintptr_t)wr->sg_list[i].addr, wr->sg_list[i].length);
		wqe->inline_len += wr->sg_list[i].length;
	}
}

/* Every field is written: what an earlier request left in the entry must not count for this one */
static void smrc_put_send(struct smrc_qp *qp, struct smrc_send_wqe *wqe, const struct ibv_send_wr *wr)
{
	wqe->wr_id = wr->wr_id;
	wqe->opcode = wr->opcode;
	wqe->send_flags = wr->send_flags | qp->send_flags;
	wqe->imm = 0;
	wqe->rkey = 0;
	wqe->remote_addr = 0;
	wqe->compare_add = 0;
	wqe->swap = 0;
	wqe->reserved_38 = 0;

	switch (wr->opcode) {
	case IBV_WR_RDMA_WRITE_WITH_IMM:
	case IBV_WR_SEND_WITH_IMM:
		wqe->imm = (__force uint32_t)wr->imm_data;
		break;
	case IBV_WR_SEND_WITH_INV:
	case IBV_WR_LOCAL_INV:
		wqe->imm = wr->invalidate_rkey;
		break;
	default:
		break;
	}

	switch (wr->opcode) {
	case IBV_WR_SEND:
	case IBV_WR_SEND_WITH_IMM:
	case IBV_WR_SEND_WITH_INV:
	case IBV_WR_LOCAL_INV:
		break;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		wqe->remote_addr = wr->wr.atomic.remote_addr;
		wqe->rkey = wr->wr.atomic.rkey;
		wqe->compare_add = wr->wr.atomic.compare_add;
		wqe->swap = wr->wr.atomic.swap;
		break;
	default:
		wqe->remote_addr = wr->wr.rdma.remote_addr;
		wqe->rkey = wr->wr.rdma.rkey;
		break;
	}
	smrc_put_data(wqe, wr);
}

/**
 * smrc_post_send - post a list of send requests
 * @ibqp: queue pair
 * @wr: list
 * @bad_wr: first request that was not posted, set on error only
 *
 * Requests before the bad one are posted.
 *
 * Return: 0; EINVAL for a request that the queue pair can not take, in this state or at all; ENOMEM when the queue is
 * full; or the errno of the call to the driver, @bad_wr is then the first of the list.
 */
int smrc_post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);
	struct ibv_send_wr *first = wr;
	uint32_t prod, room;
	int err = 0, kick;

	if (!qp->sq.hdr || !smrc_send_allowed(ibqp)) {
		*bad_wr = wr;
		return EINVAL;
	}

	pthread_spin_lock(&qp->sq_lock);
	prod = qp->sq.hdr->prod;
	room = smrc_ring_room(&qp->sq, prod);
	for (; wr; wr = wr->next) {
		err = smrc_check_send(qp, wr);
		if (!err && !room)
			err = ENOMEM;
		if (err) {
			*bad_wr = wr;
			break;
		}
		smrc_put_send(qp, smrc_ring_entry(&qp->sq, prod), wr);
		prod++;
		room--;
	}
	if (wr != first) {
		smrc_ring_store(&qp->sq.hdr->prod, prod);
		kick = smrc_kick_send(ibqp);
		if (kick) {
			err = kick;
			*bad_wr = first;
		}
	}
	pthread_spin_unlock(&qp->sq_lock);
	return err;
}

static void smrc_put_recv(struct smrc_recv_wqe *wqe, const struct ibv_recv_wr *wr)
{
	wqe->wr_id = wr->wr_id;
	wqe->num_sge = wr->num_sge;
	wqe->reserved_0c = 0;
	if (wr->num_sge)
		memcpy(wqe->sge, wr->sg_list, wr->num_sge * sizeof(wqe->sge[0]));
}

/**
 * smrc_post_recv - post a list of receive requests
 * @ibqp: queue pair
 * @wr: list
 * @bad_wr: first request that was not posted, set on error only
 *
 * Return: as smrc_post_send().
 */
int smrc_post_recv(struct ibv_qp *ibqp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);
	struct ibv_recv_wr *first = wr;
	uint32_t prod, room;
	int err = 0, kick;

	if (!qp->rq.hdr || ibqp->state == IBV_QPS_RESET) {
		*bad_wr = wr;
		return EINVAL;
	}

	pthread_spin_lock(&qp->rq_lock);
	prod = qp->rq.hdr->prod;
	room = smrc_ring_room(&qp->rq, prod);
	for (; wr; wr = wr->next) {
		if (wr->num_sge < 0 || (uint32_t)wr->num_sge > qp->max_recv_sge)
			err = EINVAL;
		else if (!room)
			err = ENOMEM;
		if (err) {
			*bad_wr = wr;
			break;
		}
		smrc_put_recv(smrc_ring_entry(&qp->rq, prod), wr);
		prod++;
		room--;
	}
	if (wr != first) {
		smrc_ring_store(&qp->rq.hdr->prod, prod);
		kick = smrc_ring_need_kick(&qp->rq) ?
			smrc_kick(ibqp, IB_USER_VERBS_CMD_POST_RECV, sizeof(struct ib_uverbs_recv_wr)) : 0;
		if (kick) {
			err = kick;
			*bad_wr = first;
		}
	}
	pthread_spin_unlock(&qp->rq_lock);
	return err;
}
