// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "flow.c"

#include <kunit/test.h>
#include <linux/array_size.h>

#define FOLD	SMRC_FLOW_PRODUCT_FOLD
#define LABELS	(SMRC_FLOW_LABEL_MASK + 1)

/*
 * Seed 3's table "Hash with folding", rows flow_label: CM source ports 32768..65533 against one service port. n[i] is
 * how many labels were hit i times. The thread gives total_access as the sum of i * (i + 1) / 2; what its figures are,
 * in all ten rows, is the sum of i * i / 2 rounded up.
 */
static const struct flow_row {
	u16	dst_port;
	u32	max;
	u32	total;
	u32	n[7];
} flow_rows[] = {
	{ 18515, 2, 32766, { [1] = 32514, 126 } },
	{ 18516, 3, 32774, { [1] = 31214, 770, 4 } },
	{ 18517, 2, 32766, { [1] = 32250, 258 } },
	{ 18518, 2, 32766, { [1] = 32066, 350 } },
	{ 18519, 3, 32774, { [1] = 31816, 469, 4 } },
	{ 18520, 6, 34618, { [1] = 20349, 5027, 550, 164, 9, 2 } },
	{ 18521, 2, 32766, { [1] = 31924, 421 } },
	{ 18522, 3, 32768, { [1] = 32197, 283, 1 } },
	{ 18523, 2, 32766, { [1] = 32514, 126 } },
	{ 18524, 3, 32774, { [1] = 31362, 696, 4 } },
};

static void flow_row_desc(const struct flow_row *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "port %u", p->dst_port);
}

KUNIT_ARRAY_PARAM(flow_rows, flow_rows, flow_row_desc);

static void flow_label_cm__seed_table(struct kunit *test)
{
	const struct flow_row *p = test->param_value;
	u32 n[ARRAY_SIZE(p->n)] = {};
	u32 src, i, max = 0, total = 0;
	u8 *hits;

	hits = kunit_kzalloc(test, LABELS, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, hits);
	for (src = 32768; src <= 65533; src++)
		hits[smrc_flow_label_cm(FOLD, p->dst_port, src)]++;
	for (i = 0; i < LABELS; i++) {
		if (!hits[i])
			continue;
		if (hits[i] > max)
			max = hits[i];
		KUNIT_ASSERT_LE(test, max, p->max);
		n[hits[i]]++;
		total += (hits[i] * hits[i] + 1) / 2;
	}
	KUNIT_EXPECT_EQ(test, max, p->max);
	KUNIT_EXPECT_EQ(test, total, p->total);
	for (i = 1; i < ARRAY_SIZE(n); i++)
		KUNIT_EXPECT_EQ_MSG(test, n[i], p->n[i], "labels hit %u times", i);
}

/* Worked by hand from the formula of seed 3. */
static void flow_label_cm__by_hand(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(FOLD, 0, 65535), 0U);
	KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(FOLD, 1, 1), 1U);
	/* 0x100 * 0x1 = 0x100; >> 8 folds in 1 */
	KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(FOLD, 0x100, 1), 0x101U);
	/* 0xffff * 0xffff = 0xfffe0001; ^ 0xfffe = 0xfffeffff; ^ 0x00fffeff = 0xff010100, 20 bits */
	KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(FOLD, 0xffff, 0xffff), 0x10100U);
	/* 0x8000 * 0x4853 = 0x24298000; ^ 0x2429 = 0x2429a429; ^ 0x2429a4 = 0x240d8d8d, 20 bits */
	KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(FOLD, 18515, 32768), 0xd8d8dU);
}

/* The thread's other choices, by hand; 0x4853 * 0x8000 = 0x24298000, 32768 * 31 + 18515 = 0xfc853. */
static void flow_label__choices(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(SMRC_FLOW_PRODUCT, 18515, 32768), 0x98000U);
	KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(SMRC_FLOW_SRC31, 18515, 32768), 0xfc853U);
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(SMRC_FLOW_PRODUCT, 0x100000, 1), 0U);
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(SMRC_FLOW_PRODUCT, 0x11, 0x12), 0x132U);
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(SMRC_FLOW_SRC31, 0x11, 0x12), 0x23fU);
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(SMRC_FLOW_SRC31, 0x12, 0x11), 0x221U);
	/* 0x221: low 14 bits, high ones none */
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(SMRC_FLOW_SRC31, 0, 0x11, 0x12), 0xc221U);
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(SMRC_FLOW_SRC31, 0x12345, 0x11, 0x12), 0xe341U);
}

/* Documentation/entropy.rst: which label a program gives to have a port. */
static void flow_qp_sport__chosen(struct kunit *test)
{
	u32 port;

	for (port = SMRC_FLOW_PORT_BASE + 1; port <= 0xffff; port++)
		KUNIT_ASSERT_EQ(test, smrc_flow_qp_sport(FOLD, port - SMRC_FLOW_PORT_BASE, 1, 2), port);
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(FOLD, 0x4001, 1, 2), SMRC_FLOW_PORT_BASE);
}

/* Seed 3's rows "Hash without folding": no two source ports have the same label, but for service ports full of twos. */
static void flow_label_cm__without_folding(struct kunit *test)
{
	static const u16 ports[] = { 18515, 18516, 18520, 18524 };
	u32 src, i;
	u8 *hits;

	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		hits = kunit_kzalloc(test, LABELS, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, hits);
		for (src = 32768; src <= 65533; src++)
			KUNIT_ASSERT_EQ(test, hits[smrc_flow_label_cm(SMRC_FLOW_PRODUCT, ports[i], src)]++, 0);
	}
}

static void flow_label_cm__symmetric(struct kunit *test)
{
	u32 i;

	for (i = 0; i < 65536; i += 251)
		KUNIT_EXPECT_EQ(test, smrc_flow_label_cm(FOLD, 18515, i), smrc_flow_label_cm(FOLD, i, 18515));
}

static void flow_label_qpn__by_hand(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(FOLD, 0, 0x123456), 0U);
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(FOLD, 0x11, 0x12), 0x132U);
	/* 0x100000 folds in 1 */
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(FOLD, 0x100000, 1), 1U);
	/* 2^44; >> 20 gives bit 24; >> 40 of both gives bit 4 */
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(FOLD, 0x400000, 0x400000), 0x10U);
	/* 0xfffffe000001; ^ 0xfffffe0 = 0xfffff1ffffe1; ^ 0xff = 0xfffff1ffff1e, 20 bits */
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(FOLD, 0xffffff, 0xffffff), 0xfff1eU);
}

static void flow_label_qpn__24_bits_and_symmetric(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(FOLD, 0xff000011, 0x01000012), smrc_flow_label_qpn(FOLD, 0x11, 0x12));
	KUNIT_EXPECT_EQ(test, smrc_flow_label_qpn(FOLD, 0x123456, 0xabcdef),
			smrc_flow_label_qpn(FOLD, 0xabcdef, 0x123456));
}

static const struct flow_sport_row {
	u32	label;
	u16	sport;
} flow_sport_rows[] = {
	{ 0x00000, 0xc000 },
	{ 0x00001, 0xc001 },
	{ 0x03fff, 0xffff },
	{ 0x04000, 0xc001 },	/* bit 14 folds onto bit 0 */
	{ 0x04001, 0xc000 },
	{ 0x80000, 0xc020 },	/* bit 19 onto bit 5 */
	{ 0xfffff, 0xffc0 },
	{ 0x12345, 0xe341 },	/* 0x2345 ^ 0x04 */
	{ 0xabcde, 0xfcf4 },	/* 0x3cde ^ 0x2a */
};

static void flow_sport_desc(const struct flow_sport_row *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "label %05x", p->label);
}

KUNIT_ARRAY_PARAM(flow_sport, flow_sport_rows, flow_sport_desc);

static void flow_sport__by_hand(struct kunit *test)
{
	const struct flow_sport_row *p = test->param_value;

	KUNIT_EXPECT_EQ(test, smrc_flow_sport(p->label), p->sport);
	KUNIT_EXPECT_EQ(test, smrc_flow_sport(p->label | 0xfff00000), p->sport);
}

static void flow_sport__always_ephemeral(struct kunit *test)
{
	u32 label, below = 0;

	for (label = 0; label < LABELS; label++)
		below += smrc_flow_sport(label) < SMRC_FLOW_PORT_BASE;
	KUNIT_EXPECT_EQ(test, below, 0U);
}

static void flow_qp_sport__label_first(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(FOLD, 0x12345, 0x11, 0x12), 0xe341);
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(FOLD, 0x12345, 0x99, 0x98), 0xe341);
}

static void flow_qp_sport__else_qpns(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(FOLD, 0, 0x11, 0x12), 0xc132);
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(FOLD, 0, 0x12, 0x11), 0xc132);
	KUNIT_EXPECT_EQ(test, smrc_flow_qp_sport(FOLD, 0xfff00000, 0x11, 0x12), 0xc132);
}

static void flow_label_ev__injective(struct kunit *test)
{
	u32 ev, label, bad = 0;
	u8 *seen;

	seen = kunit_kzalloc(test, LABELS, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, seen);
	for (ev = 0; ev <= U16_MAX; ev++) {
		label = smrc_flow_label_ev(ev);
		KUNIT_ASSERT_LE(test, label, SMRC_FLOW_LABEL_MASK);
		bad += !label || seen[label];
		seen[label] = 1;
	}
	KUNIT_EXPECT_EQ(test, bad, 0U);
}

static void flow_label_ev__gives_the_port_back(struct kunit *test)
{
	u32 ev, bad = 0;

	for (ev = SMRC_FLOW_PORT_BASE; ev <= U16_MAX; ev++)
		bad += smrc_flow_sport(smrc_flow_label_ev(ev)) != ev;
	KUNIT_EXPECT_EQ(test, bad, 0U);
}

static struct kunit_case flow_cases[] = {
	KUNIT_CASE_PARAM(flow_label_cm__seed_table, flow_rows_gen_params),
	KUNIT_CASE(flow_label_cm__by_hand),
	KUNIT_CASE(flow_label_cm__symmetric),
	KUNIT_CASE(flow_label__choices),
	KUNIT_CASE(flow_qp_sport__chosen),
	KUNIT_CASE(flow_label_cm__without_folding),
	KUNIT_CASE(flow_label_qpn__by_hand),
	KUNIT_CASE(flow_label_qpn__24_bits_and_symmetric),
	KUNIT_CASE_PARAM(flow_sport__by_hand, flow_sport_gen_params),
	KUNIT_CASE(flow_sport__always_ephemeral),
	KUNIT_CASE(flow_qp_sport__label_first),
	KUNIT_CASE(flow_qp_sport__else_qpns),
	KUNIT_CASE(flow_label_ev__injective),
	KUNIT_CASE(flow_label_ev__gives_the_port_back),
	{}
};

static struct kunit_suite flow_suite = {
	.name = "smrc_flow",
	.test_cases = flow_cases,
};

kunit_test_suite(flow_suite);
