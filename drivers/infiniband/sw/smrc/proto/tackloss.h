/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * tackloss.h: transport ACKs that do not arrive. Nothing acknowledges them, and an end that only receives learns of its
 * paths by nothing else. The caller serialises.
 */
#ifndef SMRC_TACKLOSS_H
#define SMRC_TACKLOSS_H

#include <linux/types.h>

#include "rtt.h"

/**
 * struct smrc_tackloss - the latest transport ACK of a QP
 * @sent_ns: when it was sent, 0: none yet
 * @msn: messages it told, 24 bits
 * @next_psn: behind the PSNs it acknowledged
 * @slot: slot of its entropy value, or SMRC_EV_NO_SLOT
 * @open: nothing was learnt of it yet
 */
struct smrc_tackloss {
	u64	sent_ns;
	u32	msn;
	u32	next_psn;
	u16	slot;
	bool	open;
};

void smrc_tackloss_init(struct smrc_tackloss *t);
u16 smrc_tackloss_sent(struct smrc_tackloss *t, const struct smrc_tackloss *next, const struct smrc_rtt *r);
bool smrc_tackloss_asked(struct smrc_tackloss *t, u32 psn, u32 waited_ns, const struct smrc_rtt *r, u64 now_ns);

#endif /* SMRC_TACKLOSS_H */
