// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The verdict on an access to a memory region. Keys, lengths and addresses come from the network or
 * from a program: nothing here adds two of them.
 */
#include "mracc.h"

/**
 * smrc_mracc_check() - may this range be accessed so?
 * @mr: the region found for @key
 * @key: key given with the access
 * @pd: identity of the protection domain of the QP
 * @rights: SMRC_ACC_* needed, all of them; 0 for a local read, which every region allows
 * @va: first byte, as keys name it
 * @len: length in bytes; an empty range must still begin inside the region or right behind it. Whether an empty
 *	access is checked at all is the caller's rule (in RC an empty WRITE is not).
 *
 * Key before domain before right before range, so that who may not know a region learns nothing of its size.
 *
 * Return: SMRC_MRACC_OK, or the first check that failed.
 */
enum smrc_mracc smrc_mracc_check(const struct smrc_mracc_mr *mr, u32 key, u32 pd, u32 rights, u64 va, u64 len)
{
	u64 off = va - mr->start;

	if (!mr->valid || mr->key != key)
		return SMRC_MRACC_KEY;
	if (mr->pd != pd)
		return SMRC_MRACC_PD;
	if (rights & ~mr->rights)
		return SMRC_MRACC_RIGHTS;
	if (va < mr->start || off > mr->len || len > mr->len - off)
		return SMRC_MRACC_BOUNDS;
	return SMRC_MRACC_OK;
}
