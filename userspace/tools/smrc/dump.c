// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * dump.c: asks the kernel and makes rows of its answers.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/smrc-netlink.h>

#include "dump.h"

static const struct field peer_fields[] = {
	{ { "DEV", "dev", true, true }, SMRC_A_PEER_DEV, FIELD_STRING },
	{ { "LOCAL", "local", true, true }, SMRC_A_PEER_LOCAL, FIELD_ADDR },
	{ { "REMOTE", "remote", true, true }, SMRC_A_PEER_REMOTE, FIELD_ADDR },
	{ { "POLICY", "policy", true, true }, SMRC_A_PEER_POLICY, FIELD_STRING },
	{ { "QPS", "qps" }, SMRC_A_PEER_USERS, FIELD_U32 },
	{ { "MRC", "mrc" }, SMRC_A_PEER_PROVEN, FIELD_U8 },
	{ { "BASE-RTT-US", "base_rtt_us" }, SMRC_A_PEER_BASE_RTT_NS, FIELD_US },
	{ { "VALUES", "values" }, SMRC_A_PEER_VALUES, FIELD_U32 },
	{ { "BAD", "bad" }, SMRC_A_PEER_BAD, FIELD_U32 },
	{ { "CWND", "cwnd" }, SMRC_A_PEER_CWND, FIELD_U32 },
	{ { "FLIGHT", "inflight" }, SMRC_A_PEER_INFLIGHT, FIELD_U32 },
};

static const struct field ev_fields[] = {
	{ { "DEV", "dev", true, true }, SMRC_A_EV_DEV, FIELD_STRING },
	{ { "REMOTE", "remote", true, true }, SMRC_A_EV_REMOTE, FIELD_ADDR },
	{ { "SLOT", "slot" }, SMRC_A_EV_SLOT, FIELD_U32 },
	{ { "EV", "ev" }, SMRC_A_EV_PORT, FIELD_U16 },
	{ { "STATE", "state", true, true }, SMRC_A_EV_STATE, FIELD_EV_STATE },
	{ { "SENT", "sent" }, SMRC_A_EV_SENT, FIELD_U32 },
	{ { "ACKED", "acked" }, SMRC_A_EV_ACKED, FIELD_U32 },
	{ { "LOST", "lost" }, SMRC_A_EV_LOST, FIELD_U32 },
	{ { "PROBES", "probes" }, SMRC_A_EV_PROBES, FIELD_U32 },
	{ { "RTT-US", "rtt_us" }, SMRC_A_EV_RTT_NS, FIELD_US },
	{ { "AGE-US", "age_us" }, SMRC_A_EV_AGE_NS, FIELD_US },
};

static const struct field qp_fields[] = {
	{ { "DEV", "dev", true, true }, SMRC_A_QP_DEV, FIELD_STRING },
	{ { "QPN", "qpn" }, SMRC_A_QP_QPN, FIELD_U32 },
	{ { "STATE", "state", true, true }, SMRC_A_QP_STATE, FIELD_QP_STATE },
	{ { "REMOTE", "remote", true, true }, SMRC_A_QP_REMOTE, FIELD_ADDR },
	{ { "RQPN", "remote_qpn" }, SMRC_A_QP_REMOTE_QPN, FIELD_U32 },
	{ { "MTU", "mtu" }, SMRC_A_QP_MTU, FIELD_U32 },
	{ { "POSTED", "posted" }, SMRC_A_QP_POSTED, FIELD_U32 },
	{ { "UNA", "snd_una" }, SMRC_A_QP_SND_UNA, FIELD_U32 },
	{ { "NXT", "snd_nxt" }, SMRC_A_QP_SND_NXT, FIELD_U32 },
	{ { "FLIGHT", "inflight" }, SMRC_A_QP_INFLIGHT, FIELD_U32 },
	{ { "LOST", "lost" }, SMRC_A_QP_LOST, FIELD_U32 },
	{ { "CWND", "cwnd" }, SMRC_A_QP_CWND, FIELD_U32 },
	{ { "CC", "cc", true, true }, SMRC_A_QP_CC, FIELD_STRING },
	{ { "WINDOW", "window" }, SMRC_A_QP_WINDOW, FIELD_U32 },
	{ { "SRTT-US", "srtt_us" }, SMRC_A_QP_SRTT_NS, FIELD_US },
	{ { "RTO-US", "rto_us" }, SMRC_A_QP_RTO_NS, FIELD_US },
	{ { "RCV-NXT", "rcv_nxt" }, SMRC_A_QP_RCV_NXT, FIELD_U32 },
	{ { "OOO", "rcv_ooo" }, SMRC_A_QP_RCV_OOO, FIELD_U32 },
};

const struct dump dump_peers = {
	SMRC_CMD_PEER_GET, SMRC_A_PEER_MAX, SMRC_A_PEER_DEV, 0, peer_fields, ARRAY_SIZE(peer_fields)
};

const struct dump dump_evs = {
	SMRC_CMD_EV_GET, SMRC_A_EV_MAX, SMRC_A_EV_DEV, SMRC_A_EV_REMOTE, ev_fields, ARRAY_SIZE(ev_fields)
};

const struct dump dump_qps = {
	SMRC_CMD_QP_GET, SMRC_A_QP_MAX, SMRC_A_QP_DEV, 0, qp_fields, ARRAY_SIZE(qp_fields)
};

static struct nl_sock *sock;
static int family;

/**
 * dump_table_init - an empty table with the columns of a dump
 * @d: which dump
 * @t: to fill in; dump_table_free() gives its memory back
 */
void dump_table_init(const struct dump *d, struct table *t)
{
	struct column *cols = calloc(d->n_fields, sizeof(*cols));
	size_t i;

	if (!cols)
		err(1, "table");
	for (i = 0; i < d->n_fields; i++)
		cols[i] = d->fields[i].col;
	table_init(t, cols, d->n_fields);
}

/**
 * dump_table_free - the opposite of dump_table_init()
 * @t: the table
 */
void dump_table_free(struct table *t)
{
	table_free(t);
	free((void *)t->cols);
}

/**
 * dump_open - connect to the family
 *
 * Return: 0; -ENOENT when the kernel does not offer it: the module is not loaded; another negative errno.
 */
int dump_open(void)
{
	sock = nl_socket_alloc();
	if (!sock)
		return -ENOMEM;
	if (genl_connect(sock))
		return -EPROTONOSUPPORT;
	family = genl_ctrl_resolve(sock, SMRC_FAMILY_NAME);
	return family < 0 ? -ENOENT : 0;
}

/**
 * dump_close - the opposite of dump_open()
 */
void dump_close(void)
{
	nl_socket_free(sock);
	sock = NULL;
}

static void put_addr(struct table *t, size_t col, const struct in6_addr *a)
{
	char text[INET6_ADDRSTRLEN];

	if (IN6_IS_ADDR_V4MAPPED(a))
		inet_ntop(AF_INET, &a->s6_addr[12], text, sizeof(text));
	else
		inet_ntop(AF_INET6, a, text, sizeof(text));
	table_cell(t, col, "%s", text);
}

static const char *word(const char * const *words, size_t n, uint32_t i)
{
	return i < n ? words[i] : "unknown";
}

static void put_field(struct table *t, size_t col, enum field_kind kind, const struct nlattr *a)
{
	static const char * const ev_states[] = { "good", "skip", "assumed_bad" };
	static const char * const qp_states[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };
	uint64_t v;

	switch (kind) {
	case FIELD_STRING:
		table_cell(t, col, "%s", nla_get_string(a));
		break;
	case FIELD_U8:
		table_cell(t, col, "%u", nla_get_u8(a));
		break;
	case FIELD_U16:
		table_cell(t, col, "%u", nla_get_u16(a));
		break;
	case FIELD_U32:
		table_cell(t, col, "%u", nla_get_u32(a));
		break;
	case FIELD_US:
		v = nla_get_u64(a);
		table_cell(t, col, "%" PRIu64 ".%" PRIu64, v / 1000, v / 100 % 10);
		break;
	case FIELD_ADDR:
		if (nla_len(a) == sizeof(struct in6_addr))
			put_addr(t, col, nla_data(a));
		break;
	case FIELD_EV_STATE:
		table_cell(t, col, "%s", word(ev_states, ARRAY_SIZE(ev_states), nla_get_u32(a)));
		break;
	case FIELD_QP_STATE:
		table_cell(t, col, "%s", word(qp_states, ARRAY_SIZE(qp_states), nla_get_u32(a)));
		break;
	}
}

struct run {
	const struct dump	*dump;
	struct table		*table;
};

static int take_message(struct nl_msg *msg, void *arg)
{
	const struct run *run = arg;
	const struct dump *d = run->dump;
	struct nlattr *attrs[d->max + 1];
	size_t i;

	if (genlmsg_parse(nlmsg_hdr(msg), 0, attrs, d->max, NULL))
		return NL_SKIP;
	table_row(run->table);
	for (i = 0; i < d->n_fields; i++) {
		if (attrs[d->fields[i].attr])
			put_field(run->table, i, d->fields[i].kind, attrs[d->fields[i].attr]);
	}
	return NL_OK;
}

static int take_error(struct sockaddr_nl *from, struct nlmsgerr *e, void *arg)
{
	(void)from;
	*(int *)arg = e->error;
	return NL_STOP;
}

/* A dump that fails after it began says so in the message that ends it */
static int take_end(struct nl_msg *msg, void *arg)
{
	const struct nlmsghdr *end = nlmsg_hdr(msg);

	if (nlmsg_datalen(end) >= (int)sizeof(int))
		memcpy(arg, nlmsg_data(end), sizeof(int));
	return NL_STOP;
}

/* libnl turns the kernel's errno into one of its own, which are fewer */
static int receive(const struct run *run)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int kernel = 0, err;

	if (!cb)
		return -ENOMEM;
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, take_message, (void *)run);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, take_end, &kernel);
	nl_cb_err(cb, NL_CB_CUSTOM, take_error, &kernel);
	err = nl_recvmsgs(sock, cb);
	nl_cb_put(cb);
	if (kernel)
		return kernel;
	return err < 0 ? -EIO : 0;
}

/**
 * dump_run - all rows of a device
 * @d: which dump
 * @dev: RDMA device
 * @remote: only this peer, or NULL; for a dump that can
 * @t: table of its fields; rows are added
 *
 * Return: 0; -EPERM; -ENODEV when that is no Soft-MRC device here; another negative errno.
 */
int dump_run(const struct dump *d, const char *dev, const struct in6_addr *remote, struct table *t)
{
	struct run run = { d, t };
	struct nl_msg *msg = nlmsg_alloc();
	int err = -ENOMEM;

	if (!msg)
		return -ENOMEM;
	if (!genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, NLM_F_DUMP, d->cmd, SMRC_FAMILY_VERSION) ||
	    nla_put_string(msg, d->dev, dev) || (remote && nla_put(msg, d->remote, sizeof(*remote), remote)))
		goto free_msg;
	err = nl_send_auto(sock, msg) < 0 ? -EIO : receive(&run);
free_msg:
	nlmsg_free(msg);
	return err;
}
