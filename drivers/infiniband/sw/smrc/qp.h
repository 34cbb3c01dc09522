/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * qp.h: the queue pair: its send half, its receive half, and who may touch what.
 *
 * One lock per QP protects everything that its comment does not except. It is taken with bottom halves off, outside the
 * locks of peers and CQs, and never together with another QP's (Documentation/locking.rst).
 */
#ifndef SMRC_QP_H
#define SMRC_QP_H

#include <linux/hrtimer.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>

#include "proto/ackdue.h"
#include "proto/cwnd.h"
#include "proto/dscp.h"
#include "proto/flow.h"
#include "proto/group.h"
#include "proto/loss.h"
#include "proto/pto.h"
#include "proto/resp.h"
#include "proto/retry.h"
#include "proto/rnr.h"
#include "proto/rtt.h"
#include "proto/rxmsg.h"
#include "proto/rxwin.h"
#include "proto/scoreboard.h"
#include "proto/segment.h"
#include "proto/tackloss.h"
#include "ring.h"
#include "xmit.h"

struct smrc_cq;
struct smrc_dev;
struct smrc_peer;

/**
 * struct smrc_swqe - the driver's own copy of a send work request; nothing of it is ever read from user memory again
 * @wr_id: of the request
 * @raddr: remote address
 * @swap_add: atomic: see struct smrc_ateth
 * @compare: atomic: likewise
 * @len: length of the message
 * @rkey: remote key
 * @imm: immediate data
 * @msn: number of the message, 24 bits
 * @flags: enum ib_send_flags
 * @rqmsn: number of the receive WQE it takes at the peer, or its number among the requests that draw a response
 * @last_psn: PSN of its last packet, once it is sent to the end
 * @left: packets of its response that have not come
 * @kind: enum smrc_msg_kind
 * @num_sge: entries of @sge; 0 when the data is inline
 * @status: IB_WC_SUCCESS, or the error it will complete with once it is the oldest; it is not sent (any further)
 * @verr: enum smrc_vendor_err with that error
 * @opcode: enum ib_wr_opcode
 * @sge: scatter/gather list, or inline data
 */
struct smrc_swqe {
	u64		wr_id;
	u64		raddr;
	u64		swap_add;
	u64		compare;
	u32		len;
	u32		rkey;
	__be32		imm;
	u32		msn;
	u32		flags;
	u32		last_psn;
	u32		left;
	u16		rqmsn;
	u8		kind;
	u8		num_sge;
	u8		status;
	u8		verr;
	u8		opcode;
	struct smrc_sge	sge[];
};

/**
 * struct smrc_rwqe - the driver's own copy of a receive work request
 * @wr_id: of the request
 * @len: bytes the scatter list holds
 * @num_sge: entries of @sge
 * @status: IB_WC_SUCCESS, or the error it completes with
 * @verr: enum smrc_vendor_err with that error
 * @sge: scatter list
 */
struct smrc_rwqe {
	u64		wr_id;
	u64		len;
	u32		num_sge;
	u8		status;
	u8		verr;
	struct smrc_sge	sge[];
};

/**
 * struct smrc_sq - send half
 * @ring: user's ring; a kernel user posts straight to @wqe
 * @post_lock: kernel user: serialises posting; irqsave, innermost
 * @wqe: private copies, entry of an index is index & @mask; @stride bytes each
 * @mask: entries - 1
 * @stride: bytes from entry to entry
 * @max_sge: scatter/gather entries a request may have
 * @max_inline: inline bytes a request may have
 * @prod: next index to be posted; written by the poster (kernel user: under @post_lock, else under the QP lock)
 * @next: request that is being cut into packets
 * @off: bytes of it already sent at least once
 * @acked: oldest request of which a packet is not acknowledged, at most @next
 * @cons: oldest request not completed
 * @drain: in state SQD: behind the last request that was begun, and is finished
 * @drain_event: in state SQD: the user wants to know when they all are (IB_EVENT_SQ_DRAINED)
 * @busy: requests wait for completion; the time to give up runs
 * @stuck: a request cannot be read any more: nothing new is sent, and it fails once it is the oldest
 * @msn: number of the next message, 24 bits
 * @rqmsn: number of the next receive WQE taken at the peer
 * @reads: number of the next request that draws a response
 * @reading: such requests that were sent and are not completed
 * @told: messages the peer has retired, as it told, 24 bits
 * @begun: the first PSN is known: from RTS on, or since the first request that came in RTR and draws a response
 * @window: PSNs the peer's window holds
 * @sb: scoreboard
 * @sb_pkt: its memory
 * @rtt: RTT and RTO
 * @retry: when to give up
 * @cwnd: congestion window
 * @loss_at: next time a packet may become lost, ns
 * @rnr: the receiver was not ready
 * @pto: questions what arrived
 */
struct smrc_sq {
	struct smrc_kring	ring;
	spinlock_t		post_lock;	/* serialises kernel posters */
	void			*wqe;
	u32			mask;
	u32			stride;
	u32			max_sge;
	u32			max_inline;
	u32			prod;
	u32			next;
	u32			off;
	u32			acked;
	u32			cons;
	u32			drain;
	bool			drain_event;
	bool			busy;
	bool			stuck;
	u32			msn;
	u16			rqmsn;
	u16			reads;
	u32			reading;
	u32			told;
	bool			begun;
	u32			window;
	struct smrc_sb		sb;
	struct smrc_sb_pkt	*sb_pkt;
	struct smrc_rtt		rtt;
	struct smrc_retry	retry;
	struct smrc_cwnd	cwnd;
	u64			loss_at;
	struct smrc_rnr		rnr;
	struct smrc_pto		pto;
};

/**
 * struct smrc_rq - receive half
 * @ring: user's ring; a kernel user posts straight to @wqe
 * @post_lock: kernel user: serialises posting; irqsave, innermost
 * @wqe: private copies
 * @mask: entries - 1
 * @stride: bytes from entry to entry
 * @max_sge: scatter entries a request may have
 * @prod: next index to be posted (kernel user) or copied from @ring (user)
 * @cons: oldest request not completed
 * @win: receive window
 * @bits: its memory
 * @msgs: messages on their way in
 * @msg: their memory
 * @due: SACK accumulator
 * @trigger: the SACK that is owed: what of it cannot be read off @win later
 * @trigger_psn: PSN of the packet that caused it
 * @trigger_ns: when that came
 * @tack: the latest transport ACK
 * @bytes: payload bytes received
 * @heard: a packet came since RTR (IB_EVENT_COMM_EST)
 * @resps: responses owed
 * @resp: their memory, from RTR on, where the QP takes READs and atomics
 * @nak: syndrome of the NAK that put the QP in error, 0: none; repeated when the requester asks again
 * @nak_msn: number of the message refused
 */
struct smrc_rq {
	struct smrc_kring	ring;
	spinlock_t		post_lock;	/* serialises kernel posters */
	void			*wqe;
	u32			mask;
	u32			stride;
	u32			max_sge;
	u32			prod;
	u32			cons;
	struct smrc_rxwin	win;
	unsigned long		*bits;
	struct smrc_rxmsgs	msgs;
	struct smrc_rxmsg	*msg;
	struct smrc_ackdue	due;
	struct smrc_sack	trigger;
	u32			trigger_psn;
	u64			trigger_ns;
	struct smrc_tackloss	tack;
	u64			bytes;
	bool			heard;
	struct smrc_resps	resps;
	struct smrc_resp	*resp;
	u8			nak;
	u32			nak_msn;
};

/* What smrc_qp_work() has to do; bits of smrc_qp.due. */
#define SMRC_DUE_SACK	0x01	/* a SACK is owed for rq.trigger */
#define SMRC_DUE_TACK	0x02	/* messages retired that no transport ACK told yet */
#define SMRC_DUE_SCAN	0x04	/* an acknowledgment may have made packets lost */
#define SMRC_DUE_FATAL	0x08	/* a completion could not be written: its CQ is in error, and so will the QP be */

/**
 * struct smrc_qp - queue pair
 * @ibqp: rdma core's part
 * @dev: the device
 * @pd: identity of its protection domain
 * @user: belongs to a user process
 * @sig_all: every send request completes with a completion
 * @attr_lock: serialises modify_qp; outermost
 * @lock: see the head of this file
 * @state: enum ib_qp_state; written under @lock
 * @attr: attributes as last set (query_qp)
 * @path: addresses, valid from RTR on
 * @peer: held from RTR on
 * @peer_node: entry in peer->qps
 * @member: part in the peer's QP group; peer->lock
 * @dqpn: remote QP
 * @sport: source port when packets are not sprayed
 * @mtu: path MTU, bytes
 * @loss_depth: sack_loss_min_retx_pkts
 * @loss_guard: same_value_loss_guard
 * @sack_threshold: sack_threshold_bytes
 * @dscp: traffic classes
 * @flow_hash: flow_hash
 * @cc: congestion_control
 * @cwnd_packets: cwnd_packets
 * @mpr: own receive window in units of SMRC_MPR_UNIT
 * @win_size: its PSNs; also the size of the scoreboard
 * @sq: send half
 * @rq: receive half
 * @frag: memory of ICRC trailers
 * @due: SMRC_DUE_*
 * @events: asynchronous events owed, BIT(enum ib_event_type)
 * @timer: fires when @work has something to do; armed by timer.c only
 * @timer_at: when it fires, ns; U64_MAX when not armed
 * @work: smrc_qp_work(), on smrc_wq: never on two CPUs at once
 */
struct smrc_qp {
	struct ib_qp		ibqp;
	struct smrc_dev		*dev;
	u32			pd;
	bool			user;
	bool			sig_all;
	struct mutex		attr_lock;	/* serialises modify_qp */
	spinlock_t		lock;		/* see the head of this file */
	enum ib_qp_state	state;
	struct ib_qp_attr	attr;
	struct smrc_path	path;
	struct smrc_peer	*peer;
	struct list_head	peer_node;
	struct smrc_member	member;
	u32			dqpn;
	u16			sport;
	u32			mtu;
	u32			loss_depth;
	u32			loss_guard;
	u32			sack_threshold;
	struct smrc_dscp	dscp;
	enum smrc_flow_hash	flow_hash;
	enum smrc_cc		cc;
	u32			cwnd_packets;
	u8			mpr;
	u32			win_size;
	struct smrc_sq		sq;
	struct smrc_rq		rq;
	struct page_frag	frag;
	u32			due;
	u32			events;
	struct hrtimer		timer;
	u64			timer_at;
	struct work_struct	work;
};

static inline struct smrc_qp *to_smrc_qp(struct ib_qp *ibqp)
{
	return container_of(ibqp, struct smrc_qp, ibqp);
}

static inline struct smrc_swqe *smrc_swqe(const struct smrc_sq *sq, u32 idx)
{
	return sq->wqe + (size_t)(idx & sq->mask) * sq->stride;
}

static inline struct smrc_rwqe *smrc_rwqe(const struct smrc_rq *rq, u32 idx)
{
	return rq->wqe + (size_t)(idx & rq->mask) * rq->stride;
}

/* Behind the last send request posted. */
static inline u32 smrc_sq_prod(const struct smrc_sq *sq)
{
	/* Pairs with the release in smrc_post_send_kernel(): the entries before it are written. */
	return smp_load_acquire(&sq->prod);
}

/*
 * Behind the last send request that may be sent: all that were posted, or, while the queue is drained, those that were
 * begun before (IBTA 10.3.1.5).
 */
static inline u32 smrc_sq_end(const struct smrc_qp *qp)
{
	return qp->state == IB_QPS_SQD ? qp->sq.drain : smrc_sq_prod(&qp->sq);
}

/* May requests be sent, sent again, and given up? */
static inline bool smrc_qp_sends(const struct smrc_qp *qp)
{
	return qp->state == IB_QPS_RTS || qp->state == IB_QPS_SQD;
}

/* May packets be sent: requests, or responses alone? */
static inline bool smrc_qp_streams(const struct smrc_qp *qp)
{
	return smrc_qp_sends(qp) || (qp->state == IB_QPS_RTR && qp->sq.begun);
}

/* Is there anything that was or is to be sent, and is not done with? */
static inline bool smrc_qp_owes(const struct smrc_qp *qp)
{
	return qp->sq.busy || smrc_resps_owed(&qp->rq.resps);
}

/* Behind the last receive request posted. */
static inline u32 smrc_rq_prod(const struct smrc_rq *rq)
{
	/* Pairs with the release in smrc_post_recv_kernel(): the entries before it are written. */
	return smp_load_acquire(&rq->prod);
}

/* The oldest send request is done with: its entry goes back to the poster. */
static inline void smrc_sq_consume(struct smrc_sq *sq)
{
	/* Pairs with smrc_sq_has_room(): the entry is not read any more. */
	smp_store_release(&sq->cons, sq->cons + 1);
	if (sq->ring.map)
		smp_store_release(&sq->ring.hdr->cons, sq->cons);	/* the same, for the provider */
}

static inline void smrc_rq_consume(struct smrc_rq *rq)
{
	/* Pairs with smrc_rq_has_room(): the entry is not read any more. */
	smp_store_release(&rq->cons, rq->cons + 1);
	if (rq->ring.map)
		smp_store_release(&rq->ring.hdr->cons, rq->cons);	/* the same, for the provider */
}

/* qp.c */
int smrc_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init, struct ib_udata *udata);
int smrc_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata);
struct smrc_qp *smrc_qp_find(u32 qpn);
struct smrc_qp *smrc_qp_next(u32 *qpn);
void smrc_qp_stop(struct smrc_qp *qp);
void smrc_qp_reset(struct smrc_qp *qp);
void smrc_qp_begin(struct smrc_qp *qp, u32 psn);
void smrc_qps_exit(void);

/* qp_state.c */
int smrc_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int smrc_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_qp_init_attr *init);

/* post.c */
int smrc_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int smrc_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
void smrc_sq_fetch(struct smrc_qp *qp);
void smrc_rq_fetch(struct smrc_qp *qp);

/* tx.c */
void smrc_qp_work(struct work_struct *work);
void smrc_qp_run(struct smrc_qp *qp);

/* ack.c */
void smrc_ack_flush(struct smrc_qp *qp, struct sk_buff_head *list, u64 now);
void smrc_ack_retired(struct smrc_qp *qp, struct sk_buff_head *list, u64 now);
void smrc_ack_want(struct smrc_qp *qp, const struct smrc_pkt *pkt, u16 ev, bool ce, u64 now);
void smrc_ack_probe(struct smrc_qp *qp, struct sk_buff_head *list, const struct smrc_pkt *pkt, u16 ev, u64 now);
void smrc_ack_tack(struct smrc_qp *qp, struct sk_buff_head *list, u8 syndrome, u64 now);
void smrc_ack_nak(struct smrc_qp *qp, struct sk_buff_head *list, u64 now);
void smrc_ack_nack(struct smrc_qp *qp, struct sk_buff_head *list, const struct smrc_pkt *pkt, u16 ev, u8 reason);
void smrc_ack_rx_answer(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now);
void smrc_ack_rx_sack(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now);
void smrc_ack_rx_nack(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now);
void smrc_ack_rx_tack(struct smrc_qp *qp, const struct smrc_pkt *pkt, u64 now);
void smrc_ack_scan(struct smrc_qp *qp, u64 now);

/* place.c */
u8 smrc_place(struct smrc_qp *qp, const struct smrc_pkt *pkt, const struct sk_buff *skb, u32 off,
	      struct smrc_rwqe *rwqe);
u8 smrc_place_atomic(struct smrc_qp *qp, struct smrc_resp *resp);
enum smrc_mracc smrc_place_orig(struct smrc_qp *qp, u64 orig, const struct smrc_swqe *wqe);
enum smrc_mracc smrc_place_resp(struct smrc_qp *qp, const struct smrc_pkt *pkt, const struct sk_buff *skb, u32 off,
				const struct smrc_swqe *wqe);

/* comp.c */
void smrc_comp_send(struct smrc_qp *qp, u64 now);
void smrc_comp_send_error(struct smrc_qp *qp, enum ib_wc_status status, u8 verr);
void smrc_comp_drained(struct smrc_qp *qp);
bool smrc_comp_head_sent(const struct smrc_sq *sq);
bool smrc_comp_head_told(const struct smrc_sq *sq);
void smrc_comp_resp(struct smrc_qp *qp, struct sk_buff_head *list, u64 now);
void smrc_comp_head(struct smrc_qp *qp);
void smrc_comp_recv(struct smrc_qp *qp, struct sk_buff_head *list, u64 now);
void smrc_comp_flush(struct smrc_qp *qp);
void smrc_qp_error(struct smrc_qp *qp);
void smrc_qp_event(struct smrc_qp *qp, enum ib_event_type type);
void smrc_qp_deliver(struct smrc_qp *qp);

/* timer.c */
void smrc_timer_init(struct smrc_qp *qp);
void smrc_timer_stop(struct smrc_qp *qp);
void smrc_timer_update(struct smrc_qp *qp, u64 now);
void smrc_timer_run(struct smrc_qp *qp, struct sk_buff_head *list, u64 now);

#endif /* SMRC_QP_H */
