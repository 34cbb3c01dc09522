/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * entropy.h: the entropy values of one peer: active set, values assumed bad, and the policy that chooses among the rest
 * (policy.h).
 *
 * The rules are seed 1's ("The active set", "Path feedback and probes"); what each kind of feedback does is told at
 * enum smrc_ev_signal. The caller serialises all calls on one set. Nothing here allocates, reads a clock or draws a
 * random number: randomness comes in as a seed, time as now_ns.
 */
#ifndef SMRC_ENTROPY_H
#define SMRC_ENTROPY_H

#include <linux/types.h>

#include "settings.h"

#define SMRC_EV_BITS_MAX	8
#define SMRC_EV_MAX		256U	/* most values of a set: 2^SMRC_EV_BITS_MAX */
#define SMRC_EV_BDP_CAP		100	/* cap of a set sized by the BDP (seed 1, ActiveEVSetSize) */
#define SMRC_EV_LOOK_AHEAD	7	/* values looked at behind a marked one (seed 1) */
#define SMRC_EV_HDR_LEN		60	/* bytes added to the MSS in the BDP rule (seed 1: MSS + 60) */
/* Base RTTs that reps keeps to known values after a failure: 100 us at 6 us (the UET NIC of seed 1's maker). */
#define SMRC_FREEZE_RTTS	16
#define SMRC_REPS_RING		8	/* entries of the ring of policy reps (arXiv 2407.21625); a power of two */
#define SMRC_EV_NO_SLOT		0xffffU	/* "no value of a set": packets of a QP that does not spray */

/* State of a value (OCP MRC 1.0 9.3.1, figure 5). */
enum smrc_ev_state {
	SMRC_EV_GOOD,		/* in the rotation */
	SMRC_EV_SKIP,		/* policy default: marked, to be passed over once */
	SMRC_EV_ASSUMED_BAD,	/* out of the rotation until a probe on it is answered */
};

/**
 * enum smrc_ev_signal - feedback on a value
 * @SMRC_EV_SIG_ACK: a SACK proves the value alive, or nobody missed a transport ACK: its run of losses ends; state
 *	unchanged
 * @SMRC_EV_SIG_ECN: SACK with m = 1: alive, but congested; policy default: GOOD becomes SKIP
 * @SMRC_EV_SIG_TRIMMED: NACK TRIMMED: congested; policy default: GOOD becomes SKIP
 * @SMRC_EV_SIG_ALWAYS_SKIP: SACK with m = 2: ASSUMED_BAD
 * @SMRC_EV_SIG_TIMEOUT: a transmission on it timed out: ASSUMED_BAD
 * @SMRC_EV_SIG_LOSS: a transmission on it is inferred lost: ASSUMED_BAD once quorum losses came with no ACK between
 * @SMRC_EV_SIG_PROBE_OK: a probe on it was answered: ASSUMED_BAD becomes GOOD
 * @SMRC_EV_SIG_ABSOLVED: a packet called lost on it arrived by it: ASSUMED_BAD becomes GOOD (ours: the blame was
 *	wrong); beside the signal of the SACK that tells it
 * @SMRC_EV_SIGNALS: number of signals
 */
enum smrc_ev_signal {
	SMRC_EV_SIG_ACK,
	SMRC_EV_SIG_ECN,
	SMRC_EV_SIG_TRIMMED,
	SMRC_EV_SIG_ALWAYS_SKIP,
	SMRC_EV_SIG_TIMEOUT,
	SMRC_EV_SIG_LOSS,
	SMRC_EV_SIG_PROBE_OK,
	SMRC_EV_SIG_ABSOLVED,
	SMRC_EV_SIGNALS
};

/**
 * struct smrc_ev - one value of the active set; index in the set is its slot
 * @port: the value: a UDP source port
 * @state: enum smrc_ev_state
 * @losses: losses in a row without an ACK
 * @sent: packets sent on it
 * @acked: SACKs received that name it, and transport ACKs that nobody missed
 * @lost: losses and timeouts
 * @probes: probes sent on it
 * @rtt_ns: latest round trip on it, saturating; 0: none yet
 * @changed_ns: time of the last change of state by feedback; that the rotation clears a mark is not timed
 */
struct smrc_ev {
	u16	port;
	u8	state;
	u8	losses;
	u32	sent;
	u32	acked;
	u32	lost;
	u32	probes;
	u32	rtt_ns;
	u64	changed_ns;
};

/**
 * struct smrc_entropy_cfg - how to draw a set
 * @type: the policy; with SMRC_SPRAY_NONE the values take turns
 * @mask_bits: size of the range, log2
 * @port_offset: first port of the range
 * @active_size: 0: one BDP of packets, capped; else exactly that many, at most the whole range
 * @link_rate_mbps: link rate for the BDP rule, Mb/s
 * @base_rtt_us: base RTT for the BDP rule, us
 * @mss: payload of a full packet, bytes
 * @loss_quorum: losses in a row that make a value assumed bad
 * @freeze_ns: policy reps: how long it keeps to known values after a failure, ns
 */
struct smrc_entropy_cfg {
	u8	type;
	u8	mask_bits;
	u16	port_offset;
	u32	active_size;
	u32	link_rate_mbps;
	u32	base_rtt_us;
	u32	mss;
	u8	loss_quorum;
	u64	freeze_ns;
};

/**
 * struct smrc_reps - state of policy reps
 * @thaw_ns: when a freeze may end
 * @slot: values that brought a packet through
 * @head: entry that is written next
 * @n_valid: entries before @head not used again yet
 * @n_filled: entries before @head ever written
 * @turn: while frozen, which of those is next
 * @explore: packets that are still to take random values
 * @frozen: keep to the ring
 */
struct smrc_reps {
	u64	thaw_ns;
	u16	slot[SMRC_REPS_RING];
	u8	head;
	u8	n_valid;
	u8	n_filled;
	u8	turn;
	u16	explore;
	bool	frozen;
};

/**
 * struct smrc_entropy - the set
 * @ev: the active values in rotation order; @n of them
 * @slot_of: slot of the value port_offset + i, or SMRC_EV_NO_SLOT
 * @port_offset: first port of the range
 * @n: size of the active set, 1..SMRC_EV_MAX
 * @next: slot the rotation stands at (policies default and counter)
 * @n_bad: values assumed bad
 * @loss_quorum: see struct smrc_entropy_cfg
 * @type: policy: enum smrc_spray_type
 * @freeze_ns: see struct smrc_entropy_cfg
 * @rnd: state of the random numbers
 * @reps: state of policy reps
 */
struct smrc_entropy {
	struct smrc_ev	ev[SMRC_EV_MAX];
	u16		slot_of[SMRC_EV_MAX];
	u16		port_offset;
	u16		n;
	u16		next;
	u16		n_bad;
	u8		loss_quorum;
	u8		type;
	u64		freeze_ns;
	u64		rnd;
	struct smrc_reps reps;
};

u32 smrc_entropy_size(const struct smrc_entropy_cfg *cfg);
void smrc_entropy_init(struct smrc_entropy *e, const struct smrc_entropy_cfg *cfg, u64 seed);
u16 smrc_entropy_pick(struct smrc_entropy *e);
u16 smrc_entropy_pick_other(struct smrc_entropy *e, u16 avoid);
u16 smrc_entropy_question(struct smrc_entropy *e);
u16 smrc_entropy_slot(const struct smrc_entropy *e, u32 value);
bool smrc_entropy_feedback(struct smrc_entropy *e, u16 slot, enum smrc_ev_signal sig, u64 now_ns);
void smrc_entropy_probed(struct smrc_entropy *e, u16 slot);
void smrc_entropy_rtt(struct smrc_entropy *e, u16 slot, u64 rtt_ns);

#endif /* SMRC_ENTROPY_H */
