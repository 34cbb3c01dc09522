// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "segment.c"

#include <kunit/test.h>

static const u32 segment_mtus[] = { 256, 512, 1024, 2048, 4096 };

static const struct segment_count_row {
	u32	len;
	u32	mtu;
	u32	count;
} segment_counts[] = {
	{ 0, 256, 1 },
	{ 1, 256, 1 },
	{ 255, 256, 1 },
	{ 256, 256, 1 },
	{ 257, 256, 2 },
	{ 512, 256, 2 },
	{ 513, 256, 3 },
	{ 4095, 4096, 1 },
	{ 4096, 4096, 1 },
	{ 4097, 4096, 2 },
	{ 1048576, 4096, 256 },		/* seed 1's 1 MiB message */
	{ SMRC_MSG_MAX, 4096, 524288 },
	{ SMRC_MSG_MAX, 256, 8388608 },
	{ SMRC_MSG_MAX - 1, 256, 8388608 },
	{ SMRC_MSG_MAX - 256, 256, 8388607 },
	{ 0xffffffff, 256, 16777216 },
};

static void segment_count_desc(const struct segment_count_row *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u at mtu %u", p->len, p->mtu);
}

KUNIT_ARRAY_PARAM(segment_count, segment_counts, segment_count_desc);

static void segment_count__row(struct kunit *test)
{
	const struct segment_count_row *p = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_segment_count(p->len, p->mtu), p->count);
}

static const struct segment_at_row {
	u32	kind;
	u32	len;
	u32	off;
	u32	mtu;
	u32	seg_len;
	u8	opcode;
	bool	last;
} segment_ats[] = {
	{ SMRC_MSG_SEND, 0, 0, 256, 0, SMRC_OP_SEND_ONLY, true },
	{ SMRC_MSG_SEND_IMM, 0, 0, 256, 0, SMRC_OP_SEND_ONLY_IMM, true },
	{ SMRC_MSG_WRITE, 0, 0, 256, 0, SMRC_OP_WRITE_ONLY, true },
	{ SMRC_MSG_WRITE_IMM, 0, 0, 256, 0, SMRC_OP_WRITE_ONLY_IMM, true },
	{ SMRC_MSG_SEND, 1, 0, 1024, 1, SMRC_OP_SEND_ONLY, true },
	{ SMRC_MSG_SEND, 1024, 0, 1024, 1024, SMRC_OP_SEND_ONLY, true },
	{ SMRC_MSG_SEND, 1025, 0, 1024, 1024, SMRC_OP_SEND_FIRST, false },
	{ SMRC_MSG_SEND, 1025, 1024, 1024, 1, SMRC_OP_SEND_LAST, true },
	{ SMRC_MSG_SEND, 2048, 1024, 1024, 1024, SMRC_OP_SEND_LAST, true },
	{ SMRC_MSG_SEND, 2049, 1024, 1024, 1024, SMRC_OP_SEND_MIDDLE, false },
	{ SMRC_MSG_SEND_IMM, 3000, 0, 1024, 1024, SMRC_OP_SEND_FIRST, false },
	{ SMRC_MSG_SEND_IMM, 3000, 1024, 1024, 1024, SMRC_OP_SEND_MIDDLE, false },
	{ SMRC_MSG_SEND_IMM, 3000, 2048, 1024, 952, SMRC_OP_SEND_LAST_IMM, true },
	{ SMRC_MSG_WRITE, 3000, 0, 1024, 1024, SMRC_OP_WRITE_FIRST, false },
	{ SMRC_MSG_WRITE, 3000, 1024, 1024, 1024, SMRC_OP_WRITE_MIDDLE, false },
	{ SMRC_MSG_WRITE, 3000, 2048, 1024, 952, SMRC_OP_WRITE_LAST, true },
	{ SMRC_MSG_WRITE_IMM, 3000, 0, 1024, 1024, SMRC_OP_WRITE_FIRST, false },
	{ SMRC_MSG_WRITE_IMM, 3000, 1024, 1024, 1024, SMRC_OP_WRITE_MIDDLE, false },
	{ SMRC_MSG_WRITE_IMM, 3000, 2048, 1024, 952, SMRC_OP_WRITE_LAST_IMM, true },
	{ SMRC_MSG_READ_RESP, 0, 0, 256, 0, SMRC_OP_READ_RESP_ONLY, true },
	{ SMRC_MSG_READ_RESP, 3000, 0, 1024, 1024, SMRC_OP_READ_RESP_FIRST, false },
	{ SMRC_MSG_READ_RESP, 3000, 1024, 1024, 1024, SMRC_OP_READ_RESP_MIDDLE, false },
	{ SMRC_MSG_READ_RESP, 3000, 2048, 1024, 952, SMRC_OP_READ_RESP_LAST, true },
	{ SMRC_MSG_READ, 0, 0, 1024, 0, SMRC_OP_READ_REQUEST, true },
	{ SMRC_MSG_CMP_SWAP, 0, 0, 256, 0, SMRC_OP_CMP_SWAP, true },
	{ SMRC_MSG_FETCH_ADD, 0, 0, 4096, 0, SMRC_OP_FETCH_ADD, true },
	{ SMRC_MSG_ATOMIC_RESP, 0, 0, 256, 0, SMRC_OP_ATOMIC_RESP, true },
	{ SMRC_MSG_WRITE, SMRC_MSG_MAX, SMRC_MSG_MAX - 4096, 4096, 4096, SMRC_OP_WRITE_LAST, true },
	{ SMRC_MSG_WRITE, SMRC_MSG_MAX, SMRC_MSG_MAX - 8192, 4096, 4096, SMRC_OP_WRITE_MIDDLE, false },
	{ SMRC_MSG_WRITE, 0xffffffff, 0xfffff000, 4096, 4095, SMRC_OP_WRITE_LAST, true },
};

static void segment_at_desc(const struct segment_at_row *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "kind %u: %u of %u at mtu %u", p->kind, p->off, p->len, p->mtu);
}

KUNIT_ARRAY_PARAM(segment_at, segment_ats, segment_at_desc);

static void segment_at__row(struct kunit *test)
{
	const struct segment_at_row *p = test->param_value;
	struct smrc_seg seg;

	smrc_segment_at(p->kind, p->len, p->off, p->mtu, &seg);
	KUNIT_EXPECT_EQ(test, seg.off, p->off);
	KUNIT_EXPECT_EQ(test, seg.len, p->seg_len);
	KUNIT_EXPECT_EQ(test, seg.opcode, p->opcode);
	KUNIT_EXPECT_EQ(test, seg.last, p->last);
}

/* Walk a whole message: as many packets as counted, no byte missed or sent twice, the last marked. */
static void segment_walk(struct kunit *test, enum smrc_msg_kind kind, u32 len, u32 mtu)
{
	u32 count = smrc_segment_count(len, mtu);
	u32 i, off = 0, foreign = 0, wrong = 0;
	struct smrc_seg seg;

	for (i = 0; i < count; i++) {
		smrc_segment_at(kind, len, off, mtu, &seg);
		wrong += seg.off != off || seg.len > mtu || (i + 1 < count && seg.len != mtu);
		wrong += seg.last != (i + 1 == count);
		foreign += smrc_op_is_send(seg.opcode) != (kind == SMRC_MSG_SEND || kind == SMRC_MSG_SEND_IMM);
		off += seg.len;
	}
	KUNIT_EXPECT_EQ_MSG(test, off, len, "mtu %u", mtu);
	KUNIT_EXPECT_EQ_MSG(test, wrong, 0U, "len %u mtu %u", len, mtu);
	KUNIT_EXPECT_EQ_MSG(test, foreign, 0U, "len %u mtu %u", len, mtu);
}

static void segment_at__covers_message(struct kunit *test)
{
	static const u32 lens[] = { 0, 1, 255, 256, 257, 4095, 4096, 4097, 65536, 100000, 1048576 };
	u32 kind, l, m;

	for (kind = 0; kind < SMRC_MSG_READ; kind++)
		for (l = 0; l < ARRAY_SIZE(lens); l++)
			for (m = 0; m < ARRAY_SIZE(segment_mtus); m++)
				segment_walk(test, kind, lens[l], segment_mtus[m]);
}

static struct kunit_case segment_cases[] = {
	KUNIT_CASE_PARAM(segment_count__row, segment_count_gen_params),
	KUNIT_CASE_PARAM(segment_at__row, segment_at_gen_params),
	KUNIT_CASE(segment_at__covers_message),
	{}
};

static struct kunit_suite segment_suite = {
	.name = "smrc_segment",
	.test_cases = segment_cases,
};

kunit_test_suite(segment_suite);
