/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * ring.h: one ring of the ABI, mapped: where it is, and the two indexes with the ordering that the ABI asks for.
 *
 * Callers serialise each side: one producer and one consumer at a time. The own index of a side is read back from the
 * ring, not kept beside it, so that the driver may move both when it resets a QP.
 */
#ifndef SMRC_PROVIDER_RING_H
#define SMRC_PROVIDER_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "smrc_abi.h"

/**
 * struct smrc_ring_buf - a mapped ring
 * @hdr: start of the mapping, NULL when there is no ring
 * @size: bytes mapped
 * @mask: entries - 1, entries is a power of two
 * @stride: bytes from entry to entry
 */
struct smrc_ring_buf {
	struct smrc_ring	*hdr;
	size_t			size;
	uint32_t		mask;
	uint32_t		stride;
};

int smrc_ring_map(struct smrc_ring_buf *ring, int fd, const struct smrc_ring_map *map, size_t min_stride);
void smrc_ring_unmap(struct smrc_ring_buf *ring);

static inline void *smrc_ring_entry(const struct smrc_ring_buf *ring, uint32_t index)
{
	return (char *)ring->hdr + SMRC_RING_HDR + (size_t)(index & ring->mask) * ring->stride;
}

static inline uint32_t smrc_ring_load(const uint32_t *index)
{
	return __atomic_load_n(index, __ATOMIC_ACQUIRE);
}

static inline void smrc_ring_store(uint32_t *index, uint32_t value)
{
	__atomic_store_n(index, value, __ATOMIC_RELEASE);
}

/* Entries that may be written from @prod on */
static inline uint32_t smrc_ring_room(const struct smrc_ring_buf *ring, uint32_t prod)
{
	uint32_t used = prod - smrc_ring_load(&ring->hdr->cons);

	return used > ring->mask ? 0 : ring->mask + 1 - used;
}

/* Entries that may be read from @cons on */
static inline uint32_t smrc_ring_ready(const struct smrc_ring_buf *ring, uint32_t cons)
{
	return smrc_ring_load(&ring->hdr->prod) - cons;
}

/*
 * True when the driver wants to be called after posting. The driver sets the flag and then looks at the producer
 * index; here it is the other way round. The full barrier keeps one of the two from missing the other.
 */
static inline bool smrc_ring_need_kick(const struct smrc_ring_buf *ring)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return __atomic_load_n(&ring->hdr->flags, __ATOMIC_RELAXED) & SMRC_RING_NEED_KICK;
}

#endif /* SMRC_PROVIDER_RING_H */
