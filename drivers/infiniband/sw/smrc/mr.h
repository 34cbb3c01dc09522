/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* mr.h: memory regions */
#ifndef SMRC_MR_H
#define SMRC_MR_H

#include <linux/mm.h>
#include <rdma/ib_verbs.h>
#include "proto/mracc.h"

struct ib_umem;
struct smrc_dev;

/* What backs a region. */
enum smrc_mr_type {
	SMRC_MR_USER,	/* pinned user pages */
	SMRC_MR_DMA,	/* all memory, by kernel virtual address (get_dma_mr) */
};

/**
 * struct smrc_mr - memory region
 * @ibmr: rdma core's part
 * @acc: what the access check needs
 * @type: enum smrc_mr_type
 * @page_off: offset of the region's first byte in its first page
 * @pages: SMRC_MR_USER: the pages, in order
 * @umem: SMRC_MR_USER: pins @pages
 *
 * Found by key under rcu_read_lock(), and valid until rcu_read_unlock(): deregistration takes the region out of the
 * table, waits for a grace period, and only then unpins. So no reference is counted per access, and no access can
 * happen once deregistration has returned.
 */
struct smrc_mr {
	struct ib_mr		ibmr;
	struct smrc_mracc_mr	acc;
	enum smrc_mr_type	type;
	u32			page_off;
	struct page		**pages;
	struct ib_umem		*umem;
};

/**
 * struct smrc_mr_cursor - walk over the pages of a range of a region
 * @mr: the region
 * @off: offset in the region of the next byte
 * @left: bytes left
 */
struct smrc_mr_cursor {
	const struct smrc_mr	*mr;
	u64			off;
	u32			left;
};

static inline struct smrc_mr *to_smrc_mr(struct ib_mr *ibmr)
{
	return container_of(ibmr, struct smrc_mr, ibmr);
}

struct ib_mr *smrc_get_dma_mr(struct ib_pd *pd, int access);
struct ib_mr *smrc_reg_user_mr(struct ib_pd *pd, u64 start, u64 len, u64 virt, int access, struct ib_udata *udata);
int smrc_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata);

u8 smrc_mracc_verr(enum smrc_mracc acc);
enum smrc_mracc smrc_mr_find(struct smrc_dev *dev, u32 key, u32 pd, u32 rights, u64 va, u32 len,
			     struct smrc_mr_cursor *cur);

/**
 * smrc_mr_next() - next piece of a range, none longer than a page
 * @cur: from smrc_mr_find(); moves on
 * @page: the page
 * @off: first byte in it
 * @len: bytes
 *
 * Context: as smrc_mr_find().
 * Return: false when the range is done; nothing is filled in then.
 */
static inline bool smrc_mr_next(struct smrc_mr_cursor *cur, struct page **page, u32 *off, u32 *len)
{
	const struct smrc_mr *mr = cur->mr;
	u64 pos = cur->off + mr->page_off;

	if (!cur->left)
		return false;
	if (mr->type == SMRC_MR_DMA)
		*page = virt_to_page((void *)(uintptr_t)pos);
	else
		*page = mr->pages[pos >> PAGE_SHIFT];
	*off = offset_in_page(pos);
	*len = min_t(u32, cur->left, PAGE_SIZE - *off);
	cur->off += *len;
	cur->left -= *len;
	return true;
}

#endif /* SMRC_MR_H */
