// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * netlink.c: dumps of what the driver knows: peers, entropy values, QPs. The family is described in
 * Documentation/netlink/specs/smrc.yaml.
 *
 * A dump goes over many calls, and holds nothing between them but the module: each finds the device anew, by name, so
 * that nobody who stops reading keeps a link from going. When peers come and go meanwhile, rows may be missed or told
 * twice.
 */
#include <linux/capability.h>
#include <linux/timekeeping.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/netlink.h>
#include <rdma/ib_verbs.h>
#include <rdma/smrc-netlink.h>

#include "peer.h"
#include "qp.h"
#include "smrc.h"

/**
 * struct smrc_nl_pos - where a dump goes on
 * @bucket: peers: bucket of the hash
 * @nth: peers: entry in the bucket
 * @peer: entropy values: nonce of the peer that @slot is of
 * @slot: entropy values: slot
 * @qpn: QPs: number
 */
struct smrc_nl_pos {
	u32	bucket;
	u32	nth;
	u32	peer;
	u32	slot;
	u32	qpn;
};

static_assert(sizeof(struct smrc_nl_pos) <= sizeof_field(struct netlink_callback, ctx));
static_assert((int)SMRC_EV_STATE_GOOD == SMRC_EV_GOOD);
static_assert((int)SMRC_EV_STATE_SKIP == SMRC_EV_SKIP);
static_assert((int)SMRC_EV_STATE_ASSUMED_BAD == SMRC_EV_ASSUMED_BAD);

static struct genl_family smrc_nl_family;

/* The device that a dump asks for, held until ib_device_put(); one of another namespace does not exist. */
static struct smrc_dev *smrc_nl_dev(struct netlink_callback *cb, u32 attr)
{
	const struct genl_info *info = genl_info_dump(cb);
	struct smrc_dev *dev;
	struct net *net;
	bool may;

	if (GENL_REQ_ATTR_CHECK(info, attr))
		return ERR_PTR(-EINVAL);
	dev = smrc_device_get(nla_data(info->attrs[attr]), genl_info_net(info));
	if (!dev) {
		NL_SET_ERR_MSG_ATTR(cb->extack, info->attrs[attr], "no such Soft-MRC device");
		return ERR_PTR(-ENODEV);
	}
	/* While rdma core shares its devices, all namespaces see them: what counts are rights over the netdev. */
	rcu_read_lock();
	net = rcu_dereference(dev->net);
	net = net ? maybe_get_net(net) : NULL;
	rcu_read_unlock();
	may = net && netlink_ns_capable(cb->skb, net->user_ns, CAP_NET_ADMIN);
	if (net)
		put_net(net);
	if (may)
		return dev;
	ib_device_put(&dev->ibdev);
	return ERR_PTR(net ? -EPERM : -ENODEV);
}

static void *smrc_nl_begin(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq, &smrc_nl_family, NLM_F_MULTI, cmd);
}

/* Ends a message; one that did not fit is taken back. */
static int smrc_nl_end(struct sk_buff *skb, void *msg, int err)
{
	if (err) {
		genlmsg_cancel(skb, msg);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, msg);
	return 0;
}

/* ------------------------------------------------- peers */

typedef int (*smrc_nl_peer_fn)(struct sk_buff *skb, struct netlink_callback *cb, struct smrc_peer *peer);

/* From the position of the dump on; it stays at the peer that did not fit. */
static int smrc_nl_peers(struct sk_buff *skb, struct netlink_callback *cb, struct smrc_dev *dev, smrc_nl_peer_fn fill)
{
	struct smrc_nl_pos *pos = (void *)cb->ctx;
	struct smrc_peer *peer;
	int err = 0;
	u32 nth;

	mutex_lock(&dev->peers_lock);
	for (; pos->bucket < HASH_SIZE(dev->peers); pos->bucket++, pos->nth = 0, pos->slot = 0) {
		nth = 0;
		hlist_for_each_entry(peer, &dev->peers[pos->bucket], node) {
			if (nth++ < pos->nth)
				continue;
			err = fill(skb, cb, peer);
			if (err)
				goto unlock;
			pos->nth = nth;
			pos->slot = 0;
		}
	}
unlock:
	mutex_unlock(&dev->peers_lock);
	return err;
}

static int smrc_nl_put_group(struct sk_buff *skb, struct smrc_peer *peer)
{
	u32 cwnd, inflight;

	spin_lock_bh(&peer->lock);
	cwnd = smrc_cwnd_size(&peer->group.cwnd);
	inflight = peer->group.inflight;
	spin_unlock_bh(&peer->lock);
	return nla_put_u32(skb, SMRC_A_PEER_CWND, cwnd) ?: nla_put_u32(skb, SMRC_A_PEER_INFLIGHT, inflight);
}

static int smrc_nl_put_peer(struct sk_buff *skb, struct netlink_callback *cb, struct smrc_peer *peer)
{
	const char *policy = smrc_setting_info[SMRC_SET_SPRAY_TYPE].words[peer->type];
	void *msg = smrc_nl_begin(skb, cb, SMRC_CMD_PEER_GET);
	u64 base_rtt = smrc_peer_base_rtt(peer);
	bool proven = smrc_peer_proven(peer);
	u32 bad = READ_ONCE(peer->ent.n_bad);
	int err;

	if (!msg)
		return -EMSGSIZE;
	err = nla_put_string(skb, SMRC_A_PEER_DEV, peer->dev->ibdev.name) ?:
	      nla_put_in6_addr(skb, SMRC_A_PEER_LOCAL, &peer->path.local) ?:
	      nla_put_in6_addr(skb, SMRC_A_PEER_REMOTE, &peer->path.remote) ?:
	      nla_put_string(skb, SMRC_A_PEER_POLICY, policy) ?:
	      nla_put_u32(skb, SMRC_A_PEER_USERS, peer->users) ?:
	      nla_put_u8(skb, SMRC_A_PEER_PROVEN, proven) ?:
	      nla_put_u64_64bit(skb, SMRC_A_PEER_BASE_RTT_NS, base_rtt, SMRC_A_PEER_PAD) ?:
	      nla_put_u32(skb, SMRC_A_PEER_VALUES, peer->ent.n) ?:
	      nla_put_u32(skb, SMRC_A_PEER_BAD, bad);
	if (!err && peer->grouped)
		err = smrc_nl_put_group(skb, peer);
	return smrc_nl_end(skb, msg, err);
}

static int smrc_nl_peer_get(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct smrc_dev *dev = smrc_nl_dev(cb, SMRC_A_PEER_DEV);
	int err;

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	err = smrc_nl_peers(skb, cb, dev, smrc_nl_put_peer);
	ib_device_put(&dev->ibdev);
	return err;
}

/* ------------------------------------------------- entropy values */

static int smrc_nl_put_ev(struct sk_buff *skb, struct netlink_callback *cb, struct smrc_peer *peer, u32 slot)
{
	void *msg = smrc_nl_begin(skb, cb, SMRC_CMD_EV_GET);
	struct smrc_ev ev;
	int err;

	if (!msg)
		return -EMSGSIZE;
	spin_lock_bh(&peer->lock);
	ev = peer->ent.ev[slot];
	spin_unlock_bh(&peer->lock);
	err = nla_put_string(skb, SMRC_A_EV_DEV, peer->dev->ibdev.name) ?:
	      nla_put_in6_addr(skb, SMRC_A_EV_LOCAL, &peer->path.local) ?:
	      nla_put_in6_addr(skb, SMRC_A_EV_REMOTE, &peer->path.remote) ?:
	      nla_put_u32(skb, SMRC_A_EV_SLOT, slot) ?:
	      nla_put_u16(skb, SMRC_A_EV_PORT, ev.port) ?:
	      nla_put_u32(skb, SMRC_A_EV_STATE, ev.state) ?:
	      nla_put_u32(skb, SMRC_A_EV_SENT, ev.sent) ?:
	      nla_put_u32(skb, SMRC_A_EV_ACKED, ev.acked) ?:
	      nla_put_u32(skb, SMRC_A_EV_LOST, ev.lost) ?:
	      nla_put_u32(skb, SMRC_A_EV_PROBES, ev.probes);
	if (!err && ev.rtt_ns)
		err = nla_put_u64_64bit(skb, SMRC_A_EV_RTT_NS, ev.rtt_ns, SMRC_A_EV_PAD);
	if (!err && ev.changed_ns)
		err = nla_put_u64_64bit(skb, SMRC_A_EV_AGE_NS, ktime_get_ns() - ev.changed_ns, SMRC_A_EV_PAD);
	return smrc_nl_end(skb, msg, err);
}

static int smrc_nl_put_evs(struct sk_buff *skb, struct netlink_callback *cb, struct smrc_peer *peer)
{
	const struct nlattr *remote = genl_info_dump(cb)->attrs[SMRC_A_EV_REMOTE];
	struct smrc_nl_pos *pos = (void *)cb->ctx;
	int err;

	if (remote && memcmp(nla_data(remote), &peer->path.remote, sizeof(peer->path.remote)))
		return 0;
	/* The one it stopped at may have gone. */
	if (pos->peer != peer->nonce)
		pos->slot = 0;
	pos->peer = peer->nonce;
	for (; pos->slot < peer->ent.n; pos->slot++) {
		err = smrc_nl_put_ev(skb, cb, peer, pos->slot);
		if (err)
			return err;
	}
	return 0;
}

static int smrc_nl_ev_get(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct smrc_dev *dev = smrc_nl_dev(cb, SMRC_A_EV_DEV);
	int err;

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	err = smrc_nl_peers(skb, cb, dev, smrc_nl_put_evs);
	ib_device_put(&dev->ibdev);
	return err;
}

/* ------------------------------------------------- QPs */

static int smrc_nl_put_receive(struct sk_buff *skb, const struct smrc_qp *qp)
{
	return nla_put_u32(skb, SMRC_A_QP_REMOTE_QPN, qp->dqpn) ?:
	       nla_put_in6_addr(skb, SMRC_A_QP_LOCAL, &qp->path.local) ?:
	       nla_put_in6_addr(skb, SMRC_A_QP_REMOTE, &qp->path.remote) ?:
	       nla_put_u32(skb, SMRC_A_QP_MTU, qp->mtu) ?:
	       nla_put_u32(skb, SMRC_A_QP_RCV_NXT, qp->rq.win.next) ?:
	       nla_put_u32(skb, SMRC_A_QP_RCV_OOO, qp->rq.win.ooo);
}

static int smrc_nl_put_send(struct sk_buff *skb, const struct smrc_qp *qp)
{
	const char *cc = smrc_setting_info[SMRC_SET_CC].words[qp->cc];
	const struct smrc_sq *sq = &qp->sq;
	u64 rto = smrc_rtt_rto(&sq->rtt, smrc_peer_base_rtt(qp->peer));
	int err;

	err = nla_put_u32(skb, SMRC_A_QP_POSTED, smrc_sq_prod(sq) - sq->cons) ?:
	      nla_put_u32(skb, SMRC_A_QP_SND_UNA, sq->sb.una) ?:
	      nla_put_u32(skb, SMRC_A_QP_SND_NXT, sq->sb.nxt) ?:
	      nla_put_u32(skb, SMRC_A_QP_INFLIGHT, sq->sb.inflight) ?:
	      nla_put_u32(skb, SMRC_A_QP_LOST, sq->sb.n_lost) ?:
	      nla_put_u32(skb, SMRC_A_QP_CWND, smrc_cwnd_size(&sq->cwnd)) ?:
	      nla_put_string(skb, SMRC_A_QP_CC, cc) ?:
	      nla_put_u32(skb, SMRC_A_QP_WINDOW, sq->window) ?:
	      nla_put_u64_64bit(skb, SMRC_A_QP_RTO_NS, rto, SMRC_A_QP_PAD);
	if (!err && sq->rtt.srtt)
		err = nla_put_u64_64bit(skb, SMRC_A_QP_SRTT_NS, sq->rtt.srtt, SMRC_A_QP_PAD);
	return err;
}

static int smrc_nl_put_qp(struct sk_buff *skb, struct netlink_callback *cb, struct smrc_qp *qp)
{
	void *msg = smrc_nl_begin(skb, cb, SMRC_CMD_QP_GET);
	int err;

	if (!msg)
		return -EMSGSIZE;
	spin_lock_bh(&qp->lock);
	err = nla_put_string(skb, SMRC_A_QP_DEV, qp->dev->ibdev.name) ?:
	      nla_put_u32(skb, SMRC_A_QP_QPN, qp->ibqp.qp_num) ?:
	      nla_put_u32(skb, SMRC_A_QP_STATE, qp->state);
	if (!err && qp->peer)
		err = smrc_nl_put_receive(skb, qp);
	if (!err && qp->peer && qp->sq.cwnd.packets)
		err = smrc_nl_put_send(skb, qp);
	spin_unlock_bh(&qp->lock);
	return smrc_nl_end(skb, msg, err);
}

static int smrc_nl_qp_get(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct smrc_dev *dev = smrc_nl_dev(cb, SMRC_A_QP_DEV);
	struct smrc_nl_pos *pos = (void *)cb->ctx;
	struct smrc_qp *qp;
	int err = 0;

	if (IS_ERR(dev))
		return PTR_ERR(dev);
	/* Keeps the QPs, like a packet's way in. */
	rcu_read_lock();
	while ((qp = smrc_qp_next(&pos->qpn))) {
		err = qp->dev == dev ? smrc_nl_put_qp(skb, cb, qp) : 0;
		if (err)
			break;
		pos->qpn++;
	}
	rcu_read_unlock();
	ib_device_put(&dev->ibdev);
	return err;
}

/* ------------------------------------------------- the family */

#define SMRC_NL_DEV	{ .type = NLA_NUL_STRING, .len = IB_DEVICE_NAME_MAX - 1 }

static const struct nla_policy smrc_nl_peer_policy[] = {
	[SMRC_A_PEER_DEV] = SMRC_NL_DEV,
};

static const struct nla_policy smrc_nl_ev_policy[] = {
	[SMRC_A_EV_DEV] = SMRC_NL_DEV,
	[SMRC_A_EV_REMOTE] = NLA_POLICY_EXACT_LEN(sizeof(struct in6_addr)),
};

static const struct nla_policy smrc_nl_qp_policy[] = {
	[SMRC_A_QP_DEV] = SMRC_NL_DEV,
};

static const struct genl_split_ops smrc_nl_ops[] = {
	{
		.cmd = SMRC_CMD_PEER_GET,
		.dumpit = smrc_nl_peer_get,
		.policy = smrc_nl_peer_policy,
		.maxattr = ARRAY_SIZE(smrc_nl_peer_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM | GENL_CMD_CAP_DUMP,
	},
	{
		.cmd = SMRC_CMD_EV_GET,
		.dumpit = smrc_nl_ev_get,
		.policy = smrc_nl_ev_policy,
		.maxattr = ARRAY_SIZE(smrc_nl_ev_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM | GENL_CMD_CAP_DUMP,
	},
	{
		.cmd = SMRC_CMD_QP_GET,
		.dumpit = smrc_nl_qp_get,
		.policy = smrc_nl_qp_policy,
		.maxattr = ARRAY_SIZE(smrc_nl_qp_policy) - 1,
		.flags = GENL_UNS_ADMIN_PERM | GENL_CMD_CAP_DUMP,
	},
};

static struct genl_family smrc_nl_family __ro_after_init = {
	.name = SMRC_FAMILY_NAME,
	.version = SMRC_FAMILY_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.split_ops = smrc_nl_ops,
	.n_split_ops = ARRAY_SIZE(smrc_nl_ops),
};

/**
 * smrc_nl_init() - offer the family
 *
 * Return: 0 or an errno.
 */
int __init smrc_nl_init(void)
{
	return genl_register_family(&smrc_nl_family);
}

/**
 * smrc_nl_exit() - no dump runs or begins any more
 */
void smrc_nl_exit(void)
{
	genl_unregister_family(&smrc_nl_family);
}
