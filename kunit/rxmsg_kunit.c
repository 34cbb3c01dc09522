// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rxmsg_kunit.c: what is kept of a message, when it retires, and what a lying sender cannot do.
 */
#include "rxmsg.c"

#include "testlib.h"
#include "testpsn.h"

#define SIZE	128

static struct smrc_rxmsgs *table(struct kunit *test, u32 size)
{
	struct smrc_rxmsg *msg = kunit_kzalloc(test, size * sizeof(*msg), GFP_KERNEL);
	struct smrc_rxmsgs *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, msg);
	KUNIT_ASSERT_NOT_NULL(test, t);
	smrc_rxmsgs_init(t, msg, size);
	return t;
}

static struct smrc_pkt packet(u8 opcode, u16 msn, u32 psn)
{
	struct smrc_pkt p = {
		.opcode = opcode,
		.psn = psn,
		.data = { .msn = msn, .msg_len = 3000, .rqmsn = 9 },
	};

	return p;
}

static void note(struct smrc_rxmsgs *t, u8 opcode, u16 msn, u32 psn)
{
	struct smrc_pkt p = packet(opcode, msn, psn);

	smrc_rxmsgs_note(t, &p, 0);
}

static const struct smrc_rxmsg *entry(const struct smrc_rxmsgs *t, u16 msn)
{
	return &t->msg[msn & (t->size - 1)];
}

static void rxmsgs_init__empty(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);

	memset(t->msg, 0xff, SIZE * sizeof(*t->msg));
	smrc_rxmsgs_init(t, t->msg, SIZE);
	KUNIT_EXPECT_EQ(test, t->next, 0);
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, 0));
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, 0x7fffff));
}

static const u32 msn_starts[] = { 0, 1, 127, 0xff80, 0xffff, 0x10000, 0x7fffff, 0xffff00, 0xffffff };

static void msn_desc(const u32 *msn, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "msn %#x", *msn);
}

KUNIT_ARRAY_PARAM(msn, msn_starts, msn_desc);

static void rxmsgs_fits__window(struct kunit *test)
{
	const u32 *next = test->param_value;
	struct smrc_rxmsgs *t = table(test, SIZE);
	u32 msn;

	t->next = *next;
	for (msn = 0; msn < 65536; msn++)
		KUNIT_ASSERT_EQ(test, smrc_rxmsgs_fits(t, *next + msn), msn < SIZE);
}

static void rxmsgs_fits__largest_table(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, 1 << 15);

	t->next = 0xfffff0;
	KUNIT_EXPECT_TRUE(test, smrc_rxmsgs_fits(t, 0xfff0));
	KUNIT_EXPECT_TRUE(test, smrc_rxmsgs_fits(t, 0x7fef));
	KUNIT_EXPECT_FALSE(test, smrc_rxmsgs_fits(t, 0x7ff0));
	KUNIT_EXPECT_FALSE(test, smrc_rxmsgs_fits(t, 0xffef));
}

static void rxmsgs_note__first(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);

	note(t, SMRC_OP_SEND_FIRST, 0, 100);
	KUNIT_EXPECT_TRUE(test, entry(t, 0)->used);
	KUNIT_EXPECT_FALSE(test, entry(t, 0)->have_last);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->len, 3000);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->rqmsn, 9);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->syndrome, 0);
}

struct last_case {
	u8 opcode;
	bool last;
	bool imm;
};

static const struct last_case last_cases[] = {
	{ SMRC_OP_SEND_FIRST, false, false },
	{ SMRC_OP_SEND_MIDDLE, false, false },
	{ SMRC_OP_SEND_LAST, true, false },
	{ SMRC_OP_SEND_LAST_IMM, true, true },
	{ SMRC_OP_SEND_ONLY, true, false },
	{ SMRC_OP_SEND_ONLY_IMM, true, true },
	{ SMRC_OP_WRITE_FIRST, false, false },
	{ SMRC_OP_WRITE_MIDDLE, false, false },
	{ SMRC_OP_WRITE_LAST, true, false },
	{ SMRC_OP_WRITE_LAST_IMM, true, true },
	{ SMRC_OP_WRITE_ONLY, true, false },
	{ SMRC_OP_WRITE_ONLY_IMM, true, true },
};

static void last_desc(const struct last_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "opcode %#x", c->opcode);
}

KUNIT_ARRAY_PARAM(last, last_cases, last_desc);

static void rxmsgs_note__last(struct kunit *test)
{
	const struct last_case *c = test->param_value;
	struct smrc_rxmsgs *t = table(test, SIZE);
	struct smrc_pkt p = packet(c->opcode, 0, 100);

	p.se = true;
	p.data.imm = cpu_to_be32(0x11223344);
	smrc_rxmsgs_note(t, &p, 0);
	KUNIT_EXPECT_EQ(test, (bool)entry(t, 0)->have_last, c->last);
	KUNIT_EXPECT_EQ(test, (bool)entry(t, 0)->se, c->last);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->last_psn, c->last ? 100 : 0);
	KUNIT_EXPECT_TRUE(test, entry(t, 0)->imm == (c->imm ? cpu_to_be32(0x11223344) : 0));
	KUNIT_EXPECT_EQ(test, entry(t, 0)->opcode, c->opcode);
	KUNIT_EXPECT_EQ(test, !!smrc_rxmsgs_ready(t, 101), c->last);
}

/* The last packet may come first. */
static void rxmsgs_note__any_order(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);

	note(t, SMRC_OP_SEND_LAST, 0, 102);
	note(t, SMRC_OP_SEND_FIRST, 0, 100);
	note(t, SMRC_OP_SEND_MIDDLE, 0, 101);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->opcode, SMRC_OP_SEND_LAST);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->last_psn, 102);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->syndrome, 0);
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, 102));
	KUNIT_EXPECT_PTR_EQ(test, smrc_rxmsgs_ready(t, 103), entry(t, 0));
}

/* Of a WRITE the last packet tells the receive WQE. */
static void rxmsgs_note__write_rqmsn(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);
	struct smrc_pkt p = packet(SMRC_OP_WRITE_FIRST, 0, 100);

	p.data.rqmsn = 0;
	smrc_rxmsgs_note(t, &p, 0);
	note(t, SMRC_OP_WRITE_LAST_IMM, 0, 101);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->rqmsn, 9);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->syndrome, 0);
}

static void rxmsgs_note__first_syndrome_stays(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);
	struct smrc_pkt p = packet(SMRC_OP_WRITE_FIRST, 0, 100);

	smrc_rxmsgs_note(t, &p, 0);
	p = packet(SMRC_OP_WRITE_MIDDLE, 0, 101);
	smrc_rxmsgs_note(t, &p, SMRC_SYN_NAK_REM_ACCESS);
	p = packet(SMRC_OP_WRITE_LAST, 0, 102);
	smrc_rxmsgs_note(t, &p, SMRC_SYN_NAK_REM_OP);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->syndrome, SMRC_SYN_NAK_REM_ACCESS);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->last_psn, 102);
	note(t, SMRC_OP_WRITE_MIDDLE, 0, 103);
	KUNIT_EXPECT_EQ(test, entry(t, 0)->syndrome, SMRC_SYN_NAK_REM_ACCESS);
}

static void rxmsgs_note__does_not_fit(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);
	u32 i;

	t->next = 5;
	note(t, SMRC_OP_SEND_ONLY, 4, 100);
	note(t, SMRC_OP_SEND_ONLY, 5 + SIZE, 100);
	note(t, SMRC_OP_SEND_ONLY, 0xffff, 100);
	for (i = 0; i < SIZE; i++)
		KUNIT_EXPECT_FALSE(test, t->msg[i].used);
}

struct lie_case {
	const char *name;
	u8 first;
	u8 second;
	u32 len;
	u16 rqmsn;
	u8 syndrome;
};

static const struct lie_case lie_cases[] = {
	{ "honest send", SMRC_OP_SEND_FIRST, SMRC_OP_SEND_LAST, 3000, 9, 0 },
	{ "honest write", SMRC_OP_WRITE_FIRST, SMRC_OP_WRITE_LAST, 3000, 9, 0 },
	{ "send of another length", SMRC_OP_SEND_FIRST, SMRC_OP_SEND_LAST, 3001, 9, SMRC_SYN_NAK_INV_REQ },
	{ "write of another length", SMRC_OP_WRITE_LAST, SMRC_OP_WRITE_FIRST, 2999, 9, SMRC_SYN_NAK_INV_REQ },
	{ "send into another wqe", SMRC_OP_SEND_FIRST, SMRC_OP_SEND_LAST, 3000, 10, SMRC_SYN_NAK_INV_REQ },
	{ "middle into another wqe", SMRC_OP_SEND_LAST, SMRC_OP_SEND_MIDDLE, 3000, 10, SMRC_SYN_NAK_INV_REQ },
	{ "send, then write", SMRC_OP_SEND_FIRST, SMRC_OP_WRITE_LAST, 3000, 9, SMRC_SYN_NAK_INV_REQ },
	{ "write, then send", SMRC_OP_WRITE_LAST, SMRC_OP_SEND_FIRST, 3000, 9, SMRC_SYN_NAK_INV_REQ },
	{ "two last packets", SMRC_OP_SEND_LAST, SMRC_OP_SEND_LAST_IMM, 3000, 9, SMRC_SYN_NAK_INV_REQ },
	{ "two only packets", SMRC_OP_WRITE_ONLY, SMRC_OP_WRITE_ONLY, 3000, 9, SMRC_SYN_NAK_INV_REQ },
};

KUNIT_ARRAY_PARAM_DESC(lie, lie_cases, name);

static void rxmsgs_note__contradiction(struct kunit *test)
{
	const struct lie_case *c = test->param_value;
	struct smrc_rxmsgs *t = table(test, SIZE);
	struct smrc_pkt p;

	note(t, c->first, 7, 100);
	p = packet(c->second, 7, 101);
	p.data.msg_len = c->len;
	p.data.rqmsn = c->rqmsn;
	smrc_rxmsgs_note(t, &p, 0);
	KUNIT_EXPECT_EQ(test, entry(t, 7)->syndrome, c->syndrome);
	KUNIT_EXPECT_EQ(test, entry(t, 7)->len, 3000);
	if (smrc_op_is_last(c->first)) {
		KUNIT_EXPECT_EQ(test, entry(t, 7)->last_psn, 100);
		KUNIT_EXPECT_EQ(test, entry(t, 7)->opcode, c->first);
	}
}

static void rxmsgs_ready__psn(struct kunit *test)
{
	const u32 *psn = test->param_value;
	struct smrc_rxmsgs *t = table(test, SIZE);

	note(t, SMRC_OP_SEND_ONLY, 0, *psn);
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, smrc_psn_add(*psn, -64)));
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, *psn));
	KUNIT_EXPECT_NOT_NULL(test, smrc_rxmsgs_ready(t, smrc_psn_add(*psn, 1)));
	KUNIT_EXPECT_NOT_NULL(test, smrc_rxmsgs_ready(t, smrc_psn_add(*psn, 64)));
}

static void rxmsgs_ready__in_order(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);

	note(t, SMRC_OP_SEND_ONLY, 1, 101);
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, 102));
	note(t, SMRC_OP_WRITE_ONLY, 0, 100);
	KUNIT_EXPECT_PTR_EQ(test, smrc_rxmsgs_ready(t, 102), entry(t, 0));
	smrc_rxmsgs_retire(t);
	KUNIT_EXPECT_PTR_EQ(test, smrc_rxmsgs_ready(t, 102), entry(t, 1));
	smrc_rxmsgs_retire(t);
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, 102));
}

/* The PSN order of two messages is the sender's lie: the one behind waits for the one before. */
static void rxmsgs_ready__psns_crossed(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);

	note(t, SMRC_OP_SEND_ONLY, 0, 101);
	note(t, SMRC_OP_SEND_ONLY, 1, 100);
	KUNIT_EXPECT_NULL(test, smrc_rxmsgs_ready(t, 101));
	KUNIT_EXPECT_PTR_EQ(test, smrc_rxmsgs_ready(t, 102), entry(t, 0));
}

/* Idle between messages, and not from the first packet of the next one on; those behind it do not count. */
static void rxmsgs_idle__between(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);

	KUNIT_EXPECT_TRUE(test, smrc_rxmsgs_idle(t));
	note(t, SMRC_OP_WRITE_FIRST, 1, 2);
	KUNIT_EXPECT_TRUE(test, smrc_rxmsgs_idle(t));
	note(t, SMRC_OP_WRITE_FIRST, 0, 0);
	KUNIT_EXPECT_FALSE(test, smrc_rxmsgs_idle(t));
	note(t, SMRC_OP_WRITE_LAST, 0, 1);
	KUNIT_EXPECT_FALSE(test, smrc_rxmsgs_idle(t));
	smrc_rxmsgs_retire(t);
	KUNIT_EXPECT_FALSE(test, smrc_rxmsgs_idle(t));
	smrc_rxmsgs_retire(t);
	KUNIT_EXPECT_TRUE(test, smrc_rxmsgs_idle(t));
}

static void rxmsgs_retire__wraps(struct kunit *test)
{
	const u32 *start = test->param_value;
	struct smrc_rxmsgs *t = table(test, SIZE);
	u32 i, next = *start;

	t->next = next;
	for (i = 0; i < 3 * SIZE; i++) {
		note(t, SMRC_OP_SEND_ONLY, next, i);
		KUNIT_EXPECT_NOT_NULL(test, smrc_rxmsgs_ready(t, i + 1));
		smrc_rxmsgs_retire(t);
		next = (next + 1) & 0xffffff;
		KUNIT_EXPECT_EQ(test, t->next, next);
		KUNIT_EXPECT_FALSE(test, entry(t, next - 1)->used);
	}
}

/* Whatever packets come, retiring all that is ready ends, and the table holds what fits. */
static void rxmsgs_retire__hostile(struct kunit *test)
{
	struct smrc_rxmsgs *t = table(test, SIZE);
	u64 rnd = 99;
	u32 i, n, retired = 0;
	struct smrc_pkt p;

	for (i = 0; i < 50000; i++) {
		p = packet(SMRC_OP_SEND_FIRST + test_random(&rnd) % 12, t->next + test_random(&rnd) % (2 * SIZE),
			   test_random(&rnd) & SMRC_PSN_MASK);
		p.data.msg_len = test_random(&rnd) % 3;
		smrc_rxmsgs_note(t, &p, test_random(&rnd) % 50 ? 0 : SMRC_SYN_NAK_REM_ACCESS);
		for (n = 0; smrc_rxmsgs_ready(t, test_random(&rnd) & SMRC_PSN_MASK); n++)
			smrc_rxmsgs_retire(t);
		KUNIT_ASSERT_LE(test, n, SIZE);
		retired += n;
	}
	KUNIT_EXPECT_GT(test, retired, 1000);
}

static void rxmsg_verdict__adds_up(struct kunit *test)
{
	struct smrc_rxmsg m = { .len = 3, .got = 3 };

	KUNIT_EXPECT_EQ(test, smrc_rxmsg_verdict(&m), 0);
	m.got = 2;
	KUNIT_EXPECT_EQ(test, smrc_rxmsg_verdict(&m), SMRC_SYN_NAK_INV_REQ);
	m.got = 4;
	KUNIT_EXPECT_EQ(test, smrc_rxmsg_verdict(&m), SMRC_SYN_NAK_INV_REQ);
	m.syndrome = SMRC_SYN_NAK_REM_ACCESS;
	KUNIT_EXPECT_EQ(test, smrc_rxmsg_verdict(&m), SMRC_SYN_NAK_REM_ACCESS);
}

static struct kunit_case rxmsg_cases[] = {
	KUNIT_CASE(rxmsgs_init__empty),
	KUNIT_CASE_PARAM(rxmsgs_fits__window, msn_gen_params),
	KUNIT_CASE(rxmsgs_fits__largest_table),
	KUNIT_CASE(rxmsgs_note__first),
	KUNIT_CASE_PARAM(rxmsgs_note__last, last_gen_params),
	KUNIT_CASE(rxmsgs_note__any_order),
	KUNIT_CASE(rxmsgs_note__write_rqmsn),
	KUNIT_CASE(rxmsgs_note__first_syndrome_stays),
	KUNIT_CASE(rxmsgs_note__does_not_fit),
	KUNIT_CASE_PARAM(rxmsgs_note__contradiction, lie_gen_params),
	KUNIT_CASE_PARAM(rxmsgs_ready__psn, test_psn_gen_params),
	KUNIT_CASE(rxmsgs_ready__in_order),
	KUNIT_CASE(rxmsgs_ready__psns_crossed),
	KUNIT_CASE(rxmsgs_idle__between),
	KUNIT_CASE_PARAM(rxmsgs_retire__wraps, msn_gen_params),
	KUNIT_CASE(rxmsgs_retire__hostile),
	KUNIT_CASE(rxmsg_verdict__adds_up),
	{}
};

static struct kunit_suite rxmsg_suite = {
	.name = "smrc_rxmsg",
	.test_cases = rxmsg_cases,
};

kunit_test_suite(rxmsg_suite);
