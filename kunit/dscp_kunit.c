// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * dscp_kunit.c: classes of traffic.
 */
#include "dscp.c"

#include <kunit/test.h>

/* Values that differ from each other and from the defaults, so that no mix-up hides. */
static void distinct(struct smrc_settings *s, bool trimming)
{
	*s = (struct smrc_settings) {};
	s->v[SMRC_SET_TRIMMING] = trimming;
	s->v[SMRC_SET_DSCP_NO_TRIM] = 1;
	s->v[SMRC_SET_DSCP_TRIMMABLE] = 2;
	s->v[SMRC_SET_DSCP_TRIMMABLE_RETX] = 3;
	s->v[SMRC_SET_DSCP_TRIMMED] = 61;
	s->v[SMRC_SET_DSCP_TRIMMED_LASTHOP] = 62;
	s->v[SMRC_SET_DSCP_CONTROL] = 63;
}

struct of_case {
	bool trimming;
	enum smrc_class cls;
	u8 chosen;
	u8 dscp;
};

static const struct of_case of_cases[] = {
	{ false, SMRC_CLASS_DATA, 0, 1 },
	{ false, SMRC_CLASS_RETX, 0, 1 },
	{ false, SMRC_CLASS_CONTROL, 0, 63 },
	{ true, SMRC_CLASS_DATA, 0, 2 },
	{ true, SMRC_CLASS_RETX, 0, 3 },
	{ true, SMRC_CLASS_CONTROL, 0, 63 },
	{ false, SMRC_CLASS_DATA, 26, 26 },
	{ true, SMRC_CLASS_DATA, 26, 26 },
	{ true, SMRC_CLASS_RETX, 26, 26 },
	{ true, SMRC_CLASS_CONTROL, 26, 63 },
	{ true, SMRC_CLASS_DATA, 61, 2 },	/* classes of what was trimmed */
	{ true, SMRC_CLASS_RETX, 62, 3 },
	{ false, SMRC_CLASS_DATA, 62, 1 },
};

static void of_desc(const struct of_case *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "trimming %d, class %d, chosen %u", c->trimming, c->cls, c->chosen);
}

KUNIT_ARRAY_PARAM(of, of_cases, of_desc);

static void dscp_of__classes(struct kunit *test)
{
	const struct of_case *c = test->param_value;
	struct smrc_settings s;
	struct smrc_dscp d;

	distinct(&s, c->trimming);
	smrc_dscp_init(&d, &s);
	KUNIT_EXPECT_EQ(test, smrc_dscp_of(&d, c->cls, c->chosen), c->dscp);
}

/* Every DSCP there is. */
static void dscp_trim__marks(struct kunit *test)
{
	struct smrc_settings s;
	struct smrc_dscp d;
	enum smrc_trim want;
	u32 i;

	distinct(&s, true);
	smrc_dscp_init(&d, &s);
	for (i = 0; i < 64; i++) {
		want = i == 61 ? SMRC_TRIM_TRIMMED : i == 62 ? SMRC_TRIM_LASTHOP : SMRC_TRIM_NONE;
		KUNIT_EXPECT_EQ(test, smrc_dscp_trim(&d, i), want);
	}
}

/* What has no ICRC is not believed where nobody asked for trimming. */
static void dscp_trim__not_enabled(struct kunit *test)
{
	struct smrc_settings s;
	struct smrc_dscp d;
	u32 i;

	distinct(&s, false);
	smrc_dscp_init(&d, &s);
	for (i = 0; i < 64; i++)
		KUNIT_EXPECT_EQ(test, smrc_dscp_trim(&d, i), SMRC_TRIM_NONE);
}

static struct kunit_case dscp_cases[] = {
	KUNIT_CASE_PARAM(dscp_of__classes, of_gen_params),
	KUNIT_CASE(dscp_trim__marks),
	KUNIT_CASE(dscp_trim__not_enabled),
	{}
};

static struct kunit_suite dscp_suite = {
	.name = "smrc_dscp",
	.test_cases = dscp_cases,
};

kunit_test_suite(dscp_suite);
