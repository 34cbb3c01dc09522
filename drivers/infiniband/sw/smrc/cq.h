/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* cq.h: completion queues */
#ifndef SMRC_CQ_H
#define SMRC_CQ_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "ring.h"

struct smrc_dev;

#define SMRC_CQ_TELL_COMP	0x1	/* comp_handler is due */
#define SMRC_CQ_TELL_ERROR	0x2	/* the asynchronous event IB_EVENT_CQ_ERR is due */

/**
 * struct smrc_cq - completion queue
 * @ibcq: rdma core's part
 * @lock: protects all below; irqsave, since kernel users poll from any context; innermost lock
 * @ring: user CQ: entries are struct smrc_cqe; kernel CQ: struct ib_wc; its head's arm says what is asked for
 * @prod: next index the driver writes
 * @cons: kernel CQ: next index poll_cq reads
 * @timed: user CQ: its completions have a time
 * @dead: overflowed; nothing more is written
 * @tell: what the consumer is owed: SMRC_CQ_TELL_*; set under @lock, taken without
 * @notify: kernel CQ: runs the consumer's handlers, in softirq, under no lock, never in the chain of a post and never
 *	nested in itself (core_locking.rst). uverbs' handler only wakes a process and asks for none of this, so a user
 *	CQ is told by whoever completed, as soon as he holds no lock: smrc_cq_deliver()
 */
struct smrc_cq {
	struct ib_cq		ibcq;
	spinlock_t		lock;	/* protects all below */
	struct smrc_kring	ring;
	u32			prod;
	u32			cons;
	bool			timed;
	bool			dead;
	atomic_t		tell;
	struct work_struct	notify;
};

static inline struct smrc_cq *to_smrc_cq(struct ib_cq *ibcq)
{
	return container_of(ibcq, struct smrc_cq, ibcq);
}

int smrc_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr, struct uverbs_attr_bundle *attrs);
int smrc_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata);
int smrc_resize_cq(struct ib_cq *ibcq, unsigned int cqe, struct ib_udata *udata);
int smrc_poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc);
int smrc_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
void __smrc_cq_deliver(struct smrc_cq *cq);
bool smrc_cq_push(struct smrc_cq *cq, const struct ib_wc *wc, bool solicited);

/**
 * smrc_cq_deliver() - run the handlers of a consumer who is owed a call
 * @cq: the CQ
 *
 * Context: any, no lock held.
 */
static inline void smrc_cq_deliver(struct smrc_cq *cq)
{
	if (atomic_read(&cq->tell))
		__smrc_cq_deliver(cq);
}

#endif /* SMRC_CQ_H */
