/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * pto.h: probe timeout (RFC 9002 6.2 has the name, RFC 8985 7 the idea): a sender that waits for an acknowledgment asks
 * by a probe what arrived, before the RTO sends packets again and blames their values. The caller serialises.
 */
#ifndef SMRC_PTO_H
#define SMRC_PTO_H

#include <linux/minmax.h>

#include "probe.h"
#include "rtt.h"
#include "scoreboard.h"

/**
 * struct smrc_pto_wait - what a sender waits for
 * @inflight: packets are in flight
 * @untold: all of the oldest message arrived, and the peer did not tell that it is done: its transport ACK is missed
 */
struct smrc_pto_wait {
	bool	inflight;
	bool	untold;
};

/**
 * struct smrc_pto - the questions of a QP
 * @inflight_at: when to ask for packets in flight, ns; U64_MAX: not at all, or that is not reckoned yet
 * @untold_at: when to ask for a transport ACK that is missed, likewise
 * @inflight_asked: that was asked since something was sent or acknowledged
 * @untold_asked: how often that was asked for the oldest message, saturating
 * @sent_ns: when the latest question was sent
 * @id: its id
 * @slot: slot of its entropy value, or SMRC_EV_NO_SLOT
 * @open: it is not answered
 */
struct smrc_pto {
	u64	inflight_at;
	u64	untold_at;
	bool	inflight_asked;
	u8	untold_asked;
	u64	sent_ns;
	u16	id;
	u16	slot;
	bool	open;
};

/**
 * smrc_pto_at() - when is the next question due?
 * @p: the questions
 *
 * Return: the time, ns; U64_MAX: none is.
 */
static inline u64 smrc_pto_at(const struct smrc_pto *p)
{
	return min(p->inflight_at, p->untold_at);
}

void smrc_pto_init(struct smrc_pto *p, u16 first);
void smrc_pto_moved(struct smrc_pto *p);
void smrc_pto_told(struct smrc_pto *p);
void smrc_pto_update(struct smrc_pto *p, struct smrc_pto_wait wait, const struct smrc_rtt *r, u64 base_rtt_ns,
		     u64 now_ns);
u32 smrc_pto_psn(const struct smrc_sb *sb, struct smrc_pto_wait wait);
u16 smrc_pto_sent(struct smrc_pto *p, u16 slot, u64 now_ns);
void smrc_pto_answer(struct smrc_pto *p, u16 id, u64 now_ns, struct smrc_probe_answer *out);

#endif /* SMRC_PTO_H */
