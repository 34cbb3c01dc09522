/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/* rx.h: where packets come in */
#ifndef SMRC_RX_H
#define SMRC_RX_H

struct sk_buff;
struct sock;

int smrc_encap_rcv(struct sock *sk, struct sk_buff *skb);

#endif /* SMRC_RX_H */
