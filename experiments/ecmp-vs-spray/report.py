#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Four flows on eight paths: how much of them each policy uses, and how much sooner than one path a flow it is done."""

import statistics

from result import Result, jain

PATHS, RATE_MBIT = 8, 50
PAYLOAD = 4096
POLICIES = ["none", "counter", "random", "default", "reps"]


def run_of(row):
	packets = [int(row[f"packets_{i}"]) for i in range(1, PATHS + 1)]
	size = sum(int(row[f"bytes_{i}"]) for i in range(1, PATHS + 1)) / sum(packets)
	ideal = PATHS * RATE_MBIT * 1e6 / 8 / 2 ** 20 * PAYLOAD / size
	mib_s = float(row["mib_s"])
	return {"ecn": row["ecn"], "policy": row["policy"], "seed": int(row["seed"]), "mib_s": mib_s,
		"utilisation": mib_s / ideal, "jain": jain(packets), "fullest": max(packets) * PATHS / sum(packets)}


def decile(values):
	"""The value that a tenth of them do not reach."""
	return statistics.quantiles(values, n=10)[0] if len(values) > 1 else values[0]


def main():
	r = Result("ECMP against spraying: four flows on eight paths",
		   "Seed 2: four flows of 1000 packets, eight paths of equal rate. With one path a flow, two of them meet on a path "
		   "with a probability of 59 %, and the last is done up to four times later. How much of the eight paths do the "
		   "policies use, with queues that mark (ECN) and without?")
	runs = [run_of(row) for row in r.rows("runs.csv")]
	r.write("utilisation.csv", ["policy", "ecn", "seed", "utilisation", "jain", "fullest"],
		[(POLICIES.index(x["policy"]), x["ecn"], x["seed"], round(x["utilisation"], 4), round(x["jain"], 4),
		  round(x["fullest"], 3)) for x in runs])
	ticks = ", ".join(f'"{p}" {i}' for i, p in enumerate(POLICIES))
	r.plot("utilisation", f'set xtics ({ticks})\nset xrange [-0.5:{len(POLICIES) - 0.5}]\nset yrange [0:1]\n'
	       'set ylabel "utilisation of the eight paths"\n'
	       'plot "< grep no utilisation.csv" using ($1-0.1):4 with points pt 7 ps 0.5 title "no ECN", '
	       '"< grep yes utilisation.csv" using ($1+0.1):4 with points pt 7 ps 0.5 title "ECN"\n')
	rows, by = [], {}
	for ecn in ("no", "yes"):
		for policy in POLICIES:
			mine = [x for x in runs if x["ecn"] == ecn and x["policy"] == policy]
			if not mine:
				continue
			use = [x["utilisation"] for x in mine]
			by[ecn, policy] = {x["seed"]: x["mib_s"] for x in mine}, statistics.median(use)
			rows.append([ecn, policy, statistics.median(use), decile(use), min(use),
				     statistics.median(x["jain"] for x in mine), statistics.median(x["fullest"] for x in mine)])
	r.table("Over the seeds of the leaves' hash",
		["ECN", "policy", "utilisation, median", "worst decile", "worst", "Jain index, median",
		 "fullest path against the mean"], rows)
	for ecn, what in (("yes", "with ECN"), ("no", "without ECN")):
		if (ecn, "default") in by:
			r.figure(f"utilisation by default, {what}", round(by[ecn, "default"][1], 3), 0.90 if ecn == "yes" else None)
	# The worst decile is that of ECMP: where its hash met badly, how much sooner is spraying done?
	none, spray = by["yes", "none"][0], by["yes", "default"][0]
	worst = sorted(none, key=none.get)[:max(1, len(none) // 10)]
	speedup = min(spray[s] / none[s] for s in worst)
	r.figure("speed-up over none in its worst decile of seeds, with ECN", round(speedup, 2), 2.5)
	collide = sum(1 for x in runs if x["policy"] == "none" and x["ecn"] == "no" and x["utilisation"] < 0.45)
	r.figure("none: part of the seeds where flows meet", round(collide / len(none), 2), note="seed 2: 0.59")
	r.save(f"default uses {by['yes', 'default'][1]:.0%} of the paths with ECN, none {by['yes', 'none'][1]:.0%}.")


main()
