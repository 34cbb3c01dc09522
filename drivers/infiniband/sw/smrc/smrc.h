/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * smrc.h: the device, and the prototypes of each file of the driver.
 *
 * Documentation/architecture.rst has the map of a packet's way through these files, Documentation/locking.rst the lock
 * order and the lifetimes.
 */
#ifndef SMRC_H
#define SMRC_H

#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>
#include <rdma/smrc-abi.h>

#include "proto/settings.h"
#include "stats.h"

#define SMRC_NODE_DESC		"Soft-MRC"
#define SMRC_VENDOR_ID		0x534d52	/* "SMR"; vendor ids are 24 bit */
#define SMRC_PART_ID		1
#define SMRC_GID_TBL_LEN	128
#define SMRC_PEER_HASH_BITS	8

#define SMRC_MAX_QP		65536
#define SMRC_MAX_QP_WR		16384
#define SMRC_MAX_RD_ATOMIC	128
#define SMRC_MAX_CQ		65536
#define SMRC_MAX_CQE		1048576
#define SMRC_MAX_MR		262144
#define SMRC_MAX_PD		32768
#define SMRC_MAX_MR_SIZE	(~0ULL)

struct smrc_net;

/**
 * struct smrc_dev - one RDMA device, on one netdev
 * @ibdev: rdma core's part; its lifetime is that of the device
 * @node: entry in the list of all devices; device.c
 * @ndev: the netdev, for comparison only: rdma core holds the reference, and not as long as this is set
 * @ifindex: of the netdev, in @net
 * @net: network namespace of the netdev. RCU: NULL from the moment the netdev begins to go away; whoever reads it under
 *	rcu_read_lock() and finds it set may use it and everything in it until rcu_read_unlock()
 * @sn: share in the UDP sockets of @net, NULL when it has none; net_ns.c
 * @port_state: last state told to users (enum ib_port_state); written under rtnl, netdev.c
 * @link_mbps: speed of the netdev when last looked at, 0 when it has none to tell; written under rtnl, netdev.c
 * @settings_lock: protects @settings
 * @settings: current settings; new peers and new QPs copy what they need
 * @mr_xa: regions by key index (key >> 8)
 * @mr_next: index to try next; lock of @mr_xa
 * @peers_lock: protects additions to and removals from @peers, and the peers' QP count
 * @peers: RCU hash of peers by remote address
 * @stats: per-CPU counters
 * @n_qps: QPs that exist
 * @n_cqs: CQs that exist
 * @pd_ida: identities of protection domains
 */
struct smrc_dev {
	struct ib_device	ibdev;
	struct list_head	node;
	struct net_device	*ndev;
	int			ifindex;
	struct net __rcu	*net;
	struct smrc_net		*sn;
	u32			port_state;
	u32			link_mbps;
	struct mutex		settings_lock;	/* protects settings */
	struct smrc_settings	settings;
	struct xarray		mr_xa;
	u32			mr_next;
	struct mutex		peers_lock;	/* protects changes to peers */
	DECLARE_HASHTABLE(peers, SMRC_PEER_HASH_BITS);
	struct smrc_stats __percpu *stats;
	atomic_t		n_qps;
	atomic_t		n_cqs;
	struct ida		pd_ida;
};

/**
 * struct smrc_pd - protection domain
 * @ibpd: rdma core's part
 * @id: identity compared by the access check
 */
struct smrc_pd {
	struct ib_pd	ibpd;
	u32		id;
};

/**
 * struct smrc_ucontext - a user's open device
 * @ibuc: rdma core's part
 * @abi_ok: the provider speaks our ABI version
 */
struct smrc_ucontext {
	struct ib_ucontext	ibuc;
	bool			abi_ok;
};

static inline struct smrc_dev *to_smrc_dev(struct ib_device *ibdev)
{
	return container_of(ibdev, struct smrc_dev, ibdev);
}

static inline struct smrc_pd *to_smrc_pd(struct ib_pd *ibpd)
{
	return container_of(ibpd, struct smrc_pd, ibpd);
}

static inline struct smrc_ucontext *to_smrc_ucontext(struct ib_ucontext *ibuc)
{
	return container_of(ibuc, struct smrc_ucontext, ibuc);
}

/* main.c */
extern struct workqueue_struct *smrc_wq;	/* WQ_BH: items run in softirq, each on one CPU at a time */

/* netdev.c */
int smrc_netdev_init(void);
void smrc_netdev_exit(void);
u32 smrc_netdev_mtu(unsigned int netdev_mtu);
enum ib_port_state smrc_netdev_state(struct net_device *ndev);
void smrc_netdev_look(struct smrc_dev *dev, struct net_device *ndev);
void smrc_netdev_ask_speed(struct smrc_dev *dev, struct net_device *ndev);
u32 smrc_netdev_rate(struct smrc_dev *dev);

/* device.c */
extern const struct attribute_group smrc_dev_group;
int smrc_device_add(const char *name, struct net_device *ndev);
void smrc_device_netdev_gone(struct net_device *ndev);
struct smrc_dev *smrc_device_get(const char *name, struct net *net);
void smrc_device_settings(struct smrc_dev *dev, struct smrc_settings *out);
void smrc_dealloc_driver(struct ib_device *ibdev);

/* net_ns.c */
int smrc_net_init(void);
void smrc_net_exit(void);
int smrc_net_join(struct smrc_dev *dev, struct net *net);
void smrc_net_leave(struct smrc_dev *dev);
struct smrc_dev *smrc_net_find_dev(struct net *net, const struct in6_addr *local);
int smrc_add_gid(const struct ib_gid_attr *attr, void **context);
int smrc_del_gid(const struct ib_gid_attr *attr, void **context);

/* sysfs.c */
extern const struct attribute_group smrc_spray_group;
int smrc_settings_init(void);
void smrc_settings_from_params(struct smrc_settings *s);

/* netlink.c */
int smrc_nl_init(void);
void smrc_nl_exit(void);

/* stats.c */
struct rdma_hw_stats *smrc_alloc_hw_port_stats(struct ib_device *ibdev, u32 port);
int smrc_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port, int index);

/* verbs.c */
extern const struct ib_device_ops smrc_device_ops;

#endif /* SMRC_H */
