/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * discover.h: does a peer speak MRC? Endpoint requests with back-off until it is proven (OCP MRC 1.0 7.4.7; the use for
 * discovery is ours).
 */
#ifndef SMRC_DISCOVER_H
#define SMRC_DISCOVER_H

#include <linux/types.h>

#define SMRC_DISCOVER_FIRST_NS	1000000ULL	/* wait after the first request: 1 ms */
#define SMRC_DISCOVER_MAX_NS	1000000000ULL	/* longest wait between requests: 1 s */

/**
 * struct smrc_discover - what is known of a peer
 * @proven: the peer answered, or any MRC packet came from it
 * @answered: an endpoint response came: @caps and @mpr are what it said
 * @tries: requests sent
 * @caps: SMRC_CAP_* word, 0 for a plain MRC 1.0 endpoint
 * @mpr: the peer's receive window in units of SMRC_MPR_UNIT, 1 until told
 * @next_ns: when to send the next request, U64_MAX once answered
 */
struct smrc_discover {
	bool	proven;
	bool	answered;
	u32	tries;
	u32	caps;
	u8	mpr;
	u64	next_ns;
};

void smrc_discover_init(struct smrc_discover *d, u64 now_ns);
bool smrc_discover_due(const struct smrc_discover *d, u64 now_ns);
void smrc_discover_sent(struct smrc_discover *d, u64 now_ns);
bool smrc_discover_proof(struct smrc_discover *d);
bool smrc_discover_answer(struct smrc_discover *d, u32 caps, u8 mpr);

#endif /* SMRC_DISCOVER_H */
