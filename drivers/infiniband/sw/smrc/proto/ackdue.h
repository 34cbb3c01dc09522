/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ackdue.h: is a SACK due? (OCP MRC 1.0 7.5.2; UET PDS accumulator rule.) The caller serialises.
 */
#ifndef SMRC_ACKDUE_H
#define SMRC_ACKDUE_H

#include <linux/types.h>

#define SMRC_ACK_MIN_ADD	1024U		/* least a packet adds to the accumulator, bytes */
#define SMRC_ACK_IDLE_NS	10000000ULL	/* quiet this long: the next packet is answered at once */

/* Reasons that ask for a SACK at once. */
#define SMRC_ACK_ECN		0x01	/* congestion experienced */
#define SMRC_ACK_RTX		0x02	/* retransmission flag */
#define SMRC_ACK_REQ		0x04	/* A bit */
#define SMRC_ACK_DUP		0x08	/* duplicate */

/**
 * struct smrc_ackdue - accumulator of one QP
 * @bytes: accumulated since the last SACK
 * @last_ns: time of the last data packet, 0 before the first
 */
struct smrc_ackdue {
	u32	bytes;
	u64	last_ns;
};

bool smrc_ackdue_packet(struct smrc_ackdue *d, u32 size, u32 reasons, u32 threshold, u64 now_ns);
void smrc_ackdue_sent(struct smrc_ackdue *d);

#endif /* SMRC_ACKDUE_H */
