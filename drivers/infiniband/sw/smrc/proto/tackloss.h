/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * tackloss.h: transport ACKs that do not arrive. Nothing acknowledges them, and an end that only receives learns of its
 * paths by nothing else. The caller serialises.
 */
#ifndef SMRC_TACKLOSS_H
#define SMRC_TACKLOSS_H

#include <linux/types.h>

/**
 * struct smrc_tackloss - the latest transport ACK of a QP
 * @sent_ns: when it was sent, 0: none yet
 * @slot: slot of its entropy value; SMRC_EV_NO_SLOT: it has none, or was blamed
 */
struct smrc_tackloss {
	u64	sent_ns;
	u16	slot;
};

void smrc_tackloss_init(struct smrc_tackloss *t);
void smrc_tackloss_sent(struct smrc_tackloss *t, u16 slot, u64 now_ns);
u16 smrc_tackloss_asked(struct smrc_tackloss *t, u64 base_rtt_ns, u64 now_ns);

#endif /* SMRC_TACKLOSS_H */
