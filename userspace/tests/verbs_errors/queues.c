// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * queues.c: lengths, counts, signalling and completion queues.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

/* --- lengths and counts --- */

static void test_zero_length(void)
{
	struct ibv_wc wc = {};
	struct pair p;
	struct send s;

	make_pair(&p, NULL);
	EXPECT_EQ(post_recv(&p.b, 1, 0, 64), 0, "post receive");
	EXPECT_EQ(post_recv(&p.b, 2, 0, 0), 0, "post receive");
	EXPECT_EQ(post_recv(&p.b, 3, 0, 0), 0, "post receive");
	EXPECT_EQ(simple_send(&p, 11, IBV_WR_SEND, 0), 0, "post");
	EXPECT_EQ(simple_send(&p, 12, IBV_WR_SEND_WITH_IMM, 0), 0, "post");
	/* IBTA 9.7.4.1.3 and C9-88: no bytes, no access, so keys do not count */
	init_send(&s, &p, 13, IBV_WR_RDMA_WRITE_WITH_IMM, 0);
	s.wr.wr.rdma.rkey ^= 0x00a5a500;
	s.wr.wr.rdma.remote_addr = 0;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_EQ(simple_send(&p, 14, IBV_WR_RDMA_WRITE, 0), 0, "post");
	init_send(&s, &p, 15, IBV_WR_RDMA_WRITE, 0);
	s.wr.send_flags |= IBV_SEND_INLINE;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_WC(&p.a, 11, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 12, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 13, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 14, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 15, IBV_WC_SUCCESS);
	EXPECT(get_wc(&p.b, &wc, WAIT_MS) && !wc.status && wc.wr_id == 1 && !wc.byte_len &&
	       !(wc.wc_flags & IBV_WC_WITH_IMM),
	       "send: %s, %u bytes", ibv_wc_status_str(wc.status), wc.byte_len);
	EXPECT(get_wc(&p.b, &wc, WAIT_MS) && !wc.status && wc.wr_id == 2 && !wc.byte_len && wc.imm_data == 0x01020304,
	       "send with immediate: %s, %u bytes", ibv_wc_status_str(wc.status), wc.byte_len);
	EXPECT(get_wc(&p.b, &wc, WAIT_MS) && !wc.status && wc.wr_id == 3 && !wc.byte_len && wc.imm_data == 0x01020304 &&
	       wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM,
	       "write with immediate: %s, %u bytes", ibv_wc_status_str(wc.status), wc.byte_len);
	use_pair(&p);
	drop_pair(&p);
}

static void test_too_many_sges(void)
{
	struct ibv_sge sge[64] = {};
	struct ibv_recv_wr rwr = { .wr_id = 7, .sg_list = sge }, *rbad = NULL;
	struct ibv_send_wr *bad = NULL;
	struct send s[3];
	struct pair p;
	int i;

	make_pair(&p, NULL);
	EXPECT(p.a.cap.max_send_sge < 64 && p.a.cap.max_recv_sge < 64, "more entries than the test has");
	for (i = 0; i < 3; i++) {
		init_send(&s[i], &p, i, IBV_WR_RDMA_WRITE, 64);
		if (i)
			s[i - 1].wr.next = &s[i].wr;
	}
	s[1].wr.sg_list = sge;
	s[1].wr.num_sge = p.a.cap.max_send_sge + 1;
	EXPECT_EQ(ibv_post_send(p.a.qp, &s[0].wr, &bad), EINVAL, "post");
	EXPECT(bad == &s[1].wr, "bad_wr does not name the bad request");
	EXPECT_WC(&p.a, 0, IBV_WC_SUCCESS);
	s[1].wr.num_sge = -1;
	EXPECT_EQ(ibv_post_send(p.a.qp, &s[1].wr, &bad), EINVAL, "post with -1 entries");
	rwr.num_sge = p.a.cap.max_recv_sge + 1;
	EXPECT_EQ(ibv_post_recv(p.b.qp, &rwr, &rbad), EINVAL, "post receive");
	EXPECT(rbad == &rwr, "bad_wr does not name the bad request");
	EXPECT_NOTHING(&p.a);
	use_pair(&p);
	drop_pair(&p);
}

static void test_inline_length(void)
{
	struct ibv_send_wr *bad = NULL;
	uint32_t max, i;
	struct pair p;
	struct send s;

	make_pair(&p, NULL);
	max = p.a.cap.max_inline_data;
	EXPECT(max >= 64, "64 bytes wanted, %u are granted", max);
	for (i = 0; i < max + 1; i++)
		p.a.buf[i] = i;
	init_send(&s, &p, 1, IBV_WR_RDMA_WRITE, max + 1);
	s.wr.send_flags |= IBV_SEND_INLINE;
	EXPECT_EQ(ibv_post_send(p.a.qp, &s.wr, &bad), EINVAL, "post");
	EXPECT(bad == &s.wr, "bad_wr does not name the bad request");
	/* Inline data needs no key */
	s.sge[0] = (struct ibv_sge){ .addr = (uintptr_t)p.a.buf, .length = max };
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_WC(&p.a, 1, IBV_WC_SUCCESS);
	EXPECT(!memcmp(p.a.buf, p.b.buf, max) && untouched(p.b.buf + max, BUF - max), "wrong data");
	drop_pair(&p);
}

static void test_message_too_long(void)
{
	struct opts o = { .sges = dev_attr.max_sge };
	uint32_t part = (1ull << 31) / dev_attr.max_sge + 4096;
	struct ibv_sge *sge = calloc(dev_attr.max_sge, sizeof(*sge));
	struct ibv_wc wc = {};
	struct ibv_mr *mr;
	struct pair p;
	struct send s;
	void *big;
	int i;

	/* The same memory in every entry: no need to have 2 GiB */
	big = mmap(NULL, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mr = ibv_reg_mr(dev_a->pd, big, part, 0);
	EXPECT(mr, "register %u bytes: %s", part, strerror(errno));
	make_pair(&p, &o);
	EXPECT_EQ(post_recv(&p.b, 1, 0, 64), 0, "post receive");
	init_send(&s, &p, 2, IBV_WR_SEND, 64);
	for (i = 0; mr && i < dev_attr.max_sge; i++)
		sge[i] = (struct ibv_sge){ .addr = (uintptr_t)big, .length = part, .lkey = mr->lkey };
	s.wr.sg_list = sge;
	s.wr.num_sge = i;
	if (post(&p, &s) != EINVAL) {
		EXPECT(get_wc(&p.a, &wc, WAIT_MS), "no completion");
		EXPECT(wc.status == IBV_WC_LOC_LEN_ERR || wc.status == IBV_WC_LOC_QP_OP_ERR, "status is %s",
		       ibv_wc_status_str(wc.status));
	}
	EXPECT(untouched(p.b.buf, BUF), "memory was written");
	drop_pair(&p);
	if (mr)
		EXPECT_EQ(ibv_dereg_mr(mr), 0, "deregister");
	munmap(big, part);
	free(sge);
}

static void test_send_queue_full(void)
{
	struct opts o = { .depth = 20, .dead_peer = true, .cqe = 1024, .tune = { .mtu = IBV_MTU_1024 } };
	struct ibv_send_wr *bad = NULL;
	struct send s[2];
	uint64_t i;
	struct pair p;
	int err = 0;

	make_pair(&p, &o);
	for (i = 0; i < 1000 && !err; i++) {
		init_send(&s[0], &p, i, IBV_WR_RDMA_WRITE, 64);
		err = ibv_post_send(p.a.qp, &s[0].wr, &bad);
	}
	EXPECT_EQ(err, ENOMEM, "post to a full queue");
	EXPECT(bad == &s[0].wr, "bad_wr does not name the request that found no room");
	EXPECT(i > o.depth && i > p.a.cap.max_send_wr && i < 1000, "%llu were posted of %u", (long long)i - 1,
	       p.a.cap.max_send_wr);
	EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_ERR), 0, "to ERR");
	for (err = 0; err < (int)i - 1; err++)
		EXPECT_WC(&p.a, err, IBV_WC_WR_FLUSH_ERR);
	EXPECT_NOTHING(&p.a);
	drop_pair(&p);
}

static void test_recv_queue_full(void)
{
	struct opts o = { .depth = 20 };
	struct pair p;
	int err = 0, i;

	make_pair(&p, &o);
	for (i = 0; i < 1000 && !err; i++)
		err = post_recv(&p.b, i, 0, 64);
	EXPECT_EQ(err, ENOMEM, "post to a full queue");
	EXPECT(i > (int)p.b.cap.max_recv_wr && i < 1000, "%d were posted of %u", i - 1, p.b.cap.max_recv_wr);
	drop_pair(&p);
}

static void test_create_limits(void)
{
	struct ibv_qp_init_attr attr = { .qp_type = IBV_QPT_RC };
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	size_t i;
	struct ibv_qp_cap bad[] = {
		{ .max_send_wr = dev_attr.max_qp_wr + 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
		{ .max_send_wr = 1, .max_recv_wr = dev_attr.max_qp_wr + 1, .max_send_sge = 1, .max_recv_sge = 1 },
		{ .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = dev_attr.max_sge + 1, .max_recv_sge = 1 },
		{ .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = dev_attr.max_sge + 1 },
		{ .max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_inline_data = 1 << 20 },
		{ .max_send_wr = UINT32_MAX, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 },
	};

	cq = ibv_create_cq(dev_a->ctx, dev_attr.max_cqe + 1, NULL, NULL, 0);
	EXPECT(!cq && errno == EINVAL, "CQ of max_cqe + 1: %s", cq ? "made" : strerror(errno));
	if (cq)
		ibv_destroy_cq(cq);
	cq = ibv_create_cq(dev_a->ctx, 16, NULL, NULL, 0);
	EXPECT(cq, "create CQ: %s", strerror(errno));
	attr.send_cq = cq;
	attr.recv_cq = cq;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		attr.cap = bad[i];
		qp = ibv_create_qp(dev_a->pd, &attr);
		EXPECT(!qp && errno == EINVAL, "limits %zu: %s", i, qp ? "made" : strerror(errno));
		if (qp)
			ibv_destroy_qp(qp);
	}
	if (cq)
		EXPECT_EQ(ibv_destroy_cq(cq), 0, "destroy CQ");
}

/* --- signalling --- */

static void test_unsignalled(void)
{
	struct pair p;
	struct send s;
	int i;

	make_pair(&p, NULL);
	for (i = 0; i < 10; i++) {
		init_send(&s, &p, i, IBV_WR_RDMA_WRITE, 64);
		if (i % 5 != 4)
			s.wr.send_flags = 0;
		EXPECT_EQ(post(&p, &s), 0, "post");
	}
	EXPECT_WC(&p.a, 4, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 9, IBV_WC_SUCCESS);
	EXPECT_NOTHING(&p.a);
	drop_pair(&p);
}

static void test_all_signalled(void)
{
	struct opts o = { .sig_all = true };
	struct pair p;
	struct send s;
	int i;

	make_pair(&p, &o);
	for (i = 0; i < 4; i++) {
		init_send(&s, &p, i, IBV_WR_RDMA_WRITE, 64);
		s.wr.send_flags = 0;
		EXPECT_EQ(post(&p, &s), 0, "post");
	}
	for (i = 0; i < 4; i++)
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
	drop_pair(&p);
}

static void test_fence(void)
{
	struct pair p;
	struct send s;
	int i;

	make_pair(&p, NULL);
	for (i = 0; i < 6; i++) {
		EXPECT_EQ(post_recv(&p.b, 100 + i, 0, 5000), 0, "post receive");
		init_send(&s, &p, i, i & 1 ? IBV_WR_SEND : IBV_WR_RDMA_WRITE_WITH_IMM, 5000);
		s.wr.send_flags |= IBV_SEND_FENCE;
		EXPECT_EQ(post(&p, &s), 0, "post");
	}
	for (i = 0; i < 6; i++) {
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
		EXPECT_WC(&p.b, 100 + i, IBV_WC_SUCCESS);
	}
	drop_pair(&p);
}

static bool get_event(struct end *e, unsigned int ms)
{
	struct pollfd pfd = { .fd = e->channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;

	if (poll(&pfd, 1, ms) != 1)
		return false;
	if (ibv_get_cq_event(e->channel, &cq, &context))
		return false;
	ibv_ack_cq_events(cq, 1);
	return cq == e->cq;
}

static void test_solicited(void)
{
	struct pair p;
	struct send s;
	int i;

	make_pair(&p, NULL);
	for (i = 0; i < 4; i++)
		EXPECT_EQ(post_recv(&p.b, i, 0, 64), 0, "post receive");
	EXPECT_EQ(ibv_req_notify_cq(p.b.cq, 1), 0, "arm");
	EXPECT_EQ(simple_send(&p, 10, IBV_WR_SEND, 64), 0, "post");
	EXPECT_WC(&p.b, 0, IBV_WC_SUCCESS);
	EXPECT(!get_event(&p.b, QUIET_MS), "an event for a message that did not ask for one");
	init_send(&s, &p, 11, IBV_WR_SEND, 64);
	s.wr.send_flags |= IBV_SEND_SOLICITED;
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT(get_event(&p.b, WAIT_MS), "no event for a solicited message");
	EXPECT_WC(&p.b, 1, IBV_WC_SUCCESS);
	/* One event for one arming */
	EXPECT_EQ(post(&p, &s), 0, "post");
	EXPECT_WC(&p.b, 2, IBV_WC_SUCCESS);
	EXPECT(!get_event(&p.b, QUIET_MS), "a second event");
	/* A completion with error is always an event */
	EXPECT_EQ(ibv_req_notify_cq(p.b.cq, 1), 0, "arm");
	EXPECT_EQ(vt_to_state(p.b.qp, IBV_QPS_ERR), 0, "to ERR");
	EXPECT(get_event(&p.b, WAIT_MS), "no event for an error");
	EXPECT_WC(&p.b, 3, IBV_WC_WR_FLUSH_ERR);
	drop_pair(&p);
}

/* --- completion queues --- */

static void test_cq_in_use(void)
{
	struct pair p;

	make_pair(&p, NULL);
	EXPECT_EQ(ibv_destroy_cq(p.a.cq), EBUSY, "destroy of a CQ in use");
	use_pair(&p);
	drop_pair(&p);
}

static void test_cq_resize_limits(void)
{
	struct pair p;
	int i;

	make_pair(&p, NULL);
	for (i = 0; i < 20; i++)
		EXPECT_EQ(simple_send(&p, i, IBV_WR_RDMA_WRITE, 64), 0, "post");
	/* the QP's ring is smaller than the CQ, so all are there when the last is */
	usleep(QUIET_MS * 1000);
	EXPECT_EQ(ibv_resize_cq(p.a.cq, dev_attr.max_cqe + 1), EINVAL, "resize to more than max_cqe");
	EXPECT_EQ(ibv_resize_cq(p.a.cq, 0), EINVAL, "resize to 0");
	EXPECT_EQ(ibv_resize_cq(p.a.cq, 4), EINVAL, "resize to fewer than are waiting");
	EXPECT_EQ(ibv_resize_cq(p.a.cq, 500), 0, "resize");
	EXPECT(p.a.cq->cqe >= 500, "%d entries", p.a.cq->cqe);
	for (i = 0; i < 20; i++)
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
	EXPECT_EQ(ibv_resize_cq(p.a.cq, 40), 0, "resize");
	use_pair(&p);
	drop_pair(&p);
}

struct resizer {
	struct ibv_cq	*cq;
	bool		stop;
	int		err;
	int		count;
};

static void *resize_loop(void *arg)
{
	static const int sizes[] = { 100, 1000, 70, 333, 64, 4000 };
	struct resizer *r = arg;

	while (!__atomic_load_n(&r->stop, __ATOMIC_RELAXED) && !r->err) {
		r->err = ibv_resize_cq(r->cq, sizes[r->count++ % ARRAY_SIZE(sizes)]);
		/* Locks of providers need not be fair: leave a gap for those who poll */
		usleep(300);
	}
	return NULL;
}

static void test_cq_resize_under_traffic(void)
{
	struct resizer r = {};
	pthread_t thread;
	uint64_t i, j;
	struct pair p;

	make_pair(&p, NULL);
	r.cq = p.b.cq;
	EXPECT_EQ(pthread_create(&thread, NULL, resize_loop, &r), 0, "thread");
	for (i = 0; i < (uint64_t)rounds(300) && !failure[0]; i++) {
		for (j = 0; j < 16; j++)
			EXPECT_EQ(post_recv(&p.b, i * 16 + j, 0, 3000), 0, "post receive");
		for (j = 0; j < 16; j++)
			EXPECT_EQ(simple_send(&p, i * 16 + j, IBV_WR_SEND, 3000), 0, "post");
		for (j = 0; j < 16; j++) {
			EXPECT_WC(&p.b, i * 16 + j, IBV_WC_SUCCESS);
			EXPECT_WC(&p.a, i * 16 + j, IBV_WC_SUCCESS);
		}
	}
	__atomic_store_n(&r.stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(r.err, 0, "resize");
	EXPECT(r.count > 3, "only %d resizes", r.count);
	drop_pair(&p);
}

static void test_cq_overflow(void)
{
	struct opts o = { .cqe = 8, .depth = 512 };
	struct pair p;
	int i, n;

	make_pair(&p, &o);
	n = p.a.cq->cqe + 20;
	for (i = 0; i < n; i++)
		EXPECT_EQ(simple_send(&p, i, IBV_WR_RDMA_WRITE, 0), 0, "post");
	EXPECT(wait_async(dev_a, IBV_EVENT_CQ_ERR, WAIT_MS), "no event CQ_ERR");
	EXPECT(wait_async(dev_a, IBV_EVENT_QP_FATAL, WAIT_MS), "no event QP_FATAL");
	EXPECT(wait_state(p.a.qp, IBV_QPS_ERR), "the QP is not in error");
	/* Those that came before the overflow are whole */
	for (i = 0; i < 8; i++)
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
	drop_pair(&p);
}

/** queue_tests - the tests of this file */
const struct test queue_tests[] = {
	{ "zero-length messages", test_zero_length },
	{ "too many entries", test_too_many_sges },
	{ "inline data too long", test_inline_length },
	{ "message longer than 2 GiB", test_message_too_long },
	{ "send queue full", test_send_queue_full },
	{ "receive queue full", test_recv_queue_full },
	{ "create: beyond the device's limits", test_create_limits },
	{ "unsignalled sends", test_unsignalled },
	{ "all sends signalled", test_all_signalled },
	{ "fence", test_fence },
	{ "solicited events", test_solicited },
	{ "CQ: destroy while in use", test_cq_in_use },
	{ "CQ: resize limits", test_cq_resize_limits },
	{ "CQ: resize under traffic", test_cq_resize_under_traffic },
	{ "CQ: overflow", test_cq_overflow },
	{}
};
