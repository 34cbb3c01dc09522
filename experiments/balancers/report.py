#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""ECMP, adaptive flowlets and spraying beside each other, as seed 2 compares them."""

import statistics

from result import PATHS, RATE_MBIT, WIRE, Result, jain

NAMES = {"ecmp": "ECMP", "flowlet": "flowlets", "spray-ecmp": "spraying, ECMP leaves", "spray-evmod": "spraying, EV modulo paths"}
STEP = 0.05	# seconds of a bin of goodput


def recovered(r, name):
	"""Seconds from a path's death until goodput was back at 80 % of what it was in the second before, for 0.2 s; or None."""
	packets = [(float(x["time"]), int(x["size"])) for x in r.rows(f"{name}.packets.csv") if x["type"].startswith("write")]
	death = float(r.read(f"{name}.kill").split()[1])
	before = sum(size for time, size in packets if death - 1 <= time < death)
	bins = [0] * int(2 / STEP)
	for time, size in packets:
		if 0 <= time - death < 2:
			bins[min(len(bins) - 1, int((time - death) / STEP))] += size
	for i in range(len(bins) - 3):
		if sum(bins[i:i + 4]) >= 0.8 * before * 4 * STEP:
			return i * STEP
	return None


def main():
	r = Result("Balancers: ECMP, adaptive flowlets, spraying",
		   "Seed 2 compares them by utilisation, balance, order and recovery, in words. Here are figures: four flows of 1000 "
		   "packets over eight paths, queues that mark, NSCC; then the path that carried most swallows everything for two "
		   "seconds.")
	ideal = PATHS * RATE_MBIT * 1e6 / 8 / 2 ** 20 / WIRE
	rows, use = [], {}
	for name, what in NAMES.items():
		mine = [x for x in r.rows("runs.csv") if x["name"] == name]
		packets = [[int(x[f"packets_{i}"]) for i in range(1, PATHS + 1)] for x in mine]
		use[name] = statistics.median(float(x["mib_s"]) / ideal for x in mine)
		back = recovered(r, name)
		rows.append([what, use[name], statistics.median(map(jain, packets)),
			     statistics.median(int(x["ooo"]) / sum(p) * 100 for x, p in zip(mine, packets)),
			     "not while it was dead" if back is None else back * 1000])
	head = ["balancer", "utilisation", "Jain index over paths", "packets out of order, %", "goodput back after, ms"]
	r.write("balancers.csv", head, rows)
	r.table("Medians of the rounds", head, rows)
	r.plot("balancers", 'set style data histogram\nset style fill solid 0.6\nset yrange [0:1]\n'
	       'plot "balancers.csv" skip 1 using 2:xtic(1) title "utilisation", "" skip 1 using 3 title "Jain index"\n')
	for name, what in NAMES.items():
		r.figure(f"utilisation, {what}", round(use[name], 3))
	r.save(", ".join(f"{what} uses {use[name]:.0%}" for name, what in NAMES.items()) + ".")


main()
