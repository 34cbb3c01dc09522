/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * harness.h: connected QPs, posting, waiting for what comes of it, and the notes of what was not as expected.
 *
 * Both ends of each connection are in this process, on one device (loopback) or two. Every test makes its own QPs;
 * after each, a fresh pair of QPs must still carry a message.
 */
#ifndef SMRC_TESTS_HARNESS_H
#define SMRC_TESTS_HARNESS_H

#include <rdma/smrc-abi.h>

#include "../common.h"

#define BUF		(256u * 1024)
#define WAIT_MS		20000
#define QUIET_MS	200
#define FILL		0x5a
#define ALL_ACCESS	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
			 IBV_ACCESS_REMOTE_ATOMIC)

/**
 * struct test - one test
 * @name: as printed; NULL ends a table
 * @run: does it
 * @smrc_only: of no use with other devices
 */
struct test {
	const char	*name;
	void		(*run)(void);
	bool		smrc_only;
};

/**
 * struct opts - how a pair of QPs is made, zero where the default serves
 * @depth: work requests of each queue (32)
 * @sges: entries of a work request (4)
 * @cqe: entries of each CQ (256)
 * @sig_all: all sends are signalled
 * @tune: of both QPs, if its mtu is set
 * @qp_access: rights that the QPs grant (all)
 * @mr_access: of the regions (all)
 * @dead_peer: end a connects to a QP that is not there
 * @unconnected: leave both in RESET
 * @send_ops: enum ibv_qp_create_send_ops_flags of the ibv_wr_*() calls (not offered)
 * @wc_flags: enum ibv_create_cq_wc_flags of extended CQs (plain ones)
 */
struct opts {
	uint32_t	depth;
	uint32_t	sges;
	int		cqe;
	bool		sig_all;
	struct vt_tune	tune;
	unsigned int	qp_access;
	unsigned int	mr_access;
	bool		dead_peer;
	bool		unconnected;
	uint64_t	send_ops;
	uint64_t	wc_flags;
};

/**
 * struct end - one end of a connection
 * @dev: its device
 * @channel: events of @cq
 * @cq: CQ of both queues
 * @qp: QP; a test that destroys it sets NULL
 * @cap: what the QP really has
 * @buf: BUF bytes, FILL at first
 * @mr: region of @buf; a test that deregisters it sets NULL
 */
struct end {
	struct vt_dev		*dev;
	struct ibv_comp_channel	*channel;
	struct ibv_cq		*cq;
	struct ibv_qp		*qp;
	struct ibv_qp_cap	cap;
	uint8_t			*buf;
	struct ibv_mr		*mr;
};

/**
 * struct pair - a connection
 * @a: sends, in most tests
 * @b: receives
 */
struct pair {
	struct end a;
	struct end b;
};

/**
 * struct send - a send request that a test may change before it posts it
 * @wr: request
 * @sge: its entries
 */
struct send {
	struct ibv_send_wr	wr;
	struct ibv_sge		sge[4];
};

extern const struct test access_tests[], read_tests[], atomic_tests[], wr_tests[], queue_tests[], state_tests[];
extern const struct test hostile_tests[], cq_ex_tests[];

extern struct vt_dev devs[2];
extern struct vt_dev *dev_a, *dev_b;
extern struct ibv_device_attr dev_attr;
extern bool generic;
extern uint64_t seed;
extern int effort;
extern char failure[400];

int rounds(int n);
void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#define EXPECT(cond, fmt, ...) \
	do { if (!(cond)) fail("%s line %d: " fmt, __FILE_NAME__, __LINE__, ##__VA_ARGS__); } while (0)

#define EXPECT_EQ(have, want, what) do {							\
	long long _have = (have), _want = (want);						\
	EXPECT(_have == _want, "%s is %lld, expected %lld", what, _have, _want);		\
} while (0)

/* A completion of the end @e: wr_id @id, status @st, for a Soft-MRC device vendor error @verr */
#define EXPECT_WC(e, id, st)		expect_wc(e, id, st, -1, __FILE_NAME__, __LINE__)
#define EXPECT_VERR(e, id, st, verr)	expect_wc(e, id, st, verr, __FILE_NAME__, __LINE__)
#define EXPECT_NOTHING(e)		expect_nothing(e, __FILE_NAME__, __LINE__)

struct vt_tune tune_of(const struct opts *o);
void make_pair(struct pair *p, const struct opts *o);
void connect_end(struct end *e, const struct end *peer, const struct opts *o, bool dead);
void drop_pair(struct pair *p);
void use_pair(struct pair *p);

int post_recv(struct end *e, uint64_t wr_id, uint32_t off, uint32_t len);
void init_send(struct send *s, const struct pair *p, uint64_t wr_id, enum ibv_wr_opcode opcode, uint32_t len);
int post(struct pair *p, struct send *s);
int simple_send(struct pair *p, uint64_t wr_id, enum ibv_wr_opcode opcode, uint32_t len);

bool get_wc(struct end *e, struct ibv_wc *wc, unsigned int ms);
void expect_wc(struct end *e, uint64_t wr_id, enum ibv_wc_status status, int vendor_err, const char *file, int line);
void expect_nothing(struct end *e, const char *file, int line);
enum ibv_qp_state state_of(struct ibv_qp *qp);
bool wait_state(struct ibv_qp *qp, enum ibv_qp_state state);
bool wait_async(struct vt_dev *dev, enum ibv_event_type type, unsigned int ms);
void drain_async(void);
bool untouched(const uint8_t *buf, size_t len);

#endif /* SMRC_TESTS_HARNESS_H */
