// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The hashes of seed 3, and ours for entropy values.
 */
#include "flow.h"

#define FLOW_PORT_BITS	14	/* free bits of a port above SMRC_FLOW_PORT_BASE */
#define FLOW_PORT_MASK	((1U << FLOW_PORT_BITS) - 1)
#define FLOW_QPN_MASK	0xffffffU

static u32 flow_label(enum smrc_flow_hash kind, u64 dst, u64 src, u32 first, u32 second)
{
	u64 hash = dst * src;

	switch (kind) {
	case SMRC_FLOW_SRC31:
		return (src * 31 + dst) & SMRC_FLOW_LABEL_MASK;
	case SMRC_FLOW_PRODUCT:
		return hash & SMRC_FLOW_LABEL_MASK;
	default:
		hash ^= hash >> first;
		hash ^= hash >> second;
		return hash & SMRC_FLOW_LABEL_MASK;
	}
}

/**
 * smrc_flow_label_cm() - flow label of a connection made by the RDMA CM (seed 3, "RDMA IP CM Service")
 * @kind: the hash
 * @dst_port: port of the service
 * @src_port: port of the active side
 *
 * Return: 20-bit flow label; of a product the same when the ports are swapped.
 */
u32 smrc_flow_label_cm(enum smrc_flow_hash kind, u16 dst_port, u16 src_port)
{
	return flow_label(kind, dst_port, src_port, 16, 8);
}

/**
 * smrc_flow_label_qpn() - flow label of a pair of QPs without one of its own (seed 3, "non-RDMA CM Service ID")
 * @kind: the hash
 * @dst_qpn: destination QPN, 24 bits
 * @src_qpn: source QPN, 24 bits
 *
 * Return: 20-bit flow label, may be 0; of a product the same when the QPNs are swapped.
 */
u32 smrc_flow_label_qpn(enum smrc_flow_hash kind, u32 dst_qpn, u32 src_qpn)
{
	return flow_label(kind, dst_qpn & FLOW_QPN_MASK, src_qpn & FLOW_QPN_MASK, 20, 40);
}

/**
 * smrc_flow_sport() - UDP source port for a flow label (seed 3, "UDP src_port")
 * @flow_label: flow label; bits above the 20 are not looked at
 *
 * Return: a port of the ephemeral range 49152..65535.
 */
u16 smrc_flow_sport(u32 flow_label)
{
	u32 low = flow_label & FLOW_PORT_MASK;
	u32 high = (flow_label & SMRC_FLOW_LABEL_MASK) >> FLOW_PORT_BITS;

	return (low ^ high) | SMRC_FLOW_PORT_BASE;
}

/**
 * smrc_flow_qp_sport() - UDP source port of a QP that does not spray
 * @kind: the hash of its QPNs
 * @flow_label: of its address vector, 0 when the program gave none
 * @src_qpn: own QPN
 * @dst_qpn: remote QPN
 *
 * Return: a port of the ephemeral range; the same at both ends when both have the same flow label, or a product's.
 */
u16 smrc_flow_qp_sport(enum smrc_flow_hash kind, u32 flow_label, u32 src_qpn, u32 dst_qpn)
{
	flow_label &= SMRC_FLOW_LABEL_MASK;
	return smrc_flow_sport(flow_label ? flow_label : smrc_flow_label_qpn(kind, dst_qpn, src_qpn));
}

/**
 * smrc_flow_label_ev() - IPv6 flow label for an entropy value, so that routers that hash the label spread too
 * @ev: the value, a UDP source port
 *
 * Ours. Bit 16 is set, bits 15:14 are those of the value, bits 13:0 are its other bits folded with the six above them:
 * that undoes the folding of smrc_flow_sport(), which therefore gives the value back when it is an ephemeral port, as
 * seed 3 wants of label and port.
 *
 * Return: 20-bit flow label, never 0, another one for every value.
 */
u32 smrc_flow_label_ev(u16 ev)
{
	u32 high = 4 | ev >> FLOW_PORT_BITS;

	return high << FLOW_PORT_BITS | ((ev & FLOW_PORT_MASK) ^ high);
}
