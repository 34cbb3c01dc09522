// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rnr_kunit.c: waits, tries and their end when the receiver is not ready.
 */
#include "rnr.c"

#include <kunit/test.h>

#define CODE	1		/* 10 us */
#define WAIT	10000ULL

/* IBTA table 45 as ibv_modify_qp(3) prints it, in us. */
static const u32 rnr_us[] = {
	655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840, 5120, 7680, 10240,
	15360, 20480, 30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
};

static void rnr_ns__codes(struct kunit *test)
{
	u32 code;

	KUNIT_ASSERT_EQ(test, ARRAY_SIZE(rnr_us), 32);
	for (code = 0; code < 256; code++)
		KUNIT_EXPECT_EQ(test, smrc_rnr_ns(code), 1000ULL * rnr_us[code & 31]);
}

/* A wait begins at @now, and ends. */
static void wait_once(struct kunit *test, struct smrc_rnr *r, u32 psn, u64 now)
{
	KUNIT_EXPECT_EQ(test, smrc_rnr_refused(r, psn, now, CODE, now), SMRC_RNR_WAIT);
	KUNIT_EXPECT_FALSE(test, smrc_rnr_expired(r, now + WAIT - 1));
	KUNIT_EXPECT_TRUE(test, smrc_rnr_expired(r, now + WAIT));
	KUNIT_EXPECT_FALSE(test, smrc_rnr_expired(r, now + WAIT));
}

static void rnr_init__attribute(struct kunit *test)
{
	struct smrc_rnr r;

	memset(&r, 0xff, sizeof(r));
	smrc_rnr_init(&r, 6);
	KUNIT_EXPECT_EQ(test, r.retry, 6);
	KUNIT_EXPECT_EQ(test, r.left, 6);
	KUNIT_EXPECT_EQ(test, r.until, 0);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, true, 9), 9);
	smrc_rnr_init(&r, 255);
	KUNIT_EXPECT_EQ(test, r.retry, SMRC_RNR_INFINITE);
}

static void rnr_refused__counts_down(struct kunit *test)
{
	struct smrc_rnr r;
	u32 retry, i;
	u64 now;

	for (retry = 0; retry < SMRC_RNR_INFINITE; retry++) {
		smrc_rnr_init(&r, retry);
		for (now = 1, i = 0; i < retry; i++, now += WAIT)
			wait_once(test, &r, 5, now);
		KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 5, now, CODE, now), SMRC_RNR_EXCEEDED);
		KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 5, now, CODE, now), SMRC_RNR_EXCEEDED);
		/* Packets that arrive are progress of the message; the retries come back when it is done. */
		smrc_rnr_arrived(&r, true);
		KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 5, now, CODE, now), SMRC_RNR_EXCEEDED);
		smrc_rnr_done(&r);
		KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 5, now, CODE, now),
				retry ? SMRC_RNR_WAIT : SMRC_RNR_EXCEEDED);
	}
}

static void rnr_refused__infinite(struct kunit *test)
{
	struct smrc_rnr r;
	u32 i;

	smrc_rnr_init(&r, SMRC_RNR_INFINITE);
	for (i = 0; i < 1000; i++)
		wait_once(test, &r, 5, 1 + i * WAIT);
}

/* A window of packets was under way: each is refused, and one wait is begun. */
static void rnr_refused__old_news(struct kunit *test)
{
	struct smrc_rnr r;

	smrc_rnr_init(&r, 2);
	KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 5, 100, CODE, 200), SMRC_RNR_WAIT);
	KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 6, 100, CODE, 201), SMRC_RNR_OLD);
	KUNIT_EXPECT_TRUE(test, smrc_rnr_expired(&r, 200 + WAIT));
	KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 7, 200 + WAIT - 1, CODE, 300 + WAIT), SMRC_RNR_OLD);
	KUNIT_EXPECT_EQ(test, r.left, 1);
	KUNIT_EXPECT_EQ(test, smrc_rnr_refused(&r, 5, 200 + WAIT, CODE, 300 + WAIT), SMRC_RNR_WAIT);
	KUNIT_EXPECT_EQ(test, r.left, 0);
}

/* Nothing while it waits, then one packet at a time, then what the window allows. */
static void rnr_room__one_at_a_time(struct kunit *test)
{
	struct smrc_rnr r;

	smrc_rnr_init(&r, 2);
	/* Sent last, and perhaps vanished: not what is waited for. */
	smrc_rnr_sent(&r, 9);
	smrc_rnr_refused(&r, 5, 1, CODE, 1);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, false, 9), 0);
	smrc_rnr_expired(&r, 1 + WAIT);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, false, 9), 1);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, false, 0), 0);
	KUNIT_EXPECT_EQ(test, r.trial, 5);
	smrc_rnr_sent(&r, 6);
	KUNIT_EXPECT_EQ(test, r.trial, 6);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, true, 9), 0);
	/* The trial itself was lost. */
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, false, 9), 1);
	smrc_rnr_arrived(&r, false);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, true, 9), 9);
}

/* The refused packet found a receive request by another copy: no need to wait; any other says nothing of it. */
static void rnr_arrived__ends_the_wait(struct kunit *test)
{
	struct smrc_rnr r;

	smrc_rnr_init(&r, 2);
	smrc_rnr_refused(&r, 5, 1, CODE, 1);
	smrc_rnr_arrived(&r, false);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, false, 9), 0);
	smrc_rnr_expired(&r, 1 + WAIT);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, false, 9), 1);
	smrc_rnr_refused(&r, 5, 1 + WAIT, CODE, 2 + WAIT);
	smrc_rnr_arrived(&r, true);
	KUNIT_EXPECT_EQ(test, smrc_rnr_room(&r, true, 9), 9);
}

static struct kunit_case rnr_cases[] = {
	KUNIT_CASE(rnr_ns__codes),
	KUNIT_CASE(rnr_init__attribute),
	KUNIT_CASE(rnr_refused__counts_down),
	KUNIT_CASE(rnr_refused__infinite),
	KUNIT_CASE(rnr_refused__old_news),
	KUNIT_CASE(rnr_arrived__ends_the_wait),
	KUNIT_CASE(rnr_room__one_at_a_time),
	{}
};

static struct kunit_suite rnr_suite = {
	.name = "smrc_rnr",
	.test_cases = rnr_cases,
};

kunit_test_suite(rnr_suite);
