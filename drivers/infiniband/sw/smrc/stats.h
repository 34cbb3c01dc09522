/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * stats.h: the counters of a device: one line each, which gives the enum, the name that `rdma statistic show` prints
 * and the row of Documentation/counters.rst. Names of seed 1 where it has one.
 */
#ifndef SMRC_STATS_H
#define SMRC_STATS_H

#include <linux/percpu.h>
#include <linux/types.h>

#define SMRC_COUNTERS(X) \
	X(TX_DATA,		tx_data_pkts,		"data packets sent the first time") \
	X(TX_RTX,		tx_rtx_pkts,		"data packets sent again") \
	X(TX_BYTES,		tx_bytes,		"payload bytes sent, retransmissions included") \
	X(RX_DATA,		rx_data_pkts,		"new data packets received") \
	X(RX_BYTES,		rx_bytes,		"payload bytes received in new packets") \
	X(TX_SACK,		tx_sacks,		"SACKs sent") \
	X(RX_SACK,		rx_sacks,		"SACKs received") \
	X(TX_NACK,		tx_nacks,		"NACKs sent") \
	X(RX_NACK,		rx_nacks,		"NACKs received") \
	X(TX_TACK,		tx_transport_acks,	"transport ACKs and NAKs sent") \
	X(RX_TACK,		rx_transport_acks,	"transport ACKs and NAKs received") \
	X(TACK_LOST,		transport_acks_lost,	"transport ACKs that the requester asked for again") \
	X(TX_PROBE,		total_probe_pkts_tx,	"probes sent") \
	X(RX_PROBE,		total_probe_pkts_rx,	"probes received") \
	X(PROBE_OK,		probe_answers,		"answers to own probes") \
	X(OOO,			total_ooo_events,	"data packets that arrived ahead of the next expected PSN") \
	X(REORDER_SUM,		reorder_depth_sum,	"sum of reorder depths at out-of-order arrivals, PSNs") \
	X(REORDER_MEAN,		calc_mean_reorder_depth, "mean reorder depth at out-of-order arrivals, PSNs") \
	X(REORDER_MAX,		calc_max_reorder_depth,	"largest reorder depth seen, PSNs") \
	X(RTX_GAP,		total_rtx_sack,		"packets declared lost by a SACK gap") \
	X(RTX_SAME_VALUE,	rtx_same_value,		"packets declared lost by a later one on the same value") \
	X(RTX_TIMEOUT,		rtx_timeout,		"packets declared lost by timeout") \
	X(RTX_NACK,		rtx_nack,		"packets declared lost by a NACK") \
	X(RTX_SPURIOUS,		rtx_spurious,		"packets sent again of which an earlier transmission arrived") \
	X(RTX_SAVED,		rtx_saved,		"packets declared lost that came before they were sent again") \
	X(RX_DUP,		rx_duplicates,		"duplicate data packets: the peer sent again for nothing") \
	X(RX_ECN,		rx_ecn_marked,		"data packets received with congestion experienced") \
	X(RX_MARKS,		rx_ecn_echoes,		"SACKs received that mark a value") \
	X(RX_TRIMMED,		rx_trimmed,		"data packets received that a switch had trimmed") \
	X(TRIM_NACKS,		rx_trim_nacks,		"NACKs received that report a trimmed packet") \
	X(NACK_NO_RESOURCE,	nack_no_resource,	"packets refused: no receive WQE (RNR)") \
	X(NACK_WINDOW,		nack_out_of_window,	"packets refused: PSN beyond the window") \
	X(RNR_WAITS,		rnr_waits,		"times a QP waited for a receiver that was not ready") \
	X(RETRY_EXC,		retry_exceeded,		"QPs that gave up: no progress") \
	X(RNR_EXC,		rnr_retry_exceeded,	"QPs that gave up: receiver not ready") \
	X(PEER_NOT_MRC,		peer_not_mrc,		"QPs that gave up: the peer never proved that it speaks MRC") \
	X(PEER_NO_SEND,		peer_no_send,		"requests refused: the peer does not know their opcodes") \
	X(EV_BAD,		ev_assumed_bad,		"entropy values that became assumed bad") \
	X(EV_RESTORED,		ev_restored,		"entropy values returned to the rotation") \
	X(EV_SKIPPED,		ev_marked,		"entropy values marked to be passed over") \
	X(LOCAL_DROP,		tx_local_drops,		"packets refused on this host: route, memory, room or MTU") \
	X(DROP_SHORT,		drop_short,		"received: shorter than its headers") \
	X(DROP_FORMAT,		drop_format,		"received: version, opcode, length or field wrong") \
	X(DROP_ICRC,		drop_icrc,		"received: ICRC wrong") \
	X(DROP_NO_QP,		drop_no_qp,		"received: no such QP, or not from the peer of that QP") \
	X(DROP_STATE,		drop_qp_state,		"received: QP is not in a state to receive") \
	X(DROP_PKEY,		drop_pkey,		"received: partition key wrong") \
	X(DROP_MSN,		drop_msn,		"received: message number outside the window") \
	X(DROP_BAD_ACK,		drop_bad_ack,		"received: acknowledges what was never sent") \
	X(DROP_STRAY,		drop_stray,		"received: answer to nothing that is open") \
	X(RX_ACCESS,		rx_access_errors,	"messages refused: key, rights or range") \
	X(RX_INVALID,		rx_invalid_requests,	"messages refused: request invalid or too long") \
	X(WQE_INVALID,		wqe_invalid,		"work requests refused: malformed or local protection") \
	X(CQ_OVERFLOW,		cq_overflows,		"completion queues that overflowed") \
	X(EP_TX,		endpoint_requests_tx,	"endpoint requests sent") \
	X(EP_RX,		endpoint_requests_rx,	"endpoint requests received") \
	X(LINK_DOWN,		link_downed,		"times the port went down")

/* Index of a counter. */
enum smrc_counter {
#define X(id, name, text) SMRC_CNT_##id,
	SMRC_COUNTERS(X)
#undef X
	SMRC_CNT_NUM
};

/**
 * struct smrc_stats - one CPU's share of the counters
 * @cnt: by enum smrc_counter; SMRC_CNT_REORDER_MAX is a maximum over CPUs, all others are sums
 */
struct smrc_stats {
	u64 cnt[SMRC_CNT_NUM];
};

/*
 * Counters are bumped from softirq or with bottom halves off, or else from process context where a lost update to a
 * statistic is acceptable on 32-bit machines; this_cpu_add() is atomic against interrupts.
 */
#define smrc_count(dev, id)		this_cpu_inc((dev)->stats->cnt[SMRC_CNT_##id])
#define smrc_count_add(dev, id, n)	this_cpu_add((dev)->stats->cnt[SMRC_CNT_##id], (n))

struct smrc_dev;
void smrc_count_max(struct smrc_dev *dev, enum smrc_counter id, u64 value);

#endif /* SMRC_STATS_H */
