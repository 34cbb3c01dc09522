#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""ECMP, adaptive flowlets and spraying beside each other, as seed 2 compares them."""

import statistics

from result import PATHS, RATE_MBIT, WIRE, Result, jain

NAMES = {"ecmp": "ECMP", "flowlet": "flowlets", "spray-ecmp": "spraying, ECMP leaves", "spray-evmod": "spraying, EV modulo paths"}
STEP, WINDOW = 0.01, 0.05	# seconds: goodput is looked at in bins, over so long


def recovered(r, name):
	"""
	Seconds from a path's death until the last of the flows was back; None when one was not while the path was dead. A flow
	is back when over WINDOW it has 90 % of what seven of the eight paths would carry of its goodput in the second before.
	"""
	death = float(r.read(f"{name}.kill").split()[1])
	before, bins = {}, {}
	for x in r.rows(f"{name}.packets.csv"):
		if not x["type"].startswith("write"):
			continue
		qpn, time, size = x["qpn"], float(x["time"]) - death, int(x["size"])
		if -1 <= time < 0:
			before[qpn] = before.get(qpn, 0) + size
		elif 0 <= time < 2:
			mine = bins.setdefault(qpn, [0] * round(2 / STEP))
			mine[min(len(mine) - 1, int(time / STEP))] += size
	times = [back_at(bins.get(qpn, []), 0.9 * (PATHS - 1) / PATHS * rate * WINDOW) for qpn, rate in before.items()]
	return None if not times or None in times else max(times)


def back_at(bins, wanted):
	n = round(WINDOW / STEP)
	return next((i * STEP for i in range(len(bins) - n + 1) if sum(bins[i:i + n]) >= wanted), None)


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
	head = ["balancer", "utilisation", "Jain index over paths", "packets out of order, %", "last flow back after, ms"]
	r.write("balancers.csv", head, rows)
	r.table("Medians of the rounds", head, rows)
	r.plot("balancers", 'set style data histogram\nset style fill solid 0.6\nset yrange [0:1]\n'
	       'plot "balancers.csv" skip 1 using 2:xtic(1) title "utilisation", "" skip 1 using 3 title "Jain index"\n')
	for name, what in NAMES.items():
		r.figure(f"utilisation, {what}", round(use[name], 3))
	r.save(", ".join(f"{what} uses {use[name]:.0%}" for name, what in NAMES.items()) + ".")


main()
