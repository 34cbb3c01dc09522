/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR Linux-OpenIB) */
/*
 * smrc-abi.h: everything the driver rdma_smrc and its provider libsmrc share.
 *
 * Rules for change
 *  - Structures only grow, at the end, in multiples of 8 bytes; a new field has a bit in comp_mask when its absence
 *    cannot be told from zero. Nothing is ever reused or removed; what falls out of use keeps its place as reserved.
 *  - A change that an old partner would misread raises SMRC_ABI_VERSION. Driver and provider refuse each other with a
 *    message that names both versions; they do not guess.
 *  - No pointers, no kernel state, no bit-fields. All integers are in host order but those marked __be.
 *  - Reserved fields are zero; the driver refuses others with EINVAL.
 */
#ifndef SMRC_ABI_USER_H
#define SMRC_ABI_USER_H

#include <linux/types.h>

#define SMRC_ABI_VERSION	1
#define SMRC_ABI_MAGIC		0x534d5243	/* "SMRC", in the answer to alloc_context */

/*
 * Driver id of the RDMA netlink and ioctl interfaces (enum rdma_driver_id). The kernel has none for Soft-MRC, so this
 * is a private number far above those given out; this is its only definition.
 */
#define SMRC_RDMA_DRIVER_ID	0x534d

/**
 * struct smrc_alloc_ucontext_req - alloc_context, provider to driver
 * @abi_version: SMRC_ABI_VERSION of the provider
 * @reserved_04: 0
 */
struct smrc_alloc_ucontext_req {
	__u32	abi_version;
	__u32	reserved_04;
};

/**
 * struct smrc_alloc_ucontext_resp - alloc_context, driver to provider
 * @comp_mask: 0
 * @magic: SMRC_ABI_MAGIC
 * @abi_version: SMRC_ABI_VERSION of the driver
 *
 * When the versions differ the driver still answers (so that the provider can name both), and refuses every later call
 * on the context with EPROTONOSUPPORT.
 */
struct smrc_alloc_ucontext_resp {
	__aligned_u64	comp_mask;
	__u32		magic;
	__u32		abi_version;
};

/*
 * Rings. A ring is one mapping: a struct smrc_ring, then entries from byte SMRC_RING_HDR on, stride bytes each. Indexes
 * run freely modulo 2^32; the entry of an index is index & (entries - 1), entries is a power of two. The owner of an
 * index stores it with release semantics after the entry is written (or read), the other side loads it with acquire
 * semantics. The driver never trusts an index or an entry it reads here: it copies once and checks the copy.
 */
#define SMRC_RING_HDR	192

/**
 * struct smrc_ring - head of a ring
 * @prod: next index to be written; written by the producer only (provider: SQ and RQ; driver: CQ)
 * @reserved_04: 0
 * @cons: next index to be read; written by the consumer only (driver: SQ and RQ; provider: CQ)
 * @reserved_44: 0
 * @flags: SMRC_RING_*, written by the driver only
 * @arm: CQ: SMRC_CQ_ARM_*; the provider asks for a notification, the driver exchanges it for 0 when it gives one.
 *	Both sides order it fully against @prod: the provider arms, then polls once more; the driver writes @prod, then
 *	looks.
 * @reserved_88: 0
 */
struct smrc_ring {
	__u32	prod;
	__u32	reserved_04[15];
	__u32	cons;
	__u32	reserved_44[15];
	__u32	flags;
	__u32	arm;
	__u32	reserved_88[14];
};

/* RQ: the QP is in error (or another state that needs it): call the driver after posting, it will flush. */
#define SMRC_RING_NEED_KICK	(1u << 0)

/*
 * CQ: notify of the next completion; of the next solicited one or error. A wider request is not narrowed by a later
 * one.
 */
#define SMRC_CQ_ARM_NEXT	1u
#define SMRC_CQ_ARM_SOLICITED	2u

/**
 * struct smrc_ring_map - where to mmap a ring, in answers of create calls
 * @offset: mmap offset on the command fd
 * @size: bytes to map
 * @entries: power of two
 * @stride: bytes from entry to entry
 * @reserved_14: 0
 */
struct smrc_ring_map {
	__aligned_u64	offset;
	__u32		size;
	__u32		entries;
	__u32		stride;
	__u32		reserved_14;
};

struct smrc_create_cq_resp {
	__aligned_u64		comp_mask;
	struct smrc_ring_map	cq;
};

/*
 * resize_cq answers the same: the provider maps the new ring, then drops the old one. Entries not yet polled are copied
 * to the new ring by the driver, which writes nothing to the old ring from then on; the provider stores its consumer
 * index of the old ring before the call and takes 0 for the new one.
 */
struct smrc_resize_cq_resp {
	__aligned_u64		comp_mask;
	struct smrc_ring_map	cq;
};

struct smrc_create_qp_resp {
	__aligned_u64		comp_mask;
	struct smrc_ring_map	sq;
	struct smrc_ring_map	rq;	/* all zero when the QP has no RQ of its own */
};

/* Scatter/gather entry. */
struct smrc_sge {
	__aligned_u64	addr;
	__u32		length;
	__u32		lkey;
};

/**
 * struct smrc_send_wqe - entry of a SQ
 * @wr_id: of the work request
 * @opcode: enum ibv_wr_opcode / ib_uverbs_wr_opcode
 * @send_flags: enum ibv_send_flags / ib_uverbs_send_flags bits
 * @imm: __be32 immediate data, or the rkey to invalidate (host order)
 * @num_sge: entries of sge; 0 when inline
 * @inline_len: bytes of inline data when IBV_SEND_INLINE is set, else 0
 * @rkey: remote key (RDMA and atomic)
 * @remote_addr: remote address (RDMA and atomic)
 * @compare_add: atomic operand
 * @swap: atomic operand
 * @reserved_38: 0
 * @sge: scatter/gather list; or inline data, @inline_len bytes
 */
struct smrc_send_wqe {
	__aligned_u64	wr_id;
	__u32		opcode;
	__u32		send_flags;
	__u32		imm;
	__u32		num_sge;
	__u32		inline_len;
	__u32		rkey;
	__aligned_u64	remote_addr;
	__aligned_u64	compare_add;
	__aligned_u64	swap;
	__aligned_u64	reserved_38;
	struct smrc_sge	sge[];
};

/**
 * struct smrc_recv_wqe - entry of a RQ
 * @wr_id: of the work request
 * @num_sge: entries of sge
 * @reserved_0c: 0
 * @sge: scatter list
 */
struct smrc_recv_wqe {
	__aligned_u64	wr_id;
	__u32		num_sge;
	__u32		reserved_0c;
	struct smrc_sge	sge[];
};

/**
 * struct smrc_cqe - entry of a CQ
 * @wr_id: of the completed work request
 * @timestamp: time of the completion, CLOCK_REALTIME, ns; 0 when the CQ was not asked for it
 * @status: enum ibv_wc_status
 * @opcode: enum ibv_wc_opcode
 * @byte_len: bytes transferred (receive)
 * @vendor_err: enum smrc_vendor_err when status is an error
 * @imm: __be32 immediate data, or the rkey invalidated (host order)
 * @qpn: local QP
 * @src_qpn: remote QP
 * @wc_flags: enum ibv_wc_flags
 * @reserved_30: 0
 */
struct smrc_cqe {
	__aligned_u64	wr_id;
	__aligned_u64	timestamp;
	__u32		status;
	__u32		opcode;
	__u32		byte_len;
	__u32		vendor_err;
	__u32		imm;
	__u32		qpn;
	__u32		src_qpn;
	__u32		wc_flags;
	__aligned_u64	reserved_30[2];
};

/* Vendor_err of a completion with error: more than the status says. */
enum smrc_vendor_err {
	SMRC_VERR_NONE			= 0,
	SMRC_VERR_NO_MRC_PEER		= 1,	/* the peer never proved that it speaks MRC */
	SMRC_VERR_PEER_NO_SEND		= 2,	/* the peer speaks MRC 1.0 only: WRITE only */
	SMRC_VERR_TIMEOUT		= 3,	/* no progress in timeout x retry_cnt */
	SMRC_VERR_RNR			= 4,	/* receiver not ready, rnr_retry used up */
	SMRC_VERR_REMOTE_NAK		= 5,	/* the peer refused the message */
	SMRC_VERR_LOCAL_KEY		= 6,	/* lkey does not name a valid region */
	SMRC_VERR_LOCAL_PD		= 7,	/* region of another protection domain */
	SMRC_VERR_LOCAL_RIGHTS		= 8,	/* local write right missing */
	SMRC_VERR_LOCAL_BOUNDS		= 9,	/* range outside the region */
	SMRC_VERR_BAD_WQE		= 10,	/* opcode, flags, counts or lengths of the WQE */
	SMRC_VERR_RECV_TOO_SMALL	= 11,	/* message longer than the receive buffer */
};

#define SMRC_MAX_SGE		32	/* of a send or receive WQE */
#define SMRC_MAX_INLINE		512	/* = SMRC_MAX_SGE x sizeof(struct smrc_sge) */

#endif /* SMRC_ABI_USER_H */
