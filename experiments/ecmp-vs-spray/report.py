#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Four flows on eight paths: how much of them each policy uses, and how much sooner than one path a flow it is done."""

import statistics

from result import PATHS, POLICIES, RATE_MBIT, WIRE, Result, jain

FEEDBACK = {"none": "no ECN", "ecn": "ECN", "nscc": "ECN and NSCC"}


def run_of(row):
	packets = [int(row[f"packets_{i}"]) for i in range(1, PATHS + 1)]
	ideal = PATHS * RATE_MBIT * 1e6 / 8 / 2 ** 20 / WIRE
	mib_s = float(row["mib_s"])
	return {"feedback": row["feedback"], "policy": row["policy"], "seed": int(row["seed"]), "mib_s": mib_s,
		"again": int(row["again"]) / sum(packets) * 100, "used": mib_s / ideal,
		# While all flows run; what the last packets of the last flow wait for is no question of paths.
		"utilisation": int(row["together_bytes"]) / 2 ** 20 / float(row["together_s"]) / ideal,
		"jain": jain(packets), "fullest": max(packets) * PATHS / sum(packets),
		"loads": sorted((p * PATHS / sum(packets) for p in packets), reverse=True)}


def decile(values):
	"""The value that a tenth of them do not reach."""
	return statistics.quantiles(values, n=10, method="inclusive")[0] if len(values) > 1 else values[0]


def plot_loads(r, runs):
	"""The load of the fullest path, of the next one and so on, against the mean, over all seeds."""
	loads = {p: [x["loads"] for x in runs if x["policy"] == p and x["feedback"] == "nscc"] for p in POLICIES}
	r.write("loads.csv", ["path"] + POLICIES,
		[[i + 1] + [statistics.mean(x[i] for x in loads[p]) for p in POLICIES] for i in range(PATHS)])
	r.plot("loads", 'set style data histogram\nset style fill solid\nset yrange [0:*]\n'
	       'set xlabel "paths of each run, the fullest first (ECN and NSCC)"\nset ylabel "load against the mean"\n'
	       'plot for [i=2:6] "loads.csv" using i:xtic(1) title columnheader(i)\n')


def main():
	r = Result("ECMP against spraying: four flows on eight paths",
		   "Seed 2: four flows of 1000 packets, eight paths of equal rate. With one path a flow, two of them meet on a path "
		   "with a probability of 59 %, and the last is done up to four times later. How much of the eight paths do the "
		   "policies use, with and without queues that mark (ECN) and a window that heeds them (NSCC)?")
	runs = [run_of(row) for row in r.rows("runs.csv")]
	head = ["policy", "feedback", "seed", "utilisation", "jain", "fullest"]
	r.write("utilisation.csv", head, [(POLICIES.index(x["policy"]), *(x[k] for k in head[1:])) for x in runs])
	ticks = ", ".join(f'"{p}" {i}' for i, p in enumerate(POLICIES))
	r.plot("utilisation", f'set xtics ({ticks})\nset xrange [-0.5:{len(POLICIES) - 0.5}]\nset yrange [0:1.05]\n'
	       'set ylabel "utilisation of the eight paths"\nplot ' +
	       ", ".join(f'"< grep ,{k}, utilisation.csv" using ($1+{0.2 * i - 0.2}):4 with points pt 7 ps 0.5 title "{v}"'
			 for i, (k, v) in enumerate(FEEDBACK.items())) + "\n")
	plot_loads(r, runs)
	rows, by = [], {}
	for feedback, what in FEEDBACK.items():
		for policy in POLICIES:
			mine = [x for x in runs if x["feedback"] == feedback and x["policy"] == policy]
			use = [x["utilisation"] for x in mine]
			by[feedback, policy] = {x["seed"]: x["mib_s"] for x in mine}, statistics.median(use)
			rows.append([what, policy, statistics.median(use), decile(use), min(use)] +
				    [statistics.median(x[k] for x in mine) for k in ("used", "jain", "fullest", "again")])
	r.table("Over the seeds of the leaves' hash",
		["feedback", "policy", "utilisation while all flows run, median", "worst decile", "worst",
		 "utilisation to the end of the last, median", "Jain index, median",
		 "fullest path against the mean", "sent again, %"], rows)
	for feedback, what in FEEDBACK.items():
		r.figure(f"utilisation by default while all flows run, {what}", round(by[feedback, "default"][1], 3),
			 0.90 if feedback == "nscc" else None)
	# The worst decile is that of ECMP: where its hash met badly, how much sooner is spraying done?
	none, spray = by["nscc", "none"][0], by["nscc", "default"][0]
	worst = sorted(none, key=none.get)[:max(1, len(none) // 10)]
	speedup = min(spray[s] / none[s] for s in worst)
	r.figure("speed-up over none in its worst decile of seeds, ECN and NSCC", round(speedup, 2), 2.5)
	collide = sum(1 for x in runs if x["policy"] == "none" and x["feedback"] == "none" and x["used"] < 0.45)
	r.figure("none: part of the seeds where flows meet", round(collide / len(none), 2), note="seed 2: 0.59")
	r.save(f"default uses {by['nscc', 'default'][1]:.0%} of the paths with ECN and NSCC, none {by['nscc', 'none'][1]:.0%}.")


main()
