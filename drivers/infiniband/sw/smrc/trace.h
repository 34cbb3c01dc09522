/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * trace.h: trace events smrc:*. One for every packet, acknowledgment, loss, change of an entropy value, probe, timer,
 * change of a QP and drop; Documentation/testing.rst tells how to watch them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM smrc

#if !defined(SMRC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SMRC_TRACE_H

#include <linux/in6.h>
#include <linux/tracepoint.h>
#include <rdma/ib_verbs.h>

#include "proto/entropy.h"
#include "proto/loss.h"
#include "proto/wire.h"

#define SMRC_DIR_TX	0	/* first transmission */
#define SMRC_DIR_RTX	1	/* retransmission */
#define SMRC_DIR_RX	2

TRACE_DEFINE_ENUM(SMRC_EV_GOOD);
TRACE_DEFINE_ENUM(SMRC_EV_SKIP);
TRACE_DEFINE_ENUM(SMRC_EV_ASSUMED_BAD);

#define smrc_show_dir(d) __print_symbolic(d, { SMRC_DIR_TX, "tx" }, { SMRC_DIR_RTX, "rtx" }, { SMRC_DIR_RX, "rx" })

#define smrc_show_ev(s) __print_symbolic(s, \
	{ 0, "good" }, { 1, "skip" }, { 2, "assumed_bad" })

#define smrc_show_signal(s) __print_symbolic(s, \
	{ 0, "ack" }, { 1, "ecn" }, { 2, "trimmed" }, { 3, "always_skip" }, \
	{ 4, "timeout" }, { 5, "loss" }, { 6, "probe_ok" }, { 7, "absolved" })

#define smrc_show_loss(r) __print_symbolic(r, \
	{ 0, "gap" }, { 1, "same_value" }, { 2, "timeout" }, { 3, "nack" })

#define smrc_show_op(o) __print_symbolic(o, \
	{ 0xc0, "send_first" }, { 0xc1, "send_middle" }, { 0xc2, "send_last" }, { 0xc3, "send_last_imm" }, \
	{ 0xc4, "send_only" }, { 0xc5, "send_only_imm" }, { 0xc6, "write_first" }, { 0xc7, "write_middle" }, \
	{ 0xc8, "write_last" }, { 0xc9, "write_last_imm" }, { 0xca, "write_only" }, { 0xcb, "write_only_imm" }, \
	{ 0xd1, "tack" }, { 0xd8, "ep_request" }, { 0xd9, "ep_response" }, { 0xdc, "sack" }, { 0xdd, "nack" }, \
	{ 0xde, "probe" })

TRACE_EVENT(smrc_packet,
	TP_PROTO(struct ib_device *ibdev, u8 dir, const struct smrc_pkt *pkt, u32 qpn, u32 psn, u16 ev, u32 size,
		 bool ce),
	TP_ARGS(ibdev, dir, pkt, qpn, psn, ev, size, ce),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__field(u32, qpn)
		__field(u32, psn)
		__field(u32, size)
		__field(u16, ev)
		__field(u8, dir)
		__field(u8, opcode)
		__field(bool, ce)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qpn;
		__entry->psn = psn;
		__entry->size = size;
		__entry->ev = ev;
		__entry->dir = dir;
		__entry->opcode = pkt->opcode;
		__entry->ce = ce;
	),
	TP_printk("dev=%s dir=%s type=%s qpn=%u psn=%u ev=%u size=%u ecn=%d", __get_str(dev),
		  smrc_show_dir(__entry->dir), smrc_show_op(__entry->opcode), __entry->qpn, __entry->psn, __entry->ev,
		  __entry->size, __entry->ce)
);

TRACE_EVENT(smrc_ack,
	TP_PROTO(struct ib_device *ibdev, u32 qpn, u32 una, const struct smrc_ack_result *res),
	TP_ARGS(ibdev, qpn, una, res),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__field(u32, qpn)
		__field(u32, una)
		__field(u32, newly)
		__field(u32, saved)
		__field(u64, rtt_ns)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qpn;
		__entry->una = una;
		__entry->newly = res->newly;
		__entry->saved = res->saved;
		__entry->rtt_ns = res->has_rtt ? res->rtt_ns : 0;
	),
	TP_printk("dev=%s qpn=%u una=%u newly=%u saved=%u rtt_ns=%llu", __get_str(dev), __entry->qpn, __entry->una,
		  __entry->newly, __entry->saved, __entry->rtt_ns)
);

TRACE_EVENT(smrc_loss,
	TP_PROTO(struct ib_device *ibdev, u32 qpn, u32 psn, u16 slot, u8 reason),
	TP_ARGS(ibdev, qpn, psn, slot, reason),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__field(u32, qpn)
		__field(u32, psn)
		__field(u16, slot)
		__field(u8, reason)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qpn;
		__entry->psn = psn;
		__entry->slot = slot;
		__entry->reason = reason;
	),
	TP_printk("dev=%s qpn=%u psn=%u slot=%u reason=%s", __get_str(dev), __entry->qpn, __entry->psn, __entry->slot,
		  smrc_show_loss(__entry->reason))
);

TRACE_EVENT(smrc_ev_state,
	TP_PROTO(struct ib_device *ibdev, const struct in6_addr *peer, u16 ev, u8 from, u8 to, u8 signal),
	TP_ARGS(ibdev, peer, ev, from, to, signal),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__array(u8, peer, 16)
		__field(u16, ev)
		__field(u8, from)
		__field(u8, to)
		__field(u8, signal)
	),
	TP_fast_assign(
		__assign_str(dev);
		memcpy(__entry->peer, peer, 16);
		__entry->ev = ev;
		__entry->from = from;
		__entry->to = to;
		__entry->signal = signal;
	),
	TP_printk("dev=%s peer=%pI6c ev=%u from=%s to=%s reason=%s", __get_str(dev), __entry->peer, __entry->ev,
		  smrc_show_ev(__entry->from), smrc_show_ev(__entry->to), smrc_show_signal(__entry->signal))
);

TRACE_EVENT(smrc_probe,
	TP_PROTO(struct ib_device *ibdev, const struct in6_addr *peer, const char *what, u16 id, u16 slot, u64 rtt_ns),
	TP_ARGS(ibdev, peer, what, id, slot, rtt_ns),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__string(what, what)
		__array(u8, peer, 16)
		__field(u16, id)
		__field(u16, slot)
		__field(u64, rtt_ns)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(what);
		memcpy(__entry->peer, peer, 16);
		__entry->id = id;
		__entry->slot = slot;
		__entry->rtt_ns = rtt_ns;
	),
	TP_printk("dev=%s peer=%pI6c %s id=%u slot=%u rtt_ns=%llu", __get_str(dev), __entry->peer, __get_str(what),
		  __entry->id, __entry->slot, __entry->rtt_ns)
);

TRACE_EVENT(smrc_timer,
	TP_PROTO(struct ib_device *ibdev, u32 qpn, const char *what, u64 value_ns),
	TP_ARGS(ibdev, qpn, what, value_ns),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__string(what, what)
		__field(u32, qpn)
		__field(u64, value_ns)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(what);
		__entry->qpn = qpn;
		__entry->value_ns = value_ns;
	),
	TP_printk("dev=%s qpn=%u %s ns=%llu", __get_str(dev), __entry->qpn, __get_str(what), __entry->value_ns)
);

TRACE_EVENT(smrc_qp_state,
	TP_PROTO(struct ib_device *ibdev, u32 qpn, u8 from, u8 to),
	TP_ARGS(ibdev, qpn, from, to),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__field(u32, qpn)
		__field(u8, from)
		__field(u8, to)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->qpn = qpn;
		__entry->from = from;
		__entry->to = to;
	),
	TP_printk("dev=%s qpn=%u from=%u to=%u", __get_str(dev), __entry->qpn, __entry->from, __entry->to)
);

TRACE_EVENT(smrc_fail,
	TP_PROTO(struct ib_device *ibdev, u32 qpn, u64 wr_id, u8 status, u8 verr),
	TP_ARGS(ibdev, qpn, wr_id, status, verr),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__field(u64, wr_id)
		__field(u32, qpn)
		__field(u8, status)
		__field(u8, verr)
	),
	TP_fast_assign(
		__assign_str(dev);
		__entry->wr_id = wr_id;
		__entry->qpn = qpn;
		__entry->status = status;
		__entry->verr = verr;
	),
	TP_printk("dev=%s qpn=%u wr_id=%llu status=%u vendor_err=%u", __get_str(dev), __entry->qpn, __entry->wr_id,
		  __entry->status, __entry->verr)
);

TRACE_EVENT(smrc_drop,
	TP_PROTO(struct ib_device *ibdev, const char *reason, u8 opcode, u32 qpn, u32 psn),
	TP_ARGS(ibdev, reason, opcode, qpn, psn),
	TP_STRUCT__entry(
		__string(dev, dev_name(&ibdev->dev))
		__string(reason, reason)
		__field(u32, qpn)
		__field(u32, psn)
		__field(u8, opcode)
	),
	TP_fast_assign(
		__assign_str(dev);
		__assign_str(reason);
		__entry->qpn = qpn;
		__entry->psn = psn;
		__entry->opcode = opcode;
	),
	TP_printk("dev=%s reason=%s type=%s qpn=%u psn=%u", __get_str(dev), __get_str(reason),
		  smrc_show_op(__entry->opcode), __entry->qpn, __entry->psn)
);

/* Count a packet that is not processed, and say why. */
#define smrc_drop(dev, id, pkt) do {								\
	struct smrc_dev *__dev = (dev);								\
	const struct smrc_pkt *__pkt = (pkt);							\
												\
	smrc_count(__dev, id);									\
	trace_smrc_drop(&__dev->ibdev, #id, __pkt->opcode, __pkt->dqpn, __pkt->psn);		\
} while (0)

#endif /* SMRC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
