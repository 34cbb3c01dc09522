// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * receiver.c: the end that receives (the driver's rx.c and the sending half of its ack.c). A batch of received packets
 * is one packet here, so what is owed at the end of a batch is sent at once.
 */
#include <linux/minmax.h>

#include "endpoint.h"
#include "memory.h"
#include "segment.h"

#define US	1000ULL

/* PSNs of a window, no more of them than the flow will use: a ring that stays empty is only memory. */
static u32 receiver_window(const struct sim_options *o)
{
	u64 packets = (u64)o->msgs * smrc_segment_count(o->msg_bytes, o->mtu);
	u32 size;

	for (size = 64; size < o->set.v[SMRC_SET_MPR] * SMRC_MPR_UNIT && size < packets; size *= 2)
		;
	return size;
}

/* Messages that a window of PSNs can touch. */
static u32 receiver_messages(const struct sim_options *o, u32 window)
{
	u32 n = window / smrc_segment_count(o->msg_bytes, o->mtu) + 2;
	u32 size;

	for (size = 1; size < n; size *= 2)
		;
	return size;
}

/**
 * receiver_init() - nothing received yet
 * @s: the run
 * @flow: the flow
 */
void receiver_init(struct sim *s, u32 flow)
{
	struct sim_receiver *r = &s->flow[flow].rcv;
	u32 window = receiver_window(&s->o), n = receiver_messages(&s->o, window);
	const u32 *v = s->o.set.v;

	smrc_rxwin_init(&r->win, memory_get(window / 64, 8), window, 0);
	smrc_rxmsgs_init(&r->msgs, memory_get(n, sizeof(struct smrc_rxmsg)), n);
	smrc_tackloss_init(&r->tack);
	smrc_rtt_init(&r->rtt, v[SMRC_SET_RTO_MIN] * US, v[SMRC_SET_RTO_MAX] * US);
}

static void receiver_sack(struct sim *s, const struct sim_packet *p, u32 psn, const struct smrc_sack *why)
{
	struct sim_receiver *r = &s->flow[p->flow].rcv;
	struct smrc_pkt pkt = { .opcode = SMRC_OP_SACK, .psn = psn, .sack = *why };

	smrc_rxwin_sack(&r->win, psn, &pkt.sack);
	pkt.sack.entropy = p->port;
	pkt.sack.mpr = s->o.set.v[SMRC_SET_MPR];
	sim_send(s, p->flow, true, p->port, &pkt);
}

/* A transport ACK draws a value like data does (seed 1). */
static void receiver_tack(struct sim *s, u32 flow)
{
	struct sim_receiver *r = &s->flow[flow].rcv;
	struct smrc_pkt pkt = { .opcode = SMRC_OP_TACK, .psn = smrc_rxwin_cack(&r->win) };
	struct smrc_tackloss sent = { .sent_ns = s->now, .slot = SMRC_EV_NO_SLOT, .open = true };
	u16 port = s->flow[flow].snd.sport;

	if (peer_sprays(r->peer))
		port = peer_pick(r->peer, SMRC_EV_NO_SLOT, &sent.slot);
	pkt.tack.syndrome = SMRC_SYN_ACK;
	pkt.tack.msn = r->msgs.next;
	sim_send(s, flow, true, port, &pkt);
	sent.msn = r->msgs.next;
	sent.next_psn = r->win.next;
	peer_signal(s, r->peer, smrc_tackloss_sent(&r->tack, &sent, &r->rtt), SMRC_EV_SIG_ACK);
}

/* A question may tell that the latest transport ACK was lost. */
static void receiver_asked(struct sim *s, struct sim_receiver *r, const struct smrc_pkt *pkt)
{
	if (smrc_tackloss_asked(&r->tack, pkt->psn, pkt->probe.waited_ns, &r->rtt, s->now))
		peer_signal(s, r->peer, r->tack.slot, SMRC_EV_SIG_LOSS);
}

static void receiver_nack(struct sim *s, const struct sim_packet *p, enum smrc_nack_reason reason)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_NACK, .psn = p->pkt.psn };

	pkt.nack.reason = reason;
	pkt.nack.entropy = p->port;
	pkt.nack.psn = p->pkt.psn;
	pkt.nack.ts = p->pkt.ts;
	sim_send(s, p->flow, true, p->port, &pkt);
}

/* Messages retire in their order. Returns true when one did. */
static bool receiver_retire(const struct sim *s, struct sim_receiver *r)
{
	const struct smrc_rxmsg *msg;
	bool some = false;

	while ((msg = smrc_rxmsgs_ready(&r->msgs, r->win.next))) {
		r->bad += smrc_rxmsg_verdict(msg) || msg->len != s->o.msg_bytes;
		smrc_rxmsgs_retire(&r->msgs);
		some = true;
	}
	return some;
}

static void receiver_data(struct sim *s, const struct sim_packet *p)
{
	struct sim_receiver *r = &s->flow[p->flow].rcv;
	struct smrc_sack why = { .mark = p->ce ? SMRC_MARK_SKIP_ONCE : SMRC_MARK_NONE, .ts = p->pkt.ts };
	u32 reasons = (p->ce ? SMRC_ACK_ECN : 0) | (p->pkt.rtx ? SMRC_ACK_RTX : 0) |
		      (p->pkt.ack_req ? SMRC_ACK_REQ : 0);
	u32 threshold = s->o.set.v[SMRC_SET_SACK_THRESHOLD];
	bool gap = r->win.ooo, sack, retired;

	smrc_rxmsgs_note(&r->msgs, &p->pkt, 0);
	smrc_rxwin_accept(&r->win, p->pkt.psn);
	r->placed += p->pkt.payload_len;
	gap |= r->win.ooo;
	sack = smrc_ackdue_packet(&r->due, p->pkt.payload_len, reasons, threshold, s->now) || gap;
	retired = receiver_retire(s, r);
	if (sack) {
		receiver_sack(s, p, p->pkt.psn, &why);
		smrc_ackdue_sent(&r->due);
	}
	if (retired)
		receiver_tack(s, p->flow);
}

/* It may be a transport ACK that was lost. */
static void receiver_duplicate(struct sim *s, const struct sim_packet *p)
{
	struct smrc_sack why = { .mark = p->ce ? SMRC_MARK_SKIP_ONCE : SMRC_MARK_NONE, .ts = p->pkt.ts };
	struct sim_receiver *r = &s->flow[p->flow].rcv;

	r->dups++;
	receiver_sack(s, p, p->pkt.psn, &why);
	receiver_tack(s, p->flow);
}

static void receiver_probe(struct sim *s, const struct sim_packet *p)
{
	struct smrc_sack why = { .probe = true, .probe_id = p->pkt.probe.id, .ts = p->pkt.probe.ts };
	struct sim_receiver *r = &s->flow[p->flow].rcv;

	receiver_sack(s, p, smrc_rxwin_cack(&r->win), &why);
	if (!p->pkt.ack_req)
		return;
	receiver_asked(s, r, &p->pkt);
	receiver_tack(s, p->flow);
}

/**
 * receiver_packet() - a packet came
 * @s: the run
 * @p: data, a probe, or the answer to a probe
 */
void receiver_packet(struct sim *s, const struct sim_packet *p)
{
	enum smrc_rx_verdict verdict;

	if (p->pkt.opcode == SMRC_OP_PROBE) {
		receiver_probe(s, p);
		return;
	}
	if (p->pkt.opcode == SMRC_OP_SACK) {
		peer_probe_answer(s, s->flow[p->flow].rcv.peer, p->pkt.sack.probe_id);
		return;
	}
	verdict = smrc_rxwin_check(&s->flow[p->flow].rcv.win, p->pkt.psn);
	if (verdict == SMRC_RX_DUP)
		receiver_duplicate(s, p);
	else if (verdict == SMRC_RX_BEYOND)
		receiver_nack(s, p, SMRC_NACK_PSN_OOR_WINDOW);
	else if (p->trimmed)
		receiver_nack(s, p, p->last_hop ? SMRC_NACK_TRIMMED_LASTHOP : SMRC_NACK_TRIMMED);
	else
		receiver_data(s, p);
}
