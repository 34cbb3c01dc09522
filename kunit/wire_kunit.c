// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "wire.c"

#include <kunit/test.h>

#include "segment.h"
#include "wire_golden.h"

/* All opcodes there are, and what the rest of the driver asks of them. */
static const struct wire_op_row {
	u8		opcode;
	const char	*name;
	u8		hdr_len;
	bool		data;
	bool		send;
	bool		last;
	bool		imm;
	bool		rqe;
} wire_op_rows[] = {
	{ 0xc0, "SEND_FIRST", 32, true, true, false, false, true },
	{ 0xc1, "SEND_MIDDLE", 32, true, true, false, false, true },
	{ 0xc2, "SEND_LAST", 32, true, true, true, false, true },
	{ 0xc3, "SEND_LAST_IMM", 36, true, true, true, true, true },
	{ 0xc4, "SEND_ONLY", 32, true, true, true, false, true },
	{ 0xc5, "SEND_ONLY_IMM", 36, true, true, true, true, true },
	{ 0xc6, "WRITE_FIRST", 32, true, false, false, false, false },
	{ 0xc7, "WRITE_MIDDLE", 32, true, false, false, false, false },
	{ 0xc8, "WRITE_LAST", 32, true, false, true, false, false },
	{ 0xc9, "WRITE_LAST_IMM", 36, true, false, true, true, true },
	{ 0xca, "WRITE_ONLY", 32, true, false, true, false, false },
	{ 0xcb, "WRITE_ONLY_IMM", 36, true, false, true, true, true },
	{ 0xcc, "READ_REQUEST", 36, true, false, true, false, false },
	{ 0xcd, "READ_RESP_FIRST", 32, true, false, false, false, false },
	{ 0xce, "READ_RESP_MIDDLE", 32, true, false, false, false, false },
	{ 0xcf, "READ_RESP_LAST", 32, true, false, true, false, false },
	{ 0xd0, "READ_RESP_ONLY", 32, true, false, true, false, false },
	{ 0xd1, "TACK", 16, false, false, false, false, false },
	{ 0xd2, "ATOMIC_RESP", 40, true, false, true, false, false },
	{ 0xd3, "CMP_SWAP", 52, true, false, true, false, false },
	{ 0xd4, "FETCH_ADD", 52, true, false, true, false, false },
	{ 0xd8, "EP_REQUEST", 28, false, false, false, false, false },
	{ 0xd9, "EP_RESPONSE", 48, false, false, false, false, false },
	{ 0xdc, "SACK", 48, false, false, false, false, false },
	{ 0xdd, "NACK", 32, false, false, false, false, false },
	{ 0xde, "PROBE", 28, false, false, false, false, false },
};

static void wire_op_desc(const struct wire_op_row *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", p->name);
}

KUNIT_ARRAY_PARAM(wire_op, wire_op_rows, wire_op_desc);

static void wire_op__row(struct kunit *test)
{
	const struct wire_op_row *p = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_op_is_data(p->opcode), p->data);
	KUNIT_EXPECT_EQ(test, smrc_op_is_send(p->opcode), p->send);
	KUNIT_EXPECT_EQ(test, smrc_op_is_last(p->opcode), p->last);
	KUNIT_EXPECT_EQ(test, smrc_op_has_imm(p->opcode), p->imm);
	KUNIT_EXPECT_EQ(test, smrc_op_takes_rqe(p->opcode), p->rqe);
	KUNIT_EXPECT_STREQ(test, smrc_op_name(p->opcode), p->name);
	KUNIT_EXPECT_EQ(test, smrc_wire_hdr_len(p->opcode, false), (u32)p->hdr_len);
	KUNIT_EXPECT_EQ(test, smrc_wire_hdr_len(p->opcode, true), p->data ? p->hdr_len + 4U : 0U);
}

static bool wire_op_known(u32 opcode)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wire_op_rows); i++)
		if (wire_op_rows[i].opcode == opcode)
			return true;
	return false;
}

static void wire_op__unknown(struct kunit *test)
{
	u32 op, n = 0;

	for (op = 0; op < 256; op++) {
		if (wire_op_known(op))
			continue;
		n++;
		KUNIT_EXPECT_EQ_MSG(test, smrc_wire_hdr_len(op, false), 0U, "opcode %02x", op);
		KUNIT_EXPECT_EQ_MSG(test, smrc_wire_hdr_len(op, true), 0U, "opcode %02x", op);
		KUNIT_EXPECT_FALSE_MSG(test, smrc_op_is_data(op) || smrc_op_is_send(op) || smrc_op_is_last(op) ||
				       smrc_op_has_imm(op) || smrc_op_takes_rqe(op), "opcode %02x", op);
		KUNIT_EXPECT_STREQ(test, smrc_op_name(op), "UNKNOWN");
	}
	KUNIT_EXPECT_EQ(test, n, 256U - 26U);
}

/* Requests that draw a response, and those: no other byte. */
static void wire_op__asks_and_answers(struct kunit *test)
{
	u32 op;

	for (op = 0; op < 256; op++) {
		KUNIT_EXPECT_EQ_MSG(test, smrc_op_asks(op), op == 0xcc || op == 0xd3 || op == 0xd4, "opcode %02x", op);
		KUNIT_EXPECT_EQ_MSG(test, smrc_op_is_resp(op), (op >= 0xcd && op <= 0xd0) || op == 0xd2,
				    "opcode %02x", op);
	}
}

static void wire_golden_desc(const struct wire_golden *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", smrc_op_name(p->pkt.opcode));
}

KUNIT_ARRAY_PARAM(wire_golden, wire_goldens, wire_golden_desc);

static u32 wire_total(const struct smrc_pkt *pkt)
{
	return pkt->hdr_len + pkt->payload_len + pkt->pad + SMRC_ICRC_LEN;
}

static void wire_golden__every_opcode(struct kunit *test)
{
	u32 i, j, n;

	for (i = 0; i < ARRAY_SIZE(wire_op_rows); i++) {
		for (n = 0, j = 0; j < ARRAY_SIZE(wire_goldens); j++)
			n += wire_goldens[j].pkt.opcode == wire_op_rows[i].opcode;
		KUNIT_EXPECT_NE_MSG(test, n, 0U, "%s", wire_op_rows[i].name);
	}
}

static void wire_parse__golden(struct kunit *test)
{
	const struct wire_golden *p = test->param_value;
	struct smrc_pkt pkt;

	memset(&pkt, 0xa5, sizeof(pkt));
	KUNIT_EXPECT_EQ(test, smrc_wire_parse(p->hdr, p->pkt.hdr_len, wire_total(&p->pkt), &pkt), SMRC_WIRE_OK);
	KUNIT_EXPECT_MEMEQ(test, &pkt, &p->pkt, sizeof(pkt));
}

/* Cut behind its headers, as a switch trims it: these are read as ever, and no byte behind them. */
static void wire_headers__trimmed(struct kunit *test)
{
	const struct wire_golden *p = test->param_value;
	struct smrc_pkt pkt, want = p->pkt;
	u32 n;

	want.payload_len = 0;
	KUNIT_EXPECT_EQ(test, smrc_wire_headers(p->hdr, p->pkt.hdr_len, &pkt), SMRC_WIRE_OK);
	KUNIT_EXPECT_MEMEQ(test, &pkt, &want, sizeof(pkt));
	KUNIT_EXPECT_EQ(test, smrc_wire_body(&pkt, p->pkt.hdr_len), SMRC_WIRE_SHORT);
	for (n = 0; n < p->pkt.hdr_len; n++)
		KUNIT_EXPECT_EQ(test, smrc_wire_headers(p->hdr, n, &pkt), SMRC_WIRE_SHORT);
}

/* Fields that MRC reserves, and those that others may fill in, change nothing. */
static void wire_parse__ignores_reserved(struct kunit *test)
{
	const struct wire_golden *p = test->param_value;
	u8 buf[SMRC_HDR_MAX], *ext = buf + sizeof(struct smrc_bth);
	struct smrc_pkt pkt;

	memcpy(buf, p->hdr, sizeof(buf));
	buf[1] ^= 0x40;		/* M */
	buf[4] = 0xff;		/* masked in the ICRC */
	buf[8] |= 0x4f;		/* R and reserved bits */
	switch (p->pkt.opcode) {
	case SMRC_OP_SACK:
		ext[0] = 0xff;
		ext[1] |= 0x9d;
		memset(ext + 8, 0xff, 5);
		ext[16] = 0xff;
		ext[30] |= 0x80;
		ext[32] |= 0x80;	/* restore_cwnd */
		break;
	case SMRC_OP_READ_REQUEST:
	case SMRC_OP_FETCH_ADD:
		ext[20] = 0xff;
		break;
	case SMRC_OP_NACK:
		ext[0] = 0xff;
		ext[1] = 0xff;
		ext[3] |= 0xe0;
		memset(ext + 8, 0xff, 5);
		ext[16] = 0xff;
		ext[17] = 0xff;
		break;
	case SMRC_OP_PROBE:
		memset(ext, 0xff, 4);
		memset(ext + 8, 0xff, 4);
		memset(ext + 14, 0xff, 2);
		break;
	case SMRC_OP_EP_REQUEST:
		ext[0] |= 0x3f;
		memset(ext + 1, 0xff, 7);
		ext[14] = 0xff;
		break;
	case SMRC_OP_EP_RESPONSE:
		ext[0] |= 0x3f;
		memset(ext + 1, 0xff, 3);
		memset(ext + 8, 0xff, 3);
		memset(ext + 12, 0xff, 16);
		memset(ext + 30, 0xff, 6);
		break;
	}
	memset(&pkt, 0xa5, sizeof(pkt));
	KUNIT_EXPECT_EQ(test, smrc_wire_parse(buf, p->pkt.hdr_len, wire_total(&p->pkt), &pkt), SMRC_WIRE_OK);
	if (p->pkt.opcode == SMRC_OP_NACK && p->pkt.nack.reason != SMRC_NACK_NO_RESOURCE)
		KUNIT_EXPECT_EQ(test, pkt.nack.rnr_timer, 0);
	KUNIT_EXPECT_MEMEQ(test, &pkt, &p->pkt, sizeof(pkt));
}

/* A buffer of exactly the bytes that may be read, so that KASAN sees a byte too many. */
static void wire_parse__short(struct kunit *test)
{
	const struct wire_golden *p = test->param_value;
	u32 n, total = wire_total(&p->pkt);
	struct smrc_pkt pkt;
	u8 *buf;

	for (n = 1; n < p->pkt.hdr_len; n++) {
		buf = kunit_kzalloc(test, n, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, buf);
		memcpy(buf, p->hdr, n);
		KUNIT_EXPECT_EQ_MSG(test, smrc_wire_parse(buf, n, total, &pkt), SMRC_WIRE_SHORT, "linear %u", n);
		KUNIT_EXPECT_EQ_MSG(test, smrc_wire_parse(buf, n, n, &pkt), SMRC_WIRE_SHORT, "total %u", n);
		kunit_kfree(test, buf);
	}
	KUNIT_EXPECT_EQ(test, smrc_wire_parse(p->hdr, 0, 0, &pkt), SMRC_WIRE_SHORT);
	/* bytes behind the datagram are not looked at, not even for the version */
	KUNIT_EXPECT_EQ(test, smrc_wire_parse("\0\x0f\0\0\0\0\0\0\0\0\0", 12, 11, &pkt), SMRC_WIRE_SHORT);
	KUNIT_EXPECT_EQ(test, smrc_wire_parse(p->hdr, 0, total, &pkt), SMRC_WIRE_SHORT);
	for (n = 0; n < p->pkt.hdr_len + SMRC_ICRC_LEN + p->pkt.pad; n++)
		KUNIT_EXPECT_EQ_MSG(test, smrc_wire_parse(p->hdr, sizeof(p->hdr), n, &pkt), SMRC_WIRE_SHORT,
				    "total %u", n);
}

/* No other length than its own suits a golden packet, as each has a message length that fits its payload. */
static void wire_parse__wrong_length(struct kunit *test)
{
	const struct wire_golden *p = test->param_value;
	u32 total = wire_total(&p->pkt);
	struct smrc_pkt pkt;
	u32 i;
	static const u32 more[] = { 1, 2, 3, 4, 8, 4096, 4100, 65536, 0x7fffffff, 0xfffff000 };

	for (i = 0; i < ARRAY_SIZE(more); i++)
		KUNIT_EXPECT_EQ_MSG(test, smrc_wire_parse(p->hdr, sizeof(p->hdr), total + more[i], &pkt),
				    SMRC_WIRE_LENGTH, "total + %u", more[i]);
}

static const struct wire_bad {
	const char		*name;
	u8			opcode;		/* of the golden packet to spoil */
	u8			at;		/* byte to overwrite */
	u8			value;
	enum smrc_wire_err	err;
} wire_bads[] = {
	{ "version 1", SMRC_OP_SEND_FIRST, 1, 0x41, SMRC_WIRE_VERSION },
	{ "version 15", SMRC_OP_SACK, 1, 0x4f, SMRC_WIRE_VERSION },
	{ "more than a READ may want", SMRC_OP_READ_REQUEST, 28, 0x81, SMRC_WIRE_FIELD },
	{ "an atomic of 9 bytes", SMRC_OP_FETCH_ADD, 31, 0x09, SMRC_WIRE_LENGTH },
	{ "an atomic of 2^24 bytes and 8", SMRC_OP_CMP_SWAP, 32, 0x01, SMRC_WIRE_LENGTH },
	{ "a result of 4 bytes", SMRC_OP_ATOMIC_RESP, 31, 0x04, SMRC_WIRE_LENGTH },
	{ "pad on an atomic", SMRC_OP_CMP_SWAP, 1, 0x50, SMRC_WIRE_SHORT },
	{ "pad on a READ request", SMRC_OP_READ_REQUEST, 1, 0x50, SMRC_WIRE_SHORT },
	{ "a response out of its place", SMRC_OP_READ_RESP_LAST, 23, 0x01, SMRC_WIRE_LENGTH },
	{ "IBTA opcode", SMRC_OP_WRITE_ONLY, 0, 0x0a, SMRC_WIRE_OPCODE },
	{ "opcode before ours", SMRC_OP_WRITE_ONLY, 0, 0xbf, SMRC_WIRE_OPCODE },
	{ "opcode in a gap", SMRC_OP_WRITE_ONLY, 0, 0xd5, SMRC_WIRE_OPCODE },
	{ "opcode behind ours", SMRC_OP_WRITE_ONLY, 0, 0xdf, SMRC_WIRE_OPCODE },
	{ "opcode 255", SMRC_OP_WRITE_ONLY, 0, 0xff, SMRC_WIRE_OPCODE },
	{ "TS on a SACK", SMRC_OP_SACK, 8, 0x10, SMRC_WIRE_FIELD },
	{ "TS on a NACK", SMRC_OP_NACK, 8, 0x10, SMRC_WIRE_FIELD },
	{ "TS on a probe", SMRC_OP_PROBE, 8, 0x10, SMRC_WIRE_FIELD },
	{ "TS on a TACK", SMRC_OP_TACK, 8, 0x10, SMRC_WIRE_FIELD },
	{ "TS on an endpoint request", SMRC_OP_EP_REQUEST, 8, 0x10, SMRC_WIRE_FIELD },
	{ "TS on an endpoint response", SMRC_OP_EP_RESPONSE, 8, 0x10, SMRC_WIRE_FIELD },
	{ "pad on a SACK", SMRC_OP_SACK, 1, 0x50, SMRC_WIRE_SHORT },
	{ "pad on a probe", SMRC_OP_PROBE, 1, 0x70, SMRC_WIRE_SHORT },
	{ "pad in an empty message", SMRC_OP_SEND_ONLY, 1, 0x50, SMRC_WIRE_SHORT },
	{ "pad on a first packet", SMRC_OP_SEND_FIRST, 1, 0x50, SMRC_WIRE_LENGTH },
	{ "pad on a middle packet", SMRC_OP_WRITE_MIDDLE, 1, 0x60, SMRC_WIRE_LENGTH },
	{ "too little pad", SMRC_OP_SEND_LAST, 1, 0xe0, SMRC_WIRE_LENGTH },
	{ "mark 3", SMRC_OP_SACK, 13, 0x60, SMRC_WIRE_FIELD },
	{ "RNR syndrome", SMRC_OP_TACK, 12, 0x20, SMRC_WIRE_FIELD },
	{ "sequence error syndrome", SMRC_OP_TACK, 12, 0x60, SMRC_WIRE_FIELD },
	{ "syndrome 0x64", SMRC_OP_TACK, 12, 0x64, SMRC_WIRE_FIELD },
	{ "syndrome 0xff", SMRC_OP_TACK, 12, 0xff, SMRC_WIRE_FIELD },
	{ "endpoint op 2", SMRC_OP_EP_REQUEST, 12, 0x80, SMRC_WIRE_FIELD },
	{ "endpoint op 3", SMRC_OP_EP_RESPONSE, 12, 0xc0, SMRC_WIRE_FIELD },
	{ "endpoint request to a QP", SMRC_OP_EP_REQUEST, 7, 0x12, SMRC_WIRE_FIELD },
	{ "endpoint response to a QP", SMRC_OP_EP_RESPONSE, 5, 0x01, SMRC_WIRE_FIELD },
	{ "message longer than 2^31", SMRC_OP_WRITE_FIRST, 31, 0x01, SMRC_WIRE_FIELD },
	{ "message of 2^32 - 2^24", SMRC_OP_WRITE_FIRST, 28, 0xff, SMRC_WIRE_FIELD },
};

static void wire_bad_desc(const struct wire_bad *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", p->name);
}

KUNIT_ARRAY_PARAM(wire_bad, wire_bads, wire_bad_desc);

static void wire_parse__bad(struct kunit *test)
{
	const struct wire_bad *p = test->param_value;
	const struct wire_golden *g = wire_goldens;
	u8 buf[SMRC_HDR_MAX];
	struct smrc_pkt pkt;

	while (g->pkt.opcode != p->opcode)
		g++;
	memcpy(buf, g->hdr, sizeof(buf));
	buf[p->at] = p->value;
	KUNIT_EXPECT_EQ(test, smrc_wire_parse(buf, sizeof(buf), wire_total(&g->pkt), &pkt), p->err);
}

static const struct wire_position {
	u8	opcode;
	u64	va;
	u32	msg_len;
	u32	len;		/* payload */
	bool	ok;
} wire_positions[] = {
	{ SMRC_OP_SEND_ONLY, 0, 0, 0, true },
	{ SMRC_OP_SEND_ONLY, 0, 1, 1, true },
	{ SMRC_OP_SEND_ONLY, 0, 4096, 4096, true },
	{ SMRC_OP_SEND_ONLY, 1, 0, 0, false },
	{ SMRC_OP_SEND_ONLY, 0, 1, 0, false },
	{ SMRC_OP_SEND_ONLY, 0, 0, 1, false },
	{ SMRC_OP_SEND_ONLY, 0, 4097, 4096, false },
	{ SMRC_OP_SEND_ONLY, 0, 4097, 4097, false },
	{ SMRC_OP_WRITE_ONLY, 77, 5, 5, true },
	{ SMRC_OP_WRITE_ONLY, 77, 5, 4, false },
	{ SMRC_OP_WRITE_ONLY_IMM, 0, 4, 8, false },
	{ SMRC_OP_SEND_FIRST, 0, 257, 256, true },
	{ SMRC_OP_SEND_FIRST, 0, 8192, 4096, true },
	{ SMRC_OP_SEND_FIRST, 0, 256, 256, false },
	{ SMRC_OP_SEND_FIRST, 0, 255, 256, false },
	{ SMRC_OP_SEND_FIRST, 256, 1024, 256, false },
	{ SMRC_OP_SEND_FIRST, 1ULL << 32, 1024, 256, false },
	{ SMRC_OP_SEND_FIRST, 0, 1000, 128, false },
	{ SMRC_OP_SEND_FIRST, 0, 1000, 0, false },
	{ SMRC_OP_SEND_FIRST, 0, 1000, 768, false },
	{ SMRC_OP_SEND_FIRST, 0, 100000, 8192, false },
	{ SMRC_OP_WRITE_FIRST, 0x1001, 257, 256, true },
	{ SMRC_OP_WRITE_FIRST, 0x1001, 256, 256, false },
	{ SMRC_OP_WRITE_FIRST, 0x1001, 300, 260, false },
	{ SMRC_OP_SEND_MIDDLE, 256, 513, 256, true },
	{ SMRC_OP_SEND_MIDDLE, 256, 512, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 0, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 128, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 257, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 384, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 256, 4096, 512, false },
	{ SMRC_OP_SEND_MIDDLE, 512, 1024, 256, true },
	{ SMRC_OP_SEND_MIDDLE, 768, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 1024, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 0x100000100ULL, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, ~255ULL, 1024, 256, false },
	{ SMRC_OP_SEND_MIDDLE, 0x7fffe000, 0x80000000, 4096, true },
	{ SMRC_OP_SEND_MIDDLE, 0x7ffff000, 0x80000000, 4096, false },
	{ SMRC_OP_WRITE_MIDDLE, 3, 513, 256, true },
	{ SMRC_OP_WRITE_MIDDLE, 3, 512, 256, false },
	{ SMRC_OP_WRITE_MIDDLE, 3, 5000, 300, false },
	{ SMRC_OP_WRITE_MIDDLE, 3, 5000, 0, false },
	{ SMRC_OP_SEND_LAST, 256, 257, 1, true },
	{ SMRC_OP_SEND_LAST, 256, 512, 256, true },
	{ SMRC_OP_SEND_LAST, 0x7ffff000, 0x80000000, 4096, true },
	{ SMRC_OP_SEND_LAST, 0, 1, 1, false },
	{ SMRC_OP_SEND_LAST, 256, 256, 0, false },
	{ SMRC_OP_SEND_LAST, 256, 258, 1, false },
	{ SMRC_OP_SEND_LAST, 512, 257, 1, false },
	{ SMRC_OP_SEND_LAST, 256, 513, 257, false },
	{ SMRC_OP_SEND_LAST, 128, 256, 128, false },
	{ SMRC_OP_SEND_LAST, 0x100000100ULL, 257, 1, false },
	{ SMRC_OP_SEND_LAST_IMM, 256, 257, 1, true },
	{ SMRC_OP_SEND_LAST_IMM, 0, 257, 1, false },
	{ SMRC_OP_WRITE_LAST, 3, 257, 1, true },
	{ SMRC_OP_WRITE_LAST, 3, 256, 0, false },
	{ SMRC_OP_WRITE_LAST, 3, 258, 1, false },
	{ SMRC_OP_WRITE_LAST, 3, 1, 1, false },
	{ SMRC_OP_WRITE_LAST_IMM, 3, 4608, 512, true },
	{ SMRC_OP_WRITE_LAST_IMM, 3, 4608, 4096, false },
};

static void wire_position_desc(const struct wire_position *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %u of %u at %llx", smrc_op_name(p->opcode), p->len, p->msg_len,
		 p->va);
}

KUNIT_ARRAY_PARAM(wire_position, wire_positions, wire_position_desc);

static enum smrc_wire_err wire_parse_data(u8 opcode, u64 va, u32 msg_len, u32 len)
{
	struct smrc_pkt out, pkt = {
		.opcode = opcode,
		.pad = -len & 3,
		.data = { .va = va, .msg_len = msg_len },
	};
	u8 buf[SMRC_HDR_MAX];
	u32 n = smrc_wire_build(buf, &pkt);

	return smrc_wire_parse(buf, n, n + len + pkt.pad + SMRC_ICRC_LEN, &out);
}

static void wire_parse__position(struct kunit *test)
{
	const struct wire_position *p = test->param_value;

	KUNIT_EXPECT_EQ(test, wire_parse_data(p->opcode, p->va, p->msg_len, p->len),
			p->ok ? SMRC_WIRE_OK : SMRC_WIRE_LENGTH);
}

/* Payload and pad together are a multiple of 4, and nothing else is. */
static void wire_parse__pad(struct kunit *test)
{
	struct smrc_pkt out, pkt = { .opcode = SMRC_OP_SEND_ONLY };
	u8 buf[SMRC_HDR_MAX];
	u32 len, pad, n;

	for (len = 0; len <= 8; len++) {
		for (pad = 0; pad <= 3; pad++) {
			pkt.pad = pad;
			pkt.data.msg_len = len;
			n = smrc_wire_build(buf, &pkt);
			KUNIT_EXPECT_EQ_MSG(test, smrc_wire_parse(buf, n, n + len + pad + SMRC_ICRC_LEN, &out),
					    (len + pad) % 4 ? SMRC_WIRE_LENGTH : SMRC_WIRE_OK,
					    "len %u pad %u", len, pad);
			KUNIT_EXPECT_EQ(test, smrc_wire_parse(buf, n, n + pad + SMRC_ICRC_LEN - 1, &out),
					SMRC_WIRE_SHORT);
		}
	}
}

/* What segmentation makes is accepted, for every path MTU. */
static void wire_parse__segments(struct kunit *test)
{
	static const u32 lens[] = { 0, 1, 255, 256, 257, 1023, 1024, 4095, 4096, 4097, 8191, 8192, 20000 };
	u32 kind, i, j, mtu, n, off, bad = 0;
	struct smrc_seg seg;

	for (kind = 0; kind < SMRC_MSG_READ; kind++) {
		for (i = 0; i < ARRAY_SIZE(lens); i++) {
			for (mtu = SMRC_MTU_MIN; mtu <= SMRC_MTU_MAX; mtu *= 2) {
				n = smrc_segment_count(lens[i], mtu);
				for (j = 0, off = 0; j < n; j++, off += seg.len) {
					smrc_segment_at(kind, lens[i], off, mtu, &seg);
					bad += !!wire_parse_data(seg.opcode, off, lens[i], seg.len);
				}
				KUNIT_EXPECT_EQ_MSG(test, bad, 0U, "kind %u len %u mtu %u", kind, lens[i], mtu);
			}
		}
	}
}

static void wire_parse__any_sack_offset(struct kunit *test)
{
	const struct wire_golden *g = wire_goldens;
	u8 buf[SMRC_HDR_MAX];
	struct smrc_pkt pkt;
	u32 off, bad = 0;

	while (g->pkt.opcode != SMRC_OP_SACK)
		g++;
	memcpy(buf, g->hdr, sizeof(buf));
	for (off = 0; off <= U16_MAX; off++) {
		buf[30] = off >> 8;
		buf[31] = off;
		bad += smrc_wire_parse(buf, sizeof(buf), wire_total(&g->pkt), &pkt) ||
		       pkt.sack.sack_base != ((0xfffffe + off - (off & 0x8000 ? 0x10000 : 0)) & 0xffffff);
	}
	KUNIT_EXPECT_EQ(test, bad, 0U);
}

/* Every ACK syndrome, whatever credits it grants, is an ACK. */
static void wire_parse__ack_credits(struct kunit *test)
{
	u8 buf[16] = { SMRC_OP_TACK, 0x40, 0xff, 0xff, 0, 0, 0, 0x12, 0, 0, 0, 0, 0, 0, 0, 5 };
	struct smrc_pkt pkt;
	u32 i;

	for (i = 0; i < 0x20; i++) {
		buf[12] = i;
		KUNIT_EXPECT_EQ(test, smrc_wire_parse(buf, 16, 20, &pkt), SMRC_WIRE_OK);
		KUNIT_EXPECT_EQ(test, pkt.tack.syndrome, SMRC_SYN_ACK);
		KUNIT_EXPECT_EQ(test, pkt.tack.msn, 5U);
	}
}

static void wire_parse__caps_without_magic(struct kunit *test)
{
	static const u32 words[] = { 0, 1, 0x534e0001, 0x534c0001, 0x0000534d, 0xffffffff };
	struct smrc_pkt out, pkt = { .dqpn = SMRC_QPN_ENDPOINT, .ep = { .op = SMRC_EP_EV_PROBE, .mpr = 8, .ts = 9 } };
	u8 buf[SMRC_HDR_MAX];
	u32 i, n;

	for (i = 0; i < 2 * ARRAY_SIZE(words); i++) {
		pkt.opcode = i & 1 ? SMRC_OP_EP_REQUEST : SMRC_OP_EP_RESPONSE;
		pkt.ep.caps = words[i / 2];
		n = smrc_wire_build(buf, &pkt);
		KUNIT_EXPECT_EQ(test, smrc_wire_parse(buf, n, n + SMRC_ICRC_LEN, &out), SMRC_WIRE_OK);
		KUNIT_EXPECT_EQ(test, out.ep.caps, 0U);
		KUNIT_EXPECT_EQ(test, out.ep.mpr, 0);
		KUNIT_EXPECT_EQ(test, out.ep.ts, 9);
	}
}

static u32 wire_random(u32 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/*
 * Golden packets with up to seven bytes spoiled: what is accepted adds up, and says the same when it is built and
 * parsed again.
 */
static void wire_parse__random(struct kunit *test)
{
	u32 i, j, n, linear, total, state = 1, ok = 0, bad = 0;
	u8 buf[SMRC_HDR_MAX], again[SMRC_HDR_MAX];
	const struct wire_golden *g;
	struct smrc_pkt pkt, pkt2;

	for (i = 0; i < 200000; i++) {
		g = &wire_goldens[wire_random(&state) % ARRAY_SIZE(wire_goldens)];
		memcpy(buf, g->hdr, sizeof(buf));
		n = wire_random(&state) % 8;
		for (j = 0; j < n; j++)
			buf[wire_random(&state) % sizeof(buf)] = wire_random(&state) >> 11;
		linear = i % 16 ? sizeof(buf) : wire_random(&state) % sizeof(buf);
		total = i % 8 ? wire_total(&g->pkt) : wire_random(&state) % 5000;
		if (smrc_wire_parse(buf, linear, total, &pkt))
			continue;
		ok++;
		bad += wire_total(&pkt) != total || pkt.hdr_len > linear || pkt.payload_len > SMRC_MTU_MAX;
		n = smrc_wire_build(again, &pkt);
		bad += n != pkt.hdr_len || smrc_wire_parse(again, n, total, &pkt2) || memcmp(&pkt, &pkt2, sizeof(pkt));
	}
	KUNIT_EXPECT_EQ(test, bad, 0U);
	KUNIT_EXPECT_GT(test, ok, 50000U);
	KUNIT_EXPECT_LT(test, ok, 150000U);
}

static void wire_build__golden(struct kunit *test)
{
	const struct wire_golden *p = test->param_value;
	u8 buf[SMRC_HDR_MAX + 4], tail[SMRC_HDR_MAX + 4];

	memset(buf, 0xa5, sizeof(buf));
	memset(tail, 0xa5, sizeof(tail));
	KUNIT_EXPECT_EQ(test, smrc_wire_build(buf, &p->pkt), (u32)p->pkt.hdr_len);
	KUNIT_EXPECT_MEMEQ(test, buf, p->hdr, p->pkt.hdr_len);
	KUNIT_EXPECT_MEMEQ(test, buf + p->pkt.hdr_len, tail, sizeof(buf) - p->pkt.hdr_len);
}

static void wire_build__any_alignment(struct kunit *test)
{
	const struct wire_golden *p = test->param_value;
	u8 buf[SMRC_HDR_MAX + 8];
	struct smrc_pkt pkt;
	u32 i, n;

	for (i = 0; i < 8; i++) {
		n = smrc_wire_build(buf + i, &p->pkt);
		KUNIT_EXPECT_MEMEQ(test, buf + i, p->hdr, n);
		KUNIT_EXPECT_EQ(test, smrc_wire_parse(buf + i, n, wire_total(&p->pkt), &pkt), SMRC_WIRE_OK);
		KUNIT_EXPECT_MEMEQ(test, &pkt, &p->pkt, sizeof(pkt));
	}
}

static void wire_build__nothing(struct kunit *test)
{
	struct smrc_pkt pkt = { .opcode = 0xd5 };
	u8 buf[SMRC_HDR_MAX] = {}, zero[SMRC_HDR_MAX] = {};

	KUNIT_EXPECT_EQ(test, smrc_wire_build(buf, &pkt), 0U);
	pkt.opcode = SMRC_OP_SACK;
	pkt.has_ts = true;
	KUNIT_EXPECT_EQ(test, smrc_wire_build(buf, &pkt), 0U);
	KUNIT_EXPECT_MEMEQ(test, buf, zero, sizeof(buf));
}

/* Values wider than their field do not spill into the next one. */
static void wire_build__masks(struct kunit *test)
{
	struct smrc_pkt pkt = {
		.opcode = SMRC_OP_NACK,
		.dqpn = 0xff000012,
		.psn = 0xff000007,
		.nack = { .reason = SMRC_NACK_NO_RESOURCE, .rnr_timer = 0xff, .psn = 0xff000001 },
	};
	u8 buf[SMRC_HDR_MAX];

	smrc_wire_build(buf, &pkt);
	KUNIT_EXPECT_EQ(test, buf[4], 0);
	KUNIT_EXPECT_EQ(test, buf[8], 0);
	KUNIT_EXPECT_EQ(test, buf[15], 0x1f);
	KUNIT_EXPECT_EQ(test, buf[24], 0);
	pkt.nack.reason = SMRC_NACK_NO_BITMAP;
	smrc_wire_build(buf, &pkt);
	KUNIT_EXPECT_EQ(test, buf[15], 0);
}

static const struct wire_offset {
	u32	cack;
	u32	psn;
	u8	bytes[2];
	u32	read;		/* PSN that the other side reads */
} wire_offsets[] = {
	{ 100, 100, { 0x00, 0x00 }, 100 },
	{ 0xffffff, 0, { 0x00, 0x01 }, 0 },
	{ 0, 0xffffff, { 0xff, 0xff }, 0xffffff },
	{ 0, 0x7fff, { 0x7f, 0xff }, 0x7fff },
	{ 0, 0x8000, { 0x7f, 0xff }, 0x7fff },
	{ 0, 0x7fffff, { 0x7f, 0xff }, 0x7fff },
	{ 0x8000, 0, { 0x80, 0x00 }, 0 },
	{ 0x8001, 0, { 0x80, 0x00 }, 1 },
	{ 0, 0xff8000, { 0x80, 0x00 }, 0xff8000 },
	{ 0, 0x800000, { 0x80, 0x00 }, 0xff8000 },
	{ 0x123456, 0x023456, { 0x80, 0x00 }, 0x11b456 },
};

static void wire_offset_desc(const struct wire_offset *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%06x from %06x", p->psn, p->cack);
}

KUNIT_ARRAY_PARAM(wire_offset, wire_offsets, wire_offset_desc);

static void wire_build__sack_offset(struct kunit *test)
{
	const struct wire_offset *p = test->param_value;
	struct smrc_pkt out, pkt = {
		.opcode = SMRC_OP_SACK,
		.sack = { .cack = p->cack, .ack_psn = p->psn, .sack_base = p->psn },
	};
	u8 buf[SMRC_HDR_MAX];
	u32 n = smrc_wire_build(buf, &pkt);

	KUNIT_EXPECT_MEMEQ(test, buf + 14, p->bytes, 2);
	KUNIT_EXPECT_MEMEQ(test, buf + 30, p->bytes, 2);
	KUNIT_EXPECT_EQ(test, smrc_wire_parse(buf, n, n + SMRC_ICRC_LEN, &out), SMRC_WIRE_OK);
	KUNIT_EXPECT_EQ(test, out.sack.ack_psn, p->read);
	KUNIT_EXPECT_EQ(test, out.sack.sack_base, p->read);
}

static void ts_echo__adds_the_service_time(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(100, 0), 100);
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(100, 127), 100);
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(100, 1280), 110);
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(100, U64_MAX), 100 + SMRC_TS_SERVICE_MAX - 1);
	/* 0 is "none", on the way in and on the way out */
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(0, 1280), 0);
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(65530, 6 * 128), 1);
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(65530, 10 * 128), 4);
	KUNIT_EXPECT_EQ(test, smrc_ts_echo(65281, U64_MAX), 1);
}

static struct kunit_case wire_cases[] = {
	KUNIT_CASE_PARAM(wire_op__row, wire_op_gen_params),
	KUNIT_CASE(wire_op__unknown),
	KUNIT_CASE(wire_op__asks_and_answers),
	KUNIT_CASE(wire_golden__every_opcode),
	KUNIT_CASE_PARAM(wire_parse__golden, wire_golden_gen_params),
	KUNIT_CASE_PARAM(wire_headers__trimmed, wire_golden_gen_params),
	KUNIT_CASE_PARAM(wire_parse__ignores_reserved, wire_golden_gen_params),
	KUNIT_CASE_PARAM(wire_parse__short, wire_golden_gen_params),
	KUNIT_CASE_PARAM(wire_parse__wrong_length, wire_golden_gen_params),
	KUNIT_CASE_PARAM(wire_parse__bad, wire_bad_gen_params),
	KUNIT_CASE_PARAM(wire_parse__position, wire_position_gen_params),
	KUNIT_CASE(wire_parse__pad),
	KUNIT_CASE(wire_parse__segments),
	KUNIT_CASE(wire_parse__any_sack_offset),
	KUNIT_CASE(wire_parse__ack_credits),
	KUNIT_CASE(wire_parse__caps_without_magic),
	KUNIT_CASE(wire_parse__random),
	KUNIT_CASE_PARAM(wire_build__golden, wire_golden_gen_params),
	KUNIT_CASE_PARAM(wire_build__any_alignment, wire_golden_gen_params),
	KUNIT_CASE(wire_build__nothing),
	KUNIT_CASE(wire_build__masks),
	KUNIT_CASE_PARAM(wire_build__sack_offset, wire_offset_gen_params),
	KUNIT_CASE(ts_echo__adds_the_service_time),
	{}
};

static struct kunit_suite wire_suite = {
	.name = "smrc_wire",
	.test_cases = wire_cases,
};

kunit_test_suite(wire_suite);
