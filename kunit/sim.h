/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * sim.h: state of the simulation: scenario, network, two endpoints. sim_net.c is the network, sim_kunit.c the rest.
 */
#ifndef SMRC_SIM_H
#define SMRC_SIM_H

#include <kunit/test.h>

#include "ackdue.h"
#include "cwnd.h"
#include "entropy.h"
#include "loss.h"
#include "probe.h"
#include "pto.h"
#include "retry.h"
#include "rtt.h"
#include "rxmsg.h"
#include "rxwin.h"
#include "scoreboard.h"
#include "segment.h"
#include "testlib.h"
#include "wire.h"

#define US		1000ULL
#define SIM_PATHS	16
#define SIM_FLIGHTS	4096		/* packets on their way at one time */
#define SIM_MSGS	48
#define SIM_MTU		256
#define SIM_MSG_MAX	(24 * SIM_MTU)
#define SIM_WINDOW	1024
#define SIM_STEPS	400000		/* events of a run */
#define SIM_LIMIT	(20000000 * US)	/* virtual time of a run */
#define SIM_PORT	0xc000
#define SIM_OWN_PORT	0xd123		/* of a QP that does not spray */
#define SIM_VA		0x7f0000000000ULL
#define SIM_PERIOD	(150 * US)
#define SIM_BASE_RTT	(250 * US)
#define SIM_RTO_MIN	(200 * US)
#define SIM_RTO_MAX	(10000 * US)
#define SIM_SERIAL_NS	300		/* time a packet occupies a path */

/* What a scenario must show beside delivery. */
enum sim_expect {
	SIM_DELIVERS,
	SIM_QUIET,	/* nothing sent twice, nothing called lost */
	SIM_AVOIDS,	/* values of the dead paths end up bad, and only those */
	SIM_PATIENT,	/* little is sent twice, and no value ends up bad */
	SIM_RECOVERS,	/* all values are usable again in the time that probes take */
	SIM_GIVES_UP,	/* the peer is gone: the sender ends in the time that the verbs attributes say */
};

/**
 * struct sim_cfg - a scenario; 0 stands for the default where there is one
 * @name: name of the case
 * @expect: enum sim_expect
 * @policy: enum smrc_spray_type; default
 * @none: no spraying
 * @fifo: a path does not reorder
 * @one_way: dead paths swallow what goes to the receiver only
 * @no_guard: same-value rule off
 * @small: messages of one packet
 * @paths: number of paths; 8
 * @values: size of the active set; 72
 * @window: receive window, PSNs; 1024
 * @cwnd: congestion window, packets; 64
 * @timeout: of the verbs, code; long, or short where giving up is expected
 * @nscc: NSCC sets it, from 64 packets on
 * @depth: gap depth; 16
 * @loss: of 1000 packets to the receiver, how many vanish
 * @ack_loss: the same towards the sender
 * @dup: of 1000 packets, how many arrive twice
 * @ecn: of 1000 data packets, how many are marked
 * @trim: of 1000 data packets, how many lose their payload
 * @spread_us: path i is i times that much slower
 * @jitter_us: largest random delay
 * @dead: bitmap of the paths that swallow everything
 * @dead_from_us: from when
 * @dead_to_us: until when; 0 for good
 * @held_from_us: from when the host of the sender is held up: what comes waits
 * @held_to_us: until when
 */
struct sim_cfg {
	const char	*name;
	u8		expect;
	u8		policy;
	bool		none;
	bool		fifo;
	bool		one_way;
	bool		no_guard;
	bool		small;
	u8		paths;
	u16		values;
	u16		window;
	u16		cwnd;
	bool		nscc;
	u8		timeout;
	u16		depth;
	u16		loss;
	u16		ack_loss;
	u16		dup;
	u16		ecn;
	u16		trim;
	u32		spread_us;
	u32		jitter_us;
	u32		dead;
	u32		dead_from_us;
	u32		dead_to_us;
	u32		held_from_us;
	u32		held_to_us;
};

/* A message: what was posted, and what the receiver must see. */
struct sim_msg {
	u8	kind;
	u32	len;
	u32	base;	/* its place in the memory of the receiver */
	__be32	imm;
};

/* A packet on its way. */
struct sim_flight {
	u64		at;
	u32		order;	/* of two at the same time the one sent first is first */
	u16		port;
	bool		to_sender;
	bool		ce;
	bool		trimmed;
	struct smrc_pkt	pkt;
};

struct sim_sender {
	struct smrc_entropy	ev;
	struct smrc_probe	probe;
	struct smrc_pto		pto;
	struct smrc_rtt		rtt;
	struct smrc_cwnd	cwnd;
	struct smrc_retry	retry;
	struct smrc_sb		sb;
	struct smrc_sb_pkt	pkt[SIM_WINDOW];
	u64			base_rtt;
	u64			loss_ns;	/* when a packet is lost if nothing is heard */
	u64			gave_up_ns;
	u32			msg;		/* next packet to send first: message and offset */
	u32			off;
	u32			completed;
	u32			sent_again;
	u32			timeouts;
	u32			spurious;
};

struct sim_receiver {
	struct smrc_entropy	ev;
	struct smrc_rxwin	win;
	struct smrc_rxmsgs	msgs;
	struct smrc_ackdue	due;
	DECLARE_BITMAP(bits, SIM_WINDOW);
	struct smrc_rxmsg	msg[SIM_WINDOW];
	u8			written[SIM_MSGS * SIM_MSG_MAX];
	u32			retired;
	u32			dups;
};

struct sim {
	struct kunit		*test;
	const struct sim_cfg	*cfg;
	u64			seed;
	u64			rnd;
	u64			now;
	u32			first_msn;
	u32			n_msgs;
	u32			window;
	u32			paths;
	struct sim_msg		msg[SIM_MSGS];
	struct sim_sender	snd;
	struct sim_receiver	rcv;
	u64			path_free[2][SIM_PATHS];
	u64			path_last[2][SIM_PATHS];
	u32			order;
	u32			n_flights;
	u16			heap[SIM_FLIGHTS + 1];	/* from 1 on; behind the heap the free entries of flight */
	struct sim_flight	flight[SIM_FLIGHTS];
};

#define SIM_CHECK(s, what) do {										\
	const struct sim *_s = (s);									\
	KUNIT_ASSERT_TRUE_MSG(_s->test, what, "%s, seed %llu, at %llu ns", _s->cfg->name, _s->seed, _s->now);	\
} while (0)

u32 sim_random(struct sim *s, u32 below);
u32 net_path(const struct sim *s, u16 port);
void net_init(struct sim *s);
void net_send(struct sim *s, struct smrc_pkt *pkt, u16 port, bool to_sender);
u64 net_next(const struct sim *s);
void net_pop(struct sim *s, struct sim_flight *f);

#endif /* SMRC_SIM_H */
