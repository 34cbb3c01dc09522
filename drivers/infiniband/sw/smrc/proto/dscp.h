/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * dscp.h: the classes that switches see, by the DSCP of a packet: what they may trim, what they have trimmed, and what
 * goes before all else (OCP MRC 1.0, traffic classes).
 */
#ifndef SMRC_DSCP_H
#define SMRC_DSCP_H

#include <linux/types.h>

#include "settings.h"

/* What a packet is to a switch. */
enum smrc_class {
	SMRC_CLASS_DATA,	/* first transmission of data, probe, endpoint request */
	SMRC_CLASS_RETX,	/* retransmission */
	SMRC_CLASS_CONTROL,	/* SACK, NACK, transport ACK, endpoint response */
};

/* What a switch did to a packet. */
enum smrc_trim {
	SMRC_TRIM_NONE,
	SMRC_TRIM_TRIMMED,	/* cut where its path was chosen: another value may do better */
	SMRC_TRIM_LASTHOP,	/* cut on the link to the receiver, which all paths share */
};

/**
 * struct smrc_dscp - the classes of one device
 * @data: DSCP of first transmissions
 * @retx: DSCP of retransmissions
 * @control: DSCP of control packets
 * @trimmed: DSCP that a switch gives what it cut
 * @trimmed_lasthop: the same, on the last link
 * @trimming: the network trims; else nothing received counts as trimmed
 */
struct smrc_dscp {
	u8	data;
	u8	retx;
	u8	control;
	u8	trimmed;
	u8	trimmed_lasthop;
	bool	trimming;
};

void smrc_dscp_init(struct smrc_dscp *d, const struct smrc_settings *s);
u8 smrc_dscp_of(const struct smrc_dscp *d, enum smrc_class cls, u8 chosen);
enum smrc_trim smrc_dscp_trim(const struct smrc_dscp *d, u8 dscp);

#endif /* SMRC_DSCP_H */
