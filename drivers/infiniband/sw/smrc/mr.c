// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * mr.c: memory regions: register, look up by key, walk over pages, deregister.
 *
 * A key is an index into the device's table in its upper 24 bits and a random byte below, so that a stale key hardly
 * ever names the region that took the place; indexes are used in turn. lkey and rkey are the same number.
 */
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <rdma/ib_umem.h>
#include <rdma/uverbs_ioctl.h>

#include "mr.h"
#include "smrc.h"

#define SMRC_MR_KEY_SHIFT	8

/* Flags that ask for something, and those that only allow it. */
#define SMRC_MR_ACCESS \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ | IB_ACCESS_REMOTE_ATOMIC | \
	 IB_ZERO_BASED | IB_ACCESS_HUGETLB | IB_ACCESS_OPTIONAL)

static u32 smrc_mr_rights(int access)
{
	u32 rights = 0;

	if (access & IB_ACCESS_LOCAL_WRITE)
		rights |= SMRC_ACC_LOCAL_WRITE;
	if (access & IB_ACCESS_REMOTE_WRITE)
		rights |= SMRC_ACC_REMOTE_WRITE;
	if (access & IB_ACCESS_REMOTE_READ)
		rights |= SMRC_ACC_REMOTE_READ;
	if (access & IB_ACCESS_REMOTE_ATOMIC)
		rights |= SMRC_ACC_REMOTE_ATOMIC;
	return rights;
}

/* Gives the region a key and makes it known, in that order: who finds it finds it complete. */
static int smrc_mr_publish(struct smrc_dev *dev, struct smrc_mr *mr)
{
	u32 index;
	int err;

	err = xa_alloc_cyclic(&dev->mr_xa, &index, NULL, XA_LIMIT(1, SMRC_MAX_MR), &dev->mr_next, GFP_KERNEL);
	if (err < 0)
		return err == -EBUSY ? -ENOMEM : err;
	mr->acc.key = index << SMRC_MR_KEY_SHIFT | get_random_u8();
	mr->acc.valid = true;
	mr->ibmr.lkey = mr->acc.key;
	mr->ibmr.rkey = mr->acc.key;
	/* Cannot fail: the entry is there, it only changes. */
	xa_store(&dev->mr_xa, index, mr, GFP_KERNEL);
	return 0;
}

static void smrc_mr_withdraw(struct smrc_dev *dev, struct smrc_mr *mr)
{
	xa_erase(&dev->mr_xa, mr->acc.key >> SMRC_MR_KEY_SHIFT);
}

/**
 * smrc_get_dma_mr() - verbs get_dma_mr: all memory, for kernel users
 * @pd: protection domain
 * @access: IB_ACCESS_*
 *
 * Addresses are kernel virtual ones of the linear mapping: that is what DMA mapping gives for a device without
 * hardware.
 *
 * Return: the region, or ERR_PTR of -EOPNOTSUPP (flags) or -ENOMEM.
 */
struct ib_mr *smrc_get_dma_mr(struct ib_pd *pd, int access)
{
	struct smrc_dev *dev = to_smrc_dev(pd->device);
	struct smrc_mr *mr;
	int err;

	if (access & ~SMRC_MR_ACCESS)
		return ERR_PTR(-EOPNOTSUPP);
	mr = kzalloc_obj(*mr);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->type = SMRC_MR_DMA;
	mr->acc.len = SMRC_MAX_MR_SIZE;
	mr->acc.pd = to_smrc_pd(pd)->id;
	mr->acc.rights = smrc_mr_rights(access);
	err = smrc_mr_publish(dev, mr);
	if (err) {
		kfree(mr);
		return ERR_PTR(err);
	}
	return &mr->ibmr;
}

/* One entry per page, so that any offset is one step away. */
static int smrc_mr_list_pages(struct smrc_mr *mr)
{
	struct sg_page_iter iter;
	size_t i = 0;

	mr->pages = kvmalloc_array(ib_umem_num_pages(mr->umem), sizeof(*mr->pages), GFP_KERNEL | __GFP_NOWARN);
	if (!mr->pages)
		return -ENOMEM;
	for_each_sgtable_page(&mr->umem->sgt_append.sgt, &iter, 0)
		mr->pages[i++] = sg_page_iter_page(&iter);
	return 0;
}

/**
 * smrc_reg_user_mr() - verbs reg_user_mr
 * @pd: protection domain
 * @start: address of the user's memory
 * @len: bytes, not 0
 * @virt: address of the first byte as keys name it; 0 counts instead when IB_ZERO_BASED is set
 * @access: IB_ACCESS_*
 * @udata: the call; nothing is passed in it
 *
 * Return: the region, or ERR_PTR of -EOPNOTSUPP (flags: on demand, flush, windows), -EPROTONOSUPPORT (provider of
 * another ABI version), -EINVAL (range), -EFAULT (no memory there, or not writable), -ENOMEM (also: more than may be
 * locked).
 */
struct ib_mr *smrc_reg_user_mr(struct ib_pd *pd, u64 start, u64 len, u64 virt, int access, struct ib_udata *udata)
{
	struct smrc_ucontext *uc = rdma_udata_to_drv_context(udata, struct smrc_ucontext, ibuc);
	struct smrc_dev *dev = to_smrc_dev(pd->device);
	struct smrc_mr *mr;
	int err;

	if (uc && !uc->abi_ok)
		return ERR_PTR(-EPROTONOSUPPORT);
	if (access & ~SMRC_MR_ACCESS)
		return ERR_PTR(-EOPNOTSUPP);
	if (!len)
		return ERR_PTR(-EINVAL);

	mr = kzalloc_obj(*mr);
	if (!mr)
		return ERR_PTR(-ENOMEM);
	mr->type = SMRC_MR_USER;
	mr->acc.start = access & IB_ZERO_BASED ? 0 : virt;
	mr->acc.len = len;
	mr->acc.pd = to_smrc_pd(pd)->id;
	mr->acc.rights = smrc_mr_rights(access);
	mr->page_off = offset_in_page(start);

	mr->umem = ib_umem_get_va(pd->device, start, len, access);
	if (IS_ERR(mr->umem)) {
		err = PTR_ERR(mr->umem);
		goto free_mr;
	}
	err = smrc_mr_list_pages(mr);
	if (err)
		goto release_umem;
	err = smrc_mr_publish(dev, mr);
	if (err)
		goto free_pages;
	return &mr->ibmr;

free_pages:
	kvfree(mr->pages);
release_umem:
	ib_umem_release(mr->umem);
free_mr:
	kfree(mr);
	return ERR_PTR(err);
}

/**
 * smrc_dereg_mr() - verbs dereg_mr
 * @ibmr: the region
 * @udata: unused
 *
 * Out of the table nobody finds it; after a grace period nobody who found it earlier uses it; so the pages may go.
 * Packets on their way out hold references to pages of their own.
 *
 * Return: 0.
 */
int smrc_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	struct smrc_mr *mr = to_smrc_mr(ibmr);

	smrc_mr_withdraw(to_smrc_dev(ibmr->device), mr);
	synchronize_rcu_expedited();
	kvfree(mr->pages);
	if (mr->umem)
		ib_umem_release(mr->umem);
	kfree(mr);
	return 0;
}

/**
 * smrc_mr_find() - may this range be accessed so, and where is it?
 * @dev: the device
 * @key: lkey or rkey
 * @pd: identity of the protection domain of the QP
 * @rights: SMRC_ACC_* needed, 0 for reading locally
 * @va: first address as keys name it
 * @len: bytes; an access of none needs no valid key (IBTA 9.7.4.1.3): the caller does not ask
 * @cur: for smrc_mr_next(); filled in when the answer is OK
 *
 * Context: any; the caller holds rcu_read_lock() from here until it is done with @cur.
 * Return: SMRC_MRACC_OK, or what is wrong.
 */
enum smrc_mracc smrc_mr_find(struct smrc_dev *dev, u32 key, u32 pd, u32 rights, u64 va, u32 len,
			     struct smrc_mr_cursor *cur)
{
	const struct smrc_mr *mr;
	enum smrc_mracc verdict;

	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "caller must hold rcu_read_lock()");
	mr = xa_load(&dev->mr_xa, key >> SMRC_MR_KEY_SHIFT);
	if (!mr)
		return SMRC_MRACC_KEY;
	verdict = smrc_mracc_check(&mr->acc, key, pd, rights, va, len);
	if (verdict != SMRC_MRACC_OK)
		return verdict;
	/* Such a region is all addresses; those that are no memory are beyond it. */
	if (mr->type == SMRC_MR_DMA && len &&
	    !(virt_addr_valid((void *)(uintptr_t)va) && virt_addr_valid((void *)(uintptr_t)(va + len - 1))))
		return SMRC_MRACC_BOUNDS;
	*cur = (struct smrc_mr_cursor) { .mr = mr, .off = va - mr->acc.start, .left = len };
	return SMRC_MRACC_OK;
}

/**
 * smrc_mracc_verr() - what a completion with error says of a local access refused
 * @acc: the verdict, not SMRC_MRACC_OK
 *
 * Return: enum smrc_vendor_err.
 */
u8 smrc_mracc_verr(enum smrc_mracc acc)
{
	switch (acc) {
	case SMRC_MRACC_KEY:
		return SMRC_VERR_LOCAL_KEY;
	case SMRC_MRACC_PD:
		return SMRC_VERR_LOCAL_PD;
	case SMRC_MRACC_RIGHTS:
		return SMRC_VERR_LOCAL_RIGHTS;
	default:
		return SMRC_VERR_LOCAL_BOUNDS;
	}
}
