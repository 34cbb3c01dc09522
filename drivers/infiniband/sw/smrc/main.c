// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * main.c: loading and unloading.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include <rdma/rdma_netlink.h>

#include "peer.h"
#include "qp.h"
#include "smrc.h"

MODULE_DESCRIPTION("Soft-MRC: multipath reliable connections on any netdev");
MODULE_LICENSE("Dual BSD/GPL");
MODULE_ALIAS_RDMA_LINK("smrc");

struct workqueue_struct *smrc_wq;

static struct rdma_link_ops smrc_link_ops = {
	.type = "smrc",
	.newlink = smrc_device_add,
};

static int __init smrc_init(void)
{
	int err;

	err = smrc_settings_init();
	if (err)
		return err;

	err = smrc_peers_init();
	if (err)
		return err;

	smrc_wq = alloc_workqueue(KBUILD_MODNAME, COMPAT_WQ_BH, 0);
	if (!smrc_wq) {
		err = -ENOMEM;
		goto exit_peers;
	}

	err = smrc_net_init();
	if (err)
		goto destroy_wq;

	err = smrc_netdev_init();
	if (err)
		goto exit_net;

	err = smrc_nl_init();
	if (err)
		goto exit_netdev;

	rdma_link_register(&smrc_link_ops);
	return 0;

exit_netdev:
	smrc_netdev_exit();
exit_net:
	smrc_net_exit();
destroy_wq:
	destroy_workqueue(smrc_wq);
exit_peers:
	smrc_peers_exit();
	return err;
}

/*
 * First nothing new can come: no link, no request. The notifier stays until the last device is gone, since it is what
 * makes a device let go of a netdev that goes away meanwhile. ib_unregister_driver() also waits for unregistrations
 * that the notifier queued. Without devices there are no sockets, so no packets; without packets, users and devices
 * nothing queues work. Last, callbacks of RCU that lie in this module, and the cache that some of them free peers into.
 */
static void __exit smrc_exit(void)
{
	rdma_link_unregister(&smrc_link_ops);
	smrc_nl_exit();
	ib_unregister_driver((enum rdma_driver_id)SMRC_RDMA_DRIVER_ID);
	smrc_netdev_exit();
	smrc_net_exit();
	smrc_qps_exit();
	destroy_workqueue(smrc_wq);
	rcu_barrier();
	smrc_peers_exit();
}

module_init(smrc_init);
module_exit(smrc_exit);
