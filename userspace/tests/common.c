// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * common.c: see common.h
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

/** vt_program - name in front of messages */
const char *vt_program = "test";

/**
 * vt_die - end the program with a message
 * @fmt: printf format, without newline
 */
void vt_die(const char *fmt, ...)
{
	va_list args;

	printf("%s: FAILED: ", vt_program);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

/**
 * vt_now_ns - monotonic time
 *
 * Return: nanoseconds.
 */
uint64_t vt_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/**
 * vt_hash - a well mixed function of 64 bits; vt_hash(key + i) is a random sequence with direct access
 * @x: any value
 *
 * Return: 64 bits.
 */
uint64_t vt_hash(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15ull;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ull;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ull;
	return x ^ x >> 32;
}

static bool gid_is_v4(const union ibv_gid *gid)
{
	static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(gid->raw, prefix, sizeof(prefix));
}

static bool gid_is_link_local(const union ibv_gid *gid)
{
	return gid->raw[0] == 0xfe && (gid->raw[1] & 0xc0) == 0x80;
}

/* The RoCE v2 GID that suits best: of the family wanted, then one that is not link-local */
static int choose_gid(struct vt_dev *dev, bool ipv6)
{
	struct ibv_gid_entry entry;
	int i, score, best = 0;

	for (i = 0; i < 256; i++) {
		if (ibv_query_gid_ex(dev->ctx, 1, i, &entry, 0) || entry.gid_type != IBV_GID_TYPE_ROCE_V2)
			continue;
		score = 1 + 2 * (gid_is_v4(&entry.gid) != ipv6) + !gid_is_link_local(&entry.gid);
		if (score <= best)
			continue;
		best = score;
		dev->gid_index = i;
	}
	return best ? 0 : -1;
}

/**
 * vt_open - open a device, make a protection domain, choose a GID; ends the program when that fails
 * @dev: filled in
 * @name: of the device, NULL for the first
 * @gid_index: GID to use, -1 to choose a RoCE v2 one
 * @ipv6: choose an IPv6 GID, not an IPv4-mapped one
 */
void vt_open(struct vt_dev *dev, const char *name, int gid_index, bool ipv6)
{
	struct ibv_device **list;
	struct ibv_port_attr port;
	int i, n = 0;

	list = ibv_get_device_list(&n);
	for (i = 0; i < n; i++) {
		if (!name || !strcmp(ibv_get_device_name(list[i]), name))
			break;
	}
	if (!list || i == n)
		vt_die("no RDMA device %s among %d", name ?: "", n);
	dev->ctx = ibv_open_device(list[i]);
	if (!dev->ctx)
		vt_die("open %s: %s", ibv_get_device_name(list[i]), strerror(errno));
	ibv_free_device_list(list);

	if (ibv_query_port(dev->ctx, 1, &port))
		vt_die("query port: %s", strerror(errno));
	if (port.state != IBV_PORT_ACTIVE)
		vt_die("the port is not active but %s", ibv_port_state_str(port.state));
	dev->mtu = port.active_mtu;
	dev->gid_index = gid_index;
	if (gid_index < 0 && choose_gid(dev, ipv6))
		vt_die("no RoCE v2 GID");
	if (ibv_query_gid(dev->ctx, 1, dev->gid_index, &dev->gid))
		vt_die("query GID %d: %s", dev->gid_index, strerror(errno));
	dev->pd = ibv_alloc_pd(dev->ctx);
	if (!dev->pd)
		vt_die("alloc PD: %s", strerror(errno));
}

/**
 * vt_close - undo vt_open(); ends the program when something was left
 * @dev: open device
 */
void vt_close(struct vt_dev *dev)
{
	int err;

	err = ibv_dealloc_pd(dev->pd);
	if (err)
		vt_die("dealloc PD: %s", strerror(err));
	err = ibv_close_device(dev->ctx);
	if (err)
		vt_die("close device: %s", strerror(err));
}

/**
 * vt_to_init - RESET to INIT
 * @qp: RC QP
 * @access: enum ibv_access_flags that the QP allows its peer
 *
 * Return: 0 or an errno.
 */
int vt_to_init(struct ibv_qp *qp, unsigned int access)
{
	struct ibv_qp_attr attr = {
		.qp_state	 = IBV_QPS_INIT,
		.port_num	 = 1,
		.qp_access_flags = access,
	};

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

/**
 * vt_to_rtr - INIT to RTR
 * @qp: RC QP
 * @dev: its device
 * @remote: the other end
 * @tune: attributes
 *
 * Return: 0 or an errno.
 */
int vt_to_rtr(struct ibv_qp *qp, const struct vt_dev *dev, const struct vt_addr *remote, const struct vt_tune *tune)
{
	struct ibv_qp_attr attr = {
		.qp_state		= IBV_QPS_RTR,
		.path_mtu		= tune->mtu,
		.dest_qp_num		= remote->qpn,
		.rq_psn			= remote->psn,
		.max_dest_rd_atomic	= tune->no_reads_in ? 0 : 4,
		.min_rnr_timer		= tune->min_rnr_timer,
		.ah_attr = {
			.is_global	= 1,
			.port_num	= 1,
			.grh = {
				.dgid		= remote->gid,
				.sgid_index	= dev->gid_index,
				.hop_limit	= 64,
			},
		},
	};

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			     IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
}

/**
 * vt_to_rts - RTR to RTS
 * @qp: RC QP
 * @psn: first PSN it sends
 * @tune: attributes
 *
 * Return: 0 or an errno.
 */
int vt_to_rts(struct ibv_qp *qp, uint32_t psn, const struct vt_tune *tune)
{
	struct ibv_qp_attr attr = {
		.qp_state	= IBV_QPS_RTS,
		.sq_psn		= psn,
		.timeout	= tune->timeout,
		.retry_cnt	= tune->retry_cnt,
		.rnr_retry	= tune->rnr_retry,
		.max_rd_atomic	= tune->no_reads_out ? 0 : 4,
	};

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
			     IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC);
}

/**
 * vt_to_state - change the state and nothing else
 * @qp: QP
 * @state: new state
 *
 * Return: 0 or an errno.
 */
int vt_to_state(struct ibv_qp *qp, enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = { .qp_state = state };

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE);
}

/**
 * vt_tcp_accept - wait for one connection
 * @port: TCP port on all addresses
 *
 * Return: connected socket.
 */
int vt_tcp_accept(int port)
{
	struct sockaddr_in6 addr = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	struct sockaddr_in addr4 = { .sin_family = AF_INET, .sin_port = htons(port) };
	int one = 1, zero = 0, fd, conn;

	fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0) {
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)))
			vt_die("bind to TCP port %d: %s", port, strerror(errno));
	} else {
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		if (bind(fd, (struct sockaddr *)&addr4, sizeof(addr4)))
			vt_die("bind to TCP port %d: %s", port, strerror(errno));
	}
	if (listen(fd, 1))
		vt_die("listen: %s", strerror(errno));
	conn = accept(fd, NULL, NULL);
	if (conn < 0)
		vt_die("accept: %s", strerror(errno));
	close(fd);
	setsockopt(conn, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return conn;
}

/**
 * vt_tcp_connect - connect, with patience for a server that is still starting
 * @host: name or address
 * @port: TCP port
 *
 * Return: connected socket.
 */
int vt_tcp_connect(const char *host, int port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list, *ai;
	char service[16];
	int err, fd, i, one = 1;

	snprintf(service, sizeof(service), "%d", port);
	err = getaddrinfo(host, service, &hints, &list);
	if (err)
		vt_die("%s: %s", host, gai_strerror(err));
	for (i = 0; i < 200; i++) {
		for (ai = list; ai; ai = ai->ai_next) {
			fd = socket(ai->ai_family, ai->ai_socktype | SOCK_CLOEXEC, ai->ai_protocol);
			if (fd < 0)
				continue;
			if (!connect(fd, ai->ai_addr, ai->ai_addrlen)) {
				freeaddrinfo(list);
				setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
				return fd;
			}
			err = errno;
			close(fd);
		}
		usleep(100000);
	}
	vt_die("connect to %s port %d: %s", host, port, strerror(err));
}

/**
 * vt_tcp_write - write all
 * @fd: socket
 * @data: bytes
 * @len: how many
 */
void vt_tcp_write(int fd, const void *data, size_t len)
{
	ssize_t n;

	for (; len; len -= n, data = (const char *)data + n) {
		n = send(fd, data, len, MSG_NOSIGNAL);
		if (n <= 0)
			vt_die("write to the other end: %s", strerror(errno));
	}
}

/**
 * vt_tcp_read - read all
 * @fd: socket
 * @data: room
 * @len: bytes
 */
void vt_tcp_read(int fd, void *data, size_t len)
{
	ssize_t n;

	for (; len; len -= n, data = (char *)data + n) {
		n = read(fd, data, len);
		if (n <= 0)
			vt_die("read from the other end: %s", n ? strerror(errno) : "it closed the connection");
	}
}
