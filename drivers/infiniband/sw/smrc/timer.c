// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * timer.c: the timers of a QP. There is one hrtimer; it fires at the earliest of these, and queues the work item, which
 * comes here to see which it was:
 *
 *  - loss_at: a packet in flight becomes lost by age, or a gap becomes old enough (proto/loss.c)
 *  - rnr.until: the receiver was not ready; time to try again
 *  - smrc_pto_at(): nothing was sent nor acknowledged for longer than round trips take, and something is not
 *    acknowledged: an acknowledgment was lost, or nothing draws one; ask what arrived (proto/pto.c)
 *  - the deadline of proto/retry.c: no progress for as long as the verbs attributes allow: give up
 *
 * The timer is only ever moved earlier; when it fires too early, the work item finds nothing to do and arms it for the
 * time that is right by then. So acknowledgements cost no re-arming.
 */
#include "peer.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"
#include "tx_build.h"

static enum hrtimer_restart smrc_timer_fire(struct hrtimer *timer)
{
	struct smrc_qp *qp = container_of(timer, struct smrc_qp, timer);

	queue_work(smrc_wq, &qp->work);
	return HRTIMER_NORESTART;
}

/**
 * smrc_timer_init() - a new QP
 * @qp: the QP
 */
void smrc_timer_init(struct smrc_qp *qp)
{
	hrtimer_setup(&qp->timer, smrc_timer_fire, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	qp->timer_at = U64_MAX;
}

/**
 * smrc_timer_stop() - no timer of the QP runs or fires any more
 * @qp: the QP, in a state in which nothing arms
 *
 * Context: process; the handler may run until this returns.
 */
void smrc_timer_stop(struct smrc_qp *qp)
{
	hrtimer_cancel(&qp->timer);
	qp->timer_at = U64_MAX;
}

static void smrc_timer_arm(struct smrc_qp *qp, u64 at)
{
	if (at >= qp->timer_at)
		return;
	qp->timer_at = at;
	hrtimer_start(&qp->timer, ns_to_ktime(at), HRTIMER_MODE_ABS);
}

static u64 smrc_timer_rto(const struct smrc_qp *qp)
{
	return smrc_rtt_rto(&qp->sq.rtt, smrc_peer_base_rtt(qp->peer));
}

/* The RTO that backs off would put off the end for ever. */
static u64 smrc_timer_give_up_at(const struct smrc_qp *qp)
{
	return smrc_retry_deadline(&qp->sq.retry, smrc_rtt_rto_base(&qp->sq.rtt, smrc_peer_base_rtt(qp->peer)));
}

static struct smrc_pto_wait smrc_timer_wait(const struct smrc_sq *sq)
{
	return (struct smrc_pto_wait) {
		.inflight = sq->sb.inflight,
		.untold = smrc_comp_head_sent(sq) && !smrc_comp_head_told(sq),
	};
}

/**
 * smrc_timer_update() - arm for what the QP waits for now
 * @qp: the QP, its lock held
 * @now: current time, ns
 */
void smrc_timer_update(struct smrc_qp *qp, u64 now)
{
	struct smrc_sq *sq = &qp->sq;

	lockdep_assert_held(&qp->lock);
	if (!smrc_qp_streams(qp) || !smrc_qp_owes(qp)) {
		sq->loss_at = U64_MAX;
		smrc_pto_moved(&sq->pto);
		smrc_pto_told(&sq->pto);
		return;
	}
	if (!sq->sb.inflight)
		sq->loss_at = U64_MAX;
	else if (sq->loss_at == U64_MAX)
		sq->loss_at = now + smrc_timer_rto(qp);

	smrc_pto_update(&sq->pto, smrc_timer_wait(sq), &sq->rtt, smrc_peer_base_rtt(qp->peer), now);
	if (sq->rnr.until)
		smrc_timer_arm(qp, sq->rnr.until);
	smrc_timer_arm(qp, min(sq->loss_at, smrc_pto_at(&sq->pto)));
	if (sq->busy)
		smrc_timer_arm(qp, smrc_timer_give_up_at(qp));
}

static void smrc_timer_give_up(struct smrc_qp *qp)
{
	bool proven = smrc_peer_proven(qp->peer);

	if (proven)
		smrc_count(qp->dev, RETRY_EXC);
	else
		smrc_count(qp->dev, PEER_NOT_MRC);
	smrc_comp_send_error(qp, IB_WC_RETRY_EXC_ERR, proven ? SMRC_VERR_TIMEOUT : SMRC_VERR_NO_MRC_PEER);
}

/* A probe with the A bit draws the peer's SACK and its latest transport ACK. */
static void smrc_timer_ask(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_pkt pkt = {
		.opcode = SMRC_OP_PROBE,
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = qp->dqpn,
		.psn = smrc_pto_psn(&sq->sb, smrc_timer_wait(sq)),
		.ack_req = true,
		.probe = {
			.ts = smrc_ts(now),
			.waited_ns = min_t(u64, smrc_rtt_quiet(&sq->rtt, smrc_peer_base_rtt(qp->peer)), U32_MAX),
		},
	};
	u16 slot = SMRC_EV_NO_SLOT;
	u16 port = qp->sport;
	struct sk_buff *skb;

	trace_smrc_timer(&qp->dev->ibdev, qp->ibqp.qp_num, "ask", now - smrc_pto_at(&sq->pto));
	if (qp->peer->type != SMRC_SPRAY_NONE)
		port = smrc_peer_question(qp->peer, &slot);
	pkt.probe.id = smrc_pto_sent(&sq->pto, slot, now);
	skb = smrc_build_ctl(&qp->path, &qp->dscp, SMRC_CLASS_DATA, port, &pkt);
	if (skb)
		__skb_queue_tail(list, skb);
	else
		smrc_count(qp->dev, LOCAL_DROP);
	smrc_count(qp->dev, TX_PROBE);
	trace_smrc_packet(&qp->dev->ibdev, SMRC_DIR_TX, &pkt, qp->ibqp.qp_num, pkt.psn, port, 0, false);
	trace_smrc_probe(&qp->dev->ibdev, &qp->path.remote, "asked", pkt.probe.id, slot, 0);
}

/**
 * smrc_timer_run() - do what is due
 * @qp: the QP, its lock held, connected
 * @list: where packets go
 * @now: current time, ns
 */
void smrc_timer_run(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_sq *sq = &qp->sq;

	lockdep_assert_held(&qp->lock);
	if (now < qp->timer_at)
		return;
	qp->timer_at = U64_MAX;
	if (!smrc_qp_streams(qp) || !smrc_qp_owes(qp))
		return;

	/* Who responds does not give up (IBTA 9.7.5): that is for the requester to do. */
	if (sq->busy && now >= smrc_timer_give_up_at(qp)) {
		trace_smrc_timer(&qp->dev->ibdev, qp->ibqp.qp_num, "give_up", now - sq->retry.progress);
		smrc_timer_give_up(qp);
		return;
	}
	if (smrc_rnr_expired(&sq->rnr, now))
		trace_smrc_timer(&qp->dev->ibdev, qp->ibqp.qp_num, "rnr_over", now - sq->rnr.over);
	/* What is sent again for a loss draws an answer as well. */
	if (now >= sq->loss_at)
		qp->due |= SMRC_DUE_SCAN;
	else if (now >= smrc_pto_at(&sq->pto))
		smrc_timer_ask(qp, list, now);
}
