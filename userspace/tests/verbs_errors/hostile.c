// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * hostile.c: things that vanish under traffic, and programs that write garbage into their rings.
 */
#include <pthread.h>
#include <rdma/ib_user_verbs.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

/* --- life and death --- */

static void test_destroy_under_traffic(void)
{
	struct pair p;
	int i, j;

	for (i = 0; i < rounds(30); i++) {
		make_pair(&p, NULL);
		for (j = 0; j < 16; j++) {
			struct pair back = { .a = p.b, .b = p.a };

			EXPECT_EQ(post_recv(&p.b, j, 0, BUF), 0, "post receive");
			EXPECT_EQ(simple_send(&p, j, j & 1 ? IBV_WR_SEND : IBV_WR_RDMA_WRITE, BUF), 0, "post");
			EXPECT_EQ(simple_send(&back, j, IBV_WR_RDMA_WRITE, BUF), 0, "post");
		}
		if (i & 1)
			usleep(vt_hash(seed + i) % 3000);
		if (i & 2) {
			EXPECT_EQ(ibv_destroy_qp(p.b.qp), 0, "destroy");
			p.b.qp = NULL;
		}
		drop_pair(&p);
	}
}

static void test_deregister_under_traffic(void)
{
	struct ibv_wc wc;
	struct pair p;
	int i, j, n;

	for (i = 0; i < rounds(20); i++) {
		make_pair(&p, NULL);
		for (j = 0; j < 8; j++)
			EXPECT_EQ(simple_send(&p, j, IBV_WR_RDMA_WRITE, BUF), 0, "post");
		usleep(vt_hash(seed + i) % 2000);
		EXPECT_EQ(ibv_dereg_mr(p.b.mr), 0, "deregister");
		p.b.mr = NULL;
		memset(p.b.buf, FILL, BUF);
		/* Either it was in time, or the access is refused; not a byte comes after deregistration */
		for (n = 0; n < 8; n++) {
			EXPECT(get_wc(&p.a, &wc, WAIT_MS), "completion %d is missing", n);
			EXPECT(wc.status == IBV_WC_SUCCESS || wc.status == IBV_WC_REM_ACCESS_ERR ||
			       wc.status == IBV_WC_WR_FLUSH_ERR, "%s", ibv_wc_status_str(wc.status));
		}
		EXPECT(untouched(p.b.buf, BUF), "memory was written after deregistration");
		drop_pair(&p);
	}
}

static void child_dies(void)
{
	struct pair p;
	int j;

	vt_open(&devs[0], ibv_get_device_name(dev_a->ctx->device), dev_a->gid_index, false);
	dev_a = &devs[0];
	dev_b = &devs[0];
	make_pair(&p, NULL);
	for (j = 0; j < 16; j++) {
		post_recv(&p.b, j, 0, BUF);
		simple_send(&p, j, j & 1 ? IBV_WR_SEND : IBV_WR_RDMA_WRITE, BUF);
	}
	_exit(failure[0] != 0);
}

static void test_process_dies_under_traffic(void)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < rounds(5); i++) {
		fflush(stdout);
		pid = fork();
		if (!pid)
			child_dies();
		EXPECT(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0, "the child failed");
	}
}

/* --- hostile rings --- */

struct ring {
	struct smrc_ring	*hdr;
	size_t			size;
};

/* Rings are found as a hostile program would find them: in the list of the own mappings */
static int find_rings(struct ring *ring, int max)
{
	unsigned long from, to;
	char line[512];
	int n = 0;
	FILE *f;

	f = fopen("/proc/self/maps", "r");
	while (f && fgets(line, sizeof(line), f) && n < max) {
		if (!strstr(line, "uverbs") || sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		ring[n].hdr = (struct smrc_ring *)from;
		ring[n++].size = to - from;
	}
	if (f)
		fclose(f);
	return n;
}

/* Does a buffer's address stand in the first 64 bytes of an entry? In a request it does, in a completion not. */
static bool names_buffer(const uint64_t *entry, const void *buf)
{
	int i;

	for (i = 0; i < 8; i++) {
		if (entry[i] == (uintptr_t)buf)
			return true;
	}
	return false;
}

/* Entry of a request in which @wr_id stands, and the address of a buffer of @p */
static void *find_entry(const struct ring *ring, uint64_t wr_id, const struct pair *p)
{
	uint64_t *entry;
	size_t off;

	for (off = SMRC_RING_HDR; off + 64 <= ring->size; off += 8) {
		entry = (uint64_t *)((char *)ring->hdr + off);
		if (*entry == wr_id && (names_buffer(entry, p->a.buf) || names_buffer(entry, p->b.buf)))
			return entry;
	}
	return NULL;
}

/* The ring and the entry of the request with that wr_id */
static void *find_posted(struct ring *which, uint64_t wr_id, const struct pair *p)
{
	struct ring ring[64];
	void *entry;
	int i, n = find_rings(ring, ARRAY_SIZE(ring));

	for (i = 0; i < n; i++) {
		entry = find_entry(&ring[i], wr_id, p);
		if (entry) {
			*which = ring[i];
			return entry;
		}
	}
	return NULL;
}

/* What the provider does after it has filled a ring */
static void kick(struct ibv_qp *qp, int command)
{
	struct {
		struct ib_uverbs_cmd_hdr hdr;
		struct ib_uverbs_post_send cmd;
	} req = {
		.hdr = { .command = command, .in_words = sizeof(req) / 4, .out_words = 1 },
		.cmd = { .qp_handle = qp->handle, .wqe_size = sizeof(struct ib_uverbs_send_wr) },
	};
	struct ib_uverbs_post_send_resp resp;

	req.cmd.response = (uintptr_t)&resp;
	/* Refused or taken, both are right: what counts is what it does */
	if (write(qp->context->cmd_fd, &req, sizeof(req)) < 0)
		return;
}

enum hostile {
	BAD_NUM_SGE, BAD_OPCODE, BAD_INLINE_LEN, BAD_INLINE_AND_SGE, BAD_LENGTHS, BAD_FLAGS, BAD_RESERVED, HOSTILE_WQES,
};

static void spoil_wqe(struct smrc_send_wqe *wqe, enum hostile kind, const struct pair *p)
{
	switch (kind) {
	case BAD_NUM_SGE:
		wqe->num_sge = 0xffffffff;
		break;
	case BAD_OPCODE:
		wqe->opcode = 0xdeadbeef;
		break;
	case BAD_INLINE_LEN:
		wqe->send_flags |= IBV_SEND_INLINE;
		wqe->num_sge = 0;
		wqe->inline_len = 0xffffffff;
		break;
	case BAD_INLINE_AND_SGE:
		wqe->send_flags |= IBV_SEND_INLINE;
		wqe->inline_len = p->a.cap.max_inline_data + 1024;
		wqe->num_sge = 1;
		break;
	case BAD_LENGTHS:
		wqe->num_sge = 2;
		wqe->sge[0].length = 0xffffffff;
		wqe->sge[1] = wqe->sge[0];
		break;
	case BAD_FLAGS:
		wqe->send_flags = 0xffffffff;
		wqe->inline_len = 0xfffffff0;
		break;
	case BAD_RESERVED:
		wqe->num_sge = p->a.cap.max_send_sge + 1;
		wqe->reserved_38 = 1;
		break;
	default:
		break;
	}
}

/*
 * One good entry is posted to find the ring; then the next entry is a spoiled copy of it, and the driver is called. It
 * must end in error.
 */
static void hostile_wqe(enum hostile kind)
{
	uint64_t magic = 0xfeedfacecafe0000ull + kind;
	struct smrc_send_wqe *first, *second, *wqe;
	struct ibv_wc wc = {};
	struct ring ring;
	struct pair p;

	make_pair(&p, NULL);
	EXPECT_EQ(simple_send(&p, magic, IBV_WR_RDMA_WRITE, 8), 0, "post");
	EXPECT_WC(&p.a, magic, IBV_WC_SUCCESS);
	first = find_posted(&ring, magic, &p);
	EXPECT_EQ(simple_send(&p, magic | 0x100, IBV_WR_RDMA_WRITE, 8), 0, "post");
	EXPECT_WC(&p.a, magic | 0x100, IBV_WC_SUCCESS);
	second = find_posted(&ring, magic | 0x100, &p);
	memset(p.b.buf, FILL, 8);
	EXPECT(first && second && second > first, "the send ring was not found");
	if (first && second && second > first) {
		wqe = (void *)((char *)second + ((char *)second - (char *)first));
		memcpy(wqe, second, (char *)second - (char *)first);
		wqe->wr_id = 77;
		spoil_wqe(wqe, kind, &p);
		__atomic_store_n(&ring.hdr->prod, ring.hdr->prod + 1, __ATOMIC_RELEASE);
		kick(p.a.qp, IB_USER_VERBS_CMD_POST_SEND);
		EXPECT(get_wc(&p.a, &wc, WAIT_MS), "kind %d: no completion", kind);
		EXPECT(wc.wr_id == 77, "kind %d: completion of %llx", kind, (long long)wc.wr_id);
		EXPECT(wc.status == IBV_WC_LOC_QP_OP_ERR || wc.status == IBV_WC_LOC_LEN_ERR ||
		       wc.status == IBV_WC_LOC_PROT_ERR, "kind %d: %s", kind, ibv_wc_status_str(wc.status));
		EXPECT(wait_state(p.a.qp, IBV_QPS_ERR), "kind %d: the QP is not in error", kind);
	}
	EXPECT(untouched(p.b.buf, BUF), "kind %d: the peer's memory was written", kind);
	drop_pair(&p);
}

static void test_hostile_wqe(void)
{
	int kind;

	for (kind = 0; kind < HOSTILE_WQES; kind++)
		hostile_wqe(kind);
}

/* More entries than the ring has, backwards, by a few too many: the driver must not take them */
static void test_hostile_producer_index(void)
{
	static const uint32_t ahead[] = { 1u << 20, 0x80000000, 0xffffffff, 0x7fffffff, 65 };
	struct ring ring;
	struct pair p;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ahead); i++) {
		make_pair(&p, NULL);
		EXPECT_EQ(simple_send(&p, 0xfeedface0000 + i, IBV_WR_RDMA_WRITE, 8), 0, "post");
		EXPECT_WC(&p.a, 0xfeedface0000 + i, IBV_WC_SUCCESS);
		memset(p.b.buf, FILL, 8);
		EXPECT(find_posted(&ring, 0xfeedface0000 + i, &p), "the send ring was not found");
		if (!failure[0]) {
			__atomic_store_n(&ring.hdr->prod, ring.hdr->prod + ahead[i], __ATOMIC_RELEASE);
			kick(p.a.qp, IB_USER_VERBS_CMD_POST_SEND);
			EXPECT(wait_state(p.a.qp, IBV_QPS_ERR), "ahead by %#x: the QP is not in error", ahead[i]);
		}
		drop_pair(&p);
	}
}

static void hostile_recv(uint32_t num_sge, uint32_t ahead)
{
	uint64_t magic = 0xfeedfacebeef0000ull;
	struct smrc_recv_wqe *wqe;
	struct ibv_wc wc = {};
	struct ring ring;
	struct pair p;

	make_pair(&p, NULL);
	EXPECT_EQ(post_recv(&p.b, magic, 0, 64), 0, "post receive");
	wqe = find_posted(&ring, magic, &p);
	EXPECT(wqe, "the receive ring was not found");
	if (wqe) {
		if (num_sge)
			wqe->num_sge = num_sge;
		__atomic_store_n(&ring.hdr->prod, ring.hdr->prod + ahead, __ATOMIC_RELEASE);
	}
	EXPECT_EQ(simple_send(&p, 1, IBV_WR_SEND, 64), 0, "post");
	EXPECT(get_wc(&p.a, &wc, WAIT_MS), "no completion at the sender");
	EXPECT(wc.status == IBV_WC_REM_OP_ERR || wc.status == IBV_WC_REM_INV_REQ_ERR, "the sender's status is %s",
	       ibv_wc_status_str(wc.status));
	EXPECT(wait_state(p.b.qp, IBV_QPS_ERR), "the receiver's QP is not in error");
	EXPECT(untouched(p.b.buf + 64, BUF - 64), "memory was written");
	drop_pair(&p);
}

static void test_hostile_recv(void)
{
	hostile_recv(0xffffffff, 0);
	hostile_recv(5000, 0);
	hostile_recv(0, 1u << 20);
	hostile_recv(0, 0x80000000);
}

/* Random bytes all over the rings of a QP, heads included, while it is used */
static void test_hostile_noise(void)
{
	struct ring ring[16];
	struct ibv_wc wc;
	struct pair p;
	uint64_t r;
	int i, j, n;

	for (i = 0; i < rounds(100); i++) {
		make_pair(&p, NULL);
		for (j = 0; j < 8; j++) {
			post_recv(&p.b, j, 0, 64);
			simple_send(&p, j, j & 1 ? IBV_WR_SEND : IBV_WR_RDMA_WRITE, 64);
		}
		n = find_rings(ring, ARRAY_SIZE(ring));
		EXPECT(n >= 4, "only %d rings were found", n);
		for (j = 0; j < 40 && n; j++) {
			r = vt_hash(seed + i * 1000 + j);
			((uint32_t *)ring[r % n].hdr)[(r >> 8) % (ring[r % n].size / 4)] = r >> 32;
			if (j % 8 == 0)
				ring[r % n].hdr->prod += (r >> 40) % 70;
			kick(p.a.qp, IB_USER_VERBS_CMD_POST_SEND);
			kick(p.b.qp, IB_USER_VERBS_CMD_POST_RECV);
			if (j % 4 == 0)
				ibv_poll_cq(p.a.cq, 1, &wc);
		}
		drop_pair(&p);
	}
}

#define RACE_CQE	4096
#define RACE_BYTES	((SMRC_RING_HDR + RACE_CQE * sizeof(struct smrc_cqe) + 4095) & ~4095ul)

static atomic_bool race_over;

/* Maps whatever ring is offered at the offsets that are given out first */
static void *map_rings(void *maps)
{
	unsigned int i;
	void *m;

	for (i = 0; !race_over; i++) {
		m = mmap(NULL, RACE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, dev_a->ctx->cmd_fd,
			 (off_t)(i % 8) * RACE_BYTES);
		if (m == MAP_FAILED)
			continue;
		__atomic_load_n((uint8_t *)m + RACE_BYTES - 1, __ATOMIC_RELAXED);
		munmap(m, RACE_BYTES);
		++*(unsigned int *)maps;
	}
	return NULL;
}

/* A ring is destroyed while another thread maps it */
static void test_map_while_destroyed(void)
{
	unsigned int maps = 0;
	struct ibv_cq *cq;
	pthread_t thread;
	int i;

	race_over = false;
	EXPECT_EQ(pthread_create(&thread, NULL, map_rings, &maps), 0, "thread");
	for (i = 0; i < 20000 && (i < rounds(2000) || maps < (unsigned int)rounds(200)); i++) {
		cq = ibv_create_cq(dev_a->ctx, RACE_CQE, NULL, NULL, 0);
		EXPECT(cq, "create CQ");
		if (cq)
			EXPECT_EQ(ibv_destroy_cq(cq), 0, "destroy CQ");
	}
	race_over = true;
	pthread_join(thread, NULL);
	EXPECT(maps, "no ring was mapped in %d tries", i);
}

/** hostile_tests - the tests of this file */
const struct test hostile_tests[] = {
	{ "destroy QPs under traffic", test_destroy_under_traffic },
	{ "deregister under traffic", test_deregister_under_traffic },
	{ "process dies under traffic", test_process_dies_under_traffic },
	{ "ring mapped while it is destroyed", test_map_while_destroyed, true },
	{ "hostile ring: send entries", test_hostile_wqe, true },
	{ "hostile ring: producer index", test_hostile_producer_index, true },
	{ "hostile ring: receive entries", test_hostile_recv, true },
	{ "hostile ring: noise", test_hostile_noise, true },
	{}
};
