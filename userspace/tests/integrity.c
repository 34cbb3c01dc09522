// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * integrity.c: move random messages over RC QPs and check every byte.
 *
 * Both ends derive from one seed what message k of a QP and direction is: opcode, length, immediate data, where the
 * pieces lie on both sides, and its payload. So nothing but the messages needs to travel, and the receiver can tell
 * every wrong byte, and every byte written that no message covers.
 *
 * Each direction of a QP has `depth` slots on each side; message k uses slot k % depth. A source slot is free when its
 * completion was seen; a target slot when the receiver has checked it and said so on a further QP, the control QP,
 * whose small messages are checked by what hangs on them.
 *
 * WRITE does not tell the receiver that it happened. It is checked when the completion of a later message is seen: RC
 * promises that it is complete then.
 *
 * READ takes message k out of the target slot, where the receiver has put it beforehand, and is checked by the sender.
 * The message behind it is fenced, so that a later one's completion tells the receiver that the slot was read.
 *
 * An atomic finds 8 bytes in the target slot that the receiver has put there as well. The sender checks what it brought
 * back, the receiver what it left: a sum that was added twice is a wrong one.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

#define MAX_SEG		8
#define MAX_GAP		64
#define GUARD		4096
#define PATTERN		0x5a
#define SPOILED		0xc3
#define MAX_QPS		1024
#define MAX_BATCH	8
#define CTRL_DEPTH	64
#define CTRL_RECVS	(2 * CTRL_DEPTH)
#define REMOTE_ACCESS	(IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

enum op { OP_WRITE, OP_WRITE_IMM, OP_SEND, OP_SEND_IMM, OP_READ, OP_ADD, OP_SWAP, OP_COUNT };

/**
 * struct op_kind - what an operation is in verbs
 * @name: on the command line
 * @post: opcode of the request
 * @done: opcode of its completion
 */
struct op_kind {
	const char		*name;
	enum ibv_wr_opcode	post;
	enum ibv_wc_opcode	done;
};

static const struct op_kind op_kind[OP_COUNT] = {
	[OP_WRITE]	= { "write", IBV_WR_RDMA_WRITE, IBV_WC_RDMA_WRITE },
	[OP_WRITE_IMM]	= { "write_imm", IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WC_RDMA_WRITE },
	[OP_SEND]	= { "send", IBV_WR_SEND, IBV_WC_SEND },
	[OP_SEND_IMM]	= { "send_imm", IBV_WR_SEND_WITH_IMM, IBV_WC_SEND },
	[OP_READ]	= { "read", IBV_WR_RDMA_READ, IBV_WC_RDMA_READ },
	[OP_ADD]	= { "fetch_add", IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WC_FETCH_ADD },
	[OP_SWAP]	= { "cmp_swap", IBV_WR_ATOMIC_CMP_AND_SWP, IBV_WC_COMP_SWAP },
};

/**
 * struct params - what both ends must agree on; the client's count
 * @version: of this structure and of everything derived from the seed
 * @mtu: the sender's path MTU, the smaller one is used
 * @seed: source of everything random
 * @messages: of each QP and direction
 * @max_size: longest message in bytes
 * @qps: QPs, without the control QP
 * @depth: slots of each QP, direction and side
 * @sges: pieces of a message at most
 * @ops: bit mask of enum op
 * @directions: 1 client to server only, 2 both
 */
struct params {
	uint32_t	version;
	uint32_t	mtu;
	uint64_t	seed;
	uint64_t	messages;
	uint32_t	max_size;
	uint32_t	qps;
	uint32_t	depth;
	uint32_t	sges;
	uint32_t	ops;
	uint32_t	directions;
};

struct options {
	struct params	p;
	const char	*device;
	const char	*host;
	int		gid_index;
	int		port;
	int		mtu;
	unsigned int	stall_s;
	bool		ipv6;
	bool		events;
	bool		self;
	struct vt_tune	tune;
};

/**
 * struct seg - one piece of a message
 * @off: from the start of the slot
 * @len: bytes
 */
struct seg {
	uint32_t	off;
	uint32_t	len;
};

/**
 * struct msg - message k, as both ends derive it
 * @op: what carries it
 * @len: bytes
 * @imm: immediate data
 * @key: of its payload
 * @src: pieces at the sender
 * @dst: pieces at the receiver
 * @nsrc: how many
 * @ndst: how many
 * @spare: bytes that the receive buffer is longer than the message
 * @may_inline: send it inline if the QP can
 * @signalled: ask for a completion
 * @solicited: ask for an event
 */
struct msg {
	enum op		op;
	uint32_t	len;
	uint32_t	imm;
	uint64_t	key;
	struct seg	src[MAX_SEG];
	struct seg	dst[MAX_SEG];
	int		nsrc;
	int		ndst;
	uint32_t	spare;
	bool		may_inline;
	bool		signalled;
	bool		solicited;
};

/**
 * struct side - one QP at one end
 * @qp: QP
 * @max_inline: bytes that it takes inline
 * @src: source slots
 * @src_mr: their region, no remote right; READs write there
 * @dst: target slots
 * @dst_mr: their region
 * @remote_addr: target slots of the other end
 * @remote_rkey: key of them
 * @sent: messages posted
 * @completed: messages whose source slot is free
 * @peer_checked: messages that the other end has checked
 * @posted: messages for which a receive is posted, if they need one
 * @checked: messages received and checked
 * @told: value of @checked that the other end knows
 */
struct side {
	struct ibv_qp	*qp;
	uint32_t	max_inline;
	uint8_t		*src;
	struct ibv_mr	*src_mr;
	uint8_t		*dst;
	struct ibv_mr	*dst_mr;
	uint64_t	remote_addr;
	uint32_t	remote_rkey;
	uint64_t	sent;
	uint64_t	completed;
	uint64_t	peer_checked;
	uint64_t	posted;
	uint64_t	checked;
	uint64_t	told;
};

/** struct ctrl_msg - "I have checked that many messages of that QP" */
struct ctrl_msg {
	uint64_t	checked;
	uint32_t	qp;
	uint32_t	reserved_0c;
};

/** struct end - this end of the whole run */
struct end {
	struct options		*opt;
	struct params		p;
	struct vt_dev		dev;
	int			fd;
	int			dir;		/* direction that this end sends in: 0 client, 1 server */
	size_t			slot_size;
	struct ibv_comp_channel	*channel;
	struct ibv_cq		*scq;
	struct ibv_cq		*rcq;
	struct side		*side;
	struct ibv_qp		*ctrl;
	struct ctrl_msg		*ctrl_buf;
	struct ibv_mr		*ctrl_mr;
	unsigned int		ctrl_busy;
	uint64_t		sends;		/* messages that this end sends on each QP */
	uint64_t		recvs;		/* ... receives */
	uint64_t		bytes;
	uint64_t		messages;
	unsigned int		events[2];
};

/* Sent both ways once per QP */
struct hello {
	struct vt_addr	addr;
	uint64_t	va;
	uint32_t	rkey;
	uint32_t	reserved_24;
};

/* --- what message k is --- */

struct rng {
	uint64_t key;
	uint64_t n;
};

static uint32_t rnd(struct rng *rng, uint32_t limit)
{
	return limit ? (vt_hash(rng->key + rng->n++) >> 16) % limit : 0;
}

/* Lengths that find mistakes: tiny, around multiples of the path MTU, and all orders of size */
static uint32_t random_len(struct rng *rng, const struct params *p)
{
	uint32_t mtu = 128u << p->mtu, kind = rnd(rng, 10), bits, len;

	if (kind < 2) {
		len = rnd(rng, 17);
	} else if (kind < 4) {
		len = mtu * (1 + rnd(rng, 9)) + rnd(rng, 3) - 1;
	} else if (kind == 4) {
		len = p->max_size - rnd(rng, 2);
	} else {
		for (bits = 0; bits < 31 && 1u << bits <= p->max_size; bits++)
			;
		len = rnd(rng, 1u << rnd(rng, bits + 1));
	}
	return len > p->max_size ? p->max_size : len;
}

/* Cut @len bytes into pieces with gaps between them; no piece is empty, so no bytes means no piece */
static int random_segs(struct rng *rng, struct seg *seg, uint32_t len, uint32_t max)
{
	uint32_t n = 1 + rnd(rng, max), off = GUARD + rnd(rng, MAX_GAP), i, part;

	if (n > len)
		n = len;
	for (i = 0; i < n; i++) {
		part = i == n - 1 ? len : 1 + rnd(rng, (len - (n - 1 - i)) * 2 / (n - i));
		if (part > len - (n - 1 - i))
			part = len - (n - 1 - i);
		seg[i].off = off;
		seg[i].len = part;
		len -= part;
		off += part + 1 + rnd(rng, MAX_GAP);
	}
	return n;
}

static bool notifies(enum op op)
{
	return op == OP_WRITE_IMM || op == OP_SEND || op == OP_SEND_IMM;
}

static bool is_atomic(enum op op)
{
	return op == OP_ADD || op == OP_SWAP;
}

/* Does it bring something from the target slot to the source slot? */
static bool brings(enum op op)
{
	return op == OP_READ || is_atomic(op);
}

static enum op random_op(struct rng *rng, const struct params *p, bool must_notify)
{
	enum op op;

	do
		op = rnd(rng, OP_COUNT);
	while (!(p->ops & 1u << op));
	/* Without a completion now and then the receiver could not tell what it has */
	return must_notify && !notifies(op) ? OP_WRITE_IMM : op;
}

static void make_msg(struct msg *m, const struct params *p, uint32_t qp, int dir, uint64_t k)
{
	struct rng rng = { .key = vt_hash(p->seed ^ vt_hash(((uint64_t)qp << 33 | (uint64_t)dir << 32) + vt_hash(k))) };
	bool due = k % (p->depth / 2) == p->depth / 2 - 1 || k == p->messages - 1;

	memset(m, 0, sizeof(*m));
	m->op = random_op(&rng, p, due);
	m->len = random_len(&rng, p);
	if (is_atomic(m->op))
		m->len = sizeof(uint64_t);
	m->imm = vt_hash(rng.key ^ 1);
	m->key = vt_hash(rng.key ^ 2);
	m->nsrc = random_segs(&rng, m->src, m->len, is_atomic(m->op) ? 1 : p->sges);
	m->may_inline = rnd(&rng, 2);
	m->signalled = due || rnd(&rng, 3);
	m->solicited = rnd(&rng, 2);
	if (m->op == OP_SEND || m->op == OP_SEND_IMM) {
		m->ndst = random_segs(&rng, m->dst, m->len, p->sges);
		m->spare = m->ndst ? rnd(&rng, 2) * rnd(&rng, 100) : 0;
	} else {
		m->ndst = random_segs(&rng, m->dst, m->len, 1);
	}
	if (is_atomic(m->op))
		m->dst[0].off &= ~7u;
}

static size_t slot_size(const struct params *p)
{
	/* guard, pieces and gaps, what a receive buffer is longer, guard */
	return (2 * GUARD + p->max_size + (MAX_SEG + 1) * (MAX_GAP + 1) + 128 + 63) & ~(size_t)63;
}

/* --- payload --- */

static uint64_t payload_word(uint64_t key, uint64_t i)
{
	return vt_hash(key + i);
}

static uint8_t payload_byte(uint64_t key, uint64_t pos)
{
	uint64_t word = payload_word(key, pos / 8);

	return ((uint8_t *)&word)[pos % 8];
}

/* Bytes pos.. of the payload into @buf */
static void payload_fill(uint8_t *buf, uint64_t key, uint64_t pos, size_t len)
{
	uint64_t word;

	for (; len && pos % 8; len--)
		*buf++ = payload_byte(key, pos++);
	for (; len >= 8; len -= 8, buf += 8, pos += 8) {
		word = payload_word(key, pos / 8);
		memcpy(buf, &word, 8);
	}
	for (; len; len--)
		*buf++ = payload_byte(key, pos++);
}

/* Return: bytes from the start that are right */
static size_t payload_compare(const uint8_t *buf, uint64_t key, uint64_t pos, size_t len)
{
	uint64_t word, have;
	size_t i = 0;

	while (i < len) {
		if (!((pos + i) % 8) && len - i >= 8) {
			word = payload_word(key, (pos + i) / 8);
			memcpy(&have, buf + i, 8);
			if (have == word) {
				i += 8;
				continue;
			}
		}
		if (buf[i] != payload_byte(key, pos + i))
			return i;
		i++;
	}
	return len;
}

/* Return: bytes from the start that hold the pattern */
static size_t pattern_compare(const uint8_t *buf, size_t len)
{
	size_t i;

	if (!len || (buf[0] == PATTERN && !memcmp(buf, buf + 1, len - 1)))
		return len;
	for (i = 0; i < len && buf[i] == PATTERN; i++)
		;
	return i;
}

/* --- atomics --- */

/* Every other swap compares with what is not there, and must change nothing */
static bool swap_fails(const struct msg *m)
{
	return m->imm & 1;
}

static uint64_t operand(const struct msg *m)
{
	return vt_hash(m->key ^ 3);
}

/* What is in the target slot afterwards */
static uint64_t atomic_leaves(const struct msg *m)
{
	uint64_t before = payload_word(m->key, 0);

	if (m->op == OP_ADD)
		return before + operand(m);
	return swap_fails(m) ? before : operand(m);
}

static void fill_atomic(struct ibv_send_wr *wr, const struct msg *m, uint64_t remote_addr, uint32_t rkey)
{
	wr->wr.atomic.remote_addr = remote_addr;
	wr->wr.atomic.rkey = rkey;
	wr->wr.atomic.swap = operand(m);
	if (m->op == OP_ADD)
		wr->wr.atomic.compare_add = operand(m);
	else
		wr->wr.atomic.compare_add = payload_word(m->key, 0) + swap_fails(m);
}

/* --- checking --- */

static __attribute__((noreturn)) void fail_msg(uint32_t qp, uint64_t k, const struct msg *m, const char *what,
					       uint64_t at, uint64_t have, uint64_t want)
{
	vt_die("qp %u message %" PRIu64 " (%s, %u bytes): %s %" PRIu64 " is 0x%" PRIx64 ", expected 0x%" PRIx64,
	       qp, k, op_kind[m->op].name, m->len, what, at, have, want);
}

static void check_pattern(uint32_t qp, uint64_t k, const struct msg *m, const uint8_t *slot, size_t from, size_t to)
{
	size_t good = pattern_compare(slot + from, to - from);

	if (good != to - from)
		fail_msg(qp, k, m, "byte outside the message, slot offset", from + good, slot[from + good], PATTERN);
}

/* What an atomic left; then what was there before, so that it is checked like any other message */
static void check_atomic(uint32_t qp, uint64_t k, const struct msg *m, uint8_t *at)
{
	uint64_t have;

	memcpy(&have, at, sizeof(have));
	if (have != atomic_leaves(m))
		fail_msg(qp, k, m, "value left, byte", 0, have, atomic_leaves(m));
	payload_fill(at, m->key, 0, sizeof(have));
}

/* Message k is complete: compare it and what is around it, then restore the pattern */
static void check_msg(struct end *e, uint32_t qp, uint64_t k)
{
	uint8_t *slot = e->side[qp].dst + (k % e->p.depth) * e->slot_size;
	size_t edge = 0, pos = 0, good;
	struct msg m;
	int i;

	make_msg(&m, &e->p, qp, !e->dir, k);
	if (is_atomic(m.op))
		check_atomic(qp, k, &m, slot + m.dst[0].off);
	for (i = 0; i < m.ndst; i++) {
		check_pattern(qp, k, &m, slot, edge, m.dst[i].off);
		good = payload_compare(slot + m.dst[i].off, m.key, pos, m.dst[i].len);
		if (good != m.dst[i].len)
			fail_msg(qp, k, &m, "byte", pos + good, slot[m.dst[i].off + good],
				 payload_byte(m.key, pos + good));
		pos += m.dst[i].len;
		edge = m.dst[i].off + m.dst[i].len;
	}
	/* The whole slot would be slow with long slots and short messages; it is looked at when the run ends */
	check_pattern(qp, k, &m, slot, edge, edge + GUARD < e->slot_size ? edge + GUARD : e->slot_size);
	for (i = 0; i < m.ndst; i++)
		memset(slot + m.dst[i].off, PATTERN, m.dst[i].len);
	e->messages++;
	e->bytes += m.len;
}

/* Message k may come once its slot is free: what is to be read must be there by then */
static void prepare(struct end *e, uint32_t qp, uint64_t k)
{
	uint8_t *slot = e->side[qp].dst + (k % e->p.depth) * e->slot_size;
	struct msg m;

	if (k >= e->recvs)
		return;
	make_msg(&m, &e->p, qp, !e->dir, k);
	if (brings(m.op) && m.ndst)
		payload_fill(slot + m.dst[0].off, m.key, 0, m.len);
}

/* READ or atomic k is complete: compare what it brought */
static void check_brought(struct end *e, uint32_t qp, uint64_t k, const struct msg *m)
{
	const uint8_t *slot = e->side[qp].src + (k % e->p.depth) * e->slot_size;
	size_t pos = 0, good;
	int i;

	for (i = 0; i < m->nsrc; i++) {
		good = payload_compare(slot + m->src[i].off, m->key, pos, m->src[i].len);
		if (good != m->src[i].len)
			fail_msg(qp, k, m, "byte", pos + good, slot[m->src[i].off + good],
				 payload_byte(m->key, pos + good));
		pos += m->src[i].len;
	}
}

static void check_wc(uint32_t qp, uint64_t k, const struct msg *m, const struct ibv_wc *wc)
{
	bool imm = m->op == OP_WRITE_IMM || m->op == OP_SEND_IMM;
	enum ibv_wc_opcode opcode = m->op == OP_WRITE_IMM ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;

	if (wc->wr_id != k)
		fail_msg(qp, k, m, "receive completions out of order: wr_id", 0, wc->wr_id, k);
	if (wc->opcode != opcode)
		fail_msg(qp, k, m, "receive completion: opcode", 0, wc->opcode, opcode);
	if (wc->byte_len != m->len)
		fail_msg(qp, k, m, "receive completion: byte_len", 0, wc->byte_len, m->len);
	if (!!(wc->wc_flags & IBV_WC_WITH_IMM) != imm)
		fail_msg(qp, k, m, "receive completion: wc_flags", 0, wc->wc_flags, imm ? IBV_WC_WITH_IMM : 0);
	if (imm && ntohl(wc->imm_data) != m->imm)
		fail_msg(qp, k, m, "receive completion: immediate", 0, ntohl(wc->imm_data), m->imm);
}

static struct side *find_side(struct end *e, uint32_t qpn, uint32_t *qp)
{
	for (*qp = 0; *qp < e->p.qps; (*qp)++) {
		if (e->side[*qp].qp->qp_num == qpn)
			return &e->side[*qp];
	}
	vt_die("completion of QP %#x, which is none of ours", qpn);
}

static void check_status(const struct ibv_wc *wc, const char *what)
{
	if (wc->status != IBV_WC_SUCCESS)
		vt_die("%s completion of QP %#x, wr_id %" PRIu64 ": %s (vendor error %u)", what, wc->qp_num, wc->wr_id,
		       ibv_wc_status_str(wc->status), wc->vendor_err);
}

/* --- receiving --- */

static void post_recv(struct end *e, struct side *s, uint64_t k, const struct msg *m)
{
	uint64_t base = (uintptr_t)s->dst + (k % e->p.depth) * e->slot_size;
	struct ibv_sge sge[MAX_SEG + 1];
	struct ibv_recv_wr wr = { .wr_id = k, .sg_list = sge }, *bad;
	int i, err;

	/* A WRITE with immediate takes a receive and must leave its buffer alone: give it bytes of the guard */
	for (i = 0; i < m->ndst; i++) {
		sge[i].addr = base + m->dst[i].off;
		sge[i].length = m->dst[i].len;
		sge[i].lkey = s->dst_mr->lkey;
	}
	if (m->op == OP_WRITE_IMM && i) {
		sge[0].addr = base;
		sge[0].length = GUARD / 2;
	} else if (i) {
		sge[i - 1].length += m->spare;
	}
	wr.num_sge = i;
	err = ibv_post_recv(s->qp, &wr, &bad);
	if (err)
		vt_die("post receive %" PRIu64 ": %s", k, strerror(err));
}

static void post_recvs(struct end *e, uint32_t qp)
{
	struct side *s = &e->side[qp];
	struct msg m;

	for (; s->posted < e->recvs && s->posted < s->checked + e->p.depth; s->posted++) {
		make_msg(&m, &e->p, qp, !e->dir, s->posted);
		if (notifies(m.op))
			post_recv(e, s, s->posted, &m);
	}
}

static void ctrl_post_recv(struct end *e, unsigned int i)
{
	struct ibv_sge sge = {
		.addr = (uintptr_t)&e->ctrl_buf[i], .length = sizeof(struct ctrl_msg), .lkey = e->ctrl_mr->lkey,
	};
	struct ibv_recv_wr wr = { .wr_id = i, .sg_list = &sge, .num_sge = 1 }, *bad;
	int err;

	err = ibv_post_recv(e->ctrl, &wr, &bad);
	if (err)
		vt_die("post receive on the control QP: %s", strerror(err));
}

static void ctrl_receive(struct end *e, const struct ibv_wc *wc)
{
	const struct ctrl_msg *c = &e->ctrl_buf[wc->wr_id];
	struct side *s;

	if (wc->wr_id >= CTRL_RECVS || wc->byte_len != sizeof(*c) || c->qp >= e->p.qps)
		vt_die("control message %" PRIu64 " of %u bytes for qp %u", wc->wr_id, wc->byte_len, c->qp);
	s = &e->side[c->qp];
	if (c->checked <= s->peer_checked || c->checked > s->sent)
		vt_die("qp %u: the other end has checked %" PRIu64 " messages, after %" PRIu64 ", of %" PRIu64,
		       c->qp, c->checked, s->peer_checked, s->sent);
	s->peer_checked = c->checked;
	ctrl_post_recv(e, wc->wr_id);
}

static int poll_recvs(struct end *e)
{
	struct ibv_wc wc[16];
	struct side *s;
	struct msg m;
	uint32_t qp;
	int i, n;

	n = ibv_poll_cq(e->rcq, ARRAY_SIZE(wc), wc);
	if (n < 0)
		vt_die("poll the receive CQ: %d", n);
	for (i = 0; i < n; i++) {
		check_status(&wc[i], "receive");
		if (wc[i].qp_num == e->ctrl->qp_num) {
			ctrl_receive(e, &wc[i]);
			continue;
		}
		s = find_side(e, wc[i].qp_num, &qp);
		do {
			if (s->checked == e->recvs)
				vt_die("qp %u: completion after the last message", qp);
			check_msg(e, qp, s->checked);
			prepare(e, qp, s->checked + e->p.depth);
			make_msg(&m, &e->p, qp, !e->dir, s->checked++);
		} while (!notifies(m.op));
		check_wc(qp, s->checked - 1, &m, &wc[i]);
		post_recvs(e, qp);
	}
	return n;
}

/* --- sending --- */

static void fill_wr(struct end *e, uint32_t qp, uint64_t k, struct ibv_send_wr *wr, struct ibv_sge *sge)
{
	size_t slot = (k % e->p.depth) * e->slot_size;
	struct side *s = &e->side[qp];
	uint64_t pos = 0, remote;
	struct msg m, before;
	int i;

	make_msg(&m, &e->p, qp, e->dir, k);
	for (i = 0; i < m.nsrc; i++) {
		if (brings(m.op))
			memset(s->src + slot + m.src[i].off, SPOILED, m.src[i].len);
		else
			payload_fill(s->src + slot + m.src[i].off, m.key, pos, m.src[i].len);
		pos += m.src[i].len;
		sge[i].addr = (uintptr_t)s->src + slot + m.src[i].off;
		sge[i].length = m.src[i].len;
		sge[i].lkey = s->src_mr->lkey;
	}
	memset(wr, 0, sizeof(*wr));
	wr->wr_id = k;
	wr->sg_list = sge;
	wr->num_sge = m.nsrc;
	wr->opcode = op_kind[m.op].post;
	wr->imm_data = htonl(m.imm);
	if (m.signalled)
		wr->send_flags |= IBV_SEND_SIGNALED;
	/* A receiver that sleeps is woken by every completion, so solicited makes no difference to the run */
	if (m.solicited && notifies(m.op))
		wr->send_flags |= IBV_SEND_SOLICITED;
	if (m.may_inline && !brings(m.op) && m.len <= s->max_inline)
		wr->send_flags |= IBV_SEND_INLINE;
	if (k) {
		make_msg(&before, &e->p, qp, e->dir, k - 1);
		if (before.op == OP_READ)
			wr->send_flags |= IBV_SEND_FENCE;
	}
	remote = s->remote_addr + slot + (m.ndst ? m.dst[0].off : 0);
	if (is_atomic(m.op)) {
		fill_atomic(wr, &m, remote, s->remote_rkey);
	} else if (m.op != OP_SEND && m.op != OP_SEND_IMM) {
		wr->wr.rdma.remote_addr = remote;
		wr->wr.rdma.rkey = s->remote_rkey;
	}
}

/* What was sent inline may be overwritten at once: do so, to see that it was copied */
static void spoil_inline(const struct ibv_send_wr *wr)
{
	int i;

	for (i = 0; wr->send_flags & IBV_SEND_INLINE && i < wr->num_sge; i++)
		memset((void *)(uintptr_t)wr->sg_list[i].addr, SPOILED, wr->sg_list[i].length);
}

static int post_sends(struct end *e, uint32_t qp)
{
	struct ibv_sge sge[MAX_BATCH][MAX_SEG];
	struct ibv_send_wr wr[MAX_BATCH], *bad;
	struct side *s = &e->side[qp];
	int n = 0, i, err;

	while (n < MAX_BATCH && s->sent + n < e->sends && s->sent + n < s->completed + e->p.depth &&
	       s->sent + n < s->peer_checked + e->p.depth) {
		fill_wr(e, qp, s->sent + n, &wr[n], sge[n]);
		if (n)
			wr[n - 1].next = &wr[n];
		n++;
	}
	if (!n)
		return 0;
	s->sent += n;
	err = ibv_post_send(s->qp, wr, &bad);
	if (err)
		vt_die("qp %u: post message %" PRIu64 ": %s", qp, bad->wr_id, strerror(err));
	for (i = 0; i < n; i++)
		spoil_inline(&wr[i]);
	return n;
}

static void tell_checked(struct end *e, uint32_t qp)
{
	struct ctrl_msg c = { .qp = qp, .checked = e->side[qp].checked };
	struct ibv_sge sge = { .addr = (uintptr_t)&c, .length = sizeof(c) };
	struct ibv_send_wr wr = {
		.sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
	}, *bad;
	int err;

	err = ibv_post_send(e->ctrl, &wr, &bad);
	if (err)
		vt_die("post on the control QP: %s", strerror(err));
	e->side[qp].told = c.checked;
	e->ctrl_busy++;
}

/* The completion of message k frees all source slots up to it, for sends complete in order */
static void send_done(struct end *e, const struct ibv_wc *wc)
{
	uint32_t qp;
	struct side *s = find_side(e, wc->qp_num, &qp);
	struct msg m;

	do {
		if (s->completed == s->sent)
			vt_die("qp %u: send completion %" PRIu64 ", but %" PRIu64 " were posted", qp, wc->wr_id,
			       s->sent);
		make_msg(&m, &e->p, qp, e->dir, s->completed);
		if (brings(m.op))
			check_brought(e, qp, s->completed, &m);
		s->completed++;
	} while (!m.signalled);
	if (wc->wr_id != s->completed - 1)
		fail_msg(qp, s->completed - 1, &m, "send completions out of order: wr_id", 0, wc->wr_id,
			 s->completed - 1);
	if (wc->opcode != op_kind[m.op].done)
		fail_msg(qp, s->completed - 1, &m, "send completion: opcode", 0, wc->opcode, op_kind[m.op].done);
}

static int poll_sends(struct end *e)
{
	struct ibv_wc wc[16];
	int i, n;

	n = ibv_poll_cq(e->scq, ARRAY_SIZE(wc), wc);
	if (n < 0)
		vt_die("poll the send CQ: %d", n);
	for (i = 0; i < n; i++) {
		check_status(&wc[i], "send");
		if (wc[i].qp_num == e->ctrl->qp_num)
			e->ctrl_busy--;
		else
			send_done(e, &wc[i]);
	}
	return n;
}

/* --- the run --- */

static bool all_done(const struct end *e)
{
	const struct side *s;
	uint32_t qp;

	for (qp = 0; qp < e->p.qps; qp++) {
		s = &e->side[qp];
		if (s->completed != e->sends || s->peer_checked != e->sends)
			return false;
		if (s->checked != e->recvs || s->told != e->recvs)
			return false;
	}
	return !e->ctrl_busy;
}

static int step(struct end *e)
{
	int progress = 0;
	uint32_t qp;

	progress += poll_recvs(e);
	progress += poll_sends(e);
	for (qp = 0; qp < e->p.qps; qp++) {
		progress += post_sends(e, qp);
		if (e->side[qp].told != e->side[qp].checked && e->ctrl_busy < CTRL_DEPTH) {
			tell_checked(e, qp);
			progress++;
		}
	}
	return progress;
}

static void check_async(struct end *e)
{
	struct pollfd pfd = { .fd = e->dev.ctx->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	while (poll(&pfd, 1, 0) == 1) {
		if (ibv_get_async_event(e->dev.ctx, &event))
			return;
		ibv_ack_async_event(&event);
		switch (event.event_type) {
		case IBV_EVENT_CQ_ERR:
		case IBV_EVENT_QP_FATAL:
		case IBV_EVENT_QP_REQ_ERR:
		case IBV_EVENT_QP_ACCESS_ERR:
		case IBV_EVENT_DEVICE_FATAL:
			vt_die("asynchronous event: %s", ibv_event_type_str(event.event_type));
		default:
			break;
		}
	}
}

static void arm_cq(struct end *e)
{
	if (ibv_req_notify_cq(e->rcq, 0) || ibv_req_notify_cq(e->scq, 0))
		vt_die("arm a CQ: %s", strerror(errno));
}

/* Armed before the last look at the queues, so nothing slips through */
static void wait_event(struct end *e)
{
	struct pollfd pfd = { .fd = e->channel->fd, .events = POLLIN };
	struct ibv_cq *cq;
	void *context;

	if (poll(&pfd, 1, 1000) != 1)
		return;
	if (ibv_get_cq_event(e->channel, &cq, &context))
		vt_die("get CQ event: %s", strerror(errno));
	if (cq != e->rcq && cq != e->scq)
		vt_die("event of an unknown CQ");
	e->events[cq == e->scq]++;
}

static void run(struct end *e)
{
	uint64_t last = vt_now_ns(), k;
	bool armed = false;
	uint32_t qp;

	for (qp = 0; qp < e->p.qps; qp++) {
		for (k = 0; k < e->p.depth; k++)
			prepare(e, qp, k);
		post_recvs(e, qp);
	}
	/* The other end may send as soon as its receives are posted too: receives first, then the word for it */
	vt_tcp_write(e->fd, "R", 1);
	vt_tcp_read(e->fd, &(char){ 0 }, 1);

	while (!all_done(e)) {
		if (step(e)) {
			last = vt_now_ns();
			armed = false;
			continue;
		}
		check_async(e);
		if (vt_now_ns() - last > e->opt->stall_s * 1000000000ull)
			vt_die("no progress for %u s; qp 0: %" PRIu64 " sent, %" PRIu64 " completed, %" PRIu64
			       " checked by the other end; %" PRIu64 " checked here", e->opt->stall_s, e->side[0].sent,
			       e->side[0].completed, e->side[0].peer_checked, e->side[0].checked);
		if (!e->opt->events)
			continue;
		if (armed)
			wait_event(e);
		else
			arm_cq(e);
		armed = !armed;
	}
}

/* After the last message nothing but the pattern may be in the target slots */
static void check_rest(struct end *e)
{
	size_t len = e->p.depth * e->slot_size, good;
	uint32_t qp;

	for (qp = 0; qp < e->p.qps; qp++) {
		good = pattern_compare(e->side[qp].dst, len);
		if (good != len)
			vt_die("qp %u: slot %zu offset %zu was written, but by no message: 0x%02x", qp,
			       good / e->slot_size, good % e->slot_size, e->side[qp].dst[good]);
	}
}

/* --- setting up --- */

static void *map(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		vt_die("%zu bytes of memory: %s", len, strerror(errno));
	return p;
}

static struct ibv_mr *reg(struct end *e, void *p, size_t len, int access)
{
	struct ibv_mr *mr = ibv_reg_mr(e->dev.pd, p, len, access);

	if (!mr)
		vt_die("register %zu bytes: %s", len, strerror(errno));
	return mr;
}

static struct ibv_qp *make_qp(struct end *e, uint32_t sends, uint32_t recvs, uint32_t sges, uint32_t *max_inline)
{
	struct ibv_qp_init_attr attr = {
		.qp_type = IBV_QPT_RC, .send_cq = e->scq, .recv_cq = e->rcq,
		.cap = {
			.max_send_wr = sends, .max_recv_wr = recvs, .max_send_sge = sges, .max_recv_sge = sges,
			.max_inline_data = 128,
		},
	};
	struct ibv_qp *qp;
	int err;

	qp = ibv_create_qp(e->dev.pd, &attr);
	if (!qp)
		vt_die("create QP: %s", strerror(errno));
	if (max_inline)
		*max_inline = attr.cap.max_inline_data;
	err = vt_to_init(qp, IBV_ACCESS_LOCAL_WRITE | REMOTE_ACCESS);
	if (err)
		vt_die("QP to INIT: %s", strerror(err));
	return qp;
}

static void make_sides(struct end *e)
{
	size_t len = e->p.depth * e->slot_size;
	struct side *s;
	uint32_t qp;

	e->side = calloc(e->p.qps, sizeof(*e->side));
	if (!e->side)
		vt_die("out of memory");
	for (qp = 0; qp < e->p.qps; qp++) {
		s = &e->side[qp];
		s->src = map(len);
		s->src_mr = reg(e, s->src, len, IBV_ACCESS_LOCAL_WRITE);
		s->dst = map(len);
		memset(s->dst, PATTERN, len);
		s->dst_mr = reg(e, s->dst, len, IBV_ACCESS_LOCAL_WRITE | REMOTE_ACCESS);
		s->qp = make_qp(e, e->p.depth, e->p.depth, e->p.sges, &s->max_inline);
	}
	len = CTRL_RECVS * sizeof(*e->ctrl_buf);
	e->ctrl_buf = map(len);
	e->ctrl_mr = reg(e, e->ctrl_buf, len, IBV_ACCESS_LOCAL_WRITE);
	e->ctrl = make_qp(e, CTRL_DEPTH, CTRL_RECVS, 1, NULL);
	for (qp = 0; qp < CTRL_RECVS; qp++)
		ctrl_post_recv(e, qp);
}

static void make_cqs(struct end *e)
{
	int entries = e->p.qps * e->p.depth + CTRL_RECVS;

	e->channel = ibv_create_comp_channel(e->dev.ctx);
	if (!e->channel)
		vt_die("create completion channel: %s", strerror(errno));
	e->scq = ibv_create_cq(e->dev.ctx, entries, NULL, e->channel, 0);
	e->rcq = ibv_create_cq(e->dev.ctx, entries, NULL, e->channel, 0);
	if (!e->scq || !e->rcq)
		vt_die("create a CQ of %d entries: %s", entries, strerror(errno));
}

static void connect_qp(struct end *e, struct ibv_qp *qp, struct side *s)
{
	struct hello mine = {
		.addr = { .gid = e->dev.gid, .qpn = qp->qp_num, .psn = vt_hash(vt_now_ns() ^ qp->qp_num) & 0xffffff },
		.va = s ? (uintptr_t)s->dst : 0, .rkey = s ? s->dst_mr->rkey : 0,
	}, theirs;
	struct vt_tune tune = e->opt->tune;
	int err;

	vt_tcp_write(e->fd, &mine, sizeof(mine));
	vt_tcp_read(e->fd, &theirs, sizeof(theirs));
	tune.mtu = e->p.mtu;
	err = vt_to_rtr(qp, &e->dev, &theirs.addr, &tune);
	if (err)
		vt_die("QP to RTR: %s", strerror(err));
	err = vt_to_rts(qp, mine.addr.psn, &tune);
	if (err)
		vt_die("QP to RTS: %s", strerror(err));
	if (s) {
		s->remote_addr = theirs.va;
		s->remote_rkey = theirs.rkey;
	}
}

static bool has_atomics(struct ibv_context *ctx)
{
	struct ibv_device_attr attr;

	return !ibv_query_device(ctx, &attr) && attr.atomic_cap != IBV_ATOMIC_NONE;
}

static void agree(struct end *e)
{
	struct params *p = &e->p, theirs;

	*p = e->opt->p;
	if (!has_atomics(e->dev.ctx))
		p->ops &= ~(1u << OP_ADD) & ~(1u << OP_SWAP);
	p->mtu = e->opt->mtu && e->opt->mtu < (int)e->dev.mtu ? (uint32_t)e->opt->mtu : e->dev.mtu;
	vt_tcp_write(e->fd, p, sizeof(*p));
	vt_tcp_read(e->fd, &theirs, sizeof(theirs));
	if (theirs.version != p->version)
		vt_die("the other end has version %u, this one %u", theirs.version, p->version);
	if (theirs.mtu > p->mtu)
		theirs.mtu = p->mtu;
	p->mtu = theirs.mtu;
	if (e->dir)
		*p = theirs;
	if (!p->qps || p->qps > MAX_QPS || p->depth < 4 || !p->sges || p->sges > MAX_SEG || p->max_size > 1u << 30)
		vt_die("the client asks for the impossible");
	e->slot_size = slot_size(p);
	e->sends = !e->dir || p->directions == 2 ? p->messages : 0;
	e->recvs = e->dir || p->directions == 2 ? p->messages : 0;
}

static void must(int err, const char *what)
{
	if (err)
		vt_die("%s: %s", what, strerror(err));
}

static void tear_down(struct end *e)
{
	size_t len = e->p.depth * e->slot_size;
	struct side *s;
	uint32_t qp;

	must(ibv_destroy_qp(e->ctrl), "destroy the control QP");
	must(ibv_dereg_mr(e->ctrl_mr), "deregister");
	munmap(e->ctrl_buf, CTRL_RECVS * sizeof(*e->ctrl_buf));
	for (qp = 0; qp < e->p.qps; qp++) {
		s = &e->side[qp];
		must(ibv_destroy_qp(s->qp), "destroy a QP");
		must(ibv_dereg_mr(s->src_mr), "deregister");
		must(ibv_dereg_mr(s->dst_mr), "deregister");
		munmap(s->src, len);
		munmap(s->dst, len);
	}
	free(e->side);
	ibv_ack_cq_events(e->scq, e->events[1]);
	ibv_ack_cq_events(e->rcq, e->events[0]);
	must(ibv_destroy_cq(e->scq), "destroy a CQ");
	must(ibv_destroy_cq(e->rcq), "destroy a CQ");
	must(ibv_destroy_comp_channel(e->channel), "destroy the completion channel");
	vt_close(&e->dev);
	close(e->fd);
}

static void one_end(struct options *opt)
{
	struct end e = { .opt = opt, .dir = !opt->host };
	uint64_t start;
	uint32_t qp;
	char done;

	vt_program = e.dir ? "integrity (server)" : "integrity";
	vt_open(&e.dev, opt->device, opt->gid_index, opt->ipv6);
	e.fd = e.dir ? vt_tcp_accept(opt->port) : vt_tcp_connect(opt->host, opt->port);
	agree(&e);
	make_cqs(&e);
	make_sides(&e);
	for (qp = 0; qp < e.p.qps; qp++)
		connect_qp(&e, e.side[qp].qp, &e.side[qp]);
	connect_qp(&e, e.ctrl, NULL);

	start = vt_now_ns();
	run(&e);
	start = vt_now_ns() - start;
	/* Nothing of the other end is under way when it says so as well */
	vt_tcp_write(e.fd, "D", 1);
	vt_tcp_read(e.fd, &done, 1);
	check_rest(&e);
	check_async(&e);
	vt_tcp_write(e.fd, "K", 1);
	vt_tcp_read(e.fd, &done, 1);
	if (done != 'K')
		vt_die("the other end has found an error");
	tear_down(&e);
	printf("%s: ok messages=%" PRIu64 " bytes=%" PRIu64 " errors=0\n", vt_program, e.messages, e.bytes);
	fprintf(stderr, "%s: %" PRIu64 " ms, %u + %u events\n", vt_program, start / 1000000, e.events[0], e.events[1]);
}

/* --- command line --- */

static void print_usage(FILE *f)
{
	fprintf(f,
		"usage: integrity [OPTION...] [HOST]\n"
		"\n"
		"Move random messages and check every byte. Without HOST: server, for one run. The client's options with (*)\n"
		"count for both. Ends with 0 when all was right, and prints what the first difference was when not.\n"
		"\n"
		"  -d, --device NAME    RDMA device (the first)\n"
		"  -x, --gid-index N    GID (a RoCE v2 one, IPv4-mapped if there is one)\n"
		"  -6                   choose an IPv6 GID\n"
		"  -p, --port N         TCP port to meet on (18599)\n"
		"  -e, --events         sleep until there are completions\n"
		"  -m, --mtu N          path MTU in bytes (the port's active MTU; the smaller of both ends)\n"
		"  -n, --messages N     (*) messages per QP and direction (1000)\n"
		"  -s, --size N         (*) longest message in bytes (65536; 0 to 1 GiB)\n"
		"  -q, --qps N          (*) QPs (1)\n"
		"  -D, --depth N        (*) messages under way per QP and direction (16; fewer if they are long)\n"
		"  -g, --sges N         (*) pieces of a message at most (8)\n"
		"  -o, --ops LIST       (*) of write,write_imm,send,send_imm,read,fetch_add,cmp_swap (all that the device has)\n"
		"  -1, --one-way        (*) client to server only\n"
		"  -S, --seed N         (*) a run with the same seed and options moves the same (1)\n"
		"  -t, --timeout N      ACK timeout of the QPs, 4.096 us << N (14)\n"
		"  -r, --retry N        retry count (7)\n"
		"      --stall N        seconds without progress that are an error (60)\n"
		"      --self           be both ends: run a server beside the client\n");
}

static uint64_t parse_number(const char *arg, uint64_t min, uint64_t max, const char *what)
{
	char *end;
	uint64_t n;

	errno = 0;
	n = strtoull(arg, &end, 0);
	if (errno || end == arg || *end || *arg == '-' || n < min || n > max) {
		fprintf(stderr, "integrity: %s: %s is not a number from %" PRIu64 " to %" PRIu64 "\n", what, arg, min,
			max);
		exit(2);
	}
	return n;
}

static uint32_t parse_ops(char *arg)
{
	uint32_t ops = 0;
	char *name;
	int i;

	for (name = strtok(arg, ","); name; name = strtok(NULL, ",")) {
		for (i = 0; i < OP_COUNT && strcmp(name, op_kind[i].name); i++)
			;
		if (i == OP_COUNT) {
			fprintf(stderr, "integrity: no such operation: %s\n", name);
			exit(2);
		}
		ops |= 1u << i;
	}
	return ops;
}

static int mtu_code(uint32_t bytes)
{
	int code;

	for (code = IBV_MTU_256; code <= IBV_MTU_4096; code++) {
		if (bytes == 128u << code)
			return code;
	}
	fprintf(stderr, "integrity: MTU %u is none of 256, 512, 1024, 2048, 4096\n", bytes);
	exit(2);
}

static void parse_load_option(struct params *p, int c)
{
	switch (c) {
	case 'n':
		p->messages = parse_number(optarg, 1, UINT64_MAX, "messages");
		break;
	case 's':
		p->max_size = parse_number(optarg, 0, 1u << 30, "size");
		break;
	case 'q':
		p->qps = parse_number(optarg, 1, MAX_QPS, "qps");
		break;
	case 'D':
		p->depth = parse_number(optarg, 4, 16384, "depth");
		break;
	case 'g':
		p->sges = parse_number(optarg, 1, MAX_SEG, "sges");
		break;
	case 'o':
		p->ops = parse_ops(optarg);
		break;
	case '1':
		p->directions = 1;
		break;
	case 'S':
		p->seed = parse_number(optarg, 0, UINT64_MAX, "seed");
		break;
	default:
		print_usage(stderr);
		exit(2);
	}
}

static void parse_option(struct options *opt, int c)
{
	switch (c) {
	case 'd':
		opt->device = optarg;
		break;
	case 'x':
		opt->gid_index = parse_number(optarg, 0, 65535, "gid-index");
		break;
	case '6':
		opt->ipv6 = true;
		break;
	case 'p':
		opt->port = parse_number(optarg, 1, 65535, "port");
		break;
	case 'e':
		opt->events = true;
		break;
	case 'm':
		opt->mtu = mtu_code(parse_number(optarg, 256, 4096, "mtu"));
		break;
	case 't':
		opt->tune.timeout = parse_number(optarg, 0, 31, "timeout");
		break;
	case 'r':
		opt->tune.retry_cnt = parse_number(optarg, 0, 7, "retry");
		break;
	case 1000:
		opt->stall_s = parse_number(optarg, 1, 86400, "stall");
		break;
	case 1001:
		opt->self = true;
		break;
	case 'h':
		print_usage(stdout);
		exit(0);
	default:
		parse_load_option(&opt->p, c);
	}
}

static void parse(struct options *opt, int argc, char **argv)
{
	static const struct option longs[] = {
		{ "device", 1, NULL, 'd' }, { "gid-index", 1, NULL, 'x' }, { "port", 1, NULL, 'p' },
		{ "events", 0, NULL, 'e' }, { "mtu", 1, NULL, 'm' }, { "messages", 1, NULL, 'n' },
		{ "size", 1, NULL, 's' }, { "qps", 1, NULL, 'q' }, { "depth", 1, NULL, 'D' }, { "sges", 1, NULL, 'g' },
		{ "ops", 1, NULL, 'o' }, { "one-way", 0, NULL, '1' }, { "seed", 1, NULL, 'S' },
		{ "timeout", 1, NULL, 't' }, { "retry", 1, NULL, 'r' }, { "stall", 1, NULL, 1000 },
		{ "self", 0, NULL, 1001 }, { "help", 0, NULL, 'h' }, {}
	};
	const uint64_t most = 64u << 20;	/* bytes of slots per QP, direction and side */
	int c;

	while ((c = getopt_long(argc, argv, "d:x:6p:em:n:s:q:D:g:o:1S:t:r:h", longs, NULL)) >= 0)
		parse_option(opt, c);
	if (optind < argc - 1 || !opt->p.ops || (opt->self && optind < argc)) {
		print_usage(stderr);
		exit(2);
	}
	opt->host = argv[optind];
	while (opt->p.depth > 4 && opt->p.depth * slot_size(&opt->p) > most)
		opt->p.depth /= 2;
	if (opt->p.depth < 4)
		opt->p.depth = 4;
}

static int both_ends(struct options *opt)
{
	int status;
	pid_t pid;

	pid = fork();
	if (pid < 0) {
		perror("integrity: fork");
		return 1;
	}
	if (!pid) {
		one_end(opt);
		exit(0);
	}
	opt->host = "localhost";
	one_end(opt);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return 1;
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	struct options opt = {
		.p = {
			.version = 3, .seed = 1, .messages = 1000, .max_size = 65536, .qps = 1, .depth = 16,
			.sges = MAX_SEG, .ops = (1u << OP_COUNT) - 1, .directions = 2,
		},
		.gid_index = -1, .port = 18599, .stall_s = 60,
		.tune = { .timeout = 14, .retry_cnt = 7, .rnr_retry = 7, .min_rnr_timer = 1 },
	};

	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	parse(&opt, argc, argv);
	if (opt.self)
		return both_ends(&opt);
	one_end(&opt);
	return 0;
}
