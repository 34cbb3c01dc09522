// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cq.c: completion queues. The driver produces, smrc_poll_cq() consumes without a system call.
 */
#include <errno.h>
#include <stdlib.h>

#include "smrc.h"

static int smrc_map_cq(struct smrc_cq *cq, int fd, const struct smrc_ring_map *map)
{
	int err = smrc_ring_map(&cq->ring, fd, map, sizeof(struct smrc_cqe));

	if (!err && !cq->ring.hdr)
		err = EPROTO;
	if (!err)
		pthread_spin_init(&cq->lock, PTHREAD_PROCESS_PRIVATE);
	return err;
}

/**
 * smrc_create_cq - make a completion queue
 * @context: open device
 * @cqe: entries at least
 * @channel: where events go, may be NULL
 * @comp_vector: completion vector
 *
 * Return: the queue, or NULL with errno set.
 */
struct ibv_cq *smrc_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel, int comp_vector)
{
	struct smrc_create_cq_cmd_resp resp = {};
	struct smrc_create_cq_cmd cmd = {};
	struct smrc_cq *cq;
	int err;

	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;

	err = ibv_cmd_create_cq(context, cqe, channel, comp_vector, &cq->vcq.cq, &cmd.ibv_cmd, sizeof(cmd),
				&resp.ibv_resp, sizeof(resp));
	if (err)
		goto err_free;
	err = smrc_map_cq(cq, context->cmd_fd, &resp.cq);
	if (err)
		goto err_destroy;
	return &cq->vcq.cq;

err_destroy:
	ibv_cmd_destroy_cq(&cq->vcq.cq);
err_free:
	free(cq);
	errno = err;
	return NULL;
}

/* A queue that is locked all the same is good for a program with one thread as well */
static int smrc_check_cq_attr(const struct ibv_cq_init_attr_ex *attr)
{
	if (attr->wc_flags & ~SMRC_WC_FLAGS || attr->comp_mask & ~IBV_CQ_INIT_ATTR_MASK_FLAGS)
		return EOPNOTSUPP;
	if (attr->comp_mask && attr->flags & ~IBV_CREATE_CQ_ATTR_SINGLE_THREADED)
		return EOPNOTSUPP;
	return 0;
}

/**
 * smrc_create_cq_ex - make an extended completion queue
 * @context: open device
 * @attr: what is wanted; its times are CLOCK_REALTIME, ns, both the wallclock and that of the device
 *
 * Return: the queue, or NULL with errno set: EOPNOTSUPP for what is not offered.
 */
struct ibv_cq_ex *smrc_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct smrc_create_cq_ex_cmd_resp resp = {};
	struct smrc_create_cq_ex_cmd cmd = {};
	struct smrc_cq *cq;
	int err;

	err = smrc_check_cq_attr(attr);
	if (err)
		goto err_out;
	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;

	err = ibv_cmd_create_cq_ex(context, attr, &cq->vcq, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp, sizeof(resp), 0);
	if (err)
		goto err_free;
	err = smrc_map_cq(cq, context->cmd_fd, &resp.cq);
	if (err)
		goto err_destroy;
	smrc_cq_ex_init(cq);
	return &cq->vcq.cq_ex;

err_destroy:
	ibv_cmd_destroy_cq(&cq->vcq.cq);
err_free:
	free(cq);
err_out:
	errno = err;
	return NULL;
}

/**
 * smrc_resize_cq - change the size of a completion queue
 * @ibcq: queue
 * @cqe: entries at least
 *
 * The driver copies what was not polled to a new ring, so polling must stand still meanwhile; it answers with the ring
 * in use from then on. Should the new ring not map, there is no way back to the old one: the queue stays without a ring
 * and yields nothing more.
 *
 * Return: 0 or an errno, EINVAL when more is waiting than would fit.
 */
int smrc_resize_cq(struct ibv_cq *ibcq, int cqe)
{
	struct smrc_resize_cq_cmd_resp resp = {};
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	struct smrc_resize_cq_cmd cmd = {};
	struct smrc_ring_buf ring;
	int err;

	pthread_spin_lock(&cq->lock);
	err = ibv_cmd_resize_cq(ibcq, cqe, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp, sizeof(resp));
	if (err)
		goto out;
	err = smrc_ring_map(&ring, ibcq->context->cmd_fd, &resp.cq, sizeof(struct smrc_cqe));
	if (!err && !ring.hdr)
		err = EPROTO;
	smrc_ring_unmap(&cq->ring);
	if (!err)
		cq->ring = ring;
out:
	pthread_spin_unlock(&cq->lock);
	return err;
}

/**
 * smrc_destroy_cq - drop a completion queue
 * @ibcq: queue
 *
 * Waits until the events that were read from its channel are acknowledged.
 *
 * Return: 0 or an errno, EBUSY while a QP uses it.
 */
int smrc_destroy_cq(struct ibv_cq *ibcq)
{
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	int err;

	err = ibv_cmd_destroy_cq(ibcq);
	if (err)
		return err;
	smrc_ring_unmap(&cq->ring);
	pthread_spin_destroy(&cq->lock);
	free(cq);
	return 0;
}

static void smrc_copy_cqe(struct ibv_wc *wc, const struct smrc_cqe *cqe)
{
	wc->wr_id = cqe->wr_id;
	wc->status = cqe->status;
	wc->opcode = cqe->opcode;
	wc->vendor_err = cqe->vendor_err;
	wc->byte_len = cqe->byte_len;
	wc->imm_data = (__force __be32)cqe->imm;
	wc->qp_num = cqe->qpn;
	wc->src_qp = cqe->src_qpn;
	wc->wc_flags = cqe->wc_flags;
	wc->pkey_index = 0;
	wc->slid = 0;
	wc->sl = 0;
	wc->dlid_path_bits = 0;
}

/**
 * smrc_poll_cq - take completions
 * @ibcq: queue
 * @num_entries: at most so many
 * @wc: room for @num_entries
 *
 * Return: completions taken, 0 when there are none; -1 when the queue lost its ring (see smrc_resize_cq()).
 */
int smrc_poll_cq(struct ibv_cq *ibcq, int num_entries, struct ibv_wc *wc)
{
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	struct smrc_ring_buf *ring = &cq->ring;
	uint32_t cons, ready;
	int i = -1;

	pthread_spin_lock(&cq->lock);
	if (!ring->hdr)
		goto out;
	cons = ring->hdr->cons;
	ready = smrc_ring_ready(ring, cons);
	for (i = 0; i < num_entries && (uint32_t)i < ready; i++)
		smrc_copy_cqe(&wc[i], smrc_ring_entry(ring, cons + i));
	if (i > 0)
		smrc_ring_store(&ring->hdr->cons, cons + i);
out:
	pthread_spin_unlock(&cq->lock);
	return i;
}

/**
 * smrc_req_notify_cq - ask for an event
 * @ibcq: queue
 * @solicited_only: only of a solicited completion or an error
 *
 * No system call: the request is a word of the ring. The fence orders it before the look at the ring that the program
 * takes next; the driver orders the two the other way round, so that one of them sees the other.
 *
 * Return: 0, or EINVAL when the queue lost its ring (see smrc_resize_cq()).
 */
int smrc_req_notify_cq(struct ibv_cq *ibcq, int solicited_only)
{
	uint32_t arm = solicited_only ? SMRC_CQ_ARM_SOLICITED : SMRC_CQ_ARM_NEXT;
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	struct smrc_ring *hdr;

	pthread_spin_lock(&cq->lock);
	hdr = cq->ring.hdr;
	if (hdr && smrc_ring_load(&hdr->arm) != SMRC_CQ_ARM_NEXT)
		smrc_ring_store(&hdr->arm, arm);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	pthread_spin_unlock(&cq->lock);
	return hdr ? 0 : EINVAL;
}
