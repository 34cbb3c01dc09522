#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""One path at a quarter of the rate: who notices?"""

import statistics

from result import PATHS, POLICIES, RATE_MBIT, WIRE, Result

SLOW = 0.25	# rate of the slow path against the others


def main():
	r = Result("Asymmetry: one path of eight at a quarter of the rate",
		   "A policy that spreads evenly is as fast as eight times its slowest path: 2 paths' worth of the 7.25 there are. "
		   "Which policies move load away from it? Queues mark (ECN), NSCC sets the window.")
	ideal = (PATHS - 1 + SLOW) * RATE_MBIT * 1e6 / 8 / 2 ** 20 / WIRE
	rows = []
	for policy in POLICIES:
		mine = [x for x in r.rows("runs.csv") if x["policy"] == policy]
		slow = [int(x["bytes_1"]) / sum(int(x[f"bytes_{i}"]) for i in range(1, PATHS + 1)) for x in mine]
		rows.append([policy, statistics.median(float(x["mib_s"]) for x in mine) / ideal, statistics.median(slow) * 100])
	head = ["policy", "part of the ideal", "bytes on the slow path, % (3.4 would be its part)"]
	r.write("asymmetry.csv", head, rows)
	r.table("Medians of the rounds", head, rows)
	r.plot("asymmetry", 'set style fill solid 0.6\nset boxwidth 0.6\nset yrange [0:1]\nset ylabel "part of the ideal"\nunset key\n'
	       'plot "asymmetry.csv" skip 1 using 0:2:xtic(1) with boxes\n')
	by = {row[0]: row for row in rows}
	for policy in ("default", "reps", "counter"):
		r.figure(f"goodput of {policy} against the ideal", round(by[policy][1], 3))
	best = max(rows, key=lambda row: row[1])
	r.save(f"Best is {best[0]} with {best[1]:.0%} of the ideal; default puts {by['default'][2]:.1f} % on the slow path.")


main()
