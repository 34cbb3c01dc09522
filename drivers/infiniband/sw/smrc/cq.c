// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cq.c: completion queues: create, resize, destroy; push, poll, arm, notify.
 */
#include <linux/log2.h>
#include <linux/timekeeping.h>
#include <rdma/uverbs_ioctl.h>

#include "cq.h"
#include "smrc.h"
#include "trace.h"

static u32 smrc_cq_stride(bool user)
{
	return user ? sizeof(struct smrc_cqe) : ALIGN(sizeof(struct ib_wc), 8);
}

/**
 * __smrc_cq_deliver() - smrc_cq_deliver() of a consumer who may be owed a call
 * @cq: the CQ
 *
 * Context: any, no lock held.
 */
void __smrc_cq_deliver(struct smrc_cq *cq)
{
	struct ib_event ev = { .device = cq->ibcq.device, .event = IB_EVENT_CQ_ERR, .element.cq = &cq->ibcq };
	int tell = atomic_xchg(&cq->tell, 0);

	if ((tell & SMRC_CQ_TELL_ERROR) && cq->ibcq.event_handler)
		cq->ibcq.event_handler(&ev, cq->ibcq.cq_context);
	if ((tell & SMRC_CQ_TELL_COMP) && cq->ibcq.comp_handler)
		cq->ibcq.comp_handler(&cq->ibcq, cq->ibcq.cq_context);
}

static void smrc_cq_notify(struct work_struct *work)
{
	smrc_cq_deliver(container_of(work, struct smrc_cq, notify));
}

/* The consumer is owed a call. cq->lock held. */
static void smrc_cq_tell(struct smrc_cq *cq, int what)
{
	lockdep_assert_held(&cq->lock);
	atomic_or(what, &cq->tell);
	if (!cq->ring.map)
		queue_work(smrc_wq, &cq->notify);
}

static int smrc_cq_check_size(u32 cqe)
{
	return cqe >= 1 && cqe <= SMRC_MAX_CQE ? 0 : -EINVAL;
}

/**
 * smrc_create_cq() - verbs create_cq
 * @ibcq: the CQ, zeroed by core
 * @attr: wanted size and vector
 * @attrs: the call; its answer tells the user where the ring is
 *
 * Return: 0; -EINVAL size, vector; -EOPNOTSUPP flags; -EPROTONOSUPPORT provider of another ABI version; -ENOMEM;
 * -EFAULT or -EINVAL answer does not fit.
 */
int smrc_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr, struct uverbs_attr_bundle *attrs)
{
	struct ib_udata *udata = attrs ? &attrs->driver_udata : NULL;
	struct smrc_create_cq_resp resp = {};
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	struct smrc_ucontext *uc = NULL;
	u32 entries;
	int err;

	if (attr->flags & ~IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION)
		return -EOPNOTSUPP;
	if (attr->comp_vector >= ibcq->device->num_comp_vectors)
		return -EINVAL;
	err = smrc_cq_check_size(attr->cqe);
	if (err)
		return err;
	if (udata) {
		uc = rdma_udata_to_drv_context(udata, struct smrc_ucontext, ibuc);
		if (!uc->abi_ok)
			return -EPROTONOSUPPORT;
		if (udata->outlen < sizeof(resp))
			return -EINVAL;
	}

	if (atomic_inc_return(&to_smrc_dev(ibcq->device)->n_cqs) > SMRC_MAX_CQ) {
		err = -ENOMEM;
		goto uncount;
	}
	entries = roundup_pow_of_two(attr->cqe);
	spin_lock_init(&cq->lock);
	INIT_WORK(&cq->notify, smrc_cq_notify);
	err = smrc_kring_alloc(&cq->ring, entries, smrc_cq_stride(udata), uc ? &uc->ibuc : NULL, &resp.cq);
	if (err)
		goto uncount;
	ibcq->cqe = entries;
	cq->timed = attr->flags & IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION;
	if (udata) {
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
		if (err)
			goto free_ring;
	}
	return 0;

free_ring:
	smrc_kring_free(&cq->ring);
uncount:
	atomic_dec(&to_smrc_dev(ibcq->device)->n_cqs);
	return err;
}

/**
 * smrc_destroy_cq() - verbs destroy_cq
 * @ibcq: the CQ; core made sure that no QP uses it
 * @udata: unused
 *
 * No QP, so nobody pushes; cancelling @notify then leaves nobody who could touch the CQ.
 *
 * Return: 0.
 */
int smrc_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	struct smrc_cq *cq = to_smrc_cq(ibcq);

	cancel_work_sync(&cq->notify);
	smrc_kring_free(&cq->ring);
	atomic_dec(&to_smrc_dev(ibcq->device)->n_cqs);
	return 0;
}

/* Entries written and not yet read. A user's index may be anything: more than the ring holds counts as full. */
static u32 smrc_cq_used(const struct smrc_cq *cq)
{
	u32 cons = cq->ring.map ? smrc_kring_cons(&cq->ring) : cq->cons;

	return min(cq->prod - cons, cq->ring.mask + 1);
}

/* Copies the @used entries that are unread to the start of @to, and makes it the ring. cq->lock held. */
static void smrc_cq_move(struct smrc_cq *cq, struct smrc_kring *to, u32 used)
{
	u32 i;

	lockdep_assert_held(&cq->lock);
	for (i = 0; i < used; i++)
		memcpy(smrc_kring_entry(to, i), smrc_kring_entry(&cq->ring, cq->prod - used + i), to->stride);
	to->hdr->arm = xchg(&cq->ring.hdr->arm, 0);
	swap(cq->ring, *to);
	cq->prod = used;
	cq->cons = 0;
	smp_store_release(&cq->ring.hdr->prod, cq->prod);	/* the entries were copied */
}

/**
 * smrc_resize_cq() - verbs resize_cq
 * @ibcq: the CQ
 * @cqe: entries wanted
 * @udata: the call; its answer tells where the new ring is (struct smrc_resize_cq_resp)
 *
 * Return: 0; -EINVAL size, or the new ring would not hold what is unread; -ENOMEM; -EFAULT. On error the CQ is
 * unchanged.
 */
int smrc_resize_cq(struct ib_cq *ibcq, unsigned int cqe, struct ib_udata *udata)
{
	struct smrc_resize_cq_resp resp = {};
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	struct smrc_ucontext *uc = NULL;
	struct smrc_kring ring = {};
	unsigned long flags;
	u32 used;
	int err;

	err = smrc_cq_check_size(cqe);
	if (err)
		return err;
	if (udata) {
		uc = rdma_udata_to_drv_context(udata, struct smrc_ucontext, ibuc);
		if (udata->outlen < sizeof(resp))
			return -EINVAL;
	}
	err = smrc_kring_alloc(&ring, roundup_pow_of_two(cqe), smrc_cq_stride(udata), uc ? &uc->ibuc : NULL,
			       &resp.cq);
	if (err)
		return err;
	/* Told first: once the rings are swapped there is no way back. */
	if (udata) {
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
		if (err)
			goto free_ring;
	}

	spin_lock_irqsave(&cq->lock, flags);
	used = smrc_cq_used(cq);
	if (used > ring.mask + 1) {
		err = -EINVAL;
	} else {
		smrc_cq_move(cq, &ring, used);
		ibcq->cqe = cq->ring.mask + 1;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
free_ring:
	smrc_kring_free(&ring);
	return err;
}

static void smrc_cq_write(struct smrc_cq *cq, const struct ib_wc *wc)
{
	struct smrc_cqe *cqe = smrc_kring_entry(&cq->ring, cq->prod);

	if (!cq->ring.map) {
		memcpy(cqe, wc, sizeof(*wc));
		return;
	}
	*cqe = (struct smrc_cqe) {
		.wr_id = wc->wr_id,
		.timestamp = cq->timed ? ktime_get_real_ns() : 0,
		.status = wc->status,
		.opcode = wc->opcode,
		.byte_len = wc->byte_len,
		.vendor_err = wc->vendor_err,
		.imm = (__force u32)wc->ex.imm_data,
		.qpn = wc->qp->qp_num,
		.src_qpn = wc->src_qp,
		.wc_flags = wc->wc_flags,
	};
}

/* Did the consumer ask for a notification of this completion? Then that is done with. */
static bool smrc_cq_disarm(struct smrc_cq *cq, const struct ib_wc *wc, bool solicited)
{
	u32 *arm = &cq->ring.hdr->arm;
	u32 what;

	/* Pairs with the provider, who arms and then looks at prod. */
	smp_mb();
	what = READ_ONCE(*arm);
	if (what != SMRC_CQ_ARM_NEXT &&
	    !(what == SMRC_CQ_ARM_SOLICITED && (solicited || wc->status != IB_WC_SUCCESS)))
		return false;
	return xchg(arm, 0);
}

/**
 * smrc_cq_push() - add a completion
 * @cq: the CQ
 * @wc: the completion, wc->qp set
 * @solicited: it wakes those who asked for solicited completions only
 *
 * A CQ without room is in error from then on (IBTA 11.2.8.6): an asynchronous event says so, and nothing is written.
 *
 * Context: any; the caller may hold a QP lock. The handler never runs from here: once it holds no lock, the caller
 * calls smrc_cq_deliver().
 * Return: false when the CQ is in error: the completion is lost.
 */
bool smrc_cq_push(struct smrc_cq *cq, const struct ib_wc *wc, bool solicited)
{
	unsigned long flags;
	bool dead;

	spin_lock_irqsave(&cq->lock, flags);
	if (cq->dead)
		goto unlock;
	if (smrc_cq_used(cq) > cq->ring.mask) {
		cq->dead = true;
		smrc_count(to_smrc_dev(cq->ibcq.device), CQ_OVERFLOW);
		smrc_cq_tell(cq, SMRC_CQ_TELL_ERROR);
		goto unlock;
	}
	smrc_cq_write(cq, wc);
	cq->prod++;
	smp_store_release(&cq->ring.hdr->prod, cq->prod);	/* the entry is written */
	if (smrc_cq_disarm(cq, wc, solicited))
		smrc_cq_tell(cq, SMRC_CQ_TELL_COMP);
unlock:
	dead = cq->dead;
	spin_unlock_irqrestore(&cq->lock, flags);
	return !dead;
}

/**
 * smrc_poll_cq() - verbs poll_cq of a kernel user
 * @ibcq: the CQ
 * @n: completions wanted at most
 * @wc: where to put them
 *
 * Context: any.
 * Return: how many were put.
 */
int smrc_poll_cq(struct ib_cq *ibcq, int n, struct ib_wc *wc)
{
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	unsigned long flags;
	int i;

	spin_lock_irqsave(&cq->lock, flags);
	for (i = 0; i < n && cq->cons != cq->prod; i++, cq->cons++)
		memcpy(&wc[i], smrc_kring_entry(&cq->ring, cq->cons), sizeof(*wc));
	spin_unlock_irqrestore(&cq->lock, flags);
	return i;
}

/**
 * smrc_req_notify_cq() - verbs req_notify_cq
 * @ibcq: the CQ
 * @flags: which completions, and whether to report missed ones
 *
 * Context: any.
 * Return: 0; 1 when IB_CQ_REPORT_MISSED_EVENTS is set and completions wait.
 */
int smrc_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags)
{
	struct smrc_cq *cq = to_smrc_cq(ibcq);
	unsigned long irq;
	int missed = 0;
	u32 *arm;

	spin_lock_irqsave(&cq->lock, irq);
	arm = &cq->ring.hdr->arm;
	/* A wider request is not narrowed by a later one (IBTA 11.4.2.2). */
	if ((flags & IB_CQ_SOLICITED_MASK) == IB_CQ_NEXT_COMP)
		WRITE_ONCE(*arm, SMRC_CQ_ARM_NEXT);
	else if (READ_ONCE(*arm) != SMRC_CQ_ARM_NEXT)
		WRITE_ONCE(*arm, SMRC_CQ_ARM_SOLICITED);
	if ((flags & IB_CQ_REPORT_MISSED_EVENTS) && smrc_cq_used(cq))
		missed = 1;
	spin_unlock_irqrestore(&cq->lock, irq);
	return missed;
}
