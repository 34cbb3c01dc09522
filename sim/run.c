// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * run.c: one run: the clock goes from event to event, and each event to its source.
 */
#include <linux/limits.h>

#include "endpoint.h"
#include "memory.h"

static void sim_deliver(void *ctx, const struct sim_packet *p, u64 now)
{
	struct sim *s = ctx;

	s->now = now;
	if (p->dst == s->flow[p->flow].dst)
		receiver_packet(s, p);
	else
		sender_packet(s, p);
}

/**
 * sim_init() - make everything
 * @s: to fill in
 * @o: the options
 */
void sim_init(struct sim *s, const struct sim_options *o)
{
	u32 i;

	*s = (struct sim) { .o = *o, .now = 1, .net = { .deliver = sim_deliver, .ctx = s } };
	network_init(&s->net, &s->o, &s->ev);
	traffic_make(s);
	events_init(&s->ev, s->net.n_links + s->n_peers + s->n_flows);
	for (i = 0; i < s->n_flows; i++) {
		receiver_init(s, i);
		sender_init(s, i);
	}
	s->running = s->n_flows;
	s->at_first = memory_get(s->net.n_links, sizeof(*s->at_first));
}

/**
 * sim_free() - the opposite of sim_init()
 * @s: the run
 */
void sim_free(struct sim *s)
{
	u32 i;

	for (i = 0; i < s->n_flows; i++) {
		memory_put(s->flow[i].snd.sb.pkt);
		memory_put(s->flow[i].rcv.win.bits);
		memory_put(s->flow[i].rcv.msgs.msg);
	}
	memory_put(s->at_first);
	memory_put(s->flow);
	memory_put(s->peer);
	events_free(&s->ev);
	network_free(&s->net);
}

/**
 * sim_send() - one end of a flow sends to the other
 * @s: the run
 * @flow: the flow
 * @to_sender: from the end that receives data
 * @port: UDP source port
 * @pkt: the packet
 */
void sim_send(struct sim *s, u32 flow, bool to_sender, u16 port, const struct smrc_pkt *pkt)
{
	const struct sim_flow *f = &s->flow[flow];
	const struct sim_packet p = {
		.flow = flow,
		.src = to_sender ? f->dst : f->src,
		.dst = to_sender ? f->src : f->dst,
		.port = port,
		.pkt = *pkt,
	};

	s->control += !smrc_op_is_data(pkt->opcode);
	network_send(&s->net, &p, s->now);
}

/**
 * sim_flow_done() - a flow came to its end
 * @s: the run
 *
 * What links carried is told for the time in which all flows run: later, less is offered to them.
 */
void sim_flow_done(struct sim *s)
{
	u32 i;

	s->running--;
	if (s->first_done_ns)
		return;
	s->first_done_ns = s->now;
	for (i = 0; i < s->net.n_links; i++)
		s->at_first[i] = network_carried(&s->net, i, s->now);
}

static void sim_event(struct sim *s, u32 source)
{
	s->events++;
	if (source < s->net.n_links)
		network_arrive(&s->net, source, s->now);
	else if (source < s->net.n_links + s->n_peers)
		peer_timer(s, &s->peer[source - s->net.n_links]);
	else
		sender_timer(s, source - s->net.n_links - s->n_peers);
}

/**
 * sim_run() - until all flows are done, or the time is over
 * @s: the run
 */
void sim_run(struct sim *s)
{
	u32 i, source;

	for (i = 0; i < s->n_flows; i++)
		sender_start(s, i);
	while (s->running) {
		source = events_next(&s->ev);
		if (s->ev.time[source] > s->o.limit_ns)
			return;
		s->now = s->ev.time[source];
		sim_event(s, source);
	}
}

/**
 * sim_all_done() - did every flow bring all its messages over?
 * @s: the run
 *
 * Return: false when one gave up, or the time was over before.
 */
bool sim_all_done(const struct sim *s)
{
	u32 i;

	for (i = 0; i < s->n_flows; i++) {
		if (!s->flow[i].snd.done_ns || s->flow[i].snd.failed)
			return false;
	}
	return true;
}
