// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * place.c: payload to memory: the only place that writes into users' memory. A packet is placed as it comes, wherever
 * it belongs in its message; the window made sure that it is new.
 */
#include <linux/highmem.h>
#include <linux/skbuff.h>

#include "mr.h"
#include "qp.h"
#include "smrc.h"

/* Copy @len bytes of @skb from @off on to a range that was checked. RCU read lock held since the check. */
static void smrc_place_copy(struct smrc_mr_cursor *cur, const struct sk_buff *skb, u32 off)
{
	struct page *page;
	u32 page_off, n;
	void *va;

	while (smrc_mr_next(cur, &page, &page_off, &n)) {
		va = kmap_local_page(page);
		skb_copy_bits(skb, off, va + page_off, n);
		kunmap_local(va);
		off += n;
	}
}

static u8 smrc_place_write(struct smrc_qp *qp, const struct smrc_pkt *pkt, const struct sk_buff *skb, u32 off)
{
	struct smrc_mr_cursor cur;
	u32 len;

	if (!(qp->attr.qp_access_flags & IB_ACCESS_REMOTE_WRITE))
		return SMRC_SYN_NAK_REM_ACCESS;
	/* A message of no bytes touches nothing, so its key is not looked at (IBTA 9.7.4.1.5). */
	if (!pkt->data.msg_len)
		return 0;
	/* The first packet tells the whole range: nothing of a message that leaves its region is written in order. */
	len = pkt->opcode == SMRC_OP_WRITE_FIRST ? pkt->data.msg_len : pkt->payload_len;
	if (smrc_mr_find(qp->dev, pkt->data.rkey, qp->pd, SMRC_ACC_REMOTE_WRITE, pkt->data.va, len, &cur))
		return SMRC_SYN_NAK_REM_ACCESS;
	cur.left = pkt->payload_len;
	smrc_place_copy(&cur, skb, off);
	return 0;
}

/* Write the payload behind the first @to bytes of a scatter list. */
static enum smrc_mracc smrc_place_list(struct smrc_qp *qp, const struct smrc_sge *sge, u32 n_sge, u64 to,
				       const struct sk_buff *skb, u32 off, u32 left)
{
	struct smrc_mr_cursor cur;
	enum smrc_mracc acc;
	u32 i, n;

	for (i = 0; i < n_sge && left; i++, sge++) {
		if (to >= sge->length) {
			to -= sge->length;
			continue;
		}
		n = min_t(u64, left, sge->length - to);
		acc = smrc_mr_find(qp->dev, sge->lkey, qp->pd, SMRC_ACC_LOCAL_WRITE, sge->addr + to, n, &cur);
		if (acc)
			return acc;
		smrc_place_copy(&cur, skb, off);
		off += n;
		left -= n;
		to = 0;
	}
	return SMRC_MRACC_OK;
}

static u8 smrc_place_send(struct smrc_qp *qp, const struct smrc_pkt *pkt, const struct sk_buff *skb, u32 off,
			  struct smrc_rwqe *rwqe)
{
	enum smrc_mracc acc;

	if (rwqe->status)
		return SMRC_SYN_NAK_REM_OP;
	if (pkt->data.msg_len > rwqe->len) {
		rwqe->status = IB_WC_LOC_LEN_ERR;
		rwqe->verr = SMRC_VERR_RECV_TOO_SMALL;
		return SMRC_SYN_NAK_INV_REQ;
	}
	acc = smrc_place_list(qp, rwqe->sge, rwqe->num_sge, pkt->data.va, skb, off, pkt->payload_len);
	if (!acc)
		return 0;
	rwqe->status = IB_WC_LOC_PROT_ERR;
	rwqe->verr = smrc_mracc_verr(acc);
	smrc_count(qp->dev, WQE_INVALID);
	return SMRC_SYN_NAK_REM_OP;
}

/**
 * smrc_place() - write the payload of a packet where it belongs
 * @qp: the QP, its lock held
 * @pkt: the packet, new to the window
 * @skb: where the payload is
 * @off: offset of the payload in it
 * @rwqe: the receive request of a SEND, else NULL
 *
 * Return: 0, or the syndrome (enum smrc_syndrome) that the message is to be refused with; then nothing was written by
 * this packet beyond the part of its range that was allowed.
 */
u8 smrc_place(struct smrc_qp *qp, const struct smrc_pkt *pkt, const struct sk_buff *skb, u32 off,
	      struct smrc_rwqe *rwqe)
{
	u8 syndrome;

	lockdep_assert_held(&qp->lock);
	rcu_read_lock();
	if (rwqe)
		syndrome = smrc_place_send(qp, pkt, skb, off, rwqe);
	else
		syndrome = smrc_place_write(qp, pkt, skb, off);
	rcu_read_unlock();
	return syndrome;
}

/*
 * The one place where an atomic is done. The processor's own instruction makes it atomic against all that runs on this
 * host, other devices' atomics included.
 */
static u64 smrc_place_operate(atomic64_t *at, const struct smrc_resp *resp)
{
	if (resp->opcode == SMRC_OP_CMP_SWAP)
		return atomic64_cmpxchg(at, resp->compare, resp->swap_add);
	return atomic64_fetch_add(resp->swap_add, at);
}

/**
 * smrc_place_atomic() - do an atomic whose turn has come, once
 * @qp: the QP, its lock held
 * @resp: the atomic; gets its result
 *
 * Its address must be a multiple of 8 (IBTA 9.4.5), in the region's own terms as well as in memory: a region may begin
 * anywhere.
 *
 * Return: 0, or the syndrome (enum smrc_syndrome) that it is to be refused with; then nothing was changed.
 */
u8 smrc_place_atomic(struct smrc_qp *qp, struct smrc_resp *resp)
{
	struct smrc_mr_cursor cur;
	struct page *page;
	u8 syndrome = 0;
	u32 off, n;
	void *va;

	lockdep_assert_held(&qp->lock);
	if (!(qp->attr.qp_access_flags & IB_ACCESS_REMOTE_ATOMIC))
		return SMRC_SYN_NAK_REM_ACCESS;
	if (resp->va % SMRC_ATOMIC_LEN)
		return SMRC_SYN_NAK_INV_REQ;
	rcu_read_lock();
	if (smrc_mr_find(qp->dev, resp->rkey, qp->pd, SMRC_ACC_REMOTE_ATOMIC, resp->va, SMRC_ATOMIC_LEN, &cur) ||
	    !smrc_mr_next(&cur, &page, &off, &n)) {
		syndrome = SMRC_SYN_NAK_REM_ACCESS;
	} else if (off % SMRC_ATOMIC_LEN) {
		syndrome = SMRC_SYN_NAK_INV_REQ;
	} else {
		va = kmap_local_page(page);
		resp->orig = smrc_place_operate(va + off, resp);
		kunmap_local(va);
	}
	rcu_read_unlock();
	return syndrome;
}

/**
 * smrc_place_orig() - write the result of an atomic where the request wants it
 * @qp: the QP, its lock held
 * @orig: the result
 * @wqe: the request
 *
 * Return: SMRC_MRACC_OK, or why it may not be written there.
 */
enum smrc_mracc smrc_place_orig(struct smrc_qp *qp, u64 orig, const struct smrc_swqe *wqe)
{
	const struct smrc_sge *sge = wqe->sge;
	struct smrc_mr_cursor cur;
	const void *from = &orig;
	enum smrc_mracc acc;
	struct page *page;
	u32 off, n;

	lockdep_assert_held(&qp->lock);
	rcu_read_lock();
	acc = smrc_mr_find(qp->dev, sge->lkey, qp->pd, SMRC_ACC_LOCAL_WRITE, sge->addr, sizeof(orig), &cur);
	while (!acc && smrc_mr_next(&cur, &page, &off, &n)) {
		memcpy_to_page(page, off, from, n);
		from += n;
	}
	rcu_read_unlock();
	return acc;
}

/**
 * smrc_place_resp() - write the payload of a response where the request wants it
 * @qp: the QP, its lock held
 * @pkt: the packet, new to the window, of a response as long as the request wants
 * @skb: where the payload is
 * @off: offset of the payload in it
 * @wqe: the request
 *
 * Return: SMRC_MRACC_OK, or why it may not be written there.
 */
enum smrc_mracc smrc_place_resp(struct smrc_qp *qp, const struct smrc_pkt *pkt, const struct sk_buff *skb, u32 off,
				const struct smrc_swqe *wqe)
{
	enum smrc_mracc acc;

	lockdep_assert_held(&qp->lock);
	rcu_read_lock();
	acc = smrc_place_list(qp, wqe->sge, wqe->num_sge, pkt->data.va, skb, off, pkt->payload_len);
	rcu_read_unlock();
	return acc;
}
