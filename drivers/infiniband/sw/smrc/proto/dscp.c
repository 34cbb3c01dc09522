// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * dscp.c: which DSCP a packet carries, and what that of a received one says.
 */
#include "dscp.h"

/**
 * smrc_dscp_init() - the classes that settings make
 * @d: to fill in
 * @s: the settings
 *
 * Without trimming data and retransmissions are what switches must not cut.
 */
void smrc_dscp_init(struct smrc_dscp *d, const struct smrc_settings *s)
{
	bool trimming = s->v[SMRC_SET_TRIMMING];

	*d = (struct smrc_dscp) {
		.data = s->v[trimming ? SMRC_SET_DSCP_TRIMMABLE : SMRC_SET_DSCP_NO_TRIM],
		.retx = s->v[trimming ? SMRC_SET_DSCP_TRIMMABLE_RETX : SMRC_SET_DSCP_NO_TRIM],
		.control = s->v[SMRC_SET_DSCP_CONTROL],
		.trimmed = s->v[SMRC_SET_DSCP_TRIMMED],
		.trimmed_lasthop = s->v[SMRC_SET_DSCP_TRIMMED_LASTHOP],
		.trimming = trimming,
	};
}

/**
 * smrc_dscp_of() - the DSCP of a packet to send
 * @d: the classes
 * @cls: what the packet is
 * @chosen: DSCP that the application asked for, 0 when it left the choice
 *
 * An application's choice holds for its data, which is then not in a class that switches trim, unless it is a class of
 * what was trimmed: the receiver would take all of its packets for headers. What the transport tells
 * the other end keeps the class of control packets, for all QPs wait for it.
 *
 * Return: 0..63.
 */
u8 smrc_dscp_of(const struct smrc_dscp *d, enum smrc_class cls, u8 chosen)
{
	if (cls == SMRC_CLASS_CONTROL)
		return d->control;
	if (chosen && chosen != d->trimmed && chosen != d->trimmed_lasthop)
		return chosen;
	return cls == SMRC_CLASS_RETX ? d->retx : d->data;
}

/**
 * smrc_dscp_trim() - was a received packet cut?
 * @d: the classes
 * @dscp: its DSCP
 *
 * Only where trimming is enabled: a cut packet has no ICRC left, so what this finds is believed without one.
 *
 * Return: what a switch did.
 */
enum smrc_trim smrc_dscp_trim(const struct smrc_dscp *d, u8 dscp)
{
	if (!d->trimming)
		return SMRC_TRIM_NONE;
	if (dscp == d->trimmed)
		return SMRC_TRIM_TRIMMED;
	return dscp == d->trimmed_lasthop ? SMRC_TRIM_LASTHOP : SMRC_TRIM_NONE;
}
