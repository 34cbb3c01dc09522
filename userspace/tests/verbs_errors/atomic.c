// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * atomic.c: compare and swap, fetch and add: what they change, what they bring back, and what they may not touch.
 */
#include <errno.h>
#include <string.h>

#include "harness.h"

#define START	0x0123456789abcdefull

static uint64_t word(const uint8_t *buf, uint32_t off)
{
	uint64_t v;

	memcpy(&v, buf + off, sizeof(v));
	return v;
}

static void set_word(uint8_t *buf, uint32_t off, uint64_t v)
{
	memcpy(buf + off, &v, sizeof(v));
}

/* An atomic of end a on the word at @off of end b, its result to the word at @to of end a */
static void init_atomic(struct send *s, const struct pair *p, uint64_t wr_id, enum ibv_wr_opcode opcode, uint64_t off,
			uint32_t to)
{
	init_send(s, p, wr_id, opcode, 8);
	s->sge[0].addr += to;
	s->wr.wr.atomic.remote_addr = (uintptr_t)p->b.buf + off;
	s->wr.wr.atomic.rkey = p->b.mr->rkey;
	s->wr.wr.atomic.compare_add = 0;
	s->wr.wr.atomic.swap = 0;
}

static void fetch_add(struct pair *p, uint64_t wr_id, uint64_t off, uint32_t to, uint64_t add)
{
	struct send s;

	init_atomic(&s, p, wr_id, IBV_WR_ATOMIC_FETCH_AND_ADD, off, to);
	s.wr.wr.atomic.compare_add = add;
	EXPECT_EQ(post(p, &s), 0, "post");
}

static void cmp_swap(struct pair *p, uint64_t wr_id, uint64_t off, uint32_t to, uint64_t compare, uint64_t swap)
{
	struct send s;

	init_atomic(&s, p, wr_id, IBV_WR_ATOMIC_CMP_AND_SWP, off, to);
	s.wr.wr.atomic.compare_add = compare;
	s.wr.wr.atomic.swap = swap;
	EXPECT_EQ(post(p, &s), 0, "post");
}

static void expect_opcode(struct end *e, enum ibv_wc_opcode opcode)
{
	struct ibv_wc wc = {};

	EXPECT(get_wc(e, &wc, WAIT_MS), "no completion");
	EXPECT(wc.status == IBV_WC_SUCCESS, "status is %s", ibv_wc_status_str(wc.status));
	EXPECT_EQ(wc.opcode, opcode, "opcode of the completion");
	EXPECT_EQ(wc.byte_len, 8, "byte_len");
}

static void test_atomic_add(void)
{
	static const uint64_t adds[] = { 0, 1, 1ull << 63, UINT64_MAX, 0x0102030405060708 };
	uint64_t was = START;
	struct pair p;
	size_t i;

	make_pair(&p, NULL);
	set_word(p.b.buf, 64, was);
	for (i = 0; i < ARRAY_SIZE(adds); i++) {
		fetch_add(&p, i, 64, 128, adds[i]);
		expect_opcode(&p.a, IBV_WC_FETCH_ADD);
		EXPECT(word(p.a.buf, 128) == was, "%zu: brought 0x%llx", i, (long long)word(p.a.buf, 128));
		was += adds[i];
		EXPECT(word(p.b.buf, 64) == was, "%zu: left 0x%llx", i, (long long)word(p.b.buf, 64));
	}
	EXPECT(untouched(p.b.buf, 64) && untouched(p.b.buf + 72, BUF - 72), "more was changed");
	EXPECT(untouched(p.a.buf, 128) && untouched(p.a.buf + 136, BUF - 136), "more was brought");
	drop_pair(&p);
}

static void test_atomic_swap(void)
{
	struct pair p;

	make_pair(&p, NULL);
	set_word(p.b.buf, 0, START);
	cmp_swap(&p, 1, 0, 0, START, 42);
	expect_opcode(&p.a, IBV_WC_COMP_SWAP);
	EXPECT(word(p.a.buf, 0) == START && word(p.b.buf, 0) == 42, "it did not swap");
	cmp_swap(&p, 2, 0, 0, START, 43);
	expect_opcode(&p.a, IBV_WC_COMP_SWAP);
	EXPECT(word(p.a.buf, 0) == 42 && word(p.b.buf, 0) == 42, "it swapped what did not compare");
	cmp_swap(&p, 3, 0, 0, 42 | 1ull << 40, 44);
	expect_opcode(&p.a, IBV_WC_COMP_SWAP);
	EXPECT(word(p.b.buf, 0) == 42, "it compared the low half only");
	drop_pair(&p);
}

/* The result may lie anywhere, also across two pages */
static void test_atomic_result_place(void)
{
	static const uint32_t tos[] = { 1, 4095, 4092, 8191, BUF - 8 };
	struct pair p;
	size_t i;

	make_pair(&p, NULL);
	for (i = 0; i < ARRAY_SIZE(tos); i++) {
		set_word(p.b.buf, 8, START + i);
		fetch_add(&p, i, 8, tos[i], 1);
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
		EXPECT(word(p.a.buf, tos[i]) == START + i, "not brought to %u", tos[i]);
	}
	drop_pair(&p);
}

/* More than may be open: they wait, are done in order, each once */
static void test_atomic_many(void)
{
	struct pair p;
	uint32_t i;

	make_pair(&p, NULL);
	set_word(p.b.buf, 0, START);
	for (i = 0; i < 32; i++)
		fetch_add(&p, i, 0, 8 * i, 1 + i);
	for (i = 0; i < 32; i++) {
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
		EXPECT(word(p.a.buf, 8 * i) == START + i * (i + 1) / 2, "%u: out of order", i);
	}
	EXPECT(word(p.b.buf, 0) == START + 32 * 33 / 2, "the sum is wrong");
	drop_pair(&p);
}

/* Between other requests: what was written before it counts, what it leaves is read behind it */
static void test_atomic_order(void)
{
	struct pair p;
	uint32_t i;

	make_pair(&p, NULL);
	for (i = 0; i < 20; i++) {
		set_word(p.a.buf, 0, i * 1000);
		EXPECT_EQ(simple_send(&p, 3 * i, IBV_WR_RDMA_WRITE, 8), 0, "post");
		fetch_add(&p, 3 * i + 1, 0, 64, 7);
		cmp_swap(&p, 3 * i + 2, 0, 72, i * 1000 + 7, 5);
		EXPECT_WC(&p.a, 3 * i, IBV_WC_SUCCESS);
		EXPECT_WC(&p.a, 3 * i + 1, IBV_WC_SUCCESS);
		EXPECT_WC(&p.a, 3 * i + 2, IBV_WC_SUCCESS);
		EXPECT(word(p.a.buf, 64) == i * 1000, "round %u: it did not find what was written", i);
		EXPECT(word(p.a.buf, 72) == i * 1000 + 7, "round %u: the second did not find what the first left", i);
		EXPECT(word(p.b.buf, 0) == 5, "round %u: not swapped", i);
	}
	drop_pair(&p);
}

/* One that is refused: nothing is changed, what is behind it is not done */
static void refused(const struct opts *o, uint64_t off, uint32_t rkey, enum ibv_wc_status status)
{
	struct pair p;
	struct send s;

	make_pair(&p, o);
	init_atomic(&s, &p, 1, IBV_WR_ATOMIC_FETCH_AND_ADD, off, 0);
	s.wr.wr.atomic.compare_add = 1;
	s.wr.wr.atomic.rkey ^= rkey;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT_VERR(&p.a, 1, status, SMRC_VERR_REMOTE_NAK);
	EXPECT_WC(&p.a, 2, IBV_WC_WR_FLUSH_ERR);
	EXPECT(wait_state(p.b.qp, IBV_QPS_ERR), "the responder's QP is not in error");
	EXPECT(untouched(p.a.buf, BUF), "something was brought");
	EXPECT(untouched(p.b.buf, BUF), "something was changed");
	drop_pair(&p);
}

static void test_atomic_key(void)
{
	refused(NULL, 0, 0x00a5a500, IBV_WC_REM_ACCESS_ERR);
	refused(NULL, 0, 1, IBV_WC_REM_ACCESS_ERR);
}

static void test_atomic_bounds(void)
{
	refused(NULL, -8ull, 0, IBV_WC_REM_ACCESS_ERR);
	refused(NULL, BUF, 0, IBV_WC_REM_ACCESS_ERR);
	refused(NULL, 1ull << 63, 0, IBV_WC_REM_ACCESS_ERR);
}

/* IBTA 9.4.5: the address must be a multiple of 8 */
static void test_atomic_misaligned(void)
{
	refused(NULL, 1, 0, IBV_WC_REM_INV_REQ_ERR);
	refused(NULL, 4, 0, IBV_WC_REM_INV_REQ_ERR);
	refused(NULL, 4095, 0, IBV_WC_REM_INV_REQ_ERR);
}

static void test_atomic_right_missing(void)
{
	struct opts o = { .qp_access = ALL_ACCESS & ~IBV_ACCESS_REMOTE_ATOMIC };

	refused(&o, 0, 0, IBV_WC_REM_ACCESS_ERR);
	o = (struct opts){ .mr_access = ALL_ACCESS & ~IBV_ACCESS_REMOTE_ATOMIC };
	refused(&o, 0, 0, IBV_WC_REM_ACCESS_ERR);
}

/* The result has nowhere to go: the atomic is done all the same */
static void test_atomic_target(void)
{
	struct pair p;
	struct send s;

	make_pair(&p, NULL);
	set_word(p.b.buf, 0, START);
	init_atomic(&s, &p, 1, IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 0);
	s.wr.wr.atomic.compare_add = 1;
	s.sge[0].lkey ^= 0x00a5a500;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_VERR(&p.a, 1, IBV_WC_LOC_PROT_ERR, SMRC_VERR_LOCAL_KEY);
	EXPECT(word(p.b.buf, 0) == START + 1, "it was not done");
	drop_pair(&p);
}

/* Refused when it is posted, or by its completion */
static void malformed(const struct send *s, struct pair *p, enum ibv_wc_status status)
{
	struct ibv_wc wc = {};
	struct send copy = *s;
	int err;

	copy.wr.sg_list = copy.sge;
	err = post(p, &copy);
	if (err) {
		EXPECT_EQ(err, EINVAL, "post");
		return;
	}
	EXPECT(get_wc(&p->a, &wc, WAIT_MS), "no completion");
	EXPECT(wc.status == status, "status is %s", ibv_wc_status_str(wc.status));
}

static void test_atomic_malformed(void)
{
	struct pair p;
	struct send s;

	make_pair(&p, NULL);
	init_atomic(&s, &p, 1, IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 0);
	s.sge[0].length = 7;
	malformed(&s, &p, IBV_WC_LOC_LEN_ERR);
	drop_pair(&p);

	make_pair(&p, NULL);
	init_atomic(&s, &p, 1, IBV_WR_ATOMIC_CMP_AND_SWP, 0, 0);
	s.wr.num_sge = 0;
	malformed(&s, &p, IBV_WC_LOC_LEN_ERR);
	drop_pair(&p);

	make_pair(&p, NULL);
	init_atomic(&s, &p, 1, IBV_WR_ATOMIC_CMP_AND_SWP, 0, 0);
	s.wr.send_flags |= IBV_SEND_INLINE;
	malformed(&s, &p, IBV_WC_LOC_QP_OP_ERR);
	EXPECT(untouched(p.b.buf, BUF), "something was changed");
	drop_pair(&p);
}

/* One end may have none open, the other takes none */
static void test_atomic_none_allowed(void)
{
	struct opts o = { .tune = tune_of(&(struct opts){}) };
	struct pair p;

	o.tune.no_reads_out = true;
	make_pair(&p, &o);
	fetch_add(&p, 1, 0, 0, 1);
	EXPECT_VERR(&p.a, 1, IBV_WC_LOC_QP_OP_ERR, SMRC_VERR_BAD_WQE);
	drop_pair(&p);

	o.tune.no_reads_out = false;
	o.tune.no_reads_in = true;
	make_pair(&p, &o);
	fetch_add(&p, 1, 0, 0, 1);
	EXPECT_WC(&p.a, 1, IBV_WC_REM_INV_REQ_ERR);
	EXPECT(untouched(p.b.buf, BUF), "something was changed");
	drop_pair(&p);
}

/** atomic_tests - the tests of this file */
const struct test atomic_tests[] = {
	{ "atomic: fetch and add", test_atomic_add },
	{ "atomic: compare and swap", test_atomic_swap },
	{ "atomic: where the result goes", test_atomic_result_place },
	{ "atomic: more than may be open", test_atomic_many },
	{ "atomic: between other requests", test_atomic_order },
	{ "atomic: wrong rkey", test_atomic_key },
	{ "atomic: out of bounds", test_atomic_bounds },
	{ "atomic: misaligned", test_atomic_misaligned, true },
	{ "atomic: right missing", test_atomic_right_missing },
	{ "atomic: a result with nowhere to go", test_atomic_target },
	{ "atomic: malformed", test_atomic_malformed, true },
	{ "atomic: none allowed", test_atomic_none_allowed, true },
	{}
};
