/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * endpoint.h: the ends of queue pairs, made of proto/ as the driver makes them: peer.c, sender.c and receiver.c here
 * do what peer.c, tx.c, timer.c, ack.c and rx.c do there.
 */
#ifndef SIM_ENDPOINT_H
#define SIM_ENDPOINT_H

#include "ackdue.h"
#include "cwnd.h"
#include "loss.h"
#include "network.h"
#include "probe.h"
#include "pto.h"
#include "retry.h"
#include "rtt.h"
#include "rxmsg.h"
#include "rxwin.h"
#include "tackloss.h"

/**
 * struct sim_peer - what all queue pairs of a host with another host share
 * @ent: entropy values
 * @probe: schedule of probes
 * @base_rtt_ns: base RTT, which only falls
 * @local: the host
 * @remote: the other host
 * @receives: this end only receives: its packets go the other way
 * @first: first queue pair between the two
 * @n: how many there are that go this way; they follow each other
 * @turn: whose turn it is to send a probe
 * @source: its source of events
 */
struct sim_peer {
	struct smrc_entropy	ent;
	struct smrc_probe	probe;
	u64			base_rtt_ns;
	u16			local;
	u16			remote;
	bool			receives;
	u32			first;
	u32			n;
	u32			turn;
	u32			source;
};

/**
 * struct sim_sender - the end of a queue pair that sends
 * @peer: its host's state for the other host
 * @sport: port of a queue pair that does not spray
 * @sb: scoreboard
 * @cwnd: congestion window
 * @rtt: round trips
 * @retry: when it gives up
 * @loss_at: when a packet becomes lost by age
 * @pto: questions what arrived
 * @timer_at: when its event is
 * @msg: next message to send first
 * @off: where in it
 * @completed: messages done
 * @done_ns: when the last of them was, or it gave up; 0 before
 * @again: packets sent again
 * @failed: it gave up
 */
struct sim_sender {
	struct sim_peer		*peer;
	u16			sport;
	struct smrc_sb		sb;
	struct smrc_cwnd	cwnd;
	struct smrc_rtt		rtt;
	struct smrc_retry	retry;
	u64			loss_at;
	struct smrc_pto		pto;
	u64			timer_at;
	u32			msg;
	u32			off;
	u32			completed;
	u64			done_ns;
	u64			again;
	bool			failed;
};

/**
 * struct sim_receiver - the end of a queue pair that receives
 * @peer: its host's state for the other host: transport ACKs draw values from it
 * @win: window of PSNs
 * @msgs: messages on their way in
 * @due: is a SACK due?
 * @tack: the latest transport ACK
 * @rtt: round trips, of which an end that only receives has no samples
 * @placed: payload bytes placed, each packet once
 * @dups: packets that had come before
 * @bad: messages that retired otherwise than they were sent; there must be none
 */
struct sim_receiver {
	struct sim_peer		*peer;
	struct smrc_rxwin	win;
	struct smrc_rxmsgs	msgs;
	struct smrc_ackdue	due;
	struct smrc_tackloss	tack;
	struct smrc_rtt		rtt;
	u64			placed;
	u64			dups;
	u32			bad;
};

/**
 * struct sim_flow - a queue pair: messages from one host to another
 * @src: the host that sends
 * @dst: the host that receives
 * @snd: its end
 * @rcv: its end
 */
struct sim_flow {
	u16			src;
	u16			dst;
	struct sim_sender	snd;
	struct sim_receiver	rcv;
};

/**
 * struct sim - a run
 * @o: the options
 * @ev: events: links, then peers, then flows
 * @net: the network
 * @n_flows: number of flows
 * @flow: flows
 * @n_peers: number of peers
 * @peer: peers
 * @now: current time, ns
 * @events: events so far
 * @packets: data packets sent first
 * @again: data packets sent again
 * @control: other packets sent
 * @running: flows not done
 * @first_done_ns: when the first flow was done, 0 before
 * @at_first: what each link had carried by then, bytes
 */
struct sim {
	struct sim_options	o;
	struct events		ev;
	struct sim_network	net;
	u32			n_flows;
	struct sim_flow		*flow;
	u32			n_peers;
	struct sim_peer		*peer;
	u64			now;
	u64			events;
	u64			packets;
	u64			again;
	u64			control;
	u32			running;
	u64			first_done_ns;
	u64			*at_first;
};

/* run.c */
void sim_init(struct sim *s, const struct sim_options *o);
void sim_run(struct sim *s);
void sim_free(struct sim *s);
void sim_send(struct sim *s, u32 flow, bool to_sender, u16 port, const struct smrc_pkt *pkt);
void sim_flow_done(struct sim *s);
bool sim_all_done(const struct sim *s);

/* peer.c */
void peer_init(struct sim_peer *peer, const struct sim_options *o, u64 seed);
bool peer_sprays(const struct sim_peer *peer);
u16 peer_pick(struct sim_peer *peer, u16 avoid, u16 *slot);
void peer_signal(struct sim *s, struct sim_peer *peer, u16 slot, enum smrc_ev_signal sig);
void peer_sacked(struct sim *s, struct sim_peer *peer, u32 value, enum smrc_ev_signal sig,
		 const struct smrc_ack_result *res);
void peer_answered(struct sim *s, struct sim_peer *peer, const struct smrc_probe_answer *ans);
bool peer_probe_answer(struct sim *s, struct sim_peer *peer, u16 id);
void peer_timer(struct sim *s, struct sim_peer *peer);

/* sender.c */
void sender_init(struct sim *s, u32 flow);
void sender_start(struct sim *s, u32 flow);
void sender_packet(struct sim *s, const struct sim_packet *p);
void sender_timer(struct sim *s, u32 flow);

/* receiver.c */
void receiver_init(struct sim *s, u32 flow);
void receiver_packet(struct sim *s, const struct sim_packet *p);

/* traffic.c */
u32 traffic_flows(const struct sim_options *o);
void traffic_make(struct sim *s);

/* ideal.c */
u64 ideal_ns(const struct sim *s);

/* output.c */
void output(const struct sim *s, double wall_s, double cpu_s);

#endif /* SIM_ENDPOINT_H */
