// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The table of settings, their profiles, and the rules that tie one to another.
 *
 * A new setting is an index in settings.h and a row here; sysfs, module parameters and tests follow the table.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/limits.h>
#include <linux/sprintf.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "entropy.h"
#include "flow.h"
#include "settings.h"
#include "wire.h"

static const char * const smrc_spray_words[SMRC_SPRAY_TYPES] = {
	[SMRC_SPRAY_NONE]	= "none",
	[SMRC_SPRAY_DEFAULT]	= "default",
	[SMRC_SPRAY_REPS]	= "reps",
	[SMRC_SPRAY_COUNTER]	= "counter",
	[SMRC_SPRAY_RANDOM]	= "random",
};

static const char * const smrc_cc_words[SMRC_CC_TYPES] = {
	[SMRC_CC_FIXED]	= "fixed",
	[SMRC_CC_NSCC]	= "nscc",
};

static const char * const smrc_flow_words[SMRC_FLOW_HASHES] = {
	[SMRC_FLOW_PRODUCT_FOLD]	= "product_fold",
	[SMRC_FLOW_PRODUCT]		= "product",
	[SMRC_FLOW_SRC31]		= "src31",
};

#define ROW(_which, _name, _min, _max, _def, ...) \
	[SMRC_SET_##_which] = { .name = (_name), .min = (_min), .max = (_max), .def = (_def), ##__VA_ARGS__ }

/*
 * Seed 1's defaults but for the port range (the ephemeral one, seed 3), the base RTT (a software one) and the link rate
 * (that of the netdev). Seed 1 gives no figure for the loss depth nor for the rows it does not have.
 */
const struct smrc_setting_info smrc_setting_info[SMRC_SETTINGS] = {
	ROW(SPRAY_TYPE, "packet_spraying_type", 0, SMRC_SPRAY_TYPES - 1, SMRC_SPRAY_DEFAULT,
	    .words = smrc_spray_words),
	ROW(MASK_BITS, "entropy_mask_bits", 0, SMRC_EV_BITS_MAX, 7),
	ROW(PORT_OFFSET, "starting_port_offset", 0, U16_MAX, 49152),
	ROW(ACTIVE_SIZE, "active_ev_set_size", 0, U16_MAX, 0),
	ROW(PROBE_PERIOD, "reliability_probe_period_us", 1, 10000000, 150),
	ROW(BASE_RTT, "config_base_rtt_us", 1, 1000000, 250),
	ROW(LINK_RATE, "link_rate_mbps", 0, 10000000, 0),
	ROW(LOSS_DEPTH, "sack_loss_min_retx_pkts", 1, 1024, 5),
	ROW(SAME_VALUE_GUARD, "same_value_loss_guard", 0, 64, 1),
	ROW(LOSS_QUORUM, "ev_loss_quorum", 1, 64, 2),
	ROW(CC, "congestion_control", 0, SMRC_CC_TYPES - 1, SMRC_CC_FIXED, .words = smrc_cc_words),
	ROW(CWND, "cwnd_packets", 1, 4096, 128),
	ROW(MPR, "mpr", 1, 32, 8),
	ROW(SACK_THRESHOLD, "sack_threshold_bytes", 1024, 1048576, 16384),
	ROW(RTO_MIN, "rto_min_us", 10, 10000000, 4000),
	ROW(RTO_MAX, "rto_max_us", 10, 60000000, 1000000),
	ROW(TRIMMING, "trimming_enabled", 0, 1, 0),
	ROW(QP_GROUPS, "qp_groups_enabled", 0, 1, 0),
	ROW(DSCP_NO_TRIM, "dscp_no_trim", 0, 63, 0),
	ROW(DSCP_TRIMMABLE, "dscp_trimmable", 0, 63, 4),
	ROW(DSCP_TRIMMABLE_RETX, "dscp_trimmable_retx", 0, 63, 8),
	ROW(DSCP_TRIMMED, "dscp_trimmed", 0, 63, 12),
	ROW(DSCP_TRIMMED_LASTHOP, "dscp_trimmed_lasthop", 0, 63, 16),
	ROW(DSCP_CONTROL, "dscp_control", 0, 63, 46),
	ROW(PENALTY, "rcv_cwnd_penalty", 0, 127, 0),
	ROW(FLOW_HASH, "flow_hash", 0, SMRC_FLOW_HASHES - 1, SMRC_FLOW_PRODUCT_FOLD, .words = smrc_flow_words),
};

#define SMRC_PROFILE_SETS	4

/**
 * struct smrc_profile - a named set of values
 * @name: its name
 * @n: entries of @set
 * @set: what differs from the defaults
 */
struct smrc_profile {
	const char	*name;
	u32		n;
	struct {
		enum smrc_setting	which;
		u32			value;
	} set[SMRC_PROFILE_SETS];
};

/*
 * "scala" is seed 1's worked example, for parity tests: 72 of the 128 ports 256..383 at MSS 4096. Its RTO stays ours: a
 * floor of a few of its 6 us round trips is below the tail of any software receiver, and would send again what is only
 * waiting for a CPU.
 */
static const struct smrc_profile smrc_profiles[] = {
	{ .name = "default" },
	{
		.name = "scala",
		.n = SMRC_PROFILE_SETS,
		.set = {
			{ SMRC_SET_MASK_BITS, 7 },
			{ SMRC_SET_PORT_OFFSET, 256 },
			{ SMRC_SET_BASE_RTT, 6 },
			{ SMRC_SET_LINK_RATE, 400000 },
		},
	},
};

/**
 * smrc_settings_default() - the defaults of this implementation
 * @s: to fill in
 */
void smrc_settings_default(struct smrc_settings *s)
{
	u32 i;

	for (i = 0; i < SMRC_SETTINGS; i++)
		s->v[i] = smrc_setting_info[i].def;
}

/**
 * smrc_settings_profile() - all values of a named profile
 * @s: to fill in; unchanged on error
 * @name: "default" or "scala", a newline may follow
 *
 * Return: 0, or -EINVAL when there is no such profile.
 */
int smrc_settings_profile(struct smrc_settings *s, const char *name)
{
	const struct smrc_profile *p;
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(smrc_profiles); i++) {
		p = &smrc_profiles[i];
		if (!sysfs_streq(name, p->name))
			continue;
		smrc_settings_default(s);
		for (j = 0; j < p->n; j++)
			s->v[p->set[j].which] = p->set[j].value;
		return 0;
	}
	return -EINVAL;
}

/*
 * Plain decimal, or hexadecimal behind 0x. kstrtou32() alone would take a sign, and octal behind a 0. It allows one
 * newline at the end.
 */
static int smrc_parse_number(const char *text, u32 *value)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');

	if (text[0] < '0' || text[0] > '9')
		return -EINVAL;
	return kstrtou32(text, hex ? 16 : 10, value);
}

/**
 * smrc_settings_parse() - read the text of one setting
 * @which: the setting
 * @text: a number, or one of the setting's words; a newline may follow
 * @value: the value; unchanged on error
 *
 * Return: 0, or -EINVAL for any other text and for a number outside the setting's limits. Rules between settings are
 * smrc_settings_check()'s.
 */
int smrc_settings_parse(enum smrc_setting which, const char *text, u32 *value)
{
	const struct smrc_setting_info *info = &smrc_setting_info[which];
	u32 v;

	if (info->words) {
		for (v = 0; v <= info->max; v++) {
			if (sysfs_streq(text, info->words[v])) {
				*value = v;
				return 0;
			}
		}
	}
	if (smrc_parse_number(text, &v) || v < info->min || v > info->max)
		return -EINVAL;
	*value = v;
	return 0;
}

static int smrc_check_ranges(const struct smrc_settings *s, char *why)
{
	const struct smrc_setting_info *info;
	u32 i;

	for (i = 0; i < SMRC_SETTINGS; i++) {
		info = &smrc_setting_info[i];
		if (s->v[i] >= info->min && s->v[i] <= info->max)
			continue;
		snprintf(why, SMRC_SETTINGS_WHY, "%s must be %u to %u, not %u", info->name, info->min, info->max,
			 s->v[i]);
		return -EINVAL;
	}
	return 0;
}

/* A class that data leaves in must not be one that is taken for trimmed at the other end. */
static int smrc_check_classes(const struct smrc_settings *s, char *why)
{
	static const enum smrc_setting sent[] = {
		SMRC_SET_DSCP_NO_TRIM, SMRC_SET_DSCP_TRIMMABLE, SMRC_SET_DSCP_TRIMMABLE_RETX,
	};
	static const enum smrc_setting trimmed[] = {
		SMRC_SET_DSCP_TRIMMED, SMRC_SET_DSCP_TRIMMED_LASTHOP,
	};
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(sent); i++) {
		for (j = 0; j < ARRAY_SIZE(trimmed); j++) {
			if (s->v[sent[i]] != s->v[trimmed[j]])
				continue;
			snprintf(why, SMRC_SETTINGS_WHY, "%s and %s must differ, both are %u",
				 smrc_setting_info[sent[i]].name, smrc_setting_info[trimmed[j]].name, s->v[sent[i]]);
			return -EINVAL;
		}
	}
	return 0;
}

static int smrc_check_rules(const struct smrc_settings *s, char *why)
{
	u32 last = s->v[SMRC_SET_PORT_OFFSET] + (1U << s->v[SMRC_SET_MASK_BITS]) - 1;
	u32 mpr = s->v[SMRC_SET_MPR];

	if (last > U16_MAX) {
		snprintf(why, SMRC_SETTINGS_WHY,
			 "starting_port_offset %u + 2^entropy_mask_bits %u - 1 = %u must not exceed 65535",
			 s->v[SMRC_SET_PORT_OFFSET], s->v[SMRC_SET_MASK_BITS], last);
		return -EINVAL;
	}
	if (mpr & (mpr - 1)) {
		snprintf(why, SMRC_SETTINGS_WHY, "mpr must be a power of two, not %u", mpr);
		return -EINVAL;
	}
	if (s->v[SMRC_SET_CWND] > mpr * SMRC_MPR_UNIT) {
		snprintf(why, SMRC_SETTINGS_WHY, "cwnd_packets %u must not exceed mpr %u x %u = %u",
			 s->v[SMRC_SET_CWND], mpr, SMRC_MPR_UNIT, mpr * SMRC_MPR_UNIT);
		return -EINVAL;
	}
	if (s->v[SMRC_SET_RTO_MAX] < s->v[SMRC_SET_RTO_MIN]) {
		snprintf(why, SMRC_SETTINGS_WHY, "rto_max_us %u must not be below rto_min_us %u",
			 s->v[SMRC_SET_RTO_MAX], s->v[SMRC_SET_RTO_MIN]);
		return -EINVAL;
	}
	return smrc_check_classes(s, why);
}

/**
 * smrc_settings_check() - do these values make a set that can be used?
 * @s: the values
 * @why: on error, one line without newline that says the rule and the values; room for SMRC_SETTINGS_WHY bytes
 *
 * Each value must be within its own limits; the range of ports must end at 65535 or below (seed 1); mpr is a power of
 * two, for the windows are bitmaps; the congestion window fits the window of PSNs, else it could never be reached; the
 * ceiling of the RTO is not below its floor; what is sent is not in a class of what was trimmed.
 *
 * Return: 0 or -EINVAL.
 */
int smrc_settings_check(const struct smrc_settings *s, char *why)
{
	return smrc_check_ranges(s, why) ?: smrc_check_rules(s, why);
}
