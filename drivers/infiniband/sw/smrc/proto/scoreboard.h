/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * scoreboard.h: the sender's record of every PSN of its window: where it was sent, when, on which entropy value, and
 * what became of it. The caller serialises.
 */
#ifndef SMRC_SCOREBOARD_H
#define SMRC_SCOREBOARD_H

#include "entropy.h"
#include "psn.h"
#include "wire.h"

/* State of a PSN between una and nxt. */
enum smrc_sb_state {
	SMRC_SB_INFLIGHT,	/* sent, nothing heard */
	SMRC_SB_SACKED,		/* arrived */
	SMRC_SB_LOST,		/* declared lost, to be sent again */
};

/**
 * struct smrc_sb_pkt - one PSN
 * @sent_ns: time of the latest transmission
 * @wqe: tag of the caller: the WQE, or the response, it belongs to
 * @off: offset of its payload in the message
 * @slot: slot of the entropy value of the latest transmission, or SMRC_EV_NO_SLOT
 * @ev_serial: number of that transmission among this QP's transmissions on the same slot
 * @state: enum smrc_sb_state
 * @tx_count: transmissions, saturating at 255
 * @response: it is of a response, which @wqe names; the caller sets it
 */
struct smrc_sb_pkt {
	u64	sent_ns;
	u32	wqe;
	u32	off;
	u16	slot;
	u16	ev_serial;
	u8	state;
	u8	tx_count;
	bool	response;
};

/**
 * struct smrc_sb - scoreboard of one QP
 * @pkt: ring of @size entries, entry of a PSN is psn & (size - 1); memory of the caller
 * @size: power of two, at most 2^22
 * @una: oldest PSN not cumulatively acknowledged
 * @nxt: next PSN to use; nxt - una <= size
 * @high: highest PSN known to have arrived; una - 1 when none beyond it
 * @inflight: entries in SMRC_SB_INFLIGHT
 * @n_lost: entries in SMRC_SB_LOST
 * @floor_ns: no round trip is shorter, 0 when that is not known: what arrived sooner after it was sent again came by an
 *	earlier transmission; the caller keeps it
 * @newest_ns: when the latest transmission known to have come to its end was sent
 * @fired_ns: time of the last timeout in silence (loss.c), 0 when @una moved since
 * @lost: no PSN before this one is LOST
 * @ev_sent: transmissions per slot (last entry: SMRC_EV_NO_SLOT), modulo 2^16
 * @ev_acked: ev_serial of the latest transmission per slot known to have arrived; of packets sent once only, since
 *	which transmission of another arrived is not known
 */
struct smrc_sb {
	struct smrc_sb_pkt	*pkt;
	u32			size;
	u32			una;
	u32			nxt;
	u32			high;
	u32			inflight;
	u32			n_lost;
	u32			lost;
	u64			floor_ns;
	u64			newest_ns;
	u64			fired_ns;
	u16			ev_sent[SMRC_EV_MAX + 1];
	u16			ev_acked[SMRC_EV_MAX + 1];
};

/**
 * struct smrc_ack_result - what a SACK or cumulative acknowledgment changed
 * @newly: PSNs newly known to have arrived
 * @cum: PSNs by which una moved
 * @bad: the acknowledgment names a PSN never sent; nothing was changed
 * @saved: PSNs that were declared lost, not yet sent again, and now arrived
 * @in_vain: PSNs sent again of which an earlier transmission arrived, as far as that can be told
 * @early_ns: how long after they were sent again that was known, the longest of them
 * @has_rtt: @rtt_ns is a sample: the packet that caused the SACK newly arrived, and it is known by which transmission
 * @spurious: that was not the latest one: the packet had been sent again for nothing, and @rtt_ns may be too small by a
 *	multiple of 8.4 ms
 * @absolves: the packet that caused the SACK had been declared lost on the value it arrived by
 * @rtt_ns: round-trip time of the transmission that arrived, until its SACK came
 * @service_ns: how much of it the receiver spent, at most @rtt_ns; 0 when not known
 * @alive: bit of a slot set: a packet sent once, on that slot, newly arrived, which proves its value alive
 */
struct smrc_ack_result {
	u32	newly;
	u32	cum;
	u32	saved;
	u32	in_vain;
	u64	early_ns;
	bool	bad;
	bool	has_rtt;
	bool	spurious;
	bool	absolves;
	u64	rtt_ns;
	u64	service_ns;
	u64	alive[SMRC_EV_MAX / 64];
};

void smrc_sb_init(struct smrc_sb *sb, struct smrc_sb_pkt *pkt, u32 size, u32 first_psn);
u32 smrc_sb_room(const struct smrc_sb *sb, u32 window);
u32 smrc_sb_send(struct smrc_sb *sb, u32 wqe, u32 off, u16 slot, u64 now_ns);
void smrc_sb_resend(struct smrc_sb *sb, u32 psn, u16 slot, u64 now_ns);
void smrc_sb_sack(struct smrc_sb *sb, const struct smrc_sack *sack, u64 now_ns, struct smrc_ack_result *res);
void smrc_sb_cumack(struct smrc_sb *sb, u32 cack, u64 now_ns, struct smrc_ack_result *res);
void smrc_sb_refused(struct smrc_sb *sb, u32 psn, u16 ts);
bool smrc_sb_lose(struct smrc_sb *sb, u32 psn);
bool smrc_sb_next_lost(struct smrc_sb *sb, u32 *psn);

/**
 * smrc_ack_news() - does a SACK tell something new of the value it names?
 * @res: what it acknowledged, NULL when that is not known
 * @sig: what it says of the value
 *
 * A transport ACK, which is shorter, may overtake the SACK of the same packet: then it is known already that the value
 * is alive, and a policy that counts acknowledgments (reps) must not count it twice.
 *
 * Return: false when all it says is known.
 */
static inline bool smrc_ack_news(const struct smrc_ack_result *res, enum smrc_ev_signal sig)
{
	return sig != SMRC_EV_SIG_ACK || !res || res->has_rtt;
}

/**
 * smrc_sb_pkt() - entry of a PSN
 * @sb: the scoreboard
 * @psn: the PSN; the entry is its own only between una and nxt, see smrc_sb_holds()
 *
 * Return: the entry, never NULL.
 */
static inline struct smrc_sb_pkt *smrc_sb_pkt(const struct smrc_sb *sb, u32 psn)
{
	return &sb->pkt[psn & (sb->size - 1)];
}

/**
 * smrc_sb_ev() - index of a slot in ev_sent and ev_acked
 * @slot: a slot or SMRC_EV_NO_SLOT
 *
 * Return: the index, 0 .. SMRC_EV_MAX.
 */
static inline u32 smrc_sb_ev(u16 slot)
{
	return slot < SMRC_EV_MAX ? slot : SMRC_EV_MAX;
}

/**
 * smrc_sb_empty() - is every PSN used so far acknowledged?
 * @sb: the scoreboard
 *
 * Return: true when nothing is between una and nxt.
 */
static inline bool smrc_sb_empty(const struct smrc_sb *sb)
{
	return sb->una == sb->nxt;
}

/**
 * smrc_sb_holds() - is a PSN between una and nxt?
 * @sb: the scoreboard
 * @psn: any PSN
 *
 * Return: true when the scoreboard has an entry of it.
 */
static inline bool smrc_sb_holds(const struct smrc_sb *sb, u32 psn)
{
	return smrc_psn_in(psn, sb->una, (sb->nxt - sb->una) & SMRC_PSN_MASK);
}

/**
 * smrc_sb_flies() - is a packet in flight?
 * @sb: the scoreboard
 * @psn: any PSN
 *
 * Return: true when it is.
 */
static inline bool smrc_sb_flies(const struct smrc_sb *sb, u32 psn)
{
	return smrc_sb_holds(sb, psn) && smrc_sb_pkt(sb, psn)->state == SMRC_SB_INFLIGHT;
}

#endif /* SMRC_SCOREBOARD_H */
