// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ackdue.c: is a SACK due? (OCP MRC 1.0 7.5.2; UET PDS accumulator rule)
 */
#include <linux/limits.h>
#include <linux/minmax.h>

#include "ackdue.h"

/**
 * smrc_ackdue_packet() - a data packet came
 * @d: accumulator, all zero at first; the caller serialises
 * @size: its payload, bytes; counts for at least SMRC_ACK_MIN_ADD
 * @reasons: SMRC_ACK_* that hold for it
 * @threshold: sack_threshold_bytes
 * @now_ns: current time, ns
 *
 * The first packet and the first after SMRC_ACK_IDLE_NS of quiet are answered at once, so that the sender gets an RTT
 * sample early in a burst. The caller tells smrc_ackdue_sent() when it sends the SACK, for whatever reason.
 *
 * Return: true when a SACK is due.
 */
bool smrc_ackdue_packet(struct smrc_ackdue *d, u32 size, u32 reasons, u32 threshold, u64 now_ns)
{
	bool idle = !d->last_ns || now_ns > d->last_ns + SMRC_ACK_IDLE_NS;
	u32 add = max(size, SMRC_ACK_MIN_ADD);

	d->bytes = add > U32_MAX - d->bytes ? U32_MAX : d->bytes + add;
	d->last_ns = now_ns;
	return reasons || idle || d->bytes >= threshold;
}

/**
 * smrc_ackdue_sent() - a SACK leaves: count anew
 * @d: accumulator; the caller serialises
 */
void smrc_ackdue_sent(struct smrc_ackdue *d)
{
	d->bytes = 0;
}
