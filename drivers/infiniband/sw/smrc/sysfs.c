// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * sysfs.c: the settings: files in /sys/class/infiniband/NAME/spray, and module parameters that give their defaults.
 *
 * Documentation/settings.rst says what they mean.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "smrc.h"

/*
 * One line per row of smrc_setting_info, in its order; scripts/check-docs compares. A parameter cannot take its name
 * from a table.
 */
#define SMRC_SETTING_FILES(X) \
	X(SPRAY_TYPE,		packet_spraying_type,		"spraying policy: none, default, reps, ...") \
	X(MASK_BITS,		entropy_mask_bits,		"2^this UDP source ports are used") \
	X(PORT_OFFSET,		starting_port_offset,		"lowest UDP source port") \
	X(ACTIVE_SIZE,		active_ev_set_size,		"ports a peer uses; 0: one BDP of packets") \
	X(PROBE_PERIOD,		reliability_probe_period_us,	"time between probes") \
	X(BASE_RTT,		config_base_rtt_us,		"round trip without load") \
	X(LINK_RATE,		link_rate_mbps,			"link rate, Mb/s; 0: ask the netdev") \
	X(LOSS_DEPTH,		sack_loss_min_retx_pkts,	"PSNs below the highest acknowledged") \
	X(SAME_VALUE_GUARD,	same_value_loss_guard,		"later packets acknowledged on a value") \
	X(LOSS_QUORUM,		ev_loss_quorum,			"losses that make a value bad") \
	X(CC,			congestion_control,		"what sets the congestion window: fixed, nscc") \
	X(CWND,			cwnd_packets,			"the fixed congestion window, packets") \
	X(MPR,			mpr,				"window of PSNs in units of 128") \
	X(SACK_THRESHOLD,	sack_threshold_bytes,		"bytes received before a SACK") \
	X(RTO_MIN,		rto_min_us,			"shortest retransmission timeout") \
	X(RTO_MAX,		rto_max_us,			"longest retransmission timeout") \
	X(TRIMMING,		trimming_enabled,		"the network trims packets") \
	X(QP_GROUPS,		qp_groups_enabled,		"the QPs of a peer share a congestion window") \
	X(DSCP_NO_TRIM,		dscp_no_trim,			"DSCP of data without trimming") \
	X(DSCP_TRIMMABLE,	dscp_trimmable,			"DSCP of data that may be trimmed") \
	X(DSCP_TRIMMABLE_RETX,	dscp_trimmable_retx,		"DSCP of retransmissions that may be trimmed") \
	X(DSCP_TRIMMED,		dscp_trimmed,			"DSCP of what was trimmed") \
	X(DSCP_TRIMMED_LASTHOP,	dscp_trimmed_lasthop,		"DSCP of what was trimmed on the last link") \
	X(DSCP_CONTROL,		dscp_control,			"DSCP of control packets") \
	X(PENALTY,		rcv_cwnd_penalty,		"part of their windows asked of senders, 1/128") \
	X(FLOW_HASH,		flow_hash,			"port of a QP that does not spray")

/**
 * struct smrc_param - a module parameter
 * @given: it was
 * @value: and as this
 */
struct smrc_param {
	bool	given;
	u32	value;
};

static struct smrc_param smrc_params[SMRC_SETTINGS];

/* What a new device starts with. */
static struct smrc_settings smrc_start;

static int smrc_setting_emit(char *buf, enum smrc_setting which, u32 value)
{
	const struct smrc_setting_info *info = &smrc_setting_info[which];

	return info->words ? sysfs_emit(buf, "%s\n", info->words[value]) : sysfs_emit(buf, "%u\n", value);
}

/* The rule that a text breaks, for a log line. */
static void smrc_setting_rule(enum smrc_setting which, const char *text, char *why)
{
	const struct smrc_setting_info *info = &smrc_setting_info[which];
	int len = strcspn(text, "\n");
	int n;
	u32 i;

	if (!info->words) {
		snprintf(why, SMRC_SETTINGS_WHY, "%s must be %u to %u, not \"%.*s\"", info->name, info->min, info->max,
			 min(len, 32), text);
		return;
	}
	n = scnprintf(why, SMRC_SETTINGS_WHY, "%s must be one of", info->name);
	for (i = 0; i <= info->max; i++)
		n += scnprintf(why + n, SMRC_SETTINGS_WHY - n, " %s", info->words[i]);
	scnprintf(why + n, SMRC_SETTINGS_WHY - n, ", not \"%.*s\"", min(len, 32), text);
}

static int smrc_param_set(const char *text, const struct kernel_param *kp)
{
	struct smrc_param *param = kp->arg;
	enum smrc_setting which = param - smrc_params;
	char why[SMRC_SETTINGS_WHY];

	if (smrc_settings_parse(which, text, &param->value)) {
		smrc_setting_rule(which, text, why);
		pr_err("%s\n", why);
		return -EINVAL;
	}
	param->given = true;
	return 0;
}

static int smrc_param_get(char *buf, const struct kernel_param *kp)
{
	const struct smrc_param *param = kp->arg;
	enum smrc_setting which = param - smrc_params;

	return smrc_setting_emit(buf, which, smrc_start.v[which]);
}

static const struct kernel_param_ops smrc_param_ops = {
	.set = smrc_param_set,
	.get = smrc_param_get,
};

#define X(id, _name, text) \
module_param_cb(_name, &smrc_param_ops, &smrc_params[SMRC_SET_##id], 0444); \
MODULE_PARM_DESC(_name, text);
SMRC_SETTING_FILES(X)
#undef X

/**
 * smrc_settings_init() - at load: see whether the parameters go together
 *
 * Return: 0; -EINVAL, with the rule in the log.
 */
int smrc_settings_init(void)
{
	char why[SMRC_SETTINGS_WHY];
	u32 i;
	int err;

	smrc_settings_default(&smrc_start);
	for (i = 0; i < SMRC_SETTINGS; i++) {
		if (smrc_params[i].given)
			smrc_start.v[i] = smrc_params[i].value;
	}
	err = smrc_settings_check(&smrc_start, why);
	if (err)
		pr_err("%s\n", why);
	return err;
}

/**
 * smrc_settings_from_params() - the settings a new device starts with
 * @s: to fill in
 */
void smrc_settings_from_params(struct smrc_settings *s)
{
	*s = smrc_start;
}

/**
 * struct smrc_setting_file - a file in sysfs
 * @attr: what sysfs knows of it
 * @which: the setting
 */
struct smrc_setting_file {
	struct device_attribute	attr;
	enum smrc_setting	which;
};

static enum smrc_setting smrc_file_setting(const struct device_attribute *attr)
{
	return container_of(attr, const struct smrc_setting_file, attr)->which;
}

static ssize_t smrc_setting_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct smrc_dev *dev = rdma_device_to_drv_device(device, struct smrc_dev, ibdev);
	enum smrc_setting which = smrc_file_setting(attr);

	return smrc_setting_emit(buf, which, READ_ONCE(dev->settings.v[which]));
}

static ssize_t smrc_setting_store(struct device *device, struct device_attribute *attr, const char *buf, size_t count)
{
	struct smrc_dev *dev = rdma_device_to_drv_device(device, struct smrc_dev, ibdev);
	enum smrc_setting which = smrc_file_setting(attr);
	char why[SMRC_SETTINGS_WHY];
	struct smrc_settings s;
	int err;

	mutex_lock(&dev->settings_lock);
	s = dev->settings;
	err = smrc_settings_parse(which, buf, &s.v[which]);
	if (err)
		smrc_setting_rule(which, buf, why);
	else
		err = smrc_settings_check(&s, why);
	if (!err)
		dev->settings = s;
	mutex_unlock(&dev->settings_lock);
	if (err) {
		ibdev_err(&dev->ibdev, "%s\n", why);
		return err;
	}
	return count;
}

static const char * const smrc_profile_names[] = { "default", "scala" };

static ssize_t profile_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct smrc_dev *dev = rdma_device_to_drv_device(device, struct smrc_dev, ibdev);
	struct smrc_settings now, s;
	u32 i;

	smrc_device_settings(dev, &now);
	for (i = 0; i < ARRAY_SIZE(smrc_profile_names); i++) {
		if (!smrc_settings_profile(&s, smrc_profile_names[i]) && !memcmp(&s, &now, sizeof(s)))
			return sysfs_emit(buf, "%s\n", smrc_profile_names[i]);
	}
	return sysfs_emit(buf, "custom\n");
}

static ssize_t profile_store(struct device *device, struct device_attribute *attr, const char *buf, size_t count)
{
	struct smrc_dev *dev = rdma_device_to_drv_device(device, struct smrc_dev, ibdev);
	struct smrc_settings s;

	if (smrc_settings_profile(&s, buf)) {
		ibdev_err(&dev->ibdev, "profile must be one of default scala, not \"%.*s\"\n",
			  min_t(int, strcspn(buf, "\n"), 32), buf);
		return -EINVAL;
	}
	mutex_lock(&dev->settings_lock);
	dev->settings = s;
	mutex_unlock(&dev->settings_lock);
	return count;
}

static DEVICE_ATTR_RW(profile);

static struct smrc_setting_file smrc_setting_files[] = {
#define X(id, _name, text) \
	[SMRC_SET_##id] = { __ATTR(_name, 0644, smrc_setting_show, smrc_setting_store), SMRC_SET_##id },
	SMRC_SETTING_FILES(X)
#undef X
};

static_assert(ARRAY_SIZE(smrc_setting_files) == SMRC_SETTINGS);

static struct attribute *smrc_spray_attrs[] = {
#define X(id, _name, text) \
	&smrc_setting_files[SMRC_SET_##id].attr.attr,
	SMRC_SETTING_FILES(X)
#undef X
	&dev_attr_profile.attr,
	NULL
};

static_assert(ARRAY_SIZE(smrc_spray_attrs) == SMRC_SETTINGS + 2);

const struct attribute_group smrc_spray_group = {
	.name = "spray",
	.attrs = smrc_spray_attrs,
};
