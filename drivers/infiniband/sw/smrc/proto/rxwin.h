/* SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB */
/*
 * rxwin.h: the receiver's window of PSNs: new, duplicate or outside, before anything is written. The caller serialises.
 */
#ifndef SMRC_RXWIN_H
#define SMRC_RXWIN_H

#include "psn.h"
#include "wire.h"

/* What a PSN is to the window. */
enum smrc_rx_verdict {
	SMRC_RX_NEW,		/* inside, not seen */
	SMRC_RX_DUP,		/* seen, or behind the window */
	SMRC_RX_BEYOND,		/* ahead of the window */
};

/**
 * struct smrc_rxwin - the window
 * @bits: ring of @size bits, bit of a PSN is psn & (size - 1); memory of the caller, zeroed by init
 * @size: PSNs, power of two, at least 64
 * @next: next PSN expected in order; cack + 1
 * @high: highest PSN received; next - 1 when none is beyond
 * @ooo: PSNs received beyond @next
 */
struct smrc_rxwin {
	unsigned long	*bits;
	u32		size;
	u32		next;
	u32		high;
	u32		ooo;
};

void smrc_rxwin_init(struct smrc_rxwin *w, unsigned long *bits, u32 size, u32 first_psn);
enum smrc_rx_verdict smrc_rxwin_check(const struct smrc_rxwin *w, u32 psn);
u32 smrc_rxwin_accept(struct smrc_rxwin *w, u32 psn);
void smrc_rxwin_sack(const struct smrc_rxwin *w, u32 psn, struct smrc_sack *out);

/**
 * smrc_rxwin_cack() - PSN up to which everything arrived
 * @w: the window
 *
 * Return: the PSN, one before the first expected when nothing came yet.
 */
static inline u32 smrc_rxwin_cack(const struct smrc_rxwin *w)
{
	return smrc_psn_add(w->next, -1);
}

#endif /* SMRC_RXWIN_H */
