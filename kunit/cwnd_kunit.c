// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cwnd_kunit.c: the fixed window.
 */
#include "cwnd.h"

#include <kunit/test.h>
#include <linux/limits.h>

static void cwnd_init__at_least_one(struct kunit *test)
{
	struct smrc_cwnd w;

	smrc_cwnd_init(&w, 0);
	KUNIT_EXPECT_EQ(test, w.packets, 1);
	smrc_cwnd_init(&w, 1);
	KUNIT_EXPECT_EQ(test, w.packets, 1);
	smrc_cwnd_init(&w, 4096);
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

	smrc_cwnd_init(&w, c->packets);
	KUNIT_EXPECT_EQ(test, smrc_cwnd_room(&w, c->inflight), c->room);
}

static struct kunit_case cwnd_cases[] = {
	KUNIT_CASE(cwnd_init__at_least_one),
	KUNIT_CASE_PARAM(cwnd_room__what_is_left, room_gen_params),
	{}
};

static struct kunit_suite cwnd_suite = {
	.name = "smrc_cwnd",
	.test_cases = cwnd_cases,
};

kunit_test_suite(cwnd_suite);
