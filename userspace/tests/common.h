/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * common.h: what the test programs share: an open device with the GID to use, connecting QPs, random numbers, TCP.
 */
#ifndef SMRC_TESTS_COMMON_H
#define SMRC_TESTS_COMMON_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/**
 * struct vt_dev - an open device
 * @ctx: its context
 * @pd: one protection domain
 * @mtu: active MTU of port 1
 * @gid_index: GID that connections use
 * @gid: that GID
 */
struct vt_dev {
	struct ibv_context	*ctx;
	struct ibv_pd		*pd;
	enum ibv_mtu		mtu;
	int			gid_index;
	union ibv_gid		gid;
};

/**
 * struct vt_addr - what the other end must know about a QP
 * @gid: of its device
 * @qpn: QP number
 * @psn: first PSN it sends
 */
struct vt_addr {
	union ibv_gid		gid;
	uint32_t		qpn;
	uint32_t		psn;
};

/**
 * struct vt_tune - attributes of a connection
 * @mtu: path MTU
 * @timeout: 4.096 us << timeout, 0 = for ever
 * @retry_cnt: 0..7
 * @rnr_retry: 0..7, 7 = for ever
 * @min_rnr_timer: code of the time that a sender waits after RNR
 * @no_reads_out: no READ may be open (4)
 * @no_reads_in: none is taken (4)
 */
struct vt_tune {
	enum ibv_mtu		mtu;
	uint8_t			timeout;
	uint8_t			retry_cnt;
	uint8_t			rnr_retry;
	uint8_t			min_rnr_timer;
	bool			no_reads_out;
	bool			no_reads_in;
};

void vt_open(struct vt_dev *dev, const char *name, int gid_index, bool ipv6);
void vt_close(struct vt_dev *dev);
int vt_to_init(struct ibv_qp *qp, unsigned int access);
int vt_to_rtr(struct ibv_qp *qp, const struct vt_dev *dev, const struct vt_addr *remote, const struct vt_tune *tune);
int vt_to_rts(struct ibv_qp *qp, uint32_t psn, const struct vt_tune *tune);
int vt_to_state(struct ibv_qp *qp, enum ibv_qp_state state);

uint64_t vt_hash(uint64_t x);
uint64_t vt_now_ns(void);

int vt_tcp_accept(int port);
int vt_tcp_connect(const char *host, int port);
void vt_tcp_write(int fd, const void *data, size_t len);
void vt_tcp_read(int fd, void *data, size_t len);

void vt_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

extern const char *vt_program;

#endif /* SMRC_TESTS_COMMON_H */
