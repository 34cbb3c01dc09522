// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * smrc.c: how libibverbs finds the provider, the device and its context; and the mapping of rings.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "smrc.h"

/**
 * smrc_ring_map - map a ring that the driver has made
 * @ring: filled in; left without a ring when the driver made none (@map all zero)
 * @fd: the context's command file
 * @map: the driver's answer
 * @min_stride: bytes that an entry has at least
 *
 * Return: 0, or an errno; EPROTO for a map that contradicts the ABI.
 */
int smrc_ring_map(struct smrc_ring_buf *ring, int fd, const struct smrc_ring_map *map, size_t min_stride)
{
	uint64_t need = SMRC_RING_HDR + (uint64_t)map->entries * map->stride;
	void *addr;

	ring->hdr = NULL;
	if (!map->entries)
		return 0;
	if (map->entries & (map->entries - 1) || map->stride % 8 || map->stride < min_stride || map->size < need)
		return EPROTO;

	addr = mmap(NULL, map->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, map->offset);
	if (addr == MAP_FAILED)
		return errno;
	ring->hdr = addr;
	ring->size = map->size;
	ring->mask = map->entries - 1;
	ring->stride = map->stride;
	return 0;
}

/**
 * smrc_ring_unmap - undo smrc_ring_map()
 * @ring: ring, or none
 */
void smrc_ring_unmap(struct smrc_ring_buf *ring)
{
	if (ring->hdr)
		munmap(ring->hdr, ring->size);
	ring->hdr = NULL;
}

static void smrc_free_context(struct ibv_context *context)
{
	struct smrc_context *ctx = to_smrc_context(context);

	verbs_uninit_context(&ctx->vctx);
	free(ctx);
}

static const struct verbs_context_ops smrc_context_ops = {
	.alloc_pd	= smrc_alloc_pd,
	.create_cq	= smrc_create_cq,
	.create_cq_ex	= smrc_create_cq_ex,
	.create_qp	= smrc_create_qp,
	.create_qp_ex	= smrc_create_qp_ex,
	.dealloc_pd	= smrc_dealloc_pd,
	.dereg_mr	= smrc_dereg_mr,
	.destroy_cq	= smrc_destroy_cq,
	.destroy_qp	= smrc_destroy_qp,
	.free_context	= smrc_free_context,
	.modify_qp	= smrc_modify_qp,
	.poll_cq	= smrc_poll_cq,
	.post_recv	= smrc_post_recv,
	.post_send	= smrc_post_send,
	.query_device_ex = smrc_query_device,
	.query_port	= smrc_query_port,
	.query_qp	= smrc_query_qp,
	.reg_mr		= smrc_reg_mr,
	.req_notify_cq	= smrc_req_notify_cq,
	.resize_cq	= smrc_resize_cq,
};

/*
 * To stderr, as libibverbs itself does when versions do not match: its log is off unless the environment turns it on,
 * and without this line the user would see no more than a device that does not open.
 */
static void smrc_report_mismatch(struct ibv_device *device, const struct smrc_alloc_ucontext_resp *resp)
{
	const char *name = ibv_get_device_name(device);

	if (resp->magic != SMRC_ABI_MAGIC)
		fprintf(stderr, "libsmrc: %s: not an rdma_smrc driver: magic %#x, version %u; libsmrc wants %#x, %u\n",
			name, resp->magic, resp->abi_version, SMRC_ABI_MAGIC, SMRC_ABI_VERSION);
	else
		fprintf(stderr, "libsmrc: %s: rdma_smrc has ABI version %u, libsmrc has %u: they do not fit together\n",
			name, resp->abi_version, SMRC_ABI_VERSION);
}

static struct verbs_context *smrc_alloc_context(struct ibv_device *device, int cmd_fd, void *private_data)
{
	struct smrc_get_context cmd = { .abi_version = SMRC_ABI_VERSION };
	struct smrc_get_context_resp resp = {};
	struct smrc_context *ctx;
	int err;

	ctx = verbs_init_and_alloc_context(device, cmd_fd, ctx, vctx, SMRC_RDMA_DRIVER_ID);
	if (!ctx)
		return NULL;

	err = ibv_cmd_get_context(&ctx->vctx, &cmd.ibv_cmd, sizeof(cmd), &resp.ibv_resp, sizeof(resp));
	if (err)
		goto err_free;
	if (resp.magic != SMRC_ABI_MAGIC || resp.abi_version != SMRC_ABI_VERSION) {
		smrc_report_mismatch(device, &resp.drv_payload);
		err = EPROTONOSUPPORT;
		goto err_free;
	}
	verbs_set_ops(&ctx->vctx, &smrc_context_ops);
	return &ctx->vctx;

err_free:
	smrc_free_context(&ctx->vctx.context);
	errno = err;
	return NULL;
}

static struct verbs_device *smrc_alloc_device(struct verbs_sysfs_dev *sysfs_dev)
{
	struct smrc_device *dev;

	dev = calloc(1, sizeof(*dev));
	return dev ? &dev->vdev : NULL;
}

static void smrc_uninit_device(struct verbs_device *vdev)
{
	free(container_of(vdev, struct smrc_device, vdev));
}

static const struct verbs_match_ent smrc_match_table[] = {
	VERBS_DRIVER_ID(SMRC_RDMA_DRIVER_ID),
	{},
};

/* Every version matches: smrc_alloc_context() compares them and can name both */
static const struct verbs_device_ops smrc_device_ops = {
	.name			= "smrc",
	.match_min_abi_version	= 0,
	.match_max_abi_version	= UINT32_MAX,
	.match_table		= smrc_match_table,
	.alloc_device		= smrc_alloc_device,
	.uninit_device		= smrc_uninit_device,
	.alloc_context		= smrc_alloc_context,
};

PROVIDER_DRIVER(smrc, smrc_device_ops);
