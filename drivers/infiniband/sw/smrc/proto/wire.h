/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * wire.h: every header and limit of the wire, and the checked form of a packet.
 *
 * All integers on the wire are big endian. Formats follow OCP MRC 1.0 7.5.5 as far as independent implementations
 * agree on it; opcodes and fields that are Soft-MRC's own are marked "ours". Documentation/wire.rst draws the packets.
 *
 * To add a packet type: an opcode here, its row in the opcode table of wire.c, its fields in struct smrc_pkt, parse
 * and build in wire.c, a golden packet in kunit/wire_kunit.c, and its picture in Documentation/wire.rst.
 */
#ifndef SMRC_WIRE_H
#define SMRC_WIRE_H

#include <linux/types.h>
#include <linux/bits.h>
#include <linux/build_bug.h>

#define SMRC_UDP_PORT		4791	/* destination port of every packet (RoCEv2, IANA) */
#define SMRC_UDP_PORT_ALT	4971	/* as OCP MRC 1.0 7.5.5.2 prints it once; received, never sent */

#define SMRC_QPN_ENDPOINT	2	/* endpoint requests and responses go to this QPN (OCP MRC 1.0 7.4.7) */
#define SMRC_QPN_FIRST		16	/* lowest QPN given to a QP; 0, 1 and 2 are reserved */
#define SMRC_QPN_MASK		0xffffffU

#define SMRC_ICRC_LEN		4
#define SMRC_MTU_MIN		256	/* smallest path MTU, bytes (IBTA 9.4) */
#define SMRC_MTU_MAX		4096	/* largest payload of a packet, bytes */
#define SMRC_MSG_MAX		0x80000000U	/* largest message, bytes (IBTA 9.4.3) */
#define SMRC_MPR_UNIT		128	/* PSNs in one unit of MPR (OCP MRC 1.0 7.5.1) */
#define SMRC_PKEY_DEFAULT	0xffff

/*
 * BTH opcodes: 0xC0 | IBTA RC opcode, except where MRC 1.0 gave a code another meaning. All of 0xC0..0xDF is
 * manufacturer specific in IBTA terms, so a stock RoCE receiver drops these packets.
 */
enum smrc_opcode {
	SMRC_OP_SEND_FIRST	= 0xc0,	/* ours */
	SMRC_OP_SEND_MIDDLE	= 0xc1,	/* ours */
	SMRC_OP_SEND_LAST	= 0xc2,	/* ours */
	SMRC_OP_SEND_LAST_IMM	= 0xc3,	/* ours */
	SMRC_OP_SEND_ONLY	= 0xc4,	/* ours */
	SMRC_OP_SEND_ONLY_IMM	= 0xc5,	/* ours */
	SMRC_OP_WRITE_FIRST	= 0xc6,
	SMRC_OP_WRITE_MIDDLE	= 0xc7,
	SMRC_OP_WRITE_LAST	= 0xc8,
	SMRC_OP_WRITE_LAST_IMM	= 0xc9,
	SMRC_OP_WRITE_ONLY	= 0xca,
	SMRC_OP_WRITE_ONLY_IMM	= 0xcb,
	SMRC_OP_READ_REQUEST	= 0xcc,	/* ours, as the next four */
	SMRC_OP_READ_RESP_FIRST	= 0xcd,
	SMRC_OP_READ_RESP_MIDDLE = 0xce,
	SMRC_OP_READ_RESP_LAST	= 0xcf,
	SMRC_OP_READ_RESP_ONLY	= 0xd0,
	SMRC_OP_TACK		= 0xd1,	/* transport acknowledge: messages retired */
	SMRC_OP_ATOMIC_RESP	= 0xd2,	/* ours, as the next two */
	SMRC_OP_CMP_SWAP	= 0xd3,
	SMRC_OP_FETCH_ADD	= 0xd4,
	SMRC_OP_EP_REQUEST	= 0xd8,
	SMRC_OP_EP_RESPONSE	= 0xd9,
	SMRC_OP_SACK		= 0xdc,	/* reliability SACK: packets arrived */
	SMRC_OP_NACK		= 0xdd,	/* reliability NACK */
	SMRC_OP_PROBE		= 0xde,	/* reliability probe request */
};

/**
 * struct smrc_bth - base transport header, 12 bytes (IBTA 9.2, OCP MRC 1.0 7.5.5.3)
 * @opcode: enum smrc_opcode
 * @flags: SE, M, pad count, version: SMRC_BTH_*
 * @pkey: partition key
 * @dqpn: bits 31:24 reserved (masked in the ICRC), 23:0 destination QPN
 * @apsn: bits 31:24 SMRC_BTH_A and friends, 23:0 PSN
 */
struct smrc_bth {
	u8	opcode;
	u8	flags;
	__be16	pkey;
	__be32	dqpn;
	__be32	apsn;
};

static_assert(sizeof(struct smrc_bth) == 12);

#define SMRC_BTH_SE		BIT(7)		/* solicited event, in flags */
#define SMRC_BTH_M		BIT(6)		/* MigReq; sent set, ignored on receipt */
#define SMRC_BTH_PAD		GENMASK(5, 4)
#define SMRC_BTH_TVER		GENMASK(3, 0)	/* must be 0 */
#define SMRC_BTH_A		BIT(31)		/* acknowledge at once, in apsn */
#define SMRC_BTH_R		BIT(30)		/* reserved by MRC; sent 0, ignored */
#define SMRC_BTH_RTX		BIT(29)		/* retransmission */
#define SMRC_BTH_TS		BIT(28)		/* a TSETH follows METH */
#define SMRC_BTH_PSN		GENMASK(23, 0)

/**
 * struct smrc_meth - message header of every data packet, 4 bytes
 * @rqmsn: number of the receive WQE that the message takes, modulo 2^16; READ and atomic request: number of the request
 *	among those that draw a response; 0 in all others
 * @msn: number of the message in the sender's stream, modulo 2^16; response: that of the request
 */
struct smrc_meth {
	__be16	rqmsn;
	__be16	msn;
};

static_assert(sizeof(struct smrc_meth) == 4);

/**
 * struct smrc_tseth - timestamp header, 4 bytes
 * @ts: transmit time, units of 128 ns, modulo 2^16
 * @flags: tsr bit 15, ftype (SMRC_TSETH_FTYPE) in bits 3:0
 */
struct smrc_tseth {
	__be16	ts;
	__be16	flags;
};

static_assert(sizeof(struct smrc_tseth) == 4);
#define SMRC_TSETH_FTYPE	1
#define SMRC_TS_SHIFT		7	/* ns to units of 128 ns */

/**
 * struct smrc_reth - RDMA header of every data packet, 16 bytes
 * @va: WRITE: address of this packet's first byte; READ and atomic request: address of the first byte wanted; SEND,
 *	response: offset of this packet's first byte in the message
 * @rkey: WRITE, READ and atomic request: remote key; SEND, response: 0
 * @len: length of the whole message in bytes, in every packet of it; atomic: SMRC_ATOMIC_LEN
 */
struct smrc_reth {
	__be64	va;
	__be32	rkey;
	__be32	len;
} __packed;

static_assert(sizeof(struct smrc_reth) == 16);

/**
 * struct smrc_rpeth - responder's PSN header of a READ or atomic request, 4 bytes (ours)
 * @psn: 23:0 the PSN that the requester expects next on the responder's stream. A QP that is ready to receive and no
 *	more was never told by its user where its own stream begins
 */
struct smrc_rpeth {
	__be32	psn;
};

static_assert(sizeof(struct smrc_rpeth) == 4);

#define SMRC_ATOMIC_LEN		8	/* bytes that an atomic changes */

/**
 * struct smrc_ateth - operands of an atomic request, 16 bytes (ours; IBTA 9.3.5.3 has them in AtomicETH)
 * @swap_add: FETCH_ADD: what to add; CMP_SWAP: what to put in
 * @compare: CMP_SWAP: what must be there; FETCH_ADD: 0
 */
struct smrc_ateth {
	__be64	swap_add;
	__be64	compare;
};

static_assert(sizeof(struct smrc_ateth) == 16);

/**
 * struct smrc_atomic_aeth - result of an atomic, 8 bytes (ours; IBTA 9.5.3 has the same in AtomicAckETH)
 * @orig: what was there before
 */
struct smrc_atomic_aeth {
	__be64	orig;
};

static_assert(sizeof(struct smrc_atomic_aeth) == 8);

struct smrc_immdt {
	__be32	imm;
};

/**
 * struct smrc_aeth - transport acknowledge header, 4 bytes (IBTA 9.3.5.2)
 * @syn_msn: bits 31:24 syndrome (enum smrc_syndrome), 23:0 number of messages retired modulo 2^24; in a NAK the
 *	messages retired before the one refused, so that the next one is the one refused
 */
struct smrc_aeth {
	__be32	syn_msn;
};

static_assert(sizeof(struct smrc_aeth) == 4);
#define SMRC_AETH_SYN		GENMASK(31, 24)
#define SMRC_AETH_MSN		GENMASK(23, 0)

/* AETH syndromes in use (IBTA 9.7.5.2.1). */
enum smrc_syndrome {
	SMRC_SYN_ACK		= 0x1f,	/* all messages up to MSN are done; credits are not used (31) */
	SMRC_SYN_NAK_INV_REQ	= 0x61,	/* the request makes no sense, or its receive buffer is too small */
	SMRC_SYN_NAK_REM_ACCESS	= 0x62,	/* key, rights or range */
	SMRC_SYN_NAK_REM_OP	= 0x63,	/* the responder cannot do it: its own work request or ring is at fault */
};

/**
 * struct smrc_seth - selective acknowledge header, 28 bytes (OCP MRC 1.0 7.5.2)
 * @type_nxt: type 0 in bits 7:4, nxt[4:1] in bits 3:0; sent 0
 * @flags: nxt[0] bit 7, m bits 6:5 (enum smrc_mark), pr bit 1 (answer to a probe)
 * @ack_psn_offset: signed; PSN of the packet that caused this SACK minus @cack_psn; the probe id when pr is set
 * @entropy: entropy value of the packet that caused this SACK
 * @spdcid: sent 0
 * @dpdcid: sent 0
 * @cack: bits 31:24 reserved, 23:0 PSN up to which everything arrived
 * @cc_type: bits 7:4 cc_type (0), 3:0 cc_flags
 * @mpr: receive window of the sender of this SACK in units of SMRC_MPR_UNIT PSNs
 * @sack_offset: signed; PSN of bit 0 of @bitmap minus cack; any value is valid on receipt
 * @bitmap: bit i set: PSN cack + sack_offset + i arrived
 */
struct smrc_seth {
	u8	type_nxt;
	u8	flags;
	__be16	ack_psn_offset;
	__be32	entropy;
	__be16	spdcid;
	__be16	dpdcid;
	__be32	cack;
	u8	cc_type;
	u8	mpr;
	__be16	sack_offset;
	__be64	bitmap;
} __packed;

static_assert(sizeof(struct smrc_seth) == 28);
#define SMRC_SETH_M		GENMASK(6, 5)
#define SMRC_SETH_PR		BIT(1)

/**
 * struct smrc_ccst - congestion control state behind every SETH, 8 bytes
 * @ts: timestamp of the packet that caused the SACK plus the time spent in the receiver, units of 128 ns
 * @ooo: bit 15 reserved, 14:0 packets held beyond the cumulative PSN
 * @pen: bit 7 restore_cwnd, 6:0 receiver window penalty
 * @rcvd_bytes: bytes received, units of 256 bytes, modulo 2^24
 */
struct smrc_ccst {
	__be16	ts;
	__be16	ooo;
	u8	pen;
	u8	rcvd_bytes[3];
};

static_assert(sizeof(struct smrc_ccst) == 8);
#define SMRC_CCST_OOO		GENMASK(14, 0)
#define SMRC_CCST_PEN		GENMASK(6, 0)

/**
 * struct smrc_neth - negative acknowledge header, 20 bytes (OCP MRC 1.0 7.5.3)
 * @type_nxt: sent 0
 * @rsvd1: sent 0
 * @reason: enum smrc_nack_reason
 * @vendor: ours, with SMRC_NACK_NO_RESOURCE: RNR timer code the requester waits before it tries again
 *	(IBTA table 45); else 0
 * @entropy: entropy value of the packet refused
 * @spdcid: sent 0
 * @dpdcid: sent 0
 * @nack_psn: bits 31:24 reserved, 23:0 PSN of the packet refused
 * @cc_type: bits 7:4 cc_type (2), 3:0 flags
 * @rsvd2: sent 0
 * @ts: timestamp as in struct smrc_ccst
 */
struct smrc_neth {
	u8	type_nxt;
	u8	rsvd1;
	u8	reason;
	u8	vendor;
	__be32	entropy;
	__be16	spdcid;
	__be16	dpdcid;
	__be32	nack_psn;
	u8	cc_type;
	u8	rsvd2;
	__be16	ts;
};

static_assert(sizeof(struct smrc_neth) == 20);
#define SMRC_NETH_CC_TYPE	0x20
#define SMRC_NETH_RNR_TIMER	GENMASK(4, 0)	/* in vendor */

/*
 * Why a packet was refused (OCP MRC 1.0 table 7-3). All but SMRC_NACK_UNEXP_EVENT ask for a retransmission. Only
 * SMRC_NACK_TRIMMED says something about the path.
 */
enum smrc_nack_reason {
	SMRC_NACK_TRIMMED		= 1,
	SMRC_NACK_TRIMMED_LASTHOP	= 2,	/* no other path would have helped: the value is not marked */
	SMRC_NACK_NO_BITMAP		= 6,
	SMRC_NACK_NO_PKT_BUFFER		= 7,
	SMRC_NACK_NO_RESOURCE		= 10,	/* no receive WQE: the verbs RNR condition */
	SMRC_NACK_PSN_OOR_WINDOW	= 11,
	SMRC_NACK_UNEXP_EVENT		= 25,	/* the QP goes to error */
};

/**
 * struct smrc_peth - reliability probe header, 16 bytes (OCP MRC 1.0 7.4.6)
 * @rsvd0: sent 0
 * @vendor: sent 0
 * @probe_id: echoed in the answer's ack_psn_offset
 * @waited: ours, of a question: how long its sender waited at least, units of 2^14 ns, saturating; else sent 0
 * @spdcid: sent 0
 * @dpdcid: sent 0
 * @ts: transmit time, units of 128 ns
 * @flags: as in struct smrc_tseth
 */
struct smrc_peth {
	u8	rsvd0[3];
	u8	vendor;
	__be16	probe_id;
	__be16	waited;
	__be16	spdcid;
	__be16	dpdcid;
	__be16	ts;
	__be16	flags;
};

static_assert(sizeof(struct smrc_peth) == 16);
#define SMRC_PETH_WAITED_SHIFT	14	/* ns to the unit of waited */

/**
 * struct smrc_erth - endpoint request header, 16 bytes (OCP MRC 1.0 7.4.7)
 * @op: bits 7:6: enum smrc_ep_op
 * @rsvd0: sent 0
 * @port_mask: bit 1: port reachable
 * @caps: ours: capability word of the requester (SMRC_CAP_*); 0 from a plain MRC 1.0 endpoint
 * @ts: transmit time, units of 128 ns
 * @mpr: ours: receive window of the requester in units of SMRC_MPR_UNIT PSNs, bits 7:0; 0 when not told
 */
struct smrc_erth {
	u8	op;
	u8	rsvd0[3];
	__be32	port_mask;
	__be32	caps;
	__be16	ts;
	__be16	mpr;
};

static_assert(sizeof(struct smrc_erth) == 16);
#define SMRC_ERTH_OP		GENMASK(7, 6)
#define SMRC_ERTH_PORT_1	BIT(1)		/* in port_mask, always sent */

enum smrc_ep_op {
	SMRC_EP_PORT_STATUS	= 0,
	SMRC_EP_EV_PROBE	= 1,	/* what peer discovery sends */
};

/**
 * struct smrc_eeth - endpoint response header, 36 bytes
 * @op: as in the request
 * @rsvd0: sent 0
 * @data: data[0] ours: capability word; data[1] ours: receive window in units of SMRC_MPR_UNIT PSNs, bits 7:0; rest 0
 * @ts: echoed from the request
 * @rsvd1: sent 0
 * @rsvd2: sent 0
 */
struct smrc_eeth {
	u8	op;
	u8	rsvd0[3];
	__be32	data[6];
	__be16	ts;
	__be16	rsvd1;
	__be32	rsvd2;
};

static_assert(sizeof(struct smrc_eeth) == 36);

#define SMRC_CAP_MAGIC		0x534d0000U	/* "SM": the word is ours */
#define SMRC_CAP_MAGIC_MASK	0xffff0000U
#define SMRC_CAP_SEND		BIT(0)		/* SEND opcodes understood */
#define SMRC_CAP_READ		BIT(1)		/* READ opcodes understood */
#define SMRC_CAP_ATOMIC		BIT(2)		/* atomic opcodes understood */
/* This version's word. */
#define SMRC_CAPS		(SMRC_CAP_MAGIC | SMRC_CAP_SEND | SMRC_CAP_READ | SMRC_CAP_ATOMIC)

/* Longest BTH + extension headers of any packet: what a receiver must pull. */
#define SMRC_HDR_MAX		56
/* BTH, METH, TSETH, RETH, ImmDt: longest headers of a packet with a payload. */
#define SMRC_DATA_HDR_MAX	40

/* The field m of a SACK: what the receiver says of the entropy value. */
enum smrc_mark {
	SMRC_MARK_NONE		= 0,
	SMRC_MARK_SKIP_ONCE	= 1,	/* ECN seen: pass the value over once */
	SMRC_MARK_ALWAYS_SKIP	= 2,	/* take the value out of use */
};

/**
 * struct smrc_sack - a SACK in host form
 * @cack: everything up to this PSN arrived
 * @ack_psn: PSN of the packet that caused the SACK; undefined when @probe
 * @sack_base: PSN of bit 0 of @bitmap
 * @bitmap: bit i: PSN sack_base + i arrived
 * @entropy: entropy value of the packet that caused the SACK
 * @mark: enum smrc_mark
 * @probe: this answers a probe
 * @probe_id: id of the probe answered; 0 unless @probe
 * @mpr: receiver's window in units of SMRC_MPR_UNIT
 * @ts: echoed timestamp, 128 ns units
 * @ooo: packets held beyond @cack
 * @penalty: part of its window that the receiver asks the sender to give up, 1/128
 * @rcvd_bytes: bytes received in units of 256
 */
struct smrc_sack {
	u32	cack;
	u32	ack_psn;
	u32	sack_base;
	u64	bitmap;
	u32	entropy;
	u8	mark;
	bool	probe;
	u16	probe_id;
	u8	mpr;
	u16	ts;
	u16	ooo;
	u8	penalty;
	u32	rcvd_bytes;
};

/**
 * struct smrc_pkt - a packet after all checks that need no state, and the input to build one
 * @opcode: enum smrc_opcode
 * @se: solicited event
 * @ack_req: A bit
 * @rtx: retransmission
 * @has_ts: a TSETH is present (data packets only)
 * @pad: pad bytes behind the payload, 0..3
 * @hdr_len: length of BTH and extension headers in bytes
 * @pkey: partition key
 * @dqpn: destination QPN
 * @psn: PSN
 * @ts: TSETH timestamp when @has_ts
 * @payload_len: payload bytes without pad and ICRC
 * @data: data packets; imm is valid for *_IMM opcodes, rsp_psn for what smrc_op_asks(), swap_add and compare for atomic
 *	requests, orig for their responses
 * @sack: SMRC_OP_SACK
 * @nack: SMRC_OP_NACK
 * @probe: SMRC_OP_PROBE
 * @tack: SMRC_OP_TACK; @psn is the cumulative PSN of the receiver
 * @ep: SMRC_OP_EP_REQUEST and SMRC_OP_EP_RESPONSE; caps is 0 when the word is not ours
 */
struct smrc_pkt {
	u8	opcode;
	bool	se;
	bool	ack_req;
	bool	rtx;
	bool	has_ts;
	u8	pad;
	u16	hdr_len;
	u16	pkey;
	u32	dqpn;
	u32	psn;
	u16	ts;
	u16	payload_len;
	union {
		struct {
			u16	rqmsn;
			u16	msn;
			u32	rkey;
			u64	va;
			u32	msg_len;
			__be32	imm;
			u32	rsp_psn;
			union {
				u64	swap_add;
				u64	orig;
			};
			u64	compare;
		} data;
		struct smrc_sack sack;
		struct {
			u8	reason;
			u8	rnr_timer;
			u32	entropy;
			u32	psn;
			u16	ts;
		} nack;
		struct {
			u16	id;
			u16	ts;
			u32	waited_ns;
		} probe;
		struct {
			u8	syndrome;
			u32	msn;
		} tack;
		struct {
			u8	op;
			u32	caps;
			u8	mpr;
			u16	ts;
		} ep;
	};
};

/* Why bytes are not a packet; 0 is fine. */
enum smrc_wire_err {
	SMRC_WIRE_OK = 0,
	SMRC_WIRE_SHORT,	/* shorter than its headers, pad and ICRC */
	SMRC_WIRE_VERSION,	/* TVer is not 0 */
	SMRC_WIRE_OPCODE,	/* unknown opcode */
	SMRC_WIRE_LENGTH,	/* payload too long, or a length that contradicts the opcode */
	SMRC_WIRE_FIELD,	/* a field outside its range */
};

/**
 * smrc_op_is_send() - is this a SEND packet?
 * @opcode: any byte
 *
 * Return: true for all SEND opcodes, with immediate data or without.
 */
static inline bool smrc_op_is_send(u8 opcode)
{
	return opcode >= SMRC_OP_SEND_FIRST && opcode <= SMRC_OP_SEND_ONLY_IMM;
}

bool smrc_op_is_data(u8 opcode);
bool smrc_op_is_resp(u8 opcode);
bool smrc_op_asks(u8 opcode);
bool smrc_op_is_last(u8 opcode);
bool smrc_op_has_imm(u8 opcode);
bool smrc_op_takes_rqe(u8 opcode);
const char *smrc_op_name(u8 opcode);

/**
 * smrc_ts() - a time as packets carry it
 * @now_ns: the time, ns
 *
 * Ours: 0 stands for "no timestamp", so it is never sent.
 *
 * Return: units of 128 ns modulo 2^16, not 0.
 */
static inline u16 smrc_ts(u64 now_ns)
{
	return (u16)(now_ns >> SMRC_TS_SHIFT) ?: 1;
}

/* Most that a receiver may take for itself and have left out of a round trip; units of 128 ns: 33 us. */
#define SMRC_TS_SERVICE_MAX	256

/**
 * smrc_ts_echo() - a timestamp as an acknowledgment brings it back
 * @ts: as it came, 0: none
 * @service_ns: since the packet that brought it came, ns
 *
 * Later by the time spent in the receiver (OCP MRC 1.0, CC_STATE), so that the round trip is that of the network. Ours:
 * by less than SMRC_TS_SERVICE_MAX, since more could not be told from an earlier transmission's timestamp. One less,
 * because the result may have to be 1 where it would be 0.
 *
 * Return: the timestamp, 0 when @ts is.
 */
static inline u16 smrc_ts_echo(u16 ts, u64 service_ns)
{
	u64 service = service_ns >> SMRC_TS_SHIFT;

	if (!ts)
		return 0;
	return (u16)(ts + (service < SMRC_TS_SERVICE_MAX ? service : SMRC_TS_SERVICE_MAX - 1)) ?: 1;
}

u32 smrc_wire_hdr_len(u8 opcode, bool has_ts);
enum smrc_wire_err smrc_wire_headers(const void *buf, u32 linear, struct smrc_pkt *pkt);
enum smrc_wire_err smrc_wire_body(struct smrc_pkt *pkt, u32 total);
enum smrc_wire_err smrc_wire_parse(const void *buf, u32 linear, u32 total, struct smrc_pkt *pkt);
u32 smrc_wire_build(void *buf, const struct smrc_pkt *pkt);

#endif /* SMRC_WIRE_H */
