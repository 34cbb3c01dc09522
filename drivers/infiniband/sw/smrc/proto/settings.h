/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * settings.h: the settings of a device, their limits and profiles. Names are those of seed 1 where it has one.
 * Documentation/settings.rst is the user's side of this file.
 */
#ifndef SMRC_SETTINGS_H
#define SMRC_SETTINGS_H

#include <linux/types.h>

/* Packet_spraying_type. */
enum smrc_spray_type {
	SMRC_SPRAY_NONE,	/* every packet of a QP on the QP's own port (seed 1, "None") */
	SMRC_SPRAY_DEFAULT,	/* rotation over the peer's active set (seed 1, "Default packet spraying") */
	SMRC_SPRAY_REPS,	/* recycled entropies (seed 2, REPS) */
	SMRC_SPRAY_COUNTER,	/* rotation that ignores congestion (UEC 1.0, oblivious) */
	SMRC_SPRAY_RANDOM,	/* a random value for each packet (UEC 1.0, oblivious) */
	SMRC_SPRAY_TYPES
};

/* Congestion_control. */
enum smrc_cc {
	SMRC_CC_FIXED,		/* cwnd_packets, whatever happens */
	SMRC_CC_NSCC,		/* steered by ECN and delay (nscc.h) */
	SMRC_CC_TYPES
};

/* Index of a setting; the order of the table in settings.c and of the files in sysfs. */
enum smrc_setting {
	SMRC_SET_SPRAY_TYPE,		/* packet_spraying_type: enum smrc_spray_type */
	SMRC_SET_MASK_BITS,		/* entropy_mask_bits: 0..8 */
	SMRC_SET_PORT_OFFSET,		/* starting_port_offset: 0..65535, plus 2^bits - 1 at most 65535 */
	SMRC_SET_ACTIVE_SIZE,		/* active_ev_set_size: 0..65535; 0 = one BDP of packets, at most 100 */
	SMRC_SET_PROBE_PERIOD,		/* reliability_probe_period_us: 1..10000000 */
	SMRC_SET_BASE_RTT,		/* config_base_rtt_us: 1..1000000 */
	SMRC_SET_LINK_RATE,		/* link_rate_mbps: 0..10000000; 0 = ask the netdev */
	SMRC_SET_LOSS_DEPTH,		/* sack_loss_min_retx_pkts: 1..1024 */
	SMRC_SET_SAME_VALUE_GUARD,	/* same_value_loss_guard: 0..64; 0 = rule off */
	SMRC_SET_LOSS_QUORUM,		/* ev_loss_quorum: 1..64 */
	SMRC_SET_CC,			/* congestion_control: enum smrc_cc */
	SMRC_SET_CWND,			/* cwnd_packets: 1..4096 */
	SMRC_SET_MPR,			/* mpr: 1..32, power of two, units of 128 PSNs */
	SMRC_SET_SACK_THRESHOLD,	/* sack_threshold_bytes: 1024..1048576 */
	SMRC_SET_RTO_MIN,		/* rto_min_us: 10..10000000 */
	SMRC_SET_RTO_MAX,		/* rto_max_us: 10..60000000, not below rto_min_us */
	SMRC_SET_TRIMMING,		/* trimming_enabled: 0..1 */
	SMRC_SET_QP_GROUPS,		/* qp_groups_enabled: 0..1 */
	SMRC_SET_DSCP_NO_TRIM,		/* dscp_no_trim: 0..63; this and the next ones: dscp.h */
	SMRC_SET_DSCP_TRIMMABLE,	/* dscp_trimmable: 0..63 */
	SMRC_SET_DSCP_TRIMMABLE_RETX,	/* dscp_trimmable_retx: 0..63 */
	SMRC_SET_DSCP_TRIMMED,		/* dscp_trimmed: 0..63 */
	SMRC_SET_DSCP_TRIMMED_LASTHOP,	/* dscp_trimmed_lasthop: 0..63 */
	SMRC_SET_DSCP_CONTROL,		/* dscp_control: 0..63 */
	SMRC_SET_PENALTY,		/* rcv_cwnd_penalty: 0..127 */
	SMRC_SET_FLOW_HASH,		/* flow_hash: enum smrc_flow_hash */
	SMRC_SETTINGS
};

/**
 * struct smrc_settings - values of all settings, always a set that smrc_settings_check() accepts
 * @v: by enum smrc_setting
 */
struct smrc_settings {
	u32	v[SMRC_SETTINGS];
};

/**
 * struct smrc_setting_info - one row of the table of settings
 * @name: name of the file and of the module parameter
 * @min: smallest value
 * @max: largest value
 * @def: default of this implementation
 * @words: NULL, or names of the values 0..max
 */
struct smrc_setting_info {
	const char		*name;
	u32			min;
	u32			max;
	u32			def;
	const char * const	*words;
};

extern const struct smrc_setting_info smrc_setting_info[SMRC_SETTINGS];

/* Longest text that smrc_settings_check() writes, with its NUL. */
#define SMRC_SETTINGS_WHY	128

void smrc_settings_default(struct smrc_settings *s);
int smrc_settings_profile(struct smrc_settings *s, const char *name);
int smrc_settings_parse(enum smrc_setting which, const char *text, u32 *value);
int smrc_settings_check(const struct smrc_settings *s, char *why);

#endif /* SMRC_SETTINGS_H */
