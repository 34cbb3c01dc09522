/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * segment.h: a message as packets: which opcode, offset and length each packet has for a path MTU (IBTA 9.4).
 */
#ifndef SMRC_SEGMENT_H
#define SMRC_SEGMENT_H

#include <linux/types.h>

/* Kinds of messages. */
enum smrc_msg_kind {
	SMRC_MSG_SEND,
	SMRC_MSG_SEND_IMM,
	SMRC_MSG_WRITE,
	SMRC_MSG_WRITE_IMM,
	SMRC_MSG_READ_RESP,
	SMRC_MSG_READ,		/* a request of one packet; its response is the run */
	SMRC_MSG_CMP_SWAP,
	SMRC_MSG_FETCH_ADD,
	SMRC_MSG_ATOMIC_RESP,
	SMRC_MSG_KINDS
};

/**
 * smrc_msg_asks() - does this message draw a response?
 * @kind: enum smrc_msg_kind
 *
 * Return: true for a READ and the atomics: one packet, which carries nothing of the message.
 */
static inline bool smrc_msg_asks(u8 kind)
{
	return kind >= SMRC_MSG_READ && kind <= SMRC_MSG_FETCH_ADD;
}

/**
 * smrc_msg_atomic() - is this message an atomic?
 * @kind: enum smrc_msg_kind
 *
 * Return: true for the two requests.
 */
static inline bool smrc_msg_atomic(u8 kind)
{
	return kind == SMRC_MSG_CMP_SWAP || kind == SMRC_MSG_FETCH_ADD;
}

/**
 * struct smrc_seg - one packet of a message
 * @off: offset of its payload in the message, bytes
 * @len: payload, bytes
 * @opcode: enum smrc_opcode
 * @last: last packet of the message
 */
struct smrc_seg {
	u32	off;
	u32	len;
	u8	opcode;
	bool	last;
};

u32 smrc_segment_count(u32 msg_len, u32 mtu);
void smrc_segment_at(enum smrc_msg_kind kind, u32 msg_len, u32 off, u32 mtu, struct smrc_seg *seg);

#endif /* SMRC_SEGMENT_H */
