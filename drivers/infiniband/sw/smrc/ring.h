/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ring.h: rings shared with a user (include/uapi/rdma/smrc-abi.h), and their private likeness for kernel users.
 *
 * Each side owns one index and publishes it with release semantics. The driver keeps its own copy of the index it owns
 * and never reads it back; the user's index is read once per use and trusted for nothing but a distance that is
 * checked.
 */
#ifndef SMRC_RING_H
#define SMRC_RING_H

#include <rdma/ib_verbs.h>
#include <rdma/smrc-abi.h>

/**
 * struct smrc_mmap - a mapping offered to a user
 * @entry: rdma core's part
 * @addr: vmalloc_user() memory of the ring, freed with the offer
 */
struct smrc_mmap {
	struct rdma_user_mmap_entry	entry;
	void				*addr;
};

/**
 * struct smrc_kring - the driver's side of a ring
 * @hdr: the shared head; entries follow at SMRC_RING_HDR
 * @map: offered mapping, NULL for a kernel user
 * @bytes: size of the memory
 * @mask: entries - 1
 * @stride: bytes from entry to entry
 */
struct smrc_kring {
	struct smrc_ring	*hdr;
	struct smrc_mmap	*map;
	u32			bytes;
	u32			mask;
	u32			stride;
};

int smrc_kring_alloc(struct smrc_kring *r, u32 entries, u32 stride, struct ib_ucontext *uc,
		     struct smrc_ring_map *out);
void smrc_kring_free(struct smrc_kring *r);
int smrc_mmap(struct ib_ucontext *uc, struct vm_area_struct *vma);
void smrc_mmap_free(struct rdma_user_mmap_entry *entry);

/**
 * smrc_kring_entry() - address of an entry
 * @r: the ring
 * @idx: free-running index
 *
 * Return: the entry, stride bytes.
 */
static inline void *smrc_kring_entry(const struct smrc_kring *r, u32 idx)
{
	return (u8 *)r->hdr + SMRC_RING_HDR + (size_t)(idx & r->mask) * r->stride;
}

/**
 * smrc_kring_prod() - the producer's index, when the user produces
 * @r: the ring
 *
 * Return: the index, any number: it is the user's word.
 */
static inline u32 smrc_kring_prod(const struct smrc_kring *r)
{
	/* Pairs with the provider's release: the entries before it are written. */
	return smp_load_acquire(&r->hdr->prod);
}

/**
 * smrc_kring_cons() - the consumer's index, when the user consumes
 * @r: the ring
 *
 * Return: the index, any number: it is the user's word.
 */
static inline u32 smrc_kring_cons(const struct smrc_kring *r)
{
	/* Pairs with the provider's release: the entries before it were read and may be written again. */
	return smp_load_acquire(&r->hdr->cons);
}

#endif /* SMRC_RING_H */
