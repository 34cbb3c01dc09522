/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * smrc.h: the provider's objects, each around the one of libibverbs, and the calls of its files.
 */
#ifndef SMRC_PROVIDER_H
#define SMRC_PROVIDER_H

#include <pthread.h>

#include <ccan/container_of.h>
#include <infiniband/driver.h>
#include <infiniband/verbs.h>

#include "ring.h"

struct smrc_device {
	struct verbs_device	vdev;
};

struct smrc_context {
	struct verbs_context	vctx;
};

/**
 * struct smrc_cq - completion queue
 * @vcq: libibverbs' part
 * @lock: protects the consumer index and the mapping
 * @ring: entries the driver writes
 * @polled: entry that an extended poll looks at, NULL when there is none
 */
struct smrc_cq {
	struct verbs_cq		vcq;
	pthread_spinlock_t	lock;
	struct smrc_ring_buf	ring;
	const struct smrc_cqe	*polled;
};

/**
 * struct smrc_wr - a batch of send requests that is being built (wr.c)
 * @prod: producer index behind them
 * @wqe: the request that is being built, NULL when there is none
 * @err: what was wrong first, 0: nothing
 */
struct smrc_wr {
	uint32_t		prod;
	struct smrc_send_wqe	*wqe;
	int			err;
};

/**
 * struct smrc_qp - queue pair
 * @vqp: libibverbs' part
 * @sq_lock: protects the producer index of @sq, and @wr
 * @sq: send queue
 * @max_send_sge: scatter/gather entries of a send
 * @max_inline: bytes of inline data of a send
 * @send_flags: flags that every send gets (IBV_SEND_SIGNALED when all are signalled)
 * @wr: batch that is being built
 * @rq_lock: protects the producer index of @rq
 * @rq: receive queue, none when the QP receives from a shared one
 * @max_recv_sge: scatter entries of a receive
 */
struct smrc_qp {
	struct verbs_qp		vqp;
	pthread_spinlock_t	sq_lock;
	struct smrc_ring_buf	sq;
	uint32_t		max_send_sge;
	uint32_t		max_inline;
	uint32_t		send_flags;
	struct smrc_wr		wr;
	pthread_spinlock_t	rq_lock;
	struct smrc_ring_buf	rq;
	uint32_t		max_recv_sge;
};

/* What cq_ex.c can tell of a completion */
#define SMRC_WC_FLAGS	((uint64_t)(IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | \
				    IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK))

/* Operations that wr.c has */
#define SMRC_SEND_OPS	((uint64_t)(IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | \
				    IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_READ | \
				    IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD))

/* IBTA 10.8.2: before RTS a send is refused at once; after an error it is taken and flushed */
static inline bool smrc_send_allowed(const struct ibv_qp *ibqp)
{
	return ibqp->state != IBV_QPS_RESET && ibqp->state != IBV_QPS_INIT && ibqp->state != IBV_QPS_RTR;
}

static inline struct smrc_context *to_smrc_context(struct ibv_context *context)
{
	return container_of(context, struct smrc_context, vctx.context);
}

static inline struct smrc_cq *to_smrc_cq(struct ibv_cq *cq)
{
	return container_of(cq, struct smrc_cq, vcq.cq);
}

static inline struct smrc_qp *to_smrc_qp(struct ibv_qp *qp)
{
	return container_of(qp, struct smrc_qp, vqp.qp);
}

/* verbs.c */
int smrc_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		      struct ibv_device_attr_ex *attr, size_t attr_size);
int smrc_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr);
struct ibv_pd *smrc_alloc_pd(struct ibv_context *context);
int smrc_dealloc_pd(struct ibv_pd *pd);
struct ibv_mr *smrc_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access);
int smrc_dereg_mr(struct verbs_mr *vmr);

/* cq.c */
struct ibv_cq *smrc_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel, int comp_vector);
struct ibv_cq_ex *smrc_create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr);
int smrc_resize_cq(struct ibv_cq *ibcq, int cqe);
int smrc_destroy_cq(struct ibv_cq *ibcq);
int smrc_req_notify_cq(struct ibv_cq *ibcq, int solicited_only);
int smrc_poll_cq(struct ibv_cq *ibcq, int num_entries, struct ibv_wc *wc);

/* cq_ex.c */
void smrc_cq_ex_init(struct smrc_cq *cq);

/* qp.c */
struct ibv_qp *smrc_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
struct ibv_qp *smrc_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr);
int smrc_modify_qp(struct ibv_qp *ibqp, struct ibv_qp_attr *attr, int attr_mask);
int smrc_query_qp(struct ibv_qp *ibqp, struct ibv_qp_attr *attr, int attr_mask, struct ibv_qp_init_attr *init_attr);
int smrc_destroy_qp(struct ibv_qp *ibqp);
int smrc_kick_send(struct ibv_qp *ibqp);
int smrc_post_send(struct ibv_qp *ibqp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);
int smrc_post_recv(struct ibv_qp *ibqp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr);

/* wr.c */
int smrc_wr_init(struct smrc_qp *qp, uint64_t ops);

#endif /* SMRC_PROVIDER_H */
