/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * retry.h: how long a QP tries before it gives up: the verbs attributes timeout, retry_cnt, rnr_retry and
 * min_rnr_timer (IBTA 9.7.6.1.3, 9.7.5.2.8; ibv_modify_qp(3)).
 */
#ifndef SMRC_RETRY_H
#define SMRC_RETRY_H

#include <linux/types.h>

#define SMRC_RNR_INFINITE	7	/* rnr_retry of 7 never ends */

/**
 * struct smrc_retry - give-up state of one QP; times in ns
 * @timeout: local ACK timeout, 0: never gives up
 * @retry_cnt: transport retries, 0..7
 * @rnr_retry: RNR retries, 0..7
 * @rnr_left: RNR retries left for the message at the head
 * @progress: time of the last progress, or of the start of work on an idle QP
 */
struct smrc_retry {
	u64	timeout;
	u8	retry_cnt;
	u8	rnr_retry;
	u8	rnr_left;
	u64	progress;
};

u64 smrc_retry_timeout_ns(u8 code);
u64 smrc_retry_rnr_ns(u8 code);
void smrc_retry_init(struct smrc_retry *r, u8 timeout_code, u8 retry_cnt, u8 rnr_retry);
void smrc_retry_heard(struct smrc_retry *r, u64 now);
void smrc_retry_progress(struct smrc_retry *r, u64 now);
u64 smrc_retry_deadline(const struct smrc_retry *r, u64 rto);
bool smrc_retry_rnr(struct smrc_retry *r, u64 now);

#endif /* SMRC_RETRY_H */
