#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Goodput and retransmissions in vain against the spread of the paths' delays."""

import statistics

from result import Result


def main():
	r = Result("Reordering: paths of different delay",
		   "Eight paths lose nothing, but their delays differ by up to 20 base RTTs, so that up to rate x spread packets "
		   "arrive ahead of their turn (seed 2). How many are taken for lost, and what is left of the goodput?")
	runs = {}
	for row in r.rows("runs.csv"):
		runs.setdefault(int(row["spread"]), []).append(row)
	rows = []
	for spread, mine in runs.items():
		packets, again, vain, ooo = (sum(int(x[k]) for x in mine) for k in ("packets", "again", "in_vain", "out_of_order"))
		rows.append([spread, statistics.median(float(x["mib_s"]) for x in mine), ooo / packets * 100,
			     again / packets * 100, vain / packets * 100])
	head = ["delay spread, base RTTs", "MiB/s", "out of order, %", "sent again, %", "in vain, %"]
	r.write("reorder.csv", head, rows)
	r.table("Medians and sums of the rounds", head, rows)
	r.plot("reorder", 'set xlabel "delay spread of the paths, base RTTs"\nset ylabel "MiB/s"\nset y2label "per cent"\n'
	       'set ytics nomirror\nset y2tics\nset yrange [0:*]\nset y2range [0:*]\n'
	       'plot "reorder.csv" skip 1 using 1:2 with linespoints pt 7 title "goodput", '
	       '"reorder.csv" skip 1 using 1:5 axes x1y2 with linespoints pt 5 title "sent again in vain, %"\n')
	by = {row[0]: row for row in rows}
	r.figure("sent again in vain at a spread of 10 base RTTs, per cent", round(by[10][4], 3), 1, at_least=False)
	r.figure("goodput at a spread of 10 against none", round(by[10][1] / by[0][1], 3))
	r.save(f"At a spread of 10 base RTTs {by[10][4]:.2f} % of the packets are sent again in vain.")


main()
