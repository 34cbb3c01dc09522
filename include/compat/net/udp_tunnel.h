/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
#ifndef SMRC_COMPAT_NET_UDP_TUNNEL_H
#define SMRC_COMPAT_NET_UDP_TUNNEL_H

#include <linux/version.h>
#include_next <net/udp_tunnel.h>

/* Both take the sock, no longer the socket. Delete when the floor is >= 7.3. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
#define setup_udp_tunnel_sock(net, sk, cfg)	(setup_udp_tunnel_sock)(net, (sk)->sk_socket, cfg)
#define udp_tunnel_sock_release(sk)		(udp_tunnel_sock_release)((sk)->sk_socket)
#endif

#endif /* SMRC_COMPAT_NET_UDP_TUNNEL_H */
