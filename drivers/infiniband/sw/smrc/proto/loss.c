// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * loss.c: which packets are lost, and when to look again.
 *
 * What keeps a walk short: every packet is first sent in PSN order, and sent again only later. So
 *
 *  - a packet in flight that was sent once is the oldest of all in flight behind it, sent again or not: if it is not
 *    due by the timer, none of them is, and its time is the earliest of theirs;
 *  - beyond the highest PSN that arrived only the timer applies: there is nothing above for the gap rule, and only
 *    packets sent once are credited to their value (scoreboard.c), so the same-value rule needs a higher PSN as well.
 *
 * A walk therefore covers una..high, and from there goes on to the first packet in flight that was sent once.
 *
 * A packet that is overdue while round trips that began after it have ended is late by itself. Where none has, there
 * is silence: most likely the peer or this host was held up, or every path is down. Then, as in RFC 6298 5.4, a timeout
 * takes the oldest packet alone, and the next one waits for another RTO. The round trip that ends next tells more: if
 * it is that of the retransmission, the others are overdue and go at once; if it began before, it moves the RTO above
 * their age. (The idea is RACK's, RFC 8985.)
 */
#include <linux/limits.h>
#include <linux/minmax.h>

#include "loss.h"

/* First time at which something sent at @sent_ns is older than @limit. */
static u64 loss_due(u64 sent_ns, u64 limit)
{
	return limit < U64_MAX - sent_ns ? sent_ns + limit + 1 : U64_MAX;
}

/* Nothing was heard of what was sent after @p. */
static bool loss_silent(const struct smrc_sb *sb, const struct smrc_sb_pkt *p)
{
	return p->sent_ns >= sb->newest_ns;
}

static bool loss_deep(const struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, u32 psn)
{
	s32 depth = smrc_psn_diff(sb->high, psn);

	return depth > 0 && (u32)depth > cfg->depth;
}

/*
 * The scoreboard keeps the serial of the latest arrival of a value, not a count: @guard or more transmissions lie
 * between the packet and an arrival, which on one FIFO path is the stronger statement.
 */
static bool loss_overtaken(const struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, const struct smrc_sb_pkt *p)
{
	s16 behind = sb->ev_acked[smrc_sb_ev(p->slot)] - p->ev_serial;

	return cfg->guard && behind > 0 && (u32)behind >= cfg->guard;
}

/* When the timer makes @p lost. */
static u64 loss_timer(const struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, const struct smrc_sb_pkt *p)
{
	u64 from = loss_silent(sb, p) ? max(p->sent_ns, sb->fired_ns) : p->sent_ns;

	return loss_due(from, cfg->rto_ns);
}

/**
 * smrc_loss_begin() - start a walk over the scoreboard
 * @sb: the scoreboard
 * @scan: state of the walk
 */
void smrc_loss_begin(const struct smrc_sb *sb, struct smrc_loss_scan *scan)
{
	scan->psn = sb->una;
	scan->deadline_ns = U64_MAX;
	scan->fired = false;
}

/*
 * What SACKs tell of the packet in flight at the walk's PSN, if anything. It counts once the packet is older than a
 * round trip: a host with several CPUs or transmit queues lets packets of one value pass each other, by less than that.
 */
static bool loss_told(const struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, u32 psn, const struct smrc_sb_pkt *p,
		      u8 *reason)
{
	*reason = SMRC_LOSS_SAME_VALUE;
	if (loss_overtaken(sb, cfg, p))
		return true;
	*reason = SMRC_LOSS_GAP;
	return loss_deep(sb, cfg, psn);
}

/* Is the packet in flight @p lost? If not, take its time into the deadline of the walk. */
static bool loss_judge(const struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, u64 now_ns,
		       struct smrc_loss_scan *scan, const struct smrc_sb_pkt *p, u8 *reason)
{
	u64 due = loss_timer(sb, cfg, p);
	u64 told_due;

	if (loss_told(sb, cfg, scan->psn, p, reason)) {
		told_due = loss_due(p->sent_ns, cfg->rtt_ns);
		if (now_ns >= told_due)
			return true;
		due = min(due, told_due);
	}
	*reason = SMRC_LOSS_TIMEOUT;
	if (now_ns >= due)
		return true;
	scan->deadline_ns = min(scan->deadline_ns, due);
	return false;
}

/**
 * smrc_loss_next() - declare the next packet lost, in PSN order
 * @sb: the scoreboard; the caller serialises
 * @cfg: the figures of the rules
 * @now_ns: current time, ns
 * @scan: state of the walk; its deadline is valid once this returned false
 * @out: the packet declared lost
 *
 * The rules are those of seed 1 (SACKLossMinRetxPkts) and of enum smrc_loss_reason. Those that a SACK proves come
 * before the timer: a sender that was held up must not blame values at once for what gaps tell.
 *
 * Return: true when a packet was declared lost, false at the end of the walk.
 */
bool smrc_loss_next(struct smrc_sb *sb, const struct smrc_loss_cfg *cfg, u64 now_ns, struct smrc_loss_scan *scan,
		    struct smrc_loss *out)
{
	const struct smrc_sb_pkt *p;
	bool lost;

	/* The caller may have applied an acknowledgment since the last call. */
	if (smrc_psn_before(scan->psn, sb->una))
		scan->psn = sb->una;

	for (; smrc_sb_holds(sb, scan->psn); scan->psn = smrc_psn_add(scan->psn, 1)) {
		p = smrc_sb_pkt(sb, scan->psn);
		if (p->state != SMRC_SB_INFLIGHT)
			continue;
		lost = loss_judge(sb, cfg, now_ns, scan, p, &out->reason);
		if (lost) {
			out->psn = scan->psn;
			out->slot = p->slot;
			smrc_sb_lose(sb, scan->psn);
			if (out->reason == SMRC_LOSS_TIMEOUT && loss_silent(sb, p)) {
				sb->fired_ns = now_ns;
				scan->fired = true;
			}
			scan->psn = smrc_psn_add(scan->psn, 1);
			return true;
		}
		if (p->tx_count == 1 && smrc_psn_before(sb->high, scan->psn))
			break;
	}
	scan->psn = sb->nxt;
	return false;
}
