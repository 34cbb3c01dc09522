// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * sim_kunit.c: two endpoints made of proto/ alone, a network of several paths between them, and a clock that nobody
 * waits for.
 *
 *	sender: segment, entropy, scoreboard, loss, rtt, pto, cwnd, probe, retry
 *	    | data, probes                  ^ SACK, NACK, transport ACK
 *	    v                               |
 *	 P paths; the path of a packet is a hash of its port; loss, delay, jitter, duplicates, marks, black holes
 *	    |                               ^
 *	    v                               |
 *	receiver: rxwin, rxmsg, ackdue, entropy
 *
 * Whatever the network does, every byte is placed once, every message retires once and in order, the sender learns of
 * it, and all of that ends in bounded virtual time. The code under test is that of the other suites of this module;
 * packets go through wire.c in both directions. A seed decides everything, and a failure names it.
 */
#include "sim.h"

#include <linux/moduleparam.h>
#include <linux/vmalloc.h>

static uint sim_seeds = 24;
module_param(sim_seeds, uint, 0444);
MODULE_PARM_DESC(sim_seeds, "runs of each scenario of the simulation, each with a seed of its own (24)");

static const struct sim_cfg sim_cfgs[] = {
	{ .name = "one clean path", .expect = SIM_QUIET, .fifo = true, .paths = 1 },
	{ .name = "clean paths", .expect = SIM_QUIET, .fifo = true, .cwnd = 16 },
	{ .name = "no spraying, clean", .expect = SIM_QUIET, .fifo = true, .none = true },
	{ .name = "paths of different delay", .fifo = true, .spread_us = 15 },
	{ .name = "reordering within paths", .jitter_us = 200 },
	{ .name = "reordering, no spraying", .jitter_us = 200, .none = true },
	{ .name = "loss 1 %", .loss = 10, .ack_loss = 10 },
	{ .name = "loss 5 %", .loss = 50, .ack_loss = 50 },
	{ .name = "loss 5 %, no spraying", .loss = 50, .ack_loss = 50, .none = true },
	{ .name = "loss 30 %", .loss = 300, .ack_loss = 300 },
	{ .name = "acknowledgments lost, 60 %", .ack_loss = 600 },
	{ .name = "data lost, 60 %", .loss = 600 },
	{ .name = "duplicates 20 %", .dup = 200, .jitter_us = 300 },
	{ .name = "marks 30 %", .expect = SIM_QUIET, .fifo = true, .cwnd = 16, .ecn = 300 },
	{ .name = "all marked", .expect = SIM_QUIET, .fifo = true, .cwnd = 16, .ecn = 1000 },
	{ .name = "trimmed 20 %", .trim = 200, .fifo = true },
	{ .name = "a dead path", .expect = SIM_AVOIDS, .fifo = true, .dead = 0x04 },
	{ .name = "a dead path, from the middle on", .expect = SIM_AVOIDS, .fifo = true, .dead = 0x40,
	  .dead_from_us = 300 },
	{ .name = "half of the paths dead", .expect = SIM_AVOIDS, .fifo = true, .dead = 0x55, .dead_from_us = 200 },
	{ .name = "dead one way", .expect = SIM_AVOIDS, .fifo = true, .dead = 0x21, .one_way = true },
	{ .name = "a dead path heals", .expect = SIM_RECOVERS, .fifo = true, .dead = 0x08, .dead_to_us = 3000 },
	{ .name = "a dead path heals, with loss", .expect = SIM_RECOVERS, .dead = 0x08, .dead_to_us = 3000, .loss = 50,
	  .ack_loss = 50 },
	{ .name = "all paths dead for a while", .expect = SIM_RECOVERS, .fifo = true, .dead = 0xff, .dead_from_us = 150,
	  .dead_to_us = 20000 },
	{ .name = "all dead, no spraying", .none = true, .dead = 0xff, .dead_from_us = 150, .dead_to_us = 20000 },
	{ .name = "held up for 2 ms", .expect = SIM_PATIENT, .fifo = true, .cwnd = 16, .held_from_us = 120,
	  .held_to_us = 2120 },
	{ .name = "held up for 5 ms", .expect = SIM_PATIENT, .fifo = true, .cwnd = 32, .held_from_us = 150,
	  .held_to_us = 5150 },
	{ .name = "reps, loss 5 %", .policy = SMRC_SPRAY_REPS, .loss = 50, .ack_loss = 50 },
	{ .name = "reps, marks 30 %", .expect = SIM_QUIET, .policy = SMRC_SPRAY_REPS, .fifo = true, .cwnd = 8,
	  .ecn = 300 },
	{ .name = "reps, a dead path", .expect = SIM_AVOIDS, .policy = SMRC_SPRAY_REPS, .fifo = true, .dead = 0x04 },
	{ .name = "reps, a dead path heals", .expect = SIM_RECOVERS, .policy = SMRC_SPRAY_REPS, .fifo = true,
	  .dead = 0x08, .dead_to_us = 3000 },
	{ .name = "counter, loss 5 %", .policy = SMRC_SPRAY_COUNTER, .loss = 50, .ack_loss = 50 },
	{ .name = "counter, a dead path", .expect = SIM_AVOIDS, .policy = SMRC_SPRAY_COUNTER, .fifo = true,
	  .dead = 0x04 },
	{ .name = "random, loss 5 %", .policy = SMRC_SPRAY_RANDOM, .loss = 50, .ack_loss = 50 },
	{ .name = "random, a dead path", .expect = SIM_AVOIDS, .policy = SMRC_SPRAY_RANDOM, .fifo = true,
	  .dead = 0x04 },
	{ .name = "nscc, clean paths", .fifo = true, .nscc = true },
	{ .name = "nscc, marks 30 %, loss 5 %", .fifo = true, .nscc = true, .ecn = 300, .loss = 50, .ack_loss = 50 },
	{ .name = "nscc, reordering", .nscc = true, .ecn = 100, .jitter_us = 200 },
	{ .name = "nscc, a dead path", .expect = SIM_AVOIDS, .nscc = true, .fifo = true, .dead = 0x04 },
	{ .name = "nscc, all paths dead for a while", .nscc = true, .fifo = true, .dead = 0xff, .dead_from_us = 150,
	  .dead_to_us = 20000, .timeout = 14 },
	{ .name = "smallest window", .window = 128, .cwnd = 256, .loss = 50, .ack_loss = 50, .jitter_us = 100 },
	{ .name = "one packet at a time", .cwnd = 1, .loss = 50, .ack_loss = 50 },
	{ .name = "largest windows", .cwnd = 1024, .loss = 50, .ack_loss = 50, .jitter_us = 100 },
	{ .name = "one value", .values = 1, .loss = 50, .ack_loss = 50 },
	{ .name = "one dead path of two", .values = 16, .paths = 2, .dead = 2, .loss = 20, .ack_loss = 20 },
	{ .name = "256 values on 16 paths", .values = 256, .paths = 16, .loss = 20, .ack_loss = 20, .spread_us = 3 },
	{ .name = "messages of one packet", .small = true, .loss = 100, .ack_loss = 100, .jitter_us = 100 },
	{ .name = "no same-value rule", .no_guard = true, .loss = 50, .ack_loss = 50 },
	{ .name = "gap of one", .depth = 1, .loss = 50, .jitter_us = 200 },
	{ .name = "everything at once", .loss = 50, .ack_loss = 50, .dup = 50, .ecn = 100, .trim = 50, .spread_us = 5,
	  .jitter_us = 100, .dead = 0x30, .dead_from_us = 300, .dead_to_us = 5000 },
	{ .name = "peer gone", .expect = SIM_GIVES_UP, .dead = 0xff, .dead_from_us = 60 },
	{ .name = "peer gone, no spraying", .expect = SIM_GIVES_UP, .dead = 0xff, .dead_from_us = 60, .none = true },
};

KUNIT_ARRAY_PARAM_DESC(sim, sim_cfgs, name);

/* The receiver */

static void rcv_sack(struct sim *s, const struct sim_flight *f, bool probe)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_SACK };

	smrc_rxwin_sack(&s->rcv.win, f->pkt.psn, &pkt.sack);
	pkt.sack.entropy = f->port;
	pkt.sack.mark = f->ce ? SMRC_MARK_SKIP_ONCE : SMRC_MARK_NONE;
	pkt.sack.mpr = s->window / SMRC_MPR_UNIT;
	pkt.sack.ts = probe ? f->pkt.probe.ts : f->pkt.ts;
	pkt.sack.probe = probe;
	pkt.sack.probe_id = probe ? f->pkt.probe.id : 0;
	net_send(s, &pkt, f->port, true);
	smrc_ackdue_sent(&s->rcv.due);
}

/* A transport ACK draws a value like data does (seed 1). */
static void rcv_tack(struct sim *s)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_TACK, .psn = smrc_rxwin_cack(&s->rcv.win) };
	struct smrc_entropy *ev = &s->rcv.ev;

	pkt.tack.syndrome = SMRC_SYN_ACK;
	pkt.tack.msn = s->rcv.msgs.next;
	net_send(s, &pkt, s->cfg->none ? SIM_OWN_PORT : ev->ev[smrc_entropy_pick(ev)].port, true);
}

static void rcv_nack_trimmed(struct sim *s, const struct sim_flight *f)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_NACK };

	pkt.nack.reason = SMRC_NACK_TRIMMED;
	pkt.nack.entropy = f->port;
	pkt.nack.psn = f->pkt.psn;
	pkt.nack.ts = f->pkt.ts;
	net_send(s, &pkt, f->port, true);
}

/* Exactly once: no byte was written before. */
static void rcv_place(struct sim *s, const struct smrc_pkt *pkt)
{
	u32 i = (u16)(pkt->data.msn - s->first_msn), off, k;
	const struct sim_msg *m = &s->msg[i];

	SIM_CHECK(s, i < s->n_msgs && pkt->data.msg_len == m->len);
	off = smrc_op_is_send(pkt->opcode) ? pkt->data.va : pkt->data.va - SIM_VA - m->base;
	SIM_CHECK(s, off <= m->len && pkt->payload_len <= m->len - off);
	for (k = 0; k < pkt->payload_len; k++)
		SIM_CHECK(s, !s->rcv.written[m->base + off + k]++);
}

/* A message retires as it was posted, whole, and in its turn. */
static void rcv_check_retired(struct sim *s, const struct smrc_rxmsg *got)
{
	const struct sim_msg *m = &s->msg[s->rcv.retired];
	bool imm = m->kind == SMRC_MSG_SEND_IMM || m->kind == SMRC_MSG_WRITE_IMM;
	u32 k;

	SIM_CHECK(s, s->rcv.retired < s->n_msgs);
	SIM_CHECK(s, s->rcv.msgs.next == ((s->first_msn + s->rcv.retired) & 0xffffff));
	SIM_CHECK(s, got->len == m->len && !got->syndrome);
	SIM_CHECK(s, smrc_op_is_last(got->opcode) && smrc_op_has_imm(got->opcode) == imm);
	SIM_CHECK(s, smrc_op_is_send(got->opcode) == (m->kind == SMRC_MSG_SEND || m->kind == SMRC_MSG_SEND_IMM));
	SIM_CHECK(s, !imm || got->imm == m->imm);
	SIM_CHECK(s, got->rqmsn == (u16)s->rcv.retired);
	for (k = 0; k < m->len; k++)
		SIM_CHECK(s, s->rcv.written[m->base + k] == 1);
}

static void rcv_data(struct sim *s, const struct sim_flight *f)
{
	struct sim_receiver *r = &s->rcv;
	u32 reasons = (f->ce ? SMRC_ACK_ECN : 0) | (f->pkt.rtx ? SMRC_ACK_RTX : 0) |
		      (f->pkt.ack_req ? SMRC_ACK_REQ : 0);
	enum smrc_rx_verdict verdict = smrc_rxwin_check(&r->win, f->pkt.psn);
	const struct smrc_rxmsg *done;
	bool gap = r->win.ooo;
	bool tack = false;

	/* A sender that keeps to the window never gets here. */
	SIM_CHECK(s, verdict != SMRC_RX_BEYOND);
	if (verdict == SMRC_RX_DUP) {
		r->dups++;
		reasons |= SMRC_ACK_DUP;
		tack = true;
	} else {
		SIM_CHECK(s, smrc_rxmsgs_fits(&r->msgs, f->pkt.data.msn));
		rcv_place(s, &f->pkt);
		smrc_rxmsgs_note(&r->msgs, &f->pkt, 0);
		smrc_rxwin_accept(&r->win, f->pkt.psn);
	}
	while ((done = smrc_rxmsgs_ready(&r->msgs, r->win.next))) {
		rcv_check_retired(s, done);
		smrc_rxmsgs_retire(&r->msgs);
		r->retired++;
		tack = true;
	}
	gap |= r->win.ooo;
	if (smrc_ackdue_packet(&r->due, f->pkt.payload_len, reasons, 16384, s->now) || gap)
		rcv_sack(s, f, false);
	if (tack)
		rcv_tack(s);
}

static void rcv_deliver(struct sim *s, const struct sim_flight *f)
{
	if (f->pkt.opcode == SMRC_OP_PROBE) {
		rcv_sack(s, f, true);
		if (f->pkt.ack_req)
			rcv_tack(s);
	} else if (f->trimmed) {
		rcv_nack_trimmed(s, f);
	} else {
		rcv_data(s, f);
	}
}

/* The sender */

static u16 snd_port(const struct sim *s, u16 slot)
{
	return slot == SMRC_EV_NO_SLOT ? SIM_OWN_PORT : s->snd.ev.ev[slot].port;
}

static void snd_signal(struct sim *s, u16 slot, enum smrc_ev_signal sig)
{
	if (!s->cfg->none)
		smrc_entropy_feedback(&s->snd.ev, slot, sig, s->now);
}

static bool snd_all_sent(const struct sim *s)
{
	return s->snd.msg == s->n_msgs;
}

static u64 snd_rto(const struct sim *s)
{
	return smrc_rtt_rto(&s->snd.rtt, s->snd.base_rtt);
}

static u64 snd_give_up(const struct sim *s)
{
	return smrc_retry_deadline(&s->snd.retry, smrc_rtt_rto_base(&s->snd.rtt, s->snd.base_rtt));
}

static void snd_transmit(struct sim *s, u32 psn, u32 room)
{
	const struct smrc_sb_pkt *p = smrc_sb_pkt(&s->snd.sb, psn);
	const struct sim_msg *m = &s->msg[p->wqe];
	struct smrc_pkt pkt = { .psn = psn, .rtx = p->tx_count > 1, .has_ts = true, .ts = smrc_ts(s->now) };
	struct smrc_seg seg;

	smrc_segment_at(m->kind, m->len, p->off, SIM_MTU, &seg);
	pkt.opcode = seg.opcode;
	pkt.payload_len = seg.len;
	/* Nothing more may follow soon, so nothing else would bring the SACK. */
	pkt.ack_req = seg.last || room == 1;
	pkt.data.rqmsn = p->wqe;
	pkt.data.msn = s->first_msn + p->wqe;
	pkt.data.msg_len = m->len;
	pkt.data.imm = m->imm;
	pkt.data.va = smrc_op_is_send(seg.opcode) ? seg.off : SIM_VA + m->base + seg.off;
	pkt.data.rkey = smrc_op_is_send(seg.opcode) ? 0 : 0x1234;
	smrc_cwnd_sent(&s->snd.cwnd);
	smrc_pto_moved(&s->snd.pto);
	net_send(s, &pkt, snd_port(s, p->slot), false);
}

static void snd_new(struct sim *s, u32 room)
{
	u16 slot = s->cfg->none ? SMRC_EV_NO_SLOT : smrc_entropy_pick(&s->snd.ev);
	const struct sim_msg *m = &s->msg[s->snd.msg];
	u32 psn = smrc_sb_send(&s->snd.sb, s->snd.msg, s->snd.off, slot, s->now);

	s->snd.off += SIM_MTU;
	if (s->snd.off >= m->len) {
		s->snd.msg++;
		s->snd.off = 0;
	}
	snd_transmit(s, psn, room);
}

/* Not on the value it was lost on while there is another. */
static void snd_again(struct sim *s, u32 psn, u32 room)
{
	struct smrc_entropy *ev = &s->snd.ev;
	u16 old = smrc_sb_pkt(&s->snd.sb, psn)->slot;
	u16 slot = s->cfg->none ? SMRC_EV_NO_SLOT : smrc_entropy_pick_other(ev, old);

	SIM_CHECK(s, s->cfg->none || slot != old || ev->n == 1 || ev->n_bad == ev->n - 1);
	smrc_sb_resend(&s->snd.sb, psn, slot, s->now);
	s->snd.sent_again++;
	snd_transmit(s, psn, room);
}

static void snd_run(struct sim *s)
{
	struct smrc_sb *sb = &s->snd.sb;
	u32 psn, room;

	while ((room = smrc_cwnd_room(&s->snd.cwnd, sb->inflight))) {
		if (smrc_sb_next_lost(sb, &psn))
			snd_again(s, psn, room);
		else if (!snd_all_sent(s) && smrc_sb_room(sb, s->window))
			snd_new(s, min(room, smrc_sb_room(sb, s->window)));
		else
			break;
	}
	/* A controller may take from the window what is in flight already. */
	SIM_CHECK(s, s->cfg->nscc || sb->inflight <= s->snd.cwnd.packets);
}

static void snd_losses(struct sim *s)
{
	const struct smrc_loss_cfg cfg = {
		.depth = s->cfg->depth ?: 16,
		.guard = s->cfg->no_guard ? 0 : 3,
		.rtt_ns = smrc_rtt_late(&s->snd.rtt, s->snd.base_rtt),
		.rto_ns = snd_rto(s),
	};
	struct smrc_loss_scan scan;
	struct smrc_loss loss;

	smrc_loss_begin(&s->snd.sb, &scan);
	while (smrc_loss_next(&s->snd.sb, &cfg, s->now, &scan, &loss)) {
		smrc_cwnd_lost(&s->snd.cwnd);
		/* What overtook a packet on its own value proves the value alive. */
		if (loss.reason != SMRC_LOSS_SAME_VALUE)
			snd_signal(s, loss.slot,
				   loss.reason == SMRC_LOSS_TIMEOUT ? SMRC_EV_SIG_TIMEOUT : SMRC_EV_SIG_LOSS);
	}
	s->snd.loss_ns = scan.deadline_ns;
	if (scan.fired) {
		smrc_cwnd_fired(&s->snd.cwnd);
		s->snd.timeouts++;
		smrc_rtt_backoff(&s->snd.rtt);
	}
}

static void snd_probe(struct sim *s, u16 slot)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_PROBE };

	pkt.probe.id = smrc_probe_sent(&s->snd.probe, slot, s->now);
	net_send(s, &pkt, snd_port(s, slot), false);
}

/* What arrived whole and is not complete is untold. */
static struct smrc_pto_wait snd_wait(const struct sim *s)
{
	const struct smrc_sb *sb = &s->snd.sb;

	return (struct smrc_pto_wait) {
		.inflight = sb->inflight,
		.untold = s->snd.completed < s->snd.msg &&
			  (smrc_sb_empty(sb) || smrc_sb_pkt(sb, sb->una)->wqe != s->snd.completed),
	};
}

static void snd_ask(struct sim *s)
{
	u16 slot = s->cfg->none ? SMRC_EV_NO_SLOT : smrc_entropy_question(&s->snd.ev);
	struct smrc_pkt pkt = { .opcode = SMRC_OP_PROBE, .ack_req = true };

	pkt.psn = smrc_pto_psn(&s->snd.sb, snd_wait(s));
	pkt.probe.id = smrc_pto_sent(&s->snd.pto, slot, s->now);
	net_send(s, &pkt, snd_port(s, slot), false);
}

/* What is due now, and what has to be sent or armed because of what just happened. */
static void snd_step(struct sim *s)
{
	struct sim_sender *snd = &s->snd;
	u16 slot;

	snd_losses(s);
	snd_run(s);
	snd_losses(s);
	slot = smrc_probe_due(&snd->probe, &snd->ev, s->now);
	if (slot != SMRC_EV_NO_SLOT)
		snd_probe(s, slot);

	if (s->now >= smrc_pto_at(&snd->pto))
		snd_ask(s);
	if (snd->completed < s->n_msgs)
		smrc_pto_update(&snd->pto, snd_wait(s), &snd->rtt, snd->base_rtt, s->now);
	if (snd->completed < s->n_msgs && s->now >= snd_give_up(s))
		snd->gave_up_ns = s->now;
}

static void snd_rtt(struct sim *s, u64 rtt)
{
	smrc_rtt_sample(&s->snd.rtt, rtt, s->now);
	s->snd.base_rtt = smrc_base_rtt_sample(s->snd.base_rtt, rtt);
	s->snd.sb.floor_ns = smrc_base_rtt_floor(s->snd.base_rtt);
}

static void snd_acked(struct sim *s, const struct smrc_ack_result *res, bool ecn)
{
	smrc_cwnd_acked(&s->snd.cwnd, res, s->snd.sb.inflight, s->snd.base_rtt, ecn, s->now);
	SIM_CHECK(s, !res->bad);
	/* The sender believes no more than what is true. */
	SIM_CHECK(s, !smrc_psn_before(s->rcv.win.next, s->snd.sb.una));
	if (res->has_rtt) {
		smrc_rtt_progress(&s->snd.rtt);
		snd_rtt(s, res->rtt_ns);
	}
	if (res->newly) {
		smrc_retry_progress(&s->snd.retry, s->now);
		smrc_pto_moved(&s->snd.pto);
	}
	if (res->in_vain)
		smrc_rtt_reordered(&s->snd.rtt, res->early_ns, s->now);
	s->snd.spurious += res->in_vain;
}

static void snd_sack(struct sim *s, const struct smrc_sack *sack)
{
	enum smrc_ev_signal sig = sack->mark == SMRC_MARK_SKIP_ONCE ? SMRC_EV_SIG_ECN : SMRC_EV_SIG_ACK;
	struct smrc_probe_answer answer;
	struct smrc_ack_result res;

	smrc_sb_sack(&s->snd.sb, sack, s->now, &res);
	snd_acked(s, &res, sack->mark == SMRC_MARK_SKIP_ONCE);
	if (sack->probe) {
		if (sack->probe_id & SMRC_PROBE_QUESTION) {
			smrc_pto_answer(&s->snd.pto, sack->probe_id, s->now, &answer);
		} else {
			smrc_probe_answer(&s->snd.probe, sack->probe_id, s->now, &answer);
			if (answer.known)
				smrc_rtt_progress(&s->snd.rtt);
		}
		if (answer.known) {
			snd_signal(s, answer.slot, SMRC_EV_SIG_PROBE_OK);
			snd_rtt(s, answer.rtt_ns);
		}
	} else {
		smrc_probe_heard(&s->snd.probe, s->now);
		if (res.absolves)
			snd_signal(s, smrc_entropy_slot(&s->snd.ev, sack->entropy), SMRC_EV_SIG_ABSOLVED);
		if (smrc_ack_news(&res, sig))
			snd_signal(s, smrc_entropy_slot(&s->snd.ev, sack->entropy), sig);
	}
}

static void snd_tack(struct sim *s, const struct smrc_pkt *pkt)
{
	u32 done = (pkt->tack.msn - s->first_msn) & 0xffffff;
	struct smrc_ack_result res;

	smrc_sb_cumack(&s->snd.sb, pkt->psn, s->now, &res);
	snd_acked(s, &res, false);
	SIM_CHECK(s, done <= s->rcv.retired);
	if (done > s->snd.completed) {
		s->snd.completed = done;
		smrc_retry_progress(&s->snd.retry, s->now);
		smrc_pto_told(&s->snd.pto);
	}
}

static void snd_deliver(struct sim *s, const struct sim_flight *f)
{
	if (f->pkt.opcode == SMRC_OP_SACK) {
		snd_sack(s, &f->pkt.sack);
	} else if (f->pkt.opcode == SMRC_OP_TACK) {
		snd_tack(s, &f->pkt);
	} else {
		if (smrc_sb_holds(&s->snd.sb, f->pkt.nack.psn))
			smrc_sb_refused(&s->snd.sb, f->pkt.nack.psn, f->pkt.nack.ts);
		if (smrc_sb_lose(&s->snd.sb, f->pkt.nack.psn))
			smrc_cwnd_lost(&s->snd.cwnd);
		snd_signal(s, smrc_entropy_slot(&s->snd.ev, f->pkt.nack.entropy), SMRC_EV_SIG_TRIMMED);
	}
}

static u64 snd_timer(const struct sim *s)
{
	u64 t = min(s->snd.loss_ns, smrc_pto_at(&s->snd.pto));

	if (s->snd.ev.n_bad)
		t = min(t, s->snd.probe.next_ns);
	if (s->snd.completed < s->n_msgs)
		t = min(t, snd_give_up(s));
	return t;
}

/* A run */

static void sim_messages(struct sim *s)
{
	u32 i, base = 0;

	s->n_msgs = s->cfg->small ? SIM_MSGS : 16 + sim_random(s, SIM_MSGS - 16);
	for (i = 0; i < s->n_msgs; i++) {
		s->msg[i].kind = sim_random(s, SMRC_MSG_READ_RESP);
		s->msg[i].len = sim_random(s, s->cfg->small ? SIM_MTU + 1 : SIM_MSG_MAX + 1);
		s->msg[i].imm = cpu_to_be32(test_random(&s->rnd));
		s->msg[i].base = base;
		base += s->msg[i].len;
	}
}

/* Half of the runs pass the wrap of PSN and MSN. */
static void sim_start(struct sim *s, const struct sim_cfg *cfg, u64 seed)
{
	struct smrc_entropy_cfg ev = {
		.type = cfg->policy ?: SMRC_SPRAY_DEFAULT, .freeze_ns = 16 * SIM_BASE_RTT,
		.mask_bits = 8, .port_offset = SIM_PORT, .active_size = cfg->values ?: 72, .loss_quorum = 3,
	};
	struct kunit *test = s->test;
	struct smrc_nscc_cfg nscc;
	u32 psn;

	memset(s, 0, sizeof(*s));
	s->test = test;
	s->cfg = cfg;
	s->seed = seed;
	s->rnd = seed * 0x9e3779b97f4a7c15ULL + 1;
	s->now = 1;
	s->paths = cfg->paths ?: 8;
	s->window = cfg->window ?: SIM_WINDOW;
	net_init(s);
	psn = seed % 2 ? 0xffffff - sim_random(s, 200) : sim_random(s, 1 << 24);
	s->first_msn = seed % 2 ? 0xffffff - sim_random(s, 16) : sim_random(s, 1 << 24);
	sim_messages(s);

	smrc_entropy_init(&s->snd.ev, &ev, seed);
	smrc_probe_init(&s->snd.probe, SIM_PERIOD);
	smrc_rtt_init(&s->snd.rtt, SIM_RTO_MIN, SIM_RTO_MAX);
	/* 350 Mb/s: 1.5 bandwidth-delay products are 64 packets. */
	smrc_nscc_config(&nscc, SIM_MTU, 350, SIM_BASE_RTT, s->window, false);
	if (cfg->nscc)
		smrc_cwnd_nscc(&s->snd.cwnd, &nscc);
	else
		smrc_cwnd_fixed(&s->snd.cwnd, cfg->cwnd ?: 64);
	smrc_retry_init(&s->snd.retry, cfg->timeout ?: (cfg->expect == SIM_GIVES_UP ? 9 : 24), 7);
	smrc_retry_progress(&s->snd.retry, s->now);
	smrc_sb_init(&s->snd.sb, s->snd.pkt, s->window, psn);
	s->snd.base_rtt = SIM_BASE_RTT;
	smrc_pto_init(&s->snd.pto, seed);

	smrc_entropy_init(&s->rcv.ev, &ev, ~seed);
	smrc_rxwin_init(&s->rcv.win, s->rcv.bits, s->window, psn);
	smrc_rxmsgs_init(&s->rcv.msgs, s->rcv.msg, s->window);
	s->rcv.msgs.next = s->first_msn;
}

static bool sim_done(const struct sim *s)
{
	if (s->snd.gave_up_ns)
		return true;
	if (s->cfg->expect == SIM_RECOVERS && (s->snd.ev.n_bad || s->now < s->cfg->dead_to_us * US))
		return false;
	return s->snd.completed == s->n_msgs;
}

static void sim_deliver(struct sim *s)
{
	struct sim_flight f;

	net_pop(s, &f);
	s->now = f.at;
	if (f.to_sender)
		snd_deliver(s, &f);
	else
		rcv_deliver(s, &f);
}

static void sim_run(struct sim *s)
{
	u32 steps = 0;
	u64 timer;

	snd_step(s);
	while (!sim_done(s)) {
		timer = snd_timer(s);
		/* With work left something is always on its way or armed, unless only the healing is waited for. */
		if (timer == U64_MAX && !s->n_flights) {
			SIM_CHECK(s, s->cfg->expect == SIM_RECOVERS && s->snd.completed == s->n_msgs);
			s->now = max(s->now, s->cfg->dead_to_us * US);
		} else if (net_next(s) <= timer) {
			sim_deliver(s);
		} else {
			s->now = max(s->now, timer);
		}
		snd_step(s);
		SIM_CHECK(s, ++steps < SIM_STEPS);
		SIM_CHECK(s, s->now < SIM_LIMIT);
	}
}

/* Packets that come late change nothing any more. */
static void sim_drain(struct sim *s)
{
	while (s->n_flights)
		sim_deliver(s);
}

static void sim_check_delivered(struct sim *s)
{
	const struct smrc_sb *sb = &s->snd.sb;
	u32 i;

	SIM_CHECK(s, !s->snd.gave_up_ns);
	SIM_CHECK(s, s->rcv.retired == s->n_msgs);
	SIM_CHECK(s, smrc_sb_empty(sb) && !sb->inflight && !sb->n_lost);
	SIM_CHECK(s, sb->una == s->rcv.win.next && !s->rcv.win.ooo);
	for (i = 0; i < SIM_MSGS * SIM_MSG_MAX; i++)
		SIM_CHECK(s, s->rcv.written[i] <= 1);
}

/* A value is bad exactly when it leads nowhere, and little was sent on it before that was known. */
static void sim_check_avoided(struct sim *s)
{
	const struct smrc_ev *ev;
	bool turns = s->cfg->policy != SMRC_SPRAY_REPS && s->cfg->policy != SMRC_SPRAY_RANDOM;
	u32 i, on_dead = 0, sent = 0;
	bool dead;

	for (i = 0; i < s->snd.ev.n; i++) {
		ev = &s->snd.ev.ev[i];
		dead = s->cfg->dead >> net_path(s, ev->port) & 1;
		sent += ev->sent;
		on_dead += dead ? ev->sent : 0;
		SIM_CHECK(s, dead || ev->state != SMRC_EV_ASSUMED_BAD);
		SIM_CHECK(s, !dead || s->cfg->dead_from_us || ev->sent <= (turns ? 6 : 12));
		SIM_CHECK(s, !dead || s->cfg->dead_from_us || ev->sent < 5 || ev->state == SMRC_EV_ASSUMED_BAD);
	}
	SIM_CHECK(s, on_dead < sent / 2 + 72);
}

/* One packet for each time the RTO doubles, not the window. */
static void sim_check_patient(struct sim *s)
{
	SIM_CHECK(s, s->snd.sent_again <= 6);
	SIM_CHECK(s, !s->snd.ev.n_bad);
}

/* Each bad value is probed once every k periods; the last may have gone bad an RTO after the healing. */
static void sim_check_recovered(struct sim *s)
{
	u64 bound = s->cfg->dead_to_us * US + SIM_RTO_MAX + (s->snd.ev.n + 2) * SIM_PERIOD;

	SIM_CHECK(s, !s->snd.ev.n_bad);
	SIM_CHECK(s, s->cfg->loss || s->now <= bound);
}

static void sim_check_gave_up(struct sim *s)
{
	SIM_CHECK(s, s->snd.gave_up_ns == snd_give_up(s));
	SIM_CHECK(s, s->snd.gave_up_ns == s->snd.retry.progress + 8 * smrc_retry_timeout_ns(9));
	SIM_CHECK(s, s->rcv.retired < s->n_msgs || s->snd.completed < s->n_msgs);
}

static void sim__delivery(struct kunit *test)
{
	const struct sim_cfg *cfg = test->param_value;
	struct sim *s = test->priv;
	u64 seed;

	s->test = test;
	for (seed = 1; seed <= sim_seeds; seed++) {
		sim_start(s, cfg, seed);
		sim_run(s);
		if (cfg->expect == SIM_AVOIDS)
			sim_check_avoided(s);
		if (cfg->expect == SIM_PATIENT)
			sim_check_patient(s);
		if (cfg->expect == SIM_RECOVERS)
			sim_check_recovered(s);
		if (cfg->expect == SIM_GIVES_UP) {
			sim_check_gave_up(s);
			continue;
		}
		sim_drain(s);
		sim_check_delivered(s);
		if (cfg->expect == SIM_QUIET)
			SIM_CHECK(s, !s->snd.sent_again && !s->snd.timeouts && !s->rcv.dups && !s->snd.ev.n_bad);
	}
}

static int sim_init(struct kunit *test)
{
	struct sim *s = vzalloc(sizeof(*s));

	test->priv = s;
	return s ? 0 : -ENOMEM;
}

static void sim_exit(struct kunit *test)
{
	vfree(test->priv);
}

static struct kunit_case sim_cases[] = {
	KUNIT_CASE_PARAM(sim__delivery, sim_gen_params),
	{}
};

static struct kunit_suite sim_suite = {
	.name = "smrc_sim",
	.init = sim_init,
	.exit = sim_exit,
	.test_cases = sim_cases,
};

kunit_test_suite(sim_suite);
