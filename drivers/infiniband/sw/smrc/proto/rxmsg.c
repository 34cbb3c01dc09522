// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rxmsg.c: messages on their way in, and the order in which they retire.
 *
 * A sender may lie in every field. What it says is kept per message and never used as an index beyond the table;
 * packets of one message that contradict each other make it retire with a NAK.
 */
#include <linux/string.h>

#include "rxmsg.h"

#define RXMSG_MSN_MASK		0xffffffU	/* AETH carries 24 bits */

static struct smrc_rxmsg *rxmsg_at(const struct smrc_rxmsgs *t, u32 msn)
{
	return &t->msg[msn & (t->size - 1)];
}

/**
 * smrc_rxmsgs_init() - no message yet; the first is number 0
 * @t: to fill in
 * @msg: memory for @size entries; stays the caller's
 * @size: power of two, at most 2^15, so that 16 bits on the wire name a message of the table without doubt
 */
void smrc_rxmsgs_init(struct smrc_rxmsgs *t, struct smrc_rxmsg *msg, u32 size)
{
	memset(msg, 0, size * sizeof(*msg));
	t->msg = msg;
	t->size = size;
	t->next = 0;
}

/**
 * smrc_rxmsgs_fits() - is there an entry for a message?
 * @t: the table; the caller serialises
 * @msn: any message number from the wire
 *
 * Return: false when it retired already or is too far ahead.
 */
bool smrc_rxmsgs_fits(const struct smrc_rxmsgs *t, u16 msn)
{
	return (u16)(msn - t->next) < t->size;
}

static bool rxmsg_contradicts(const struct smrc_rxmsg *m, const struct smrc_pkt *pkt)
{
	if (m->len != pkt->data.msg_len || smrc_op_is_send(m->opcode) != smrc_op_is_send(pkt->opcode))
		return true;
	/* Of a WRITE only the last packet tells whether the message takes a receive WQE. */
	return smrc_op_is_send(pkt->opcode) && m->rqmsn != pkt->data.rqmsn;
}

/* @pkt claims to be the last one of @m. */
static void rxmsg_note_last(struct smrc_rxmsg *m, const struct smrc_pkt *pkt)
{
	m->have_last = 1;
	m->last_psn = pkt->psn;
	m->opcode = pkt->opcode;
	m->rqmsn = pkt->data.rqmsn;
	m->se = pkt->se;
	if (smrc_op_has_imm(pkt->opcode))
		m->imm = pkt->data.imm;
}

/**
 * smrc_rxmsgs_note() - a data packet was placed, or refused for good
 * @t: the table; the caller serialises
 * @pkt: a data packet whose message fits; one that does not is ignored
 * @syndrome: 0, or the NAK that its message is to retire with
 *
 * Of several last packets of one message the first counts; the others contradict it.
 */
void smrc_rxmsgs_note(struct smrc_rxmsgs *t, const struct smrc_pkt *pkt, u8 syndrome)
{
	struct smrc_rxmsg *m = rxmsg_at(t, pkt->data.msn);
	bool last = smrc_op_is_last(pkt->opcode);

	if (!smrc_rxmsgs_fits(t, pkt->data.msn))
		return;
	if (!m->used) {
		m->used = 1;
		m->opcode = pkt->opcode;
		m->len = pkt->data.msg_len;
		m->rqmsn = pkt->data.rqmsn;
	} else if (!syndrome && (rxmsg_contradicts(m, pkt) || (last && m->have_last))) {
		syndrome = SMRC_SYN_NAK_INV_REQ;
	}

	/* What a request asks for travels the other way. */
	m->got += smrc_op_asks(pkt->opcode) ? pkt->data.msg_len : pkt->payload_len;
	if (!m->syndrome)
		m->syndrome = syndrome;
	if (last && !m->have_last)
		rxmsg_note_last(m, pkt);
}

/**
 * smrc_rxmsgs_ready() - the message to retire next, once all of it arrived
 * @t: the table; the caller serialises
 * @next_psn: next PSN that the window expects
 *
 * Return: the message numbered next when everything up to its last packet arrived, else NULL.
 */
const struct smrc_rxmsg *smrc_rxmsgs_ready(const struct smrc_rxmsgs *t, u32 next_psn)
{
	const struct smrc_rxmsg *m = rxmsg_at(t, t->next);

	return m->have_last && smrc_psn_before(m->last_psn, next_psn) ? m : NULL;
}

/**
 * smrc_rxmsgs_idle() - did nothing arrive of the message that retires next?
 * @t: the table; the caller serialises
 *
 * Return: true when all that arrived in order is of messages that retired.
 */
bool smrc_rxmsgs_idle(const struct smrc_rxmsgs *t)
{
	return !rxmsg_at(t, t->next)->used;
}

/**
 * smrc_rxmsg_verdict() - how does a message that is ready retire?
 * @msg: what smrc_rxmsgs_ready() returned
 *
 * A message whose packets do not add up to its length is not what it claims to be.
 *
 * Return: 0: well; else the syndrome (enum smrc_syndrome) it is refused with.
 */
u8 smrc_rxmsg_verdict(const struct smrc_rxmsg *msg)
{
	if (!msg->syndrome && msg->got != msg->len)
		return SMRC_SYN_NAK_INV_REQ;
	return msg->syndrome;
}

/**
 * smrc_rxmsgs_retire() - the message at the head is done with: free its entry, move on
 * @t: the table; the caller serialises. A pointer from smrc_rxmsgs_ready() ends here
 */
void smrc_rxmsgs_retire(struct smrc_rxmsgs *t)
{
	memset(rxmsg_at(t, t->next), 0, sizeof(struct smrc_rxmsg));
	t->next = (t->next + 1) & RXMSG_MSN_MASK;
}
