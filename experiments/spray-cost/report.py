#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""What a policy costs on one path."""

import statistics

from result import POLICIES, Result


def main():
	r = Result("The cost of spraying",
		   "Two hosts on one wire, 64 KiB WRITEs, as fast as the CPU can: what do choosing a value for every packet and "
		   "its feedback cost, where there is no second path to gain from?")
	runs = list(r.rows("runs.csv"))
	mib_s = {p: statistics.median(float(x["mib_s"]) for x in runs if x["policy"] == p) for p in POLICIES}
	rows = [[p, mib_s[p], mib_s[p] / mib_s["none"]] for p in POLICIES]
	head = ["policy", "MiB/s", "against none"]
	r.write("cost.csv", head, rows)
	r.table("Medians of the rounds", head, rows)
	r.plot("cost", 'set style fill solid 0.6\nset boxwidth 0.6\nset yrange [0:*]\nset ylabel "MiB/s"\nunset key\n'
	       'plot "cost.csv" skip 1 using 0:2:xtic(1) with boxes\n')
	cost = mib_s["default"] / mib_s["none"]
	r.figure("default against none on one path", round(cost, 3), 0.95)
	r.save(f"Spraying by default costs {1 - cost:.1%} of the CPU-bound goodput.")


main()
