// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * harness.c: see harness.h
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

/** devs - devices that are open */
struct vt_dev devs[2];
/** dev_a, dev_b - device of each end */
struct vt_dev *dev_a, *dev_b;
/** dev_attr - limits of dev_a */
struct ibv_device_attr dev_attr;
/** generic - not a Soft-MRC device */
bool generic;
/** seed - of what is random */
uint64_t seed = 1;
/** effort - rounds of what repeats, per cent */
int effort = 100;
/** failure - first thing that was wrong in the test that runs */
char failure[400];

/**
 * rounds - how often something that only chance makes fail is to be repeated
 * @n: with full effort
 *
 * Return: at least 1.
 */
int rounds(int n)
{
	n = n * effort / 100;
	return n ? n : 1;
}

/**
 * fail - note what is wrong; only the first note is kept, and the test goes on so that it can clean up
 * @fmt: printf format
 */
void fail(const char *fmt, ...)
{
	va_list args;

	if (failure[0])
		return;
	va_start(args, fmt);
	vsnprintf(failure, sizeof(failure), fmt, args);
	va_end(args);
}

/* --- pairs --- */

static struct ibv_cq *make_cq(struct end *e, const struct opts *o)
{
	struct ibv_cq_init_attr_ex attr = { .cqe = o->cqe ?: 256, .channel = e->channel, .wc_flags = o->wc_flags };
	struct ibv_cq_ex *ex;

	if (!o->wc_flags)
		return ibv_create_cq(e->dev->ctx, attr.cqe, NULL, e->channel, 0);
	ex = ibv_create_cq_ex(e->dev->ctx, &attr);
	return ex ? ibv_cq_ex_to_cq(ex) : NULL;
}

static void make_end(struct end *e, struct vt_dev *dev, const struct opts *o)
{
	struct ibv_qp_init_attr_ex attr = {
		.qp_type = IBV_QPT_RC, .sq_sig_all = o->sig_all, .comp_mask = IBV_QP_INIT_ATTR_PD, .pd = dev->pd,
		.send_ops_flags = o->send_ops,
		.cap = {
			.max_send_wr = o->depth ?: 32, .max_recv_wr = o->depth ?: 32,
			.max_send_sge = o->sges ?: 4, .max_recv_sge = o->sges ?: 4, .max_inline_data = 64,
		},
	};

	e->dev = dev;
	e->channel = ibv_create_comp_channel(dev->ctx);
	e->cq = make_cq(e, o);
	if (!e->channel || !e->cq)
		vt_die("create a CQ: %s", strerror(errno));
	attr.send_cq = e->cq;
	attr.recv_cq = e->cq;
	if (o->send_ops)
		attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	e->qp = ibv_create_qp_ex(dev->ctx, &attr);
	if (!e->qp)
		vt_die("create a QP: %s", strerror(errno));
	e->cap = attr.cap;
	e->buf = mmap(NULL, BUF, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (e->buf == MAP_FAILED)
		vt_die("mmap: %s", strerror(errno));
	memset(e->buf, FILL, BUF);
	e->mr = ibv_reg_mr(dev->pd, e->buf, BUF, o->mr_access ?: ALL_ACCESS);
	if (!e->mr)
		vt_die("register: %s", strerror(errno));
}

/**
 * tune_of - attributes of a connection
 * @o: options
 *
 * Return: @o's if it has any, else those that serve most tests.
 */
struct vt_tune tune_of(const struct opts *o)
{
	struct vt_tune tune = {
		.mtu = dev_a->mtu, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .min_rnr_timer = 12,
	};

	return o->tune.mtu ? o->tune : tune;
}

/**
 * connect_end - bring a QP from RESET to RTS
 * @e: end
 * @peer: other end
 * @o: options
 * @dead: connect to a QP that is not there
 */
void connect_end(struct end *e, const struct end *peer, const struct opts *o, bool dead)
{
	struct vt_addr remote = { .gid = peer->dev->gid, .qpn = peer->qp->qp_num, .psn = 0x1234 };
	struct vt_tune tune = tune_of(o);
	int err;

	if (dead)
		remote.qpn ^= 0x80000;
	err = vt_to_init(e->qp, o->qp_access ?: ALL_ACCESS);
	if (!err)
		err = vt_to_rtr(e->qp, e->dev, &remote, &tune);
	if (!err)
		err = vt_to_rts(e->qp, 0x1234, &tune);
	if (err)
		vt_die("connect: %s", strerror(err));
}

/**
 * make_pair - make two ends and connect them; ends the program when that fails
 * @p: filled in
 * @o: options, may be NULL
 */
void make_pair(struct pair *p, const struct opts *o)
{
	static const struct opts none;

	if (!o)
		o = &none;
	memset(p, 0, sizeof(*p));
	make_end(&p->a, dev_a, o);
	make_end(&p->b, dev_b, o);
	if (o->unconnected)
		return;
	connect_end(&p->b, &p->a, o, false);
	connect_end(&p->a, &p->b, o, o->dead_peer);
}

static void drop_end(struct end *e)
{
	if (e->qp)
		EXPECT_EQ(ibv_destroy_qp(e->qp), 0, "destroy QP");
	EXPECT_EQ(ibv_destroy_cq(e->cq), 0, "destroy CQ");
	EXPECT_EQ(ibv_destroy_comp_channel(e->channel), 0, "destroy channel");
	if (e->mr)
		EXPECT_EQ(ibv_dereg_mr(e->mr), 0, "deregister");
	munmap(e->buf, BUF);
}

/**
 * drop_pair - undo make_pair()
 * @p: pair
 */
void drop_pair(struct pair *p)
{
	drop_end(&p->a);
	drop_end(&p->b);
}

/* --- posting and completions --- */

/**
 * post_recv - post a receive into the end's buffer
 * @e: end
 * @wr_id: of the request
 * @off: first byte of the buffer
 * @len: bytes, none for no entry
 *
 * Return: 0 or an errno.
 */
int post_recv(struct end *e, uint64_t wr_id, uint32_t off, uint32_t len)
{
	struct ibv_sge sge = { .addr = (uintptr_t)e->buf + off, .length = len, .lkey = e->mr->lkey };
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = !!len }, *bad;

	return ibv_post_recv(e->qp, &wr, &bad);
}

/**
 * init_send - a signalled send from the start of one buffer to the start of the other
 * @s: filled in
 * @p: pair
 * @wr_id: of the request
 * @opcode: of the request
 * @len: bytes, none for no entry
 */
void init_send(struct send *s, const struct pair *p, uint64_t wr_id, enum ibv_wr_opcode opcode, uint32_t len)
{
	memset(s, 0, sizeof(*s));
	s->sge[0] = (struct ibv_sge){ .addr = (uintptr_t)p->a.buf, .length = len, .lkey = p->a.mr->lkey };
	s->wr.wr_id = wr_id;
	s->wr.opcode = opcode;
	s->wr.sg_list = s->sge;
	s->wr.num_sge = !!len;
	s->wr.send_flags = IBV_SEND_SIGNALED;
	s->wr.imm_data = 0x01020304;
	s->wr.wr.rdma.remote_addr = (uintptr_t)p->b.buf;
	s->wr.wr.rdma.rkey = p->b.mr ? p->b.mr->rkey : 0;
}

/**
 * post - post a send
 * @p: pair, end a sends
 * @s: request
 *
 * Return: 0 or an errno.
 */
int post(struct pair *p, struct send *s)
{
	struct ibv_send_wr *bad;

	return ibv_post_send(p->a.qp, &s->wr, &bad);
}

/**
 * simple_send - init_send() and post()
 * @p: pair
 * @wr_id: of the request
 * @opcode: of the request
 * @len: bytes
 *
 * Return: 0 or an errno.
 */
int simple_send(struct pair *p, uint64_t wr_id, enum ibv_wr_opcode opcode, uint32_t len)
{
	struct send s;

	init_send(&s, p, wr_id, opcode, len);
	return post(p, &s);
}

/**
 * get_wc - wait for a completion; not long when the test has failed already
 * @e: end
 * @wc: filled in
 * @ms: how long
 *
 * Return: whether there was one.
 */
bool get_wc(struct end *e, struct ibv_wc *wc, unsigned int ms)
{
	uint64_t end = vt_now_ns() + (failure[0] && ms > 500 ? 500 : ms) * 1000000ull;
	int n;

	do {
		n = ibv_poll_cq(e->cq, 1, wc);
		if (n)
			return n == 1;
		sched_yield();
	} while (vt_now_ns() < end);
	return false;
}

/**
 * expect_wc - wait for a completion and compare it, see EXPECT_WC()
 * @e: end
 * @wr_id: expected
 * @status: expected
 * @vendor_err: expected, -1 for any
 * @file: of the caller
 * @line: of the caller
 */
void expect_wc(struct end *e, uint64_t wr_id, enum ibv_wc_status status, int vendor_err, const char *file, int line)
{
	struct ibv_wc wc = {};

	if (!get_wc(e, &wc, WAIT_MS))
		fail("%s line %d: no completion, expected %s", file, line, ibv_wc_status_str(status));
	else if (wc.status != status)
		fail("%s line %d: completion %llu: %s (vendor error %u), expected %s", file, line, (long long)wc.wr_id,
		     ibv_wc_status_str(wc.status), wc.vendor_err, ibv_wc_status_str(status));
	else if (wc.wr_id != wr_id)
		fail("%s line %d: completion of %llu, expected %llu", file, line, (long long)wc.wr_id,
		     (long long)wr_id);
	else if (wc.qp_num != e->qp->qp_num)
		fail("%s line %d: completion of QP %#x, expected %#x", file, line, wc.qp_num, e->qp->qp_num);
	else if (vendor_err >= 0 && !generic && wc.vendor_err != (uint32_t)vendor_err)
		fail("%s line %d: vendor error %u, expected %d", file, line, wc.vendor_err, vendor_err);
}

/**
 * expect_nothing - nothing may complete for a while
 * @e: end
 * @file: of the caller
 * @line: of the caller
 */
void expect_nothing(struct end *e, const char *file, int line)
{
	struct ibv_wc wc;

	if (get_wc(e, &wc, QUIET_MS))
		fail("%s line %d: unexpected completion of %llu: %s", file, line, (long long)wc.wr_id,
		     ibv_wc_status_str(wc.status));
}

/**
 * state_of - state of a QP as the driver has it
 * @qp: QP
 *
 * Return: the state.
 */
enum ibv_qp_state state_of(struct ibv_qp *qp)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;

	if (ibv_query_qp(qp, &attr, IBV_QP_STATE, &init))
		return IBV_QPS_UNKNOWN;
	return attr.qp_state;
}

/**
 * wait_state - wait until a QP has a state
 * @qp: QP
 * @state: which
 *
 * Return: whether it came to that.
 */
bool wait_state(struct ibv_qp *qp, enum ibv_qp_state state)
{
	uint64_t end = vt_now_ns() + WAIT_MS * 1000000ull;

	while (state_of(qp) != state) {
		if (vt_now_ns() > end)
			return false;
		usleep(1000);
	}
	return true;
}

/**
 * untouched - is memory as it was made
 * @buf: memory
 * @len: bytes
 *
 * Return: whether it is.
 */
bool untouched(const uint8_t *buf, size_t len)
{
	return !len || (buf[0] == FILL && !memcmp(buf, buf + 1, len - 1));
}

/**
 * wait_async - wait for an asynchronous event, pass over others
 * @dev: device
 * @type: which
 * @ms: how long
 *
 * Return: whether it came.
 */
bool wait_async(struct vt_dev *dev, enum ibv_event_type type, unsigned int ms)
{
	struct pollfd pfd = { .fd = dev->ctx->async_fd, .events = POLLIN };
	struct ibv_async_event event;
	uint64_t end = vt_now_ns() + ms * 1000000ull;

	while (vt_now_ns() <= end) {
		if (poll(&pfd, 1, 10) != 1)
			continue;
		if (ibv_get_async_event(dev->ctx, &event))
			return false;
		ibv_ack_async_event(&event);
		if (event.event_type == type)
			return true;
	}
	return false;
}

/**
 * drain_async - drop all asynchronous events
 */
void drain_async(void)
{
	int i;

	for (i = 0; i < 2 && devs[i].ctx; i++) {
		while (wait_async(&devs[i], -1, 0))
			;
	}
}

/**
 * use_pair - send a message one way and write the other
 * @p: pair
 */
void use_pair(struct pair *p)
{
	struct pair back = { .a = p->b, .b = p->a };

	EXPECT_EQ(post_recv(&p->b, 901, 0, 5000), 0, "post receive");
	EXPECT_EQ(simple_send(p, 902, IBV_WR_SEND, 5000), 0, "post send");
	EXPECT_WC(&p->a, 902, IBV_WC_SUCCESS);
	EXPECT_WC(&p->b, 901, IBV_WC_SUCCESS);
	EXPECT_EQ(simple_send(&back, 903, IBV_WR_RDMA_WRITE, 5000), 0, "post write");
	EXPECT_WC(&p->b, 903, IBV_WC_SUCCESS);
}
