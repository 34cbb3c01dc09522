// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * ring.c: memory of rings and their mappings.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "ring.h"

static struct smrc_mmap *to_smrc_mmap(struct rdma_user_mmap_entry *entry)
{
	return container_of(entry, struct smrc_mmap, entry);
}

static int smrc_mmap_offer(struct smrc_kring *r, struct ib_ucontext *uc, struct smrc_ring_map *out)
{
	struct smrc_mmap *map;
	int err;

	map = kzalloc_obj(*map);
	if (!map)
		return -ENOMEM;
	map->addr = r->hdr;
	err = rdma_user_mmap_entry_insert(uc, &map->entry, r->bytes);
	if (err) {
		kfree(map);
		return err;
	}
	r->map = map;
	memset(out, 0, sizeof(*out));
	out->offset = rdma_user_mmap_get_offset(&map->entry);
	out->size = r->bytes;
	out->entries = r->mask + 1;
	out->stride = r->stride;
	return 0;
}

/**
 * smrc_kring_alloc() - make a ring
 * @r: to fill in
 * @entries: power of two
 * @stride: bytes from entry to entry, multiple of 8
 * @uc: the user who may map it, NULL for a kernel user
 * @out: where the user finds it; ignored for a kernel user
 *
 * Context: process.
 * Return: 0, or -ENOMEM. On error nothing is left behind.
 */
int smrc_kring_alloc(struct smrc_kring *r, u32 entries, u32 stride, struct ib_ucontext *uc,
		     struct smrc_ring_map *out)
{
	size_t bytes = PAGE_ALIGN(SMRC_RING_HDR + (size_t)entries * stride);
	int err;

	BUILD_BUG_ON(sizeof(struct smrc_ring) != SMRC_RING_HDR);
	if (bytes > U32_MAX)
		return -ENOMEM;
	r->hdr = vmalloc_user(bytes);
	if (!r->hdr)
		return -ENOMEM;
	r->bytes = bytes;
	r->mask = entries - 1;
	r->stride = stride;
	r->map = NULL;
	if (!uc)
		return 0;
	err = smrc_mmap_offer(r, uc, out);
	if (err) {
		vfree(r->hdr);
		r->hdr = NULL;
	}
	return err;
}

/**
 * smrc_kring_free() - give up a ring
 * @r: the ring, which nobody uses any more; may be one that was never made
 *
 * The memory of a ring that was offered belongs to the offer, which another thread may be mapping right now; it goes
 * with the last reference, in smrc_mmap_free(). A mapping that is made stays valid: it holds the pages themselves.
 *
 * Context: process.
 */
void smrc_kring_free(struct smrc_kring *r)
{
	if (r->map)
		rdma_user_mmap_entry_remove(&r->map->entry);
	else
		vfree(r->hdr);
	r->map = NULL;
	r->hdr = NULL;
}

/**
 * smrc_mmap_free() - last reference to an offered mapping is gone
 * @entry: the mapping
 */
void smrc_mmap_free(struct rdma_user_mmap_entry *entry)
{
	struct smrc_mmap *map = to_smrc_mmap(entry);

	vfree(map->addr);
	kfree(map);
}

/**
 * smrc_mmap() - map a ring into a user's address space
 * @uc: the user's context
 * @vma: where
 *
 * Return: 0, -EINVAL when the offset names no ring or the size is not the ring's, or what remap_vmalloc_range() says.
 */
int smrc_mmap(struct ib_ucontext *uc, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry;
	int err;

	entry = rdma_user_mmap_entry_get(uc, vma);
	if (!entry)
		return -EINVAL;
	err = remap_vmalloc_range(vma, to_smrc_mmap(entry)->addr, 0);
	rdma_user_mmap_entry_put(entry);
	return err;
}
