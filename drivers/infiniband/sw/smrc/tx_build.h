/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* tx_build.h: packets as skbs, complete from the IP header to the ICRC */
#ifndef SMRC_TX_BUILD_H
#define SMRC_TX_BUILD_H

#include <linux/skbuff.h>
#include <rdma/smrc-abi.h>
#include "proto/dscp.h"
#include "proto/mracc.h"
#include "proto/wire.h"
#include "xmit.h"

struct smrc_qp;

/**
 * struct smrc_source - where the bytes of a message are
 * @sge: scatter/gather list
 * @num_sge: its entries; 0 when the data is inline
 * @data: inline data, or NULL
 * @rights: SMRC_ACC_* that the regions must grant; 0: reading locally needs none (IBTA 10.6.3.1)
 * @refused: out: why they cannot be read
 */
struct smrc_source {
	const struct smrc_sge	*sge;
	u32			num_sge;
	const void		*data;
	u32			rights;
	enum smrc_mracc		refused;
};

struct sk_buff *smrc_build_ctl(const struct smrc_path *path, const struct smrc_dscp *dscp, enum smrc_class cls,
			       u16 sport, const struct smrc_pkt *pkt);
bool smrc_build_readable(struct smrc_qp *qp, struct smrc_source *from);
struct sk_buff *smrc_build_data(struct smrc_qp *qp, struct smrc_source *from, u32 off, u16 sport, struct smrc_pkt *pkt);

#endif /* SMRC_TX_BUILD_H */
