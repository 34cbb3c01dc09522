// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * Bytes to checked packets, and packets to bytes; wire.h describes both. One table of opcodes drives all of it.
 *
 * Headers are copied out of the buffer before they are read, and into it after they are made: the buffer may have any
 * alignment, and a reader never sees a byte twice.
 */
#include <linux/array_size.h>
#include <linux/bitfield.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/byteorder.h>

#include "psn.h"
#include "wire.h"

/* What stands behind the BTH; selects how a packet is parsed and built. */
enum smrc_op_class {
	OP_DATA,
	OP_SACK,
	OP_NACK,
	OP_PROBE,
	OP_TACK,
	OP_EP_REQUEST,
	OP_EP_RESPONSE,
};

#define OP_FIRST	BIT(0)	/* first of several packets of a message */
#define OP_MIDDLE	BIT(1)	/* neither first nor last */
#define OP_LAST		BIT(2)	/* last of several */
#define OP_ONLY		BIT(3)	/* all of a message */
#define OP_IMM		BIT(4)	/* carries an ImmDt */
#define OP_RQE		BIT(5)	/* proves that its message takes a receive WQE */
#define OP_PAYLOAD	BIT(6)	/* may carry a payload */
#define OP_ASKS		BIT(7)	/* a request that draws a response, which carries the message */
#define OP_RESP		BIT(8)	/* of a response */
#define OP_ATOMIC	BIT(9)	/* of an atomic */

#define OP_EXT_DATA	(sizeof(struct smrc_meth) + sizeof(struct smrc_reth))
#define OP_EXT_IMM	(OP_EXT_DATA + sizeof(struct smrc_immdt))
#define OP_EXT_READ	(OP_EXT_DATA + sizeof(struct smrc_rpeth))
#define OP_EXT_ATOMIC	(OP_EXT_READ + sizeof(struct smrc_ateth))
#define OP_EXT_ORIG	(OP_EXT_DATA + sizeof(struct smrc_atomic_aeth))
#define OP_EXT_SACK	(sizeof(struct smrc_seth) + sizeof(struct smrc_ccst))

/**
 * struct smrc_op - one opcode
 * @name: for traces
 * @cls: enum smrc_op_class
 * @flags: OP_*
 * @ext_len: extension headers without TSETH, bytes
 */
struct smrc_op {
	const char	*name;
	u8		cls;
	u16		flags;
	u8		ext_len;
};

#define OP_BASE		0xc0U

#define OP(_name, _cls, _ext_len, _flags) \
	[SMRC_OP_##_name - OP_BASE] = { .name = #_name, .cls = (_cls), .flags = (_flags), .ext_len = (_ext_len) }

static const struct smrc_op smrc_ops[] = {
	OP(SEND_FIRST,		OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_FIRST | OP_RQE),
	OP(SEND_MIDDLE,		OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_MIDDLE | OP_RQE),
	OP(SEND_LAST,		OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_LAST | OP_RQE),
	OP(SEND_LAST_IMM,	OP_DATA, OP_EXT_IMM, OP_PAYLOAD | OP_LAST | OP_RQE | OP_IMM),
	OP(SEND_ONLY,		OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_ONLY | OP_RQE),
	OP(SEND_ONLY_IMM,	OP_DATA, OP_EXT_IMM, OP_PAYLOAD | OP_ONLY | OP_RQE | OP_IMM),
	OP(WRITE_FIRST,		OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_FIRST),
	OP(WRITE_MIDDLE,	OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_MIDDLE),
	OP(WRITE_LAST,		OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_LAST),
	OP(WRITE_LAST_IMM,	OP_DATA, OP_EXT_IMM, OP_PAYLOAD | OP_LAST | OP_RQE | OP_IMM),
	OP(WRITE_ONLY,		OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_ONLY),
	OP(WRITE_ONLY_IMM,	OP_DATA, OP_EXT_IMM, OP_PAYLOAD | OP_ONLY | OP_RQE | OP_IMM),
	OP(READ_REQUEST,	OP_DATA, OP_EXT_READ, OP_ONLY | OP_ASKS),
	OP(READ_RESP_FIRST,	OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_FIRST | OP_RESP),
	OP(READ_RESP_MIDDLE,	OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_MIDDLE | OP_RESP),
	OP(READ_RESP_LAST,	OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_LAST | OP_RESP),
	OP(READ_RESP_ONLY,	OP_DATA, OP_EXT_DATA, OP_PAYLOAD | OP_ONLY | OP_RESP),
	OP(ATOMIC_RESP,		OP_DATA, OP_EXT_ORIG, OP_ONLY | OP_RESP | OP_ATOMIC),
	OP(CMP_SWAP,		OP_DATA, OP_EXT_ATOMIC, OP_ONLY | OP_ASKS | OP_ATOMIC),
	OP(FETCH_ADD,		OP_DATA, OP_EXT_ATOMIC, OP_ONLY | OP_ASKS | OP_ATOMIC),
	OP(TACK,		OP_TACK, sizeof(struct smrc_aeth), 0),
	OP(EP_REQUEST,		OP_EP_REQUEST, sizeof(struct smrc_erth), 0),
	OP(EP_RESPONSE,		OP_EP_RESPONSE, sizeof(struct smrc_eeth), 0),
	OP(SACK,		OP_SACK, OP_EXT_SACK, 0),
	OP(NACK,		OP_NACK, sizeof(struct smrc_neth), 0),
	OP(PROBE,		OP_PROBE, sizeof(struct smrc_peth), 0),
};

static_assert(sizeof(struct smrc_bth) + OP_EXT_SACK <= SMRC_HDR_MAX);
static_assert(sizeof(struct smrc_bth) + sizeof(struct smrc_eeth) <= SMRC_HDR_MAX);
static_assert(sizeof(struct smrc_bth) + OP_EXT_IMM + sizeof(struct smrc_tseth) == SMRC_DATA_HDR_MAX);
static_assert(sizeof(struct smrc_bth) + OP_EXT_ATOMIC + sizeof(struct smrc_tseth) <= SMRC_HDR_MAX);

/* Row of an opcode, NULL when it is not one of ours. */
static const struct smrc_op *smrc_op(u8 opcode)
{
	const struct smrc_op *op;

	if (opcode < OP_BASE || opcode - OP_BASE >= ARRAY_SIZE(smrc_ops))
		return NULL;
	op = &smrc_ops[opcode - OP_BASE];
	return op->name ? op : NULL;
}

static bool smrc_op_has(u8 opcode, u16 flags)
{
	const struct smrc_op *op = smrc_op(opcode);

	return op && (op->flags & flags);
}

/**
 * smrc_op_is_data() - is this a packet of a message, one that takes a PSN?
 * @opcode: any byte
 *
 * Return: true for all SEND, WRITE, READ and atomic opcodes.
 */
bool smrc_op_is_data(u8 opcode)
{
	const struct smrc_op *op = smrc_op(opcode);

	return op && op->cls == OP_DATA;
}

/**
 * smrc_op_is_resp() - is this a packet of a response?
 * @opcode: any byte
 *
 * Return: true for the READ response opcodes and the result of an atomic.
 */
bool smrc_op_is_resp(u8 opcode)
{
	return smrc_op_has(opcode, OP_RESP);
}

/**
 * smrc_op_asks() - is this a request that draws a response?
 * @opcode: any byte
 *
 * Return: true for READ and atomic requests.
 */
bool smrc_op_asks(u8 opcode)
{
	return smrc_op_has(opcode, OP_ASKS);
}

/**
 * smrc_op_is_last() - does this packet end its message?
 * @opcode: any byte
 *
 * Return: true for the LAST and ONLY opcodes.
 */
bool smrc_op_is_last(u8 opcode)
{
	return smrc_op_has(opcode, OP_LAST | OP_ONLY);
}

/**
 * smrc_op_has_imm() - does this packet carry immediate data?
 * @opcode: any byte
 *
 * Return: true for the LAST_IMM and ONLY_IMM opcodes.
 */
bool smrc_op_has_imm(u8 opcode)
{
	return smrc_op_has(opcode, OP_IMM);
}

/**
 * smrc_op_takes_rqe() - does this packet show that its message takes a receive WQE?
 * @opcode: any byte
 *
 * Only the last packet of a WRITE tells whether the message has an immediate, so the answer for WRITE FIRST and MIDDLE
 * is no.
 *
 * Return: true for every SEND opcode and for a WRITE's LAST_IMM and ONLY_IMM.
 */
bool smrc_op_takes_rqe(u8 opcode)
{
	return smrc_op_has(opcode, OP_RQE);
}

/**
 * smrc_op_name() - name of an opcode for traces
 * @opcode: any byte
 *
 * Return: the name without SMRC_OP_, or "UNKNOWN".
 */
const char *smrc_op_name(u8 opcode)
{
	const struct smrc_op *op = smrc_op(opcode);

	return op ? op->name : "UNKNOWN";
}

/**
 * smrc_wire_hdr_len() - length of BTH and extension headers
 * @opcode: any byte
 * @has_ts: a TSETH is present; only data packets can have one
 *
 * Return: bytes, at most SMRC_HDR_MAX; 0 for an unknown opcode and for a TSETH where none can be.
 */
u32 smrc_wire_hdr_len(u8 opcode, bool has_ts)
{
	const struct smrc_op *op = smrc_op(opcode);

	if (!op || (has_ts && op->cls != OP_DATA))
		return 0;
	return sizeof(struct smrc_bth) + op->ext_len + (has_ts ? sizeof(struct smrc_tseth) : 0);
}

/*
 * Lengths that are wrong whatever the path MTU is. All packets of a message but the last are filled to the path MTU,
 * which is a power of two from 256 to 4096 (IBTA 9.4), so what lies before the last packet is a multiple of 256 and
 * no shorter than it. A SEND and a response also name the place of the packet in the message.
 */
static enum smrc_wire_err smrc_check_position(const struct smrc_op *op, const struct smrc_pkt *pkt)
{
	bool placed = smrc_op_is_send(pkt->opcode) || smrc_op_is_resp(pkt->opcode);
	u32 msg_len = pkt->data.msg_len;
	u32 len = pkt->payload_len;
	u64 off = pkt->data.va;
	u32 other;		/* bytes of the message in other packets */
	bool ok;

	if (msg_len > SMRC_MSG_MAX)
		return SMRC_WIRE_FIELD;
	if (op->flags & OP_ATOMIC)
		return msg_len == SMRC_ATOMIC_LEN ? SMRC_WIRE_OK : SMRC_WIRE_LENGTH;
	if (op->flags & OP_ASKS)
		return SMRC_WIRE_OK;
	if (len > msg_len)
		return SMRC_WIRE_LENGTH;
	if ((op->flags & (OP_FIRST | OP_MIDDLE)) && (len < SMRC_MTU_MIN || (len & (len - 1))))
		return SMRC_WIRE_LENGTH;

	other = msg_len - len;
	if (op->flags & OP_ONLY)
		ok = other == 0 && (!placed || off == 0);
	else if (op->flags & OP_FIRST)
		ok = other > 0 && (!placed || off == 0);
	else if (op->flags & OP_MIDDLE)
		ok = other > len && (!placed || (off >= len && off < other && !(off & (len - 1))));
	else
		ok = len > 0 && other >= len && other % SMRC_MTU_MIN == 0 && (!placed || off == other);
	return ok ? SMRC_WIRE_OK : SMRC_WIRE_LENGTH;
}

static void smrc_parse_asks(const struct smrc_op *op, const u8 *p, struct smrc_pkt *pkt)
{
	struct smrc_rpeth rpeth;
	struct smrc_ateth ateth;

	memcpy(&rpeth, p, sizeof(rpeth));
	pkt->data.rsp_psn = be32_to_cpu(rpeth.psn) & SMRC_PSN_MASK;
	if (!(op->flags & OP_ATOMIC))
		return;
	memcpy(&ateth, p + sizeof(rpeth), sizeof(ateth));
	pkt->data.swap_add = be64_to_cpu(ateth.swap_add);
	pkt->data.compare = be64_to_cpu(ateth.compare);
}

static enum smrc_wire_err smrc_parse_data(const struct smrc_op *op, const u8 *p, struct smrc_pkt *pkt)
{
	struct smrc_atomic_aeth aeth;
	struct smrc_tseth tseth;
	struct smrc_immdt immdt;
	struct smrc_meth meth;
	struct smrc_reth reth;

	memcpy(&meth, p, sizeof(meth));
	p += sizeof(meth);
	pkt->data.rqmsn = be16_to_cpu(meth.rqmsn);
	pkt->data.msn = be16_to_cpu(meth.msn);
	if (pkt->has_ts) {
		memcpy(&tseth, p, sizeof(tseth));
		p += sizeof(tseth);
		pkt->ts = be16_to_cpu(tseth.ts);
	}
	memcpy(&reth, p, sizeof(reth));
	p += sizeof(reth);
	pkt->data.va = be64_to_cpu(reth.va);
	pkt->data.rkey = be32_to_cpu(reth.rkey);
	pkt->data.msg_len = be32_to_cpu(reth.len);
	if (op->flags & OP_IMM) {
		memcpy(&immdt, p, sizeof(immdt));
		pkt->data.imm = immdt.imm;
	} else if (op->flags & OP_ASKS) {
		smrc_parse_asks(op, p, pkt);
	} else if (op->flags & OP_ATOMIC) {
		memcpy(&aeth, p, sizeof(aeth));
		pkt->data.orig = be64_to_cpu(aeth.orig);
	}
	return SMRC_WIRE_OK;
}

static enum smrc_wire_err smrc_parse_sack(const u8 *p, struct smrc_sack *sack)
{
	struct smrc_seth seth;
	struct smrc_ccst ccst;
	u16 off;

	memcpy(&seth, p, sizeof(seth));
	memcpy(&ccst, p + sizeof(seth), sizeof(ccst));
	sack->cack = be32_to_cpu(seth.cack) & SMRC_PSN_MASK;
	sack->sack_base = smrc_psn_add(sack->cack, (s16)be16_to_cpu(seth.sack_offset));
	sack->bitmap = be64_to_cpu(seth.bitmap);
	sack->entropy = be32_to_cpu(seth.entropy);
	sack->mark = FIELD_GET(SMRC_SETH_M, seth.flags);
	sack->probe = seth.flags & SMRC_SETH_PR;
	sack->mpr = seth.mpr;
	off = be16_to_cpu(seth.ack_psn_offset);
	if (sack->probe)
		sack->probe_id = off;
	else
		sack->ack_psn = smrc_psn_add(sack->cack, (s16)off);
	sack->ts = be16_to_cpu(ccst.ts);
	sack->ooo = be16_to_cpu(ccst.ooo) & SMRC_CCST_OOO;
	sack->penalty = ccst.pen & SMRC_CCST_PEN;
	sack->rcvd_bytes = ccst.rcvd_bytes[0] << 16 | ccst.rcvd_bytes[1] << 8 | ccst.rcvd_bytes[2];
	return sack->mark > SMRC_MARK_ALWAYS_SKIP ? SMRC_WIRE_FIELD : SMRC_WIRE_OK;
}

/* Unknown reasons are kept: a later version of MRC may have more, and the packet refused is known all the same. */
static enum smrc_wire_err smrc_parse_nack(const u8 *p, struct smrc_pkt *pkt)
{
	struct smrc_neth neth;

	memcpy(&neth, p, sizeof(neth));
	pkt->nack.reason = neth.reason;
	if (neth.reason == SMRC_NACK_NO_RESOURCE)
		pkt->nack.rnr_timer = neth.vendor & SMRC_NETH_RNR_TIMER;
	pkt->nack.entropy = be32_to_cpu(neth.entropy);
	pkt->nack.psn = be32_to_cpu(neth.nack_psn) & SMRC_PSN_MASK;
	pkt->nack.ts = be16_to_cpu(neth.ts);
	return SMRC_WIRE_OK;
}

static enum smrc_wire_err smrc_parse_probe(const u8 *p, struct smrc_pkt *pkt)
{
	struct smrc_peth peth;

	memcpy(&peth, p, sizeof(peth));
	pkt->probe.id = be16_to_cpu(peth.probe_id);
	pkt->probe.ts = be16_to_cpu(peth.ts);
	pkt->probe.waited_ns = (u32)be16_to_cpu(peth.waited) << SMRC_PETH_WAITED_SHIFT;
	return SMRC_WIRE_OK;
}

/* ACK syndromes carry a credit count (IBTA 9.7.5.2), which is not used: all of them read as SMRC_SYN_ACK. */
static enum smrc_wire_err smrc_parse_tack(const u8 *p, struct smrc_pkt *pkt)
{
	struct smrc_aeth aeth;
	u32 v;

	memcpy(&aeth, p, sizeof(aeth));
	v = be32_to_cpu(aeth.syn_msn);
	pkt->tack.msn = v & SMRC_AETH_MSN;
	pkt->tack.syndrome = FIELD_GET(SMRC_AETH_SYN, v);
	if (pkt->tack.syndrome <= SMRC_SYN_ACK) {
		pkt->tack.syndrome = SMRC_SYN_ACK;
		return SMRC_WIRE_OK;
	}
	switch (pkt->tack.syndrome) {
	case SMRC_SYN_NAK_INV_REQ:
	case SMRC_SYN_NAK_REM_ACCESS:
	case SMRC_SYN_NAK_REM_OP:
		return SMRC_WIRE_OK;
	default:
		return SMRC_WIRE_FIELD;
	}
}

/* A plain MRC 1.0 endpoint may put anything into the fields that are ours: without our magic they mean nothing. */
static enum smrc_wire_err smrc_parse_ep(struct smrc_pkt *pkt, u8 op, u32 caps, u32 mpr, u16 ts)
{
	pkt->ep.op = FIELD_GET(SMRC_ERTH_OP, op);
	pkt->ep.ts = ts;
	if ((caps & SMRC_CAP_MAGIC_MASK) == SMRC_CAP_MAGIC) {
		pkt->ep.caps = caps;
		pkt->ep.mpr = mpr;
	}
	if (pkt->ep.op > SMRC_EP_EV_PROBE || pkt->dqpn != SMRC_QPN_ENDPOINT)
		return SMRC_WIRE_FIELD;
	return SMRC_WIRE_OK;
}

static enum smrc_wire_err smrc_parse_ep_request(const u8 *p, struct smrc_pkt *pkt)
{
	struct smrc_erth erth;

	memcpy(&erth, p, sizeof(erth));
	return smrc_parse_ep(pkt, erth.op, be32_to_cpu(erth.caps), be16_to_cpu(erth.mpr), be16_to_cpu(erth.ts));
}

static enum smrc_wire_err smrc_parse_ep_response(const u8 *p, struct smrc_pkt *pkt)
{
	struct smrc_eeth eeth;

	memcpy(&eeth, p, sizeof(eeth));
	return smrc_parse_ep(pkt, eeth.op, be32_to_cpu(eeth.data[0]), be32_to_cpu(eeth.data[1]),
			     be16_to_cpu(eeth.ts));
}

static enum smrc_wire_err smrc_parse_ext(const struct smrc_op *op, const u8 *p, struct smrc_pkt *pkt)
{
	switch ((enum smrc_op_class)op->cls) {
	case OP_DATA:
		return smrc_parse_data(op, p, pkt);
	case OP_SACK:
		return smrc_parse_sack(p, &pkt->sack);
	case OP_NACK:
		return smrc_parse_nack(p, pkt);
	case OP_PROBE:
		return smrc_parse_probe(p, pkt);
	case OP_TACK:
		return smrc_parse_tack(p, pkt);
	case OP_EP_REQUEST:
		return smrc_parse_ep_request(p, pkt);
	case OP_EP_RESPONSE:
		return smrc_parse_ep_response(p, pkt);
	}
	return SMRC_WIRE_OPCODE;
}

/* Cut headers, pad and ICRC off @total: what is left is payload, and must suit the opcode. */
static enum smrc_wire_err smrc_check_length(const struct smrc_op *op, u32 total, struct smrc_pkt *pkt)
{
	u32 len = total - pkt->hdr_len - SMRC_ICRC_LEN;

	if (len < pkt->pad)
		return SMRC_WIRE_SHORT;
	if (!(op->flags & OP_PAYLOAD))
		return len ? SMRC_WIRE_LENGTH : SMRC_WIRE_OK;
	/* pad fills the payload to 4 bytes (IBTA 9.2), no more */
	if (len % 4 || len - pkt->pad > SMRC_MTU_MAX)
		return SMRC_WIRE_LENGTH;
	pkt->payload_len = len - pkt->pad;
	return SMRC_WIRE_OK;
}

/**
 * smrc_wire_headers() - read the headers of a packet
 * @buf: first bytes of the payload of a UDP datagram, any alignment
 * @linear: how many bytes of it may be read; all headers must be among them, at most SMRC_HDR_MAX are read
 * @pkt: the packet, but for its payload_len; undefined when bytes are refused
 *
 * What is behind the headers may be anything, or nothing, as when a switch has trimmed the packet: smrc_wire_body()
 * judges that. Reserved fields are ignored.
 *
 * Return: SMRC_WIRE_OK, or why these are no headers of ours.
 */
enum smrc_wire_err smrc_wire_headers(const void *buf, u32 linear, struct smrc_pkt *pkt)
{
	const struct smrc_op *op;
	struct smrc_bth bth;
	u32 apsn;

	memset(pkt, 0, sizeof(*pkt));
	if (linear < sizeof(bth))
		return SMRC_WIRE_SHORT;
	memcpy(&bth, buf, sizeof(bth));
	if (bth.flags & SMRC_BTH_TVER)
		return SMRC_WIRE_VERSION;
	op = smrc_op(bth.opcode);
	if (!op)
		return SMRC_WIRE_OPCODE;

	apsn = be32_to_cpu(bth.apsn);
	pkt->opcode = bth.opcode;
	pkt->se = bth.flags & SMRC_BTH_SE;
	pkt->pad = FIELD_GET(SMRC_BTH_PAD, bth.flags);
	pkt->pkey = be16_to_cpu(bth.pkey);
	pkt->dqpn = be32_to_cpu(bth.dqpn) & SMRC_QPN_MASK;
	pkt->ack_req = apsn & SMRC_BTH_A;
	pkt->rtx = apsn & SMRC_BTH_RTX;
	pkt->has_ts = apsn & SMRC_BTH_TS;
	pkt->psn = apsn & SMRC_BTH_PSN;

	pkt->hdr_len = smrc_wire_hdr_len(pkt->opcode, pkt->has_ts);
	if (!pkt->hdr_len)
		return SMRC_WIRE_FIELD;
	if (linear < pkt->hdr_len)
		return SMRC_WIRE_SHORT;
	return smrc_parse_ext(op, (const u8 *)buf + sizeof(bth), pkt);
}

/**
 * smrc_wire_body() - check what lies behind the headers, and set payload_len
 * @pkt: a packet from smrc_wire_headers()
 * @total: length of the UDP payload, pad and ICRC included
 *
 * Checks all that can be checked without state and without the path MTU; the ICRC is the caller's. Payload bytes follow
 * hdr_len bytes behind the start.
 *
 * Return: SMRC_WIRE_OK, or why this is not a whole packet.
 */
enum smrc_wire_err smrc_wire_body(struct smrc_pkt *pkt, u32 total)
{
	const struct smrc_op *op = smrc_op(pkt->opcode);
	enum smrc_wire_err err;

	if (total < pkt->hdr_len + SMRC_ICRC_LEN)
		return SMRC_WIRE_SHORT;
	err = smrc_check_length(op, total, pkt);
	if (err || op->cls != OP_DATA)
		return err;
	return smrc_check_position(op, pkt);
}

/**
 * smrc_wire_parse() - make a checked packet of the payload of a UDP datagram
 * @buf: its first bytes, as for smrc_wire_headers()
 * @linear: how many bytes of it may be read
 * @total: its length, pad and ICRC included
 * @pkt: the packet; undefined when bytes are refused
 *
 * Return: SMRC_WIRE_OK, or why this is not a packet of ours.
 */
enum smrc_wire_err smrc_wire_parse(const void *buf, u32 linear, u32 total, struct smrc_pkt *pkt)
{
	return smrc_wire_headers(buf, min(linear, total), pkt) ?: smrc_wire_body(pkt, total);
}

static void smrc_build_asks(const struct smrc_op *op, u8 *p, const struct smrc_pkt *pkt)
{
	struct smrc_rpeth rpeth = { .psn = cpu_to_be32(pkt->data.rsp_psn & SMRC_PSN_MASK) };
	struct smrc_ateth ateth = {
		.swap_add = cpu_to_be64(pkt->data.swap_add),
		.compare = cpu_to_be64(pkt->data.compare),
	};

	memcpy(p, &rpeth, sizeof(rpeth));
	if (op->flags & OP_ATOMIC)
		memcpy(p + sizeof(rpeth), &ateth, sizeof(ateth));
}

static void smrc_build_data(const struct smrc_op *op, u8 *p, const struct smrc_pkt *pkt)
{
	struct smrc_atomic_aeth aeth = { .orig = cpu_to_be64(pkt->data.orig) };
	struct smrc_immdt immdt = { .imm = pkt->data.imm };
	struct smrc_tseth tseth = {
		.ts = cpu_to_be16(pkt->ts),
		.flags = cpu_to_be16(SMRC_TSETH_FTYPE),
	};
	struct smrc_meth meth = {
		.rqmsn = cpu_to_be16(pkt->data.rqmsn),
		.msn = cpu_to_be16(pkt->data.msn),
	};
	struct smrc_reth reth = {
		.va = cpu_to_be64(pkt->data.va),
		.rkey = cpu_to_be32(pkt->data.rkey),
		.len = cpu_to_be32(pkt->data.msg_len),
	};

	memcpy(p, &meth, sizeof(meth));
	p += sizeof(meth);
	if (pkt->has_ts) {
		memcpy(p, &tseth, sizeof(tseth));
		p += sizeof(tseth);
	}
	memcpy(p, &reth, sizeof(reth));
	p += sizeof(reth);
	if (op->flags & OP_IMM)
		memcpy(p, &immdt, sizeof(immdt));
	else if (op->flags & OP_ASKS)
		smrc_build_asks(op, p, pkt);
	else if (op->flags & OP_ATOMIC)
		memcpy(p, &aeth, sizeof(aeth));
}

/*
 * Distance of @psn from @cack as the 16 bits of a SETH. Only a stray duplicate is ever farther away than they can say;
 * then the nearest PSN that they can name is outside any window as well, so that the reader learns nothing false.
 */
static __be16 smrc_seth_offset(u32 psn, u32 cack)
{
	return cpu_to_be16((u16)clamp(smrc_psn_diff(psn, cack), S16_MIN, S16_MAX));
}

static void smrc_build_sack(u8 *p, const struct smrc_sack *sack)
{
	struct smrc_seth seth = {
		.flags = FIELD_PREP(SMRC_SETH_M, sack->mark & 3) | (sack->probe ? SMRC_SETH_PR : 0),
		.ack_psn_offset = sack->probe ? cpu_to_be16(sack->probe_id) :
						smrc_seth_offset(sack->ack_psn, sack->cack),
		.entropy = cpu_to_be32(sack->entropy),
		.cack = cpu_to_be32(sack->cack & SMRC_PSN_MASK),
		.mpr = sack->mpr,
		.sack_offset = smrc_seth_offset(sack->sack_base, sack->cack),
		.bitmap = cpu_to_be64(sack->bitmap),
	};
	struct smrc_ccst ccst = {
		.ts = cpu_to_be16(sack->ts),
		.ooo = cpu_to_be16(sack->ooo & SMRC_CCST_OOO),
		.pen = sack->penalty & SMRC_CCST_PEN,
		.rcvd_bytes = { sack->rcvd_bytes >> 16, sack->rcvd_bytes >> 8, sack->rcvd_bytes },
	};

	memcpy(p, &seth, sizeof(seth));
	memcpy(p + sizeof(seth), &ccst, sizeof(ccst));
}

static void smrc_build_nack(u8 *p, const struct smrc_pkt *pkt)
{
	struct smrc_neth neth = {
		.reason = pkt->nack.reason,
		.entropy = cpu_to_be32(pkt->nack.entropy),
		.nack_psn = cpu_to_be32(pkt->nack.psn & SMRC_PSN_MASK),
		.cc_type = SMRC_NETH_CC_TYPE,
		.ts = cpu_to_be16(pkt->nack.ts),
	};

	if (pkt->nack.reason == SMRC_NACK_NO_RESOURCE)
		neth.vendor = pkt->nack.rnr_timer & SMRC_NETH_RNR_TIMER;
	memcpy(p, &neth, sizeof(neth));
}

static void smrc_build_probe(u8 *p, const struct smrc_pkt *pkt)
{
	u32 waited = pkt->probe.waited_ns >> SMRC_PETH_WAITED_SHIFT;
	struct smrc_peth peth = {
		.probe_id = cpu_to_be16(pkt->probe.id),
		.waited = cpu_to_be16(min_t(u32, waited, U16_MAX)),
		.ts = cpu_to_be16(pkt->probe.ts),
		.flags = cpu_to_be16(SMRC_TSETH_FTYPE),
	};

	memcpy(p, &peth, sizeof(peth));
}

static void smrc_build_tack(u8 *p, const struct smrc_pkt *pkt)
{
	struct smrc_aeth aeth = {
		.syn_msn = cpu_to_be32(FIELD_PREP(SMRC_AETH_SYN, pkt->tack.syndrome) |
				       (pkt->tack.msn & SMRC_AETH_MSN)),
	};

	memcpy(p, &aeth, sizeof(aeth));
}

static void smrc_build_ep_request(u8 *p, const struct smrc_pkt *pkt)
{
	struct smrc_erth erth = {
		.op = FIELD_PREP(SMRC_ERTH_OP, pkt->ep.op & 3),
		.port_mask = cpu_to_be32(SMRC_ERTH_PORT_1),
		.caps = cpu_to_be32(pkt->ep.caps),
		.ts = cpu_to_be16(pkt->ep.ts),
		.mpr = cpu_to_be16(pkt->ep.mpr),
	};

	memcpy(p, &erth, sizeof(erth));
}

static void smrc_build_ep_response(u8 *p, const struct smrc_pkt *pkt)
{
	struct smrc_eeth eeth = {
		.op = FIELD_PREP(SMRC_ERTH_OP, pkt->ep.op & 3),
		.data = { cpu_to_be32(pkt->ep.caps), cpu_to_be32(pkt->ep.mpr) },
		.ts = cpu_to_be16(pkt->ep.ts),
	};

	memcpy(p, &eeth, sizeof(eeth));
}

static void smrc_build_ext(const struct smrc_op *op, u8 *p, const struct smrc_pkt *pkt)
{
	switch ((enum smrc_op_class)op->cls) {
	case OP_DATA:
		smrc_build_data(op, p, pkt);
		break;
	case OP_SACK:
		smrc_build_sack(p, &pkt->sack);
		break;
	case OP_NACK:
		smrc_build_nack(p, pkt);
		break;
	case OP_PROBE:
		smrc_build_probe(p, pkt);
		break;
	case OP_TACK:
		smrc_build_tack(p, pkt);
		break;
	case OP_EP_REQUEST:
		smrc_build_ep_request(p, pkt);
		break;
	case OP_EP_RESPONSE:
		smrc_build_ep_response(p, pkt);
		break;
	}
}

/**
 * smrc_wire_build() - write the headers of a packet
 * @buf: room for SMRC_HDR_MAX bytes, any alignment
 * @pkt: the packet; hdr_len and payload_len are not used, and has_ts must be false unless it is a data packet
 *
 * Payload, pad (of which only the count is written) and ICRC are the caller's.
 *
 * Return: bytes written, what smrc_wire_hdr_len() says; 0, with nothing written, where that says 0.
 */
u32 smrc_wire_build(void *buf, const struct smrc_pkt *pkt)
{
	u32 len = smrc_wire_hdr_len(pkt->opcode, pkt->has_ts);
	struct smrc_bth bth = {
		.opcode = pkt->opcode,
		.flags = (pkt->se ? SMRC_BTH_SE : 0) | SMRC_BTH_M | FIELD_PREP(SMRC_BTH_PAD, pkt->pad & 3),
		.pkey = cpu_to_be16(pkt->pkey),
		.dqpn = cpu_to_be32(pkt->dqpn & SMRC_QPN_MASK),
		.apsn = cpu_to_be32((pkt->ack_req ? SMRC_BTH_A : 0) | (pkt->rtx ? SMRC_BTH_RTX : 0) |
				    (pkt->has_ts ? SMRC_BTH_TS : 0) | (pkt->psn & SMRC_BTH_PSN)),
	};

	if (!len)
		return 0;
	memcpy(buf, &bth, sizeof(bth));
	smrc_build_ext(smrc_op(pkt->opcode), (u8 *)buf + sizeof(bth), pkt);
	return len;
}
