// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * policy_default_kunit.c: the rotation with marks, sentence by sentence of seed 1.
 */
#include "policy_default.c"

#include "testev.h"

static const struct smrc_entropy_cfg seed_cfg = SEED_CFG;

/* Seed 1: 1 MiB is 256 packets; 40 values carry 4 of them and 32 carry 3. */
static void default_pick__worked_example(struct kunit *test)
{
	u32 i, four, three;
	u64 seed;

	for (seed = 0; seed < 16; seed++) {
		struct smrc_entropy *e = draw(test, &seed_cfg, seed);

		KUNIT_ASSERT_EQ(test, e->n, 72);
		for (i = 0; i < 256; i++)
			smrc_entropy_pick(e);
		for (four = 0, three = 0, i = 0; i < e->n; i++) {
			four += e->ev[i].sent == 4;
			three += e->ev[i].sent == 3;
		}
		KUNIT_EXPECT_EQ(test, four, 40);
		KUNIT_EXPECT_EQ(test, three, 32);
	}
}

static void default_pick__next_of_the_rotation(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 5);
	u32 i;

	e->next = 3;
	for (i = 0; i < 12; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), (3 + i) % 5);
}

static void default_pick__mark_passed_over(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 10);
	u32 i;

	mark(e, 0, 0);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 1);
	KUNIT_EXPECT_EQ(test, e->ev[0].state, SMRC_EV_GOOD);
	/* The rotation goes on behind the value taken, and the value cleared has its turn again. */
	for (i = 2; i < 13; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), i % 10);
}

static void default_pick__first_mark_cleared(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 20);

	mark(e, 0, 2);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 3);
	KUNIT_EXPECT_EQ(test, e->ev[0].state, SMRC_EV_GOOD);
	KUNIT_EXPECT_EQ(test, e->ev[1].state, SMRC_EV_SKIP);
	KUNIT_EXPECT_EQ(test, e->ev[2].state, SMRC_EV_SKIP);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 4);
}

static void default_pick__seven_looked_at(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 20);

	mark(e, 0, 6);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 7);
	KUNIT_EXPECT_EQ(test, e->next, 8);

	e = set_of(test, SMRC_SPRAY_DEFAULT, 20);
	mark(e, 0, 7);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 0);
	KUNIT_EXPECT_EQ(test, e->ev[0].state, SMRC_EV_GOOD);
	KUNIT_EXPECT_EQ(test, e->ev[1].state, SMRC_EV_SKIP);
	KUNIT_EXPECT_EQ(test, e->next, 1);
	/* Now the value at turn 1 is cleared, and 8 is the seventh that follows. */
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 8);
}

static void default_pick__all_marked(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 4);

	mark(e, 0, 3);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 0);
	/* 1 is met and cleared; of those that follow only 0, cleared before, is unmarked. */
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 0);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 1);
}

static void default_pick__one_value_marked(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 1);

	mark(e, 0, 0);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 0);
	KUNIT_EXPECT_EQ(test, e->ev[0].state, SMRC_EV_GOOD);
}

static void default_pick__bad_is_out(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 6);

	spoil(e, 0, 0);
	spoil(e, 3, 4);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 2);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 5);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 1);
	smrc_entropy_feedback(e, 3, SMRC_EV_SIG_PROBE_OK, 2);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 2);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 3);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 5);
}

/* The seven that follow are values of the rotation; bad ones are not of it. */
static void default_pick__bad_not_counted(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 20);

	mark(e, 0, 0);
	spoil(e, 1, 3);
	mark(e, 4, 9);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 10);
}

static void default_pick__all_bad(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 5);
	u32 i;

	mark(e, 2, 3);
	spoil(e, 0, 4);
	KUNIT_EXPECT_EQ(test, e->n_bad, 5);
	for (i = 0; i < 10; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), i % 5);
	KUNIT_EXPECT_EQ(test, e->n_bad, 5);
	smrc_entropy_feedback(e, 2, SMRC_EV_SIG_PROBE_OK, 2);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 2);
}

/* The rule once more, over a list of the values that the packet may take, written out from the rotation. */
static u16 model_pick(const u8 *state, u16 n, u16 next, u16 avoid, int *cleared)
{
	u16 list[10], n_list = 0, usable = 0, others = 0, i, k;

	for (i = 0; i < n; i++)
		usable += state[i] != SMRC_EV_ASSUMED_BAD;
	for (i = 0; i < n; i++)
		others += i != avoid && (!usable || state[i] != SMRC_EV_ASSUMED_BAD);
	for (i = 0; i < n; i++) {
		k = (next + i) % n;
		if ((usable && state[k] == SMRC_EV_ASSUMED_BAD) || (k == avoid && others))
			continue;
		list[n_list++] = k;
	}
	*cleared = -1;
	if (state[list[0]] != SMRC_EV_SKIP)
		return list[0];
	*cleared = list[0];
	for (i = 1; i <= 7 && i < n_list; i++) {
		if (state[list[i]] != SMRC_EV_SKIP)
			return list[i];
	}
	return list[0];
}

/* Every assignment of states to up to 9 values; @avoid runs over all slots and "none" (= n). */
static void default_pick__model(struct kunit *test)
{
	u8 state[10];
	struct smrc_entropy *e;
	u32 code, codes, c;
	u16 n, i, avoid, want, got;
	int cleared;

	for (n = 1, codes = 3; n <= 9; n++, codes *= 3) {
		e = set_of(test, SMRC_SPRAY_DEFAULT, n);
		for (code = 0; code < codes; code++) {
			avoid = code % (n + 1);
			for (e->n_bad = 0, c = code, i = 0; i < n; i++, c /= 3) {
				state[i] = c % 3;
				e->ev[i].state = state[i];
				e->n_bad += state[i] == SMRC_EV_ASSUMED_BAD;
			}
			e->next = (code / 7) % n;
			want = model_pick(state, n, e->next, avoid, &cleared);
			got = avoid == n ? smrc_entropy_pick(e) : smrc_entropy_pick_other(e, avoid);
			KUNIT_ASSERT_EQ_MSG(test, got, want, "n %u states %u avoid %u", n, code, avoid);
			KUNIT_ASSERT_EQ(test, e->next, (want + 1) % n);
			for (i = 0; i < n; i++)
				KUNIT_ASSERT_EQ(test, e->ev[i].state, i == cleared ? SMRC_EV_GOOD : state[i]);
		}
	}
}

static void default_pick__other_avoids(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 5);

	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 0), 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 0), 2);
	/* The mark of the value avoided is not met. */
	mark(e, 3, 3);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 3), 4);
	KUNIT_EXPECT_EQ(test, e->ev[3].state, SMRC_EV_SKIP);
}

static void default_pick__other_among_followers(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 5);

	mark(e, 0, 0);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 1), 2);
	KUNIT_EXPECT_EQ(test, e->ev[0].state, SMRC_EV_GOOD);
}

static struct kunit_case policy_default_cases[] = {
	KUNIT_CASE(default_pick__worked_example),
	KUNIT_CASE(default_pick__next_of_the_rotation),
	KUNIT_CASE(default_pick__mark_passed_over),
	KUNIT_CASE(default_pick__first_mark_cleared),
	KUNIT_CASE(default_pick__seven_looked_at),
	KUNIT_CASE(default_pick__all_marked),
	KUNIT_CASE(default_pick__one_value_marked),
	KUNIT_CASE(default_pick__bad_is_out),
	KUNIT_CASE(default_pick__bad_not_counted),
	KUNIT_CASE(default_pick__all_bad),
	KUNIT_CASE(default_pick__model),
	KUNIT_CASE(default_pick__other_avoids),
	KUNIT_CASE(default_pick__other_among_followers),
	{}
};

static struct kunit_suite policy_default_suite = {
	.name = "smrc_policy_default",
	.test_cases = policy_default_cases,
};

kunit_test_suite(policy_default_suite);
