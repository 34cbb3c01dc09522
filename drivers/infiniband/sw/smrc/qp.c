// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * qp.c: queue pairs: create, find, stop, reset, destroy.
 */
#include <linux/log2.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/xarray.h>
#include <rdma/uverbs_ioctl.h>

#include "cc.h"
#include "cq.h"
#include "peer.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"

/*
 * QPs of all devices by QPN. One table, since packets of all devices of a namespace arrive at one socket: the QPN finds
 * the QP, and the QP knows which addresses and which namespace its packets must have.
 */
static DEFINE_XARRAY_ALLOC(smrc_qps);
static u32 smrc_qpn_next;

/**
 * smrc_qp_find() - the QP of a QPN
 * @qpn: from the wire, any number
 *
 * Context: RCU read lock held; the QP stays valid until it is given up. smrc_destroy_qp() waits for that.
 * Return: the QP, or NULL when there is none; whose packets it takes is the caller's question.
 */
struct smrc_qp *smrc_qp_find(u32 qpn)
{
	RCU_LOCKDEP_WARN(!rcu_read_lock_held() && !rcu_read_lock_bh_held(), "caller must hold rcu_read_lock()");
	return xa_load(&smrc_qps, qpn);
}

/**
 * smrc_qp_next() - walk over the QPs of all devices
 * @qpn: number to begin with; becomes that of the QP found
 *
 * Context: any; RCU read lock held, until the caller is done with the QP.
 * Return: the QP, or NULL when there is none from @qpn on.
 */
struct smrc_qp *smrc_qp_next(u32 *qpn)
{
	unsigned long index = *qpn;
	struct smrc_qp *qp = xa_find(&smrc_qps, &index, ULONG_MAX, XA_PRESENT);

	if (qp)
		*qpn = index;
	return qp;
}

/**
 * smrc_qps_exit() - module exit: the table is empty
 */
void smrc_qps_exit(void)
{
	WARN_ON_ONCE(!xa_empty(&smrc_qps));
	xa_destroy(&smrc_qps);
}

/* ------------------------------------------------- create */

static int smrc_qp_check_init(const struct ib_qp_init_attr *init)
{
	const struct ib_qp_cap *cap = &init->cap;

	if (init->qp_type != IB_QPT_RC || init->srq || init->create_flags || init->rwq_ind_tbl)
		return -EOPNOTSUPP;
	if (!init->send_cq || !init->recv_cq)
		return -EINVAL;
	if (cap->max_send_wr > SMRC_MAX_QP_WR || cap->max_recv_wr > SMRC_MAX_QP_WR)
		return -EINVAL;
	if (cap->max_send_sge > SMRC_MAX_SGE || cap->max_recv_sge > SMRC_MAX_SGE ||
	    cap->max_inline_data > SMRC_MAX_INLINE)
		return -EINVAL;
	return 0;
}

/* Bytes behind the head of a send WQE: scatter/gather list or inline data, whichever needs more. */
static u32 smrc_sq_room(const struct ib_qp_cap *cap)
{
	return max(cap->max_send_sge * (u32)sizeof(struct smrc_sge), ALIGN(cap->max_inline_data, 16));
}

static int smrc_sq_alloc(struct smrc_sq *sq, struct ib_qp_cap *cap, struct ib_ucontext *uc, struct smrc_ring_map *map)
{
	u32 entries, room;
	int err;

	cap->max_send_wr = max(cap->max_send_wr, 1U);
	cap->max_send_sge = max(cap->max_send_sge, 1U);
	entries = roundup_pow_of_two(cap->max_send_wr);
	room = smrc_sq_room(cap);
	sq->mask = entries - 1;
	sq->stride = ALIGN(sizeof(struct smrc_swqe) + room, 8);
	cap->max_inline_data = room;
	cap->max_send_wr = entries;
	sq->max_sge = cap->max_send_sge;
	sq->max_inline = room;
	spin_lock_init(&sq->post_lock);
	sq->wqe = kvcalloc(entries, sq->stride, GFP_KERNEL_ACCOUNT);
	if (!sq->wqe)
		return -ENOMEM;
	if (!uc)
		return 0;
	err = smrc_kring_alloc(&sq->ring, entries, sizeof(struct smrc_send_wqe) + room, uc, map);
	if (err) {
		kvfree(sq->wqe);
		sq->wqe = NULL;
	}
	return err;
}

static int smrc_rq_alloc(struct smrc_rq *rq, struct ib_qp_cap *cap, struct ib_ucontext *uc, struct smrc_ring_map *map)
{
	u32 entries, room;
	int err;

	cap->max_recv_wr = max(cap->max_recv_wr, 1U);
	cap->max_recv_sge = max(cap->max_recv_sge, 1U);
	entries = roundup_pow_of_two(cap->max_recv_wr);
	room = cap->max_recv_sge * sizeof(struct smrc_sge);
	rq->mask = entries - 1;
	rq->stride = ALIGN(sizeof(struct smrc_rwqe) + room, 8);
	cap->max_recv_wr = entries;
	rq->max_sge = cap->max_recv_sge;
	spin_lock_init(&rq->post_lock);
	rq->wqe = kvcalloc(entries, rq->stride, GFP_KERNEL_ACCOUNT);
	if (!rq->wqe)
		return -ENOMEM;
	if (!uc)
		return 0;
	err = smrc_kring_alloc(&rq->ring, entries, sizeof(struct smrc_recv_wqe) + room, uc, map);
	if (err) {
		kvfree(rq->wqe);
		rq->wqe = NULL;
	}
	return err;
}

static void smrc_sq_free(struct smrc_sq *sq)
{
	smrc_kring_free(&sq->ring);
	kvfree(sq->wqe);
}

static void smrc_rq_free(struct smrc_rq *rq)
{
	smrc_kring_free(&rq->ring);
	kvfree(rq->wqe);
}

/* Whole pages and no more: the slab allocator would round 20 and 24 KiB up to 32. */
static int smrc_win_alloc(struct smrc_qp *qp)
{
	u32 n = qp->win_size;

	qp->sq.sb_pkt = __vmalloc_array(n, sizeof(*qp->sq.sb_pkt), GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!qp->sq.sb_pkt)
		return -ENOMEM;
	qp->rq.msg = __vmalloc_array(n, sizeof(*qp->rq.msg), GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!qp->rq.msg)
		goto free_sb;
	qp->rq.bits = bitmap_zalloc(n, GFP_KERNEL);
	if (!qp->rq.bits)
		goto free_msg;
	return 0;

free_msg:
	kvfree(qp->rq.msg);
free_sb:
	kvfree(qp->sq.sb_pkt);
	return -ENOMEM;
}

static void smrc_win_free(struct smrc_qp *qp)
{
	bitmap_free(qp->rq.bits);
	kvfree(qp->rq.msg);
	kvfree(qp->sq.sb_pkt);
}

/* A QP keeps the settings it was made with. */
static void smrc_qp_settings(struct smrc_qp *qp)
{
	struct smrc_settings s;

	smrc_device_settings(qp->dev, &s);
	qp->mpr = s.v[SMRC_SET_MPR];
	qp->win_size = qp->mpr * SMRC_MPR_UNIT;
	qp->loss_depth = s.v[SMRC_SET_LOSS_DEPTH];
	qp->loss_guard = s.v[SMRC_SET_SAME_VALUE_GUARD];
	qp->sack_threshold = s.v[SMRC_SET_SACK_THRESHOLD];
	smrc_dscp_init(&qp->dscp, &s);
	qp->flow_hash = s.v[SMRC_SET_FLOW_HASH];
	qp->cc = s.v[SMRC_SET_CC];
	qp->cwnd_packets = s.v[SMRC_SET_CWND];
	smrc_rtt_init(&qp->sq.rtt, (u64)s.v[SMRC_SET_RTO_MIN] * NSEC_PER_USEC,
		      (u64)s.v[SMRC_SET_RTO_MAX] * NSEC_PER_USEC);
}

static void smrc_qp_init(struct smrc_qp *qp, struct smrc_dev *dev, struct ib_qp_init_attr *init, bool user)
{
	qp->dev = dev;
	qp->pd = to_smrc_pd(qp->ibqp.pd)->id;
	qp->user = user;
	qp->sig_all = init->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->state = IB_QPS_RESET;
	qp->attr.qp_state = IB_QPS_RESET;
	mutex_init(&qp->attr_lock);
	spin_lock_init(&qp->lock);
	INIT_LIST_HEAD(&qp->peer_node);
	smrc_member_init(&qp->member);
	INIT_WORK(&qp->work, smrc_qp_work);
	smrc_timer_init(qp);
	smrc_qp_settings(qp);
}

static int smrc_qp_publish(struct smrc_qp *qp)
{
	u32 qpn;
	int err;

	/* Cyclic, so that packets of a dead QP do not meet a new one soon. */
	err = xa_alloc_cyclic(&smrc_qps, &qpn, qp, XA_LIMIT(SMRC_QPN_FIRST, SMRC_QPN_MASK), &smrc_qpn_next,
			      GFP_KERNEL);
	if (err < 0)
		return err;
	qp->ibqp.qp_num = qpn;
	return 0;
}

/**
 * smrc_create_qp() - verbs create_qp
 * @ibqp: the QP, zeroed by core
 * @init: wanted attributes; cap is raised to what the QP really has
 * @udata: the call; its answer tells the user where the rings are
 *
 * Return: 0; -EOPNOTSUPP for types and flags not offered; -EINVAL for sizes beyond the device's limits;
 * -EPROTONOSUPPORT for a provider of another ABI version; -ENOMEM; -EFAULT. On error nothing is left behind.
 */
int smrc_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init, struct ib_udata *udata)
{
	struct smrc_create_qp_resp resp = {};
	struct smrc_qp *qp = to_smrc_qp(ibqp);
	struct smrc_ucontext *uc = NULL;
	struct ib_ucontext *ibuc = NULL;
	int err;

	err = smrc_qp_check_init(init);
	if (err)
		return err;
	if (udata) {
		uc = rdma_udata_to_drv_context(udata, struct smrc_ucontext, ibuc);
		if (!uc->abi_ok)
			return -EPROTONOSUPPORT;
		if (udata->outlen < sizeof(resp))
			return -EINVAL;
		ibuc = &uc->ibuc;
	}

	smrc_qp_init(qp, to_smrc_dev(ibqp->device), init, udata);
	if (atomic_inc_return(&qp->dev->n_qps) > SMRC_MAX_QP) {
		err = -ENOMEM;
		goto uncount;
	}
	err = smrc_win_alloc(qp);
	if (err)
		goto uncount;
	err = smrc_sq_alloc(&qp->sq, &init->cap, ibuc, &resp.sq);
	if (err)
		goto free_win;
	err = smrc_rq_alloc(&qp->rq, &init->cap, ibuc, &resp.rq);
	if (err)
		goto free_sq;
	qp->attr.cap = init->cap;
	smrc_qp_reset(qp);
	if (udata) {
		err = ib_copy_to_udata(udata, &resp, sizeof(resp));
		if (err)
			goto free_rq;
	}
	/* Last: from here on packets find it. */
	err = smrc_qp_publish(qp);
	if (err)
		goto free_rq;
	return 0;

free_rq:
	smrc_rq_free(&qp->rq);
free_sq:
	smrc_sq_free(&qp->sq);
free_win:
	smrc_win_free(qp);
uncount:
	atomic_dec(&qp->dev->n_qps);
	return err;
}

/* ------------------------------------------------- stop, reset, destroy */

/**
 * smrc_qp_stop() - let nothing of a QP run any more
 * @qp: the QP, in a state in which nothing arms or queues anything: RESET or ERR
 *
 * The timer queues the work, so the timer goes first; the work may arm the timer, but not in these states.
 *
 * Context: process.
 */
void smrc_qp_stop(struct smrc_qp *qp)
{
	smrc_timer_stop(qp);
	cancel_work_sync(&qp->work);
	smrc_timer_stop(qp);
}

static void smrc_kring_reset(struct smrc_kring *r)
{
	if (!r->map)
		return;
	WRITE_ONCE(r->hdr->prod, 0);
	WRITE_ONCE(r->hdr->cons, 0);
	WRITE_ONCE(r->hdr->flags, 0);
}

/**
 * smrc_qp_begin() - the first PSN that the QP sends is known
 * @qp: the QP, its lock held, in RTR or on its way to RTS
 * @psn: the PSN
 */
void smrc_qp_begin(struct smrc_qp *qp, u32 psn)
{
	lockdep_assert_held(&qp->lock);
	smrc_sb_init(&qp->sq.sb, qp->sq.sb_pkt, qp->win_size, psn);
	smrc_cc_start(qp);
	qp->sq.window = min_t(u32, READ_ONCE(qp->peer->disc.mpr) * SMRC_MPR_UNIT, qp->win_size);
	qp->sq.begun = true;
}

/**
 * smrc_qp_reset() - empty the queues; the provider takes both indexes of both rings for 0 after a change to RESET
 * @qp: the QP, stopped and in RESET
 *
 * Context: process; nothing of the QP runs.
 */
void smrc_qp_reset(struct smrc_qp *qp)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_rq *rq = &qp->rq;

	memset(&qp->path, 0, sizeof(qp->path));
	qp->dqpn = 0;
	qp->sport = 0;
	smrc_kring_reset(&sq->ring);
	smrc_kring_reset(&rq->ring);
	sq->prod = 0;
	sq->next = 0;
	sq->off = 0;
	sq->acked = 0;
	sq->cons = 0;
	sq->busy = false;
	sq->stuck = false;
	sq->msn = 0;
	sq->rqmsn = 0;
	sq->reads = 0;
	sq->reading = 0;
	sq->told = 0;
	sq->begun = false;
	sq->loss_at = U64_MAX;
	smrc_pto_init(&sq->pto, get_random_u16());
	sq->drain = 0;
	sq->cwnd.packets = 0;
	sq->drain_event = false;
	smrc_rtt_init(&sq->rtt, sq->rtt.rto_min, sq->rtt.rto_max);
	smrc_rnr_init(&sq->rnr, 0);
	smrc_sb_init(&sq->sb, sq->sb_pkt, qp->win_size, 0);
	rq->prod = 0;
	rq->cons = 0;
	smrc_tackloss_init(&rq->tack);
	rq->bytes = 0;
	rq->heard = false;
	rq->nak = 0;
	rq->nak_msn = 0;
	kfree(rq->resp);
	rq->resp = NULL;
	smrc_resps_init(&rq->resps, NULL, 0);
	memset(&rq->due, 0, sizeof(rq->due));
	smrc_rxwin_init(&rq->win, rq->bits, qp->win_size, 0);
	smrc_rxmsgs_init(&rq->msgs, rq->msg, qp->win_size);
	qp->due = 0;
	qp->events = 0;
}

/**
 * smrc_destroy_qp() - verbs destroy_qp
 * @ibqp: the QP
 * @udata: unused
 *
 * Order: RESET under the lock, so that nothing arms or queues any more; out of the table and a grace period, after
 * which no packet can find the QP and none that found it still runs; off the peer, so that no kick comes from there;
 * timer and work; then only this function knows the QP, and memory can go.
 *
 * Return: 0.
 */
int smrc_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);

	spin_lock_bh(&qp->lock);
	WRITE_ONCE(qp->state, IB_QPS_RESET);
	spin_unlock_bh(&qp->lock);
	xa_erase(&smrc_qps, ibqp->qp_num);
	if (qp->peer)
		smrc_peer_detach(qp->peer, qp);
	synchronize_rcu_expedited();
	smrc_qp_stop(qp);

	if (qp->peer)
		smrc_peer_put(qp->peer);
	if (qp->frag.page)
		put_page(qp->frag.page);
	kfree(qp->rq.resp);
	smrc_rq_free(&qp->rq);
	smrc_sq_free(&qp->sq);
	smrc_win_free(qp);
	atomic_dec(&qp->dev->n_qps);
	return 0;
}
