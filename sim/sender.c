// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * sender.c: the end that sends (the driver's tx.c, timer.c and the receiving half of its ack.c). All messages are
 * posted at the start; they are WRITEs, so no receiver is ever not ready.
 */
#include <linux/limits.h>
#include <linux/minmax.h>

#include "endpoint.h"
#include "flow.h"
#include "memory.h"
#include "segment.h"

#define US	1000ULL

static void sender_cwnd(struct sim_sender *snd, const struct sim_options *o, u32 window)
{
	const u32 *v = o->set.v;
	struct smrc_nscc_cfg cfg;

	if (v[SMRC_SET_CC] == SMRC_CC_FIXED) {
		smrc_cwnd_fixed(&snd->cwnd, v[SMRC_SET_CWND]);
		return;
	}
	smrc_nscc_config(&cfg, o->mtu, v[SMRC_SET_LINK_RATE], v[SMRC_SET_BASE_RTT] * US, window,
			 v[SMRC_SET_TRIMMING]);
	smrc_cwnd_nscc(&snd->cwnd, &cfg);
}

/**
 * sender_init() - nothing sent yet
 * @s: the run
 * @flow: the flow, whose receiver is there
 */
void sender_init(struct sim *s, u32 flow)
{
	struct sim_sender *snd = &s->flow[flow].snd;
	u32 window = s->flow[flow].rcv.win.size;
	const u32 *v = s->o.set.v;

	snd->sport = smrc_flow_qp_sport(SMRC_FLOW_PRODUCT_FOLD, 0, SMRC_QPN_FIRST + flow, SMRC_QPN_FIRST + flow);
	smrc_sb_init(&snd->sb, memory_get(window, sizeof(struct smrc_sb_pkt)), window, 0);
	sender_cwnd(snd, &s->o, v[SMRC_SET_MPR] * SMRC_MPR_UNIT);
	smrc_rtt_init(&snd->rtt, v[SMRC_SET_RTO_MIN] * US, v[SMRC_SET_RTO_MAX] * US);
	smrc_retry_init(&snd->retry, s->o.timeout, s->o.retry);
	snd->loss_at = U64_MAX;
	smrc_pto_init(&snd->pto, 0);
	snd->timer_at = U64_MAX;
}

static struct smrc_pkt sender_pkt(const struct sim *s, const struct smrc_seg *seg, u32 msn, u32 psn)
{
	return (struct smrc_pkt) {
		.opcode = seg->opcode,
		.psn = psn,
		.has_ts = true,
		.ts = smrc_ts(s->now),
		.payload_len = seg->len,
		.data = { .msn = msn, .va = seg->off, .msg_len = s->o.msg_bytes },
	};
}

static u16 sender_port(struct sim_sender *snd, u16 avoid, u16 *slot)
{
	if (peer_sprays(snd->peer))
		return peer_pick(snd->peer, avoid, slot);
	*slot = SMRC_EV_NO_SLOT;
	return snd->sport;
}

/* The oldest lost packet again, on another value, if there is one and the window has room. */
static bool sender_lost(struct sim *s, u32 flow)
{
	struct sim_sender *snd = &s->flow[flow].snd;
	struct smrc_sb_pkt *sent;
	struct smrc_seg seg;
	struct smrc_pkt pkt;
	u16 port, slot;
	u32 psn;

	if (!smrc_sb_next_lost(&snd->sb, &psn) || !smrc_cwnd_room(&snd->cwnd, snd->sb.inflight))
		return false;
	sent = smrc_sb_pkt(&snd->sb, psn);
	smrc_segment_at(SMRC_MSG_WRITE, s->o.msg_bytes, sent->off, s->o.mtu, &seg);
	port = sender_port(snd, sent->slot, &slot);
	pkt = sender_pkt(s, &seg, sent->wqe, psn);
	pkt.rtx = true;
	smrc_sb_resend(&snd->sb, psn, slot, s->now);
	smrc_cwnd_sent(&snd->cwnd);
	snd->again++;
	s->again++;
	sim_send(s, flow, false, port, &pkt);
	return true;
}

/* The next packet, if the windows have room. */
static bool sender_new(struct sim *s, u32 flow)
{
	struct sim_sender *snd = &s->flow[flow].snd;
	struct smrc_seg seg;
	struct smrc_pkt pkt;
	u16 port, slot;
	u32 room;

	if (snd->msg == s->o.msgs)
		return false;
	room = min(smrc_sb_room(&snd->sb, snd->sb.size), smrc_cwnd_room(&snd->cwnd, snd->sb.inflight));
	if (!room)
		return false;
	smrc_segment_at(SMRC_MSG_WRITE, s->o.msg_bytes, snd->off, s->o.mtu, &seg);
	port = sender_port(snd, SMRC_EV_NO_SLOT, &slot);
	pkt = sender_pkt(s, &seg, snd->msg, snd->sb.nxt);
	/* As in the driver: the last packet that the windows allow asks for a SACK. */
	pkt.ack_req = room == 1 && !seg.last;
	smrc_sb_send(&snd->sb, snd->msg, snd->off, slot, s->now);
	smrc_cwnd_sent(&snd->cwnd);
	s->packets++;
	snd->off += seg.len;
	if (seg.last) {
		snd->msg++;
		snd->off = 0;
	}
	sim_send(s, flow, false, port, &pkt);
	return true;
}

/*
 * A gap blames the value once there is a quorum, a timeout at once. What overtook a packet on its own value proves the
 * value alive.
 */
static void sender_blame(struct sim *s, struct sim_sender *snd, const struct smrc_loss *loss)
{
	if (!peer_sprays(snd->peer))
		return;
	if (loss->reason == SMRC_LOSS_GAP)
		peer_signal(s, snd->peer, loss->slot, SMRC_EV_SIG_LOSS);
	else if (loss->reason == SMRC_LOSS_TIMEOUT)
		peer_signal(s, snd->peer, loss->slot, SMRC_EV_SIG_TIMEOUT);
}

static void sender_losses(struct sim *s, struct sim_sender *snd)
{
	const struct smrc_loss_cfg cfg = {
		.depth = s->o.set.v[SMRC_SET_LOSS_DEPTH],
		.guard = s->o.set.v[SMRC_SET_SAME_VALUE_GUARD],
		.rtt_ns = smrc_rtt_late(&snd->rtt, snd->peer->base_rtt_ns),
		.rto_ns = smrc_rtt_rto(&snd->rtt, snd->peer->base_rtt_ns),
	};
	struct smrc_loss_scan scan;
	struct smrc_loss loss;

	smrc_loss_begin(&snd->sb, &scan);
	while (smrc_loss_next(&snd->sb, &cfg, s->now, &scan, &loss)) {
		sender_blame(s, snd, &loss);
		smrc_cwnd_lost(&snd->cwnd);
	}
	if (scan.fired) {
		smrc_rtt_backoff(&snd->rtt);
		smrc_cwnd_fired(&snd->cwnd);
	}
	snd->loss_at = scan.deadline_ns;
}

/* The RTO that backs off would put off the end for ever. */
static u64 sender_give_up_at(const struct sim_sender *snd)
{
	return smrc_retry_deadline(&snd->retry, smrc_rtt_rto_base(&snd->rtt, snd->peer->base_rtt_ns));
}

/* All of the oldest message arrived. */
static bool sender_head_sent(const struct sim_sender *snd)
{
	const struct smrc_sb *sb = &snd->sb;

	if (snd->completed == snd->msg)
		return false;
	return smrc_sb_empty(sb) || smrc_sb_pkt(sb, sb->una)->wqe != snd->completed;
}

/* A message completes when it is told, so whatever arrived whole and is not complete is untold. */
static struct smrc_pto_wait sender_wait(const struct sim_sender *snd)
{
	return (struct smrc_pto_wait) { .inflight = snd->sb.inflight, .untold = sender_head_sent(snd) };
}

/* The event is only moved earlier; when it comes too early it finds nothing to do, and is set anew. */
static void sender_arm(struct sim *s, u32 flow)
{
	struct sim_sender *snd = &s->flow[flow].snd;
	u64 at;

	if (!snd->sb.inflight)
		snd->loss_at = U64_MAX;
	else if (snd->loss_at == U64_MAX)
		snd->loss_at = s->now + smrc_rtt_rto(&snd->rtt, snd->peer->base_rtt_ns);
	smrc_pto_update(&snd->pto, sender_wait(snd), &snd->rtt, snd->peer->base_rtt_ns, s->now);
	at = min(min(snd->loss_at, smrc_pto_at(&snd->pto)), sender_give_up_at(snd));
	if (at < snd->timer_at) {
		snd->timer_at = at;
		events_set(&s->ev, s->net.n_links + s->n_peers + flow, at);
	}
}

static void sender_send(struct sim *s, u32 flow)
{
	while (sender_lost(s, flow) || sender_new(s, flow))
		smrc_pto_moved(&s->flow[flow].snd.pto);
	sender_arm(s, flow);
}

/**
 * sender_start() - there is work
 * @s: the run
 * @flow: the flow
 */
void sender_start(struct sim *s, u32 flow)
{
	smrc_retry_progress(&s->flow[flow].snd.retry, s->now);
	sender_send(s, flow);
}

static void sender_done(struct sim *s, u32 flow, bool failed)
{
	struct sim_sender *snd = &s->flow[flow].snd;

	snd->failed = failed;
	snd->done_ns = s->now;
	events_set(&s->ev, s->net.n_links + s->n_peers + flow, U64_MAX);
	sim_flow_done(s);
}

/* A probe draws the receiver's SACK and its latest transport ACK. */
static void sender_ask(struct sim *s, u32 flow)
{
	struct sim_sender *snd = &s->flow[flow].snd;
	struct smrc_pkt pkt = { .opcode = SMRC_OP_PROBE, .ack_req = true, .probe.ts = smrc_ts(s->now) };
	u16 slot = SMRC_EV_NO_SLOT, port = snd->sport;

	if (peer_sprays(snd->peer)) {
		slot = smrc_entropy_question(&snd->peer->ent);
		port = snd->peer->ent.ev[slot].port;
	}
	pkt.psn = smrc_pto_psn(&snd->sb, sender_wait(snd));
	pkt.probe.waited_ns = min_t(u64, smrc_rtt_quiet(&snd->rtt, snd->peer->base_rtt_ns), U32_MAX);
	pkt.probe.id = smrc_pto_sent(&snd->pto, slot, s->now);
	sim_send(s, flow, false, port, &pkt);
}

/**
 * sender_timer() - do what is due
 * @s: the run
 * @flow: the flow, whose time has come
 */
void sender_timer(struct sim *s, u32 flow)
{
	struct sim_sender *snd = &s->flow[flow].snd;

	snd->timer_at = U64_MAX;
	events_set(&s->ev, s->net.n_links + s->n_peers + flow, U64_MAX);
	if (s->now >= sender_give_up_at(snd)) {
		sender_done(s, flow, true);
		return;
	}
	if (s->now >= snd->loss_at)
		sender_losses(s, snd);
	else if (s->now >= smrc_pto_at(&snd->pto))
		sender_ask(s, flow);
	sender_send(s, flow);
}

/* What an acknowledgment changed, whichever kind it was. */
static void sender_applied(struct sim *s, struct sim_sender *snd, const struct smrc_ack_result *res, bool ecn)
{
	struct sim_peer *peer = snd->peer;

	if (res->newly) {
		smrc_pto_moved(&snd->pto);
		smrc_retry_progress(&snd->retry, s->now);
	}
	if (res->in_vain)
		smrc_rtt_reordered(&snd->rtt, res->early_ns, s->now);
	if (res->has_rtt) {
		smrc_rtt_progress(&snd->rtt);
		smrc_rtt_sample(&snd->rtt, res->rtt_ns, s->now);
		if (!res->spurious)
			peer->base_rtt_ns = smrc_base_rtt_sample(peer->base_rtt_ns, res->rtt_ns - res->service_ns);
		snd->sb.floor_ns = smrc_base_rtt_floor(peer->base_rtt_ns);
	}
	if (snd->cwnd.cc != SMRC_CC_FIXED)
		smrc_cwnd_acked(&snd->cwnd, res, snd->sb.inflight, peer->base_rtt_ns, ecn, s->now);
}

/* What names no value speaks for those of the packets that it acknowledges first. */
static void sender_alive(struct sim *s, struct sim_sender *snd, const struct smrc_ack_result *res)
{
	if (peer_sprays(snd->peer) && res->newly)
		peer_sacked(s, snd->peer, U32_MAX, SMRC_EV_SIG_ACK, res);
}

/* As in the driver: there is a way again when a probe of a bad value is answered. */
static void sender_answered(struct sim *s, struct sim_sender *snd, u16 id)
{
	struct smrc_probe_answer ans;

	if (id & SMRC_PROBE_QUESTION) {
		smrc_pto_answer(&snd->pto, id, s->now, &ans);
		if (ans.known)
			peer_answered(s, snd->peer, &ans);
	} else if (peer_probe_answer(s, snd->peer, id)) {
		smrc_rtt_progress(&snd->rtt);
	}
}

static void sender_sack(struct sim *s, struct sim_sender *snd, const struct smrc_sack *sack)
{
	bool ecn = sack->mark == SMRC_MARK_SKIP_ONCE;
	struct smrc_ack_result res;

	smrc_sb_sack(&snd->sb, sack, s->now, &res);
	sender_applied(s, snd, &res, ecn);
	if (sack->probe) {
		sender_answered(s, snd, sack->probe_id);
		sender_alive(s, snd, &res);
	} else if (peer_sprays(snd->peer)) {
		if (res.absolves)
			peer_sacked(s, snd->peer, sack->entropy, SMRC_EV_SIG_ABSOLVED, NULL);
		peer_sacked(s, snd->peer, sack->entropy, ecn ? SMRC_EV_SIG_ECN : SMRC_EV_SIG_ACK, &res);
	}
}

static void sender_nack(struct sim *s, struct sim_sender *snd, const struct smrc_pkt *pkt)
{
	u32 psn = pkt->nack.psn;

	if (!smrc_sb_holds(&snd->sb, psn))
		return;
	smrc_sb_refused(&snd->sb, psn, pkt->nack.ts);
	/* At once would be too early again; the timer will see to it. */
	if (pkt->nack.reason == SMRC_NACK_PSN_OOR_WINDOW)
		return;
	if (peer_sprays(snd->peer) && pkt->nack.reason == SMRC_NACK_TRIMMED)
		peer_sacked(s, snd->peer, pkt->nack.entropy, SMRC_EV_SIG_TRIMMED, NULL);
	if (smrc_sb_lose(&snd->sb, psn))
		smrc_cwnd_lost(&snd->cwnd);
}

static void sender_tack(struct sim *s, struct sim_sender *snd, const struct smrc_pkt *pkt)
{
	struct smrc_ack_result res;

	smrc_sb_cumack(&snd->sb, pkt->psn, s->now, &res);
	sender_applied(s, snd, &res, false);
	sender_alive(s, snd, &res);
	if (pkt->tack.msn > snd->completed) {
		snd->completed = pkt->tack.msn;
		smrc_pto_told(&snd->pto);
		smrc_retry_progress(&snd->retry, s->now);
	}
}

/* The other end tests a value of its own; as nothing was ever received, there is nothing more to tell. */
static void sender_probed(struct sim *s, const struct sim_packet *p)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_SACK };

	pkt.sack.entropy = p->port;
	pkt.sack.probe = true;
	pkt.sack.probe_id = p->pkt.probe.id;
	pkt.sack.ts = p->pkt.probe.ts;
	sim_send(s, p->flow, false, p->port, &pkt);
}

/**
 * sender_packet() - a packet came
 * @s: the run
 * @p: a SACK, NACK, transport ACK or probe
 */
void sender_packet(struct sim *s, const struct sim_packet *p)
{
	struct sim_sender *snd = &s->flow[p->flow].snd;

	if (p->pkt.opcode == SMRC_OP_PROBE) {
		sender_probed(s, p);
		return;
	}
	if (snd->done_ns)
		return;
	if (p->pkt.opcode == SMRC_OP_SACK)
		sender_sack(s, snd, &p->pkt.sack);
	else if (p->pkt.opcode == SMRC_OP_NACK)
		sender_nack(s, snd, &p->pkt);
	else
		sender_tack(s, snd, &p->pkt);
	if (snd->completed == s->o.msgs) {
		sender_done(s, p->flow, false);
		return;
	}
	sender_losses(s, snd);
	sender_send(s, p->flow);
}
