// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * state.c: states of a QP, what it does when the other end does not answer, opcodes.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* --- states --- */

/* All transitions that IBTA 10.3.1 does not have, tried with every attribute that RTR and RTS know */
static void test_bad_transitions(void)
{
	static const struct {
		enum ibv_qp_state from, to;
	} bad[] = {
		{ IBV_QPS_RESET, IBV_QPS_RTR }, { IBV_QPS_RESET, IBV_QPS_RTS }, { IBV_QPS_RESET, IBV_QPS_SQD },
		{ IBV_QPS_INIT, IBV_QPS_RTS }, { IBV_QPS_INIT, IBV_QPS_SQD }, { IBV_QPS_RTR, IBV_QPS_INIT },
		{ IBV_QPS_RTR, IBV_QPS_SQD }, { IBV_QPS_RTS, IBV_QPS_INIT }, { IBV_QPS_RTS, IBV_QPS_RTR },
		{ IBV_QPS_ERR, IBV_QPS_INIT }, { IBV_QPS_ERR, IBV_QPS_RTR }, { IBV_QPS_ERR, IBV_QPS_RTS },
	};
	struct opts o = { .unconnected = true };
	struct vt_tune tune = tune_of(&o);
	struct vt_addr remote = { .gid = dev_b->gid, .qpn = 0x123, .psn = 1 };
	struct pair p;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		make_pair(&p, &o);
		if (bad[i].from != IBV_QPS_RESET)
			EXPECT_EQ(vt_to_init(p.a.qp, ALL_ACCESS), 0, "to INIT");
		if (bad[i].from == IBV_QPS_RTR || bad[i].from == IBV_QPS_RTS)
			EXPECT_EQ(vt_to_rtr(p.a.qp, dev_a, &remote, &tune), 0, "to RTR");
		if (bad[i].from == IBV_QPS_RTS)
			EXPECT_EQ(vt_to_rts(p.a.qp, 1, &tune), 0, "to RTS");
		if (bad[i].from == IBV_QPS_ERR)
			EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_ERR), 0, "to ERR");
		err = bad[i].to == IBV_QPS_RTR ? vt_to_rtr(p.a.qp, dev_a, &remote, &tune) :
		      bad[i].to == IBV_QPS_RTS ? vt_to_rts(p.a.qp, 1, &tune) :
		      bad[i].to == IBV_QPS_INIT ? vt_to_init(p.a.qp, ALL_ACCESS) : vt_to_state(p.a.qp, bad[i].to);
		EXPECT(err == EINVAL, "from %d to %d: %s", bad[i].from, bad[i].to, strerror(err));
		EXPECT_EQ(state_of(p.a.qp), bad[i].from, "state afterwards");
		drop_pair(&p);
	}
}

static void expect_refused(struct ibv_qp *qp, struct ibv_qp_attr attr, int mask, int want, const char *what)
{
	enum ibv_qp_state before = state_of(qp);
	int err = ibv_modify_qp(qp, &attr, mask);

	EXPECT(err == want, "%s: %s", what, strerror(err));
	EXPECT_EQ(state_of(qp), before, what);
}

static void expect_bad_attr(struct ibv_qp *qp, struct ibv_qp_attr attr, int mask, const char *what)
{
	expect_refused(qp, attr, mask, EINVAL, what);
}

static void test_bad_attributes(void)
{
	const int init = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
	const int rtr = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	const int rts = IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	struct opts o = { .unconnected = true };
	struct vt_addr remote = { .gid = dev_b->gid, .qpn = 0x123, .psn = 1 };
	struct ibv_qp_attr attr, good = {
		.qp_state = IBV_QPS_RTR, .path_mtu = dev_a->mtu, .dest_qp_num = 0x123, .max_dest_rd_atomic = 1,
		.min_rnr_timer = 12,
		.ah_attr = { .is_global = 1, .port_num = 1, .grh = { .dgid = dev_b->gid, .hop_limit = 9 } },
	};
	struct vt_tune tune = tune_of(&o);
	struct pair p;

	make_pair(&p, &o);
	good.ah_attr.grh.sgid_index = dev_a->gid_index;
	expect_bad_attr(p.a.qp, (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT, .port_num = 2 }, init, "port 2");
	expect_bad_attr(p.a.qp, (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT, .port_num = 0 }, init, "port 0");
	expect_bad_attr(p.a.qp, (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT, .port_num = 1, .pkey_index = 999 },
			init, "P_Key index");
	expect_bad_attr(p.a.qp, (struct ibv_qp_attr){ .qp_state = IBV_QPS_INIT, .port_num = 1 },
			init & ~IBV_QP_PORT, "no port");
	EXPECT_EQ(vt_to_init(p.a.qp, ALL_ACCESS), 0, "to INIT");
	expect_bad_attr(p.a.qp, good, rtr & ~IBV_QP_AV, "no address");
	expect_bad_attr(p.a.qp, good, rtr & ~IBV_QP_DEST_QPN, "no QP number");
	attr = good;
	attr.ah_attr.is_global = 0;
	expect_bad_attr(p.a.qp, attr, rtr, "no GRH");
	attr = good;
	/* The core says so of an entry of the GID table that holds nothing */
	attr.ah_attr.grh.sgid_index = 100;
	expect_refused(p.a.qp, attr, rtr, ENODATA, "GID index that is empty");
	attr.ah_attr.grh.sgid_index = 250;
	if (!generic)
		expect_bad_attr(p.a.qp, attr, rtr, "GID index beyond the table");
	attr = good;
	attr.path_mtu = dev_a->mtu + 1;
	expect_bad_attr(p.a.qp, attr, rtr, "MTU above the port's");
	EXPECT_EQ(vt_to_rtr(p.a.qp, dev_a, &remote, &tune), 0, "to RTR");
	expect_bad_attr(p.a.qp, (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, .retry_cnt = 7, .rnr_retry = 7 },
			rts & ~IBV_QP_TIMEOUT, "no timeout");
	drop_pair(&p);
}

static void test_post_in_wrong_state(void)
{
	struct opts o = { .unconnected = true };
	struct vt_tune tune = tune_of(&o);
	struct ibv_send_wr *bad = NULL;
	struct vt_addr remote;
	struct pair p;
	struct send s;

	make_pair(&p, &o);
	init_send(&s, &p, 1, IBV_WR_SEND, 64);
	EXPECT_EQ(post_recv(&p.a, 1, 0, 64), EINVAL, "post receive in RESET");
	EXPECT_EQ(ibv_post_send(p.a.qp, &s.wr, &bad), EINVAL, "post send in RESET");
	EXPECT(bad == &s.wr, "bad_wr does not name the request");
	EXPECT_EQ(vt_to_init(p.a.qp, ALL_ACCESS), 0, "to INIT");
	EXPECT_EQ(post(&p, &s), EINVAL, "post send in INIT");
	EXPECT_EQ(post_recv(&p.a, 2, 0, 5000), 0, "post receive in INIT");
	remote = (struct vt_addr){ .gid = dev_b->gid, .qpn = p.b.qp->qp_num, .psn = 0x1234 };
	EXPECT_EQ(vt_to_rtr(p.a.qp, dev_a, &remote, &tune), 0, "to RTR");
	EXPECT_EQ(post(&p, &s), EINVAL, "post send in RTR");
	EXPECT_EQ(vt_to_rts(p.a.qp, 0x1234, &tune), 0, "to RTS");
	connect_end(&p.b, &p.a, &o, false);
	/* The receive from INIT serves, and nothing of what was refused is left */
	{
		struct pair back = { .a = p.b, .b = p.a };

		EXPECT_EQ(simple_send(&back, 3, IBV_WR_SEND, 5000), 0, "post");
		EXPECT_WC(&p.b, 3, IBV_WC_SUCCESS);
		EXPECT_WC(&p.a, 2, IBV_WC_SUCCESS);
	}
	EXPECT_NOTHING(&p.a);
	use_pair(&p);
	drop_pair(&p);
}

static void test_reset_and_reuse(void)
{
	struct opts o = {};
	struct pair p;
	int i;

	make_pair(&p, NULL);
	for (i = 0; i < 3; i++) {
		use_pair(&p);
		EXPECT_EQ(post_recv(&p.b, 1, 0, 64), 0, "post receive");
		EXPECT_EQ(simple_send(&p, 2, IBV_WR_RDMA_WRITE, BUF), 0, "post");
		EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_RESET), 0, "to RESET");
		EXPECT_EQ(vt_to_state(p.b.qp, IBV_QPS_RESET), 0, "to RESET");
		EXPECT_EQ(post_recv(&p.b, 1, 0, 64), EINVAL, "post receive in RESET");
		/* What was posted is gone without completion; a completion that was there already may stay */
		while (get_wc(&p.a, &(struct ibv_wc){}, QUIET_MS))
			;
		EXPECT_NOTHING(&p.b);
		connect_end(&p.b, &p.a, &o, false);
		connect_end(&p.a, &p.b, &o, false);
	}
	use_pair(&p);
	drop_pair(&p);
}

static void test_flush_order(void)
{
	struct opts o = { .dead_peer = true, .tune = { .mtu = IBV_MTU_1024 } };
	struct pair p;
	int i;

	make_pair(&p, &o);
	for (i = 0; i < 20; i++) {
		struct send s;

		EXPECT_EQ(post_recv(&p.a, 100 + i, 0, 64), 0, "post receive");
		init_send(&s, &p, i, i & 1 ? IBV_WR_SEND : IBV_WR_RDMA_WRITE, 5000);
		/* Requests that fail complete whether they are signalled or not */
		if (i % 3)
			s.wr.send_flags = 0;
		EXPECT_EQ(post(&p, &s), 0, "post");
	}
	EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_ERR), 0, "to ERR");
	EXPECT_EQ(post_recv(&p.a, 120, 0, 64), 0, "post receive in ERR");
	EXPECT_EQ(simple_send(&p, 20, IBV_WR_SEND, 64), 0, "post send in ERR");
	{
		struct ibv_wc wc = {};
		uint64_t sends = 0, recvs = 100;

		for (i = 0; i < 42; i++) {
			EXPECT(get_wc(&p.a, &wc, WAIT_MS), "completion %d is missing", i);
			EXPECT(wc.status == IBV_WC_WR_FLUSH_ERR, "completion of %llu: %s", (long long)wc.wr_id,
			       ibv_wc_status_str(wc.status));
			EXPECT_EQ(wc.wr_id, wc.wr_id < 100 ? sends : recvs, "order: wr_id");
			wc.wr_id < 100 ? sends++ : recvs++;
		}
		EXPECT(sends == 21 && recvs == 121, "%llu sends and %llu receives", (long long)sends,
		       (long long)recvs - 100);
	}
	EXPECT_NOTHING(&p.a);
	drop_pair(&p);
}

/* The first of several to fail gives the reason, those before it complete, those after it are flushed */
static void test_error_in_the_middle(void)
{
	struct send s[5];
	struct pair p;
	int i;

	make_pair(&p, NULL);
	EXPECT_EQ(post_recv(&p.b, 50, 0, 64), 0, "post receive");
	for (i = 0; i < 5; i++) {
		init_send(&s[i], &p, i, IBV_WR_RDMA_WRITE, 20000);
		if (i)
			s[i - 1].wr.next = &s[i].wr;
	}
	s[2].wr.wr.rdma.rkey ^= 0x00a5a500;
	s[1].wr.send_flags = 0;
	EXPECT_EQ(post(&p, &s[0]), 0, "post");
	EXPECT_WC(&p.a, 0, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 2, IBV_WC_REM_ACCESS_ERR);
	EXPECT_WC(&p.a, 3, IBV_WC_WR_FLUSH_ERR);
	EXPECT_WC(&p.a, 4, IBV_WC_WR_FLUSH_ERR);
	EXPECT_WC(&p.b, 50, IBV_WC_WR_FLUSH_ERR);
	drop_pair(&p);
}

/* --- receiver not ready, peer gone --- */

static void *late_receiver(void *arg)
{
	struct end *b = arg;

	usleep(150000);
	return (void *)(intptr_t)post_recv(b, 1, 0, 20000);
}

static void test_rnr_receiver_late(void)
{
	pthread_t thread;
	struct pair p;
	void *err;

	make_pair(&p, NULL);
	memset(p.a.buf, 7, 20000);
	EXPECT_EQ(pthread_create(&thread, NULL, late_receiver, &p.b), 0, "thread");
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_SEND, 20000), 0, "post");
	EXPECT_EQ(simple_send(&p, 3, IBV_WR_RDMA_WRITE, 1), 0, "post");
	EXPECT_WC(&p.a, 2, IBV_WC_SUCCESS);
	EXPECT_WC(&p.a, 3, IBV_WC_SUCCESS);
	EXPECT_WC(&p.b, 1, IBV_WC_SUCCESS);
	EXPECT(!memcmp(p.a.buf, p.b.buf, 20000) && untouched(p.b.buf + 20000, BUF - 20000), "wrong data");
	pthread_join(thread, &err);
	EXPECT_EQ((intptr_t)err, 0, "post receive");
	drop_pair(&p);
}

static void rnr_exceeded(uint8_t rnr_retry, uint8_t timer, uint64_t least_ns, enum ibv_wr_opcode opcode)
{
	struct opts o = { .tune = {
		.mtu = IBV_MTU_1024, .timeout = 14, .retry_cnt = 7, .rnr_retry = rnr_retry, .min_rnr_timer = timer,
	} };
	uint64_t start;
	struct pair p;

	make_pair(&p, &o);
	start = vt_now_ns();
	EXPECT_EQ(simple_send(&p, 1, opcode, 64), 0, "post");
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT_VERR(&p.a, 1, IBV_WC_RNR_RETRY_EXC_ERR, SMRC_VERR_RNR);
	EXPECT(vt_now_ns() - start >= least_ns, "gave up after %llu us", (long long)(vt_now_ns() - start) / 1000);
	EXPECT_WC(&p.a, 2, IBV_WC_WR_FLUSH_ERR);
	drop_pair(&p);
}

static void test_rnr_retry_0(void)
{
	rnr_exceeded(0, 12, 0, IBV_WR_SEND);
	rnr_exceeded(0, 12, 0, IBV_WR_RDMA_WRITE_WITH_IMM);
}

static void test_rnr_retry_1(void)
{
	rnr_exceeded(1, 26, 81920000, IBV_WR_SEND);
	rnr_exceeded(1, 26, 81920000, IBV_WR_SEND_WITH_IMM);
}

/*
 * The receiver makes the sender wait for 246 ms, longer than the 134 ms in which it gives up: that time is not the
 * sender's. A busy machine stops an emulated one for some ten milliseconds at times.
 */
static void test_rnr_outlasts_timeout(void)
{
	struct opts o = { .tune = {
		.mtu = IBV_MTU_1024, .timeout = 14, .retry_cnt = 1, .rnr_retry = 7, .min_rnr_timer = 29,
	} };
	struct pair p;

	make_pair(&p, &o);
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_SEND, 2000), 0, "post");
	usleep(20000);
	EXPECT_EQ(post_recv(&p.b, 1, 0, 2000), 0, "post receive");
	EXPECT_WC(&p.a, 2, IBV_WC_SUCCESS);
	EXPECT_WC(&p.b, 1, IBV_WC_SUCCESS);
	drop_pair(&p);
}

/* A QP that is in error without having been connected since it was reset: its old peer still sends to it */
static void test_packet_to_reset_and_error(void)
{
	struct pair p;

	make_pair(&p, NULL);
	use_pair(&p);
	EXPECT_EQ(vt_to_state(p.b.qp, IBV_QPS_RESET), 0, "to RESET");
	EXPECT_EQ(vt_to_init(p.b.qp, ALL_ACCESS), 0, "to INIT");
	EXPECT_EQ(vt_to_state(p.b.qp, IBV_QPS_ERR), 0, "to ERR");
	EXPECT_EQ(simple_send(&p, 3, IBV_WR_RDMA_WRITE, 64), 0, "post");
	usleep(200000);
	EXPECT_EQ(state_of(p.b.qp), IBV_QPS_ERR, "state");
	drop_pair(&p);
}

static int to_sqd(struct ibv_qp *qp, bool notify)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_SQD, .en_sqd_async_notify = notify };

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE | (notify ? IBV_QP_EN_SQD_ASYNC_NOTIFY : 0));
}

static bool draining(struct ibv_qp *qp)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr = {};

	return !ibv_query_qp(qp, &attr, IBV_QP_STATE, &init) && attr.sq_draining;
}

/* What is posted in SQD waits for RTS; what comes is received all the same */
static void test_sqd_holds_back(void)
{
	struct ibv_wc wc;
	struct pair p;
	int i;

	make_pair(&p, NULL);
	use_pair(&p);
	EXPECT_EQ(to_sqd(p.a.qp, true), 0, "to SQD");
	EXPECT(wait_async(dev_a, IBV_EVENT_SQ_DRAINED, WAIT_MS), "no event SQ_DRAINED");
	EXPECT_EQ(state_of(p.a.qp), IBV_QPS_SQD, "state");
	EXPECT(!draining(p.a.qp), "still draining");
	for (i = 0; i < 3; i++)
		EXPECT_EQ(simple_send(&p, i, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT(!get_wc(&p.a, &wc, QUIET_MS), "a completion in SQD");
	EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_RTS), 0, "back to RTS");
	for (i = 0; i < 3; i++)
		EXPECT_WC(&p.a, i, IBV_WC_SUCCESS);
	use_pair(&p);
	drop_pair(&p);
}

/* A request that is half sent is finished first, and one that nobody asked to be told of is not told */
static void test_sqd_drains(void)
{
	struct pair p;
	int i, n = 24;

	for (i = 0; i < 10; i++) {
		make_pair(&p, NULL);
		for (int k = 0; k < n; k++)
			EXPECT_EQ(simple_send(&p, k, IBV_WR_RDMA_WRITE, BUF), 0, "post");
		EXPECT_EQ(to_sqd(p.a.qp, i & 1), 0, "to SQD");
		if (i & 1)
			EXPECT(wait_async(dev_a, IBV_EVENT_SQ_DRAINED, WAIT_MS), "no event SQ_DRAINED");
		EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_RTS), 0, "back to RTS");
		for (int k = 0; k < n; k++)
			EXPECT_WC(&p.a, k, IBV_WC_SUCCESS);
		EXPECT(!memcmp(p.a.buf, p.b.buf, BUF), "the bytes differ");
		drop_pair(&p);
	}
	EXPECT(!wait_async(dev_a, IBV_EVENT_SQ_DRAINED, QUIET_MS), "an event that nobody asked for");
}

/* Timers may be changed once drained, the path may not; and every way out of SQD works */
static void test_sqd_attributes(void)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_SQD, .timeout = 10, .retry_cnt = 3, .rnr_retry = 2 };
	struct ibv_qp_init_attr init;
	struct pair p;

	make_pair(&p, NULL);
	EXPECT_EQ(to_sqd(p.a.qp, false), 0, "to SQD");
	EXPECT_EQ(ibv_modify_qp(p.a.qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY), 0,
		  "timers in SQD");
	EXPECT_EQ(ibv_query_qp(p.a.qp, &attr, IBV_QP_STATE, &init), 0, "query");
	EXPECT_EQ(attr.timeout, 10, "timeout");
	EXPECT_EQ(ibv_modify_qp(p.a.qp, &attr, IBV_QP_STATE | IBV_QP_AV), EOPNOTSUPP, "another path");
	EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_RTS), 0, "back to RTS");
	use_pair(&p);
	EXPECT_EQ(to_sqd(p.a.qp, false), 0, "to SQD");
	EXPECT_EQ(simple_send(&p, 7, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_ERR), 0, "to ERR");
	EXPECT_WC(&p.a, 7, IBV_WC_WR_FLUSH_ERR);
	drop_pair(&p);
}

/* The peer's device lives, its QP does not */
static void retry_exceeded(uint8_t timeout, uint8_t retry_cnt)
{
	struct opts o = { .dead_peer = true, .tune = {
		.mtu = IBV_MTU_1024, .timeout = timeout, .retry_cnt = retry_cnt, .rnr_retry = 7, .min_rnr_timer = 12,
	} };
	uint64_t start, once = 4096ull << timeout, took;
	struct pair p;

	make_pair(&p, &o);
	start = vt_now_ns();
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_WRITE, 20000), 0, "post");
	EXPECT_EQ(simple_send(&p, 2, IBV_WR_SEND, 64), 0, "post");
	EXPECT_VERR(&p.a, 1, IBV_WC_RETRY_EXC_ERR, SMRC_VERR_TIMEOUT);
	took = vt_now_ns() - start;
	/* IBTA 9.9.2.1.1: each wait is the timeout at least, four times that at most; the rest is for a slow host */
	EXPECT(took >= once * retry_cnt, "gave up after %llu us", (long long)took / 1000);
	EXPECT(took <= once * (retry_cnt + 1) * 4 + 5000000000ull, "gave up after %llu us", (long long)took / 1000);
	EXPECT_WC(&p.a, 2, IBV_WC_WR_FLUSH_ERR);
	EXPECT(wait_state(p.a.qp, IBV_QPS_ERR), "the QP is not in error");
	drop_pair(&p);
}

static void test_retry_exceeded(void)
{
	retry_exceeded(10, 1);
	retry_exceeded(14, 2);
	retry_exceeded(16, 3);
}

static void test_timeout_0_is_for_ever(void)
{
	struct opts o = { .dead_peer = true, .tune = { .mtu = IBV_MTU_1024, .timeout = 0, .retry_cnt = 1 } };
	struct ibv_wc wc;
	struct pair p;

	make_pair(&p, &o);
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT(!get_wc(&p.a, &wc, 2000), "it completed: %s", ibv_wc_status_str(wc.status));
	EXPECT_EQ(vt_to_state(p.a.qp, IBV_QPS_ERR), 0, "to ERR");
	EXPECT_WC(&p.a, 1, IBV_WC_WR_FLUSH_ERR);
	drop_pair(&p);
}

static void test_peer_destroyed(void)
{
	struct opts o = { .tune = {
		.mtu = IBV_MTU_1024, .timeout = 12, .retry_cnt = 2, .rnr_retry = 7, .min_rnr_timer = 12,
	} };
	struct pair p;

	make_pair(&p, &o);
	use_pair(&p);
	EXPECT_EQ(ibv_destroy_qp(p.b.qp), 0, "destroy the peer's QP");
	p.b.qp = NULL;
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_RDMA_WRITE, 64), 0, "post");
	EXPECT_WC(&p.a, 1, IBV_WC_RETRY_EXC_ERR);
	drop_pair(&p);
}

/* --- opcodes --- */

static void bad_opcode(int opcode)
{
	struct ibv_wc wc = {};
	struct pair p;
	struct send s;
	int err;

	make_pair(&p, NULL);
	EXPECT_EQ(post_recv(&p.b, 1, 0, 64), 0, "post receive");
	init_send(&s, &p, 2, opcode, 8);
	err = post(&p, &s);
	if (!err) {
		EXPECT(get_wc(&p.a, &wc, WAIT_MS), "opcode %#x: no completion", opcode);
		EXPECT(wc.status == IBV_WC_LOC_QP_OP_ERR, "opcode %#x: %s", opcode, ibv_wc_status_str(wc.status));
		EXPECT(generic || wc.vendor_err == SMRC_VERR_BAD_WQE, "opcode %#x: vendor error %u", opcode,
		       wc.vendor_err);
	} else {
		EXPECT(err == EOPNOTSUPP || err == EINVAL, "opcode %#x: %s", opcode, strerror(err));
	}
	EXPECT(untouched(p.b.buf, BUF), "opcode %#x: memory was written", opcode);
	drop_pair(&p);
}

static void test_opcode_unknown(void)
{
	bad_opcode(IBV_WR_TSO);
	bad_opcode(IBV_WR_DRIVER1);
	bad_opcode(0x77);
	bad_opcode(-1);
}

static void test_opcode_left_out(void)
{
	if (!dev_attr.max_qp_rd_atom)
		bad_opcode(IBV_WR_RDMA_READ);
	if (dev_attr.atomic_cap == IBV_ATOMIC_NONE) {
		bad_opcode(IBV_WR_ATOMIC_CMP_AND_SWP);
		bad_opcode(IBV_WR_ATOMIC_FETCH_AND_ADD);
	}
	if (!dev_attr.max_mw)
		bad_opcode(IBV_WR_BIND_MW);
}

/** state_tests - the tests of this file */
const struct test state_tests[] = {
	{ "modify: transitions that do not exist", test_bad_transitions },
	{ "modify: wrong attributes", test_bad_attributes },
	{ "post in a state that does not allow it", test_post_in_wrong_state },
	{ "reset and reuse", test_reset_and_reuse },
	{ "flush: all, in order", test_flush_order },
	{ "error in the middle of a list", test_error_in_the_middle },
	{ "RNR: receiver posts late", test_rnr_receiver_late },
	{ "RNR: rnr_retry 0", test_rnr_retry_0 },
	{ "RNR: rnr_retry 1", test_rnr_retry_1 },
	{ "RNR: wait longer than the time to give up", test_rnr_outlasts_timeout },
	{ "packet to a QP that was reset and is in error", test_packet_to_reset_and_error },
	{ "SQD: holds back", test_sqd_holds_back, true },
	{ "SQD: drains", test_sqd_drains, true },
	{ "SQD: attributes", test_sqd_attributes, true },
	{ "retries exceeded: no such QP", test_retry_exceeded },
	{ "retries exceeded: peer's QP destroyed", test_peer_destroyed },
	{ "timeout 0 waits for ever", test_timeout_0_is_for_ever },
	{ "opcodes: unknown", test_opcode_unknown },
	{ "opcodes: left out", test_opcode_left_out },
	{}
};
