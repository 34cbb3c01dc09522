/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* xmit.h: from a built packet to the network stack */
#ifndef SMRC_XMIT_H
#define SMRC_XMIT_H

#include <linux/in6.h>
#include <linux/skbuff.h>

struct smrc_dev;
struct dst_cache;

/**
 * struct smrc_path - what the IP header of a packet needs
 * @local: own address, v4-mapped for IPv4
 * @remote: peer's address, v4-mapped for IPv4
 * @v6: IPv6
 * @oif: index of the netdev that holds @local
 * @ttl: TTL or hop limit
 * @tos: TOS or traffic class; the ECN bits are set per packet
 */
struct smrc_path {
	struct in6_addr	local;
	struct in6_addr	remote;
	bool		v6;
	int		oif;
	u8		ttl;
	u8		tos;
};

void smrc_xmit(struct smrc_dev *dev, const struct smrc_path *path, struct dst_cache *cache, struct sk_buff_head *list);

#endif /* SMRC_XMIT_H */
