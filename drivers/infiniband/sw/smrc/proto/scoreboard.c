// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * scoreboard.c: the sender's record of every PSN of its window.
 *
 * Every PSN that an acknowledgment names is the peer's word: it is held against una and nxt before it is an index.
 */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "scoreboard.h"

/**
 * smrc_sb_init() - nothing sent yet
 * @sb: to fill in
 * @pkt: memory for @size entries, any content; stays the caller's
 * @size: power of two, at most 2^22, so that a window is never half of the number space
 * @first_psn: first PSN that will be sent
 */
void smrc_sb_init(struct smrc_sb *sb, struct smrc_sb_pkt *pkt, u32 size, u32 first_psn)
{
	memset(sb, 0, sizeof(*sb));
	sb->pkt = pkt;
	sb->size = size;
	sb->una = first_psn & SMRC_PSN_MASK;
	sb->nxt = sb->una;
	sb->lost = sb->una;
	sb->high = smrc_psn_add(sb->una, -1);
}

/**
 * smrc_sb_room() - how many new PSNs may be sent
 * @sb: the scoreboard
 * @window: the peer's receive window, PSNs
 *
 * Return: 0 .. min(@window, size).
 */
u32 smrc_sb_room(const struct smrc_sb *sb, u32 window)
{
	u32 used = (sb->nxt - sb->una) & SMRC_PSN_MASK;

	window = min(window, sb->size);
	return used < window ? window - used : 0;
}

static void sb_transmitted(struct smrc_sb *sb, struct smrc_sb_pkt *p, u16 slot, u64 now_ns)
{
	p->state = SMRC_SB_INFLIGHT;
	p->sent_ns = now_ns;
	p->slot = slot;
	p->ev_serial = ++sb->ev_sent[smrc_sb_ev(slot)];
	if (p->tx_count < U8_MAX)
		p->tx_count++;
	sb->inflight++;
}

/**
 * smrc_sb_send() - record the first transmission of the next PSN
 * @sb: the scoreboard, with room for a PSN; the caller serialises
 * @wqe: tag of the caller
 * @off: offset of the payload in its message, bytes
 * @slot: slot of the entropy value, or SMRC_EV_NO_SLOT
 * @now_ns: current time, ns; never before that of an earlier call (loss.c relies on it)
 *
 * Return: the PSN.
 */
u32 smrc_sb_send(struct smrc_sb *sb, u32 wqe, u32 off, u16 slot, u64 now_ns)
{
	u32 psn = sb->nxt;
	struct smrc_sb_pkt *p = smrc_sb_pkt(sb, psn);

	memset(p, 0, sizeof(*p));
	p->wqe = wqe;
	p->off = off;
	sb_transmitted(sb, p, slot, now_ns);
	sb->nxt = smrc_psn_add(psn, 1);
	return psn;
}

/**
 * smrc_sb_resend() - record that a packet declared lost is sent again
 * @sb: the scoreboard; the caller serialises
 * @psn: its PSN, one that smrc_sb_next_lost() told; any other that is not LOST is ignored
 * @slot: slot of the entropy value of this transmission, or SMRC_EV_NO_SLOT
 * @now_ns: current time, ns
 */
void smrc_sb_resend(struct smrc_sb *sb, u32 psn, u16 slot, u64 now_ns)
{
	struct smrc_sb_pkt *p = smrc_sb_pkt(sb, psn);

	if (!smrc_sb_holds(sb, psn) || p->state != SMRC_SB_LOST)
		return;
	sb->n_lost--;
	sb_transmitted(sb, p, slot, now_ns);
}

/* The packet arrived by its only transmission: later ones on its value are now measured against it. */
static void sb_credit(struct smrc_sb *sb, const struct smrc_sb_pkt *p, struct smrc_ack_result *res)
{
	u16 *acked = &sb->ev_acked[smrc_sb_ev(p->slot)];

	if (p->tx_count != 1)
		return;
	sb->newest_ns = max(sb->newest_ns, p->sent_ns);
	if (p->slot < SMRC_EV_MAX)
		res->alive[p->slot / 64] |= BIT_ULL(p->slot % 64);
	if ((s16)(p->ev_serial - *acked) > 0)
		*acked = p->ev_serial;
}

static u64 sb_age(const struct smrc_sb_pkt *p, u64 now_ns)
{
	return now_ns > p->sent_ns ? now_ns - p->sent_ns : 0;
}

static void sb_in_vain(u64 age, struct smrc_ack_result *res)
{
	res->in_vain++;
	res->early_ns = max(res->early_ns, age);
}

/* @psn, which the scoreboard holds, arrived. */
static void sb_arrived(struct smrc_sb *sb, u32 psn, u64 now_ns, struct smrc_ack_result *res)
{
	struct smrc_sb_pkt *p = smrc_sb_pkt(sb, psn);

	if (p->state == SMRC_SB_SACKED)
		return;
	if (p->state == SMRC_SB_LOST) {
		sb->n_lost--;
		res->saved++;
	} else {
		sb->inflight--;
		/* Too soon after it was sent again (the idea is Eifel's, RFC 3522, without its option) */
		if (p->tx_count > 1 && sb_age(p, now_ns) < sb->floor_ns)
			sb_in_vain(sb_age(p, now_ns), res);
	}
	p->state = SMRC_SB_SACKED;
	res->newly++;
	sb_credit(sb, p, res);
	if (smrc_psn_before(sb->high, psn))
		sb->high = psn;
}

/* Everything up to @cack, which is before nxt, arrived. */
static void sb_cumulative(struct smrc_sb *sb, u32 cack, u64 now_ns, struct smrc_ack_result *res)
{
	while (!smrc_psn_before(cack, sb->una)) {
		sb_arrived(sb, sb->una, now_ns, res);
		sb->una = smrc_psn_add(sb->una, 1);
		res->cum++;
	}
	/* Progress: the next overdue packet need not wait for another RTO, even if no round trip is known (loss.c). */
	if (res->cum)
		sb->fired_ns = 0;
	if (smrc_psn_before(sb->lost, sb->una))
		sb->lost = sb->una;
	if (smrc_psn_before(sb->high, smrc_psn_add(sb->una, -1)))
		sb->high = smrc_psn_add(sb->una, -1);
}

/*
 * The packet that caused a SACK newly arrived: how long was it under way? One that was sent several times is told by
 * the timestamp that comes back (RFC 7323 4; RFC 3522 for what was sent again in vain); without one it gives no sample
 * (Karn). An earlier transmission is taken for the latest one that can have carried that timestamp, which repeats
 * every 8.4 ms. The timestamp comes back later than it was by the time spent in the receiver; where that is longer than
 * the round trip, it is not one of ours.
 */
static void sb_sample(struct smrc_sb *sb, const struct smrc_sb_pkt *p, u16 ts, u64 now_ns, struct smrc_ack_result *res)
{
	u64 age = sb_age(p, now_ns);
	u16 service = ts - smrc_ts(p->sent_ns);
	u64 service_ns = (u64)service << SMRC_TS_SHIFT;
	u16 behind = -service;
	u64 earlier;

	if (p->tx_count > 1) {
		if (!ts)
			return;
		res->spurious = service > SMRC_TS_SERVICE_MAX;
		if (res->spurious && age >= sb->floor_ns)
			sb_in_vain(age, res);
	}
	if (ts && service <= SMRC_TS_SERVICE_MAX && service_ns <= age)
		res->service_ns = service_ns;
	earlier = res->spurious ? (u64)behind << SMRC_TS_SHIFT : 0;
	res->has_rtt = true;
	res->rtt_ns = age + earlier;
	sb->newest_ns = max(sb->newest_ns, p->sent_ns - min(earlier, p->sent_ns));
}

static bool sb_never_sent(const struct smrc_sb *sb, u32 psn)
{
	return !smrc_psn_before(psn, sb->nxt);
}

/* Does a SACK name a PSN never sent? Its highest bit stands for the whole bitmap. */
static bool sb_sack_bad(const struct smrc_sb *sb, const struct smrc_sack *sack)
{
	if (sb_never_sent(sb, sack->cack))
		return true;
	if (!sack->probe && sb_never_sent(sb, sack->ack_psn))
		return true;
	return sack->bitmap && sb_never_sent(sb, smrc_psn_add(sack->sack_base, fls64(sack->bitmap) - 1));
}

/**
 * smrc_sb_sack() - apply a SACK
 * @sb: the scoreboard; the caller serialises
 * @sack: the SACK, as parsed: any content
 * @now_ns: current time, ns
 * @res: what it changed
 *
 * A SACK is full state (OCP MRC 1.0 7.5.2), so one that was overtaken does no harm: its cumulative PSN is behind una
 * and moves nothing, its bitmap may still tell of packets that no later SACK covered. The cost is that of the PSNs
 * newly acknowledged plus the bits of the bitmap. The PSN at una is never SACKED afterwards.
 */
void smrc_sb_sack(struct smrc_sb *sb, const struct smrc_sack *sack, u64 now_ns, struct smrc_ack_result *res)
{
	u64 bits = sack->bitmap;
	struct smrc_sb_pkt *p;
	bool timed, lost;
	u32 psn;

	memset(res, 0, sizeof(*res));
	if (sb_sack_bad(sb, sack)) {
		res->bad = true;
		return;
	}

	p = smrc_sb_pkt(sb, sack->ack_psn);
	timed = !sack->probe && smrc_sb_holds(sb, sack->ack_psn) && p->state != SMRC_SB_SACKED;
	lost = p->state == SMRC_SB_LOST;

	sb_cumulative(sb, sack->cack, now_ns, res);
	for (; bits; bits &= bits - 1) {
		psn = smrc_psn_add(sack->sack_base, __ffs64(bits));
		if (smrc_sb_holds(sb, psn))
			sb_arrived(sb, psn, now_ns, res);
	}
	/* An honest bitmap never begins with una. Were it left there SACKED, nothing would be in flight to wait for. */
	while (!smrc_sb_empty(sb) && smrc_sb_pkt(sb, sb->una)->state == SMRC_SB_SACKED)
		sb_cumulative(sb, sb->una, now_ns, res);

	/* The entry outlives una's passing: nothing is sent before this function returns. */
	if (timed && p->state == SMRC_SB_SACKED) {
		sb_sample(sb, p, sack->ts, now_ns, res);
		res->absolves = lost || res->spurious;
	}
}

/**
 * smrc_sb_cumack() - apply the cumulative PSN of a transport acknowledge
 * @sb: the scoreboard; the caller serialises
 * @cack: everything up to this PSN arrived, as parsed: any PSN
 * @now_ns: current time, ns
 * @res: what it changed; there is no RTT sample, since a transport acknowledge names no packet that caused it
 */
void smrc_sb_cumack(struct smrc_sb *sb, u32 cack, u64 now_ns, struct smrc_ack_result *res)
{
	memset(res, 0, sizeof(*res));
	if (sb_never_sent(sb, cack)) {
		res->bad = true;
		return;
	}
	sb_cumulative(sb, cack, now_ns, res);
}

/**
 * smrc_sb_refused() - a NACK came: the packet was not taken, but its way and the way back work
 * @sb: the scoreboard; the caller serialises
 * @psn: its PSN, one that the scoreboard holds
 * @ts: timestamp that the NACK brings back, 0: none
 */
void smrc_sb_refused(struct smrc_sb *sb, u32 psn, u16 ts)
{
	const struct smrc_sb_pkt *p = smrc_sb_pkt(sb, psn);

	if (p->tx_count == 1 || ts == smrc_ts(p->sent_ns))
		sb->newest_ns = max(sb->newest_ns, p->sent_ns);
}

/**
 * smrc_sb_lose() - declare a packet lost
 * @sb: the scoreboard; the caller serialises
 * @psn: its PSN, any: a NACK names it
 *
 * Return: true when it was in flight, false when there is nothing to declare.
 */
bool smrc_sb_lose(struct smrc_sb *sb, u32 psn)
{
	struct smrc_sb_pkt *p = smrc_sb_pkt(sb, psn);

	if (!smrc_sb_holds(sb, psn) || p->state != SMRC_SB_INFLIGHT)
		return false;
	p->state = SMRC_SB_LOST;
	sb->inflight--;
	sb->n_lost++;
	if (smrc_psn_before(psn, sb->lost))
		sb->lost = psn;
	return true;
}

/**
 * smrc_sb_next_lost() - the oldest packet that waits to be sent again
 * @sb: the scoreboard; the caller serialises
 * @psn: its PSN
 *
 * Remembers how far it looked, so that sending all lost packets again costs one walk over the window.
 *
 * Return: true when there is one.
 */
bool smrc_sb_next_lost(struct smrc_sb *sb, u32 *psn)
{
	if (!sb->n_lost)
		return false;
	while (smrc_sb_pkt(sb, sb->lost)->state != SMRC_SB_LOST)
		sb->lost = smrc_psn_add(sb->lost, 1);
	*psn = sb->lost;
	return true;
}
