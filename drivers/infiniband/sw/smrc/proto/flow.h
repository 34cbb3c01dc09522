/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * flow.h: flow labels and UDP source ports (seed 3: RFC v2, RoCE v2.0 entropy; rdma core's rdma_get_udp_sport()).
 */
#ifndef SMRC_FLOW_H
#define SMRC_FLOW_H

#include <linux/types.h>

#define SMRC_FLOW_LABEL_MASK	0xfffffU
#define SMRC_FLOW_PORT_BASE	0xc000U		/* IANA ephemeral range 49152..65535 */

/* How a flow label is made of the two ends' numbers: the choices of seed 3's thread. */
enum smrc_flow_hash {
	SMRC_FLOW_PRODUCT_FOLD,	/* their product, its high bits folded in: what rdma core has */
	SMRC_FLOW_PRODUCT,	/* the low bits of their product */
	SMRC_FLOW_SRC31,	/* source x 31 + destination: another label at each end */
	SMRC_FLOW_HASHES
};

u32 smrc_flow_label_cm(enum smrc_flow_hash kind, u16 dst_port, u16 src_port);
u32 smrc_flow_label_qpn(enum smrc_flow_hash kind, u32 dst_qpn, u32 src_qpn);
u16 smrc_flow_sport(u32 flow_label);
u16 smrc_flow_qp_sport(enum smrc_flow_hash kind, u32 flow_label, u32 src_qpn, u32 dst_qpn);
u32 smrc_flow_label_ev(u16 ev);

#endif /* SMRC_FLOW_H */
