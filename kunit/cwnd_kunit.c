// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cwnd_kunit.c: the window in packets; nscc_kunit.c has the controller.
 */
#include "cwnd.c"

#include <kunit/test.h>
#include <linux/limits.h>
#include <linux/time64.h>

static void cwnd_fixed__at_least_one(struct kunit *test)
{
	struct smrc_cwnd w;

	smrc_cwnd_fixed(&w, 0);
	KUNIT_EXPECT_EQ(test, w.packets, 1);
	smrc_cwnd_fixed(&w, 1);
	KUNIT_EXPECT_EQ(test, w.packets, 1);
	smrc_cwnd_fixed(&w, 4096);
	KUNIT_EXPECT_EQ(test, w.packets, 4096);
}

struct room_case {
	u32 packets;
	u32 inflight;
	u32 room;
};

static const struct room_case room_cases[] = {
	{ 1, 0, 1 },
	{ 1, 1, 0 },
	{ 1, 2, 0 },
	{ 64, 0, 64 },
	{ 64, 63, 1 },
	{ 64, 64, 0 },
	{ 64, U32_MAX, 0 },	/* a window that became smaller than what is in flight */
	{ U32_MAX, 0, U32_MAX },
	{ U32_MAX, U32_MAX, 0 },
};

static void room_desc(const struct room_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u of %u in flight", c->inflight, c->packets);
}

KUNIT_ARRAY_PARAM(room, room_cases, room_desc);

static void cwnd_room__what_is_left(struct kunit *test)
{
	const struct room_case *c = test->param_value;
	struct smrc_cwnd w;

	smrc_cwnd_fixed(&w, c->packets);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, c->inflight), c->room);
}

static void cwnd_acked__a_fixed_window_stays(struct kunit *test)
{
	const struct smrc_ack_result res = { .newly = 8, .has_rtt = true, .rtt_ns = NSEC_PER_SEC };
	struct smrc_cwnd w = {};

	smrc_cwnd_fixed(&w, 64);
	smrc_cwnd_acked(&w, &res, 8, 0, true, 1);
	smrc_cwnd_lost(&w);
	KUNIT_EXPECT_EQ(test, w.packets, 64);
}

/* What the timer took may be sent although the window is full; once. */
static void cwnd_fired__lets_one_go(struct kunit *test)
{
	struct smrc_cwnd w;

	smrc_cwnd_fixed(&w, 4);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, 7), 0);
	smrc_cwnd_fired(&w);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, 7), 1);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, 2), 2);
	smrc_cwnd_sent(&w);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, 7), 0);
}

/* 225000 bytes are 54 packets of 4096; a loss takes one. */
static void cwnd_acked__nscc_moves_it(struct kunit *test)
{
	/* 12000 of it are the base RTT, 1000 the receiver's */
	const struct smrc_ack_result res = { .newly = 8, .has_rtt = true, .rtt_ns = 37000, .service_ns = 1000 };
	struct smrc_nscc_cfg cfg;
	struct smrc_cwnd w;

	smrc_nscc_config(&cfg, 4096, 100000, 12000, 1024, false);
	smrc_cwnd_nscc(&w, &cfg);
	KUNIT_EXPECT_EQ(test, w.packets, 54);
	smrc_cwnd_lost(&w);
	KUNIT_EXPECT_EQ(test, w.packets, 53);
	w.nscc.delay_ns = 24000;
	smrc_cwnd_acked(&w, &res, 40, 12000, true, 12000);
	/* 0.8 x (24000 - 12000) / 24000 off 220904 bytes: 132543, and eta 614 */
	KUNIT_EXPECT_EQ(test, w.nscc.cwnd, 132543 + 614);
	KUNIT_EXPECT_EQ(test, w.packets, 32);
}

/* What tells no delay: no round trip known, or that of a packet that had been sent again. */
static void cwnd_acked__no_sample(struct kunit *test)
{
	static const struct smrc_ack_result res[] = {
		{ .newly = 1 },
		{ .newly = 1, .has_rtt = true, .spurious = true },
	};
	struct smrc_nscc_cfg cfg;
	struct smrc_cwnd w;
	u32 i;

	smrc_nscc_config(&cfg, 4096, 100000, 12000, 1024, false);
	for (i = 0; i < ARRAY_SIZE(res); i++) {
		smrc_cwnd_nscc(&w, &cfg);
		w.nscc.delay_ns = 24000;
		smrc_cwnd_acked(&w, &res[i], 40, 12000, true, 12000);
		KUNIT_EXPECT_EQ(test, w.nscc.delay_ns, 24000);
		KUNIT_EXPECT_GE(test, w.packets, 54);
	}
}

/* A round trip below the base RTT has no delay, not a huge one. */
static void cwnd_acked__below_the_base(struct kunit *test)
{
	const struct smrc_ack_result res = { .newly = 1, .has_rtt = true, .rtt_ns = 11000, .service_ns = 500 };
	struct smrc_nscc_cfg cfg;
	struct smrc_cwnd w;

	smrc_nscc_config(&cfg, 4096, 100000, 12000, 1024, false);
	smrc_cwnd_nscc(&w, &cfg);
	smrc_cwnd_acked(&w, &res, 40, 12000, false, 12000);
	KUNIT_EXPECT_EQ(test, w.nscc.delay_ns, 0);
	KUNIT_EXPECT_GE(test, w.packets, 54);
}

struct penalty_case {
	u32 packets;
	u8 penalty;
	u32 size;
};

static const struct penalty_case penalty_cases[] = {
	{ 54, 0, 54 },
	{ 54, 64, 27 },		/* 64 halves */
	{ 54, 1, 54 },		/* less than a packet */
	{ 54, 3, 53 },
	{ 54, 127, 1 },
	{ 54, 128, 1 },		/* no such penalty */
	{ 54, 255, 1 },
	{ 1, 127, 1 },
	{ 2, 64, 1 },
	{ 1024, 32, 768 },
};

static void penalty_desc(const struct penalty_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%u of a window of %u", c->penalty, c->packets);
}

KUNIT_ARRAY_PARAM(penalty, penalty_cases, penalty_desc);

static void cwnd_penalty__nscc_heeds_it(struct kunit *test)
{
	const struct penalty_case *c = test->param_value;
	struct smrc_cwnd w = { .cc = SMRC_CC_NSCC, .packets = c->packets };

	smrc_cwnd_penalty(&w, c->penalty);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_size(&w), c->size);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, 0), c->size);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, c->size), 0);
	smrc_cwnd_penalty(&w, 0);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_size(&w), c->packets);
}

static void cwnd_penalty__a_fixed_window_stays(struct kunit *test)
{
	struct smrc_cwnd w;

	smrc_cwnd_fixed(&w, 54);
	smrc_cwnd_penalty(&w, 64);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_size(&w), 54);
}

static struct kunit_case cwnd_cases[] = {
	KUNIT_CASE_PARAM(cwnd_penalty__nscc_heeds_it, penalty_gen_params),
	KUNIT_CASE(cwnd_penalty__a_fixed_window_stays),
	KUNIT_CASE(cwnd_fixed__at_least_one),
	KUNIT_CASE_PARAM(cwnd_room__what_is_left, room_gen_params),
	KUNIT_CASE(cwnd_acked__a_fixed_window_stays),
	KUNIT_CASE(cwnd_acked__nscc_moves_it),
	KUNIT_CASE(cwnd_acked__no_sample),
	KUNIT_CASE(cwnd_acked__below_the_base),
	KUNIT_CASE(cwnd_fired__lets_one_go),
	{}
};

static struct kunit_suite cwnd_suite = {
	.name = "smrc_cwnd",
	.test_cases = cwnd_cases,
};

kunit_test_suite(cwnd_suite);
