/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* cc.h: the congestion window a QP sends by: its own, or that of its group */
#ifndef SMRC_CC_H
#define SMRC_CC_H

#include <linux/types.h>

struct smrc_ack_result;
struct smrc_peer;
struct smrc_qp;
struct smrc_settings;

void smrc_cc_start(struct smrc_qp *qp);
void smrc_cc_group(struct smrc_peer *peer, const struct smrc_settings *s, u32 mss);
void smrc_cc_begin(struct smrc_qp *qp);
u32 smrc_cc_room(struct smrc_qp *qp);
void smrc_cc_sent(struct smrc_qp *qp);
void smrc_cc_end(struct smrc_qp *qp);
void smrc_cc_acked(struct smrc_qp *qp, const struct smrc_ack_result *res, bool ecn, u64 now);
void smrc_cc_penalty(struct smrc_qp *qp, u8 penalty);
void smrc_cc_lost(struct smrc_qp *qp);
void smrc_cc_fired(struct smrc_qp *qp);
void smrc_cc_leave(struct smrc_peer *peer, struct smrc_qp *qp);

#endif /* SMRC_CC_H */
