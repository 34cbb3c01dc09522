// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * rxwin.c: the receiver's window of PSNs. Invariant: the bits set are those of PSNs received beyond next; the bit of a
 * PSN is cleared as next passes it, so that the ring is clean for the PSN @size later.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/minmax.h>

#include "rxwin.h"

#define RXWIN_SACK_BITS		64
#define RXWIN_OOO_MAX		0x7fffU	/* 15 bits on the wire */

static bool rxwin_test(const struct smrc_rxwin *w, u32 psn)
{
	return test_bit(psn & (w->size - 1), w->bits);
}

/**
 * smrc_rxwin_init() - nothing received yet
 * @w: to fill in
 * @bits: memory for @size bits; stays the caller's
 * @size: PSNs, power of two, 64 .. 2^22
 * @first_psn: first PSN expected
 */
void smrc_rxwin_init(struct smrc_rxwin *w, unsigned long *bits, u32 size, u32 first_psn)
{
	bitmap_zero(bits, size);
	w->bits = bits;
	w->size = size;
	w->next = first_psn & SMRC_PSN_MASK;
	w->high = smrc_psn_add(w->next, -1);
	w->ooo = 0;
}

/**
 * smrc_rxwin_check() - what is a PSN to the window? Changes nothing
 * @w: the window; the caller serialises
 * @psn: any PSN
 *
 * Return: the verdict; only SMRC_RX_NEW data may be written to memory.
 */
enum smrc_rx_verdict smrc_rxwin_check(const struct smrc_rxwin *w, u32 psn)
{
	if (smrc_psn_in(psn, w->next, w->size))
		return rxwin_test(w, psn) ? SMRC_RX_DUP : SMRC_RX_NEW;
	return smrc_psn_before(psn, w->next) ? SMRC_RX_DUP : SMRC_RX_BEYOND;
}

/**
 * smrc_rxwin_accept() - record a PSN whose verdict is SMRC_RX_NEW
 * @w: the window; the caller serialises
 * @psn: the PSN; one that is not NEW changes nothing
 *
 * Return: by how many PSNs next moved: 0 when @psn is ahead of it.
 */
u32 smrc_rxwin_accept(struct smrc_rxwin *w, u32 psn)
{
	u32 moved = 0;

	if (smrc_rxwin_check(w, psn) != SMRC_RX_NEW)
		return 0;
	__set_bit(psn & (w->size - 1), w->bits);
	w->ooo++;
	if (smrc_psn_before(w->high, psn))
		w->high = psn;

	while (__test_and_clear_bit(w->next & (w->size - 1), w->bits)) {
		w->next = smrc_psn_add(w->next, 1);
		moved++;
	}
	w->ooo -= moved;
	return moved;
}

/**
 * smrc_rxwin_sack() - what a SACK says of the window
 * @w: the window; the caller serialises
 * @psn: PSN of the packet that causes the SACK; any when it answers a probe
 * @out: cack, ack_psn, sack_base, bitmap and ooo are filled in, the rest is the caller's
 *
 * The bitmap ends at @psn when it lies too far ahead to be covered by one that starts behind the cumulative PSN: base
 * is max(psn - 63, cack + 1), so that every SACK tells of the packet that caused it (OCP MRC 1.0 7.5.2.2).
 */
void smrc_rxwin_sack(const struct smrc_rxwin *w, u32 psn, struct smrc_sack *out)
{
	u32 ahead = (psn - w->next) & SMRC_PSN_MASK;
	u32 base = w->next;
	s32 i, n;

	if (ahead < w->size && ahead >= RXWIN_SACK_BITS)
		base = smrc_psn_add(psn, 1 - RXWIN_SACK_BITS);

	out->cack = smrc_rxwin_cack(w);
	out->ack_psn = psn;
	out->sack_base = base;
	out->bitmap = 0;
	out->ooo = min(w->ooo, RXWIN_OOO_MAX);

	/* Beyond high nothing arrived, and beyond the window the ring begins again. */
	n = min_t(s32, smrc_psn_diff(w->high, base) + 1, RXWIN_SACK_BITS);
	for (i = 0; i < n; i++) {
		if (rxwin_test(w, smrc_psn_add(base, i)))
			out->bitmap |= BIT_ULL(i);
	}
}
