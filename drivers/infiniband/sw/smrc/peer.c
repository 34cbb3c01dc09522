// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * peer.c: the spraying layer's state for one pair of addresses: made with the first QP, destroyed with the last, so
 * that the next QP draws a new random set with every value usable (seed 1, "Spraying and QP groups").
 */
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <net/ipv6.h>

#include "cc.h"
#include "peer.h"
#include "proto/psn.h"
#include "proto/rtt.h"
#include "proto/wire.h"
#include "qp.h"
#include "smrc.h"
#include "trace.h"
#include "tx_build.h"

/* One of 10 KiB would take 16 KiB of the general caches. */
static struct kmem_cache *smrc_peer_cache;

static u32 smrc_peer_hash(const struct in6_addr *remote)
{
	return ipv6_addr_hash(remote);
}

/* ------------------------------------------------- timer and work */

static enum hrtimer_restart smrc_peer_timer(struct hrtimer *timer)
{
	struct smrc_peer *peer = container_of(timer, struct smrc_peer, timer);

	queue_work(smrc_wq, &peer->work);
	return HRTIMER_NORESTART;
}

/* The one place that arms the timer. */
static void smrc_peer_arm(struct smrc_peer *peer, u64 at)
{
	lockdep_assert_held(&peer->lock);
	if (peer->gone || at >= peer->timer_at)
		return;
	peer->timer_at = at;
	hrtimer_start(&peer->timer, ns_to_ktime(at), HRTIMER_MODE_ABS);
}

static void smrc_peer_arm_next(struct smrc_peer *peer)
{
	smrc_peer_arm(peer, peer->disc.next_ns);
	if (peer->ent.n_bad && !list_empty(&peer->qps))
		smrc_peer_arm(peer, peer->probe.next_ns);
}

/* A probe is answered on the port of the value it tests; it goes through the QP whose turn it is. */
static struct sk_buff *smrc_peer_probe(struct smrc_peer *peer, u64 now)
{
	struct smrc_pkt pkt = { .opcode = SMRC_OP_PROBE, .pkey = SMRC_PKEY_DEFAULT };
	struct smrc_qp *qp;
	struct sk_buff *skb;
	u16 slot, port;

	lockdep_assert_held(&peer->lock);
	qp = list_first_entry_or_null(&peer->qps, struct smrc_qp, peer_node);
	if (!qp)
		return NULL;
	slot = smrc_probe_due(&peer->probe, &peer->ent, now);
	if (slot == SMRC_EV_NO_SLOT)
		return NULL;
	list_rotate_left(&peer->qps);
	port = peer->ent.ev[slot].port;
	pkt.dqpn = qp->dqpn;
	pkt.probe.ts = smrc_ts(now);
	pkt.probe.id = smrc_probe_sent(&peer->probe, slot, now);
	smrc_entropy_probed(&peer->ent, slot);
	skb = smrc_build_ctl(&peer->path, &peer->dscp, SMRC_CLASS_DATA, port, &pkt);
	if (!skb)
		smrc_count(peer->dev, LOCAL_DROP);
	smrc_count(peer->dev, TX_PROBE);
	trace_smrc_packet(&peer->dev->ibdev, SMRC_DIR_TX, &pkt, qp->ibqp.qp_num, 0, port, 0, false);
	trace_smrc_probe(&peer->dev->ibdev, &peer->path.remote, "sent", pkt.probe.id, slot, 0);
	return skb;
}

static struct sk_buff *smrc_peer_request(struct smrc_peer *peer, u64 now)
{
	struct smrc_pkt pkt = {
		.opcode = SMRC_OP_EP_REQUEST,
		.pkey = SMRC_PKEY_DEFAULT,
		.dqpn = SMRC_QPN_ENDPOINT,
		.psn = peer->nonce,
		.ep = {
			.op = SMRC_EP_EV_PROBE,
			.caps = SMRC_CAPS,
			.ts = smrc_ts(now),
		},
	};
	u16 slot, port;

	lockdep_assert_held(&peer->lock);
	if (!smrc_discover_due(&peer->disc, now))
		return NULL;
	smrc_discover_sent(&peer->disc, now);
	smrc_count(peer->dev, EP_TX);
	slot = smrc_entropy_pick(&peer->ent);
	port = peer->ent.ev[slot].port;
	trace_smrc_packet(&peer->dev->ibdev, SMRC_DIR_TX, &pkt, SMRC_QPN_ENDPOINT, pkt.psn, port, 0, false);
	return smrc_build_ctl(&peer->path, &peer->dscp, SMRC_CLASS_DATA, port, &pkt);
}

static void smrc_peer_work(struct work_struct *work)
{
	struct smrc_peer *peer = container_of(work, struct smrc_peer, work);
	struct sk_buff *request, *probe;
	struct sk_buff_head list;
	u64 now = ktime_get_ns();

	/* The work item runs in softirq. */
	__skb_queue_head_init(&list);
	spin_lock(&peer->lock);
	peer->timer_at = U64_MAX;
	request = smrc_peer_request(peer, now);
	probe = smrc_peer_probe(peer, now);
	smrc_peer_arm_next(peer);
	spin_unlock(&peer->lock);

	if (request)
		__skb_queue_tail(&list, request);
	if (probe)
		__skb_queue_tail(&list, probe);
	rcu_read_lock();
	smrc_xmit(peer->dev, &peer->path, &peer->route, &list);
	rcu_read_unlock();
}

/* ------------------------------------------------- life */

/**
 * smrc_peers_init() - before the first device
 *
 * Return: 0 or -ENOMEM.
 */
int __init smrc_peers_init(void)
{
	smrc_peer_cache = KMEM_CACHE(smrc_peer, SLAB_HWCACHE_ALIGN);
	return smrc_peer_cache ? 0 : -ENOMEM;
}

/**
 * smrc_peers_exit() - behind the last device, and rcu_barrier()
 */
void smrc_peers_exit(void)
{
	kmem_cache_destroy(smrc_peer_cache);
}

static void smrc_peer_draw(struct smrc_peer *peer, const struct smrc_settings *s, u32 mss)
{
	struct smrc_entropy_cfg cfg = {
		.type = s->v[SMRC_SET_SPRAY_TYPE],
		.mask_bits = s->v[SMRC_SET_MASK_BITS],
		.port_offset = s->v[SMRC_SET_PORT_OFFSET],
		.active_size = s->v[SMRC_SET_ACTIVE_SIZE],
		.link_rate_mbps = smrc_netdev_rate(peer->dev),
		.base_rtt_us = s->v[SMRC_SET_BASE_RTT],
		.mss = mss,
		.loss_quorum = s->v[SMRC_SET_LOSS_QUORUM],
		.freeze_ns = (u64)s->v[SMRC_SET_BASE_RTT] * NSEC_PER_USEC * SMRC_FREEZE_RTTS,
	};

	smrc_entropy_init(&peer->ent, &cfg, get_random_u64());
}

static struct smrc_peer *smrc_peer_new(struct smrc_dev *dev, const struct smrc_path *path, u32 mss)
{
	struct smrc_settings s;
	struct smrc_peer *peer;
	u64 now = ktime_get_ns();

	smrc_device_settings(dev, &s);
	peer = kmem_cache_zalloc(smrc_peer_cache, GFP_KERNEL);
	if (!peer)
		return NULL;
	if (dst_cache_init(&peer->route, GFP_KERNEL)) {
		kmem_cache_free(smrc_peer_cache, peer);
		return NULL;
	}
	peer->dev = dev;
	peer->path = *path;
	peer->path.tos = 0;
	smrc_dscp_init(&peer->dscp, &s);
	peer->type = s.v[SMRC_SET_SPRAY_TYPE];
	peer->base_rtt_ns = (u64)s.v[SMRC_SET_BASE_RTT] * NSEC_PER_USEC;
	peer->timer_at = U64_MAX;
	spin_lock_init(&peer->lock);
	INIT_LIST_HEAD(&peer->qps);
	INIT_WORK(&peer->work, smrc_peer_work);
	hrtimer_setup(&peer->timer, smrc_peer_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS);
	smrc_peer_draw(peer, &s, mss);
	peer->grouped = s.v[SMRC_SET_QP_GROUPS];
	if (peer->grouped)
		smrc_cc_group(peer, &s, mss);
	smrc_probe_init(&peer->probe, (u64)s.v[SMRC_SET_PROBE_PERIOD] * NSEC_PER_USEC);
	smrc_discover_init(&peer->disc, now);
	peer->nonce = get_random_u32() & SMRC_PSN_MASK;
	return peer;
}

/* The netdev is part of a peer's identity where its address is valid on one link only. */
static bool smrc_peer_is(const struct smrc_peer *peer, const struct smrc_path *path)
{
	return ipv6_addr_equal(&peer->path.remote, &path->remote) && ipv6_addr_equal(&peer->path.local, &path->local) &&
	       (peer->path.oif == path->oif || !(ipv6_addr_type(&path->remote) & IPV6_ADDR_LINKLOCAL));
}

static struct smrc_peer *smrc_peer_find(struct smrc_dev *dev, const struct smrc_path *path)
{
	struct smrc_peer *peer;

	hash_for_each_possible_rcu(dev->peers, peer, node, smrc_peer_hash(&path->remote),
				   lockdep_is_held(&dev->peers_lock)) {
		if (smrc_peer_is(peer, path))
			return peer;
	}
	return NULL;
}

/**
 * smrc_peer_get() - the peer of a QP
 * @dev: the device
 * @path: the addresses
 * @mss: path MTU of the QP, bytes; for the size of the active set, if this is the first QP
 *
 * Context: process.
 * Return: the peer, held until smrc_peer_put(); NULL without memory.
 */
struct smrc_peer *smrc_peer_get(struct smrc_dev *dev, const struct smrc_path *path, u32 mss)
{
	struct smrc_peer *peer;

	mutex_lock(&dev->peers_lock);
	peer = smrc_peer_find(dev, path);
	if (!peer) {
		peer = smrc_peer_new(dev, path, mss);
		if (!peer)
			goto unlock;
		hash_add_rcu(dev->peers, &peer->node, smrc_peer_hash(&path->remote));
		queue_work(smrc_wq, &peer->work);
	}
	peer->users++;
unlock:
	mutex_unlock(&dev->peers_lock);
	return peer;
}

static void smrc_peer_free(struct rcu_head *rcu)
{
	kmem_cache_free(smrc_peer_cache, container_of(rcu, struct smrc_peer, rcu));
}

/*
 * Order of the end: out of the hash, so that no response finds it any more; gone, so that a response that did find it
 * arms and queues nothing; timer, which queues the work; work. Then nobody runs, and only RCU readers may look on.
 */
static void smrc_peer_destroy(struct smrc_peer *peer)
{
	hash_del_rcu(&peer->node);
	spin_lock_bh(&peer->lock);
	peer->gone = true;
	spin_unlock_bh(&peer->lock);
	hrtimer_cancel(&peer->timer);
	cancel_work_sync(&peer->work);
	dst_cache_destroy(&peer->route);
	call_rcu(&peer->rcu, smrc_peer_free);
}

/**
 * smrc_peer_put() - a QP no longer needs its peer
 * @peer: the peer
 *
 * Context: process.
 */
void smrc_peer_put(struct smrc_peer *peer)
{
	struct smrc_dev *dev = peer->dev;

	mutex_lock(&dev->peers_lock);
	if (!--peer->users)
		smrc_peer_destroy(peer);
	mutex_unlock(&dev->peers_lock);
}

/**
 * smrc_peers_quiesce() - drop the routes of all peers, since the netdev goes away
 * @dev: the device, with @dev->net NULL for a grace period: nobody uses a route, and nobody can cache another
 *
 * Context: process.
 */
void smrc_peers_quiesce(struct smrc_dev *dev)
{
	struct smrc_peer *peer;
	int i;

	mutex_lock(&dev->peers_lock);
	hash_for_each(dev->peers, i, peer, node)
		dst_cache_reset_now(&peer->route);
	mutex_unlock(&dev->peers_lock);
}

/**
 * smrc_peer_attach() - a QP is connected: probes may go through it
 * @peer: its peer
 * @qp: the QP, whose dqpn is set
 */
void smrc_peer_attach(struct smrc_peer *peer, struct smrc_qp *qp)
{
	spin_lock_bh(&peer->lock);
	list_add_tail(&qp->peer_node, &peer->qps);
	smrc_peer_arm_next(peer);
	spin_unlock_bh(&peer->lock);
}

/**
 * smrc_peer_detach() - the opposite of smrc_peer_attach()
 * @peer: the peer
 * @qp: the QP; harmless when it is not attached
 */
void smrc_peer_detach(struct smrc_peer *peer, struct smrc_qp *qp)
{
	spin_lock_bh(&peer->lock);
	list_del_init(&qp->peer_node);
	smrc_cc_leave(peer, qp);
	spin_unlock_bh(&peer->lock);
}

/*
 * From here on all is called with bottom halves off: by packets that came in, and under a QP's lock.
 */

/* ------------------------------------------------- entropy values */

/**
 * smrc_peer_pick() - the entropy value of the next packet
 * @peer: the peer, one that sprays
 * @avoid: slot not to take while another is usable, or SMRC_EV_NO_SLOT
 * @slot: slot of the value
 *
 * Return: the value: a UDP source port.
 */
u16 smrc_peer_pick(struct smrc_peer *peer, u16 avoid, u16 *slot)
{
	u16 port;

	spin_lock(&peer->lock);
	*slot = avoid == SMRC_EV_NO_SLOT ? smrc_entropy_pick(&peer->ent) : smrc_entropy_pick_other(&peer->ent, avoid);
	port = peer->ent.ev[*slot].port;
	spin_unlock(&peer->lock);
	return port;
}

static void smrc_peer_count_change(struct smrc_peer *peer, u8 to, enum smrc_ev_signal sig)
{
	if (to == SMRC_EV_ASSUMED_BAD)
		smrc_count(peer->dev, EV_BAD);
	else if (to == SMRC_EV_SKIP)
		smrc_count(peer->dev, EV_SKIPPED);
	else if (sig == SMRC_EV_SIG_PROBE_OK || sig == SMRC_EV_SIG_ABSOLVED)
		smrc_count(peer->dev, EV_RESTORED);
}

static void __smrc_peer_signal(struct smrc_peer *peer, u16 slot, enum smrc_ev_signal sig, u64 now)
{
	struct smrc_ev *ev = &peer->ent.ev[slot];
	u8 from;

	lockdep_assert_held(&peer->lock);
	if (slot >= peer->ent.n)
		return;
	from = ev->state;
	if (!smrc_entropy_feedback(&peer->ent, slot, sig, now))
		return;
	smrc_peer_count_change(peer, ev->state, sig);
	trace_smrc_ev_state(&peer->dev->ibdev, &peer->path.remote, ev->port, from, ev->state, sig);
	smrc_peer_arm_next(peer);
}

/**
 * smrc_peer_signal() - feedback on a value by its slot
 * @peer: the peer
 * @slot: slot, any number: one that is none is ignored
 * @sig: what was learnt
 * @now: current time, ns
 */
void smrc_peer_signal(struct smrc_peer *peer, u16 slot, enum smrc_ev_signal sig, u64 now)
{
	if (slot == SMRC_EV_NO_SLOT)
		return;
	spin_lock(&peer->lock);
	__smrc_peer_signal(peer, slot, sig, now);
	spin_unlock(&peer->lock);
}

/**
 * smrc_peer_sacked() - a SACK or NACK came
 * @peer: the peer, one that sprays
 * @value: entropy value it names, any number; U32_MAX when it names none
 * @sig: what it says of that value
 * @res: what it acknowledges, NULL when nothing
 * @now: current time, ns
 */
void smrc_peer_sacked(struct smrc_peer *peer, u32 value, enum smrc_ev_signal sig, const struct smrc_ack_result *res,
		      u64 now)
{
	bool news = smrc_ack_news(res, sig);
	u16 named, slot;
	u32 i;
	u64 w;

	spin_lock(&peer->lock);
	if (smrc_probe_heard(&peer->probe, now))
		smrc_peer_arm_next(peer);
	named = smrc_entropy_slot(&peer->ent, value);
	for (i = 0; res && i < SMRC_EV_MAX / 64; i++) {
		for (w = res->alive[i]; w; w &= w - 1) {
			slot = i * 64 + __ffs64(w);
			if (slot != named || !news)
				__smrc_peer_signal(peer, slot, SMRC_EV_SIG_ACK, now);
		}
	}
	if (named != SMRC_EV_NO_SLOT && news)
		__smrc_peer_signal(peer, named, sig, now);
	if (res && res->has_rtt && !res->spurious)
		smrc_entropy_rtt(&peer->ent, named, res->rtt_ns);
	spin_unlock(&peer->lock);
}

/**
 * smrc_peer_rtt() - a sample of a round trip of a data packet; it can only lower the base RTT
 * @peer: the peer
 * @rtt_ns: the sample
 */
void smrc_peer_rtt(struct smrc_peer *peer, u64 rtt_ns)
{
	spin_lock(&peer->lock);
	peer->base_rtt_ns = smrc_base_rtt_sample(peer->base_rtt_ns, rtt_ns);
	spin_unlock(&peer->lock);
}

/**
 * smrc_peer_base_rtt() - base RTT of a peer
 * @peer: the peer
 *
 * Context: any; a value that changes meanwhile does no harm.
 * Return: ns.
 */
u64 smrc_peer_base_rtt(struct smrc_peer *peer)
{
	return READ_ONCE(peer->base_rtt_ns);
}

/* ------------------------------------------------- discovery */

/**
 * smrc_peer_proven() - is it proven that the peer speaks MRC?
 * @peer: the peer
 *
 * Context: any.
 * Return: true from its first MRC packet or endpoint response on.
 */
bool smrc_peer_proven(struct smrc_peer *peer)
{
	return READ_ONCE(peer->disc.proven);
}

/* Let every QP look whether it may send now. */
static void smrc_peer_kick(struct smrc_peer *peer)
{
	struct smrc_qp *qp;

	lockdep_assert_held(&peer->lock);
	list_for_each_entry(qp, &peer->qps, peer_node)
		queue_work(smrc_wq, &qp->work);
}

/**
 * smrc_peer_heard() - an MRC packet came from the peer, which proves that it speaks MRC
 * @peer: the peer
 */
void smrc_peer_heard(struct smrc_peer *peer)
{
	if (smrc_peer_proven(peer))
		return;
	spin_lock(&peer->lock);
	if (smrc_discover_proof(&peer->disc))
		smrc_peer_kick(peer);
	spin_unlock(&peer->lock);
}

/**
 * smrc_peer_ep_response() - an endpoint response came
 * @dev: the device it came to
 * @path: addresses: local is where it came to, remote where it came from
 * @pkt: the response
 *
 * Context: softirq, RCU read lock held.
 * Return: false when no request of ours to that peer waits for it.
 */
bool smrc_peer_ep_response(struct smrc_dev *dev, const struct smrc_path *path, const struct smrc_pkt *pkt)
{
	struct smrc_peer *peer = smrc_peer_find(dev, path);
	bool asked;

	if (!peer)
		return false;
	spin_lock(&peer->lock);
	asked = !peer->gone && !peer->disc.answered && pkt->psn == peer->nonce;
	if (asked && smrc_discover_answer(&peer->disc, pkt->ep.caps, pkt->ep.mpr))
		smrc_peer_kick(peer);
	spin_unlock(&peer->lock);
	return asked;
}

/* ------------------------------------------------- answers to probes */

/**
 * smrc_peer_question() - the entropy value of a question (proto/pto.c)
 * @peer: the peer, one that sprays
 * @slot: slot of the value
 *
 * Drawn as smrc_peer_pick() draws, and counted as a probe.
 *
 * Return: the value: a UDP source port.
 */
u16 smrc_peer_question(struct smrc_peer *peer, u16 *slot)
{
	u16 port;

	spin_lock(&peer->lock);
	*slot = smrc_entropy_question(&peer->ent);
	port = peer->ent.ev[*slot].port;
	spin_unlock(&peer->lock);
	return port;
}

static void __smrc_peer_answered(struct smrc_peer *peer, u16 id, const struct smrc_probe_answer *ans, u64 now)
{
	lockdep_assert_held(&peer->lock);
	if (smrc_probe_heard(&peer->probe, now))
		smrc_peer_arm_next(peer);
	peer->base_rtt_ns = smrc_base_rtt_sample(peer->base_rtt_ns, ans->rtt_ns);
	trace_smrc_probe(&peer->dev->ibdev, &peer->path.remote, "answered", id, ans->slot, ans->rtt_ns);
	smrc_entropy_rtt(&peer->ent, ans->slot, ans->rtt_ns);
	if (ans->slot != SMRC_EV_NO_SLOT)
		__smrc_peer_signal(peer, ans->slot, SMRC_EV_SIG_PROBE_OK, now);
}

/**
 * smrc_peer_answered() - a question was answered
 * @peer: the peer
 * @id: its id
 * @ans: what the answer says
 * @now: current time, ns
 *
 * Returns the value to the rotation, and takes the round trip into the base RTT (seed 1, "Path feedback and probes").
 */
void smrc_peer_answered(struct smrc_peer *peer, u16 id, const struct smrc_probe_answer *ans, u64 now)
{
	spin_lock(&peer->lock);
	__smrc_peer_answered(peer, id, ans, now);
	spin_unlock(&peer->lock);
}

/**
 * smrc_peer_probe_answer() - the answer to a probe of the schedule came
 * @peer: the peer
 * @id: id it names, any number
 * @now: current time, ns
 *
 * Does what smrc_peer_answered() does.
 *
 * Return: false when no such probe is open.
 */
bool smrc_peer_probe_answer(struct smrc_peer *peer, u16 id, u64 now)
{
	struct smrc_probe_answer ans;

	spin_lock(&peer->lock);
	smrc_probe_answer(&peer->probe, id, now, &ans);
	if (ans.known)
		__smrc_peer_answered(peer, id, &ans, now);
	spin_unlock(&peer->lock);
	return ans.known;
}
