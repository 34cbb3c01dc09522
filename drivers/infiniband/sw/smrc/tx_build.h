/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* tx_build.h: packets as skbs, complete from the IP header to the ICRC */
#ifndef SMRC_TX_BUILD_H
#define SMRC_TX_BUILD_H

#include <linux/skbuff.h>
#include "proto/dscp.h"
#include "proto/wire.h"
#include "xmit.h"

struct smrc_qp;
struct smrc_swqe;

struct sk_buff *smrc_build_ctl(const struct smrc_path *path, const struct smrc_dscp *dscp, enum smrc_class cls,
			       u16 sport, const struct smrc_pkt *pkt);
bool smrc_build_readable(struct smrc_qp *qp, struct smrc_swqe *wqe);
struct sk_buff *smrc_build_data(struct smrc_qp *qp, struct smrc_swqe *wqe, u32 off, u16 sport, struct smrc_pkt *pkt);

#endif /* SMRC_TX_BUILD_H */
