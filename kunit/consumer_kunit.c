// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * consumer_kunit.c: a kernel user of the driver, such as NVMe-oF is: queue pairs, completion queues and memory as rdma
 * core hands them out, two queue pairs connected over the device's own IPv4 address. A module of its own, since it
 * needs a device.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#include "testlib.h"

static char *netdev = "eth0";
module_param(netdev, charp, 0444);
MODULE_PARM_DESC(netdev, "netdev whose RDMA device is used (eth0)");

#define DEPTH		16
#define SGES		3
#define WAIT		(120 * HZ)	/* hangs are the caller's to notice; an emulated CPU is slow */
#define BUF_LEN		65536
#define PATTERN_SEED	88172645463325252ULL

/* One end: its queue pair, and a completion that somebody waits for. */
struct end {
	struct ib_cq		*cq;
	struct ib_qp		*qp;
	struct ib_cqe		send_cqe;
	struct ib_cqe		recv_cqe;
	struct completion	sent;
	struct completion	received;
	struct ib_wc		send_wc;
	struct ib_wc		recv_wc;
	u32			to_send;	/* by the handler, one after the other */
	void			*buf;
	u64			dma;
};

struct fixture {
	struct kunit		*test;
	struct ib_device	*dev;
	struct ib_pd		*pd;
	union ib_gid		gid;
	int			gid_index;
	struct end		a, b;
};

/* ------------------------------------------------- set-up */

static void send_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct end *e = container_of(wc->wr_cqe, struct end, send_cqe);
	struct ib_rdma_wr wr = {
		.wr = { .wr_cqe = &e->send_cqe, .opcode = IB_WR_RDMA_WRITE, .send_flags = IB_SEND_SIGNALED },
	};
	const struct ib_send_wr *bad;

	e->send_wc = *wc;
	if (!e->to_send || wc->status) {
		complete(&e->sent);
		return;
	}
	e->to_send--;
	if (ib_post_send(e->qp, &wr.wr, &bad))
		complete(&e->sent);
}

static void recv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct end *e = container_of(wc->wr_cqe, struct end, recv_cqe);

	e->recv_wc = *wc;
	complete(&e->received);
}

static struct ib_device *find_device(void)
{
	struct net_device *ndev = dev_get_by_name(&init_net, netdev);
	struct ib_device *dev;

	if (!ndev)
		return NULL;
	dev = ib_device_get_by_netdev(ndev, RDMA_DRIVER_UNKNOWN);
	dev_put(ndev);
	return dev;
}

static bool find_gid(struct fixture *f)
{
	const struct ib_gid_attr *attr;
	int i;

	for (i = 0; i < 32; i++) {
		attr = rdma_get_gid_attr(f->dev, 1, i);
		if (IS_ERR(attr))
			continue;
		if (attr->gid_type == IB_GID_TYPE_ROCE_UDP_ENCAP && ipv6_addr_v4mapped((void *)&attr->gid)) {
			f->gid = attr->gid;
			f->gid_index = i;
			rdma_put_gid_attr(attr);
			return true;
		}
		rdma_put_gid_attr(attr);
	}
	return false;
}

static void end_create(struct fixture *f, struct end *e, enum ib_poll_context poll)
{
	struct ib_qp_init_attr init = {
		.qp_type = IB_QPT_RC,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = SGES, .max_recv_sge = SGES },
	};
	struct kunit *test = f->test;

	init_completion(&e->sent);
	init_completion(&e->received);
	e->send_cqe.done = send_done;
	e->recv_cqe.done = recv_done;
	/* Slab memory: what kernel users send from. */
	e->buf = kunit_kzalloc(test, BUF_LEN, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, e->buf);
	e->dma = ib_dma_map_single(f->dev, e->buf, BUF_LEN, DMA_BIDIRECTIONAL);
	KUNIT_ASSERT_FALSE(test, ib_dma_mapping_error(f->dev, e->dma));
	e->cq = ib_alloc_cq(f->dev, e, 4 * DEPTH, 0, poll);
	KUNIT_ASSERT_FALSE(test, IS_ERR(e->cq));
	init.send_cq = e->cq;
	init.recv_cq = e->cq;
	e->qp = ib_create_qp(f->pd, &init);
	KUNIT_ASSERT_FALSE(test, IS_ERR(e->qp));
}

static void end_connect(struct fixture *f, struct end *e, u32 dqpn, u32 dpsn, u32 psn)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ |
				   IB_ACCESS_REMOTE_ATOMIC,
		.path_mtu = IB_MTU_1024,
		.dest_qp_num = dqpn,
		.rq_psn = dpsn,
		.sq_psn = psn,
		.min_rnr_timer = 1,
		.timeout = 18,
		.retry_cnt = 7,
		.rnr_retry = 7,
		.max_rd_atomic = 1,
		.max_dest_rd_atomic = 1,
	};

	KUNIT_ASSERT_EQ(f->test, ib_modify_qp(e->qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT |
					      IB_QP_ACCESS_FLAGS), 0);
	attr.qp_state = IB_QPS_RTR;
	attr.ah_attr.type = RDMA_AH_ATTR_TYPE_ROCE;
	rdma_ah_set_port_num(&attr.ah_attr, 1);
	rdma_ah_set_grh(&attr.ah_attr, &f->gid, 0, f->gid_index, 64, 0);
	KUNIT_ASSERT_EQ(f->test, ib_modify_qp(e->qp, &attr, IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN |
					      IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER), 0);
	attr.qp_state = IB_QPS_RTS;
	KUNIT_ASSERT_EQ(f->test, ib_modify_qp(e->qp, &attr, IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT |
					      IB_QP_RNR_RETRY | IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC), 0);
}

static void connect(struct fixture *f, enum ib_poll_context poll)
{
	end_create(f, &f->a, poll);
	end_create(f, &f->b, poll);
	end_connect(f, &f->a, f->b.qp->qp_num, 0x200, 0xfffff0);
	end_connect(f, &f->b, f->a.qp->qp_num, 0xfffff0, 0x200);
}

static int consumer_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	if (!f)
		return -ENOMEM;
	test->priv = f;
	f->test = test;
	f->dev = find_device();
	if (!f->dev || !find_gid(f)) {
		kunit_err(test, "no RDMA device on %s with an IPv4 address\n", netdev);
		return -ENODEV;
	}
	f->pd = ib_alloc_pd(f->dev, IB_PD_UNSAFE_GLOBAL_RKEY);
	return PTR_ERR_OR_ZERO(f->pd);
}

static void end_drop(struct fixture *f, struct end *e)
{
	if (!IS_ERR_OR_NULL(e->qp))
		ib_destroy_qp(e->qp);
	if (!IS_ERR_OR_NULL(e->cq))
		ib_free_cq(e->cq);
	if (e->dma)
		ib_dma_unmap_single(f->dev, e->dma, BUF_LEN, DMA_BIDIRECTIONAL);
}

static void consumer_exit(struct kunit *test)
{
	struct fixture *f = test->priv;

	if (!f || !f->dev)
		return;
	end_drop(f, &f->a);
	end_drop(f, &f->b);
	if (!IS_ERR_OR_NULL(f->pd))
		ib_dealloc_pd(f->pd);
	ib_device_put(f->dev);
}

/* ------------------------------------------------- steps */

static struct ib_sge whole(struct fixture *f, const struct end *e, u32 len)
{
	return (struct ib_sge){ .addr = e->dma, .length = len, .lkey = f->pd->local_dma_lkey };
}

static int post_send(struct fixture *f, struct end *e, struct ib_send_wr *wr)
{
	const struct ib_send_wr *bad;

	wr->wr_cqe = &e->send_cqe;
	wr->send_flags |= IB_SEND_SIGNALED;
	return ib_post_send(e->qp, wr, &bad);
}

static int post_write(struct fixture *f, enum ib_wr_opcode opcode, struct ib_sge *sge, int num_sge, u32 rkey)
{
	struct ib_rdma_wr wr = {
		.wr = { .opcode = opcode, .sg_list = sge, .num_sge = num_sge, .ex.imm_data = cpu_to_be32(0x12345678) },
		.remote_addr = f->b.dma,
		.rkey = rkey,
	};

	return post_send(f, &f->a, &wr.wr);
}

static int post_recv(struct fixture *f, u32 len)
{
	struct ib_sge sge = whole(f, &f->b, len);
	struct ib_recv_wr wr = { .wr_cqe = &f->b.recv_cqe, .sg_list = &sge, .num_sge = 1 };
	const struct ib_recv_wr *bad;

	return ib_post_recv(f->b.qp, &wr, &bad);
}

static void wait_status(struct fixture *f, struct completion *c, const struct ib_wc *wc, enum ib_wc_status status)
{
	KUNIT_ASSERT_TRUE(f->test, wait_for_completion_timeout(c, WAIT) != 0);
	KUNIT_ASSERT_EQ(f->test, wc->status, status);
}

static void fill(struct fixture *f, u32 len)
{
	u64 rnd = PATTERN_SEED + len;
	u8 *p = f->a.buf;
	u32 i;

	memset(f->b.buf, 0, BUF_LEN);
	for (i = 0; i < len; i++)
		p[i] = test_random(&rnd);
}

/* ------------------------------------------------- cases */

static const enum ib_poll_context polls[] = { IB_POLL_SOFTIRQ, IB_POLL_WORKQUEUE, IB_POLL_UNBOUND_WORKQUEUE };

static void poll_desc(const enum ib_poll_context *poll, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "poll context %d", *poll);
}

KUNIT_ARRAY_PARAM(poll, polls, poll_desc);

static void consumer__send(struct kunit *test)
{
	static const u32 lens[] = { 0, 1, 256, 257, 1024, 4097, BUF_LEN };
	struct fixture *f = test->priv;
	u32 i;

	connect(f, *(const enum ib_poll_context *)test->param_value);
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		struct ib_sge sge = whole(f, &f->a, lens[i]);
		struct ib_send_wr wr = { .opcode = IB_WR_SEND, .sg_list = &sge, .num_sge = 1 };

		fill(f, lens[i]);
		KUNIT_ASSERT_EQ(test, post_recv(f, BUF_LEN), 0);
		KUNIT_ASSERT_EQ(test, post_send(f, &f->a, &wr), 0);
		wait_status(f, &f->b.received, &f->b.recv_wc, IB_WC_SUCCESS);
		wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_SUCCESS);
		KUNIT_EXPECT_EQ(test, f->b.recv_wc.byte_len, lens[i]);
		KUNIT_EXPECT_EQ(test, f->b.recv_wc.opcode, IB_WC_RECV);
		KUNIT_EXPECT_EQ(test, memcmp(f->a.buf, f->b.buf, lens[i]), 0);
	}
}

/* Pieces that begin and end anywhere, across pages. */
static void consumer__write_pieces(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct ib_sge sge[SGES];
	u8 *got;

	connect(f, IB_POLL_SOFTIRQ);
	fill(f, BUF_LEN);
	sge[0] = whole(f, &f->a, 5001);
	sge[1] = whole(f, &f->a, 1);
	sge[1].addr += 9000;
	sge[2] = whole(f, &f->a, 30000);
	sge[2].addr += 12345;
	KUNIT_ASSERT_EQ(test, post_recv(f, 0), 0);
	KUNIT_ASSERT_EQ(test, post_write(f, IB_WR_RDMA_WRITE_WITH_IMM, sge, SGES, f->pd->unsafe_global_rkey), 0);
	wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_SUCCESS);
	wait_status(f, &f->b.received, &f->b.recv_wc, IB_WC_SUCCESS);
	KUNIT_EXPECT_EQ(test, f->b.recv_wc.opcode, IB_WC_RECV_RDMA_WITH_IMM);
	KUNIT_EXPECT_EQ(test, be32_to_cpu(f->b.recv_wc.ex.imm_data), 0x12345678);
	got = f->b.buf;
	KUNIT_EXPECT_EQ(test, memcmp(got, f->a.buf, 5001), 0);
	KUNIT_EXPECT_EQ(test, got[5001], ((u8 *)f->a.buf)[9000]);
	KUNIT_EXPECT_EQ(test, memcmp(got + 5002, f->a.buf + 12345, 30000), 0);
}

/* A READ brings back what was written. */
static void consumer__read(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct ib_sge sge;

	connect(f, IB_POLL_SOFTIRQ);
	fill(f, 30000);
	sge = whole(f, &f->a, 30000);
	KUNIT_ASSERT_EQ(test, post_write(f, IB_WR_RDMA_WRITE, &sge, 1, f->pd->unsafe_global_rkey), 0);
	wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_SUCCESS);
	memset(f->a.buf, 0, BUF_LEN);
	KUNIT_ASSERT_EQ(test, post_write(f, IB_WR_RDMA_READ, &sge, 1, f->pd->unsafe_global_rkey), 0);
	wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_SUCCESS);
	KUNIT_EXPECT_EQ(test, f->a.send_wc.opcode, IB_WC_RDMA_READ);
	KUNIT_EXPECT_EQ(test, memcmp(f->a.buf, f->b.buf, 30000), 0);
	KUNIT_EXPECT_NULL(test, memchr_inv(f->a.buf + 30000, 0, BUF_LEN - 30000));
}

/* The key of all memory that rdma core gives out has no right to atomics: a region made as it makes that one. */
static struct ib_mr *atomic_region(struct fixture *f)
{
	struct ib_mr *mr = f->pd->device->ops.get_dma_mr(f->pd, IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_ATOMIC);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(f->test, mr);
	mr->device = f->pd->device;
	mr->pd = f->pd;
	mr->type = IB_MR_TYPE_DMA;
	return mr;
}

static void atomic(struct fixture *f, u32 rkey, enum ib_wr_opcode opcode, u64 compare_add, u64 swap, u64 brings)
{
	struct ib_sge sge = whole(f, &f->a, sizeof(u64));
	struct ib_atomic_wr wr = {
		.wr = { .opcode = opcode, .sg_list = &sge, .num_sge = 1 },
		.remote_addr = (uintptr_t)f->b.buf,
		.rkey = rkey,
		.compare_add = compare_add,
		.swap = swap,
	};

	KUNIT_ASSERT_EQ(f->test, post_send(f, &f->a, &wr.wr), 0);
	wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_SUCCESS);
	KUNIT_EXPECT_EQ(f->test, *(u64 *)f->a.buf, brings);
}

static void consumer__atomics(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct ib_mr *mr;
	u64 *there;

	connect(f, IB_POLL_SOFTIRQ);
	mr = atomic_region(f);
	there = f->b.buf;
	*there = 40;
	atomic(f, mr->rkey, IB_WR_ATOMIC_FETCH_AND_ADD, 2, 0, 40);
	KUNIT_EXPECT_EQ(test, f->a.send_wc.opcode, IB_WC_FETCH_ADD);
	KUNIT_EXPECT_EQ(test, *there, 42);
	atomic(f, mr->rkey, IB_WR_ATOMIC_CMP_AND_SWP, 41, 7, 42);
	KUNIT_EXPECT_EQ(test, f->a.send_wc.opcode, IB_WC_COMP_SWAP);
	KUNIT_EXPECT_EQ(test, *there, 42);
	atomic(f, mr->rkey, IB_WR_ATOMIC_CMP_AND_SWP, 42, 7, 42);
	KUNIT_EXPECT_EQ(test, *there, 7);
	f->pd->device->ops.dereg_mr(mr, NULL);
}

/* A handler may post, as most kernel users do. */
static void consumer__post_in_handler(struct kunit *test)
{
	struct fixture *f = test->priv;

	connect(f, *(const enum ib_poll_context *)test->param_value);
	f->a.to_send = 500;
	KUNIT_ASSERT_EQ(test, post_write(f, IB_WR_RDMA_WRITE, NULL, 0, 0), 0);
	wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_SUCCESS);
	KUNIT_EXPECT_EQ(test, f->a.to_send, 0);
}

/* A chain posts up to the request that finds no room, and names it. */
static void consumer__queue_full(struct kunit *test)
{
	struct ib_recv_wr wr[2 * DEPTH + 1] = {};
	const struct ib_recv_wr *bad = NULL;
	struct fixture *f = test->priv;
	u32 i;

	connect(f, IB_POLL_SOFTIRQ);
	for (i = 0; i < ARRAY_SIZE(wr); i++) {
		wr[i].wr_cqe = &f->b.recv_cqe;
		wr[i].next = i + 1 < ARRAY_SIZE(wr) ? &wr[i + 1] : NULL;
	}
	KUNIT_EXPECT_EQ(test, ib_post_recv(f->b.qp, wr, &bad), -ENOMEM);
	KUNIT_ASSERT_NOT_NULL(test, bad);
	KUNIT_EXPECT_GE(test, bad - wr, DEPTH);
}

static void consumer__bad_keys(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct ib_sge sge;

	connect(f, IB_POLL_SOFTIRQ);
	sge = whole(f, &f->a, 64);
	sge.lkey ^= 0xff;
	KUNIT_ASSERT_EQ(test, post_write(f, IB_WR_RDMA_WRITE, &sge, 1, f->pd->unsafe_global_rkey), 0);
	wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_LOC_PROT_ERR);
	KUNIT_EXPECT_PTR_EQ(test, f->a.send_wc.qp, f->a.qp);
}

static void consumer__bad_rkey(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct ib_sge sge;

	connect(f, IB_POLL_WORKQUEUE);
	fill(f, 64);
	sge = whole(f, &f->a, 64);
	KUNIT_ASSERT_EQ(test, post_write(f, IB_WR_RDMA_WRITE, &sge, 1, f->pd->unsafe_global_rkey ^ 0xff), 0);
	wait_status(f, &f->a.sent, &f->a.send_wc, IB_WC_REM_ACCESS_ERR);
	KUNIT_EXPECT_NULL(test, memchr_inv(f->b.buf, 0, BUF_LEN));
}

/* What every user of rdma core does before it destroys a queue pair; receives end with a flush error. */
static void consumer__drain(struct kunit *test)
{
	struct fixture *f = test->priv;

	connect(f, *(const enum ib_poll_context *)test->param_value);
	KUNIT_ASSERT_EQ(test, post_recv(f, BUF_LEN), 0);
	ib_drain_qp(f->b.qp);
	wait_status(f, &f->b.received, &f->b.recv_wc, IB_WC_WR_FLUSH_ERR);
	ib_drain_qp(f->a.qp);
}

static struct kunit_case consumer_cases[] = {
	KUNIT_CASE_PARAM(consumer__send, poll_gen_params),
	KUNIT_CASE(consumer__write_pieces),
	KUNIT_CASE(consumer__read),
	KUNIT_CASE(consumer__atomics),
	KUNIT_CASE_PARAM(consumer__post_in_handler, poll_gen_params),
	KUNIT_CASE(consumer__queue_full),
	KUNIT_CASE(consumer__bad_keys),
	KUNIT_CASE(consumer__bad_rkey),
	KUNIT_CASE_PARAM(consumer__drain, poll_gen_params),
	{}
};

static struct kunit_suite consumer_suite = {
	.name = "smrc_consumer",
	.init = consumer_init,
	.exit = consumer_exit,
	.test_cases = consumer_cases,
};

kunit_test_suite(consumer_suite);

MODULE_DESCRIPTION("KUnit tests of Soft-MRC as a kernel user sees it");
MODULE_LICENSE("Dual BSD/GPL");
