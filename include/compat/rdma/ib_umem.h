/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef SMRC_COMPAT_RDMA_IB_UMEM_H
#define SMRC_COMPAT_RDMA_IB_UMEM_H

#include <linux/version.h>
#include_next <rdma/ib_umem.h>

/* Only the name changed. Delete when the floor is >= 7.3. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
#define ib_umem_get_va(device, addr, size, access)	ib_umem_get(device, addr, size, access)
#endif

#endif /* SMRC_COMPAT_RDMA_IB_UMEM_H */
