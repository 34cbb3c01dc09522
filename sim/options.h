/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* options.h: what a run is about */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include "settings.h"

#define SIM_HOSTS_MAX	4096
#define SIM_FLOWS_MAX	1048576U
#define SIM_CUTS_MAX	64

enum sim_traffic {
	SIM_PERMUTATION,	/* every host sends to one other, and receives from one */
	SIM_INCAST,		/* hosts 1, 2, ... send to host 0 */
	SIM_ALL_TO_ALL,		/* every host sends to every other */
	SIM_TRAFFICS
};

enum sim_hash {
	SIM_HASH_ECMP,		/* of the addresses and the source port, with a seed of each leaf */
	SIM_HASH_EVMOD,		/* entropy value mod number of spines */
	SIM_HASHES
};

enum sim_overflow {
	SIM_DROP,		/* a packet that finds a full queue is gone */
	SIM_TRIM,		/* it loses its payload; its head, and all control packets, go before data */
	SIM_OVERFLOWS
};

/**
 * struct sim_cut - a link between leaf and spine that swallows packets for a while
 * @leaf: which; -1: those of all leaves
 * @spine: which; -1: those of all spines
 * @from_ns: from when on
 * @to_ns: until when; U64_MAX: for good
 * @up: those that go up to the spine
 * @down: those that go down to the leaf
 */
struct sim_cut {
	s32	leaf;
	s32	spine;
	u64	from_ns;
	u64	to_ns;
	bool	up;
	bool	down;
};

/**
 * struct sim_options - a run
 * @hosts: number of hosts, 2 .. SIM_HOSTS_MAX
 * @leaves: number of leaves, each with as many hosts
 * @spines: number of spines, each with a link to every leaf
 * @host_mbps: rate of a link between host and leaf, Mb/s
 * @fabric_mbps: rate of a link between leaf and spine, Mb/s
 * @delay_ns: what every link adds
 * @burst: bytes that an idle port between leaf and spine saves up, as a token bucket does; 0: a wire
 * @queue: room of a port of a switch, full packets
 * @ecn: packets that meet so many full packets in a queue are marked; 0: none
 * @overflow: what happens when it is full
 * @hash: how a leaf chooses the spine
 * @traffic: who sends to whom
 * @fan_in: SIM_INCAST: senders
 * @qps: queue pairs of each pair of hosts that has traffic
 * @msg_bytes: size of a message
 * @msgs: messages of a queue pair
 * @mtu: payload of a full packet: 256, 512, ... 4096
 * @timeout: verbs attribute: code of the local ACK timeout, 0 .. 31
 * @retry: verbs attribute: transport retries, 0 .. 7
 * @limit_ns: when a run ends that does not end by itself
 * @seed: of everything random
 * @json: print JSON
 * @n_cuts: entries of @cut
 * @cut: links that die
 * @set: settings of the driver, the same on all hosts
 */
struct sim_options {
	u32			hosts;
	u32			leaves;
	u32			spines;
	u32			host_mbps;
	u32			fabric_mbps;
	u32			delay_ns;
	u32			burst;
	u32			queue;
	u32			ecn;
	enum sim_overflow	overflow;
	enum sim_hash		hash;
	enum sim_traffic	traffic;
	u32			fan_in;
	u32			qps;
	u32			msg_bytes;
	u32			msgs;
	u32			mtu;
	u32			timeout;
	u32			retry;
	u64			limit_ns;
	u64			seed;
	bool			json;
	u32			n_cuts;
	struct sim_cut		cut[SIM_CUTS_MAX];
	struct smrc_settings	set;
};

void options_parse(struct sim_options *o, int argc, char **argv);
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif /* SIM_OPTIONS_H */
