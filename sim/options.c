// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * options.c: the command line. An option is a row of one of two tables, numbers and words; settings of the driver go
 * through its own table and its own rules (settings.c), so that their names, limits and refusals are the driver's.
 */
#include <ctype.h>
#include <linux/array_size.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "endpoint.h"
#include "options.h"

#define MS	1000000ULL

static const char * const traffic_words[SIM_TRAFFICS] = {
	[SIM_PERMUTATION] = "permutation", [SIM_INCAST] = "incast", [SIM_ALL_TO_ALL] = "all-to-all",
};

static const char * const hash_words[SIM_HASHES] = { [SIM_HASH_ECMP] = "ecmp", [SIM_HASH_EVMOD] = "evmod" };
static const char * const overflow_words[SIM_OVERFLOWS] = { [SIM_DROP] = "drop", [SIM_TRIM] = "trim" };

/* A number: limits, default, where it goes. */
struct option_number {
	const char	*name;
	u32		min;
	u32		max;
	u32		def;
	size_t		at;
	const char	*help;
};

#define NUMBER(_name, _field, _min, _max, _def, _help) \
	{ (_name), (_min), (_max), (_def), offsetof(struct sim_options, _field), (_help) }

static const struct option_number numbers[] = {
	NUMBER("hosts", hosts, 2, SIM_HOSTS_MAX, 16, "hosts, the same number on every leaf"),
	NUMBER("leaves", leaves, 1, 1024, 4, "leaves"),
	NUMBER("spines", spines, 1, 256, 4, "spines, each with a link to every leaf: the number of paths"),
	NUMBER("host-rate", host_mbps, 1, 1600000, 100000, "rate of a host's link, Mbit/s"),
	NUMBER("fabric-rate", fabric_mbps, 1, 1600000, 100000, "rate of a link between leaf and spine, Mbit/s"),
	NUMBER("delay", delay_ns, 0, 1000000, 500, "what each link adds, ns"),
	NUMBER("burst", burst, 0, 1U << 20, 0,
	       "bytes that an idle port between leaf and spine saves up, as tc's tbf does; 0: a wire"),
	NUMBER("queue", queue, 1, 100000, 256, "room of a port of a switch, full packets"),
	NUMBER("ecn", ecn, 0, 100000, 16, "mark a packet that waits behind more than so many; 0: none"),
	NUMBER("fan-in", fan_in, 0, SIM_HOSTS_MAX - 1, 0, "incast: hosts that send to host 0; 0: all others"),
	NUMBER("qps", qps, 1, 1024, 1, "queue pairs of each pair of hosts that has traffic"),
	NUMBER("message-size", msg_bytes, 1, 1U << 30, 65536, "size of a message, bytes"),
	NUMBER("messages", msgs, 1, 1000000, 64, "messages of a queue pair"),
	NUMBER("mtu", mtu, SMRC_MTU_MIN, SMRC_MTU_MAX, 4096, "payload of a full packet, bytes, a power of two"),
	NUMBER("timeout", timeout, 0, 31, 14, "verbs attribute timeout: 4.096 us x 2^N; 0: never gives up"),
	NUMBER("retry", retry, 0, 7, 7, "verbs attribute retry_cnt"),
};

/* A word: which there are, where the index of it goes. */
struct option_word {
	const char		*name;
	const char * const	*words;
	u32			n;
	size_t			at;
	const char		*help;
};

#define WORD(_name, _field, _words, _help) \
	{ (_name), (_words), ARRAY_SIZE(_words), offsetof(struct sim_options, _field), (_help) }

static const struct option_word words[] = {
	WORD("traffic", traffic, traffic_words, "who sends to whom"),
	WORD("hash", hash, hash_words, "how a leaf chooses the spine: by the 5-tuple, or entropy value mod spines"),
	WORD("overflow", overflow, overflow_words, "what a full queue does with a packet"),
};

/* Short names of settings. */
static const struct {
	const char		*name;
	enum smrc_setting	set;
} aliases[] = {
	{ "policy", SMRC_SET_SPRAY_TYPE },
	{ "cc", SMRC_SET_CC },
};

/**
 * die() - end with an error
 * @fmt: what is wrong, as for printf(), without a newline
 */
void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fprintf(stderr, "sim: error: ");
	vfprintf(stderr, fmt, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(2);
}

static void print_words(const char *const *word, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		printf("%s%s%s", i ? ", " : "", word[i], i ? "" : " (default)");
}

static void print_help(void)
{
	u32 i;

	printf("usage: scripts/sim [-j] [--OPTION VALUE]...\n\n"
	       "Simulate a two-tier Clos network whose hosts run the driver's own protocol code.\n\n"
	       "  -j, --json          the result as one JSON object\n"
	       "  -h, --help          this\n");
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		printf("  --%-17s %s: ", words[i].name, words[i].help);
		print_words(words[i].words, words[i].n);
		printf("\n");
	}
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		printf("  --%-17s %s (%u)\n", numbers[i].name, numbers[i].help, numbers[i].def);
	printf("  --%-17s %s\n", "seed", "of everything random (1)");
	printf("  --%-17s %s\n", "limit-ms", "when a run ends that does not end by itself, simulated ms (10000)");
	printf("  --%-17s %s\n", "dead", "LEAF:SPINE:FROM:TO[:up|:down], again for more: that link swallows all");
	printf("  %-19s %s\n", "", "these times in us; \"any\" leaf or spine, to the \"end\"");
	printf("  --%-17s %s\n", "set", "NAME=VALUE, again for more: a setting of the driver");
	printf("  --%-17s %s\n", "policy", "short for --set packet_spraying_type=");
	printf("  --%-17s %s\n", "cc", "short for --set congestion_control=");
	printf("\nExits with 3 when a flow did not get done.\n");
	exit(0);
}

/* Plain decimal, nothing else. */
static bool parse_number(const char *text, size_t len, u64 max, u64 *value)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		if (!isdigit((unsigned char)text[i]) || v > (max - (text[i] - '0')) / 10)
			return false;
		v = v * 10 + (text[i] - '0');
	}
	*value = v;
	return len > 0;
}

static void set_number(struct sim_options *o, const struct option_number *n, const char *text)
{
	u64 v;

	if (!parse_number(text, strlen(text), U32_MAX, &v) || v < n->min || v > n->max)
		die("--%s must be %u to %u, not '%s'", n->name, n->min, n->max, text);
	*(u32 *)((char *)o + n->at) = v;
}

static void set_word(struct sim_options *o, const struct option_word *w, const char *text)
{
	char all[128] = "";
	u32 i;

	for (i = 0; i < w->n; i++) {
		if (!strcmp(text, w->words[i])) {
			*(u32 *)((char *)o + w->at) = i;
			return;
		}
		strcat(all, i ? ", " : "");
		strcat(all, w->words[i]);
	}
	die("--%s must be one of %s, not '%s'", w->name, all, text);
}

static void set_setting(struct sim_options *o, enum smrc_setting which, const char *text, u32 *given)
{
	const struct smrc_setting_info *info = &smrc_setting_info[which];
	char all[128] = "";
	u32 i;

	*given |= 1U << which;
	if (!smrc_settings_parse(which, text, &o->set.v[which]))
		return;
	if (!info->words)
		die("%s must be %u to %u, not '%s'", info->name, info->min, info->max, text);
	for (i = 0; i <= info->max; i++) {
		strcat(all, i ? ", " : "");
		strcat(all, info->words[i]);
	}
	die("%s must be one of %s, not '%s'", info->name, all, text);
}

static void set_named(struct sim_options *o, const char *text, u32 *given)
{
	const char *value = strchr(text, '=');
	u32 i;

	if (!value)
		die("--set wants NAME=VALUE, not '%s'", text);
	for (i = 0; i < SMRC_SETTINGS; i++) {
		if (strlen(smrc_setting_info[i].name) == (size_t)(value - text) &&
		    !strncmp(text, smrc_setting_info[i].name, value - text)) {
			set_setting(o, i, value + 1, given);
			return;
		}
	}
	die("the driver has no setting '%.*s' (Documentation/settings.rst)", (int)(value - text), text);
}

/* The next of several fields between colons: a number, or @word, which stands for @special. */
static u64 cut_field(const char **text, const char *word, u64 special, u64 max, const char *whole)
{
	size_t len = strcspn(*text, ":");
	const char *field = *text;
	u64 v;

	*text += len + (field[len] == ':');
	if (len == strlen(word) && !strncmp(field, word, len))
		return special;
	if (!parse_number(field, len, max, &v))
		die("--dead wants LEAF:SPINE:FROM:TO, numbers, \"any\" or \"end\", not '%s'", whole);
	return v;
}

static void set_cut(struct sim_options *o, const char *text)
{
	const char *whole = text;
	struct sim_cut *cut;
	u64 from, to;

	if (o->n_cuts == SIM_CUTS_MAX)
		die("--dead can be given %u times", SIM_CUTS_MAX);
	cut = &o->cut[o->n_cuts++];
	cut->leaf = cut_field(&text, "any", -1, S16_MAX, whole);
	cut->spine = cut_field(&text, "any", -1, S16_MAX, whole);
	from = cut_field(&text, "start", 0, U32_MAX, whole);
	to = cut_field(&text, "end", U64_MAX, U32_MAX, whole);
	if (*text && strcmp(text, "up") && strcmp(text, "down"))
		die("--dead wants LEAF:SPINE:FROM:TO, or :up or :down behind it, not '%s'", whole);
	cut->up = strcmp(text, "down");
	cut->down = strcmp(text, "up");
	cut->from_ns = from * SIM_PS;
	cut->to_ns = to == U64_MAX ? U64_MAX : to * SIM_PS;
	if (cut->to_ns <= cut->from_ns)
		die("--dead %s ends before it begins", whole);
}

static void set_special(struct sim_options *o, const char *name, const char *text, u32 *given)
{
	u64 v;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (!strcmp(name, aliases[i].name)) {
			set_setting(o, aliases[i].set, text, given);
			return;
		}
	}
	if (!strcmp(name, "set")) {
		set_named(o, text, given);
	} else if (!strcmp(name, "dead")) {
		set_cut(o, text);
	} else if (!strcmp(name, "seed")) {
		if (!parse_number(text, strlen(text), U32_MAX, &o->seed))
			die("--seed must be 0 to %u, not '%s'", U32_MAX, text);
	} else if (!strcmp(name, "limit-ms")) {
		if (!parse_number(text, strlen(text), 1000000, &v) || !v)
			die("--limit-ms must be 1 to 1000000, not '%s'", text);
		o->limit_ns = v * MS;
	} else {
		die("no such option: --%s (try --help)", name);
	}
}

static void set_option(struct sim_options *o, const char *name, const char *text, u32 *given)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (!strcmp(name, numbers[i].name)) {
			set_number(o, &numbers[i], text);
			return;
		}
	}
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(name, words[i].name)) {
			set_word(o, &words[i], text);
			return;
		}
	}
	set_special(o, name, text, given);
}

static void options_default(struct sim_options *o)
{
	u32 i;

	memset(o, 0, sizeof(*o));
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		*(u32 *)((char *)o + numbers[i].at) = numbers[i].def;
	o->seed = 1;
	o->limit_ns = 10000 * MS;
	smrc_settings_default(&o->set);
}

/* What a driver asks its netdev, and what an administrator would measure. */
static void options_derive(struct sim_options *o, u32 given)
{
	struct smrc_pkt full = { .opcode = SMRC_OP_WRITE_MIDDLE, .has_ts = true, .payload_len = o->mtu };
	struct smrc_pkt sack = { .opcode = SMRC_OP_SACK };
	u64 bits = 8 * (network_frame(&full) + network_frame(&sack));
	u64 ns = 8 * o->delay_ns + 2 * bits * 1000 / o->host_mbps + 2 * bits * 1000 / o->fabric_mbps;
	u32 *v = o->set.v;

	if (!v[SMRC_SET_LINK_RATE])
		v[SMRC_SET_LINK_RATE] = o->host_mbps;
	if (!(given & 1U << SMRC_SET_BASE_RTT))
		v[SMRC_SET_BASE_RTT] = min_t(u64, ns / 1000 + 1, smrc_setting_info[SMRC_SET_BASE_RTT].max);
	if (!(given & 1U << SMRC_SET_TRIMMING))
		v[SMRC_SET_TRIMMING] = o->overflow == SIM_TRIM;
	if (!o->fan_in)
		o->fan_in = o->hosts - 1;
}

static void options_check(const struct sim_options *o)
{
	char why[SMRC_SETTINGS_WHY];
	u64 pairs = o->hosts;
	u32 i;

	if (o->hosts % o->leaves)
		die("--hosts %u must be a multiple of --leaves %u", o->hosts, o->leaves);
	if (o->mtu & (o->mtu - 1))
		die("--mtu must be a power of two, not %u", o->mtu);
	if (o->traffic == SIM_INCAST && o->fan_in >= o->hosts)
		die("--fan-in %u must be below --hosts %u", o->fan_in, o->hosts);
	if (o->traffic == SIM_INCAST)
		pairs = o->fan_in;
	if (o->traffic == SIM_ALL_TO_ALL)
		pairs = (u64)o->hosts * (o->hosts - 1);
	if (pairs * o->qps > SIM_FLOWS_MAX)
		die("%llu flows are more than the %u there is room for: fewer hosts, or fewer queue pairs",
		    pairs * o->qps, SIM_FLOWS_MAX);
	if (smrc_settings_check(&o->set, why))
		die("%s", why);
	for (i = 0; i < o->n_cuts; i++) {
		if (o->cut[i].leaf >= (s32)o->leaves)
			die("--dead: there is no leaf %d of %u", o->cut[i].leaf, o->leaves);
		if (o->cut[i].spine >= (s32)o->spines)
			die("--dead: there is no spine %d of %u", o->cut[i].spine, o->spines);
	}
}

/**
 * options_parse() - read the command line
 * @o: to fill in
 * @argc: as in main()
 * @argv: as in main()
 *
 * Ends the program when there is something wrong with it, or when help was asked for.
 */
void options_parse(struct sim_options *o, int argc, char **argv)
{
	u32 given = 0;
	char *name;
	int i;

	options_default(o);
	for (i = 1; i < argc; i++) {
		name = argv[i];
		if (!strcmp(name, "-h") || !strcmp(name, "--help"))
			print_help();
		if (!strcmp(name, "-j") || !strcmp(name, "--json")) {
			o->json = true;
			continue;
		}
		if (strncmp(name, "--", 2))
			die("no such option: %s (try --help)", name);
		if (i + 1 == argc)
			die("%s wants a value (try --help)", name);
		set_option(o, name + 2, argv[++i], &given);
	}
	options_derive(o, given);
	options_check(o);
}
