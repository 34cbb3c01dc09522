// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * entropy_kunit.c: the active set, sentence by sentence of seed 1, and what holds for every policy.
 */
#include "entropy.c"

#include "testev.h"

static const struct smrc_entropy_cfg seed_cfg = SEED_CFG;

struct size_case {
	const char *name;
	struct smrc_entropy_cfg cfg;
	u32 n;
};

#define SIZE_CASE(_name, _bits, _active, _rate, _rtt, _mss, _n) {					\
	.name = _name,											\
	.cfg = {											\
		.mask_bits = _bits, .port_offset = 0xc000, .active_size = _active, .link_rate_mbps = _rate,	\
		.base_rtt_us = _rtt, .mss = _mss, .loss_quorum = 1,					\
	},												\
	.n = _n,											\
}

static const struct size_case size_cases[] = {
	SIZE_CASE("seed 1's defaults", 7, 0, 400000, 6, 4096, 72),
	SIZE_CASE("software, mtu 1500", 7, 0, 10000, 250, 1024, 100),
	SIZE_CASE("software, mtu 4200", 7, 0, 10000, 250, 4096, 75),
	SIZE_CASE("bdp of 3 packets", 7, 0, 8, 300, 40, 3),
	SIZE_CASE("a byte short of 3 packets", 7, 0, 8, 299, 40, 2),
	SIZE_CASE("bdp of one packet", 7, 0, 8, 100, 40, 1),
	SIZE_CASE("packet larger than the bdp", 7, 0, 8, 99, 40, 1),
	SIZE_CASE("no rate", 7, 0, 0, 250, 4096, 1),
	SIZE_CASE("bdp at the cap", 7, 0, 8, 10000, 40, 100),
	SIZE_CASE("bdp above the cap", 8, 0, 8, 10100, 40, 100),
	SIZE_CASE("largest settings", 8, 0, 10000000, 1000000, 256, 100),
	SIZE_CASE("largest figures", 8, 0, U32_MAX, U32_MAX, 1, 100),
	SIZE_CASE("largest mss", 8, 0, 400000, 6, U32_MAX, 1),
	SIZE_CASE("bdp above the range", 5, 0, 400000, 6, 4096, 32),
	SIZE_CASE("range of one", 0, 0, 400000, 6, 4096, 1),
	SIZE_CASE("one asked for", 7, 1, 400000, 6, 4096, 1),
	SIZE_CASE("asked for, no rate", 7, 72, 0, 0, 0, 72),
	SIZE_CASE("no cap when asked for", 7, 101, 400000, 6, 4096, 101),
	SIZE_CASE("the range asked for", 7, 128, 400000, 6, 4096, 128),
	SIZE_CASE("one beyond the range", 7, 129, 400000, 6, 4096, 128),
	SIZE_CASE("largest asked for", 8, 65535, 400000, 6, 4096, 256),
	SIZE_CASE("mask beyond its limit", 9, 65535, 400000, 6, 4096, 256),
};

KUNIT_ARRAY_PARAM_DESC(size_case, size_cases, name);

static void entropy_size__rule(struct kunit *test)
{
	const struct size_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_entropy_size(&c->cfg), c->n);
}

/* Every value of the set is of the range, and only once; slot_of is the inverse of ev. */
static void entropy_init__subset(struct kunit *test)
{
	const struct size_case *c = test->param_value;
	u32 range = 1U << min_t(u32, c->cfg.mask_bits, 8);
	u32 known, i;
	u64 seed;

	for (seed = 0; seed < 32; seed++) {
		struct smrc_entropy *e = draw(test, &c->cfg, seed);

		KUNIT_ASSERT_EQ(test, e->n, c->n);
		KUNIT_EXPECT_LT(test, e->next, e->n);
		KUNIT_EXPECT_EQ(test, e->n_bad, 0);
		for (i = 0; i < e->n; i++) {
			KUNIT_ASSERT_LT(test, (u32)e->ev[i].port - 0xc000, range);
			KUNIT_EXPECT_EQ(test, e->slot_of[e->ev[i].port - 0xc000], i);
			KUNIT_EXPECT_EQ(test, e->ev[i].state, SMRC_EV_GOOD);
		}
		for (known = 0, i = 0; i < SMRC_EV_MAX; i++)
			known += e->slot_of[i] != SMRC_EV_NO_SLOT;
		KUNIT_EXPECT_EQ(test, known, e->n);
	}
}

/*
 * Over many draws every port is drawn about as often, comes first about as often, and the rotation starts at every slot
 * about as often. The bounds are six standard deviations wide, and the seeds are always the same.
 */
static void entropy_init__uniform(struct kunit *test)
{
	struct smrc_entropy *e = draw(test, &seed_cfg, 0);
	u32 *drawn = kunit_kzalloc(test, 3 * 128 * sizeof(u32), GFP_KERNEL);
	u32 *first = drawn + 128;
	u32 *start = first + 128;
	u32 i;
	u64 seed;

	KUNIT_ASSERT_NOT_NULL(test, drawn);
	for (seed = 0; seed < 4096; seed++) {
		smrc_entropy_init(e, &seed_cfg, seed);
		for (i = 0; i < e->n; i++)
			drawn[e->ev[i].port - 256]++;
		first[e->ev[0].port - 256]++;
		start[e->next]++;
	}
	for (i = 0; i < 128; i++) {
		KUNIT_EXPECT_GT(test, drawn[i], 2304 - 191);
		KUNIT_EXPECT_LT(test, drawn[i], 2304 + 191);
		KUNIT_EXPECT_GT(test, first[i], 0);
		KUNIT_EXPECT_LT(test, first[i], 32 + 34);
	}
	for (i = 0; i < 72; i++) {
		KUNIT_EXPECT_GT(test, start[i], 57 - 45);
		KUNIT_EXPECT_LT(test, start[i], 57 + 45);
	}
}

static void entropy_init__repeatable(struct kunit *test)
{
	struct smrc_entropy *a = draw(test, &seed_cfg, 42);
	struct smrc_entropy *b = draw(test, &seed_cfg, 42);

	KUNIT_EXPECT_EQ(test, memcmp(a, b, sizeof(*a)), 0);
}

/* Seed 1, "Spraying and QP groups": a new state draws a new set with every value usable. */
static void entropy_init__redraw(struct kunit *test)
{
	struct smrc_entropy *e = draw(test, &seed_cfg, 1);
	struct smrc_entropy *old = draw(test, &seed_cfg, 1);
	u32 i, same_value = 0, same_place = 0;

	mark(e, 0, 9);
	spoil(e, 10, 70);
	smrc_entropy_init(e, &seed_cfg, 2);
	KUNIT_EXPECT_EQ(test, e->n_bad, 0);
	for (i = 0; i < e->n; i++) {
		KUNIT_EXPECT_EQ(test, e->ev[i].state, SMRC_EV_GOOD);
		KUNIT_EXPECT_EQ(test, e->ev[i].sent, 0);
		KUNIT_EXPECT_EQ(test, e->ev[i].losses, 0);
		same_value += smrc_entropy_slot(old, e->ev[i].port) != SMRC_EV_NO_SLOT;
		same_place += old->ev[i].port == e->ev[i].port;
	}
	KUNIT_EXPECT_LT(test, same_value, e->n);
	KUNIT_EXPECT_LT(test, same_place, e->n / 4);
}

static void entropy_init__single_path(struct kunit *test)
{
	struct smrc_entropy_cfg cfg = seed_cfg;
	struct smrc_entropy *e;
	u64 seed;

	cfg.mask_bits = 0;
	cfg.port_offset = 65535;
	for (seed = 0; seed < 8; seed++) {
		e = draw(test, &cfg, seed);
		KUNIT_EXPECT_EQ(test, e->n, 1);
		KUNIT_EXPECT_EQ(test, e->ev[smrc_entropy_pick(e)].port, 65535);
	}
}

static void entropy_init__last_range(struct kunit *test)
{
	struct smrc_entropy_cfg cfg = seed_cfg;
	struct smrc_entropy *e;
	u32 i;

	cfg.port_offset = 65408;
	cfg.active_size = 128;
	e = draw(test, &cfg, 3);
	for (i = 65408; i <= 65535; i++)
		KUNIT_EXPECT_NE(test, smrc_entropy_slot(e, i), SMRC_EV_NO_SLOT);
}

static void entropy_init__quorum(struct kunit *test)
{
	struct smrc_entropy_cfg cfg = seed_cfg;
	struct smrc_entropy *e;

	cfg.loss_quorum = 0;
	e = draw(test, &cfg, 3);
	KUNIT_EXPECT_EQ(test, e->loss_quorum, 1);
	cfg.loss_quorum = 64;
	smrc_entropy_init(e, &cfg, 3);
	KUNIT_EXPECT_EQ(test, e->loss_quorum, 64);
}

/* A question draws as data does, and is counted as a probe. */
static void entropy_question__counts(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 3);

	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 0);
	KUNIT_EXPECT_EQ(test, smrc_entropy_question(e), 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick(e), 2);
	KUNIT_EXPECT_EQ(test, e->ev[1].probes, 1);
	KUNIT_EXPECT_EQ(test, e->ev[1].sent, 0);
	KUNIT_EXPECT_EQ(test, e->ev[0].sent, 1);
	KUNIT_EXPECT_EQ(test, e->ev[0].probes, 0);
}

static void entropy_pick_other__nothing_else(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 4);

	spoil(e, 0, 2);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 3), 3);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 0), 3);
	e = set_of(test, SMRC_SPRAY_DEFAULT, 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 0), 0);
	spoil(e, 0, 0);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 0), 0);
}

static void entropy_pick_other__all_bad(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 3);

	spoil(e, 0, 2);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 0), 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 2), 0);
}

static void entropy_pick_other__no_slot(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 3);

	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, SMRC_EV_NO_SLOT), 0);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, 3), 1);
	KUNIT_EXPECT_EQ(test, smrc_entropy_pick_other(e, SMRC_EV_MAX), 2);
}

/* All values of 16 bits, and some that no port has. */
static void entropy_slot__any_value(struct kunit *test)
{
	static const u32 strange[] = { 65536, 65536 + 256, 0x7fffffff, 0x80000000, 0x80000100, 0xffffff00, U32_MAX };
	struct smrc_entropy *e = draw(test, &seed_cfg, 5);
	u32 value, found = 0, i;
	u16 slot;

	for (value = 0; value < 65536; value++) {
		slot = smrc_entropy_slot(e, value);
		if (slot == SMRC_EV_NO_SLOT)
			continue;
		KUNIT_ASSERT_LT(test, slot, e->n);
		KUNIT_EXPECT_EQ(test, e->ev[slot].port, value);
		found++;
	}
	KUNIT_EXPECT_EQ(test, found, e->n);
	for (i = 0; i < ARRAY_SIZE(strange); i++)
		KUNIT_EXPECT_EQ(test, smrc_entropy_slot(e, strange[i]), SMRC_EV_NO_SLOT);
}

struct feedback_case {
	u8 from;
	u8 sig;
	u8 to;
};

static const struct feedback_case feedback_cases[] = {
	{ SMRC_EV_GOOD, SMRC_EV_SIG_ACK, SMRC_EV_GOOD },
	{ SMRC_EV_GOOD, SMRC_EV_SIG_ECN, SMRC_EV_SKIP },
	{ SMRC_EV_GOOD, SMRC_EV_SIG_TRIMMED, SMRC_EV_SKIP },
	{ SMRC_EV_GOOD, SMRC_EV_SIG_ALWAYS_SKIP, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_GOOD, SMRC_EV_SIG_TIMEOUT, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_GOOD, SMRC_EV_SIG_LOSS, SMRC_EV_GOOD },
	{ SMRC_EV_GOOD, SMRC_EV_SIG_PROBE_OK, SMRC_EV_GOOD },
	{ SMRC_EV_GOOD, SMRC_EV_SIG_ABSOLVED, SMRC_EV_GOOD },
	{ SMRC_EV_GOOD, SMRC_EV_SIGNALS, SMRC_EV_GOOD },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_ACK, SMRC_EV_SKIP },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_ECN, SMRC_EV_SKIP },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_TRIMMED, SMRC_EV_SKIP },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_ALWAYS_SKIP, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_TIMEOUT, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_LOSS, SMRC_EV_SKIP },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_PROBE_OK, SMRC_EV_SKIP },
	{ SMRC_EV_SKIP, SMRC_EV_SIG_ABSOLVED, SMRC_EV_SKIP },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_ACK, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_ECN, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_TRIMMED, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_ALWAYS_SKIP, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_TIMEOUT, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_LOSS, SMRC_EV_ASSUMED_BAD },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_PROBE_OK, SMRC_EV_GOOD },
	{ SMRC_EV_ASSUMED_BAD, SMRC_EV_SIG_ABSOLVED, SMRC_EV_GOOD },
};

static void feedback_desc(const struct feedback_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "state %u signal %u", c->from, c->sig);
}

KUNIT_ARRAY_PARAM(feedback, feedback_cases, feedback_desc);

/* The quorum is 3, so one loss changes no state. */
static void entropy_feedback__state(struct kunit *test)
{
	const struct feedback_case *c = test->param_value;
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 4);

	e->ev[1].state = c->from;
	e->n_bad = c->from == SMRC_EV_ASSUMED_BAD;
	KUNIT_EXPECT_EQ(test, smrc_entropy_feedback(e, 1, c->sig, 77), c->from != c->to);
	KUNIT_EXPECT_EQ(test, e->ev[1].state, c->to);
	KUNIT_EXPECT_EQ(test, e->ev[1].changed_ns, c->from != c->to ? 77 : 0);
	KUNIT_EXPECT_EQ(test, e->n_bad, c->to == SMRC_EV_ASSUMED_BAD);
}

static void entropy_feedback__quorum(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 4);
	u32 i;

	for (i = 0; i < 5; i++) {
		KUNIT_EXPECT_FALSE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 1));
		KUNIT_EXPECT_FALSE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 1));
		KUNIT_EXPECT_FALSE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_ACK, 1));
	}
	/* A loss on another value does not count. */
	smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 1);
	smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 1);
	KUNIT_EXPECT_FALSE(test, smrc_entropy_feedback(e, 3, SMRC_EV_SIG_LOSS, 1));
	KUNIT_EXPECT_TRUE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 2));
	KUNIT_EXPECT_EQ(test, e->ev[2].state, SMRC_EV_ASSUMED_BAD);
	/* Back by a probe, it has a whole quorum again. */
	KUNIT_EXPECT_TRUE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_PROBE_OK, 3));
	KUNIT_EXPECT_FALSE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 4));
	KUNIT_EXPECT_FALSE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 4));
	KUNIT_EXPECT_TRUE(test, smrc_entropy_feedback(e, 2, SMRC_EV_SIG_LOSS, 4));
}

static void entropy_feedback__counts(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 2);
	u32 i;

	smrc_entropy_feedback(e, 0, SMRC_EV_SIG_ACK, 1);
	smrc_entropy_feedback(e, 0, SMRC_EV_SIG_ECN, 1);
	smrc_entropy_feedback(e, 0, SMRC_EV_SIG_ALWAYS_SKIP, 1);
	smrc_entropy_feedback(e, 0, SMRC_EV_SIG_TRIMMED, 1);
	smrc_entropy_feedback(e, 0, SMRC_EV_SIG_PROBE_OK, 1);
	KUNIT_EXPECT_EQ(test, e->ev[0].acked, 3);
	KUNIT_EXPECT_EQ(test, e->ev[0].lost, 0);
	smrc_entropy_feedback(e, 0, SMRC_EV_SIG_TIMEOUT, 1);
	for (i = 0; i < 300; i++)
		smrc_entropy_feedback(e, 0, SMRC_EV_SIG_LOSS, 1);
	KUNIT_EXPECT_EQ(test, e->ev[0].lost, 301);
	KUNIT_EXPECT_EQ(test, e->ev[0].losses, U8_MAX);
	KUNIT_EXPECT_EQ(test, e->ev[1].lost + e->ev[1].acked, 0);
}

static void entropy_feedback__no_slot(struct kunit *test)
{
	static const u16 slots[] = { 4, 255, 256, 257, SMRC_EV_NO_SLOT };
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 4);
	struct smrc_entropy *before = set_of(test, SMRC_SPRAY_DEFAULT, 4);
	u32 i, sig;

	for (i = 0; i < ARRAY_SIZE(slots); i++) {
		for (sig = 0; sig < SMRC_EV_SIGNALS; sig++)
			KUNIT_EXPECT_FALSE(test, smrc_entropy_feedback(e, slots[i], sig, 1));
	}
	KUNIT_EXPECT_EQ(test, memcmp(e, before, sizeof(*e)), 0);
}

/* n_bad is the number of bad values after any history. */
static void entropy_feedback__n_bad(struct kunit *test)
{
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 7);
	u64 rnd = 1;
	u32 i, k, bad;
	bool changed;
	u16 slot;
	u8 old;

	for (i = 0; i < 20000; i++) {
		slot = ev_random_below(&rnd, 7);
		old = e->ev[slot].state;
		changed = smrc_entropy_feedback(e, slot, ev_random_below(&rnd, SMRC_EV_SIGNALS), i);
		KUNIT_ASSERT_EQ(test, changed, old != e->ev[slot].state);
		for (bad = 0, k = 0; k < 7; k++)
			bad += e->ev[k].state == SMRC_EV_ASSUMED_BAD;
		KUNIT_ASSERT_EQ(test, e->n_bad, bad);
		slot = smrc_entropy_pick(e);
		KUNIT_ASSERT_TRUE(test, bad == 7 || e->ev[slot].state == SMRC_EV_GOOD);
	}
}

static void entropy_rtt__latest(struct kunit *test)
{
	static const u16 none[] = { 3, SMRC_EV_MAX, SMRC_EV_NO_SLOT };
	struct smrc_entropy *e = set_of(test, SMRC_SPRAY_DEFAULT, 3);
	struct smrc_entropy *before;
	u32 i;

	smrc_entropy_rtt(e, 1, 7000);
	smrc_entropy_rtt(e, 1, 9000);
	smrc_entropy_rtt(e, 2, U64_MAX);
	smrc_entropy_probed(e, 2);
	smrc_entropy_probed(e, 2);
	KUNIT_EXPECT_EQ(test, e->ev[0].rtt_ns, 0);
	KUNIT_EXPECT_EQ(test, e->ev[1].rtt_ns, 9000);
	KUNIT_EXPECT_EQ(test, e->ev[2].rtt_ns, U32_MAX);
	KUNIT_EXPECT_EQ(test, e->ev[1].probes, 0);
	KUNIT_EXPECT_EQ(test, e->ev[2].probes, 2);

	before = kunit_kzalloc(test, sizeof(*e), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, before);
	*before = *e;
	for (i = 0; i < ARRAY_SIZE(none); i++) {
		smrc_entropy_rtt(e, none[i], 1);
		smrc_entropy_probed(e, none[i]);
	}
	KUNIT_EXPECT_EQ(test, memcmp(e, before, sizeof(*e)), 0);
}

static struct kunit_case entropy_cases[] = {
	KUNIT_CASE_PARAM(entropy_size__rule, size_case_gen_params),
	KUNIT_CASE_PARAM(entropy_init__subset, size_case_gen_params),
	KUNIT_CASE(entropy_init__uniform),
	KUNIT_CASE(entropy_init__repeatable),
	KUNIT_CASE(entropy_init__redraw),
	KUNIT_CASE(entropy_init__single_path),
	KUNIT_CASE(entropy_init__last_range),
	KUNIT_CASE(entropy_init__quorum),
	KUNIT_CASE(entropy_pick_other__nothing_else),
	KUNIT_CASE(entropy_pick_other__all_bad),
	KUNIT_CASE(entropy_pick_other__no_slot),
	KUNIT_CASE(entropy_question__counts),
	KUNIT_CASE(entropy_slot__any_value),
	KUNIT_CASE_PARAM(entropy_feedback__state, feedback_gen_params),
	KUNIT_CASE(entropy_feedback__quorum),
	KUNIT_CASE(entropy_feedback__counts),
	KUNIT_CASE(entropy_feedback__no_slot),
	KUNIT_CASE(entropy_feedback__n_bad),
	KUNIT_CASE(entropy_rtt__latest),
	{}
};

static struct kunit_suite entropy_suite = {
	.name = "smrc_entropy",
	.test_cases = entropy_cases,
};

kunit_test_suite(entropy_suite);
