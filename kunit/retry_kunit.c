// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * retry_kunit.c: the verbs attributes that end a connection, in nanoseconds.
 */
#include "retry.c"

#include <kunit/test.h>

#define MS	1000000ULL

/* ibv_modify_qp(3): 4.096 us * 2^timeout, 0 is infinite. The figures are those of the manual page, in 0.1 us. */
static void retry_timeout_ns__codes(struct kunit *test)
{
	u32 code;

	KUNIT_EXPECT_EQ(test, smrc_retry_timeout_ns(0), 0);
	KUNIT_EXPECT_EQ(test, smrc_retry_timeout_ns(1), 8192);
	KUNIT_EXPECT_EQ(test, smrc_retry_timeout_ns(14), 67108864);
	KUNIT_EXPECT_EQ(test, smrc_retry_timeout_ns(31), 8796093022208ULL);
	for (code = 1; code < 31; code++)
		KUNIT_EXPECT_EQ(test, smrc_retry_timeout_ns(code + 1), 2 * smrc_retry_timeout_ns(code));
	for (code = 32; code < 256; code++)
		KUNIT_EXPECT_EQ(test, smrc_retry_timeout_ns(code), smrc_retry_timeout_ns(code & 31));
}

static void retry_init__attributes(struct kunit *test)
{
	struct smrc_retry r;

	memset(&r, 0xff, sizeof(r));
	smrc_retry_init(&r, 14, 7);
	KUNIT_EXPECT_EQ(test, r.timeout, 67108864);
	KUNIT_EXPECT_EQ(test, r.retry_cnt, 7);
	KUNIT_EXPECT_EQ(test, r.progress, 0);
	smrc_retry_init(&r, 14, 8);
	KUNIT_EXPECT_EQ(test, r.retry_cnt, 0);
}

static void retry_progress__starts_anew(struct kunit *test)
{
	struct smrc_retry r;

	smrc_retry_init(&r, 1, 0);
	smrc_retry_progress(&r, 100);
	KUNIT_EXPECT_EQ(test, smrc_retry_deadline(&r, 0), 100 + 8192);
}

struct deadline_case {
	const char *name;
	u8 timeout;
	u8 retry_cnt;
	u64 rto;
	u64 progress;
	u64 deadline;
};

static const struct deadline_case deadline_cases[] = {
	{ "timeout 0 never", 0, 7, MS, 100, U64_MAX },
	{ "timeout 0, no retry", 0, 0, MS, 100, U64_MAX },
	{ "no retry", 1, 0, 0, 100, 8292 },
	{ "one retry", 1, 1, 0, 100, 16484 },
	{ "7 is a count", 1, 7, 0, 0, 65536 },
	{ "usual attributes", 14, 7, MS, 1000, 536871912 },
	{ "rto above the timeout", 1, 2, MS, 10, 3 * MS + 10 },
	{ "rto as the timeout", 1, 2, 8192, 0, 24576 },
	{ "longest", 31, 7, 0, 0, 70368744177664ULL },
	{ "rto beyond reason", 1, 7, U64_MAX, 100, U64_MAX },
	{ "would wrap", 1, 7, 0, U64_MAX - 65535, U64_MAX },
};

KUNIT_ARRAY_PARAM_DESC(deadline, deadline_cases, name);

static void retry_deadline__bound(struct kunit *test)
{
	const struct deadline_case *c = test->param_value;
	struct smrc_retry r;

	smrc_retry_init(&r, c->timeout, c->retry_cnt);
	smrc_retry_progress(&r, c->progress);
	KUNIT_EXPECT_EQ(test, smrc_retry_deadline(&r, c->rto), c->deadline);
}

static struct kunit_case retry_cases[] = {
	KUNIT_CASE(retry_timeout_ns__codes),
	KUNIT_CASE(retry_init__attributes),
	KUNIT_CASE(retry_progress__starts_anew),
	KUNIT_CASE_PARAM(retry_deadline__bound, deadline_gen_params),
	{}
};

static struct kunit_suite retry_suite = {
	.name = "smrc_retry",
	.test_cases = retry_cases,
};

kunit_test_suite(retry_suite);
