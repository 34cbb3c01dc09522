/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * rxmsg.h: messages on their way in, and the order in which they retire. Packets are placed as they come; a message
 * retires, in MSN order, when the cumulative PSN has passed its last packet. The caller serialises.
 */
#ifndef SMRC_RXMSG_H
#define SMRC_RXMSG_H

#include "psn.h"
#include "wire.h"

/**
 * struct smrc_rxmsg - one message
 * @last_psn: PSN of its last packet, valid once @have_last
 * @len: length of the message
 * @got: payload bytes that arrived, each packet once
 * @imm: immediate data
 * @rqmsn: number of the receive WQE it takes; of a WRITE valid once @have_last
 * @opcode: opcode of its last packet, once @have_last; before that of some packet of it
 * @have_last: its last packet arrived
 * @se: solicited event asked for by its last packet
 * @used: some packet of it was noted
 * @syndrome: 0, or the NAK (enum smrc_syndrome) that the message retires with: the first one noted stays
 */
struct smrc_rxmsg {
	u32	last_psn;
	u32	len;
	u32	got;
	__be32	imm;
	u16	rqmsn;
	u8	opcode;
	u8	have_last : 1,
		se : 1,
		used : 1;
	u8	syndrome;
};

/**
 * struct smrc_rxmsgs - table of the messages of the window
 * @msg: ring of @size entries, entry of a message is msn & (size - 1); memory of the caller, zeroed by init
 * @size: power of two, as many as PSNs in the receive window, at most 2^15
 * @next: MSN of the next message to retire, 24 bits as in AETH; the wire's METH carries its low 16
 */
struct smrc_rxmsgs {
	struct smrc_rxmsg	*msg;
	u32			size;
	u32			next;
};

void smrc_rxmsgs_init(struct smrc_rxmsgs *t, struct smrc_rxmsg *msg, u32 size);
bool smrc_rxmsgs_fits(const struct smrc_rxmsgs *t, u16 msn);
void smrc_rxmsgs_note(struct smrc_rxmsgs *t, const struct smrc_pkt *pkt, u8 syndrome);
const struct smrc_rxmsg *smrc_rxmsgs_ready(const struct smrc_rxmsgs *t, u32 next_psn);
bool smrc_rxmsgs_idle(const struct smrc_rxmsgs *t);
u8 smrc_rxmsg_verdict(const struct smrc_rxmsg *msg);
void smrc_rxmsgs_retire(struct smrc_rxmsgs *t);

#endif /* SMRC_RXMSG_H */
