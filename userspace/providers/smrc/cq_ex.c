// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cq_ex.c: extended completion queues (man ibv_create_cq_ex): completions are read where the driver wrote them, field
 * by field, and have a time if that was asked for.
 *
 * The lock of the queue is held from start to end of a poll. An entry goes back to the driver when the next one is
 * looked at, or at the end.
 */
#include <errno.h>

#include "smrc.h"

static inline struct smrc_cq *ex_cq(struct ibv_cq_ex *ex)
{
	return container_of(ex, struct smrc_cq, vcq.cq_ex);
}

/* Look at the entry of @cons, if there is one: ENOENT when not */
static int ex_load(struct smrc_cq *cq, uint32_t cons)
{
	struct ibv_cq_ex *ex = &cq->vcq.cq_ex;

	if (!smrc_ring_ready(&cq->ring, cons))
		return ENOENT;
	cq->polled = smrc_ring_entry(&cq->ring, cons);
	ex->wr_id = cq->polled->wr_id;
	ex->status = cq->polled->status;
	return 0;
}

static int smrc_start_poll(struct ibv_cq_ex *ex, struct ibv_poll_cq_attr *attr)
{
	struct smrc_cq *cq = ex_cq(ex);
	int err;

	if (attr->comp_mask)
		return EINVAL;
	pthread_spin_lock(&cq->lock);
	cq->polled = NULL;
	/* Without a ring, see smrc_resize_cq() */
	err = cq->ring.hdr ? ex_load(cq, cq->ring.hdr->cons) : EIO;
	if (err)
		pthread_spin_unlock(&cq->lock);
	return err;
}

static void ex_consume(struct smrc_cq *cq)
{
	if (cq->polled)
		smrc_ring_store(&cq->ring.hdr->cons, cq->ring.hdr->cons + 1);
	cq->polled = NULL;
}

static int smrc_next_poll(struct ibv_cq_ex *ex)
{
	struct smrc_cq *cq = ex_cq(ex);

	ex_consume(cq);
	return ex_load(cq, cq->ring.hdr->cons);
}

static void smrc_end_poll(struct ibv_cq_ex *ex)
{
	struct smrc_cq *cq = ex_cq(ex);

	ex_consume(cq);
	pthread_spin_unlock(&cq->lock);
}

static enum ibv_wc_opcode smrc_read_opcode(struct ibv_cq_ex *ex)
{
	return ex_cq(ex)->polled->opcode;
}

static uint32_t smrc_read_vendor_err(struct ibv_cq_ex *ex)
{
	return ex_cq(ex)->polled->vendor_err;
}

static uint32_t smrc_read_byte_len(struct ibv_cq_ex *ex)
{
	return ex_cq(ex)->polled->byte_len;
}

static __be32 smrc_read_imm_data(struct ibv_cq_ex *ex)
{
	return (__force __be32)ex_cq(ex)->polled->imm;
}

static uint32_t smrc_read_qp_num(struct ibv_cq_ex *ex)
{
	return ex_cq(ex)->polled->qpn;
}

static uint32_t smrc_read_src_qp(struct ibv_cq_ex *ex)
{
	return ex_cq(ex)->polled->src_qpn;
}

static unsigned int smrc_read_wc_flags(struct ibv_cq_ex *ex)
{
	return ex_cq(ex)->polled->wc_flags;
}

static uint32_t smrc_read_slid(struct ibv_cq_ex *ex)
{
	return 0;
}

static uint8_t smrc_read_sl(struct ibv_cq_ex *ex)
{
	return 0;
}

static uint8_t smrc_read_dlid_path_bits(struct ibv_cq_ex *ex)
{
	return 0;
}

static uint64_t smrc_read_time(struct ibv_cq_ex *ex)
{
	return ex_cq(ex)->polled->timestamp;
}

/**
 * smrc_cq_ex_init - offer the calls on a completion queue
 * @cq: queue
 */
void smrc_cq_ex_init(struct smrc_cq *cq)
{
	struct ibv_cq_ex *ex = &cq->vcq.cq_ex;

	ex->start_poll = smrc_start_poll;
	ex->next_poll = smrc_next_poll;
	ex->end_poll = smrc_end_poll;
	ex->read_opcode = smrc_read_opcode;
	ex->read_vendor_err = smrc_read_vendor_err;
	ex->read_byte_len = smrc_read_byte_len;
	ex->read_imm_data = smrc_read_imm_data;
	ex->read_qp_num = smrc_read_qp_num;
	ex->read_src_qp = smrc_read_src_qp;
	ex->read_wc_flags = smrc_read_wc_flags;
	ex->read_slid = smrc_read_slid;
	ex->read_sl = smrc_read_sl;
	ex->read_dlid_path_bits = smrc_read_dlid_path_bits;
	ex->read_completion_ts = smrc_read_time;
	ex->read_completion_wallclock_ns = smrc_read_time;
}
