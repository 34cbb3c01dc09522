// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * access.c: keys, bounds and rights.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "harness.h"

/* --- keys, bounds and rights: the sender's side --- */

static void bad_local_sge(uint64_t addr, uint32_t len, uint32_t lkey, bool second, int vendor_err)
{
	static const enum ibv_wr_opcode ops[] = { IBV_WR_SEND, IBV_WR_RDMA_WRITE };
	struct pair p;
	struct send s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		make_pair(&p, NULL);
		EXPECT_EQ(post_recv(&p.b, 1, 0, 4096), 0, "post receive");
		init_send(&s, &p, 2, ops[i], 64);
		s.wr.num_sge = 1 + second;
		s.sge[second] = (struct ibv_sge){
			.addr = (uintptr_t)p.a.buf + addr, .length = len, .lkey = p.a.mr->lkey ^ lkey,
		};
		EXPECT_EQ(post(&p, &s), 0, "post");
		EXPECT_VERR(&p.a, 2, IBV_WC_LOC_PROT_ERR, vendor_err);
		EXPECT(wait_state(p.a.qp, IBV_QPS_ERR), "the QP is not in error");
		EXPECT(untouched(p.b.buf, BUF), "the peer's memory was written");
		drop_pair(&p);
	}
}

static void test_lkey_wrong(void)
{
	bad_local_sge(0, 64, 0x00a5a500, false, SMRC_VERR_LOCAL_KEY);
	bad_local_sge(0, 64, 0x00000001, false, SMRC_VERR_LOCAL_KEY);
}

static void test_lkey_wrong_in_second_sge(void)
{
	bad_local_sge(0, 64, 0x00a5a500, true, SMRC_VERR_LOCAL_KEY);
}

static void test_local_bounds(void)
{
	bad_local_sge(BUF - 63, 64, 0, false, SMRC_VERR_LOCAL_BOUNDS);
	bad_local_sge(-1ull, 64, 0, false, SMRC_VERR_LOCAL_BOUNDS);
	bad_local_sge(0, BUF + 1, 0, false, SMRC_VERR_LOCAL_BOUNDS);
	bad_local_sge(0, 0x7fffffff, 0, false, SMRC_VERR_LOCAL_BOUNDS);
	bad_local_sge(1ull << 63, 64, 0, true, SMRC_VERR_LOCAL_BOUNDS);
}

static void test_lkey_of_other_pd(void)
{
	struct ibv_pd *pd = ibv_alloc_pd(dev_a->ctx);
	struct pair p;
	struct send s;
	struct ibv_mr *mr;

	make_pair(&p, NULL);
	mr = ibv_reg_mr(pd, p.a.buf, BUF, ALL_ACCESS);
	EXPECT(mr, "register: %s", strerror(errno));
	init_send(&s, &p, 1, IBV_WR_RDMA_WRITE, 64);
	if (mr) {
		s.sge[0].lkey = mr->lkey;
		EXPECT_EQ(post(&p, &s), 0, "post");
		EXPECT_VERR(&p.a, 1, IBV_WC_LOC_PROT_ERR, SMRC_VERR_LOCAL_PD);
		EXPECT_EQ(ibv_dealloc_pd(pd), EBUSY, "dealloc of a PD in use");
		EXPECT_EQ(ibv_dereg_mr(mr), 0, "deregister");
	}
	EXPECT_EQ(ibv_dealloc_pd(pd), 0, "dealloc PD");
	drop_pair(&p);
}

static void test_lkey_stale(void)
{
	struct pair p;
	struct send s;

	make_pair(&p, NULL);
	init_send(&s, &p, 1, IBV_WR_RDMA_WRITE, 64);
	EXPECT_EQ(ibv_dereg_mr(p.a.mr), 0, "deregister");
	p.a.mr = NULL;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_VERR(&p.a, 1, IBV_WC_LOC_PROT_ERR, SMRC_VERR_LOCAL_KEY);
	drop_pair(&p);
}

/* --- keys, bounds and rights: the peer's memory --- */

static void bad_remote(uint64_t addr, uint32_t len, uint32_t rkey)
{
	static const enum ibv_wr_opcode ops[] = { IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM };
	struct pair p;
	struct send s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		make_pair(&p, NULL);
		EXPECT_EQ(post_recv(&p.b, 1, 0, 0), 0, "post receive");
		init_send(&s, &p, 2, ops[i], len);
		s.wr.wr.rdma.remote_addr += addr;
		s.wr.wr.rdma.rkey ^= rkey;
		EXPECT_EQ(post(&p, &s), 0, "post");
		EXPECT_VERR(&p.a, 2, IBV_WC_REM_ACCESS_ERR, SMRC_VERR_REMOTE_NAK);
		EXPECT_WC(&p.b, 1, IBV_WC_WR_FLUSH_ERR);
		EXPECT(wait_state(p.a.qp, IBV_QPS_ERR), "the sender's QP is not in error");
		EXPECT(wait_state(p.b.qp, IBV_QPS_ERR), "the receiver's QP is not in error");
		EXPECT(wait_async(dev_b, IBV_EVENT_QP_ACCESS_ERR, WAIT_MS), "no event QP_ACCESS_ERR");
		EXPECT(untouched(p.b.buf, BUF), "memory was written");
		drop_pair(&p);
	}
}

static void test_rkey_wrong(void)
{
	bad_remote(0, 64, 0x00a5a500);
	bad_remote(0, 64, 0x00000001);
	bad_remote(0, 100000, 0x00000001);
}

static void test_remote_bounds_start(void)
{
	bad_remote(-1ull, 64, 0);
	bad_remote(1ull << 63, 64, 0);
}

static void test_remote_bounds_end(void)
{
	bad_remote(BUF - 63, 64, 0);
	bad_remote(BUF, 1, 0);
	bad_remote(0 - (uint64_t)BUF, BUF, 0);
}

/*
 * A message that begins inside the region and ends outside: whether its first packets are placed is left open (each
 * packet is checked by itself), but never a byte outside.
 */
static void test_remote_bounds_long(void)
{
	struct pair p;
	struct send s;
	uint8_t *area;

	make_pair(&p, NULL);
	EXPECT_EQ(ibv_dereg_mr(p.b.mr), 0, "deregister");
	area = p.b.buf;
	p.b.mr = ibv_reg_mr(dev_b->pd, area + 1000, 50000, ALL_ACCESS);
	init_send(&s, &p, 1, IBV_WR_RDMA_WRITE, 50001);
	memset(p.a.buf, 1, BUF);
	s.wr.wr.rdma.remote_addr = (uintptr_t)area + 1000;
	s.wr.wr.rdma.rkey = p.b.mr->rkey;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_WC(&p.a, 1, IBV_WC_REM_ACCESS_ERR);
	EXPECT(untouched(area, 1000) && untouched(area + 51000, BUF - 51000), "bytes outside were written");
	drop_pair(&p);
}

static void remote_right_missing(unsigned int mr_access, unsigned int qp_access, bool either)
{
	struct opts o = { .mr_access = mr_access, .qp_access = qp_access };
	struct ibv_wc wc = {};
	struct pair p;

	make_pair(&p, &o);
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT(get_wc(&p.a, &wc, WAIT_MS), "no completion");
	/* IBTA 9.7.4.1.2: a QP that allows no WRITE at all may answer "invalid request" */
	EXPECT(wc.status == IBV_WC_REM_ACCESS_ERR || (either && wc.status == IBV_WC_REM_INV_REQ_ERR),
	       "status is %s", ibv_wc_status_str(wc.status));
	EXPECT(untouched(p.b.buf, BUF), "memory was written");
	drop_pair(&p);
}

static void test_remote_write_right(void)
{
	remote_right_missing(IBV_ACCESS_LOCAL_WRITE, 0, false);
	remote_right_missing(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ, 0, false);
	remote_right_missing(0, IBV_ACCESS_LOCAL_WRITE, true);
}

static void test_rkey_of_other_pd(void)
{
	struct ibv_pd *pd = ibv_alloc_pd(dev_b->ctx);
	struct ibv_mr *mr;
	struct pair p;
	struct send s;

	make_pair(&p, NULL);
	mr = ibv_reg_mr(pd, p.b.buf, BUF, ALL_ACCESS);
	init_send(&s, &p, 1, IBV_WR_RDMA_WRITE, 64);
	if (mr) {
		s.wr.wr.rdma.rkey = mr->rkey;
		EXPECT_EQ(post(&p, &s), 0, "post");
		EXPECT_WC(&p.a, 1, IBV_WC_REM_ACCESS_ERR);
		EXPECT(untouched(p.b.buf, BUF), "memory was written");
		EXPECT_EQ(ibv_dereg_mr(mr), 0, "deregister");
	}
	EXPECT_EQ(ibv_dealloc_pd(pd), 0, "dealloc PD");
	drop_pair(&p);
}

static void test_rkey_stale(void)
{
	struct pair p;
	struct send s;

	make_pair(&p, NULL);
	init_send(&s, &p, 1, IBV_WR_RDMA_WRITE, 64);
	EXPECT_EQ(ibv_dereg_mr(p.b.mr), 0, "deregister");
	p.b.mr = NULL;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_WC(&p.a, 1, IBV_WC_REM_ACCESS_ERR);
	EXPECT(untouched(p.b.buf, BUF), "memory was written");
	drop_pair(&p);
}

static void test_register_rights(void)
{
	static const int bad[] = { IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_ATOMIC };
	static uint8_t buf[4096];
	struct ibv_mr *mr;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		mr = ibv_reg_mr(dev_a->pd, buf, sizeof(buf), bad[i]);
		EXPECT(!mr && errno == EINVAL, "access %#x: %s", bad[i], mr ? "registered" : strerror(errno));
		if (mr)
			ibv_dereg_mr(mr);
	}
}

static void test_register_unmapped(void)
{
	uint8_t *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_mr *mr;

	munmap(p, 8192);
	mr = ibv_reg_mr(dev_a->pd, p, 8192, ALL_ACCESS);
	EXPECT(!mr && errno == EFAULT, "%s", mr ? "registered" : strerror(errno));
	if (mr)
		ibv_dereg_mr(mr);
}

static void test_register_read_only_memory(void)
{
	uint8_t *p = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct ibv_mr *mr;

	mr = ibv_reg_mr(dev_a->pd, p, 8192, ALL_ACCESS);
	EXPECT(!mr && errno == EFAULT, "%s", mr ? "registered for writing" : strerror(errno));
	if (mr)
		ibv_dereg_mr(mr);
	munmap(p, 8192);
}

/* --- receives --- */

static void bad_recv(struct ibv_sge sge, unsigned int mr_access, enum ibv_wc_status recv_status, int vendor_err)
{
	struct opts o = { .mr_access = mr_access };
	struct ibv_recv_wr wr = { .wr_id = 1, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct pair p;

	make_pair(&p, &o);
	sge.addr += (uintptr_t)p.b.buf;
	sge.lkey ^= p.b.mr->lkey;
	EXPECT_EQ(ibv_post_recv(p.b.qp, &wr, &bad), 0, "post receive");
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_SEND, 64), 0, "post");
	EXPECT_VERR(&p.b, 1, recv_status, vendor_err);
	EXPECT_WC(&p.a, 2, recv_status == IBV_WC_LOC_LEN_ERR ? IBV_WC_REM_INV_REQ_ERR : IBV_WC_REM_OP_ERR);
	EXPECT(wait_state(p.b.qp, IBV_QPS_ERR), "the receiver's QP is not in error");
	drop_pair(&p);
}

static void test_recv_lkey_wrong(void)
{
	bad_recv((struct ibv_sge){ .length = 64, .lkey = 0x00a5a500 }, 0, IBV_WC_LOC_PROT_ERR, SMRC_VERR_LOCAL_KEY);
}

static void test_recv_bounds(void)
{
	bad_recv((struct ibv_sge){ .addr = BUF - 63, .length = 64 }, 0, IBV_WC_LOC_PROT_ERR, SMRC_VERR_LOCAL_BOUNDS);
}

static void test_recv_local_write_right(void)
{
	bad_recv((struct ibv_sge){ .length = 64 }, IBV_ACCESS_REMOTE_READ, IBV_WC_LOC_PROT_ERR, SMRC_VERR_LOCAL_RIGHTS);
}

static void recv_too_small(uint32_t have, uint32_t len)
{
	struct pair p;

	make_pair(&p, NULL);
	memset(p.a.buf, 1, BUF);
	EXPECT_EQ(post_recv(&p.b, 1, 100, have), 0, "post receive");
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_SEND, len), 0, "post");
	EXPECT_VERR(&p.b, 1, IBV_WC_LOC_LEN_ERR, SMRC_VERR_RECV_TOO_SMALL);
	EXPECT_WC(&p.a, 2, IBV_WC_REM_INV_REQ_ERR);
	EXPECT(untouched(p.b.buf, 100) && untouched(p.b.buf + 100 + have, BUF - 100 - have),
	       "bytes outside the receive buffer were written");
	drop_pair(&p);
}

static void test_recv_too_small(void)
{
	recv_too_small(63, 64);
	recv_too_small(0, 1);
	recv_too_small(50000, 50001);
	recv_too_small(1, 200000);
}

/** access_tests - the tests of this file */
const struct test access_tests[] = {
	{ "lkey: wrong", test_lkey_wrong },
	{ "lkey: wrong in the second entry", test_lkey_wrong_in_second_sge },
	{ "lkey: of another protection domain", test_lkey_of_other_pd },
	{ "lkey: deregistered", test_lkey_stale },
	{ "local bounds", test_local_bounds },
	{ "rkey: wrong", test_rkey_wrong },
	{ "rkey: of another protection domain", test_rkey_of_other_pd },
	{ "rkey: deregistered", test_rkey_stale },
	{ "remote bounds: before the start", test_remote_bounds_start },
	{ "remote bounds: after the end", test_remote_bounds_end },
	{ "remote bounds: long message across the end", test_remote_bounds_long },
	{ "remote write right missing", test_remote_write_right },
	{ "register: remote right without local write", test_register_rights },
	{ "register: memory that is not there", test_register_unmapped },
	{ "register: read-only memory for writing", test_register_read_only_memory },
	{ "receive: wrong lkey", test_recv_lkey_wrong },
	{ "receive: out of bounds", test_recv_bounds },
	{ "receive: local write right missing", test_recv_local_write_right },
	{ "receive: buffer too small", test_recv_too_small },
	{}
};
