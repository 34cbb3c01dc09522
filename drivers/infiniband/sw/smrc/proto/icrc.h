/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * icrc.h: the invariant CRC of a RoCEv2 packet (IBTA annex A17, 9.2).
 *
 * CRC-32 over eight bytes of ones, the IP header, the UDP header, the BTH and all that follows, with the fields that a
 * router may change set to ones: IPv4 TOS, TTL, checksum; IPv6 traffic class, flow label, hop limit; UDP checksum; the
 * reserved byte of the BTH. The UDP source port is covered, so a packet sent again on another entropy value needs
 * another ICRC.
 */
#ifndef SMRC_ICRC_H
#define SMRC_ICRC_H

#include <linux/types.h>

/**
 * struct smrc_icrc_ip - what the ICRC needs of the IP header
 * @v6: IPv6; else IPv4 in the first 4 bytes of the addresses
 * @id: IPv4 identification, as on the wire
 * @frag_off: IPv4 flags and fragment offset, as on the wire
 * @saddr: source address, network order
 * @daddr: destination address, network order
 */
struct smrc_icrc_ip {
	bool	v6;
	__be16	id;
	__be16	frag_off;
	u8	saddr[16];
	u8	daddr[16];
};

u32 smrc_icrc_begin(const struct smrc_icrc_ip *ip, u16 sport, u16 dport, u16 udp_len, const void *bth, u32 len);
u32 smrc_icrc_update(u32 crc, const void *p, u32 len);
__le32 smrc_icrc_end(u32 crc);

#endif /* SMRC_ICRC_H */
