// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ack.c: acknowledgements, both ways: SACK and NACK say which packets arrived and on which value, transport ACKs which
 * messages are done. All is sent through the list of the caller and acted upon under the QP lock.
 */
#include "cc.h"
#include "peer.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"
#include "tx_build.h"

/* ------------------------------------------------- sending */

static void smrc_ack_emit(struct smrc_qp *qp, struct sk_buff_head *list, u16 port, struct smrc_pkt *pkt)
{
	struct sk_buff *skb = smrc_build_ctl(&qp->path, &qp->dscp, SMRC_CLASS_CONTROL, port, pkt);

	if (skb)
		__skb_queue_tail(list, skb);
	else
		smrc_count(qp->dev, LOCAL_DROP);
	trace_smrc_packet(&qp->dev->ibdev, SMRC_DIR_TX, pkt, qp->ibqp.qp_num, pkt->psn, port, 0, false);
}

/*
 * A SACK travels on the value it names: that of the packet that caused it (seed 1, "Entropy and the switch's path
 * choice").
 */
static void smrc_ack_sack(struct smrc_qp *qp, struct sk_buff_head *list, u32 psn, const struct smrc_sack *why)
{
	struct smrc_pkt pkt = {
		.opcode = SMRC_OP_SACK,
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = qp->dqpn,
		.psn = psn,
		.sack = *why,
	};

	smrc_rxwin_sack(&qp->rq.win, psn, &pkt.sack);
	pkt.sack.mpr = qp->mpr;
	pkt.sack.penalty = READ_ONCE(qp->dev->settings.v[SMRC_SET_PENALTY]);
	pkt.sack.rcvd_bytes = (qp->rq.bytes >> 8) & 0xffffff;
	smrc_ack_emit(qp, list, why->entropy, &pkt);
	smrc_count(qp->dev, TX_SACK);
}

/**
 * smrc_ack_tack() - send a transport ACK or NAK
 * @qp: the QP, its lock held
 * @list: where it goes
 * @syndrome: enum smrc_syndrome
 * @now: current time, ns
 *
 * It tells all messages retired so far; with a NAK, the one that follows them is refused. It draws a value like data
 * does.
 */
void smrc_ack_tack(struct smrc_qp *qp, struct sk_buff_head *list, u8 syndrome, u64 now)
{
	struct smrc_tackloss sent = { .sent_ns = now, .slot = SMRC_EV_NO_SLOT, .open = true };
	struct smrc_pkt pkt = {
		.opcode = SMRC_OP_TACK,
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = qp->dqpn,
		.psn = smrc_rxwin_cack(&qp->rq.win),
		.tack = { .syndrome = syndrome, .msn = syndrome == SMRC_SYN_ACK ? qp->rq.msgs.next : qp->rq.nak_msn },
	};
	u16 port = qp->sport;

	if (qp->peer->type != SMRC_SPRAY_NONE)
		port = smrc_peer_pick(qp->peer, SMRC_EV_NO_SLOT, &sent.slot);
	smrc_ack_emit(qp, list, port, &pkt);
	sent.msn = qp->rq.msgs.next;
	sent.next_psn = qp->rq.win.next;
	smrc_peer_signal(qp->peer, smrc_tackloss_sent(&qp->rq.tack, &sent, &qp->sq.rtt), SMRC_EV_SIG_ACK, now);
	smrc_count(qp->dev, TX_TACK);
}

/**
 * smrc_ack_nak() - refuse a message, now or once more
 * @qp: the QP, its lock held; rq.nak and rq.nak_msn say why and which
 * @list: where the NAK goes
 * @now: current time, ns
 */
void smrc_ack_nak(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	smrc_ack_tack(qp, list, qp->rq.nak, now);
}

/**
 * smrc_ack_want() - a packet asks for a SACK, to be sent at the end of the batch of packets that is being received
 * @qp: the QP, its lock held
 * @pkt: the packet
 * @ev: its entropy value
 * @ce: it met congestion: the SACK marks its value
 * @now: current time, ns
 */
void smrc_ack_want(struct smrc_qp *qp, const struct smrc_pkt *pkt, u16 ev, bool ce, u64 now)
{
	qp->due |= SMRC_DUE_SACK;
	qp->rq.trigger_psn = pkt->psn;
	qp->rq.trigger_ns = now;
	qp->rq.trigger = (struct smrc_sack) {
		.entropy = ev,
		.mark = ce ? SMRC_MARK_SKIP_ONCE : SMRC_MARK_NONE,
		.ts = pkt->ts,
	};
}

/**
 * smrc_ack_flush() - send the acknowledgements owed
 * @qp: the QP, its lock held
 * @list: where they go
 * @now: current time, ns
 *
 * At the end of a batch of packets, so that one SACK and one transport ACK speak for all of it.
 */
void smrc_ack_flush(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_rq *rq = &qp->rq;

	lockdep_assert_held(&qp->lock);
	if (!(qp->due & (SMRC_DUE_SACK | SMRC_DUE_TACK)))
		return;
	if (qp->due & SMRC_DUE_SACK) {
		rq->trigger.ts = smrc_ts_echo(rq->trigger.ts, now - rq->trigger_ns);
		smrc_ack_sack(qp, list, rq->trigger_psn, &rq->trigger);
		smrc_ackdue_sent(&rq->due);
	}
	if (qp->due & SMRC_DUE_TACK)
		smrc_ack_tack(qp, list, SMRC_SYN_ACK, now);
	qp->due &= ~(SMRC_DUE_SACK | SMRC_DUE_TACK);
}

/* Messages that retire this soon after a transport ACK are told together, at the end of the batch. */
#define SMRC_TACK_GAP_NS	20000

/**
 * smrc_ack_retired() - messages may have retired: tell the peer, at once after a pause, else with those that follow
 * @qp: the QP, its lock held
 * @list: where a transport ACK goes
 * @now: current time, ns
 */
void smrc_ack_retired(struct smrc_qp *qp, struct sk_buff_head *list, u64 now)
{
	struct smrc_rq *rq = &qp->rq;

	if (rq->tack.msn == rq->msgs.next || qp->state == IB_QPS_ERR)
		return;
	if (now - rq->tack.sent_ns < SMRC_TACK_GAP_NS || (qp->due & SMRC_DUE_SACK)) {
		qp->due |= SMRC_DUE_TACK;
		return;
	}
	smrc_ack_tack(qp, list, SMRC_SYN_ACK, now);
	qp->due &= ~SMRC_DUE_TACK;
}

/* A question may tell that the latest transport ACK was lost. */
static void smrc_ack_asked(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now)
{
	struct smrc_tackloss *tack = &qp->rq.tack;

	if (!smrc_tackloss_asked(tack, pkt->psn, pkt->probe.waited_ns, &qp->sq.rtt, now))
		return;
	smrc_count(qp->dev, TACK_LOST);
	smrc_peer_signal(qp->peer, tack->slot, SMRC_EV_SIG_LOSS, now);
}

/**
 * smrc_ack_probe() - answer a probe with a SACK that names it; a question, which has the A bit, also with the latest
 * transport ACK, which may be what the prober misses
 * @qp: the QP, its lock held
 * @list: where the answer goes
 * @pkt: the probe
 * @ev: its entropy value
 * @now: current time, ns
 */
void smrc_ack_probe(struct smrc_qp *qp, struct sk_buff_head *list, const struct smrc_pkt *pkt, u16 ev, u64 now)
{
	struct smrc_sack why = {
		.entropy = ev,
		.probe = true,
		.probe_id = pkt->probe.id,
		.ts = pkt->probe.ts,
	};

	smrc_count(qp->dev, RX_PROBE);
	smrc_ack_sack(qp, list, smrc_rxwin_cack(&qp->rq.win), &why);
	if (!pkt->ack_req || !qp->rq.heard)
		return;
	smrc_ack_asked(qp, pkt, now);
	smrc_ack_tack(qp, list, SMRC_SYN_ACK, now);
}

/**
 * smrc_ack_nack() - refuse a packet
 * @qp: the QP, its lock held
 * @list: where the NACK goes
 * @pkt: the packet
 * @ev: its entropy value, on which the NACK travels
 * @reason: enum smrc_nack_reason
 */
void smrc_ack_nack(struct smrc_qp *qp, struct sk_buff_head *list, const struct smrc_pkt *pkt, u16 ev, u8 reason)
{
	struct smrc_pkt nack = {
		.opcode = SMRC_OP_NACK,
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = qp->dqpn,
		.psn = pkt->psn,
		.nack = {
			.reason = reason,
			.rnr_timer = reason == SMRC_NACK_NO_RESOURCE ? qp->attr.min_rnr_timer : 0,
			.entropy = ev,
			.psn = pkt->psn,
			.ts = pkt->ts,
		},
	};

	smrc_ack_emit(qp, list, ev, &nack);
	smrc_count(qp->dev, TX_NACK);
}

/* ------------------------------------------------- receiving */

/* Requests and responses of which every packet arrived need not be sent again. */
static void smrc_ack_advance(struct smrc_qp *qp)
{
	struct smrc_sq *sq = &qp->sq;

	while (sq->acked != sq->next && smrc_psn_before(smrc_swqe(sq, sq->acked)->last_psn, sq->sb.una))
		sq->acked++;
	smrc_resps_acked(&qp->rq.resps, sq->sb.una);
}

/* What an acknowledgment changed, whichever kind it was. */
static void smrc_ack_applied(struct smrc_qp *qp, const struct smrc_ack_result *res, bool ecn, u64 now)
{
	struct smrc_sq *sq = &qp->sq;

	trace_smrc_ack(&qp->dev->ibdev, qp->ibqp.qp_num, sq->sb.una, res);
	if (res->cum)
		smrc_ack_advance(qp);
	if (res->saved)
		smrc_count_add(qp->dev, RTX_SAVED, res->saved);
	if (res->newly) {
		smrc_pto_moved(&sq->pto);
		smrc_retry_progress(&sq->retry, now);
		smrc_rnr_arrived(&sq->rnr, !smrc_sb_holds(&sq->sb, sq->rnr.psn));
	}
	if (res->in_vain) {
		smrc_count_add(qp->dev, RTX_SPURIOUS, res->in_vain);
		smrc_rtt_reordered(&sq->rtt, res->early_ns, now);
	}
	if (res->has_rtt) {
		smrc_rtt_progress(&sq->rtt);
		smrc_rtt_sample(&sq->rtt, res->rtt_ns, now);
		if (!res->spurious)
			smrc_peer_rtt(qp->peer, res->rtt_ns - res->service_ns);
		sq->sb.floor_ns = smrc_base_rtt_floor(smrc_peer_base_rtt(qp->peer));
	}
	smrc_cc_acked(qp, res, ecn, now);
}

/* While something waits there may be losses to find, packets to send, a timer to set. */
static void smrc_ack_follow_up(struct smrc_qp *qp)
{
	if (smrc_qp_owes(qp))
		qp->due |= SMRC_DUE_SCAN;
}

/* What a SACK says of the value it names. */
static enum smrc_ev_signal smrc_ack_signal(u8 mark)
{
	switch (mark) {
	case SMRC_MARK_SKIP_ONCE:
		return SMRC_EV_SIG_ECN;
	case SMRC_MARK_ALWAYS_SKIP:
		return SMRC_EV_SIG_ALWAYS_SKIP;
	default:
		return SMRC_EV_SIG_ACK;
	}
}

/* The peer's window as it says now; never beyond the scoreboard (OCP MRC 1.0 7.5.1). */
static void smrc_ack_window(struct smrc_qp *qp, u8 mpr)
{
	if (mpr)
		qp->sq.window = min(mpr * SMRC_MPR_UNIT, qp->win_size);
}

/*
 * Was it a question, or a probe of a value that is assumed bad? There is a way again when the latter is answered, so
 * what waits for its RTO need not wait for one that backed off. Returns false when it is neither.
 */
static bool smrc_ack_answered(struct smrc_qp *qp, u16 id, u64 now)
{
	struct smrc_probe_answer ans;

	if (id & SMRC_PROBE_QUESTION) {
		smrc_pto_answer(&qp->sq.pto, id, now, &ans);
		if (ans.known)
			smrc_peer_answered(qp->peer, id, &ans, now);
		return ans.known;
	}
	if (!smrc_peer_probe_answer(qp->peer, id, now))
		return false;
	smrc_rtt_progress(&qp->sq.rtt);
	return true;
}

/**
 * smrc_ack_rx_answer() - the answer to a probe came
 * @qp: the QP, its lock held; it may be one that only receives
 * @pkt: a SACK that says so
 * @now: current time, ns
 */
void smrc_ack_rx_answer(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now)
{
	if (smrc_ack_answered(qp, pkt->sack.probe_id, now))
		smrc_count(qp->dev, PROBE_OK);
	else
		smrc_drop(qp->dev, DROP_STRAY, pkt);
}

/* What names no value speaks for those of the packets that it acknowledges first. */
static void smrc_ack_alive(struct smrc_qp *qp, const struct smrc_ack_result *res, u64 now)
{
	if (qp->peer->type != SMRC_SPRAY_NONE && res->newly)
		smrc_peer_sacked(qp->peer, U32_MAX, SMRC_EV_SIG_ACK, res, now);
}

/**
 * smrc_ack_rx_sack() - a SACK came
 * @qp: the QP, its lock held
 * @pkt: the SACK
 * @now: current time, ns
 */
void smrc_ack_rx_sack(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now)
{
	const struct smrc_sack *sack = &pkt->sack;
	struct smrc_ack_result res;

	smrc_count(qp->dev, RX_SACK);
	smrc_sb_sack(&qp->sq.sb, sack, now, &res);
	if (res.bad) {
		smrc_drop(qp->dev, DROP_BAD_ACK, pkt);
		return;
	}
	smrc_ack_window(qp, sack->mpr);
	smrc_cc_penalty(qp, sack->penalty);
	smrc_ack_applied(qp, &res, sack->mark == SMRC_MARK_SKIP_ONCE, now);
	if (sack->mark)
		smrc_count(qp->dev, RX_MARKS);
	if (sack->probe) {
		smrc_ack_rx_answer(qp, pkt, now);
		smrc_ack_alive(qp, &res, now);
	} else if (qp->peer->type != SMRC_SPRAY_NONE) {
		if (res.absolves)
			smrc_peer_sacked(qp->peer, sack->entropy, SMRC_EV_SIG_ABSOLVED, NULL, now);
		smrc_peer_sacked(qp->peer, sack->entropy, smrc_ack_signal(sack->mark), &res, now);
	}
	smrc_ack_follow_up(qp);
}

static void smrc_ack_lose(struct smrc_qp *qp, u32 psn, u16 slot, u8 reason)
{
	trace_smrc_loss(&qp->dev->ibdev, qp->ibqp.qp_num, psn, slot, reason);
	switch (reason) {
	case SMRC_LOSS_GAP:
		smrc_count(qp->dev, RTX_GAP);
		break;
	case SMRC_LOSS_SAME_VALUE:
		smrc_count(qp->dev, RTX_SAME_VALUE);
		break;
	case SMRC_LOSS_TIMEOUT:
		smrc_count(qp->dev, RTX_TIMEOUT);
		break;
	default:
		smrc_count(qp->dev, RTX_NACK);
		break;
	}
}

static void smrc_ack_rnr(struct smrc_qp *qp, u32 psn, u8 code, u64 now)
{
	const struct smrc_sb_pkt *pkt = smrc_sb_pkt(&qp->sq.sb, psn);
	struct smrc_sq *sq = &qp->sq;
	struct smrc_swqe *wqe;

	switch (smrc_rnr_refused(&sq->rnr, psn, pkt->sent_ns, code, now)) {
	case SMRC_RNR_OLD:
		break;
	case SMRC_RNR_WAIT:
		smrc_retry_progress(&sq->retry, sq->rnr.until);
		smrc_count(qp->dev, RNR_WAITS);
		break;
	case SMRC_RNR_EXCEEDED:
		smrc_retry_progress(&sq->retry, now);
		wqe = smrc_swqe(sq, pkt->wqe);
		wqe->status = IB_WC_RNR_RETRY_EXC_ERR;
		wqe->verr = SMRC_VERR_RNR;
		sq->stuck = true;
		smrc_count(qp->dev, RNR_EXC);
		break;
	}
}

/**
 * smrc_ack_rx_nack() - a NACK came
 * @qp: the QP, its lock held
 * @pkt: the NACK
 * @now: current time, ns
 *
 * OCP MRC 1.0 table 7-3: all reasons but one ask for a retransmission; only the trimmed ones blame the value.
 */
void smrc_ack_rx_nack(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now)
{
	u32 psn = pkt->nack.psn;
	bool inflight;
	u16 slot;

	smrc_count(qp->dev, RX_NACK);
	if (!smrc_sb_holds(&qp->sq.sb, psn)) {
		smrc_drop(qp->dev, DROP_STRAY, pkt);
		return;
	}
	smrc_sb_refused(&qp->sq.sb, psn, pkt->nack.ts);
	slot = smrc_sb_pkt(&qp->sq.sb, psn)->slot;
	inflight = smrc_sb_pkt(&qp->sq.sb, psn)->state == SMRC_SB_INFLIGHT;
	switch (pkt->nack.reason) {
	case SMRC_NACK_UNEXP_EVENT:
		smrc_comp_send_error(qp, IB_WC_REM_OP_ERR, SMRC_VERR_REMOTE_NAK);
		return;
	case SMRC_NACK_PSN_OOR_WINDOW:
		/* At once would be too early again; the timer will see to it. */
		return;
	case SMRC_NACK_NO_RESOURCE:
		if (inflight && !smrc_sb_pkt(&qp->sq.sb, psn)->response)
			smrc_ack_rnr(qp, psn, pkt->nack.rnr_timer, now);
		break;
	case SMRC_NACK_TRIMMED:
	case SMRC_NACK_TRIMMED_LASTHOP:
		smrc_count(qp->dev, TRIM_NACKS);
		if (qp->peer->type != SMRC_SPRAY_NONE && pkt->nack.reason == SMRC_NACK_TRIMMED)
			smrc_peer_sacked(qp->peer, pkt->nack.entropy, SMRC_EV_SIG_TRIMMED, NULL, now);
		break;
	}
	if (smrc_sb_lose(&qp->sq.sb, psn)) {
		smrc_ack_lose(qp, psn, slot, SMRC_LOSS_NACK);
		if (pkt->nack.reason == SMRC_NACK_TRIMMED || pkt->nack.reason == SMRC_NACK_TRIMMED_LASTHOP)
			smrc_cc_lost(qp);
	}
	smrc_ack_follow_up(qp);
}

static enum ib_wc_status smrc_ack_nak_status(u8 syndrome)
{
	switch (syndrome) {
	case SMRC_SYN_NAK_REM_ACCESS:
		return IB_WC_REM_ACCESS_ERR;
	case SMRC_SYN_NAK_REM_OP:
		return IB_WC_REM_OP_ERR;
	default:
		return IB_WC_REM_INV_REQ_ERR;
	}
}

/**
 * smrc_ack_rx_tack() - a transport ACK or NAK came
 * @qp: the QP, its lock held
 * @pkt: the packet; its PSN is the peer's cumulative PSN
 * @now: current time, ns
 */
void smrc_ack_rx_tack(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now)
{
	struct smrc_ack_result res;

	smrc_count(qp->dev, RX_TACK);
	smrc_sb_cumack(&qp->sq.sb, pkt->psn, now, &res);
	if (res.bad) {
		smrc_drop(qp->dev, DROP_BAD_ACK, pkt);
		return;
	}
	smrc_ack_applied(qp, &res, false, now);
	smrc_ack_alive(qp, &res, now);
	if (smrc_psn_before(qp->sq.told, pkt->tack.msn))
		qp->sq.told = pkt->tack.msn;
	smrc_comp_send(qp, now);
	if (pkt->tack.syndrome != SMRC_SYN_ACK && qp->sq.cons != qp->sq.prod &&
	    smrc_swqe(&qp->sq, qp->sq.cons)->msn == pkt->tack.msn)
		smrc_comp_send_error(qp, smrc_ack_nak_status(pkt->tack.syndrome), SMRC_VERR_REMOTE_NAK);
	smrc_ack_follow_up(qp);
}

/*
 * A gap blames the value once there is a quorum (proto/entropy.c), a timeout at once. A packet overtaken on its own
 * value blames nobody: what overtook it proves the value alive.
 */
static void smrc_ack_blame(struct smrc_qp *qp, const struct smrc_loss *loss, u64 now)
{
	if (qp->peer->type == SMRC_SPRAY_NONE)
		return;
	if (loss->reason == SMRC_LOSS_GAP)
		smrc_peer_signal(qp->peer, loss->slot, SMRC_EV_SIG_LOSS, now);
	else if (loss->reason == SMRC_LOSS_TIMEOUT)
		smrc_peer_signal(qp->peer, loss->slot, SMRC_EV_SIG_TIMEOUT, now);
}

/**
 * smrc_ack_scan() - look for losses, if an acknowledgment or a timer gave reason to
 * @qp: the QP, its lock held
 * @now: current time, ns
 */
void smrc_ack_scan(struct smrc_qp *qp, u64 now)
{
	struct smrc_loss_cfg cfg = {
		.depth = qp->loss_depth,
		.guard = qp->loss_guard,
	};
	struct smrc_sq *sq = &qp->sq;
	struct smrc_loss_scan scan;
	struct smrc_loss loss;
	u64 base;

	lockdep_assert_held(&qp->lock);
	if (!(qp->due & SMRC_DUE_SCAN))
		return;
	qp->due &= ~SMRC_DUE_SCAN;
	base = smrc_peer_base_rtt(qp->peer);
	cfg.rtt_ns = smrc_rtt_late(&sq->rtt, base);
	cfg.rto_ns = smrc_rtt_rto(&sq->rtt, base);

	smrc_loss_begin(&sq->sb, &scan);
	while (smrc_loss_next(&sq->sb, &cfg, now, &scan, &loss)) {
		smrc_ack_lose(qp, loss.psn, loss.slot, loss.reason);
		smrc_ack_blame(qp, &loss, now);
		smrc_cc_lost(qp);
	}
	if (scan.fired) {
		smrc_rtt_backoff(&sq->rtt);
		smrc_cc_fired(qp);
	}
	sq->loss_at = scan.deadline_ns;
}
