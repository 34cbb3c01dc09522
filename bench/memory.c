// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * memory.c: what RC QPs cost in memory, kernel and user together.
 *
 *	memory DEVICE GID-INDEX COUNT ONE EACH
 *
 * Connects COUNT QPs of depth 128 to the IPv4 address ONE, then as many to the addresses from EACH on, one each. Prints
 * the bytes that the whole machine has less for a QP of the first kind, and how many more for one of the second, which
 * has a peer of its own. All live until the end, or the second kind would find what the first left in the kernel's
 * caches. A few QPs made before warm up what is allocated once.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WARM	16
#define DEPTH	128

static void die(const char *what)
{
	fprintf(stderr, "memory: %s: %s\n", what, strerror(errno));
	exit(1);
}

static long long available(void)
{
	static const char * const names[] = { "MemFree:", "Buffers:", "Cached:", "SReclaimable:", NULL };
	long long kib, sum = 0;
	char line[128], name[64];
	int i;
	FILE *f;

	f = fopen("/proc/meminfo", "r");
	if (!f)
		die("/proc/meminfo");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %lld", name, &kib) != 2)
			continue;
		for (i = 0; names[i]; i++) {
			if (!strcmp(name, names[i]))
				sum += kib * 1024;
		}
	}
	fclose(f);
	return sum;
}

static struct ibv_context *open_device(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *ctx = NULL;

	while (list && *list && strcmp(ibv_get_device_name(*list), name))
		list++;
	if (list && *list)
		ctx = ibv_open_device(*list);
	if (!ctx)
		die(name);
	return ctx;
}

static void connect_qp(struct ibv_qp *qp, int gid_index, uint32_t address)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};

	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS))
		die("modify to INIT");
	attr = (struct ibv_qp_attr) {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = IBV_MTU_4096,
		.dest_qp_num = 17,
		.min_rnr_timer = 12,
		.ah_attr = {
			.is_global = 1,
			.port_num = 1,
			.grh = { .sgid_index = gid_index, .hop_limit = 64 },
		},
	};
	attr.ah_attr.grh.dgid.raw[10] = 0xff;
	attr.ah_attr.grh.dgid.raw[11] = 0xff;
	address = htonl(address);
	memcpy(attr.ah_attr.grh.dgid.raw + 12, &address, sizeof(address));
	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				     IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
		die("modify to RTR");
	attr = (struct ibv_qp_attr) { .qp_state = IBV_QPS_RTS, .timeout = 14, .retry_cnt = 7, .rnr_retry = 7 };
	if (ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				     IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC))
		die("modify to RTS");
}

/**
 * struct target - where QPs go
 * @ctx: device
 * @pd: protection domain
 * @cq: CQ of all
 * @gid_index: GID
 */
struct target {
	struct ibv_context	*ctx;
	struct ibv_pd		*pd;
	struct ibv_cq		*cq;
	int			gid_index;
};

/* Bytes for each of @count QPs to addresses from @address on, @step apart */
static long long cost(const struct target *t, int count, uint32_t address, int step)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.send_cq = t->cq,
		.recv_cq = t->cq,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1 },
	};
	long long before = available();
	struct ibv_qp *qp;
	int i;

	for (i = 0; i < count; i++) {
		qp = ibv_create_qp(t->pd, &init);
		if (!qp)
			die("create QP");
		connect_qp(qp, t->gid_index, address + i * step);
	}
	return (before - available()) / count;
}

int main(int argc, char **argv)
{
	long long per_qp, per_qp_and_peer;
	uint32_t one, each;
	struct target t;
	int count;

	count = argc == 6 ? atoi(argv[3]) : 0;
	if (count < 1 || inet_pton(AF_INET, argv[4], &one) != 1 || inet_pton(AF_INET, argv[5], &each) != 1) {
		fprintf(stderr, "usage: memory DEVICE GID-INDEX COUNT ONE EACH\n");
		return 2;
	}
	t.ctx = open_device(argv[1]);
	t.gid_index = atoi(argv[2]);
	t.pd = ibv_alloc_pd(t.ctx);
	t.cq = ibv_create_cq(t.ctx, DEPTH, NULL, NULL, 0);
	if (!t.pd || !t.cq)
		die("PD and CQ");
	cost(&t, WARM, ntohl(one), 0);
	per_qp = cost(&t, count, ntohl(one), 0);
	per_qp_and_peer = cost(&t, count, ntohl(each), 1);
	printf("%lld %lld\n", per_qp, per_qp_and_peer - per_qp);
	return 0;	/* the kernel cleans up */
}
