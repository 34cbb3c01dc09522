// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rx.c: a packet's way in: from the UDP socket, through checks that need no lock, to its QP.
 *
 * Everything here is a stranger's word. Headers are read once, by the parser; nothing looks at the raw bytes again but
 * the ICRC and the placement of the payload.
 */
#include <linux/skbuff.h>
#include <linux/timekeeping.h>
#include <linux/udp.h>
#include <linux/unaligned.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/sock.h>

#include "mr.h"
#include "peer.h"
#include "proto/icrc.h"
#include "qp.h"
#include "rx.h"
#include "smrc.h"
#include "trace.h"
#include "tx_build.h"

/**
 * struct smrc_rx - one packet being received
 * @pkt: the packet, parsed
 * @skb: where it is
 * @off: offset in @skb of the UDP payload, that is, of the BTH
 * @len: bytes of it, ICRC included
 * @net: network namespace of the socket
 * @path: addresses as a reply needs them: local is where it was sent to
 * @ev: its entropy value
 * @dport: UDP destination port
 * @dscp: its DSCP
 * @ce: congestion experienced
 * @trim: a switch cut it: only its headers are there, and no ICRC
 * @bth: raw BTH, for the ICRC
 */
struct smrc_rx {
	struct smrc_pkt		pkt;
	const struct sk_buff	*skb;
	u32			off;
	u32			len;
	struct net		*net;
	struct smrc_path	path;
	u16			ev;
	u16			dport;
	u8			dscp;
	bool			ce;
	enum smrc_trim		trim;
	u8			bth[sizeof(struct smrc_bth)];
};

/* ------------------------------------------------- checks without state */

static void smrc_rx_addr(struct smrc_rx *rx)
{
	const struct sk_buff *skb = rx->skb;
	struct smrc_path *path = &rx->path;
	u8 tos;

	path->v6 = skb->protocol == htons(ETH_P_IPV6);
	path->ttl = 64;
	path->tos = 0;
	path->oif = 0;
	if (path->v6) {
		path->local = ipv6_hdr(skb)->daddr;
		path->remote = ipv6_hdr(skb)->saddr;
		tos = ipv6_get_dsfield(ipv6_hdr(skb));
	} else {
		ipv6_addr_set_v4mapped(ip_hdr(skb)->daddr, &path->local);
		ipv6_addr_set_v4mapped(ip_hdr(skb)->saddr, &path->remote);
		tos = ip_hdr(skb)->tos;
	}
	/* The netdev matters for an address that is only valid on one link. */
	if (path->v6 && (ipv6_addr_type(&path->remote) & IPV6_ADDR_LINKLOCAL))
		path->oif = skb->dev->ifindex;
	rx->dscp = tos >> 2;
	rx->ce = INET_ECN_is_ce(tos);
}

static u32 smrc_rx_crc(const struct sk_buff *skb, u32 off, u32 end, u32 crc)
{
	struct skb_seq_state st;
	u32 done = 0, n;
	const u8 *data;

	if (off == end)
		return crc;
	skb_prepare_seq_read((struct sk_buff *)skb, off, end, &st);
	while ((n = skb_seq_read(done, &data, &st))) {
		/* A block may reach beyond @end: pad and ICRC share a fragment. */
		n = min(n, end - off - done);
		crc = smrc_icrc_update(crc, data, n);
		done += n;
	}
	return crc;
}

static bool smrc_rx_icrc_ok(const struct smrc_rx *rx)
{
	struct smrc_icrc_ip ip = { .v6 = rx->path.v6 };
	u32 end = rx->off + rx->len - SMRC_ICRC_LEN;
	s32 first = min_t(s32, end, skb_headlen(rx->skb)) - (s32)rx->off;
	const void *bth, *icrc;
	__le32 copy;
	u32 crc;

	icrc = skb_header_pointer(rx->skb, end, sizeof(copy), &copy);
	if (!icrc)
		return false;
	if (ip.v6) {
		memcpy(ip.saddr, &rx->path.remote, sizeof(ip.saddr));
		memcpy(ip.daddr, &rx->path.local, sizeof(ip.daddr));
	} else {
		ip.id = ip_hdr(rx->skb)->id;
		ip.frag_off = ip_hdr(rx->skb)->frag_off;
		memcpy(ip.saddr, &rx->path.remote.s6_addr32[3], 4);
		memcpy(ip.daddr, &rx->path.local.s6_addr32[3], 4);
	}
	if (first >= (s32)sizeof(rx->bth)) {
		bth = rx->skb->data + rx->off;
	} else {
		bth = rx->bth;
		first = sizeof(rx->bth);
	}
	crc = smrc_icrc_begin(&ip, rx->ev, rx->dport, rx->len + sizeof(struct udphdr), bth, first);
	crc = smrc_rx_crc(rx->skb, rx->off + first, end, crc);
	return get_unaligned((const __le32 *)icrc) == smrc_icrc_end(crc);
}

/* A packet that reaches no QP is counted by the device whose address it was sent to, if there is one. */
static void smrc_rx_unknown(const struct smrc_rx *rx, enum smrc_counter id, const char *reason)
{
	struct smrc_dev *dev = smrc_net_find_dev(rx->net, &rx->path.local);

	if (!dev)
		return;
	this_cpu_inc(dev->stats->cnt[id]);
	trace_smrc_drop(&dev->ibdev, reason, rx->pkt.opcode, rx->pkt.dqpn, rx->pkt.psn);
}

static bool smrc_rx_good(const struct smrc_rx *rx, enum smrc_wire_err err)
{
	if (err == SMRC_WIRE_SHORT)
		smrc_rx_unknown(rx, SMRC_CNT_DROP_SHORT, "DROP_SHORT");
	else if (err)
		smrc_rx_unknown(rx, SMRC_CNT_DROP_FORMAT, "DROP_FORMAT");
	return !err;
}

static bool smrc_rx_parse(struct smrc_rx *rx)
{
	u8 copy[SMRC_HDR_MAX] __uninitialized;
	u32 linear = min_t(u32, rx->len, sizeof(copy));
	const void *hdr = skb_header_pointer(rx->skb, rx->off, linear, copy);

	if (!hdr || !smrc_rx_good(rx, smrc_wire_headers(hdr, linear, &rx->pkt)))
		return false;
	memcpy(rx->bth, hdr, sizeof(rx->bth));
	return true;
}

/* Is all of the packet there, as it was sent? The dear check comes last, and not for packets to no QP. */
static bool smrc_rx_intact(struct smrc_rx *rx)
{
	if (!smrc_rx_good(rx, smrc_wire_body(&rx->pkt, rx->len)))
		return false;
	if (smrc_rx_icrc_ok(rx))
		return true;
	smrc_rx_unknown(rx, SMRC_CNT_DROP_ICRC, "DROP_ICRC");
	return false;
}

/* ------------------------------------------------- endpoint exchange */

static void smrc_rx_ep_request(struct smrc_dev *dev, const struct smrc_rx *rx)
{
	struct smrc_pkt pkt = {
		.opcode = SMRC_OP_EP_RESPONSE,
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = SMRC_QPN_ENDPOINT,
		.psn = rx->pkt.psn,
		.ep = {
			.op = rx->pkt.ep.op,
			.caps = SMRC_CAPS,
			.mpr = READ_ONCE(dev->settings.v[SMRC_SET_MPR]),
			.ts = rx->pkt.ep.ts,
		},
	};
	struct smrc_dscp dscp = { .control = READ_ONCE(dev->settings.v[SMRC_SET_DSCP_CONTROL]) };
	struct sk_buff_head list;
	struct sk_buff *skb;

	smrc_count(dev, EP_RX);
	skb = smrc_build_ctl(&rx->path, &dscp, SMRC_CLASS_CONTROL, rx->ev, &pkt);
	if (!skb)
		return;
	trace_smrc_packet(&dev->ibdev, SMRC_DIR_TX, &pkt, SMRC_QPN_ENDPOINT, pkt.psn, rx->ev, 0, false);
	__skb_queue_head_init(&list);
	__skb_queue_tail(&list, skb);
	smrc_xmit(dev, &rx->path, NULL, &list);
}

static void smrc_rx_endpoint(struct smrc_rx *rx)
{
	struct smrc_dev *dev;

	if (!smrc_rx_intact(rx))
		return;
	dev = smrc_net_find_dev(rx->net, &rx->path.local);
	if (!dev)
		return;
	trace_smrc_packet(&dev->ibdev, SMRC_DIR_RX, &rx->pkt, SMRC_QPN_ENDPOINT, rx->pkt.psn, rx->ev, 0, rx->ce);
	if (rx->pkt.opcode == SMRC_OP_EP_REQUEST)
		smrc_rx_ep_request(dev, rx);
	else if (rx->pkt.opcode != SMRC_OP_EP_RESPONSE || !smrc_peer_ep_response(dev, &rx->path, &rx->pkt))
		smrc_drop(dev, DROP_STRAY, &rx->pkt);
}

/* ------------------------------------------------- data */

/* The receive request a packet of a SEND goes to, or the last packet of a WRITE with immediate will take. */
static struct smrc_rwqe *smrc_rx_rwqe(struct smrc_qp *qp, u16 rqmsn)
{
	struct smrc_rq *rq = &qp->rq;
	u16 ahead = rqmsn - (u16)rq->cons;

	if (ahead >= rq->prod - rq->cons)
		smrc_rq_fetch(qp);
	if (ahead >= smrc_rq_prod(rq) - rq->cons)
		return NULL;
	return smrc_rwqe(rq, rq->cons + ahead);
}

static void smrc_rx_depth(struct smrc_qp *qp, u32 psn)
{
	u32 depth = smrc_psn_diff(psn, qp->rq.win.next);

	if (!depth)
		return;
	smrc_count(qp->dev, OOO);
	smrc_count_add(qp->dev, REORDER_SUM, depth);
	smrc_count_max(qp->dev, SMRC_CNT_REORDER_MAX, depth);
}

static void smrc_rx_duplicate(struct smrc_qp *qp, const struct smrc_rx *rx, u64 now)
{
	smrc_count(qp->dev, RX_DUP);
	smrc_ack_want(qp, &rx->pkt, rx->ev, rx->ce, now);
	/* It may be a transport ACK that was lost. */
	qp->due |= SMRC_DUE_TACK;
}

/* The receive request that the packet's message takes. Returns false when it is refused. */
static bool smrc_rx_take_rwqe(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now,
			      struct smrc_rwqe **rwqe)
{
	const struct smrc_pkt *pkt = &rx->pkt;

	*rwqe = NULL;
	if (!smrc_op_takes_rqe(pkt->opcode))
		return true;
	*rwqe = smrc_rx_rwqe(qp, pkt->data.rqmsn);
	if (qp->state == IB_QPS_ERR) {
		qp->rq.nak = SMRC_SYN_NAK_REM_OP;
		qp->rq.nak_msn = qp->rq.msgs.next;
		smrc_ack_nak(qp, list, now);
		return false;
	}
	if (*rwqe)
		return true;
	smrc_count(qp->dev, NACK_NO_RESOURCE);
	smrc_ack_nack(qp, list, pkt, rx->ev, SMRC_NACK_NO_RESOURCE);
	return false;
}

/* A packet of a SEND or WRITE. */
static bool smrc_rx_payload(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now)
{
	const struct smrc_pkt *pkt = &rx->pkt;
	struct smrc_rwqe *rwqe;
	u8 syndrome;

	if (!smrc_rx_take_rwqe(qp, rx, list, now, &rwqe))
		return false;
	if (!smrc_op_is_send(pkt->opcode))
		rwqe = NULL;
	syndrome = smrc_place(qp, pkt, rx->skb, rx->off + pkt->hdr_len, rwqe);
	smrc_rxmsgs_note(&qp->rq.msgs, pkt, syndrome);
	return true;
}

/*
 * A request that draws a response. One that finds no room is not taken: it comes again. A QP that takes none at all
 * says so. In RTR the first one tells where this end's own PSNs begin.
 */
static bool smrc_rx_asks(struct smrc_qp *qp, const struct smrc_pkt *pkt)
{
	struct smrc_rq *rq = &qp->rq;
	struct smrc_resp *resp;

	if (!rq->resps.size) {
		smrc_rxmsgs_note(&rq->msgs, pkt, SMRC_SYN_NAK_INV_REQ);
		return true;
	}
	resp = smrc_resps_arrived(&rq->resps, pkt->data.rqmsn);
	if (!resp) {
		smrc_drop(qp->dev, DROP_MSN, pkt);
		return false;
	}
	resp->opcode = pkt->opcode;
	resp->swap_add = pkt->data.swap_add;
	resp->compare = pkt->data.compare;
	resp->va = pkt->data.va;
	resp->rkey = pkt->data.rkey;
	resp->len = pkt->data.msg_len;
	if (!qp->sq.begun)
		smrc_qp_begin(qp, pkt->data.rsp_psn);
	smrc_rxmsgs_note(&rq->msgs, pkt, 0);
	return true;
}

/* A packet of a request: place, remember. Returns false when it is not taken. */
static bool smrc_rx_request(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now)
{
	const struct smrc_pkt *pkt = &rx->pkt;

	if (!smrc_rxmsgs_fits(&qp->rq.msgs, pkt->data.msn)) {
		smrc_drop(qp->dev, DROP_MSN, pkt);
		return false;
	}
	if (smrc_op_asks(pkt->opcode))
		return smrc_rx_asks(qp, pkt);
	return smrc_rx_payload(qp, rx, list, now);
}

/* The request that a response answers, NULL when none that was sent is as the packet says. */
static struct smrc_swqe *smrc_rx_asked(struct smrc_qp *qp, const struct smrc_pkt *pkt)
{
	struct smrc_sq *sq = &qp->sq;
	struct smrc_swqe *wqe;
	bool atomic;
	u32 ahead;

	if (!smrc_qp_sends(qp) || sq->cons == sq->next)
		return NULL;
	ahead = (u16)(pkt->data.msn - smrc_swqe(sq, sq->cons)->msn);
	if (ahead >= sq->next - sq->cons)
		return NULL;
	wqe = smrc_swqe(sq, sq->cons + ahead);
	atomic = pkt->opcode == SMRC_OP_ATOMIC_RESP;
	if (!smrc_msg_asks(wqe->kind) || !wqe->left || wqe->len != pkt->data.msg_len ||
	    smrc_msg_atomic(wqe->kind) != atomic)
		return NULL;
	return wqe;
}

/* A packet of a response: place, count. Returns false when it is not taken. */
static bool smrc_rx_response(struct smrc_qp *qp, const struct smrc_rx *rx, u64 now)
{
	const struct smrc_pkt *pkt = &rx->pkt;
	struct smrc_swqe *wqe = smrc_rx_asked(qp, pkt);
	enum smrc_mracc acc;

	if (!wqe) {
		smrc_drop(qp->dev, DROP_STRAY, pkt);
		return false;
	}
	if (smrc_msg_atomic(wqe->kind))
		acc = smrc_place_orig(qp, pkt->data.orig, wqe);
	else
		acc = smrc_place_resp(qp, pkt, rx->skb, rx->off + pkt->hdr_len, wqe);
	if (acc && !wqe->status) {
		wqe->status = IB_WC_LOC_PROT_ERR;
		wqe->verr = smrc_mracc_verr(acc);
		smrc_count(qp->dev, WQE_INVALID);
	}
	wqe->left--;
	smrc_retry_progress(&qp->sq.retry, now);
	smrc_pto_moved(&qp->sq.pto);
	/* Its end is told like that of a message; what waits for it may go on. */
	if (smrc_op_is_last(pkt->opcode))
		qp->due |= SMRC_DUE_TACK;
	if (!wqe->left || wqe->status)
		qp->due |= SMRC_DUE_SCAN;
	return true;
}

/* A new packet: take it, remember, retire, acknowledge. */
static void smrc_rx_new(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now)
{
	const struct smrc_pkt *pkt = &rx->pkt;
	struct smrc_rq *rq = &qp->rq;
	bool resp = smrc_op_is_resp(pkt->opcode);
	bool gap = rq->win.ooo;
	u32 reasons = 0;

	if (resp ? !smrc_rx_response(qp, rx, now) : !smrc_rx_request(qp, rx, list, now))
		return;
	smrc_rx_depth(qp, pkt->psn);
	smrc_rxwin_accept(&rq->win, pkt->psn);
	rq->bytes += pkt->payload_len;
	smrc_count(qp->dev, RX_DATA);
	smrc_count_add(qp->dev, RX_BYTES, pkt->payload_len);

	gap |= rq->win.ooo;
	reasons |= rx->ce ? SMRC_ACK_ECN : 0;
	reasons |= pkt->rtx ? SMRC_ACK_RTX : 0;
	reasons |= pkt->ack_req ? SMRC_ACK_REQ : 0;
	if (smrc_ackdue_packet(&rq->due, pkt->payload_len, reasons, qp->sack_threshold, now) || gap)
		smrc_ack_want(qp, pkt, rx->ev, rx->ce, now);
	if (resp)
		smrc_comp_send(qp, now);
	/* A response may have closed the gap behind which requests wait. */
	smrc_comp_recv(qp, list, now);
	smrc_ack_retired(qp, list, now);
}

/*
 * Only headers are left of it, and no ICRC vouches for them: it is asked for again, or, when it is there already, the
 * state is told again; nothing else is done, so that whoever forges one gains a packet as small as his own (OCP MRC 1.0
 * table 7-3).
 */
static void smrc_rx_trimmed(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now)
{
	u8 reason = rx->trim == SMRC_TRIM_LASTHOP ? SMRC_NACK_TRIMMED_LASTHOP : SMRC_NACK_TRIMMED;

	smrc_count(qp->dev, RX_TRIMMED);
	switch (smrc_rxwin_check(&qp->rq.win, rx->pkt.psn)) {
	case SMRC_RX_NEW:
		smrc_ack_nack(qp, list, &rx->pkt, rx->ev, reason);
		break;
	case SMRC_RX_DUP:
		smrc_rx_duplicate(qp, rx, now);
		break;
	case SMRC_RX_BEYOND:
		smrc_drop(qp->dev, DROP_STRAY, &rx->pkt);
		break;
	}
}

static void smrc_rx_data(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now)
{
	if (!qp->rq.heard) {
		qp->rq.heard = true;
		if (qp->state == IB_QPS_RTR)
			smrc_qp_event(qp, IB_EVENT_COMM_EST);
	}
	if (rx->ce)
		smrc_count(qp->dev, RX_ECN);
	switch (smrc_rxwin_check(&qp->rq.win, rx->pkt.psn)) {
	case SMRC_RX_NEW:
		smrc_rx_new(qp, rx, list, now);
		break;
	case SMRC_RX_DUP:
		smrc_rx_duplicate(qp, rx, now);
		break;
	case SMRC_RX_BEYOND:
		smrc_count(qp->dev, NACK_WINDOW);
		smrc_ack_nack(qp, list, &rx->pkt, rx->ev, SMRC_NACK_PSN_OOR_WINDOW);
		break;
	}
	/*
	 * Each marked packet has its value marked; a SACK that waits for the end of the batch would name one of them
	 * only.
	 */
	if (rx->ce)
		smrc_ack_flush(qp, list, now);
}

/* ------------------------------------------------- dispatch */

/* Is the packet from the peer the QP is connected to, on the addresses it is connected by? */
static bool smrc_rx_from_peer(const struct smrc_qp *qp, const struct smrc_rx *rx)
{
	return qp->state >= IB_QPS_RTR && qp->peer && rcu_access_pointer(qp->dev->net) == rx->net &&
	       ipv6_addr_equal(&qp->path.local, &rx->path.local) &&
	       ipv6_addr_equal(&qp->path.remote, &rx->path.remote);
}

/* In error: the requester is told again why, if that is known: its NAK may have been lost. */
static void smrc_rx_in_error(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now)
{
	smrc_drop(qp->dev, DROP_STATE, &rx->pkt);
	if (qp->rq.nak && (smrc_op_is_data(rx->pkt.opcode) || rx->pkt.opcode == SMRC_OP_PROBE))
		smrc_ack_nak(qp, list, now);
}

/* Ready to receive, not to send: it has sent probes at most, for the values of its transport ACKs. */
static void smrc_rx_receives_only(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now)
{
	if (pkt->opcode == SMRC_OP_SACK && pkt->sack.probe) {
		smrc_count(qp->dev, RX_SACK);
		smrc_ack_rx_answer(qp, pkt, now);
		return;
	}
	smrc_drop(qp->dev, DROP_STATE, pkt);
}

static void smrc_rx_dispatch(struct smrc_qp *qp, const struct smrc_rx *rx, struct sk_buff_head *list, u64 now)
{
	const struct smrc_pkt *pkt = &rx->pkt;

	if ((pkt->pkey & 0x7fff) != (SMRC_PKEY_DEFAULT & 0x7fff)) {
		smrc_drop(qp->dev, DROP_PKEY, pkt);
		return;
	}
	trace_smrc_packet(&qp->dev->ibdev, SMRC_DIR_RX, pkt, qp->ibqp.qp_num, pkt->psn, rx->ev, pkt->payload_len,
			  rx->ce);
	if (qp->state == IB_QPS_ERR) {
		smrc_rx_in_error(qp, rx, list, now);
		return;
	}
	if (rx->trim) {
		smrc_rx_trimmed(qp, rx, list, now);
		return;
	}
	smrc_peer_heard(qp->peer);
	if (smrc_op_is_data(pkt->opcode)) {
		smrc_rx_data(qp, rx, list, now);
		return;
	}
	if (pkt->opcode == SMRC_OP_PROBE) {
		smrc_ack_probe(qp, list, pkt, rx->ev, now);
		return;
	}
	if (!smrc_qp_streams(qp)) {
		smrc_rx_receives_only(qp, pkt, now);
		return;
	}
	switch (pkt->opcode) {
	case SMRC_OP_SACK:
		smrc_ack_rx_sack(qp, pkt, now);
		break;
	case SMRC_OP_NACK:
		smrc_ack_rx_nack(qp, pkt, now);
		break;
	case SMRC_OP_TACK:
		smrc_ack_rx_tack(qp, pkt, now);
		break;
	}
}

/* Deliver to the QP. What its packets made due is done at the end of the batch, by the work item, in this softirq. */
static void smrc_rx_to_qp(struct smrc_rx *rx)
{
	struct smrc_qp *qp = smrc_qp_find(rx->pkt.dqpn);
	struct sk_buff_head list;
	struct smrc_peer *peer;
	bool due;

	if (!qp) {
		smrc_rx_unknown(rx, SMRC_CNT_DROP_NO_QP, "DROP_NO_QP");
		return;
	}
	rx->trim = smrc_op_is_data(rx->pkt.opcode) ? smrc_dscp_trim(&qp->dscp, rx->dscp) : SMRC_TRIM_NONE;
	if (!rx->trim && !smrc_rx_intact(rx))
		return;
	__skb_queue_head_init(&list);
	spin_lock(&qp->lock);
	if (!smrc_rx_from_peer(qp, rx)) {
		smrc_drop(qp->dev, DROP_NO_QP, &rx->pkt);
		spin_unlock(&qp->lock);
		return;
	}
	smrc_rx_dispatch(qp, rx, &list, ktime_get_ns());	/* under the lock: times of one QP never go back */
	due = qp->due;
	peer = qp->peer;
	spin_unlock(&qp->lock);
	if (due)
		queue_work(smrc_wq, &qp->work);
	if (qp->user)
		smrc_qp_deliver(qp);
	if (!skb_queue_empty(&list))
		smrc_xmit(qp->dev, &peer->path, &peer->route, &list);
}

static void smrc_rx_one(struct smrc_rx *rx)
{
	if (!smrc_rx_parse(rx))
		return;
	if (rx->pkt.dqpn == SMRC_QPN_ENDPOINT)
		smrc_rx_endpoint(rx);
	else
		smrc_rx_to_qp(rx);
}

/**
 * smrc_encap_rcv() - the UDP socket received a datagram
 * @sk: the socket
 * @skb: the datagram, its data at the UDP header; consumed
 *
 * The skb is a run of packets of one entropy value, each as long as gso_size says, the last one maybe shorter; today
 * the stack hands over runs of one.
 *
 * Context: softirq, RCU read lock held.
 * Return: 0.
 */
int smrc_encap_rcv(struct sock *sk, struct sk_buff *skb)
{
	const struct udphdr *udp = udp_hdr(skb);
	struct smrc_rx rx __uninitialized;	/* large; all of it is set below and by the parser */
	u32 end, step;

	rx.skb = skb;
	rx.net = sock_net(sk);
	rx.off = sizeof(*udp);
	end = min_t(u32, skb->len, ntohs(udp->len));
	step = skb_is_gso(skb) ? skb_shinfo(skb)->gso_size : end;
	rx.ev = ntohs(udp->source);
	rx.dport = ntohs(udp->dest);
	smrc_rx_addr(&rx);
	for (; rx.off < end; rx.off += rx.len) {
		rx.len = min(step, end - rx.off);
		smrc_rx_one(&rx);
	}
	napi_consume_skb(skb, 1);
	return 0;
}
