// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * cq_ex.c: extended completion queues: what is read of a completion, its time, and what is not offered.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "harness.h"

#define TIMES	(IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)

static struct ibv_cq_ex *ex_of(struct end *e)
{
	return (struct ibv_cq_ex *)e->cq;
}

static void make_ex(struct pair *p, uint64_t wc_flags)
{
	struct opts o = { .wc_flags = wc_flags };

	make_pair(p, &o);
}

/* The next completion: the poll is begun, and is for the caller to end */
static bool begin_poll(struct ibv_cq_ex *cq)
{
	uint64_t end = vt_now_ns() + WAIT_MS * 1000000ull;
	struct ibv_poll_cq_attr attr = {};
	int err;

	do
		err = ibv_start_poll(cq, &attr);
	while (err == ENOENT && vt_now_ns() < end);
	EXPECT_EQ(err, 0, "start_poll");
	return !err;
}

static uint64_t wallclock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static void test_cq_ex_fields(void)
{
	struct ibv_poll_cq_attr attr = {};
	struct ibv_cq_ex *cq;
	struct pair p;
	struct send s;

	make_ex(&p, IBV_WC_STANDARD_FLAGS);
	EXPECT_EQ(ibv_start_poll(ex_of(&p.a), &attr), ENOENT, "poll of an empty queue");
	EXPECT_EQ(post_recv(&p.b, 7, 0, 4096), 0, "post receive");
	init_send(&s, &p, 3, IBV_WR_SEND_WITH_IMM, 1234);
	s.wr.imm_data = htonl(0x1234567);
	EXPECT_EQ(post(&p, &s), 0, "post");
	cq = ex_of(&p.b);
	if (begin_poll(cq)) {
		EXPECT(cq->wr_id == 7 && cq->status == IBV_WC_SUCCESS, "wr_id, status");
		EXPECT_EQ(ibv_wc_read_opcode(cq), IBV_WC_RECV, "opcode");
		EXPECT_EQ(ibv_wc_read_byte_len(cq), 1234, "byte_len");
		EXPECT_EQ(ibv_wc_read_wc_flags(cq), IBV_WC_WITH_IMM, "wc_flags");
		EXPECT_EQ(ntohl(ibv_wc_read_imm_data(cq)), 0x1234567, "immediate");
		EXPECT_EQ(ibv_wc_read_qp_num(cq), p.b.qp->qp_num, "QP");
		EXPECT_EQ(ibv_wc_read_src_qp(cq), p.a.qp->qp_num, "source QP");
		EXPECT_EQ(ibv_wc_read_slid(cq) + ibv_wc_read_sl(cq) + ibv_wc_read_dlid_path_bits(cq), 0, "LIDs");
		EXPECT_EQ(ibv_next_poll(cq), ENOENT, "next_poll");
		ibv_end_poll(cq);
	}
	EXPECT_WC(&p.a, 3, IBV_WC_SUCCESS);
	drop_pair(&p);
}

/* Many times as many as the queue has entries, in runs, and the old way between them */
static void test_cq_ex_runs(void)
{
	struct ibv_cq_ex *cq;
	struct pair p;
	uint64_t n = 0;
	int i, k;

	make_ex(&p, IBV_WC_STANDARD_FLAGS);
	cq = ex_of(&p.a);
	for (k = 0; k < 100; k++) {
		for (i = 0; i < 10; i++)
			EXPECT_EQ(simple_send(&p, 10 * k + i, IBV_WR_RDMA_WRITE, 8), 0, "post");
		while (n < 10u * k + 9 && begin_poll(cq)) {
			do {
				EXPECT(cq->wr_id == n, "completion %llu, not %llu", (long long)cq->wr_id,
				       (long long)n);
				n++;
			} while (n < 10u * k + 9 && !ibv_next_poll(cq));
			ibv_end_poll(cq);
		}
		EXPECT_WC(&p.a, n++, IBV_WC_SUCCESS);
	}
	EXPECT_NOTHING(&p.a);
	drop_pair(&p);
}

static void test_cq_ex_times(void)
{
	uint64_t before, last = 0, t;
	struct ibv_cq_ex *cq;
	struct pair p;
	int i;

	make_ex(&p, IBV_WC_STANDARD_FLAGS | TIMES);
	cq = ex_of(&p.a);
	before = wallclock_ns();
	for (i = 0; i < 20; i++) {
		EXPECT_EQ(simple_send(&p, i, IBV_WR_RDMA_WRITE, 4096), 0, "post");
		if (!begin_poll(cq))
			break;
		t = ibv_wc_read_completion_wallclock_ns(cq);
		EXPECT(t >= before && t >= last && t <= wallclock_ns(), "%d completed at %llu ns, posted at %llu", i,
		       (long long)t, (long long)before);
		EXPECT(ibv_wc_read_completion_ts(cq) == t, "two times of one completion");
		ibv_end_poll(cq);
		last = t;
	}
	drop_pair(&p);
}

static void test_cq_ex_error(void)
{
	struct ibv_cq_ex *cq;
	struct pair p;
	struct send s;

	make_ex(&p, IBV_WC_STANDARD_FLAGS | TIMES);
	init_send(&s, &p, 5, IBV_WR_RDMA_WRITE, 64);
	s.wr.wr.rdma.rkey ^= 1;
	EXPECT_EQ(post(&p, &s), 0, "post");
	cq = ex_of(&p.a);
	if (begin_poll(cq)) {
		EXPECT(cq->wr_id == 5 && cq->status == IBV_WC_REM_ACCESS_ERR, "status is %s",
		       ibv_wc_status_str(cq->status));
		EXPECT_EQ(ibv_wc_read_vendor_err(cq), SMRC_VERR_REMOTE_NAK, "vendor_err");
		ibv_end_poll(cq);
	}
	drop_pair(&p);
}

static void test_cq_ex_not_offered(void)
{
	static const uint64_t wrong[] = {
		IBV_WC_EX_WITH_CVLAN, IBV_WC_EX_WITH_FLOW_TAG, IBV_WC_EX_WITH_TM_INFO,
	};
	struct ibv_cq_init_attr_ex attr = { .cqe = 16 };
	struct ibv_poll_cq_attr poll = { .comp_mask = 1 };
	struct pair p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		attr.wc_flags = wrong[i];
		EXPECT(!ibv_create_cq_ex(dev_a->ctx, &attr), "field 0x%llx is offered", (long long)wrong[i]);
		EXPECT_EQ(errno, EOPNOTSUPP, "errno");
	}
	attr.wc_flags = 0;
	attr.comp_mask = IBV_CQ_INIT_ATTR_MASK_FLAGS;
	attr.flags = IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN;
	EXPECT(!ibv_create_cq_ex(dev_a->ctx, &attr), "a queue that may overrun is offered");
	EXPECT_EQ(errno, EOPNOTSUPP, "errno");
	make_ex(&p, IBV_WC_STANDARD_FLAGS);
	EXPECT_EQ(ibv_start_poll(ex_of(&p.a), &poll), EINVAL, "a poll with an unknown attribute");
	drop_pair(&p);
}

/** cq_ex_tests - the tests of this file */
const struct test cq_ex_tests[] = {
	{ "extended CQ: every field", test_cq_ex_fields, true },
	{ "extended CQ: runs of completions", test_cq_ex_runs, true },
	{ "extended CQ: times", test_cq_ex_times, true },
	{ "extended CQ: an error", test_cq_ex_error, true },
	{ "extended CQ: what is not offered", test_cq_ex_not_offered, true },
	{}
};
