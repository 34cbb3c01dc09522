// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * qp_state.c: modify_qp and query_qp: the state machine of a QP. Which transitions exist and which attributes each
 * needs or allows is core's table (ib_modify_qp_is_ok(), IBTA 11.2.5.2); here is what the values may be and what each
 * transition does. All values are checked before anything is changed.
 */
#include <linux/log2.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <net/ipv6.h>
#include <rdma/ib_addr.h>
#include <rdma/ib_cache.h>

#include "cc.h"
#include "peer.h"
#include "proto/flow.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"

/* ------------------------------------------------- checks */

static int smrc_check_path(struct smrc_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	const struct rdma_ah_attr *ah = &attr->ah_attr;

	if (!(mask & IB_QP_AV))
		return 0;
	if (ah->type != RDMA_AH_ATTR_TYPE_ROCE || !(rdma_ah_get_ah_flags(ah) & IB_AH_GRH))
		return -EINVAL;
	if (rdma_ah_get_port_num(ah) != 1)
		return -EINVAL;
	return ah->grh.sgid_attr ? 0 : -EINVAL;
}

static int smrc_check_mtu(struct smrc_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	struct ib_port_attr port;
	int err;

	if (!(mask & IB_QP_PATH_MTU))
		return 0;
	if (attr->path_mtu < IB_MTU_256 || attr->path_mtu > IB_MTU_4096)
		return -EINVAL;
	err = ib_query_port(&qp->dev->ibdev, 1, &port);
	if (err)
		return err;
	return attr->path_mtu <= port.active_mtu ? 0 : -EINVAL;
}

static int smrc_check_values(const struct ib_qp_attr *attr, int mask)
{
	if ((mask & IB_QP_PORT) && attr->port_num != 1)
		return -EINVAL;
	if ((mask & IB_QP_PKEY_INDEX) && attr->pkey_index)
		return -EINVAL;
	if ((mask & IB_QP_DEST_QPN) && (attr->dest_qp_num < 2 || attr->dest_qp_num > SMRC_QPN_MASK))
		return -EINVAL;
	if ((mask & IB_QP_RQ_PSN) && attr->rq_psn > SMRC_PSN_MASK)
		return -EINVAL;
	if ((mask & IB_QP_SQ_PSN) && attr->sq_psn > SMRC_PSN_MASK)
		return -EINVAL;
	if ((mask & IB_QP_MAX_QP_RD_ATOMIC) && attr->max_rd_atomic > SMRC_MAX_RD_ATOMIC)
		return -EINVAL;
	if ((mask & IB_QP_MAX_DEST_RD_ATOMIC) && attr->max_dest_rd_atomic > SMRC_MAX_RD_ATOMIC)
		return -EINVAL;
	if ((mask & IB_QP_TIMEOUT) && attr->timeout > 31)
		return -EINVAL;
	if ((mask & IB_QP_RETRY_CNT) && attr->retry_cnt > 7)
		return -EINVAL;
	if ((mask & IB_QP_RNR_RETRY) && attr->rnr_retry > 7)
		return -EINVAL;
	if ((mask & IB_QP_MIN_RNR_TIMER) && attr->min_rnr_timer > 31)
		return -EINVAL;
	return 0;
}

/*
 * What may be changed in SQD alone must wait until the queue is drained (IBTA 11.2.5.2). Another path would be another
 * peer: that takes a new connection.
 */
static int smrc_check_drained(struct smrc_qp *qp, int mask, enum ib_qp_state cur)
{
	if (cur != IB_QPS_SQD)
		return 0;
	if (mask & (IB_QP_AV | IB_QP_PORT | IB_QP_PKEY_INDEX))
		return -EOPNOTSUPP;
	if ((mask & (IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY)) && READ_ONCE(qp->sq.cons) != qp->sq.drain)
		return -EINVAL;
	return 0;
}

static int smrc_check_attr(struct smrc_qp *qp, struct ib_qp_attr *attr, int mask, enum ib_qp_state cur,
			   enum ib_qp_state new)
{
	int err;

	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	if (mask & (IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE | IB_QP_CAP))
		return -EOPNOTSUPP;
	if (!ib_modify_qp_is_ok(cur, new, qp->ibqp.qp_type, mask))
		return -EINVAL;
	err = smrc_check_drained(qp, mask, cur);
	if (err)
		return err;
	err = smrc_check_values(attr, mask);
	if (err)
		return err;
	err = smrc_check_path(qp, attr, mask);
	if (err)
		return err;
	return smrc_check_mtu(qp, attr, mask);
}

/* ------------------------------------------------- connecting */

static bool smrc_unicast(const struct smrc_path *path)
{
	__be32 v4 = path->remote.s6_addr32[3];

	if (path->v6)
		return !ipv6_addr_is_multicast(&path->remote) && !ipv6_addr_any(&path->remote);
	return !ipv4_is_multicast(v4) && !ipv4_is_lbcast(v4) && !ipv4_is_zeronet(v4);
}

static int smrc_path_from_ah(struct smrc_path *path, const struct rdma_ah_attr *ah)
{
	const struct ib_gid_attr *sgid = ah->grh.sgid_attr;
	struct net_device *ndev;

	memset(path, 0, sizeof(*path));
	memcpy(&path->local, &sgid->gid, sizeof(path->local));
	memcpy(&path->remote, &ah->grh.dgid, sizeof(path->remote));
	path->v6 = !ipv6_addr_v4mapped(&path->local);
	if (path->v6 == ipv6_addr_v4mapped(&path->remote))
		return -EINVAL;
	if (!smrc_unicast(path))
		return -EINVAL;
	path->ttl = ah->grh.hop_limit ?: 64;
	path->tos = ah->grh.traffic_class;
	rcu_read_lock();
	ndev = rdma_read_gid_attr_ndev_rcu(sgid);
	if (!IS_ERR(ndev))
		path->oif = ndev->ifindex;
	rcu_read_unlock();
	return IS_ERR(ndev) ? PTR_ERR(ndev) : 0;
}

/* Twice what the peer may have open: what is answered stays until its acknowledgment comes, and it asks for more. */
static u32 smrc_resp_count(u8 max_dest_rd_atomic)
{
	return max_dest_rd_atomic ? roundup_pow_of_two(2 * max_dest_rd_atomic) : 0;
}

/* INIT to RTR: addresses, peer, receive half. */
static int smrc_to_rtr(struct smrc_qp *qp, const struct ib_qp_attr *attr)
{
	u32 mtu = ib_mtu_enum_to_int(attr->path_mtu);
	u32 n_resp = smrc_resp_count(attr->max_dest_rd_atomic);
	struct smrc_resp *resp = NULL;
	struct smrc_path path;
	struct smrc_peer *peer;
	int err;

	err = smrc_path_from_ah(&path, &attr->ah_attr);
	if (err)
		return err;
	if (n_resp) {
		resp = kcalloc(n_resp, sizeof(*resp), GFP_KERNEL_ACCOUNT);
		if (!resp)
			return -ENOMEM;
	}
	peer = smrc_peer_get(qp->dev, &path, mtu);
	if (!peer) {
		kfree(resp);
		return -ENOMEM;
	}

	spin_lock_bh(&qp->lock);
	qp->path = path;
	qp->peer = peer;
	qp->mtu = mtu;
	qp->dqpn = attr->dest_qp_num;
	qp->sport = smrc_flow_qp_sport(qp->flow_hash, attr->ah_attr.grh.flow_label, qp->ibqp.qp_num, qp->dqpn);
	qp->sq.window = min_t(u32, SMRC_MPR_UNIT, qp->win_size);
	smrc_rxwin_init(&qp->rq.win, qp->rq.bits, qp->win_size, attr->rq_psn);
	smrc_rxmsgs_init(&qp->rq.msgs, qp->rq.msg, qp->win_size);
	qp->rq.resp = resp;
	smrc_resps_init(&qp->rq.resps, resp, n_resp);
	spin_unlock_bh(&qp->lock);
	return 0;
}

/* READ responses may have begun already. */
static void smrc_to_rts(struct smrc_qp *qp, const struct ib_qp_attr *attr)
{
	lockdep_assert_held(&qp->lock);
	if (!qp->sq.begun)
		smrc_qp_begin(qp, attr->sq_psn);
	smrc_retry_init(&qp->sq.retry, attr->timeout, attr->retry_cnt);
	smrc_rnr_init(&qp->sq.rnr, attr->rnr_retry);
}

/* The request that is being cut into packets is finished, those behind it wait for RTS (IBTA 10.3.1.5). */
static void smrc_to_sqd(struct smrc_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	struct smrc_sq *sq = &qp->sq;

	lockdep_assert_held(&qp->lock);
	sq->drain = sq->next + !!sq->off;
	sq->drain_event = (mask & IB_QP_EN_SQD_ASYNC_NOTIFY) && attr->en_sqd_async_notify;
	if (sq->cons == sq->drain)
		sq->busy = false;
}

/* ------------------------------------------------- transitions */

static void smrc_drop_peer(struct smrc_qp *qp)
{
	struct smrc_peer *peer = qp->peer;

	if (!peer)
		return;
	smrc_peer_detach(peer, qp);
	spin_lock_bh(&qp->lock);
	qp->peer = NULL;
	spin_unlock_bh(&qp->lock);
	/* A packet that found the QP may still send an answer by way of the peer. */
	synchronize_rcu_expedited();
	smrc_peer_put(peer);
}

static void smrc_set_state(struct smrc_qp *qp, enum ib_qp_state state)
{
	lockdep_assert_held(&qp->lock);
	if (qp->state != state)
		trace_smrc_qp_state(&qp->dev->ibdev, qp->ibqp.qp_num, qp->state, state);
	WRITE_ONCE(qp->state, state);
}

static void smrc_to_reset(struct smrc_qp *qp)
{
	spin_lock_bh(&qp->lock);
	smrc_set_state(qp, IB_QPS_RESET);
	spin_unlock_bh(&qp->lock);
	/* Off the peer first: it queues the work of its QPs. */
	if (qp->peer)
		smrc_peer_detach(qp->peer, qp);
	smrc_qp_stop(qp);
	smrc_drop_peer(qp);
	smrc_qp_reset(qp);
}

static void smrc_to_error(struct smrc_qp *qp)
{
	spin_lock_bh(&qp->lock);
	smrc_qp_error(qp);
	spin_unlock_bh(&qp->lock);
	if (qp->user)
		smrc_qp_deliver(qp);
}

/* Attributes that may come with several transitions. */
static void smrc_keep_attr(struct smrc_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	struct ib_qp_attr *keep = &qp->attr;

	lockdep_assert_held(&qp->lock);
	if (mask & IB_QP_PORT)
		keep->port_num = attr->port_num;
	if (mask & IB_QP_ACCESS_FLAGS)
		keep->qp_access_flags = attr->qp_access_flags;
	if (mask & IB_QP_PATH_MTU)
		keep->path_mtu = attr->path_mtu;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		keep->max_dest_rd_atomic = attr->max_dest_rd_atomic;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		keep->max_rd_atomic = attr->max_rd_atomic;
	if (mask & IB_QP_MIN_RNR_TIMER)
		keep->min_rnr_timer = attr->min_rnr_timer;
	if (mask & IB_QP_TIMEOUT)
		keep->timeout = attr->timeout;
	if (mask & IB_QP_RETRY_CNT)
		keep->retry_cnt = attr->retry_cnt;
	if (mask & IB_QP_RNR_RETRY)
		keep->rnr_retry = attr->rnr_retry;
}

static void smrc_keep_ah(struct smrc_qp *qp, const struct ib_qp_attr *attr, int mask)
{
	if (!(mask & IB_QP_AV))
		return;
	qp->attr.ah_attr = attr->ah_attr;
	/* The GID's attributes are core's; what is needed of them was copied. */
	qp->attr.ah_attr.grh.sgid_attr = NULL;
}

static int smrc_transit(struct smrc_qp *qp, const struct ib_qp_attr *attr, int mask, enum ib_qp_state cur,
			enum ib_qp_state new)
{
	int err;

	if (new == IB_QPS_RESET) {
		smrc_to_reset(qp);
		return 0;
	}
	if (new == IB_QPS_ERR) {
		smrc_to_error(qp);
		return 0;
	}
	if (cur == IB_QPS_INIT && new == IB_QPS_RTR) {
		err = smrc_to_rtr(qp, attr);
		if (err)
			return err;
	}
	spin_lock_bh(&qp->lock);
	/* An error that came meanwhile stands. */
	if (qp->state != cur) {
		spin_unlock_bh(&qp->lock);
		return -EINVAL;
	}
	smrc_keep_attr(qp, attr, mask);
	smrc_keep_ah(qp, attr, mask);
	if (cur == IB_QPS_RTR && new == IB_QPS_RTS)
		smrc_to_rts(qp, attr);
	if (cur == IB_QPS_RTS && new == IB_QPS_SQD)
		smrc_to_sqd(qp, attr, mask);
	if (cur == IB_QPS_SQD && (mask & (IB_QP_TIMEOUT | IB_QP_RETRY_CNT)))
		smrc_retry_init(&qp->sq.retry, qp->attr.timeout, qp->attr.retry_cnt);
	if (cur == IB_QPS_SQD && (mask & IB_QP_RNR_RETRY))
		smrc_rnr_init(&qp->sq.rnr, qp->attr.rnr_retry);
	smrc_set_state(qp, new);
	if (new == IB_QPS_SQD && qp->sq.cons == qp->sq.drain)
		smrc_comp_drained(qp);
	if (cur == IB_QPS_INIT && new == IB_QPS_RTR)
		smrc_peer_attach(qp->peer, qp);
	spin_unlock_bh(&qp->lock);
	return 0;
}

/**
 * smrc_modify_qp() - verbs modify_qp
 * @ibqp: the QP
 * @attr: new attributes
 * @mask: which of them
 * @udata: unused
 *
 * Context: process.
 * Return: 0; -EOPNOTSUPP for attributes not offered; -EINVAL for a transition or value that is not allowed; -ENOMEM;
 * -ENODEV when the address's netdev is gone. On error nothing is changed.
 */
int smrc_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);
	enum ib_qp_state cur, new;
	int err;

	mutex_lock(&qp->attr_lock);
	cur = mask & IB_QP_CUR_STATE ? attr->cur_qp_state : READ_ONCE(qp->state);
	new = mask & IB_QP_STATE ? attr->qp_state : cur;
	err = cur == READ_ONCE(qp->state) ? 0 : -EINVAL;
	if (!err)
		err = smrc_check_attr(qp, attr, mask, cur, new);
	if (!err)
		err = smrc_transit(qp, attr, mask, cur, new);
	mutex_unlock(&qp->attr_lock);
	/* What waited for RTS, or was posted before an error, is looked at. */
	if (!err && new >= IB_QPS_RTS)
		queue_work(smrc_wq, &qp->work);
	return err;
}

/**
 * smrc_query_qp() - verbs query_qp
 * @ibqp: the QP
 * @attr: where to put the attributes
 * @mask: unused: all are put
 * @init: where to put those of create_qp
 *
 * Return: 0.
 */
int smrc_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init)
{
	struct smrc_qp *qp = to_smrc_qp(ibqp);

	spin_lock_bh(&qp->lock);
	*attr = qp->attr;
	attr->qp_state = qp->state;
	attr->cur_qp_state = qp->state;
	attr->path_mig_state = IB_MIG_MIGRATED;
	attr->dest_qp_num = qp->dqpn;
	attr->rq_psn = qp->state >= IB_QPS_RTR ? qp->rq.win.next : 0;
	attr->sq_psn = qp->state >= IB_QPS_RTS ? qp->sq.sb.nxt : 0;
	attr->sq_draining = qp->state == IB_QPS_SQD && qp->sq.cons != qp->sq.drain;
	spin_unlock_bh(&qp->lock);

	memset(init, 0, sizeof(*init));
	init->event_handler = ibqp->event_handler;
	init->qp_context = ibqp->qp_context;
	init->send_cq = ibqp->send_cq;
	init->recv_cq = ibqp->recv_cq;
	init->cap = attr->cap;
	init->sq_sig_type = qp->sig_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR;
	init->qp_type = ibqp->qp_type;
	init->port_num = 1;
	return 0;
}
