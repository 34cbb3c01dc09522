// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * verbs.c: the table of operations, and those that only answer questions or are too small for a file.
 *
 * What is missing in the table rdma core refuses with EOPNOTSUPP.
 */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <rdma/ib_cache.h>
#include <rdma/uverbs_ioctl.h>

#include "cq.h"
#include "mr.h"
#include "proto/wire.h"
#include "qp.h"
#include "ring.h"
#include "smrc.h"

/* The same version twice: libibverbs shows the text, rdma core wants a number. */
#define SMRC_FW_STR	"1.0.0"
#define SMRC_FW_VER	BIT_ULL(32)

static int smrc_query_device(struct ib_device *ibdev, struct ib_device_attr *attr, struct ib_udata *udata)
{
	if (udata && (udata->inlen || udata->outlen))
		return -EINVAL;

	*attr = (struct ib_device_attr) {
		.fw_ver = SMRC_FW_VER,
		.sys_image_guid = ibdev->node_guid,
		.max_mr_size = SMRC_MAX_MR_SIZE,
		.page_size_cap = PAGE_MASK & U32_MAX,
		.vendor_id = SMRC_VENDOR_ID,
		.vendor_part_id = SMRC_PART_ID,
		.max_qp = SMRC_MAX_QP,
		.max_qp_wr = SMRC_MAX_QP_WR,
		.device_cap_flags = IB_DEVICE_PORT_ACTIVE_EVENT | IB_DEVICE_SYS_IMAGE_GUID |
				    IB_DEVICE_RC_RNR_NAK_GEN,
		.kernel_cap_flags = IBK_ALLOW_USER_UNREG,
		.max_send_sge = SMRC_MAX_SGE,
		.max_recv_sge = SMRC_MAX_SGE,
		.max_cq = SMRC_MAX_CQ,
		.max_cqe = SMRC_MAX_CQE,
		.max_mr = SMRC_MAX_MR,
		.max_pd = SMRC_MAX_PD,
		.max_qp_rd_atom = SMRC_MAX_RD_ATOMIC,
		.max_qp_init_rd_atom = SMRC_MAX_RD_ATOMIC,
		.max_res_rd_atom = SMRC_MAX_RD_ATOMIC * SMRC_MAX_QP,
		.atomic_cap = IS_ENABLED(CONFIG_64BIT) ? IB_ATOMIC_GLOB : IB_ATOMIC_HCA,
		.masked_atomic_cap = IB_ATOMIC_NONE,
		/* Completions have times in ns. */
		.timestamp_mask = U64_MAX,
		.hca_core_clock = NSEC_PER_SEC / MSEC_PER_SEC,
		.max_pkeys = 1,
	};
	return 0;
}

/* Fastest first. */
static const struct {
	u32	mbps;
	u8	width;
	u16	speed;
} smrc_link_speeds[] = {
	{ 800000, IB_WIDTH_4X, IB_SPEED_XDR },
	{ 400000, IB_WIDTH_4X, IB_SPEED_NDR },
	{ 200000, IB_WIDTH_4X, IB_SPEED_HDR },
	{ 100000, IB_WIDTH_4X, IB_SPEED_EDR },
	{ 50000, IB_WIDTH_1X, IB_SPEED_HDR },
	{ 40000, IB_WIDTH_4X, IB_SPEED_QDR },
	{ 25000, IB_WIDTH_1X, IB_SPEED_EDR },
	{ 20000, IB_WIDTH_4X, IB_SPEED_DDR },
	{ 14000, IB_WIDTH_1X, IB_SPEED_FDR },
	{ 10000, IB_WIDTH_1X, IB_SPEED_QDR },
	{ 5000, IB_WIDTH_1X, IB_SPEED_DDR },
	{ 0, IB_WIDTH_1X, IB_SPEED_SDR },
};

/* The fastest that InfiniBand has a name for and that is not faster than the link. */
static void smrc_port_speed(struct smrc_dev *dev, struct ib_port_attr *attr)
{
	u32 mbps = smrc_netdev_rate(dev);
	u32 i = 0;

	while (mbps < smrc_link_speeds[i].mbps)
		i++;
	attr->active_width = smrc_link_speeds[i].width;
	attr->active_speed = smrc_link_speeds[i].speed;
}

static u8 smrc_phys_state(struct net_device *ndev)
{
	if (!netif_running(ndev))
		return IB_PORT_PHYS_STATE_DISABLED;
	return netif_carrier_ok(ndev) ? IB_PORT_PHYS_STATE_LINK_UP : IB_PORT_PHYS_STATE_POLLING;
}

/* Core has checked the port number and zeroed @attr. */
static int smrc_query_port(struct ib_device *ibdev, u32 port, struct ib_port_attr *attr)
{
	struct smrc_dev *dev = to_smrc_dev(ibdev);
	struct net_device *ndev;

	attr->state = IB_PORT_DOWN;
	attr->phys_state = IB_PORT_PHYS_STATE_DISABLED;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = IB_MTU_256;
	attr->gid_tbl_len = SMRC_GID_TBL_LEN;
	attr->ip_gids = true;
	attr->max_msg_sz = SMRC_MSG_MAX;
	attr->pkey_tbl_len = 1;
	attr->max_vl_num = 1;

	ndev = ib_device_get_netdev(ibdev, port);
	if (ndev) {
		rtnl_lock();
		if (ndev->reg_state == NETREG_REGISTERED) {
			smrc_netdev_look(dev, ndev);
			smrc_netdev_ask_speed(dev, ndev);
			attr->state = smrc_netdev_state(ndev);
			attr->phys_state = smrc_phys_state(ndev);
		}
		rtnl_unlock();
		attr->active_mtu = ib_mtu_int_to_enum(smrc_netdev_mtu(READ_ONCE(ndev->mtu)));
		attr->phys_mtu = READ_ONCE(ndev->mtu);
		dev_put(ndev);
	}
	smrc_port_speed(dev, attr);
	return 0;
}

static int smrc_query_pkey(struct ib_device *ibdev, u32 port, u16 index, u16 *pkey)
{
	if (index)
		return -EINVAL;
	*pkey = SMRC_PKEY_DEFAULT;
	return 0;
}

static enum rdma_link_layer smrc_get_link_layer(struct ib_device *ibdev, u32 port)
{
	return IB_LINK_LAYER_ETHERNET;
}

/*
 * RoCEv2 GIDs and address handles. No MADs, so core makes no GSI QP and the connection managers leave the device alone:
 * that comes with the UD transport.
 */
static int smrc_get_port_immutable(struct ib_device *ibdev, u32 port, struct ib_port_immutable *immutable)
{
	immutable->core_cap_flags = RDMA_CORE_CAP_PROT_ROCE_UDP_ENCAP | RDMA_CORE_CAP_ETH_AH;
	immutable->pkey_tbl_len = 1;
	immutable->gid_tbl_len = SMRC_GID_TBL_LEN;
	return 0;
}

static void smrc_get_dev_fw_str(struct ib_device *ibdev, char *str)
{
	strscpy(str, SMRC_FW_STR, IB_FW_VERSION_NAME_MAX);
}

/*
 * A provider that speaks another version gets its context, for only so can it learn the driver's and tell the user
 * both; what it calls next is refused.
 */
static int smrc_alloc_ucontext(struct ib_ucontext *ibuc, struct ib_udata *udata)
{
	struct smrc_alloc_ucontext_resp resp = { .magic = SMRC_ABI_MAGIC, .abi_version = SMRC_ABI_VERSION };
	struct smrc_ucontext *uc = to_smrc_ucontext(ibuc);
	struct smrc_alloc_ucontext_req req;
	int err;

	if (udata->inlen < sizeof(req) || udata->outlen < sizeof(resp))
		return -EINVAL;
	err = ib_copy_from_udata(&req, udata, sizeof(req));
	if (err)
		return err;
	if (req.reserved_04)
		return -EINVAL;
	if (udata->inlen > sizeof(req) && !ib_is_udata_cleared(udata, sizeof(req), udata->inlen - sizeof(req)))
		return -EOPNOTSUPP;
	uc->abi_ok = req.abi_version == SMRC_ABI_VERSION;
	return ib_copy_to_udata(udata, &resp, sizeof(resp));
}

/* Core destroys all that a user has before it frees the context; a mapping of a ring holds the ring's pages. */
static void smrc_dealloc_ucontext(struct ib_ucontext *ibuc)
{
}

/* That it is there tells core that a device may be unregistered while users have it open. */
static void smrc_disassociate_ucontext(struct ib_ucontext *ibuc)
{
}

static int smrc_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	struct smrc_dev *dev = to_smrc_dev(ibpd->device);
	int id;

	id = ida_alloc_range(&dev->pd_ida, 1, SMRC_MAX_PD, GFP_KERNEL);
	if (id < 0)
		return -ENOMEM;
	to_smrc_pd(ibpd)->id = id;
	return 0;
}

/* No region or QP is left in it, so its number may be given out again. */
static int smrc_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	ida_free(&to_smrc_dev(ibpd->device)->pd_ida, to_smrc_pd(ibpd)->id);
	return 0;
}

COMPAT_DEFINE_REG_USER_MR(smrc_op_reg_user_mr, smrc_reg_user_mr)
COMPAT_DEFINE_RESIZE_CQ(smrc_op_resize_cq, smrc_resize_cq)
COMPAT_DEFINE_REPORT_PORT_EVENT(smrc_op_report_port_event)

const struct ib_device_ops smrc_device_ops = {
	.owner = THIS_MODULE,
	.driver_id = (enum rdma_driver_id)SMRC_RDMA_DRIVER_ID,
	.uverbs_abi_ver = SMRC_ABI_VERSION,
	.device_group = &smrc_dev_group,

	.add_gid = smrc_add_gid,
	.alloc_hw_port_stats = smrc_alloc_hw_port_stats,
	.alloc_pd = smrc_alloc_pd,
	.alloc_ucontext = smrc_alloc_ucontext,
	.create_cq = smrc_create_cq,
	.create_qp = smrc_create_qp,
	.dealloc_driver = smrc_dealloc_driver,
	.dealloc_pd = smrc_dealloc_pd,
	.dealloc_ucontext = smrc_dealloc_ucontext,
	.del_gid = smrc_del_gid,
	.dereg_mr = smrc_dereg_mr,
	.destroy_cq = smrc_destroy_cq,
	.destroy_qp = smrc_destroy_qp,
	.disassociate_ucontext = smrc_disassociate_ucontext,
	.get_dev_fw_str = smrc_get_dev_fw_str,
	.get_dma_mr = smrc_get_dma_mr,
	.get_hw_stats = smrc_get_hw_stats,
	.get_link_layer = smrc_get_link_layer,
	.get_port_immutable = smrc_get_port_immutable,
	.mmap = smrc_mmap,
	.mmap_free = smrc_mmap_free,
	.modify_qp = smrc_modify_qp,
	.poll_cq = smrc_poll_cq,
	.post_recv = smrc_post_recv,
	.post_send = smrc_post_send,
	.query_device = smrc_query_device,
	.query_pkey = smrc_query_pkey,
	.query_port = smrc_query_port,
	.query_qp = smrc_query_qp,
	.reg_user_mr = smrc_op_reg_user_mr,
	.req_notify_cq = smrc_req_notify_cq,
	COMPAT_OP_REPORT_PORT_EVENT(smrc_op_report_port_event)
	COMPAT_OP_RESIZE_CQ(smrc_op_resize_cq),

	INIT_RDMA_OBJ_SIZE(ib_cq, smrc_cq, ibcq),
	INIT_RDMA_OBJ_SIZE(ib_pd, smrc_pd, ibpd),
	INIT_RDMA_OBJ_SIZE(ib_qp, smrc_qp, ibqp),
	INIT_RDMA_OBJ_SIZE(ib_ucontext, smrc_ucontext, ibuc),
};
