/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * probe.h: which value to probe when, and what an answer says (seed 1, "Path feedback and probes").
 *
 * One probe per period and peer while a value is assumed bad; bad values take turns, so that with k of them each is
 * probed every k periods. The caller serialises.
 */
#ifndef SMRC_PROBE_H
#define SMRC_PROBE_H

#include "entropy.h"

/*
 * Probes remembered. An answer to an older one is not known; the period doubles then, so that a round trip of any
 * length up to 2^SMRC_PROBE_SLOWEST times as long finds its probe.
 */
#define SMRC_PROBE_RING		64

/*
 * A peer of which nothing is heard, neither an acknowledgment nor an answer, while SMRC_PROBE_SILENCE probes are sent,
 * nor while eight are for each value of the set, is probed half as often, and so on, at most 2^SMRC_PROBE_SLOWEST times
 * slower (ours: seed 1 has no such rule, but its peers do not go away while a queue pair stays open). Whoever is heard
 * on some paths has its dead ones probed every period.
 */
#define SMRC_PROBE_SILENCE	256U
#define SMRC_PROBE_SLOWEST	9U

/* Set in the ids of probes by which a QP asks what arrived (pto.h), and in no others. */
#define SMRC_PROBE_QUESTION	0x8000U

/**
 * struct smrc_probe - probe schedule of one peer
 * @period_ns: time between two probes
 * @next_ns: earliest time of the next probe
 * @next_id: id of the next probe
 * @cursor: slot after which to look for the next bad value
 * @silent: probes of the schedule sent since the peer was last heard, saturating
 * @stretch: how often the period was doubled because answers came too late
 * @sent_at_pace: probes sent since it last was, saturating
 * @sent: the latest probes, by id modulo SMRC_PROBE_RING: time, id, slot (SMRC_EV_NO_SLOT: no value of the set), and
 *	whether the answer is still open
 */
struct smrc_probe {
	u64	period_ns;
	u64	next_ns;
	u16	next_id;
	u16	cursor;
	u16	silent;
	u16	stretch;
	u16	sent_at_pace;
	struct {
		u64	sent_ns;
		u16	id;
		u16	slot;
		bool	open;
	} sent[SMRC_PROBE_RING];
};

/**
 * struct smrc_probe_answer - verdict on an answer
 * @known: the id is one of ours and still open
 * @slot: slot the probe was sent on; SMRC_EV_NO_SLOT when it carried no value of the set
 * @rtt_ns: time since it was sent
 */
struct smrc_probe_answer {
	bool	known;
	u16	slot;
	u64	rtt_ns;
};

void smrc_probe_init(struct smrc_probe *p, u64 period_ns);
bool smrc_probe_heard(struct smrc_probe *p, u64 now_ns);
u16 smrc_probe_due(struct smrc_probe *p, const struct smrc_entropy *e, u64 now_ns);
u16 smrc_probe_sent(struct smrc_probe *p, u16 slot, u64 now_ns);
void smrc_probe_answer(struct smrc_probe *p, u16 id, u64 now_ns, struct smrc_probe_answer *out);

#endif /* SMRC_PROBE_H */
