/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * retry.h: how long a QP tries before it gives up: the verbs attributes timeout and retry_cnt (IBTA 9.7.6.1.3;
 * ibv_modify_qp(3)).
 */
#ifndef SMRC_RETRY_H
#define SMRC_RETRY_H

#include <linux/types.h>

/**
 * struct smrc_retry - give-up state of one QP; times in ns
 * @timeout: local ACK timeout, 0: never gives up
 * @retry_cnt: transport retries, 0..7
 * @progress: time of the last progress, or of the start of work on an idle QP
 */
struct smrc_retry {
	u64	timeout;
	u8	retry_cnt;
	u64	progress;
};

u64 smrc_retry_timeout_ns(u8 code);
void smrc_retry_init(struct smrc_retry *r, u8 timeout_code, u8 retry_cnt);
void smrc_retry_progress(struct smrc_retry *r, u64 from_ns);
u64 smrc_retry_deadline(const struct smrc_retry *r, u64 rto);

#endif /* SMRC_RETRY_H */
