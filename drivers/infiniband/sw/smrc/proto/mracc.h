/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * mracc.h: may this range of a memory region be accessed so? (IBTA 10.6.3)
 */
#ifndef SMRC_MRACC_H
#define SMRC_MRACC_H

#include <linux/types.h>

#define SMRC_ACC_LOCAL_WRITE	0x1
#define SMRC_ACC_REMOTE_WRITE	0x2
#define SMRC_ACC_REMOTE_READ	0x4
#define SMRC_ACC_REMOTE_ATOMIC	0x8

/* Verdict on an access. */
enum smrc_mracc {
	SMRC_MRACC_OK = 0,
	SMRC_MRACC_KEY,		/* key does not name this region, or the region is not valid */
	SMRC_MRACC_PD,		/* other protection domain */
	SMRC_MRACC_RIGHTS,	/* right not granted */
	SMRC_MRACC_BOUNDS,	/* range leaves the region */
};

/**
 * struct smrc_mracc_mr - what the check needs of a region
 * @start: address of its first byte as keys name it (0 for a zero-based region)
 * @len: length in bytes
 * @key: full 32-bit key
 * @pd: identity of its protection domain
 * @rights: SMRC_ACC_* granted
 * @valid: may be accessed at all
 */
struct smrc_mracc_mr {
	u64	start;
	u64	len;
	u32	key;
	u32	pd;
	u32	rights;
	bool	valid;
};

enum smrc_mracc smrc_mracc_check(const struct smrc_mracc_mr *mr, u32 key, u32 pd, u32 rights, u64 va, u64 len);

#endif /* SMRC_MRACC_H */
