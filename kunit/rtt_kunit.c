// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rtt_kunit.c: RFC 6298 by numbers, limits of the RTO, the base RTT that only falls.
 */
#include "rtt.c"

#include <kunit/test.h>

#define US		1000ULL
#define RTO_MIN		(100 * US)
#define RTO_MAX		(1000000 * US)
#define BASE		(250 * US)

static void rtt_init__no_sample(struct kunit *test)
{
	struct smrc_rtt r;

	memset(&r, 0xff, sizeof(r));
	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	KUNIT_EXPECT_EQ(test, r.srtt, 0);
	KUNIT_EXPECT_EQ(test, r.rttvar, 0);
	KUNIT_EXPECT_EQ(test, r.backoff, 0);
	KUNIT_EXPECT_EQ(test, r.rto_min, RTO_MIN);
	KUNIT_EXPECT_EQ(test, r.rto_max, RTO_MAX);
}

struct sample_case {
	u64 rtt;
	u64 srtt;
	u64 mdev;
	u64 rto;
};

/* One run of samples, worked by hand from RFC 6298 2.2 and 2.3 in ns; the RTO has the largest deviation so far. */
static const struct sample_case samples[] = {
	{ 800000, 800000, 400000, 2400000 },
	{ 800000, 800000, 300000, 2400000 },
	{ 1600000, 900000, 425000, 2600000 },
	{ 100000, 800000, 518750, 2875000 },
	{ 0, 700000, 589062, 3056248 },
};

static void rtt_sample__rfc6298(struct kunit *test)
{
	struct smrc_rtt r;
	u32 i;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	for (i = 0; i < ARRAY_SIZE(samples); i++) {
		smrc_rtt_sample(&r, samples[i].rtt, 1 + i);
		KUNIT_EXPECT_EQ(test, r.srtt, samples[i].srtt);
		KUNIT_EXPECT_EQ(test, r.mdev, samples[i].mdev);
		KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, BASE), samples[i].rto);
	}
}

/* srtt = 0 means "no sample", so no run of samples may lead there. */
static void rtt_sample__zero(struct kunit *test)
{
	struct smrc_rtt r;
	u32 i;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	for (i = 0; i < 100; i++) {
		smrc_rtt_sample(&r, 0, 1 + i);
		KUNIT_EXPECT_EQ(test, r.srtt, 1);
	}
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, BASE), RTO_MIN);
}

static void rtt_sample__huge(struct kunit *test)
{
	struct smrc_rtt r;
	u32 i;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	for (i = 0; i < 100; i++)
		smrc_rtt_sample(&r, U64_MAX, 1 + i);
	KUNIT_EXPECT_EQ(test, r.srtt, RTO_MAX);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, BASE), RTO_MAX);
}

static void rtt_sample__converges(struct kunit *test)
{
	struct smrc_rtt r;
	u32 i;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	smrc_rtt_sample(&r, 50000 * US, 1);
	for (i = 1; i <= 200; i++)
		smrc_rtt_sample(&r, 400 * US, i * NSEC_PER_SEC);
	KUNIT_EXPECT_GE(test, r.srtt, 400 * US);
	KUNIT_EXPECT_LT(test, r.srtt, 400 * US + 8);
	KUNIT_EXPECT_LT(test, r.rttvar, 16);
}

/* A deviation is held while faster round trips come, and fades by a quarter with each round of four smoothed RTTs. */
static void rtt_sample__holds_the_deviation(struct kunit *test)
{
	struct smrc_rtt r;
	u64 end, held;
	u32 i;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	smrc_rtt_sample(&r, 100 * US, 1);
	end = 1 + 4 * 100 * US;
	KUNIT_EXPECT_EQ(test, r.round_at, end);
	smrc_rtt_sample(&r, 4100 * US, 2);
	held = (3 * 50 * US + 4000 * US) / 4;
	KUNIT_EXPECT_EQ(test, r.rttvar, held);
	for (i = 0; i < 100; i++)
		smrc_rtt_sample(&r, 100 * US, end - 1);
	KUNIT_EXPECT_EQ(test, r.rttvar, held);
	KUNIT_EXPECT_LT(test, r.mdev, US);
	/* The round that ends had that deviation; the next one has none. */
	smrc_rtt_sample(&r, 100 * US, end);
	KUNIT_EXPECT_EQ(test, r.rttvar, held);
	smrc_rtt_sample(&r, 100 * US, r.round_at);
	KUNIT_EXPECT_GE(test, r.rttvar, held * 3 / 4);
	KUNIT_EXPECT_LT(test, r.rttvar, held * 3 / 4 + US);
}

static void rtt_get__before_and_after(struct kunit *test)
{
	struct smrc_rtt r;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	KUNIT_EXPECT_EQ(test, smrc_rtt_get(&r, BASE), BASE);
	smrc_rtt_sample(&r, 40 * US, 1);
	KUNIT_EXPECT_EQ(test, smrc_rtt_get(&r, BASE), 40 * US);
}

static void rtt_late__varies(struct kunit *test)
{
	struct smrc_rtt r;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, BASE), BASE);
	smrc_rtt_sample(&r, 40 * US, 1);
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, BASE), 120 * US);
	/* No floor: that is the RTO's. */
	r.rttvar = 0;
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, BASE), 40 * US);
	r.rttvar = RTO_MAX;
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, BASE), RTO_MAX);
}

/* Two round trips, and late where that is more and below rto_min; not before a quarter of rto_min. */
static void rtt_quiet__limits(struct kunit *test)
{
	struct smrc_rtt r;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, BASE), 4 * BASE);
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, 0), RTO_MIN);
	r.srtt = US;
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, BASE), RTO_MIN / 4);
	r.srtt = 20 * US;
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, BASE), 40 * US);
	r.rttvar = 10 * US;
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, BASE), 60 * US);
	r.rttvar = RTO_MIN;
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, BASE), RTO_MIN);
	r.srtt = 2 * RTO_MIN;
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, BASE), 4 * RTO_MIN);
	r.rttvar = 0;
	KUNIT_EXPECT_EQ(test, smrc_rtt_quiet(&r, BASE), 2 * RTO_MIN);
	smrc_rtt_sample(&r, U64_MAX, 1);
	KUNIT_EXPECT_LE(test, smrc_rtt_quiet(&r, BASE), RTO_MAX);
}

struct quiet_case {
	u64 srtt;
	u64 rttvar;
};

/* Around rto_min, on both sides of all bounds. */
static const struct quiet_case quiet_cases[] = {
	{ 1, 0 }, { US, US }, { 10 * US, 40 * US }, { 24 * US, 0 }, { 26 * US, 0 }, { 50 * US, 10 * US },
	{ 99 * US, 0 }, { 100 * US, 0 }, { 101 * US, 50 * US }, { 500 * US, 5 * US }, { 500 * US, 500 * US },
	{ RTO_MAX, RTO_MAX },
};

static void quiet_desc(const struct quiet_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "srtt %llu, deviation %llu", c->srtt, c->rttvar);
}

KUNIT_ARRAY_PARAM(quiet, quiet_cases, quiet_desc);

/* A question never comes after the RTO, and before it where round trips leave room. */
static void rtt_quiet__not_after_rto(struct kunit *test)
{
	const struct quiet_case *c = test->param_value;
	struct smrc_rtt r;
	u64 quiet, rto;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	r.srtt = c->srtt;
	r.rttvar = c->rttvar;
	quiet = smrc_rtt_quiet(&r, BASE);
	rto = smrc_rtt_rto_base(&r, BASE);
	KUNIT_EXPECT_LE(test, quiet, rto);
	KUNIT_EXPECT_GE(test, quiet, min(r.srtt, RTO_MAX));
	if (smrc_rtt_late(&r, BASE) < RTO_MIN && 2 * r.srtt < RTO_MIN)
		KUNIT_EXPECT_LT(test, quiet, rto);
}

static void rtt_rto_base__limits(struct kunit *test)
{
	struct smrc_rtt r;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto_base(&r, BASE), 4 * BASE);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto_base(&r, 0), RTO_MIN);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto_base(&r, U64_MAX), RTO_MAX);
	r.srtt = 300 * US;
	r.rttvar = 50 * US;
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto_base(&r, BASE), 500 * US);
}

struct rto_case {
	const char *name;
	u64 srtt;
	u64 rttvar;
	u64 base;
	u8 backoff;
	u64 rto;
};

static const struct rto_case rto_cases[] = {
	{ "no sample", 0, 0, 250 * US, 0, 1000 * US },
	{ "no sample, base below the floor", 0, 0, 6 * US, 0, RTO_MIN },
	{ "no sample, base at the ceiling", 0, 0, RTO_MAX, 0, RTO_MAX },
	{ "no sample, base beyond reason", 0, 0, U64_MAX, 0, RTO_MAX },
	{ "no sample, backed off", 0, 0, 250 * US, 3, 8000 * US },
	{ "below the floor", 10 * US, 5 * US, 250 * US, 0, RTO_MIN },
	{ "floor doubled", 10 * US, 5 * US, 250 * US, 1, 2 * RTO_MIN },
	{ "between", 300 * US, 50 * US, 250 * US, 0, 500 * US },
	{ "no deviation", 300 * US, 0, 250 * US, 0, 300 * US },
	{ "above the ceiling", 900000 * US, 100000 * US, 250 * US, 0, RTO_MAX },
	{ "last doubling below the ceiling", 500 * US, 0, 250 * US, 10, 512000 * US },
	{ "doubled to the ceiling", 500 * US, 0, 250 * US, 11, RTO_MAX },
	{ "most back-off", 500 * US, 0, 250 * US, 16, RTO_MAX },
};

KUNIT_ARRAY_PARAM_DESC(rto, rto_cases, name);

static void rtt_rto__limits(struct kunit *test)
{
	const struct rto_case *c = test->param_value;
	struct smrc_rtt r;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	r.srtt = c->srtt;
	r.rttvar = c->rttvar;
	r.backoff = c->backoff;
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, c->base), c->rto);
}

static void rtt_rto__floor_is_ceiling(struct kunit *test)
{
	struct smrc_rtt r;

	smrc_rtt_init(&r, RTO_MIN, RTO_MIN);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, BASE), RTO_MIN);
	smrc_rtt_backoff(&r);
	smrc_rtt_sample(&r, 1, 1);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, BASE), RTO_MIN);
}

static void rtt_backoff__doubles(struct kunit *test)
{
	struct smrc_rtt r;
	u64 want = 4 * BASE;
	u32 i;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	for (i = 0; i < 300; i++) {
		KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, BASE), want);
		KUNIT_EXPECT_EQ(test, smrc_rtt_rto_base(&r, BASE), 4 * BASE);
		smrc_rtt_backoff(&r);
		want = min(2 * want, RTO_MAX);
	}
	KUNIT_EXPECT_EQ(test, r.backoff, 16);
}

static void rtt_progress__ends_backoff(struct kunit *test)
{
	struct smrc_rtt r;

	smrc_rtt_init(&r, RTO_MIN, RTO_MAX);
	smrc_rtt_backoff(&r);
	smrc_rtt_backoff(&r);
	smrc_rtt_progress(&r);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto(&r, BASE), 4 * BASE);
}

struct base_case {
	u64 base;
	u64 rtt;
	u64 after;
};

static const struct base_case base_cases[] = {
	{ 6000, 7000, 6000 },
	{ 6000, 6000, 6000 },
	{ 6000, 5500, 6000 },
	{ 6000, 5000, 6000 },	/* 1 us below is not more than 1 us below */
	{ 6000, 4999, 5999 },
	{ 6000, 3000, 4000 },
	{ 6000, 0, 1000 },
	{ 1001, 0, 1000 },
	{ 1000, 0, 1000 },
	{ 500, 0, 500 },
	{ 0, 0, 0 },
	{ 6000, U64_MAX, 6000 },
	{ U64_MAX, U64_MAX - 1001, U64_MAX - 1 },
	{ U64_MAX, U64_MAX - 1000, U64_MAX },
};

static void base_desc(const struct base_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "base %llu sample %llu", c->base, c->rtt);
}

KUNIT_ARRAY_PARAM(base, base_cases, base_desc);

static void base_rtt_sample__only_falls(struct kunit *test)
{
	const struct base_case *c = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_base_rtt_sample(c->base, c->rtt), c->after);
}

/* So much longer as the packet was early; once while what was sent by the old figure comes back; at most rto_max. */
static void rtt_reordered__waits_longer(struct kunit *test)
{
	struct smrc_rtt r;
	u64 late;

	smrc_rtt_init(&r, 100, 1000000);
	smrc_rtt_sample(&r, 8000, 1);
	late = smrc_rtt_late(&r, 0);
	KUNIT_EXPECT_EQ(test, late, 8000 + 4 * 4000);
	smrc_rtt_reordered(&r, 3000, 50000);
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, 0), late + 3000);
	KUNIT_EXPECT_EQ(test, smrc_rtt_rto_base(&r, 0), late + 3000);
	smrc_rtt_reordered(&r, 5000, 50000 + late + 2999);
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, 0), late + 3000);
	smrc_rtt_reordered(&r, 5000, 50000 + late + 3000);
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, 0), late + 8000);
	smrc_rtt_reordered(&r, U64_MAX / 2, U64_MAX / 2);
	KUNIT_EXPECT_EQ(test, smrc_rtt_late(&r, 0), 1000000);
}

/* Half of it is forgotten in 2^10 ln 2 samples. */
static void rtt_sample__forgets_reordering(struct kunit *test)
{
	struct smrc_rtt r;
	u32 i;

	smrc_rtt_init(&r, 100, 100000000);
	smrc_rtt_sample(&r, 8000, 1);
	smrc_rtt_reordered(&r, 1000000, 1);
	for (i = 0; i < 710; i++)
		smrc_rtt_sample(&r, 8000, 1);
	KUNIT_EXPECT_GT(test, r.reorder, 480000);
	KUNIT_EXPECT_LT(test, r.reorder, 520000);
}

static void base_rtt_floor__below_it(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_base_rtt_floor(0), 0);
	KUNIT_EXPECT_EQ(test, smrc_base_rtt_floor(1000), 0);
	KUNIT_EXPECT_EQ(test, smrc_base_rtt_floor(2000), 1000);
	KUNIT_EXPECT_EQ(test, smrc_base_rtt_floor(4000), 3000);
	KUNIT_EXPECT_EQ(test, smrc_base_rtt_floor(U64_MAX), U64_MAX - U64_MAX / 4);
}

static struct kunit_case rtt_cases[] = {
	KUNIT_CASE(rtt_init__no_sample),
	KUNIT_CASE(rtt_sample__rfc6298),
	KUNIT_CASE(rtt_sample__zero),
	KUNIT_CASE(rtt_sample__huge),
	KUNIT_CASE(rtt_sample__converges),
	KUNIT_CASE(rtt_sample__holds_the_deviation),
	KUNIT_CASE(rtt_get__before_and_after),
	KUNIT_CASE(rtt_late__varies),
	KUNIT_CASE(rtt_reordered__waits_longer),
	KUNIT_CASE(rtt_sample__forgets_reordering),
	KUNIT_CASE(base_rtt_floor__below_it),
	KUNIT_CASE(rtt_quiet__limits),
	KUNIT_CASE_PARAM(rtt_quiet__not_after_rto, quiet_gen_params),
	KUNIT_CASE(rtt_rto_base__limits),
	KUNIT_CASE_PARAM(rtt_rto__limits, rto_gen_params),
	KUNIT_CASE(rtt_rto__floor_is_ceiling),
	KUNIT_CASE(rtt_backoff__doubles),
	KUNIT_CASE(rtt_progress__ends_backoff),
	KUNIT_CASE_PARAM(base_rtt_sample__only_falls, base_gen_params),
	{}
};

static struct kunit_suite rtt_suite = {
	.name = "smrc_rtt",
	.test_cases = rtt_cases,
};

kunit_test_suite(rtt_suite);
