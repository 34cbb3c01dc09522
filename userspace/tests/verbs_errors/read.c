// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * read.c: READ: what it brings, in which order, and what it may not have.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define LONG	200000u

static void fill_random(uint8_t *buf, size_t len, uint64_t key)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = vt_hash(key + i);
}

/* End b has data, end a none */
static void make_reader(struct pair *p, const struct opts *o)
{
	make_pair(p, o);
	fill_random(p->b.buf, BUF, 1);
}

static void test_read(void)
{
	static const uint32_t lens[] = { 0, 1, 64, 4095, 4096, 4097, LONG };
	struct pair p;
	size_t i;

	make_reader(&p, NULL);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		memset(p.a.buf, FILL, BUF);
		EXPECT_EQ(simple_send(&p, i, IBV_WR_RDMA_READ, lens[i]), 0, "post");
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
		EXPECT(!memcmp(p.a.buf, p.b.buf, lens[i]), "%u bytes: wrong data", lens[i]);
		EXPECT(untouched(p.a.buf + lens[i], BUF - lens[i]), "%u bytes: more was written", lens[i]);
	}
	EXPECT_NOTHING(&p.b);
	drop_pair(&p);
}

static void test_read_pieces(void)
{
	struct pair p;
	struct send s;

	make_reader(&p, NULL);
	init_send(&s, &p, 1, IBV_WR_RDMA_READ, 0);
	s.wr.num_sge = 3;
	s.sge[0] = (struct ibv_sge){ .addr = (uintptr_t)p.a.buf + 50000, .length = 10000, .lkey = p.a.mr->lkey };
	s.sge[1] = (struct ibv_sge){ .addr = (uintptr_t)p.a.buf, .length = 1, .lkey = p.a.mr->lkey };
	s.sge[2] = (struct ibv_sge){ .addr = (uintptr_t)p.a.buf + 100, .length = 20000, .lkey = p.a.mr->lkey };
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_WC(&p.a, 1, IBV_WC_SUCCESS);
	EXPECT(!memcmp(p.a.buf + 50000, p.b.buf, 10000), "first piece");
	EXPECT(p.a.buf[0] == p.b.buf[10000], "second piece");
	EXPECT(!memcmp(p.a.buf + 100, p.b.buf + 10001, 20000), "third piece");
	EXPECT(untouched(p.a.buf + 1, 99) && untouched(p.a.buf + 20100, 29900), "bytes between were written");
	drop_pair(&p);
}

/* A READ sees the WRITE before it */
static void test_read_after_write(void)
{
	struct pair p;
	struct send s;
	uint32_t i;

	make_reader(&p, NULL);
	for (i = 0; i < 20; i++) {
		fill_random(p.a.buf, LONG / 2, 100 + i);
		EXPECT_EQ(simple_send(&p, 2 * i, IBV_WR_RDMA_WRITE, LONG / 2), 0, "post");
		init_send(&s, &p, 2 * i + 1, IBV_WR_RDMA_READ, LONG / 2);
		s.sge[0].addr += LONG / 2;
		EXPECT_EQ(post(&p, &s), 0, "post");
		EXPECT_WC(&p.a, 2 * i, IBV_WC_SUCCESS);
		EXPECT_WC(&p.a, 2 * i + 1, IBV_WC_SUCCESS);
		EXPECT(!memcmp(p.a.buf, p.a.buf + LONG / 2, LONG / 2), "round %u: not what was written", i);
	}
	drop_pair(&p);
}

/* More than the QP may have open: they wait, and end in order */
static void test_read_many(void)
{
	struct pair p;
	struct send s;
	uint32_t i;

	make_reader(&p, NULL);
	for (i = 0; i < 32; i++) {
		init_send(&s, &p, i, IBV_WR_RDMA_READ, 5000);
		s.sge[0].addr += i * 5000;
		s.wr.wr.rdma.remote_addr += i * 5000;
		EXPECT_EQ(post(&p, &s), 0, "post");
	}
	for (i = 0; i < 32; i++)
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
	EXPECT(!memcmp(p.a.buf, p.b.buf, 32 * 5000), "wrong data");
	drop_pair(&p);
}

/* What is fenced waits for the READ before it, so it may overwrite what that reads */
static void test_read_fence(void)
{
	uint8_t *was = malloc(LONG);
	struct pair p;
	struct send s;
	uint32_t i;

	make_reader(&p, NULL);
	for (i = 0; i < 20 && was; i++) {
		memcpy(was, p.b.buf, LONG);
		EXPECT_EQ(simple_send(&p, 2 * i, IBV_WR_RDMA_READ, LONG), 0, "post");
		init_send(&s, &p, 2 * i + 1, IBV_WR_RDMA_WRITE, 4096);
		s.sge[0].addr += LONG;
		s.wr.wr.rdma.remote_addr += LONG - 4096;
		s.wr.send_flags |= IBV_SEND_FENCE;
		fill_random(p.a.buf + LONG, 4096, 500 + i);
		EXPECT_EQ(post(&p, &s), 0, "post");
		EXPECT_WC(&p.a, 2 * i, IBV_WC_SUCCESS);
		EXPECT_WC(&p.a, 2 * i + 1, IBV_WC_SUCCESS);
		EXPECT(!memcmp(p.a.buf, was, LONG), "round %u: it read what was written behind it", i);
		EXPECT(!memcmp(p.b.buf + LONG - 4096, p.a.buf + LONG, 4096), "round %u: not written", i);
	}
	free(was);
	drop_pair(&p);
}

/* A READ that is refused: those before it end well, what is behind it is not done */
static void refused(const struct opts *o, uint64_t addr, uint32_t len, uint32_t rkey)
{
	struct pair p;
	struct send s;

	make_reader(&p, o);
	EXPECT_EQ(post_recv(&p.b, 9, 0, 64), 0, "post receive");
	init_send(&s, &p, 1, IBV_WR_RDMA_READ, len);
	s.wr.wr.rdma.remote_addr += addr;
	s.wr.wr.rdma.rkey ^= rkey;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT_EQ(simple_send(&p, 3, IBV_WR_SEND, 64), 0, "post");
	EXPECT_VERR(&p.a, 1, IBV_WC_REM_ACCESS_ERR, SMRC_VERR_REMOTE_NAK);
	EXPECT_WC(&p.a, 2, IBV_WC_WR_FLUSH_ERR);
	EXPECT_WC(&p.a, 3, IBV_WC_WR_FLUSH_ERR);
	EXPECT_WC(&p.b, 9, IBV_WC_WR_FLUSH_ERR);
	EXPECT(wait_state(p.b.qp, IBV_QPS_ERR), "the responder's QP is not in error");
	EXPECT(wait_async(dev_b, IBV_EVENT_QP_ACCESS_ERR, WAIT_MS), "no event QP_ACCESS_ERR");
	EXPECT(untouched(p.a.buf, BUF), "something was read");
	EXPECT(p.b.buf[0] == (uint8_t)vt_hash(1), "what is behind it was written");
	drop_pair(&p);
}

static void test_read_rkey_wrong(void)
{
	refused(NULL, 0, 64, 0x00a5a500);
	refused(NULL, 0, LONG, 0x00000001);
}

static void test_read_bounds(void)
{
	refused(NULL, -1ull, 64, 0);
	refused(NULL, BUF - 63, 64, 0);
	refused(NULL, BUF - LONG + 1, LONG, 0);
	refused(NULL, 1ull << 63, 64, 0);
	refused(NULL, 0 - (uint64_t)LONG, LONG, 0);
}

static void test_read_right_missing(void)
{
	struct opts o = { .qp_access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE };

	refused(&o, 0, 64, 0);
	o = (struct opts){ .mr_access = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE };
	refused(&o, 0, 64, 0);
}

static void test_read_refused_behind_another(void)
{
	struct pair p;
	struct send s;

	make_reader(&p, NULL);
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_READ, LONG), 0, "post");
	init_send(&s, &p, 2, IBV_WR_RDMA_READ, 64);
	s.wr.wr.rdma.rkey ^= 1;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_WC(&p.a, 1, IBV_WC_SUCCESS);
	EXPECT(!memcmp(p.a.buf, p.b.buf, LONG), "wrong data");
	EXPECT_VERR(&p.a, 2, IBV_WC_REM_ACCESS_ERR, SMRC_VERR_REMOTE_NAK);
	drop_pair(&p);
}

static void bad_target(unsigned int mr_access, uint64_t addr, uint32_t lkey, int vendor_err)
{
	struct opts o = { .mr_access = mr_access };
	struct pair p;
	struct send s;

	make_reader(&p, &o);
	init_send(&s, &p, 1, IBV_WR_RDMA_READ, 64);
	s.sge[0].addr += addr;
	s.sge[0].lkey ^= lkey;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_VERR(&p.a, 1, IBV_WC_LOC_PROT_ERR, vendor_err);
	EXPECT(wait_state(p.a.qp, IBV_QPS_ERR), "the QP is not in error");
	EXPECT(untouched(p.a.buf, BUF), "memory was written");
	drop_pair(&p);
}

static void test_read_target(void)
{
	bad_target(0, 0, 0x00a5a500, SMRC_VERR_LOCAL_KEY);
	bad_target(0, BUF - 63, 0, SMRC_VERR_LOCAL_BOUNDS);
	bad_target(IBV_ACCESS_REMOTE_READ, 0, 0, SMRC_VERR_LOCAL_RIGHTS);
}

static void test_read_inline(void)
{
	struct ibv_wc wc = {};
	struct pair p;
	struct send s;
	int err;

	make_reader(&p, NULL);
	init_send(&s, &p, 1, IBV_WR_RDMA_READ, 8);
	s.wr.send_flags |= IBV_SEND_INLINE;
	err = post(&p, &s);
	if (err) {
		EXPECT_EQ(err, EINVAL, "post");
	} else {
		EXPECT(get_wc(&p.a, &wc, WAIT_MS), "no completion");
		EXPECT(wc.status == IBV_WC_LOC_QP_OP_ERR, "status is %s", ibv_wc_status_str(wc.status));
	}
	drop_pair(&p);
}

/* One end may have none open, the other takes none */
static void test_read_none_allowed(void)
{
	struct opts o = { .tune = tune_of(&(struct opts){}) };
	struct ibv_wc wc = {};
	struct pair p;

	o.tune.no_reads_out = true;
	make_reader(&p, &o);
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_READ, 64), 0, "post");
	EXPECT_VERR(&p.a, 1, IBV_WC_LOC_QP_OP_ERR, SMRC_VERR_BAD_WQE);
	drop_pair(&p);

	o.tune.no_reads_out = false;
	o.tune.no_reads_in = true;
	make_reader(&p, &o);
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_READ, 64), 0, "post");
	EXPECT(get_wc(&p.a, &wc, WAIT_MS), "no completion");
	EXPECT(wc.status == IBV_WC_REM_INV_REQ_ERR, "status is %s", ibv_wc_status_str(wc.status));
	EXPECT(untouched(p.a.buf, BUF), "something was read");
	drop_pair(&p);
}

/* The region goes while it is read: all of it comes, or an error, and no byte that is not its own */
static void test_read_region_goes(void)
{
	struct ibv_wc wc;
	struct pair p;
	int i;

	for (i = 0; i < rounds(20); i++) {
		make_reader(&p, NULL);
		EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_READ, LONG), 0, "post");
		EXPECT_EQ(ibv_dereg_mr(p.b.mr), 0, "deregister");
		p.b.mr = NULL;
		memset(p.b.buf, 0xee, BUF);
		memset(&wc, 0, sizeof(wc));
		EXPECT(get_wc(&p.a, &wc, WAIT_MS), "no completion");
		EXPECT(wc.status == IBV_WC_SUCCESS || wc.status == IBV_WC_REM_ACCESS_ERR, "status is %s",
		       ibv_wc_status_str(wc.status));
		drop_pair(&p);
	}
}

/** read_tests - the tests of this file */
const struct test read_tests[] = {
	{ "READ: of many lengths", test_read },
	{ "READ: into pieces", test_read_pieces },
	{ "READ: behind a WRITE", test_read_after_write },
	{ "READ: more than may be open", test_read_many },
	{ "READ: a fence behind it", test_read_fence },
	{ "READ: wrong rkey", test_read_rkey_wrong },
	{ "READ: out of bounds", test_read_bounds },
	{ "READ: right missing", test_read_right_missing },
	{ "READ: refused behind one that is not", test_read_refused_behind_another },
	{ "READ: into memory that it may not write", test_read_target },
	{ "READ: inline", test_read_inline },
	{ "READ: none allowed", test_read_none_allowed, true },
	{ "READ: the region goes", test_read_region_goes },
	{}
};
