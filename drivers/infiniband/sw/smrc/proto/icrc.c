// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * The invariant CRC. The masked headers are put together in one buffer, so that the CRC of all of them is one pass.
 */
#include <linux/crc32.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/byteorder.h>

#include "icrc.h"
#include "wire.h"

#define ICRC_PROTO_UDP	17
#define ICRC_IPV4_LEN	20
#define ICRC_UDP_LEN	8

/* Stands for the local route header, which RoCEv2 does not have (IBTA annex A17). */
#define ICRC_LRH_LEN	8

struct smrc_icrc_v4 {
	u8	ver_ihl;
	u8	tos;
	__be16	tot_len;
	__be16	id;
	__be16	frag_off;
	u8	ttl;
	u8	protocol;
	__be16	check;
	u8	saddr[4];
	u8	daddr[4];
};

static_assert(sizeof(struct smrc_icrc_v4) == ICRC_IPV4_LEN);

struct smrc_icrc_v6 {
	__be32	ver_class_flow;
	__be16	payload_len;
	u8	nexthdr;
	u8	hop_limit;
	u8	saddr[16];
	u8	daddr[16];
};

static_assert(sizeof(struct smrc_icrc_v6) == 40);

struct smrc_icrc_udp {
	__be16	source;
	__be16	dest;
	__be16	len;
	__be16	check;
};

static_assert(sizeof(struct smrc_icrc_udp) == ICRC_UDP_LEN);

static u32 smrc_icrc_put_v4(u8 *p, const struct smrc_icrc_ip *ip, u16 udp_len)
{
	struct smrc_icrc_v4 h = {
		.ver_ihl = 0x45,
		.tos = 0xff,
		.tot_len = cpu_to_be16(ICRC_IPV4_LEN + udp_len),
		.id = ip->id,
		.frag_off = ip->frag_off,
		.ttl = 0xff,
		.protocol = ICRC_PROTO_UDP,
		.check = cpu_to_be16(0xffff),
	};

	memcpy(h.saddr, ip->saddr, sizeof(h.saddr));
	memcpy(h.daddr, ip->daddr, sizeof(h.daddr));
	memcpy(p, &h, sizeof(h));
	return sizeof(h);
}

static u32 smrc_icrc_put_v6(u8 *p, const struct smrc_icrc_ip *ip, u16 udp_len)
{
	struct smrc_icrc_v6 h = {
		.ver_class_flow = cpu_to_be32(0x6fffffff),
		.payload_len = cpu_to_be16(udp_len),
		.nexthdr = ICRC_PROTO_UDP,
		.hop_limit = 0xff,
	};

	memcpy(h.saddr, ip->saddr, sizeof(h.saddr));
	memcpy(h.daddr, ip->daddr, sizeof(h.daddr));
	memcpy(p, &h, sizeof(h));
	return sizeof(h);
}

/* Bytes behind the BTH that are taken in together with the headers: all there are, in a small packet. */
#define ICRC_JOIN	96

/**
 * smrc_icrc_begin() - start an ICRC with all headers up to and including the BTH
 * @ip: what is needed of the IP header
 * @sport: UDP source port, host order
 * @dport: UDP destination port, host order
 * @udp_len: UDP length, header and ICRC included; at most 65535 - 20 over IPv4
 * @bth: the BTH and what follows it in one piece, of any alignment
 * @len: bytes at @bth, at least 12
 *
 * IP headers without options or extension headers only: nothing else is sent, and a packet with them is not accepted.
 *
 * Return: state for smrc_icrc_update().
 */
u32 smrc_icrc_begin(const struct smrc_icrc_ip *ip, u16 sport, u16 dport, u16 udp_len, const void *bth, u32 len)
{
	/* Clearing it first, as hardened kernels would, costs as much as the CRC of a small packet. */
	u8 buf[ICRC_LRH_LEN + sizeof(struct smrc_icrc_v6) + ICRC_UDP_LEN + sizeof(struct smrc_bth) + ICRC_JOIN]
		__uninitialized;
	u32 join = min_t(u32, len, sizeof(struct smrc_bth) + ICRC_JOIN);
	struct smrc_icrc_udp udp = {
		.source = cpu_to_be16(sport),
		.dest = cpu_to_be16(dport),
		.len = cpu_to_be16(udp_len),
		.check = cpu_to_be16(0xffff),
	};
	u32 n = ICRC_LRH_LEN;
	u32 crc;

	memset(buf, 0xff, ICRC_LRH_LEN);
	n += ip->v6 ? smrc_icrc_put_v6(buf + n, ip, udp_len) : smrc_icrc_put_v4(buf + n, ip, udp_len);
	memcpy(buf + n, &udp, sizeof(udp));
	n += sizeof(udp);
	memcpy(buf + n, bth, join);
	buf[n + offsetof(struct smrc_bth, dqpn)] = 0xff;
	crc = crc32_le(~0U, buf, n + join);
	return smrc_icrc_update(crc, bth + join, len - join);
}

/**
 * smrc_icrc_update() - take in the next bytes behind the BTH: extension headers, payload, pad
 * @crc: state
 * @p: the bytes
 * @len: how many, 0 is fine
 *
 * Return: the new state.
 */
u32 smrc_icrc_update(u32 crc, const void *p, u32 len)
{
	return len ? crc32_le(crc, p, len) : crc;
}

/**
 * smrc_icrc_end() - the ICRC itself
 * @crc: state after all bytes
 *
 * Return: the four bytes as they stand at the end of the packet.
 */
__le32 smrc_icrc_end(u32 crc)
{
	return cpu_to_le32(~crc);
}
