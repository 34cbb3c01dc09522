// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Where the packets of a message begin and end.
 */
#include <linux/minmax.h>

#include "segment.h"
#include "wire.h"

/* Place of a packet in its message. */
enum smrc_seg_pos {
	SEG_FIRST,
	SEG_MIDDLE,
	SEG_LAST,
	SEG_ONLY,
	SEG_POSITIONS
};

/* Immediate data travels in the last packet alone. */
static const u8 smrc_seg_opcode[SMRC_MSG_KINDS][SEG_POSITIONS] = {
	[SMRC_MSG_SEND]	     = { SMRC_OP_SEND_FIRST, SMRC_OP_SEND_MIDDLE, SMRC_OP_SEND_LAST, SMRC_OP_SEND_ONLY },
	[SMRC_MSG_SEND_IMM]  = { SMRC_OP_SEND_FIRST, SMRC_OP_SEND_MIDDLE, SMRC_OP_SEND_LAST_IMM,
				 SMRC_OP_SEND_ONLY_IMM },
	[SMRC_MSG_WRITE]     = { SMRC_OP_WRITE_FIRST, SMRC_OP_WRITE_MIDDLE, SMRC_OP_WRITE_LAST, SMRC_OP_WRITE_ONLY },
	[SMRC_MSG_WRITE_IMM] = { SMRC_OP_WRITE_FIRST, SMRC_OP_WRITE_MIDDLE, SMRC_OP_WRITE_LAST_IMM,
				 SMRC_OP_WRITE_ONLY_IMM },
	[SMRC_MSG_READ_RESP] = { SMRC_OP_READ_RESP_FIRST, SMRC_OP_READ_RESP_MIDDLE, SMRC_OP_READ_RESP_LAST,
				 SMRC_OP_READ_RESP_ONLY },
	[SMRC_MSG_READ]	     = { [SEG_ONLY] = SMRC_OP_READ_REQUEST },
	[SMRC_MSG_CMP_SWAP]  = { [SEG_ONLY] = SMRC_OP_CMP_SWAP },
	[SMRC_MSG_FETCH_ADD] = { [SEG_ONLY] = SMRC_OP_FETCH_ADD },
	[SMRC_MSG_ATOMIC_RESP] = { [SEG_ONLY] = SMRC_OP_ATOMIC_RESP },
};

/**
 * smrc_segment_count() - packets of a message
 * @msg_len: its length in bytes, 0 is fine
 * @mtu: path MTU in bytes, not 0
 *
 * Return: at least 1: an empty message is one packet.
 */
u32 smrc_segment_count(u32 msg_len, u32 mtu)
{
	return msg_len ? (msg_len - 1) / mtu + 1 : 1;
}

/**
 * smrc_segment_at() - the packet of a message that begins at an offset
 * @kind: what the message is
 * @msg_len: its length in bytes, at most SMRC_MSG_MAX; 0 where the packet carries nothing of it: a request that draws a
 *	response, the result of an atomic
 * @off: where the packet begins: a multiple of @mtu below @msg_len, or 0 for an empty message
 * @mtu: path MTU in bytes
 * @seg: the packet
 */
void smrc_segment_at(enum smrc_msg_kind kind, u32 msg_len, u32 off, u32 mtu, struct smrc_seg *seg)
{
	u32 left = msg_len - off;
	enum smrc_seg_pos pos;

	seg->off = off;
	seg->len = min(left, mtu);
	seg->last = left <= mtu;
	if (seg->last)
		pos = off ? SEG_LAST : SEG_ONLY;
	else
		pos = off ? SEG_MIDDLE : SEG_FIRST;
	seg->opcode = smrc_seg_opcode[kind][pos];
}
