/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef SMRC_COMPAT_RDMA_IB_VERBS_H
#define SMRC_COMPAT_RDMA_IB_VERBS_H

#include <linux/version.h>
#include_next <rdma/ib_verbs.h>

/*
 * In exclusive mode a device is made in the namespace given. Older kernels make all in the initial one; asking whether
 * that other namespace may use it tells the mode, which core keeps to itself. Delete when the floor is >= 7.3.
 */
#ifndef ib_alloc_device_with_net
static inline struct ib_device *compat_ib_device_set_net(struct ib_device *ibdev, struct net *net)
{
	if (ibdev && !rdma_dev_access_netns(ibdev, net))
		write_pnet(&ibdev->coredev.rdma_net, net);
	return ibdev;
}

#define ib_alloc_device_with_net(drv_struct, member, net) \
	container_of(compat_ib_device_set_net(_ib_alloc_device(sizeof(struct drv_struct) + \
							       BUILD_BUG_ON_ZERO(offsetof(struct drv_struct, member))), \
					      net), struct drv_struct, member)
#endif

/*
 * Operations whose type or name changed. COMPAT_DEFINE_*(name, fn) defines the operation name, which calls fn; fn has
 * the type of the newer kernel, less what Soft-MRC has no use for. COMPAT_OP_* are initialisers of struct
 * ib_device_ops. Delete when the floor is >= 7.3.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)

#define COMPAT_DEFINE_RESIZE_CQ(name, fn) \
static int name(struct ib_cq *cq, int cqe, struct ib_udata *udata) \
{ \
	return fn(cq, cqe, udata); \
}

#define COMPAT_DEFINE_REG_USER_MR(name, fn) \
static struct ib_mr *name(struct ib_pd *pd, u64 start, u64 len, u64 virt, int access, struct ib_udata *udata) \
{ \
	return fn(pd, start, len, virt, access, udata); \
}

#define COMPAT_OP_RESIZE_CQ(name)	.resize_cq = (name)
#define COMPAT_DEFINE_REPORT_PORT_EVENT(name)
#define COMPAT_OP_REPORT_PORT_EVENT(name)

#else

#define COMPAT_DEFINE_RESIZE_CQ(name, fn) \
static int name(struct ib_cq *cq, unsigned int cqe, struct ib_udata *udata) \
{ \
	return fn(cq, cqe, udata); \
}

#define COMPAT_DEFINE_REG_USER_MR(name, fn) \
static struct ib_mr *name(struct ib_pd *pd, u64 start, u64 len, u64 virt, int access, struct ib_dmah *dmah, \
			  struct ib_udata *udata) \
{ \
	return dmah ? ERR_PTR(-EOPNOTSUPP) : fn(pd, start, len, virt, access, udata); \
}

#define COMPAT_OP_RESIZE_CQ(name)	.resize_user_cq = (name)

/*
 * rdma core reports changes of the port by itself unless the driver takes that over. netdev.c reports them on every
 * kernel, so what it takes here it does nothing with.
 */
#define COMPAT_DEFINE_REPORT_PORT_EVENT(name) \
static void name(struct ib_device *ibdev, struct net_device *ndev, unsigned long event) \
{ \
}

#define COMPAT_OP_REPORT_PORT_EVENT(name)	.report_port_event = (name),

#endif

#endif /* SMRC_COMPAT_RDMA_IB_VERBS_H */
