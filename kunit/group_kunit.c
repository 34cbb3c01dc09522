// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * group_kunit.c: QPs that share a window.
 */
#include "group.c"

#include <kunit/test.h>

#include "testlib.h"

#define MEMBERS	16

struct fixture {
	struct smrc_group g;
	struct smrc_member m[MEMBERS];
	u32 sent[MEMBERS];
};

static struct fixture *group_of(struct kunit *test, u32 window)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, f);
	smrc_group_init(&f->g);
	smrc_cwnd_fixed(&f->g.cwnd, window);
	for (i = 0; i < MEMBERS; i++)
		smrc_member_init(&f->m[i]);
	return f;
}

/* Member @i sends as long as it may, and has @wants packets; returns how many it sent. */
static u32 run(struct fixture *f, u32 i, u32 wants)
{
	u32 n = 0;

	smrc_group_begin(&f->g, &f->m[i], f->m[i].inflight);
	while (n < wants && smrc_group_room(&f->g, &f->m[i])) {
		smrc_group_sent(&f->g, &f->m[i]);
		n++;
	}
	smrc_group_rest(&f->g, &f->m[i]);
	f->sent[i] += n;
	return n;
}

static void acked(struct fixture *f, u32 i, u32 n)
{
	smrc_group_update(&f->g, &f->m[i], f->m[i].inflight - n);
}

static struct smrc_member *next_of(struct fixture *f)
{
	return smrc_group_next(&f->g);
}

/* Alone, a QP has the window to itself. */
static void group_room__alone(struct kunit *test)
{
	struct fixture *f = group_of(test, 100);

	KUNIT_EXPECT_EQ(test, smrc_group_room(&f->g, &f->m[0]), 100);
	KUNIT_EXPECT_EQ(test, run(f, 0, 1000), 100);
	KUNIT_EXPECT_EQ(test, f->g.inflight, 100);
	KUNIT_EXPECT_NULL(test, next_of(f));
	acked(f, 0, 30);
	KUNIT_EXPECT_PTR_EQ(test, next_of(f), &f->m[0]);
	KUNIT_EXPECT_EQ(test, run(f, 0, 1000), 30);
}

/* Nobody waits: whoever wants to sends. */
static void group_room__nobody_waits(struct kunit *test)
{
	struct fixture *f = group_of(test, 100);

	KUNIT_EXPECT_EQ(test, run(f, 0, 20), 20);
	KUNIT_EXPECT_EQ(test, run(f, 1, 20), 20);
	KUNIT_EXPECT_EQ(test, run(f, 0, 20), 20);
	KUNIT_EXPECT_EQ(test, f->g.inflight, 60);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->g.line));
}

/* Room that comes up goes to the first in line, whosever packets made it. */
static void group_next__order(struct kunit *test)
{
	struct fixture *f = group_of(test, 10);

	run(f, 0, 1000);
	run(f, 1, 1000);
	run(f, 2, 1000);
	KUNIT_EXPECT_NULL(test, next_of(f));
	acked(f, 0, 1);
	KUNIT_EXPECT_PTR_EQ(test, next_of(f), &f->m[0]);
	KUNIT_EXPECT_EQ(test, run(f, 1, 1000), 0);
	KUNIT_EXPECT_EQ(test, run(f, 2, 1000), 0);
	KUNIT_EXPECT_EQ(test, run(f, 0, 1000), 1);
	KUNIT_EXPECT_NULL(test, next_of(f));
}

/* A turn is SMRC_GROUP_TURN packets, however large the room is. */
static void group_sent__turn_ends(struct kunit *test)
{
	struct fixture *f = group_of(test, 64);

	run(f, 0, 1000);
	run(f, 1, 1000);
	acked(f, 0, 40);
	KUNIT_EXPECT_EQ(test, run(f, 0, 1000), SMRC_GROUP_TURN);
	KUNIT_EXPECT_PTR_EQ(test, next_of(f), &f->m[1]);
	KUNIT_EXPECT_EQ(test, run(f, 1, 1000), SMRC_GROUP_TURN);
	KUNIT_EXPECT_PTR_EQ(test, next_of(f), &f->m[0]);
}

/* Who has no more to send does not keep the others waiting. */
static void group_rest__passes_on(struct kunit *test)
{
	struct fixture *f = group_of(test, 10);

	run(f, 0, 1000);
	run(f, 1, 1000);
	acked(f, 0, 5);
	KUNIT_EXPECT_EQ(test, run(f, 0, 2), 2);
	KUNIT_EXPECT_PTR_EQ(test, next_of(f), &f->m[1]);
	KUNIT_EXPECT_EQ(test, run(f, 1, 1000), 3);
}

/* A QP that fails takes its packets and its place with it. */
static void group_leave__frees(struct kunit *test)
{
	struct fixture *f = group_of(test, 10);

	run(f, 0, 1000);
	run(f, 1, 1000);
	smrc_group_leave(&f->g, &f->m[0]);
	KUNIT_EXPECT_EQ(test, f->g.inflight, 0);
	KUNIT_EXPECT_PTR_EQ(test, next_of(f), &f->m[1]);
	KUNIT_EXPECT_EQ(test, run(f, 1, 1000), 10);
	smrc_group_leave(&f->g, &f->m[1]);
	smrc_group_leave(&f->g, &f->m[1]);
	KUNIT_EXPECT_EQ(test, f->g.inflight, 0);
	KUNIT_EXPECT_TRUE(test, list_empty(&f->g.line));
}

/* A window that shrank below what is in flight lets one packet go when the timer fired. */
static void group_room__rescue(struct kunit *test)
{
	struct fixture *f = group_of(test, 10);

	run(f, 0, 1000);
	f->g.cwnd.packets = 2;
	KUNIT_EXPECT_EQ(test, run(f, 0, 1000), 0);
	smrc_cwnd_fired(&f->g.cwnd);
	KUNIT_EXPECT_PTR_EQ(test, next_of(f), &f->m[0]);
	KUNIT_EXPECT_EQ(test, run(f, 0, 1000), 1);
}

/* Whatever order acknowledgments come in, all members get the same, to a turn, and the window is full all the time. */
static void group__fair(struct kunit *test)
{
	struct fixture *f = group_of(test, 40);
	struct smrc_member *next;
	u64 rnd = 7;
	u32 i, k, lowest = U32_MAX, highest = 0;

	for (i = 0; i < MEMBERS; i++)
		run(f, i, 1000);
	for (k = 0; k < 20000; k++) {
		do {
			i = test_random(&rnd) % MEMBERS;
		} while (!f->m[i].inflight);
		acked(f, i, 1);
		next = next_of(f);
		KUNIT_ASSERT_NOT_NULL(test, next);
		KUNIT_ASSERT_EQ(test, run(f, next - f->m, 1000), 1);
		KUNIT_ASSERT_EQ(test, f->g.inflight, 40);
	}
	for (i = 0; i < MEMBERS; i++) {
		lowest = min(lowest, f->sent[i]);
		highest = max(highest, f->sent[i]);
	}
	/* The first took the whole window before anybody waited. */
	KUNIT_EXPECT_LE(test, highest - lowest, 40 + SMRC_GROUP_TURN);
}

static struct kunit_case group_cases[] = {
	KUNIT_CASE(group_room__alone),
	KUNIT_CASE(group_room__nobody_waits),
	KUNIT_CASE(group_next__order),
	KUNIT_CASE(group_sent__turn_ends),
	KUNIT_CASE(group_rest__passes_on),
	KUNIT_CASE(group_leave__frees),
	KUNIT_CASE(group_room__rescue),
	KUNIT_CASE(group__fair),
	{}
};

static struct kunit_suite group_suite = {
	.name = "smrc_group",
	.test_cases = group_cases,
};

kunit_test_suite(group_suite);
