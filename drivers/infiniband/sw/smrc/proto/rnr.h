/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * rnr.h: the receiver was not ready: how long nothing is sent, how it is tried again, and when that ends (IBTA
 * 9.7.5.2.8; attributes rnr_retry and min_rnr_timer, ibv_modify_qp(3)).
 */
#ifndef SMRC_RNR_H
#define SMRC_RNR_H

#include <linux/types.h>

#define SMRC_RNR_INFINITE	7	/* rnr_retry of 7 never ends */

/* What a refusal means. */
enum smrc_rnr_verdict {
	SMRC_RNR_OLD,		/* nothing: it was on its way when the last one was heard */
	SMRC_RNR_WAIT,		/* wait, then try the packet again */
	SMRC_RNR_EXCEEDED,	/* it was told too often: the request fails */
};

/**
 * struct smrc_rnr - state of one QP; times in ns
 * @until: nothing is sent before; 0: nothing is waited for
 * @over: when the latest wait ends or ended
 * @psn: the packet that was refused
 * @retry: attribute rnr_retry
 * @left: retries left for the message at the head
 * @trial: the packet that tries: the one refused, until one is sent
 * @trying: nothing arrived since that wait: one packet at a time
 */
struct smrc_rnr {
	u64	until;
	u64	over;
	u32	psn;
	u32	trial;
	u8	retry;
	u8	left;
	bool	trying;
};

u64 smrc_rnr_ns(u8 code);
void smrc_rnr_init(struct smrc_rnr *r, u8 rnr_retry);
enum smrc_rnr_verdict smrc_rnr_refused(struct smrc_rnr *r, u32 psn, u64 sent_ns, u8 code, u64 now_ns);
void smrc_rnr_arrived(struct smrc_rnr *r, bool refused_too);
void smrc_rnr_done(struct smrc_rnr *r);
bool smrc_rnr_expired(struct smrc_rnr *r, u64 now_ns);
void smrc_rnr_sent(struct smrc_rnr *r, u32 psn);
u32 smrc_rnr_room(const struct smrc_rnr *r, bool trial_flies, u32 room);

#endif /* SMRC_RNR_H */
