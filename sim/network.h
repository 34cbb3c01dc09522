/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * network.h: hosts, leaves, spines and the links between them.
 *
 *	host --up--> leaf --climb--> spine --descend--> leaf --down--> host
 *
 * A link is the port that sends into it, with its queue, and the wire. Links are numbered in the order of these
 * classes, so that a number tells the class and both ends.
 */
#ifndef SIM_NETWORK_H
#define SIM_NETWORK_H

#include "events.h"
#include "options.h"
#include "wire.h"

#define SIM_NONE	U32_MAX
#define SIM_FRAME	42		/* Ethernet, IPv4 and UDP header, bytes: a frame as tc counts it */
#define SIM_PS		1000ULL		/* ps in a ns */

/* Class of traffic in a queue. */
enum sim_class {
	SIM_CLASS_DATA,
	SIM_CLASS_FIRST,	/* where switches trim: what goes before data */
	SIM_CLASSES
};

/**
 * struct sim_packet - a packet on its way
 * @at: when it arrives at the end of the link it is on, ns
 * @next: the packet behind it on that link, or in the list of free ones
 * @flow: its queue pair
 * @src: host it comes from
 * @dst: host it goes to
 * @port: UDP source port: its entropy value
 * @bytes: length of the frame
 * @ce: it met congestion
 * @trimmed: it lost its payload
 * @last_hop: that was at the link to its host: no other path would have helped
 * @pkt: what its headers say
 */
struct sim_packet {
	u64		at;
	u32		next;
	u32		flow;
	u16		src;
	u16		dst;
	u16		port;
	u16		bytes;
	bool		ce;
	bool		trimmed;
	bool		last_hop;
	struct smrc_pkt	pkt;
};

/**
 * struct sim_link - a port and its wire
 * @spent_ps: when all that was taken would have been sent, had there been no burst
 * @first_ps: when all of SIM_CLASS_FIRST is sent
 * @bytes: bytes taken so far, those that wait included
 * @head: first packet on its way, for each class
 * @tail: last one
 * @cut_from: when it dies, ns
 * @cut_to: when it is back, ns
 */
struct sim_link {
	u64	spent_ps;
	u64	first_ps;
	u64	bytes;
	u32	head[SIM_CLASSES];
	u32	tail[SIM_CLASSES];
	u64	cut_from;
	u64	cut_to;
};

/**
 * struct sim_kind - what all links of a class of links share
 * @ps_byte: time that a byte takes
 * @room_ps: what may wait, as time
 * @mark_ps: a packet that waits longer is marked; U64_MAX: none
 * @full_ps: time that a full packet takes
 * @burst_ps: what an idle port saves up, as time
 */
struct sim_kind {
	u64	ps_byte;
	u64	room_ps;
	u64	mark_ps;
	u64	full_ps;
	u64	burst_ps;
};

/**
 * struct sim_network - the network
 * @o: the options
 * @ev: the events; a link's source is its number
 * @link: all links
 * @climb: number of the first link from a leaf to a spine; links below it are those of hosts: up, then down
 * @descend: of the first link from a spine to a leaf
 * @n_links: number of links
 * @hosts_leaf: hosts of a leaf
 * @access: links of hosts
 * @fabric: links of spines
 * @leaf_seed: of the hash of each leaf
 * @pool: packets
 * @pool_size: how many there is room for
 * @pool_free: first of those not in use
 * @deliver: a packet arrives at its host; it is the network's again when this returns
 * @ctx: for @deliver
 * @dropped: packets that found a full queue
 * @trimmed: packets trimmed
 * @marked: packets marked
 * @swallowed: data packets that dead links took
 * @swallowed_control: other packets that they took
 */
struct sim_network {
	const struct sim_options	*o;
	struct events			*ev;
	struct sim_link			*link;
	u32				climb;
	u32				descend;
	u32				n_links;
	u32				hosts_leaf;
	struct sim_kind			access;
	struct sim_kind			fabric;
	u64				*leaf_seed;
	struct sim_packet		*pool;
	u32				pool_size;
	u32				pool_free;
	void				(*deliver)(void *ctx, const struct sim_packet *p, u64 now);
	void				*ctx;
	u64				dropped;
	u64				trimmed;
	u64				marked;
	u64				swallowed;
	u64				swallowed_control;
};

u64 sim_mix(u64 x);
u32 network_links(const struct sim_options *o);
void network_init(struct sim_network *n, const struct sim_options *o, struct events *ev);
void network_free(struct sim_network *n);
void network_send(struct sim_network *n, const struct sim_packet *p, u64 now);
void network_arrive(struct sim_network *n, u32 link, u64 now);
u64 network_carried(const struct sim_network *n, u32 link, u64 now);

/**
 * network_frame() - length of a packet on the wire
 * @pkt: the packet
 *
 * Return: bytes of the frame.
 */
static inline u32 network_frame(const struct smrc_pkt *pkt)
{
	return SIM_FRAME + smrc_wire_hdr_len(pkt->opcode, pkt->has_ts) + pkt->payload_len + SMRC_ICRC_LEN;
}

#endif /* SIM_NETWORK_H */
