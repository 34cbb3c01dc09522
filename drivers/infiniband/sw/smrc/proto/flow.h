/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * flow.h: flow labels and UDP source ports (seed 3: RFC v2, RoCE v2.0 entropy; rdma core's rdma_get_udp_sport()).
 */
#ifndef SMRC_FLOW_H
#define SMRC_FLOW_H

#include <linux/types.h>

#define SMRC_FLOW_LABEL_MASK	0xfffffU
#define SMRC_FLOW_PORT_BASE	0xc000U		/* IANA ephemeral range 49152..65535 */

u32 smrc_flow_label_cm(u16 dst_port, u16 src_port);
u32 smrc_flow_label_qpn(u32 dst_qpn, u32 src_qpn);
u16 smrc_flow_sport(u32 flow_label);
u16 smrc_flow_qp_sport(u32 flow_label, u32 src_qpn, u32 dst_qpn);
u32 smrc_flow_label_ev(u16 ev);

#endif /* SMRC_FLOW_H */
