// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * device.c: an RDMA device comes and goes.
 *
 * A device belongs to one netdev and dies with it. Life:
 *
 *	smrc_device_add()		"rdma link add": everything it needs, then it is registered
 *	smrc_device_netdev_gone()	its netdev goes: off the network at once, unregistered soon
 *	smrc_dealloc_driver()		rdma core is done with it: off the network if not yet, the rest is freed
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sysfs.h>
#include <net/addrconf.h>
#include <net/net_namespace.h>

#include "peer.h"
#include "smrc.h"

/* Only one link is added at a time, so that "this netdev has none yet" stays true until the new one can be found. */
static DEFINE_MUTEX(smrc_add_lock);

/*
 * All devices that have not been freed. rdma core's own way from a netdev to a device ends as soon as the device is
 * being unregistered, but until it is freed it must still be taken off a netdev that goes. The lock is taken under
 * rtnl, and serialises smrc_device_quiesce().
 */
static LIST_HEAD(smrc_devs);
static DEFINE_MUTEX(smrc_devs_lock);

static ssize_t parent_show(struct device *device, struct device_attribute *attr, char *buf)
{
	struct smrc_dev *dev = rdma_device_to_drv_device(device, struct smrc_dev, ibdev);
	struct net_device *ndev = ib_device_get_netdev(&dev->ibdev, 1);
	ssize_t len;

	if (!ndev)
		return -ENODEV;
	len = sysfs_emit(buf, "%s\n", netdev_name(ndev));
	dev_put(ndev);
	return len;
}

static DEVICE_ATTR_RO(parent);

static struct attribute *smrc_dev_attrs[] = {
	&dev_attr_parent.attr,
	NULL,
};

/* Files of /sys/class/infiniband/NAME itself. */
const struct attribute_group smrc_dev_group = {
	.attrs = smrc_dev_attrs,
};

/*
 * Needed is what carries IP packets: ARPHRD_NONE are tunnels of layer 3, such as tun. A VLAN does too, but rdma core
 * gives its addresses to the device on the netdev below it, so one of its own would have none.
 */
static bool smrc_netdev_suits(struct net_device *ndev)
{
	if (is_vlan_dev(ndev)) {
		pr_err_ratelimited("%s: is a VLAN; a link on %s has its addresses\n", netdev_name(ndev),
				   netdev_name(vlan_dev_real_dev(ndev)));
		return false;
	}
	if (ndev->type == ARPHRD_ETHER || ndev->type == ARPHRD_LOOPBACK || ndev->type == ARPHRD_NONE)
		return true;
	pr_err_ratelimited("%s: netdev type %u cannot carry Soft-MRC: Ethernet, loopback or tun is needed\n",
			   netdev_name(ndev), ndev->type);
	return false;
}

static bool smrc_netdev_taken(struct net_device *ndev)
{
	struct ib_device *ibdev = ib_device_get_by_netdev(ndev, (enum rdma_driver_id)SMRC_RDMA_DRIVER_ID);

	if (!ibdev)
		return false;
	ib_device_put(ibdev);
	return true;
}

/* An EUI-64 of the MAC; a netdev without one gets a random one, for connection management tells nodes apart by it. */
static __be64 smrc_node_guid(const struct net_device *ndev)
{
	u8 mac[ETH_ALEN];
	__be64 guid;

	if (ndev->addr_len == ETH_ALEN && is_valid_ether_addr(ndev->dev_addr))
		ether_addr_copy(mac, ndev->dev_addr);
	else
		eth_random_addr(mac);
	addrconf_addr_eui48((u8 *)&guid, (const char *)mac);
	return guid;
}

static void smrc_device_init(struct smrc_dev *dev, struct net_device *ndev)
{
	struct ib_device *ibdev = &dev->ibdev;

	ibdev->node_type = RDMA_NODE_IB_CA;
	ibdev->phys_port_cnt = 1;
	ibdev->num_comp_vectors = num_possible_cpus();
	ibdev->node_guid = smrc_node_guid(ndev);
	ibdev->uverbs_cmd_mask |= BIT_ULL(IB_USER_VERBS_CMD_POST_SEND) | BIT_ULL(IB_USER_VERBS_CMD_POST_RECV) |
				  BIT_ULL(IB_USER_VERBS_CMD_REQ_NOTIFY_CQ);
	strscpy(ibdev->node_desc, SMRC_NODE_DESC, sizeof(ibdev->node_desc));
	/* Core fills in 0 and 1; 2 is meant for counters of the device as a whole, which this one has none of. */
	ibdev->groups[2] = &smrc_spray_group;
	ib_set_device_ops(ibdev, &smrc_device_ops);
	ib_mark_name_assigned_by_user(ibdev);

	dev->ifindex = ndev->ifindex;
	dev->ndev = ndev;
	INIT_LIST_HEAD(&dev->node);
	mutex_init(&dev->settings_lock);
	smrc_settings_from_params(&dev->settings);
	xa_init_flags(&dev->mr_xa, XA_FLAGS_ALLOC1);
	ida_init(&dev->pd_ida);
	mutex_init(&dev->peers_lock);
	hash_init(dev->peers);
}

static int smrc_device_join(struct smrc_dev *dev, struct net *net)
{
	int err;

	mutex_lock(&smrc_devs_lock);
	err = smrc_net_join(dev, net);
	if (!err) {
		rcu_assign_pointer(dev->net, net);
		list_add_tail(&dev->node, &smrc_devs);
	}
	mutex_unlock(&smrc_devs_lock);
	return err;
}

static int smrc_device_start(struct smrc_dev *dev, const char *name, struct net_device *ndev)
{
	int err;

	dev->stats = alloc_percpu(struct smrc_stats);
	if (!dev->stats)
		return -ENOMEM;
	err = ib_device_set_netdev(&dev->ibdev, ndev, 1);
	if (err)
		return err;
	err = smrc_device_join(dev, dev_net(ndev));
	if (err)
		return err;

	rtnl_lock();
	smrc_netdev_look(dev, ndev);
	smrc_netdev_ask_speed(dev, ndev);
	rtnl_unlock();
	return ib_register_device(&dev->ibdev, name, NULL);
}

/*
 * What the notifier told before it could find the device is made up for here. From registration on others may delete
 * the device, so it is looked up like a stranger's.
 */
static int smrc_device_catch_up(struct net_device *ndev)
{
	struct ib_device *ibdev;
	int err = 0;

	rtnl_lock();
	if (ndev->reg_state != NETREG_REGISTERED) {
		smrc_device_netdev_gone(ndev);
		err = -ENODEV;
		goto unlock;
	}
	ibdev = ib_device_get_by_netdev(ndev, (enum rdma_driver_id)SMRC_RDMA_DRIVER_ID);
	if (ibdev) {
		smrc_netdev_look(to_smrc_dev(ibdev), ndev);
		ib_device_put(ibdev);
	}
unlock:
	rtnl_unlock();
	return err;
}

/**
 * smrc_device_add() - make a device ("rdma link add NAME type smrc netdev NDEV")
 * @name: name of the device
 * @ndev: the netdev; the caller holds a reference
 *
 * The netlink interface has no room for a reason, so each refusal has an errno of its own and, where that does not
 * say it, one line in the kernel's log.
 *
 * Context: process, rtnl not held.
 * Return: 0; -EOPNOTSUPP the netdev carries no IP, or is a VLAN; -EEXIST it has a device already; -EADDRINUSE another
 * owner has the UDP port; -ENFILE the name is taken; -ENODEV the netdev is going away; -ENOMEM.
 */
int smrc_device_add(const char *name, struct net_device *ndev)
{
	struct smrc_dev *dev;
	int err;

	if (!smrc_netdev_suits(ndev))
		return -EOPNOTSUPP;

	mutex_lock(&smrc_add_lock);
	if (smrc_netdev_taken(ndev)) {
		pr_err_ratelimited("%s: has a Soft-MRC device already\n", netdev_name(ndev));
		err = -EEXIST;
		goto unlock;
	}
	dev = ib_alloc_device_with_net(smrc_dev, ibdev, dev_net(ndev));
	if (!dev) {
		err = -ENOMEM;
		goto unlock;
	}
	smrc_device_init(dev, ndev);
	err = smrc_device_start(dev, name, ndev);
	if (err) {
		/* Undoes smrc_device_init() and as much of smrc_device_start() as there is: smrc_dealloc_driver(). */
		ib_dealloc_device(&dev->ibdev);
		goto unlock;
	}
	err = smrc_device_catch_up(ndev);
unlock:
	mutex_unlock(&smrc_add_lock);
	return err;
}

/*
 * Takes the device off the network. The order is the proof that nothing of it holds on to the namespace or the netdev
 * afterwards:
 *
 *  1. dev->net is NULL: whoever sends looks at it under rcu_read_lock(), and drops from now on.
 *  2. The device leaves the sockets: its addresses lead to it no more, so who receives from now on does not find it.
 *     The last device of a namespace closes the sockets.
 *  3. A grace period: who saw the old state in 1 or 2 is done. Nobody stores a route in a peer any more.
 *  4. So the routes that peers hold are dropped for good.
 *
 * QPs are left alone: what they send is lost, which is what a dead link looks like, and rdma core destroys them when
 * the device is unregistered. A second call does nothing.
 */
static void smrc_device_quiesce(struct smrc_dev *dev)
{
	lockdep_assert_held(&smrc_devs_lock);
	if (!rcu_access_pointer(dev->net))
		return;
	RCU_INIT_POINTER(dev->net, NULL);
	smrc_net_leave(dev);
	synchronize_net();
	smrc_peers_quiesce(dev);
}

/**
 * smrc_device_netdev_gone() - a netdev is going away: so does its device
 * @ndev: the netdev
 *
 * Unregistering waits for users, so it cannot be done under rtnl, and happens later. What the network stack waits for,
 * or relies on, is done on return.
 *
 * Context: process, rtnl held.
 */
void smrc_device_netdev_gone(struct net_device *ndev)
{
	struct smrc_dev *dev;

	ASSERT_RTNL();
	mutex_lock(&smrc_devs_lock);
	list_for_each_entry(dev, &smrc_devs, node) {
		if (dev->ndev != ndev)
			continue;
		smrc_device_quiesce(dev);
		/* Not so when it is being unregistered, or not yet registered: smrc_device_catch_up(). */
		if (ib_device_try_get(&dev->ibdev)) {
			ib_unregister_device_queued(&dev->ibdev);
			ib_device_put(&dev->ibdev);
		}
	}
	mutex_unlock(&smrc_devs_lock);
}

/**
 * smrc_device_get() - the device of a name
 * @name: the name
 * @net: network namespace that asks; a device it may not see does not exist
 *
 * Context: process, rtnl not held.
 * Return: the device, which stays registered until ib_device_put(), or NULL.
 */
struct smrc_dev *smrc_device_get(const char *name, struct net *net)
{
	struct smrc_dev *dev, *found = NULL;

	mutex_lock(&smrc_devs_lock);
	list_for_each_entry(dev, &smrc_devs, node) {
		if (strcmp(dev->ibdev.name, name) || !rdma_dev_access_netns(&dev->ibdev, net) ||
		    !ib_device_try_get(&dev->ibdev))
			continue;
		found = dev;
		break;
	}
	mutex_unlock(&smrc_devs_lock);
	return found;
}

/**
 * smrc_device_settings() - the settings as they are now
 * @dev: the device
 * @out: where to put them
 *
 * Context: process.
 */
void smrc_device_settings(struct smrc_dev *dev, struct smrc_settings *out)
{
	mutex_lock(&dev->settings_lock);
	*out = dev->settings;
	mutex_unlock(&dev->settings_lock);
}

/**
 * smrc_dealloc_driver() - free what ib_dealloc_device() does not
 * @ibdev: the device: registered before, and all that users had of it is gone; or one that did not come to be
 *
 * In the reverse order of smrc_device_add(). The netdev is let go by core.
 */
void smrc_dealloc_driver(struct ib_device *ibdev)
{
	struct smrc_dev *dev = to_smrc_dev(ibdev);

	mutex_lock(&smrc_devs_lock);
	list_del(&dev->node);
	smrc_device_quiesce(dev);
	mutex_unlock(&smrc_devs_lock);
	free_percpu(dev->stats);
	WARN_ON_ONCE(!hash_empty(dev->peers));
	WARN_ON_ONCE(!ida_is_empty(&dev->pd_ida));
	ida_destroy(&dev->pd_ida);
	WARN_ON_ONCE(!xa_empty(&dev->mr_xa));
	xa_destroy(&dev->mr_xa);
	mutex_destroy(&dev->peers_lock);
	mutex_destroy(&dev->settings_lock);
}
