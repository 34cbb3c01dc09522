// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * verbs.c: queries, protection domains and memory regions: objects without a part in the fast path.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "smrc.h"

/**
 * smrc_query_device - attributes of the device
 * @context: open device
 * @input: extensible part of the question, may be NULL
 * @attr: answer
 * @attr_size: bytes of @attr that the caller knows
 *
 * Return: 0 or an errno.
 */
int smrc_query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
		      struct ibv_device_attr_ex *attr, size_t attr_size)
{
	struct ib_uverbs_ex_query_device_resp resp;
	size_t resp_size = sizeof(resp);
	uint64_t version;
	int err;

	err = ibv_cmd_query_device_any(context, input, attr, attr_size, &resp, &resp_size);
	if (err)
		return err;

	version = resp.base.fw_ver;
	snprintf(attr->orig_attr.fw_ver, sizeof(attr->orig_attr.fw_ver), "%u.%u.%u",
		 (unsigned int)(version >> 32) & 0xffff, (unsigned int)(version >> 16) & 0xffff,
		 (unsigned int)version & 0xffff);
	return 0;
}

/**
 * smrc_query_port - attributes of a port
 * @context: open device
 * @port: 1
 * @attr: answer
 *
 * Return: 0 or an errno.
 */
int smrc_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr)
{
	struct ibv_query_port cmd = {};

	return ibv_cmd_query_port(context, port, attr, &cmd, sizeof(cmd));
}

/**
 * smrc_alloc_pd - make a protection domain
 * @context: open device
 *
 * Return: the domain, or NULL with errno set.
 */
struct ibv_pd *smrc_alloc_pd(struct ibv_context *context)
{
	struct ib_uverbs_alloc_pd_resp resp = {};
	struct ibv_alloc_pd cmd = {};
	struct ibv_pd *pd;
	int err;

	pd = calloc(1, sizeof(*pd));
	if (!pd)
		return NULL;

	err = ibv_cmd_alloc_pd(context, pd, &cmd, sizeof(cmd), &resp, sizeof(resp));
	if (err) {
		free(pd);
		errno = err;
		return NULL;
	}
	return pd;
}

/**
 * smrc_dealloc_pd - drop a protection domain
 * @pd: from smrc_alloc_pd()
 *
 * Return: 0 or an errno, EBUSY while something is in the domain.
 */
int smrc_dealloc_pd(struct ibv_pd *pd)
{
	int err = ibv_cmd_dealloc_pd(pd);

	if (!err)
		free(pd);
	return err;
}

/**
 * smrc_reg_mr - register memory
 * @pd: protection domain
 * @addr: start
 * @length: bytes
 * @iova: address that work requests and peers use for @addr
 * @access: enum ibv_access_flags
 *
 * Return: the region, or NULL with errno set.
 */
struct ibv_mr *smrc_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access)
{
	struct ib_uverbs_reg_mr_resp resp = {};
	struct ibv_reg_mr cmd = {};
	struct verbs_mr *vmr;
	int err;

	vmr = calloc(1, sizeof(*vmr));
	if (!vmr)
		return NULL;

	err = ibv_cmd_reg_mr(pd, addr, length, iova, access, vmr, &cmd, sizeof(cmd), &resp, sizeof(resp));
	if (err) {
		free(vmr);
		errno = err;
		return NULL;
	}
	return &vmr->ibv_mr;
}

/**
 * smrc_dereg_mr - drop a memory region
 * @vmr: from smrc_reg_mr()
 *
 * Return: 0 or an errno.
 */
int smrc_dereg_mr(struct verbs_mr *vmr)
{
	int err = ibv_cmd_dereg_mr(vmr);

	if (!err)
		free(vmr);
	return err;
}
