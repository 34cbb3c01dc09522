/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * smrc_abi.h: the driver's part of each verbs command, in the layout that libibverbs' ibv_cmd_*() calls want.
 */
#ifndef SMRC_PROVIDER_ABI_H
#define SMRC_PROVIDER_ABI_H

#include <assert.h>
#include <stddef.h>

#include <infiniband/kern-abi.h>
#include <infiniband/verbs.h>
#include <kernel-abi/smrc-abi.h>
#include <rdma/smrc-abi.h>

DECLARE_DRV_CMD(smrc_get_context, IB_USER_VERBS_CMD_GET_CONTEXT,
		smrc_alloc_ucontext_req, smrc_alloc_ucontext_resp);
DECLARE_DRV_CMD(smrc_create_cq_cmd, IB_USER_VERBS_CMD_CREATE_CQ, empty, smrc_create_cq_resp);
DECLARE_DRV_CMD(smrc_create_cq_ex_cmd, IB_USER_VERBS_EX_CMD_CREATE_CQ, empty, smrc_create_cq_resp);
DECLARE_DRV_CMD(smrc_resize_cq_cmd, IB_USER_VERBS_CMD_RESIZE_CQ, empty, smrc_resize_cq_resp);
DECLARE_DRV_CMD(smrc_create_qp_cmd, IB_USER_VERBS_CMD_CREATE_QP, empty, smrc_create_qp_resp);

/* The entries are written with one copy of the caller's list */
static_assert(sizeof(struct smrc_sge) == sizeof(struct ibv_sge), "size of smrc_sge");
static_assert(offsetof(struct smrc_sge, addr) == offsetof(struct ibv_sge, addr), "smrc_sge.addr");
static_assert(offsetof(struct smrc_sge, length) == offsetof(struct ibv_sge, length), "smrc_sge.length");
static_assert(offsetof(struct smrc_sge, lkey) == offsetof(struct ibv_sge, lkey), "smrc_sge.lkey");
static_assert(sizeof(struct smrc_ring) == SMRC_RING_HDR, "size of smrc_ring");
static_assert(sizeof(struct smrc_send_wqe) == 64, "size of smrc_send_wqe");
static_assert(sizeof(struct smrc_recv_wqe) == 16, "size of smrc_recv_wqe");
static_assert(sizeof(struct smrc_cqe) == 64, "size of smrc_cqe");

#endif /* SMRC_PROVIDER_ABI_H */
