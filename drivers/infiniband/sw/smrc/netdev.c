// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * netdev.c: what the netdev under a device says about it, and what becomes of the device when that changes.
 *
 *	up, down, carrier	the port's state; an event when it changed
 *	MTU			nothing: looked at whenever a user asks, and a connected QP keeps its path MTU
 *	MAC, IP addresses	the GID table, which is rdma core's; the node GUID stays, users know a node by it
 *	unregistered, moved	the device goes
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/ipv6.h>

#include "proto/wire.h"
#include "smrc.h"

/* Reckoned with when neither the user nor the netdev knows a speed. */
#define SMRC_DEFAULT_MBPS	10000

/**
 * smrc_netdev_mtu() - largest RDMA MTU whose packets fit
 * @netdev_mtu: MTU of the netdev, bytes
 *
 * Over IPv6 and with the longest headers, so that it does not depend on what is sent to whom: 4096 from 4188 on.
 *
 * Return: 256, 512, 1024, 2048 or 4096 bytes; 256 also where not even that fits, as there is no smaller one.
 */
u32 smrc_netdev_mtu(unsigned int netdev_mtu)
{
	const u32 head = sizeof(struct ipv6hdr) + sizeof(struct udphdr) + SMRC_DATA_HDR_MAX + SMRC_ICRC_LEN;
	u32 mtu = SMRC_MTU_MAX;

	while (mtu > SMRC_MTU_MIN && mtu + head > netdev_mtu)
		mtu /= 2;
	return mtu;
}

/**
 * smrc_netdev_state() - port state that a netdev makes
 * @ndev: the netdev
 *
 * Return: IB_PORT_ACTIVE when it is up and has carrier, else IB_PORT_DOWN.
 */
enum ib_port_state smrc_netdev_state(struct net_device *ndev)
{
	return netif_running(ndev) && netif_carrier_ok(ndev) ? IB_PORT_ACTIVE : IB_PORT_DOWN;
}

/**
 * smrc_netdev_look() - take note of the netdev's state, and tell users when it changed
 * @dev: the device
 * @ndev: its netdev
 *
 * Before the device is registered there is nobody to tell.
 *
 * Context: process, rtnl held.
 */
void smrc_netdev_look(struct smrc_dev *dev, struct net_device *ndev)
{
	enum ib_port_state state = smrc_netdev_state(ndev);
	struct ib_event event = {
		.device = &dev->ibdev,
		.event = state == IB_PORT_ACTIVE ? IB_EVENT_PORT_ACTIVE : IB_EVENT_PORT_ERR,
		.element.port_num = 1,
	};
	u32 before = dev->port_state;

	ASSERT_RTNL();
	dev->port_state = state;
	if (before == state || before == IB_PORT_NOP)
		return;
	if (state == IB_PORT_DOWN)
		smrc_count(dev, LINK_DOWN);
	ib_dispatch_event(&event);
}

/**
 * smrc_netdev_ask_speed() - take note of the netdev's speed
 * @dev: the device
 * @ndev: its netdev
 *
 * Not to be called from a notifier, which may run under the netdev's own lock, and asking takes it. That need not make
 * the figure stale: after each event of the port rdma core asks for the port, which comes here.
 *
 * Context: process, rtnl held.
 */
void smrc_netdev_ask_speed(struct smrc_dev *dev, struct net_device *ndev)
{
	struct ethtool_link_ksettings link = {};
	u32 mbps = 0;

	if (!__ethtool_get_link_ksettings(ndev, &link) && link.base.speed != (u32)SPEED_UNKNOWN)
		mbps = link.base.speed;
	WRITE_ONCE(dev->link_mbps, mbps);
}

/**
 * smrc_netdev_rate() - the link rate to reckon with
 * @dev: the device
 *
 * Context: any.
 * Return: Mb/s, not 0: the setting link_rate_mbps when set, else what the netdev said when somebody last asked for the
 * port, else 10000.
 */
u32 smrc_netdev_rate(struct smrc_dev *dev)
{
	return READ_ONCE(dev->settings.v[SMRC_SET_LINK_RATE]) ?: READ_ONCE(dev->link_mbps) ?: SMRC_DEFAULT_MBPS;
}

static int smrc_netdev_event(struct notifier_block *nb, unsigned long event, void *info)
{
	struct net_device *ndev = netdev_notifier_info_to_dev(info);
	struct ib_device *ibdev;

	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
		ibdev = ib_device_get_by_netdev(ndev, (enum rdma_driver_id)SMRC_RDMA_DRIVER_ID);
		if (!ibdev)
			return NOTIFY_DONE;
		smrc_netdev_look(to_smrc_dev(ibdev), ndev);
		ib_device_put(ibdev);
		return NOTIFY_OK;
	case NETDEV_UNREGISTER:
		smrc_device_netdev_gone(ndev);
		return NOTIFY_OK;
	default:
		return NOTIFY_DONE;
	}
}

static struct notifier_block smrc_netdev_nb = {
	.notifier_call = smrc_netdev_event,
};

/**
 * smrc_netdev_init() - at load
 *
 * Return: 0 or a negative errno.
 */
int smrc_netdev_init(void)
{
	return register_netdevice_notifier(&smrc_netdev_nb);
}

/**
 * smrc_netdev_exit() - at unload, when no device is left
 */
void smrc_netdev_exit(void)
{
	unregister_netdevice_notifier(&smrc_netdev_nb);
}
