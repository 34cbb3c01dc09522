/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* peer.h: what all QPs between one pair of addresses share: the spraying layer's state */
#ifndef SMRC_PEER_H
#define SMRC_PEER_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <net/dst_cache.h>

#include "proto/discover.h"
#include "proto/dscp.h"
#include "proto/entropy.h"
#include "proto/group.h"
#include "proto/probe.h"
#include "proto/scoreboard.h"
#include "proto/settings.h"
#include "proto/wire.h"
#include "xmit.h"

struct smrc_dev;
struct smrc_qp;

/**
 * struct smrc_peer - a pair of addresses
 * @dev: the device; outlives its peers
 * @path: the addresses; ttl and tos for packets that belong to no QP
 * @dscp: traffic classes of those; fixed when the peer is made
 * @users: QPs that hold the peer; dev->peers_lock
 * @node: entry in dev->peers
 * @rcu: freed after a grace period, since responses find a peer by address under RCU
 * @type: how packets to it are sprayed; fixed when the peer is made
 * @grouped: its QPs share a congestion window; fixed when the peer is made
 * @route: cached route; used under rcu_read_lock() with dev->net set, see device.c
 * @lock: protects all below; taken inside a QP lock; bottom halves off
 * @gone: no user is left; nothing may be armed or queued any more
 * @ent: entropy values
 * @probe: probe schedule
 * @disc: does it speak MRC?
 * @nonce: PSN of endpoint requests; a response echoes it, so that a stranger cannot answer for the peer
 * @base_rtt_ns: base RTT: starts at the setting, only falls
 * @group: @grouped: the window, and the QPs that wait for it
 * @qps: connected QPs (smrc_qp.peer_node), those a probe can be sent through
 * @timer: fires when @work has something to do
 * @timer_at: when it fires, ns; U64_MAX when not armed
 * @work: sends probes and endpoint requests; runs on smrc_wq
 */
struct smrc_peer {
	struct smrc_dev		*dev;
	struct smrc_path	path;
	struct smrc_dscp	dscp;
	u32			users;
	struct hlist_node	node;
	struct rcu_head		rcu;
	enum smrc_spray_type	type;
	bool			grouped;
	struct dst_cache	route;

	spinlock_t		lock;	/* protects all below */
	bool			gone;
	struct smrc_entropy	ent;
	struct smrc_probe	probe;
	struct smrc_discover	disc;
	u32			nonce;
	u64			base_rtt_ns;
	struct smrc_group	group;
	struct list_head	qps;
	struct hrtimer		timer;
	u64			timer_at;
	struct work_struct	work;
};

int smrc_peers_init(void);
void smrc_peers_exit(void);
struct smrc_peer *smrc_peer_get(struct smrc_dev *dev, const struct smrc_path *path, u32 mss);
void smrc_peer_put(struct smrc_peer *peer);
void smrc_peers_quiesce(struct smrc_dev *dev);
void smrc_peer_attach(struct smrc_peer *peer, struct smrc_qp *qp);
void smrc_peer_detach(struct smrc_peer *peer, struct smrc_qp *qp);

u16 smrc_peer_pick(struct smrc_peer *peer, u16 avoid, u16 *slot);
void smrc_peer_signal(struct smrc_peer *peer, u16 slot, enum smrc_ev_signal sig, u64 now);
void smrc_peer_sacked(struct smrc_peer *peer, u32 value, enum smrc_ev_signal sig, const struct smrc_ack_result *res,
		      u64 now);
void smrc_peer_rtt(struct smrc_peer *peer, u64 rtt_ns);
u64 smrc_peer_base_rtt(struct smrc_peer *peer);

bool smrc_peer_proven(struct smrc_peer *peer);
void smrc_peer_heard(struct smrc_peer *peer);
u16 smrc_peer_question(struct smrc_peer *peer, u16 *slot);
void smrc_peer_answered(struct smrc_peer *peer, u16 id, const struct smrc_probe_answer *ans, u64 now);
bool smrc_peer_probe_answer(struct smrc_peer *peer, u16 id, u64 now);
bool smrc_peer_ep_response(struct smrc_dev *dev, const struct smrc_path *path, const struct smrc_pkt *pkt);

#endif /* SMRC_PEER_H */
