// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "settings.c"

#include <kunit/test.h>
#include <linux/string.h>

/* The table again, as the documentation has it: a slip of the keyboard in one of the two is found. */
static const struct settings_row {
	enum smrc_setting	which;
	const char		*name;
	u32			min;
	u32			max;
	u32			def;
} settings_rows[] = {
	{ SMRC_SET_SPRAY_TYPE, "packet_spraying_type", 0, 4, 1 },
	{ SMRC_SET_MASK_BITS, "entropy_mask_bits", 0, 8, 7 },
	{ SMRC_SET_PORT_OFFSET, "starting_port_offset", 0, 65535, 0xc000 },
	{ SMRC_SET_ACTIVE_SIZE, "active_ev_set_size", 0, 65535, 0 },
	{ SMRC_SET_PROBE_PERIOD, "reliability_probe_period_us", 1, 10000000, 150 },
	{ SMRC_SET_BASE_RTT, "config_base_rtt_us", 1, 1000000, 250 },
	{ SMRC_SET_LINK_RATE, "link_rate_mbps", 0, 10000000, 0 },
	{ SMRC_SET_LOSS_DEPTH, "sack_loss_min_retx_pkts", 1, 1024, 5 },
	{ SMRC_SET_SAME_VALUE_GUARD, "same_value_loss_guard", 0, 64, 1 },
	{ SMRC_SET_LOSS_QUORUM, "ev_loss_quorum", 1, 64, 2 },
	{ SMRC_SET_CC, "congestion_control", 0, 1, 0 },
	{ SMRC_SET_CWND, "cwnd_packets", 1, 4096, 128 },
	{ SMRC_SET_MPR, "mpr", 1, 32, 8 },
	{ SMRC_SET_SACK_THRESHOLD, "sack_threshold_bytes", 1024, 1048576, 16384 },
	{ SMRC_SET_RTO_MIN, "rto_min_us", 10, 10000000, 4000 },
	{ SMRC_SET_RTO_MAX, "rto_max_us", 10, 60000000, 1000000 },
	{ SMRC_SET_TRIMMING, "trimming_enabled", 0, 1, 0 },
	{ SMRC_SET_QP_GROUPS, "qp_groups_enabled", 0, 1, 0 },
	{ SMRC_SET_DSCP_NO_TRIM, "dscp_no_trim", 0, 63, 0 },
	{ SMRC_SET_DSCP_TRIMMABLE, "dscp_trimmable", 0, 63, 4 },
	{ SMRC_SET_DSCP_TRIMMABLE_RETX, "dscp_trimmable_retx", 0, 63, 8 },
	{ SMRC_SET_DSCP_TRIMMED, "dscp_trimmed", 0, 63, 12 },
	{ SMRC_SET_DSCP_TRIMMED_LASTHOP, "dscp_trimmed_lasthop", 0, 63, 16 },
	{ SMRC_SET_DSCP_CONTROL, "dscp_control", 0, 63, 46 },
	{ SMRC_SET_PENALTY, "rcv_cwnd_penalty", 0, 127, 0 },
	{ SMRC_SET_FLOW_HASH, "flow_hash", 0, 2, 0 },
};

static_assert(ARRAY_SIZE(settings_rows) == SMRC_SETTINGS);

static void settings_row_desc(const struct settings_row *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", p->name);
}

KUNIT_ARRAY_PARAM(settings_row, settings_rows, settings_row_desc);

static void settings_info__row(struct kunit *test)
{
	const struct settings_row *p = test->param_value;
	const struct smrc_setting_info *info = &smrc_setting_info[p->which];

	KUNIT_EXPECT_STREQ(test, info->name, p->name);
	KUNIT_EXPECT_EQ(test, info->min, p->min);
	KUNIT_EXPECT_EQ(test, info->max, p->max);
	KUNIT_EXPECT_EQ(test, info->def, p->def);
	KUNIT_EXPECT_EQ(test, !!info->words, p->which == SMRC_SET_SPRAY_TYPE || p->which == SMRC_SET_CC ||
			p->which == SMRC_SET_FLOW_HASH);
}

static void settings_default__row(struct kunit *test)
{
	const struct settings_row *p = test->param_value;
	struct smrc_settings s;

	memset(&s, 0xff, sizeof(s));
	smrc_settings_default(&s);
	KUNIT_EXPECT_EQ(test, s.v[p->which], p->def);
}

static void settings_default__is_accepted(struct kunit *test)
{
	char why[SMRC_SETTINGS_WHY] = "";
	struct smrc_settings s;

	smrc_settings_default(&s);
	KUNIT_EXPECT_EQ(test, smrc_settings_check(&s, why), 0);
	KUNIT_EXPECT_STREQ(test, why, "");
}

static void settings_profile__default(struct kunit *test)
{
	struct smrc_settings s, want;

	memset(&s, 0xff, sizeof(s));
	smrc_settings_default(&want);
	KUNIT_EXPECT_EQ(test, smrc_settings_profile(&s, "default"), 0);
	KUNIT_EXPECT_MEMEQ(test, &s, &want, sizeof(s));
}

static void settings_profile__scala(struct kunit *test)
{
	char why[SMRC_SETTINGS_WHY] = "";
	struct smrc_settings s, want;

	smrc_settings_default(&want);
	want.v[SMRC_SET_PORT_OFFSET] = 256;
	want.v[SMRC_SET_MASK_BITS] = 7;
	want.v[SMRC_SET_ACTIVE_SIZE] = 0;
	want.v[SMRC_SET_PROBE_PERIOD] = 150;
	want.v[SMRC_SET_BASE_RTT] = 6;
	want.v[SMRC_SET_LINK_RATE] = 400000;
	memset(&s, 0xff, sizeof(s));
	KUNIT_EXPECT_EQ(test, smrc_settings_profile(&s, "scala\n"), 0);
	KUNIT_EXPECT_MEMEQ(test, &s, &want, sizeof(s));
	KUNIT_EXPECT_EQ(test, smrc_settings_check(&s, why), 0);
}

static void settings_profile__unknown(struct kunit *test)
{
	static const char * const names[] = {
		"", "\n", "Scala", "scala ", " scala", "scal", "scalax", "scala\n\n", "0",
	};
	struct smrc_settings s, old;
	u32 i;

	memset(&s, 0x5a, sizeof(s));
	old = s;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		KUNIT_EXPECT_EQ_MSG(test, smrc_settings_profile(&s, names[i]), -EINVAL, "'%s'", names[i]);
		KUNIT_EXPECT_MEMEQ(test, &s, &old, sizeof(s));
	}
}

static void settings_expect_parse(struct kunit *test, enum smrc_setting which, const char *fmt, u64 number, bool ok)
{
	u32 value = 0xdeadbeef;
	char text[40];

	snprintf(text, sizeof(text), fmt, number);
	KUNIT_EXPECT_EQ_MSG(test, smrc_settings_parse(which, text, &value), ok ? 0 : -EINVAL, "'%s'", text);
	KUNIT_EXPECT_EQ_MSG(test, value, ok ? (u32)number : 0xdeadbeef, "'%s'", text);
}

static void settings_parse__limits(struct kunit *test)
{
	const struct settings_row *p = test->param_value;
	enum smrc_setting w = p->which;

	settings_expect_parse(test, w, "%llu", p->min, true);
	settings_expect_parse(test, w, "%llu\n", p->min, true);
	settings_expect_parse(test, w, "0x%llx", p->min, true);
	settings_expect_parse(test, w, "%llu", p->max, true);
	settings_expect_parse(test, w, "%llu\n", p->max, true);
	settings_expect_parse(test, w, "0x%llx\n", p->max, true);
	settings_expect_parse(test, w, "0X%llX", p->max, true);
	settings_expect_parse(test, w, "000%llu", p->max, true);
	if (p->min)
		settings_expect_parse(test, w, "%llu", p->min - 1, false);
	settings_expect_parse(test, w, "%llu", p->max + 1ULL, false);
	settings_expect_parse(test, w, "0x%llx", p->max + 1ULL, false);
	settings_expect_parse(test, w, "%llu", (1ULL << 32) + p->def, false);
	settings_expect_parse(test, w, "%llu", U64_MAX, false);
}

static void settings_parse__junk(struct kunit *test)
{
	static const char * const junk[] = {
		"", "\n", " ", " 1", "1 ", "1\t\n", "1\n\n", "\n1", "+1", "-1", "-0", "--1", "1.0", "1e3", "1,000",
		"1k", "0x", "0x\n", "0x+1", "0x-1", "0xg", "x1", "0b1", "01x", "1a", "one", "nonesuch", "none ",
		" none", "None", "none\n\n", "def", "defaults", "default x", "true", "y", "18446744073709551617",
		"99999999999999999999999999999999999999",
	};
	const struct settings_row *p = test->param_value;
	u32 i, value = 0xdeadbeef;

	for (i = 0; i < ARRAY_SIZE(junk); i++) {
		KUNIT_EXPECT_EQ_MSG(test, smrc_settings_parse(p->which, junk[i], &value), -EINVAL, "'%s'", junk[i]);
		KUNIT_EXPECT_EQ_MSG(test, value, 0xdeadbeef, "'%s'", junk[i]);
	}
}

static void settings_parse__words(struct kunit *test)
{
	u32 value = 99;

	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_SPRAY_TYPE, "none", &value), 0);
	KUNIT_EXPECT_EQ(test, value, (u32)SMRC_SPRAY_NONE);
	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_SPRAY_TYPE, "default\n", &value), 0);
	KUNIT_EXPECT_EQ(test, value, (u32)SMRC_SPRAY_DEFAULT);
	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_SPRAY_TYPE, "reps", &value), 0);
	KUNIT_EXPECT_EQ(test, value, (u32)SMRC_SPRAY_REPS);
	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_SPRAY_TYPE, "counter", &value), 0);
	KUNIT_EXPECT_EQ(test, value, (u32)SMRC_SPRAY_COUNTER);
	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_SPRAY_TYPE, "random", &value), 0);
	KUNIT_EXPECT_EQ(test, value, (u32)SMRC_SPRAY_RANDOM);
	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_SPRAY_TYPE, "0\n", &value), 0);
	KUNIT_EXPECT_EQ(test, value, (u32)SMRC_SPRAY_NONE);
	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_MPR, "default", &value), -EINVAL);
}

static void settings_parse__no_octal(struct kunit *test)
{
	u32 value = 99;

	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_CWND, "010", &value), 0);
	KUNIT_EXPECT_EQ(test, value, 10U);
	KUNIT_EXPECT_EQ(test, smrc_settings_parse(SMRC_SET_CWND, "09", &value), 0);
	KUNIT_EXPECT_EQ(test, value, 9U);
}

/* Defaults with one value changed, and with others moved out of the way so that only its own limits count. */
static int settings_check_one(enum smrc_setting which, u32 value, char *why)
{
	struct smrc_settings s;

	smrc_settings_default(&s);
	if (which == SMRC_SET_PORT_OFFSET)
		s.v[SMRC_SET_MASK_BITS] = 0;
	if (which == SMRC_SET_CWND)
		s.v[SMRC_SET_MPR] = 32;
	if (which == SMRC_SET_RTO_MIN)
		s.v[SMRC_SET_RTO_MAX] = 60000000;
	if (which == SMRC_SET_RTO_MAX)
		s.v[SMRC_SET_RTO_MIN] = 10;
	if (which == SMRC_SET_DSCP_TRIMMED || which == SMRC_SET_DSCP_TRIMMED_LASTHOP)
		s.v[SMRC_SET_DSCP_NO_TRIM] = 1;
	s.v[which] = value;
	return smrc_settings_check(&s, why);
}

static void settings_check__limits(struct kunit *test)
{
	const struct settings_row *p = test->param_value;
	char why[SMRC_SETTINGS_WHY], want[SMRC_SETTINGS_WHY];
	u32 bad[] = { p->min - 1, p->max + 1, U32_MAX };
	u32 i;

	KUNIT_EXPECT_EQ(test, settings_check_one(p->which, p->min, why), 0);
	KUNIT_EXPECT_EQ(test, settings_check_one(p->which, p->max, why), 0);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		KUNIT_EXPECT_EQ_MSG(test, settings_check_one(p->which, bad[i], why), -EINVAL, "%u", bad[i]);
		snprintf(want, sizeof(want), "%s must be %u to %u, not %u", p->name, p->min, p->max, bad[i]);
		KUNIT_EXPECT_STREQ(test, why, want);
	}
}

static const struct settings_pair {
	enum smrc_setting	a;
	u32			va;
	enum smrc_setting	b;
	u32			vb;
	const char		*why;	/* NULL: accepted */
} settings_pairs[] = {
	{ SMRC_SET_MASK_BITS, 7, SMRC_SET_PORT_OFFSET, 65408, NULL },	/* seed 1's largest offsets */
	{ SMRC_SET_MASK_BITS, 8, SMRC_SET_PORT_OFFSET, 65280, NULL },
	{ SMRC_SET_MASK_BITS, 0, SMRC_SET_PORT_OFFSET, 65535, NULL },
	{ SMRC_SET_MASK_BITS, 1, SMRC_SET_PORT_OFFSET, 65534, NULL },
	{ SMRC_SET_MASK_BITS, 8, SMRC_SET_PORT_OFFSET, 0, NULL },
	{ SMRC_SET_MASK_BITS, 7, SMRC_SET_PORT_OFFSET, 65409,
	  "starting_port_offset 65409 + 2^entropy_mask_bits 7 - 1 = 65536 must not exceed 65535" },
	{ SMRC_SET_MASK_BITS, 8, SMRC_SET_PORT_OFFSET, 65281,
	  "starting_port_offset 65281 + 2^entropy_mask_bits 8 - 1 = 65536 must not exceed 65535" },
	{ SMRC_SET_MASK_BITS, 1, SMRC_SET_PORT_OFFSET, 65535,
	  "starting_port_offset 65535 + 2^entropy_mask_bits 1 - 1 = 65536 must not exceed 65535" },
	{ SMRC_SET_MPR, 1, SMRC_SET_CWND, 128, NULL },
	{ SMRC_SET_MPR, 2, SMRC_SET_CWND, 256, NULL },
	{ SMRC_SET_MPR, 4, SMRC_SET_CWND, 1, NULL },
	{ SMRC_SET_MPR, 16, SMRC_SET_CWND, 2048, NULL },
	{ SMRC_SET_MPR, 32, SMRC_SET_CWND, 4096, NULL },
	{ SMRC_SET_MPR, 1, SMRC_SET_CWND, 129, "cwnd_packets 129 must not exceed mpr 1 x 128 = 128" },
	{ SMRC_SET_MPR, 16, SMRC_SET_CWND, 2049, "cwnd_packets 2049 must not exceed mpr 16 x 128 = 2048" },
	{ SMRC_SET_MPR, 3, SMRC_SET_CWND, 1, "mpr must be a power of two, not 3" },
	{ SMRC_SET_MPR, 24, SMRC_SET_CWND, 1, "mpr must be a power of two, not 24" },
	{ SMRC_SET_MPR, 31, SMRC_SET_CWND, 1, "mpr must be a power of two, not 31" },
	{ SMRC_SET_RTO_MIN, 10, SMRC_SET_RTO_MAX, 10, NULL },
	{ SMRC_SET_RTO_MIN, 10000000, SMRC_SET_RTO_MAX, 10000000, NULL },
	{ SMRC_SET_RTO_MIN, 10000000, SMRC_SET_RTO_MAX, 9999999,
	  "rto_max_us 9999999 must not be below rto_min_us 10000000" },
	{ SMRC_SET_RTO_MIN, 11, SMRC_SET_RTO_MAX, 10, "rto_max_us 10 must not be below rto_min_us 11" },
	{ SMRC_SET_DSCP_NO_TRIM, 46, SMRC_SET_DSCP_CONTROL, 46, NULL },
	{ SMRC_SET_DSCP_TRIMMED, 20, SMRC_SET_DSCP_TRIMMED_LASTHOP, 20, NULL },
	{ SMRC_SET_DSCP_NO_TRIM, 12, SMRC_SET_DSCP_CONTROL, 46,
	  "dscp_no_trim and dscp_trimmed must differ, both are 12" },
	{ SMRC_SET_DSCP_TRIMMABLE, 63, SMRC_SET_DSCP_TRIMMED_LASTHOP, 63,
	  "dscp_trimmable and dscp_trimmed_lasthop must differ, both are 63" },
	{ SMRC_SET_DSCP_TRIMMABLE_RETX, 1, SMRC_SET_DSCP_TRIMMED, 1,
	  "dscp_trimmable_retx and dscp_trimmed must differ, both are 1" },
};

static void settings_pair_desc(const struct settings_pair *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s %u, %s %u", smrc_setting_info[p->a].name, p->va,
		 smrc_setting_info[p->b].name, p->vb);
}

KUNIT_ARRAY_PARAM(settings_pair, settings_pairs, settings_pair_desc);

static void settings_check__pair(struct kunit *test)
{
	const struct settings_pair *p = test->param_value;
	char why[SMRC_SETTINGS_WHY] = "";
	struct smrc_settings s;

	smrc_settings_default(&s);
	s.v[p->a] = p->va;
	s.v[p->b] = p->vb;
	KUNIT_EXPECT_EQ(test, smrc_settings_check(&s, why), p->why ? -EINVAL : 0);
	KUNIT_EXPECT_STREQ(test, why, p->why ? p->why : "");
}

/* The longest texts there can be end in a digit, so nothing was cut off. */
static void settings_check__why_fits(struct kunit *test)
{
	char why[SMRC_SETTINGS_WHY];
	u32 i, len;

	for (i = 0; i < SMRC_SETTINGS; i++) {
		KUNIT_EXPECT_EQ(test, settings_check_one(i, U32_MAX, why), -EINVAL);
		len = strlen(why);
		KUNIT_EXPECT_LT(test, len, SMRC_SETTINGS_WHY - 1);
		KUNIT_EXPECT_EQ(test, why[len - 1], '5');
	}
}

static struct kunit_case settings_cases[] = {
	KUNIT_CASE_PARAM(settings_info__row, settings_row_gen_params),
	KUNIT_CASE_PARAM(settings_default__row, settings_row_gen_params),
	KUNIT_CASE(settings_default__is_accepted),
	KUNIT_CASE(settings_profile__default),
	KUNIT_CASE(settings_profile__scala),
	KUNIT_CASE(settings_profile__unknown),
	KUNIT_CASE_PARAM(settings_parse__limits, settings_row_gen_params),
	KUNIT_CASE_PARAM(settings_parse__junk, settings_row_gen_params),
	KUNIT_CASE(settings_parse__words),
	KUNIT_CASE(settings_parse__no_octal),
	KUNIT_CASE_PARAM(settings_check__limits, settings_row_gen_params),
	KUNIT_CASE_PARAM(settings_check__pair, settings_pair_gen_params),
	KUNIT_CASE(settings_check__why_fits),
	{}
};

static struct kunit_suite settings_suite = {
	.name = "smrc_settings",
	.test_cases = settings_cases,
};

kunit_test_suite(settings_suite);
