/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * resp.h: responses that a QP owes: READs and atomics that came, and how far they are answered. The caller serialises.
 *
 * Requests that draw a response are numbered by the requester (METH.rqmsn), so one that overtook others has its place:
 *
 *	acked ......... next ......... ready ......... acked + size
 *	sent to the end, | being sent,    | arrived, but earlier messages
 *	not acknowledged | or waiting     | did not: may not begin
 */
#ifndef SMRC_RESP_H
#define SMRC_RESP_H

#include <linux/types.h>

/**
 * struct smrc_resp - one of them
 * @opcode: enum smrc_opcode of the request
 * @va: address of the first byte wanted
 * @rkey: key given with it
 * @len: bytes wanted
 * @swap_add: operand of an atomic
 * @compare: operand of an atomic
 * @orig: its result, once it is ready: it is done once, and its result sent as often as it takes (IBTA 9.4.5)
 * @off: bytes sent at least once
 * @last_psn: PSN of its last packet, once it is sent to the end
 * @msn: number of the request, 24 bits once it is ready
 * @syndrome: 0, or the NAK (enum smrc_syndrome) it gets when its turn comes
 * @used: it arrived
 */
struct smrc_resp {
	u64	va;
	u64	swap_add;
	u64	compare;
	u64	orig;
	u32	rkey;
	u32	len;
	u32	off;
	u32	last_psn;
	u32	msn;
	u8	opcode;
	u8	syndrome;
	bool	used;
};

/**
 * struct smrc_resps - all of them
 * @resp: ring of @size entries, entry of a number is number & (size - 1); memory of the caller
 * @size: power of two, at most 2^15; 0: none can come
 * @acked: oldest that may have to be sent again
 * @next: the one that is being sent
 * @ready: behind the last whose turn came
 */
struct smrc_resps {
	struct smrc_resp	*resp;
	u32			size;
	u32			acked;
	u32			next;
	u32			ready;
};

void smrc_resps_init(struct smrc_resps *t, struct smrc_resp *resp, u32 size);
struct smrc_resp *smrc_resps_arrived(struct smrc_resps *t, u16 number);
struct smrc_resp *smrc_resps_ready(struct smrc_resps *t, u16 number, u32 msn);
struct smrc_resp *smrc_resps_next(const struct smrc_resps *t);
void smrc_resps_sent(struct smrc_resps *t, u32 len, bool last, u32 psn);
void smrc_resps_acked(struct smrc_resps *t, u32 una);
struct smrc_resp *smrc_resps_refused(const struct smrc_resps *t);
bool smrc_resps_blocked(const struct smrc_resps *t);

/**
 * smrc_resps_at() - entry of a number
 * @t: the table, of a size that is not 0
 * @number: any
 *
 * Return: the entry, never NULL.
 */
static inline struct smrc_resp *smrc_resps_at(const struct smrc_resps *t, u32 number)
{
	return &t->resp[number & (t->size - 1)];
}

/**
 * smrc_resps_owed() - is there anything to send, or to have acknowledged?
 * @t: the table
 *
 * Return: true when there is.
 */
static inline bool smrc_resps_owed(const struct smrc_resps *t)
{
	return t->acked != t->ready;
}

#endif /* SMRC_RESP_H */
