// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * memory.c: what RC QPs cost in memory, kernel and user together.
 *
 *	memory DEVICE GID-INDEX COUNT ADDRESS [each]
 *
 * Connects COUNT QPs of depth 128 to the IPv4 address, or with "each" to that many addresses from it on, and prints the
 * bytes that the whole machine has less for every one of them. A few QPs made before warm up what is allocated once.
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

int main(int argc, char **argv)
{
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1 },
	};
	struct ibv_context *ctx;
	long long before = 0;
	uint32_t address;
	struct ibv_qp *qp;
	struct ibv_pd *pd;
	int i, count;

	count = argc < 5 ? 0 : atoi(argv[3]);
	if (count < 1 || inet_pton(AF_INET, argv[4], &address) != 1) {
		fprintf(stderr, "usage: memory DEVICE GID-INDEX COUNT ADDRESS [each]\n");
		return 2;
	}
	address = ntohl(address);
	ctx = open_device(argv[1]);
	pd = ibv_alloc_pd(ctx);
	init.send_cq = ibv_create_cq(ctx, DEPTH, NULL, NULL, 0);
	init.recv_cq = init.send_cq;
	if (!pd || !init.send_cq)
		die("PD and CQ");
	for (i = 0; i < WARM + count; i++) {
		if (i == WARM)
			before = available();
		qp = ibv_create_qp(pd, &init);
		if (!qp)
			die("create QP");
		connect_qp(qp, atoi(argv[2]), argc > 5 ? address + i : address);
	}
	printf("%lld\n", (before - available()) / count);
	return 0;	/* the kernel cleans up */
}
