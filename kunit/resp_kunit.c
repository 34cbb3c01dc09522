// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * resp_kunit.c: responses owed: whose turn it is, what is forgotten when, and what a lying requester cannot do.
 */
#include "resp.c"

#include <kunit/test.h>

#include "wire.h"

#define SIZE	8U

struct fixture {
	struct smrc_resps t;
	struct smrc_resp resp[SIZE];
};

static void start(struct fixture *f, u32 first)
{
	memset(f->resp, 0xff, sizeof(f->resp));
	smrc_resps_init(&f->t, f->resp, SIZE);
	f->t.acked = first;
	f->t.next = first;
	f->t.ready = first;
}

/* A request of @len bytes arrives and retires. */
static struct smrc_resp *come(struct fixture *f, u32 number, u32 len)
{
	struct smrc_resp *r = smrc_resps_arrived(&f->t, number);

	if (!r)
		return NULL;
	r->len = len;
	return smrc_resps_ready(&f->t, number, number + 100);
}

static void resps_arrived__room(struct kunit *test)
{
	struct fixture f;
	u32 i;

	start(&f, 0);
	for (i = SIZE; i-- > 0;)
		KUNIT_EXPECT_PTR_EQ(test, smrc_resps_arrived(&f.t, i), &f.resp[i]);
	KUNIT_EXPECT_NULL(test, smrc_resps_arrived(&f.t, 0));
	KUNIT_EXPECT_NULL(test, smrc_resps_arrived(&f.t, SIZE));
	KUNIT_EXPECT_NULL(test, smrc_resps_arrived(&f.t, 0xffff));
}

/* A QP that takes no READs has no table. */
static void resps__none(struct kunit *test)
{
	struct smrc_resps t;

	smrc_resps_init(&t, NULL, 0);
	KUNIT_EXPECT_NULL(test, smrc_resps_arrived(&t, 0));
	KUNIT_EXPECT_NULL(test, smrc_resps_ready(&t, 0, 0));
	KUNIT_EXPECT_NULL(test, smrc_resps_next(&t));
	KUNIT_EXPECT_NULL(test, smrc_resps_refused(&t));
	KUNIT_EXPECT_FALSE(test, smrc_resps_owed(&t));
	smrc_resps_acked(&t, 5);
}

/* Nothing is sent before its turn; numbers that are not the next are refused. */
static void resps_ready__in_order(struct kunit *test)
{
	struct fixture f;

	start(&f, 0);
	KUNIT_EXPECT_NOT_NULL(test, smrc_resps_arrived(&f.t, 1));
	KUNIT_EXPECT_NULL(test, smrc_resps_next(&f.t));
	KUNIT_EXPECT_NULL(test, smrc_resps_ready(&f.t, 1, 7));
	KUNIT_EXPECT_NULL(test, smrc_resps_ready(&f.t, 0, 7));
	KUNIT_EXPECT_NOT_NULL(test, smrc_resps_arrived(&f.t, 0));
	KUNIT_EXPECT_PTR_EQ(test, smrc_resps_ready(&f.t, 0, 7), &f.resp[0]);
	KUNIT_EXPECT_EQ(test, f.resp[0].msn, 7);
	KUNIT_EXPECT_NULL(test, smrc_resps_ready(&f.t, 0, 8));
	KUNIT_EXPECT_PTR_EQ(test, smrc_resps_next(&f.t), &f.resp[0]);
	KUNIT_EXPECT_PTR_EQ(test, smrc_resps_ready(&f.t, 1, 9), &f.resp[1]);
	KUNIT_EXPECT_PTR_EQ(test, smrc_resps_next(&f.t), &f.resp[0]);
}

static void resps_sent__one_after_the_other(struct kunit *test)
{
	struct fixture f;

	start(&f, 0);
	come(&f, 0, 3000);
	come(&f, 1, 0);
	smrc_resps_sent(&f.t, 2048, false, 10);
	KUNIT_EXPECT_EQ(test, smrc_resps_next(&f.t)->off, 2048);
	smrc_resps_sent(&f.t, 952, true, 11);
	KUNIT_EXPECT_PTR_EQ(test, smrc_resps_next(&f.t), &f.resp[1]);
	smrc_resps_sent(&f.t, 0, true, 12);
	KUNIT_EXPECT_NULL(test, smrc_resps_next(&f.t));
	KUNIT_EXPECT_TRUE(test, smrc_resps_owed(&f.t));
	smrc_resps_acked(&f.t, 11);
	KUNIT_EXPECT_EQ(test, f.t.acked, 0);
	smrc_resps_acked(&f.t, 12);
	KUNIT_EXPECT_EQ(test, f.t.acked, 1);
	KUNIT_EXPECT_FALSE(test, f.resp[0].used);
	smrc_resps_acked(&f.t, 13);
	KUNIT_EXPECT_FALSE(test, smrc_resps_owed(&f.t));
}

/* Room comes back with acknowledgments alone; numbers and PSNs wrap. */
static void resps__wraps(struct kunit *test)
{
	struct fixture f;
	u32 i, psn = 0xfffff0;

	start(&f, 0xfff0);
	for (i = 0xfff0; i < 0xfff0 + SIZE; i++)
		KUNIT_ASSERT_NOT_NULL(test, come(&f, i, 1));
	for (; i < 0x10020; i++) {
		KUNIT_EXPECT_NULL(test, smrc_resps_arrived(&f.t, i));
		smrc_resps_sent(&f.t, 1, true, psn);
		psn = smrc_psn_add(psn, 1);
		smrc_resps_acked(&f.t, psn);
		KUNIT_ASSERT_NOT_NULL(test, come(&f, i, 1));
	}
	KUNIT_EXPECT_EQ(test, f.t.acked, 0x10020 - SIZE);
}

/* One that cannot be given waits until those before it have arrived. */
static void resps_refused__behind_others(struct kunit *test)
{
	struct fixture f;

	start(&f, 0);
	come(&f, 0, 1);
	KUNIT_EXPECT_FALSE(test, smrc_resps_blocked(&f.t));
	come(&f, 1, 1)->syndrome = SMRC_SYN_NAK_REM_ACCESS;
	KUNIT_EXPECT_TRUE(test, smrc_resps_blocked(&f.t));
	KUNIT_EXPECT_NULL(test, smrc_resps_refused(&f.t));
	smrc_resps_sent(&f.t, 1, true, 5);
	KUNIT_EXPECT_NULL(test, smrc_resps_next(&f.t));
	KUNIT_EXPECT_NULL(test, smrc_resps_refused(&f.t));
	smrc_resps_acked(&f.t, 6);
	KUNIT_EXPECT_PTR_EQ(test, smrc_resps_refused(&f.t), &f.resp[1]);
	KUNIT_EXPECT_TRUE(test, smrc_resps_owed(&f.t));
}

static struct kunit_case resp_cases[] = {
	KUNIT_CASE(resps_arrived__room),
	KUNIT_CASE(resps__none),
	KUNIT_CASE(resps_ready__in_order),
	KUNIT_CASE(resps_sent__one_after_the_other),
	KUNIT_CASE(resps__wraps),
	KUNIT_CASE(resps_refused__behind_others),
	{}
};

static struct kunit_suite resp_suite = {
	.name = "smrc_resp",
	.test_cases = resp_cases,
};

kunit_test_suite(resp_suite);
