// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * wr.c: the send API of function calls, ibv_wr_start() to ibv_wr_complete(): what it posts, and what it does not.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "harness.h"

#define ALL_OPS	(IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | IBV_QP_EX_WITH_SEND | \
		 IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | \
		 IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)
#define LEN	5000

static struct ibv_qp_ex *make_ex(struct pair *p)
{
	struct opts o = { .send_ops = ALL_OPS };

	make_pair(p, &o);
	return ibv_qp_to_qp_ex(p->a.qp);
}

/* The buffers of both ends, from another place on for each operation */
static uint64_t at(const struct end *e, int i)
{
	return (uintptr_t)e->buf + 8192 * i;
}

static void begin(struct ibv_qp_ex *qp, uint64_t wr_id)
{
	qp->wr_id = wr_id;
	qp->wr_flags = IBV_SEND_SIGNALED;
}

static void test_wr_all(void)
{
	struct pair p;
	struct ibv_qp_ex *qp = make_ex(&p);
	struct ibv_wc wc = {};
	uint64_t v = 40;
	int i;

	for (i = 0; i < 4; i++)
		memset(p.a.buf + 8192 * i, 10 + i, LEN);
	memset(p.b.buf + 8192 * 4, 14, LEN);
	memcpy(p.b.buf + 8192 * 5, &v, 8);
	EXPECT_EQ(post_recv(&p.b, 20, 8192 * 2, LEN), 0, "post receive");
	EXPECT_EQ(post_recv(&p.b, 21, 8192 * 3, LEN), 0, "post receive");
	EXPECT_EQ(post_recv(&p.b, 22, 0, 0), 0, "post receive");

	ibv_wr_start(qp);
	begin(qp, 0);
	ibv_wr_rdma_write(qp, p.b.mr->rkey, at(&p.b, 0));
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 0), LEN);
	begin(qp, 1);
	ibv_wr_send(qp);
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 2), LEN);
	begin(qp, 2);
	ibv_wr_send_imm(qp, htonl(0x31));
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 3), LEN);
	begin(qp, 3);
	ibv_wr_rdma_write_imm(qp, p.b.mr->rkey, at(&p.b, 1), htonl(0x11));
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 1), LEN);
	begin(qp, 4);
	ibv_wr_rdma_read(qp, p.b.mr->rkey, at(&p.b, 4));
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 4), LEN);
	begin(qp, 5);
	ibv_wr_atomic_fetch_add(qp, p.b.mr->rkey, at(&p.b, 5), 2);
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 5), 8);
	begin(qp, 6);
	ibv_wr_atomic_cmp_swp(qp, p.b.mr->rkey, at(&p.b, 5), 42, 7);
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 6), 8);
	EXPECT_EQ(ibv_wr_complete(qp), 0, "complete");

	for (i = 0; i < 7; i++)
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
	EXPECT_WC(&p.b, 20, IBV_WC_SUCCESS);
	EXPECT(get_wc(&p.b, &wc, WAIT_MS) && wc.wr_id == 21 && ntohl(wc.imm_data) == 0x31, "SEND with immediate");
	EXPECT(get_wc(&p.b, &wc, WAIT_MS) && wc.wr_id == 22 && ntohl(wc.imm_data) == 0x11, "WRITE with immediate");
	EXPECT(!memcmp(p.b.buf, p.a.buf, 4 * 8192), "the data of a WRITE or SEND");
	EXPECT(!memcmp(p.a.buf + 8192 * 4, p.b.buf + 8192 * 4, LEN), "the data of the READ");
	memcpy(&v, p.a.buf + 8192 * 6, 8);
	EXPECT_EQ(v, 42, "what the swap found");
	memcpy(&v, p.b.buf + 8192 * 5, 8);
	EXPECT_EQ(v, 7, "what the swap left");
	drop_pair(&p);
}

static void test_wr_lists(void)
{
	struct pair p;
	struct ibv_qp_ex *qp = make_ex(&p);
	struct ibv_sge sge[2] = {
		{ .addr = at(&p.a, 0), .length = 3, .lkey = p.a.mr->lkey },
		{ .addr = at(&p.a, 1), .length = LEN, .lkey = p.a.mr->lkey },
	};
	struct ibv_data_buf buf[3] = { { "abc", 3 }, { NULL, 0 }, { "defgh", 5 } };

	memset(p.a.buf, 1, 3);
	memset(p.a.buf + 8192, 2, LEN);
	ibv_wr_start(qp);
	begin(qp, 1);
	ibv_wr_rdma_write(qp, p.b.mr->rkey, at(&p.b, 0));
	ibv_wr_set_sge_list(qp, 2, sge);
	begin(qp, 2);
	ibv_wr_rdma_write(qp, p.b.mr->rkey, at(&p.b, 2));
	ibv_wr_set_inline_data_list(qp, 3, buf);
	begin(qp, 3);
	ibv_wr_rdma_write(qp, p.b.mr->rkey, at(&p.b, 3));
	ibv_wr_set_inline_data(qp, "xy", 2);
	begin(qp, 4);
	ibv_wr_rdma_write(qp, p.b.mr->rkey, at(&p.b, 4));
	ibv_wr_set_sge_list(qp, 0, NULL);
	EXPECT_EQ(ibv_wr_complete(qp), 0, "complete");
	EXPECT_WC(&p.a, 1, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 2, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 3, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 4, IBV_WC_SUCCESS);
	EXPECT(!memcmp(p.b.buf, p.a.buf, 3) && !memcmp(p.b.buf + 3, p.a.buf + 8192, LEN), "pieces");
	EXPECT(!memcmp(p.b.buf + 8192 * 2, "abcdefgh", 8), "inline pieces");
	EXPECT(!memcmp(p.b.buf + 8192 * 3, "xy", 2) && untouched(p.b.buf + 8192 * 3 + 2, 100), "inline data");
	EXPECT(untouched(p.b.buf + 8192 * 4, 100), "a WRITE of nothing");
	drop_pair(&p);
}

/* A batch that is given up, and one that is empty: nothing is posted */
static void test_wr_abort(void)
{
	struct pair p;
	struct ibv_qp_ex *qp = make_ex(&p);

	ibv_wr_start(qp);
	begin(qp, 1);
	ibv_wr_rdma_write(qp, p.b.mr->rkey, at(&p.b, 0));
	ibv_wr_set_sge(qp, p.a.mr->lkey, at(&p.a, 0), LEN);
	ibv_wr_abort(qp);
	ibv_wr_start(qp);
	EXPECT_EQ(ibv_wr_complete(qp), 0, "complete of nothing");
	EXPECT_NOTHING(&p.a);
	use_pair(&p);
	drop_pair(&p);
}

static void write_one(struct ibv_qp_ex *qp, const struct pair *p, uint64_t wr_id)
{
	begin(qp, wr_id);
	ibv_wr_rdma_write(qp, p->b.mr->rkey, at(&p->b, 0));
	ibv_wr_set_inline_data(qp, "x", 1);
}

/* Something is wrong with one of a batch: complete says so, none of them is posted, and the queue goes on */
static void test_wr_wrong(void)
{
	struct pair p;
	struct ibv_qp_ex *qp = make_ex(&p);
	struct ibv_sge sge[40] = {};
	static char big[4096];

	ibv_wr_start(qp);
	write_one(qp, &p, 1);
	ibv_wr_send(qp);
	ibv_wr_set_sge_list(qp, p.a.cap.max_send_sge + 1, sge);
	write_one(qp, &p, 2);
	EXPECT_EQ(ibv_wr_complete(qp), EINVAL, "too many pieces");

	ibv_wr_start(qp);
	write_one(qp, &p, 1);
	ibv_wr_send(qp);
	ibv_wr_set_inline_data(qp, big, p.a.cap.max_inline_data + 1);
	EXPECT_EQ(ibv_wr_complete(qp), EINVAL, "too much inline");
	EXPECT_NOTHING(&p.a);
	EXPECT(untouched(p.b.buf, 8), "something was written");
	use_pair(&p);
	drop_pair(&p);
}

/* More than the queue holds: none of them is posted */
static void test_wr_full(void)
{
	struct pair p;
	struct ibv_qp_ex *qp = make_ex(&p);
	uint32_t i;

	ibv_wr_start(qp);
	for (i = 0; i < 2 * p.a.cap.max_send_wr + 64; i++)
		write_one(qp, &p, i);
	EXPECT_EQ(ibv_wr_complete(qp), ENOMEM, "complete");
	EXPECT_NOTHING(&p.a);
	ibv_wr_start(qp);
	for (i = 0; i < p.a.cap.max_send_wr; i++)
		write_one(qp, &p, i);
	EXPECT_EQ(ibv_wr_complete(qp), 0, "complete");
	for (i = 0; i < p.a.cap.max_send_wr; i++)
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
	drop_pair(&p);
}

/* Before RTS nothing can be sent */
static void test_wr_state(void)
{
	struct opts o = { .send_ops = ALL_OPS, .unconnected = true };
	struct ibv_qp_ex *qp;
	struct pair p;

	make_pair(&p, &o);
	qp = ibv_qp_to_qp_ex(p.a.qp);
	ibv_wr_start(qp);
	write_one(qp, &p, 1);
	EXPECT_EQ(ibv_wr_complete(qp), EINVAL, "complete");
	drop_pair(&p);
}

/* What is not offered is refused when the QP is made; one that did not ask has no such calls */
static void test_wr_not_offered(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_RC, .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.pd = dev_a->pd, .cap = { .max_send_wr = 4, .max_send_sge = 1 },
	};
	struct pair p;
	uint64_t op;

	make_pair(&p, NULL);
	EXPECT(!ibv_qp_to_qp_ex(p.a.qp), "calls that nobody asked for");
	attr.send_cq = p.a.cq;
	attr.recv_cq = p.a.cq;
	for (op = 1ull << 7; op < 1ull << 14; op <<= 1) {
		attr.send_ops_flags = op;
		errno = 0;
		EXPECT(!ibv_create_qp_ex(dev_a->ctx, &attr), "operation 0x%llx is offered", (long long)op);
		EXPECT_EQ(errno, EOPNOTSUPP, "errno");
	}
	attr.send_ops_flags = 1ull << 63;
	EXPECT(!ibv_create_qp_ex(dev_a->ctx, &attr), "an operation that does not exist is offered");
	attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_MAX_TSO_HEADER;
	EXPECT(!ibv_create_qp_ex(dev_a->ctx, &attr), "segmentation is offered");
	EXPECT_EQ(errno, EOPNOTSUPP, "errno");
	drop_pair(&p);
}

/** wr_tests - the tests of this file */
const struct test wr_tests[] = {
	{ "ibv_wr: every operation", test_wr_all },
	{ "ibv_wr: lists of pieces, inline data", test_wr_lists },
	{ "ibv_wr: given up", test_wr_abort },
	{ "ibv_wr: a mistake in a batch", test_wr_wrong },
	{ "ibv_wr: a full queue", test_wr_full },
	{ "ibv_wr: before it may send", test_wr_state },
	{ "ibv_wr: what is not offered", test_wr_not_offered, true },
	{}
};
