// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * nscc_kunit.c: the congestion controller, step by step against figures computed by hand, and flows that share a link.
 */
#include "nscc.c"

#include <kunit/test.h>
#include <linux/math64.h>

#define MSS	4096U
#define RTT	12000U		/* base RTT of the reference network, and so its target */
#define LIMIT	1024U

/* At the reference network: bdp 150000, gain 4 mss = 16384, fair 5 mss = 20480, eta 0.15 mss = 614. */
static void start(struct smrc_nscc *c, u64 cwnd)
{
	struct smrc_nscc_cfg cfg;

	smrc_nscc_config(&cfg, MSS, 100000, RTT, LIMIT, false);
	smrc_nscc_init(c, &cfg);
	c->cwnd = cwnd;
}

static void ack(struct smrc_nscc *c, u64 delay, bool ecn, u64 now)
{
	struct smrc_nscc_ack a = { .bytes = MSS, .inflight = 50000, .sample = true, .delay_ns = delay, .ecn = ecn };

	smrc_nscc_ack(c, &a, now);
}

struct config_case {
	const char *name;
	u32 mbps;
	u64 base_rtt;
	u32 limit;
	bool trimming;
	u64 target, max, gain, fair, eta, fast;
};

static const struct config_case config_cases[] = {
	{ "reference", 100000, 12000, 1024, false, 12000, 225000, 16384, 20480, 614, 262144 },
	{ "trimming", 100000, 12000, 1024, true, 9000, 225000, 12288, 20480, 614, 262144 },
	{ "half the rate", 50000, 12000, 1024, false, 12000, 112500, 8192, 10240, 307, 131072 },
	{ "twice the round trip", 100000, 24000, 1024, false, 24000, 450000, 65536, 40960, 1228, 524288 },
	{ "a limit below", 100000, 12000, 10, false, 12000, 40960, 16384, 20480, 614, 262144 },
	{ "less than a packet", 1, 1000, 1024, false, 1000, 4096, 1, 1, 1, 1 },
	{ "all at their largest", 10000000, 1000000000, 4096, false, 1000000000, 4096ULL * MSS, 4096ULL * MSS,
	  4096ULL * MSS, 4096ULL * MSS, 2184533333333ULL },
};

static void config_desc(const struct config_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(config, config_cases, config_desc);

static void nscc_config__scales_with_the_network(struct kunit *test)
{
	const struct config_case *c = test->param_value;
	struct smrc_nscc_cfg cfg;

	smrc_nscc_config(&cfg, MSS, c->mbps, c->base_rtt, c->limit, c->trimming);
	KUNIT_EXPECT_EQ(test, cfg.target_ns, c->target);
	KUNIT_EXPECT_EQ(test, cfg.max_bytes, c->max);
	KUNIT_EXPECT_EQ(test, cfg.gain_bytes, c->gain);
	KUNIT_EXPECT_EQ(test, cfg.fair_bytes, c->fair);
	KUNIT_EXPECT_EQ(test, cfg.eta_bytes, c->eta);
	KUNIT_EXPECT_EQ(test, cfg.fast_num, c->fast);
}

static void nscc_init__starts_at_the_largest(struct kunit *test)
{
	struct smrc_nscc_cfg cfg;
	struct smrc_nscc c;

	smrc_nscc_config(&cfg, MSS, 100000, RTT, LIMIT, false);
	smrc_nscc_init(&c, &cfg);
	KUNIT_EXPECT_EQ(test, c.cwnd, 225000);
	KUNIT_EXPECT_EQ(test, smrc_nscc_packets(&c), 54);
}

/* Delay 3000 of 12000: a gain of 16384 x 9000 / 12000 = 12288 a window; 4096 x 12288 / 100000 = 503; and eta. */
static void nscc_ack__grows_by_how_far_below(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	ack(&c, 3000, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000 + 503 + 614);
}

/* At the target and above: 4096 x 20480 / 100000 = 838, whatever the delay. */
static void nscc_ack__grows_fairly_above(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	ack(&c, 12000, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000 + 838 + 614);
	start(&c, 100000);
	ack(&c, 20000, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000 + 838 + 614);
}

static void nscc_ack__holds_when_marked_below(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	c.adjusted_ns = RTT;
	ack(&c, 3000, true, RTT);
	ack(&c, 11999, true, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000);
	KUNIT_EXPECT_EQ(test, c.gained, 0);
}

/* Twice the target on average: 0.8 x 100000 x (24000 - 12000) / 24000 = 40000; then 0.8 x 60000 / 2 = 24000. */
static void nscc_ack__shrinks_when_marked_above(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	c.delay_ns = 24000;
	c.adjusted_ns = 5 * RTT;
	ack(&c, 24000, true, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 60000);
	ack(&c, 24000, true, 2 * RTT - 1);
	KUNIT_EXPECT_EQ(test, c.cwnd, 60000);
	ack(&c, 24000, true, 2 * RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 36000);
}

static void nscc_ack__shrinks_by_half_at_most(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	c.delay_ns = 100 * RTT;
	c.adjusted_ns = 5 * RTT;
	c.period_ends_ns = 5 * RTT;
	ack(&c, 100 * RTT, true, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 50000);
}

/* The average moves by 1/80 a packet: 24000 / 80 = 300. */
static void nscc_ack__one_late_packet_shrinks_nothing(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	c.adjusted_ns = 5 * RTT;
	ack(&c, 24000, true, RTT);
	KUNIT_EXPECT_EQ(test, c.delay_ns, 300);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000);
}

/* One acknowledgment of 16 packets moves the average by 16/80 of 24000. */
static void nscc_ack__average_counts_packets(struct kunit *test)
{
	struct smrc_nscc_ack a = { .bytes = 16 * MSS, .sample = true, .delay_ns = 24000 };
	struct smrc_nscc c;

	start(&c, 100000);
	smrc_nscc_ack(&c, &a, RTT);
	KUNIT_EXPECT_EQ(test, c.delay_ns, 4800);
}

/* A window of 8192 without delay: from the third packet on each adds a quarter of itself. */
static void nscc_ack__fast_increase_after_a_window_without_delay(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 8192);
	c.adjusted_ns = RTT;
	ack(&c, 0, false, RTT);
	ack(&c, 0, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 8192);
	ack(&c, 0, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 8192 + 1024);
	ack(&c, 750, false, RTT);
	KUNIT_EXPECT_EQ(test, c.fast, 0);
}

static void nscc_ack__growth_comes_after_8_packets(struct kunit *test)
{
	struct smrc_nscc c;
	int i;

	start(&c, 100000);
	c.adjusted_ns = RTT;
	for (i = 0; i < 7; i++)
		ack(&c, 6000, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000);
	ack(&c, 6000, false, RTT);
	/* 8 x 4096 x 8192 / 100000 */
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000 + 2684);
	KUNIT_EXPECT_EQ(test, c.gained, 0);
}

/* What a transport ACK acknowledges counts with the next SACK: 2 x 4096 x 8192 / 100000 = 671. */
static void nscc_ack__no_sample_waits_for_one(struct kunit *test)
{
	struct smrc_nscc_ack a = { .bytes = MSS };
	struct smrc_nscc c;

	start(&c, 100000);
	smrc_nscc_ack(&c, &a, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000);
	KUNIT_EXPECT_EQ(test, c.achieved, MSS);
	ack(&c, 6000, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000 + 671 + 614);
}

struct adapt_case {
	const char *name;
	u64 achieved;	/* before an acknowledgment of one packet */
	bool troubled;
	u64 delay;
	u64 cwnd;	/* afterwards */
};

/* The gate: 225000 >> 3 = 28125. */
static const struct adapt_case adapt_cases[] = {
	{ "a loss, little came", 4096, true, 6000, 8192 },
	{ "a loss, next to nothing came", 0, true, 6000, 4096 },
	{ "a loss, much came", 28125 - 4096, true, 6000, 100000 },
	{ "far above the target", 4096, false, 48001, 8192 },
	{ "not far enough", 4096, false, 48000, 100000 },
	{ "nothing wrong", 4096, false, 6000, 100000 },
};

static void adapt_desc(const struct adapt_case *c, char *desc)
{
	strscpy(desc, c->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(adapt, adapt_cases, adapt_desc);

static void nscc_ack__quick_adapt(struct kunit *test)
{
	const struct adapt_case *a = test->param_value;
	struct smrc_nscc c;

	start(&c, 100000);
	c.adjusted_ns = 5 * RTT;
	c.period_ends_ns = RTT;
	c.achieved = a->achieved;
	c.troubled = a->troubled;
	ack(&c, a->delay, false, RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, a->cwnd);
	KUNIT_EXPECT_EQ(test, c.period_ends_ns, 3 * RTT);
	KUNIT_EXPECT_EQ(test, c.achieved, 0);
	KUNIT_EXPECT_FALSE(test, c.troubled);
	KUNIT_EXPECT_EQ(test, c.ignore, a->cwnd == 100000 ? 0 : 50000);
}

/* The period was over for another one when the acknowledgment came. */
static void nscc_ack__a_pause_starts_a_period(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	c.adjusted_ns = 5 * RTT;
	c.period_ends_ns = RTT;
	c.achieved = MSS;
	c.troubled = true;
	ack(&c, 6000, false, 3 * RTT);
	KUNIT_EXPECT_EQ(test, c.cwnd, 100000);
	KUNIT_EXPECT_EQ(test, c.period_ends_ns, 5 * RTT);
	KUNIT_EXPECT_EQ(test, c.achieved, 0);
	KUNIT_EXPECT_FALSE(test, c.troubled);
}

static void nscc_ack__the_first_starts_a_period(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 100000);
	smrc_nscc_lost(&c, MSS);
	ack(&c, 6000, false, 5);
	KUNIT_EXPECT_GE(test, c.cwnd, 100000 - MSS);
	KUNIT_EXPECT_EQ(test, c.period_ends_ns, 5 + 2 * RTT);
}

/* 50000 bytes were in flight when the window was cut: 12 acknowledgments tell nothing, and the 13th the rest. */
static void nscc_ack__ignores_what_was_in_flight(struct kunit *test)
{
	struct smrc_nscc c;
	int i;

	start(&c, 100000);
	c.period_ends_ns = RTT;
	c.troubled = true;
	ack(&c, 0, false, RTT);
	for (i = 0; i < 13; i++) {
		KUNIT_EXPECT_EQ(test, c.ignore, 50000 - i * MSS);
		ack(&c, 0, false, 10 * RTT);
	}
	KUNIT_EXPECT_EQ(test, c.ignore, 0);
	KUNIT_EXPECT_EQ(test, c.cwnd, MSS);
	ack(&c, 0, false, 10 * RTT);
	KUNIT_EXPECT_GT(test, c.cwnd, MSS);
}

static void nscc_lost__takes_the_packet_off(struct kunit *test)
{
	struct smrc_nscc c;

	start(&c, 10000);
	smrc_nscc_lost(&c, 4096);
	KUNIT_EXPECT_EQ(test, c.cwnd, 5904);
	smrc_nscc_lost(&c, 4096);
	KUNIT_EXPECT_EQ(test, c.cwnd, MSS);
	smrc_nscc_lost(&c, 4096);
	KUNIT_EXPECT_EQ(test, c.cwnd, MSS);
	KUNIT_EXPECT_EQ(test, smrc_nscc_packets(&c), 1);
	KUNIT_EXPECT_TRUE(test, c.troubled);
}

/*
 * Flows over one link, round trip by round trip: what windows hold beyond the bandwidth-delay product waits in its
 * queue, which marks from 0.75 of the target on.
 */
#define FLOWS	7
#define ROUNDS	3000
#define BDP	150000

static void nscc_ack__flows_share_a_link(struct kunit *test)
{
	struct smrc_nscc *c = kunit_kcalloc(test, FLOWS, sizeof(*c), GFP_KERNEL);
	u64 sum, squares, queue, delay = 0, now = RTT, lowest = U64_MAX, highest = 0;
	int round, i, n;

	KUNIT_ASSERT_NOT_NULL(test, c);
	/* One has nearly everything */
	for (i = 0; i < FLOWS; i++)
		start(&c[i], i ? MSS : BDP);
	for (round = 0; round < ROUNDS; round++) {
		sum = 0;
		squares = 0;
		for (i = 0; i < FLOWS; i++) {
			for (n = smrc_nscc_packets(&c[i]); n; n--)
				ack(&c[i], delay, delay > 3 * RTT / 4, now);
			sum += c[i].cwnd;
			squares += c[i].cwnd * c[i].cwnd;
		}
		queue = sum > BDP ? sum - BDP : 0;
		delay = queue * RTT / BDP;
		now += RTT + delay;
		if (round > ROUNDS / 2) {
			lowest = min(lowest, sum);
			highest = max(highest, sum);
		}
	}
	/* The link is never idle, the queue stays within two targets, and the Jain index is 0.9 at least. */
	KUNIT_EXPECT_GE(test, lowest, BDP * 9 / 10);
	KUNIT_EXPECT_LE(test, highest, 3 * BDP);
	KUNIT_EXPECT_GE(test, 10 * sum * sum, 9 * FLOWS * squares);
}

static struct kunit_case nscc_cases[] = {
	KUNIT_CASE_PARAM(nscc_config__scales_with_the_network, config_gen_params),
	KUNIT_CASE(nscc_init__starts_at_the_largest),
	KUNIT_CASE(nscc_ack__grows_by_how_far_below),
	KUNIT_CASE(nscc_ack__grows_fairly_above),
	KUNIT_CASE(nscc_ack__holds_when_marked_below),
	KUNIT_CASE(nscc_ack__shrinks_when_marked_above),
	KUNIT_CASE(nscc_ack__shrinks_by_half_at_most),
	KUNIT_CASE(nscc_ack__one_late_packet_shrinks_nothing),
	KUNIT_CASE(nscc_ack__average_counts_packets),
	KUNIT_CASE(nscc_ack__fast_increase_after_a_window_without_delay),
	KUNIT_CASE(nscc_ack__growth_comes_after_8_packets),
	KUNIT_CASE(nscc_ack__no_sample_waits_for_one),
	KUNIT_CASE_PARAM(nscc_ack__quick_adapt, adapt_gen_params),
	KUNIT_CASE(nscc_ack__a_pause_starts_a_period),
	KUNIT_CASE(nscc_ack__the_first_starts_a_period),
	KUNIT_CASE(nscc_ack__ignores_what_was_in_flight),
	KUNIT_CASE(nscc_lost__takes_the_packet_off),
	KUNIT_CASE(nscc_ack__flows_share_a_link),
	{}
};

static struct kunit_suite nscc_suite = {
	.name = "smrc_nscc",
	.test_cases = nscc_cases,
};

kunit_test_suite(nscc_suite);
