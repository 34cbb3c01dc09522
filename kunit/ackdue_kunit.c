// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ackdue_kunit.c: every reason to send a SACK, and none without one.
 */
#include "ackdue.c"

#include <kunit/test.h>

#define THRESHOLD	16384U
#define T0		1000000000ULL

/* Past the first packet, which is always answered. */
static void start(struct smrc_ackdue *d)
{
	memset(d, 0, sizeof(*d));
	smrc_ackdue_packet(d, 0, 0, THRESHOLD, T0);
	smrc_ackdue_sent(d);
}

static void ackdue_packet__first(struct kunit *test)
{
	struct smrc_ackdue d = {};

	KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0));
	smrc_ackdue_sent(&d);
	KUNIT_EXPECT_FALSE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0));
}

struct size_case {
	u32 size;
	u32 threshold;
	u32 packets;	/* the one that is answered */
};

static const struct size_case size_cases[] = {
	{ 0, 16384, 16 },	/* each adds 1024 at least */
	{ 1, 16384, 16 },
	{ 1023, 16384, 16 },
	{ 1024, 16384, 16 },
	{ 1025, 16384, 16 },
	{ 1093, 16384, 15 },
	{ 4096, 16384, 4 },
	{ 4096, 16385, 5 },
	{ 4096, 4096, 1 },
	{ 4096, 1024, 1 },
	{ 0, 1024, 1 },
	{ 4096, 1048576, 256 },
};

static void size_desc(const struct size_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u bytes of %u", c->size, c->threshold);
}

KUNIT_ARRAY_PARAM(size, size_cases, size_desc);

static void ackdue_packet__threshold(struct kunit *test)
{
	const struct size_case *c = test->param_value;
	struct smrc_ackdue d;
	u64 now = T0;
	u32 i, round;

	start(&d);
	for (round = 0; round < 3; round++) {
		for (i = 1; i < c->packets; i++)
			KUNIT_ASSERT_FALSE(test, smrc_ackdue_packet(&d, c->size, 0, c->threshold, now++));
		KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, c->size, 0, c->threshold, now++));
		smrc_ackdue_sent(&d);
	}
}

/* Times are read before the lock is taken, so one may be a little behind the latest. */
static void ackdue_packet__time_stands(struct kunit *test)
{
	struct smrc_ackdue d;

	start(&d);
	KUNIT_EXPECT_FALSE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0 - 1));
}

/* Due stays due until the SACK is sent. */
static void ackdue_packet__stays_due(struct kunit *test)
{
	struct smrc_ackdue d;

	start(&d);
	KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, THRESHOLD, 0, THRESHOLD, T0));
	KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0));
}

static const u32 reasons[] = {
	SMRC_ACK_ECN, SMRC_ACK_RTX, SMRC_ACK_REQ, SMRC_ACK_DUP, SMRC_ACK_ECN | SMRC_ACK_DUP,
};

static void reason_desc(const u32 *reason, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "reasons %#x", *reason);
}

KUNIT_ARRAY_PARAM(reason, reasons, reason_desc);

static void ackdue_packet__reason(struct kunit *test)
{
	const u32 *reason = test->param_value;
	struct smrc_ackdue d;

	start(&d);
	KUNIT_EXPECT_FALSE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0));
	KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, 1, *reason, THRESHOLD, T0));
	smrc_ackdue_sent(&d);
	KUNIT_EXPECT_FALSE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0));
}

static void ackdue_packet__idle(struct kunit *test)
{
	struct smrc_ackdue d;

	start(&d);
	KUNIT_EXPECT_FALSE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0 + SMRC_ACK_IDLE_NS));
	/* The quiet time runs from the latest packet. */
	KUNIT_EXPECT_FALSE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0 + 2 * SMRC_ACK_IDLE_NS));
	KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0 + 3 * SMRC_ACK_IDLE_NS + 1));
}

static void ackdue_packet__saturates(struct kunit *test)
{
	struct smrc_ackdue d;

	start(&d);
	KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, U32_MAX, 0, THRESHOLD, T0));
	KUNIT_EXPECT_TRUE(test, smrc_ackdue_packet(&d, U32_MAX, 0, THRESHOLD, T0));
	KUNIT_EXPECT_EQ(test, d.bytes, U32_MAX);
}

static void ackdue_sent__counts_anew(struct kunit *test)
{
	struct smrc_ackdue d;
	u32 i;

	start(&d);
	for (i = 0; i < 15; i++)
		smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0);
	smrc_ackdue_sent(&d);
	KUNIT_EXPECT_EQ(test, d.bytes, 0);
	KUNIT_EXPECT_EQ(test, d.last_ns, T0);
	KUNIT_EXPECT_FALSE(test, smrc_ackdue_packet(&d, 1, 0, THRESHOLD, T0));
}

static struct kunit_case ackdue_cases[] = {
	KUNIT_CASE(ackdue_packet__first),
	KUNIT_CASE_PARAM(ackdue_packet__threshold, size_gen_params),
	KUNIT_CASE(ackdue_packet__time_stands),
	KUNIT_CASE(ackdue_packet__stays_due),
	KUNIT_CASE_PARAM(ackdue_packet__reason, reason_gen_params),
	KUNIT_CASE(ackdue_packet__idle),
	KUNIT_CASE(ackdue_packet__saturates),
	KUNIT_CASE(ackdue_sent__counts_anew),
	{}
};

static struct kunit_suite ackdue_suite = {
	.name = "smrc_ackdue",
	.test_cases = ackdue_cases,
};

kunit_test_suite(ackdue_suite);
