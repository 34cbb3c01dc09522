#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""The simulator against the kernel on eight paths; then networks that no test host has."""

import json
import math
import os
import statistics
import subprocess
from collections import Counter, defaultdict

from result import PATHS, POLICIES, RATE_MBIT, WIRE, Result

SEEDS = 60
IDEAL = PATHS * RATE_MBIT * 1e6 / 8 / 2 ** 20 / WIRE	# MiB/s
PAYLOAD = 4 * 1000 * 4096 / 2 ** 20			# MiB, of ecmp-vs-spray
FEEDBACK = {"none": ("no ECN", 0, "fixed"), "ecn": ("ECN", 12, "fixed"), "nscc": ("ECN and NSCC", 12, "nscc")}
# The case of ecmp-vs-spray/guest.sh: its ports are token buckets of two packets, 12 packets are 8 ms, and the emulated
# CPU sends twice what the eight paths carry (lib.sh).
EIGHT_PATHS = {"hosts": 2, "leaves": 2, "spines": PATHS, "traffic": "incast", "qps": 4, "message-size": 16384,
	       "messages": 250, "fabric-rate": RATE_MBIT, "host-rate": 2 * PATHS * RATE_MBIT, "delay": 0, "queue": 1000,
	       "burst": 2 * 4214, "timeout": 20}
EIGHT_PATHS_SET = {"cwnd_packets": 32, "link_rate_mbps": PATHS * RATE_MBIT, "config_base_rtt_us": 4000,
		   "active_ev_set_size": 100}
# 100 Gb/s, full bisection
LARGE = {1024: {"hosts": 1024, "leaves": 32, "spines": 32}, 4096: {"hosts": 4096, "leaves": 64, "spines": 64}}
LARGE_SET = {"active_ev_set_size": 256, "entropy_mask_bits": 8, "rto_min_us": 500}


def simulate(options, settings):
	args = [os.environ["SMRC_TOP"] + "/scripts/sim", "-j"]
	for name, value in options.items():
		args += ["--" + name, str(value)]
	for name, value in settings.items():
		args += ["--set", f"{name}={value}"]
	done = subprocess.run(args, stdout=subprocess.PIPE, text=True, check=False)
	if done.returncode not in (0, 3):	# 3: a flow did not get done, which is a result
		raise SystemExit(f"sim ended with {done.returncode}: {' '.join(args)}")
	return json.loads(done.stdout)


def kernel_run(row):
	packets = [int(row[f"packets_{i}"]) for i in range(1, PATHS + 1)]
	return {"use": float(row["mib_s"]) / IDEAL, "fullest": round(max(packets) * 4 / sum(packets))}


def sim_run(feedback, policy, seed):
	_, ecn, cc = FEEDBACK[feedback]
	j = simulate({**EIGHT_PATHS, "ecn": ecn, "policy": policy, "cc": cc, "seed": seed}, EIGHT_PATHS_SET)
	return {"use": PAYLOAD / (j["completion_us"] / 1e6) / IDEAL, "fullest": round(j["up_fullest"] * 4 / PATHS)}


def spread(runs):
	"""Standard error of the mean."""
	return statistics.stdev(r["use"] for r in runs) / math.sqrt(len(runs)) if len(runs) > 1 else 0.0


def mean(runs):
	return statistics.mean(r["use"] for r in runs)


def as_met(kernel, sim):
	"""The simulator's mean, had flows met on one path as often as they did in the kernel.

	Four flows that keep their paths meet by a hash: a few seeds cannot tell a mean of what two or four different results
	are. So runs are compared with those in which as many flows were on the fullest path.
	"""
	by = defaultdict(list)
	for r in sim:
		by[r["fullest"]].append(r)
	met = Counter(r["fullest"] for r in kernel if by[r["fullest"]])
	return sum(n * mean(by[k]) for k, n in met.items()) / sum(met.values())


def validate(r):
	kernel = defaultdict(list)
	for row in r.rows("runs.csv"):
		kernel[row["feedback"], row["policy"]].append(kernel_run(row))
	rows, off = [], {}
	for feedback, (what, _, _) in FEEDBACK.items():
		for policy in POLICIES:
			k = kernel[feedback, policy]
			s = [sim_run(feedback, policy, seed) for seed in range(1, SEEDS + 1)]
			m = as_met(k, s) if policy == "none" else mean(s)
			off[feedback, policy] = abs(m / mean(k) - 1)
			rows.append([what, policy, mean(k), spread(k), m, spread(s), m / mean(k)])
	r.table(f"Utilisation of eight paths, mean over seeds: {len(k)} of the kernel, {SEEDS} of the simulator",
		["feedback", "policy", "kernel", "standard error", "simulator", "standard error", "ratio"], rows)
	r.write("validation.csv", ["feedback", "policy", "kernel", "kernel_error", "simulator", "simulator_error", "ratio"],
		[[str(x) for x in row] for row in rows])
	ticks = ", ".join(f'"{row[1]}" {i}' for i, row in enumerate(rows))
	r.plot("validation", f'set xtics rotate ({ticks})\nset xrange [-0.5:{len(rows) - 0.5}]\nset yrange [0:1]\n'
	       'set ylabel "utilisation of the eight paths"\nplot '
	       '"validation.csv" every ::1 using 0:3:4 with yerrorbars pt 7 title "kernel", '
	       '"" every ::1 using ($0+0.2):5:6 with yerrorbars pt 5 title "simulator"\n')
	for policy in POLICIES:
		worst = max(off[f, policy] for f in FEEDBACK)
		r.figure(f"{policy}: how far the simulator is from the kernel, worst of three", round(worst, 3), 0.10,
			 at_least=False)


HEAD = ["hosts", "window", "policy", "completion / ideal", "goodput of a flow, least, Gbit/s", "mean", "most",
	"Jain, flows", "links to spines, utilisation", "Jain", "sent again", "marked", "events / s of CPU", "bytes / host"]


def large_row(hosts, cc, policy, j):
	goodput = [j[f"goodput_{which}_mbps"] / 1e3 for which in ("min", "mean", "max")]
	return [hosts, cc, policy, j["ratio"], *goodput, j["jain_flows"], j["up_utilisation"], j["up_jain"], j["again"],
		j["marked"], j["events_per_cpu_s"], j["memory_per_host"]]


def large(r):
	rows, slowest, ratio = [], math.inf, {}
	cases = [(1024, cc, p) for cc in ("fixed", "nscc") for p in POLICIES]
	cases += [(4096, "nscc", p) for p in ("none", "default", "reps")]
	for hosts, cc, policy in cases:
		j = simulate({**LARGE[hosts], "policy": policy, "cc": cc}, LARGE_SET)
		slowest = min(slowest, j["events_per_cpu_s"])
		ratio[hosts, cc, policy] = j["ratio"]
		rows.append(large_row(hosts, cc, policy, j))
	r.table("Permutation: every host sends 4 MiB to one other, 100 Gbit/s, full bisection", HEAD, rows)
	r.figure("events a second of CPU, slowest run", slowest, 1e6)
	r.figure("memory of a host, 4096 hosts, bytes", rows[-1][-1])
	r.figure("4096 hosts: how much sooner default is done than none",
		 round(ratio[4096, "nscc", "none"] / ratio[4096, "nscc", "default"], 2))
	return ratio


def incast(r):
	rows = []
	for overflow in ("drop", "trim"):
		for cc in ("fixed", "nscc"):
			j = simulate({**LARGE[1024], "traffic": "incast", "fan-in": 16, "overflow": overflow, "cc": cc,
				      "queue": 128, "messages": 16}, LARGE_SET)
			rows.append([overflow, cc, j["ratio"], j["jain_flows"], j["again"], j["in_vain"], j["dropped"],
				     j["trimmed"], j["failed"]])
	r.table("Incast: 16 of 1024 hosts send 1 MiB to one",
		["full queue", "window", "completion / ideal", "Jain, flows", "sent again", "in vain", "dropped", "trimmed",
		 "gave up"], rows)


def dead_spine(r):
	rows = []
	for policy in ("none", "default", "reps"):
		options = {**LARGE[1024], "policy": policy, "cc": "nscc", "dead": "any:3:100:end", "timeout": 12}
		j = simulate(options, LARGE_SET)
		rows.append([policy, j["failed"], j["goodput_min_mbps"] / 1e3, j["goodput_mean_mbps"] / 1e3, j["again"],
			     j["in_vain"], j["swallowed"]])
	r.table("Permutation of 1024 hosts; one spine of 32 swallows everything from 100 us on",
		["policy", "flows that gave up", "goodput of a flow, least, Gbit/s", "mean", "sent again", "in vain",
		 "swallowed"], rows)
	r.figure("dead spine: flows of default that gave up", rows[1][1], 0, at_least=False)


def main():
	r = Result("Simulator: against the kernel, and beyond one machine",
		   "scripts/sim runs the driver's protocol code in simulated networks. Does it come to the kernel's figures where both "
		   "can be measured, how fast and how large is it, and what do policies do in networks of a thousand hosts?")
	validate(r)
	ratio = large(r)
	incast(r)
	dead_spine(r)
	r.save(f"With 4096 hosts, a permutation and NSCC, default needs {ratio[4096, 'nscc', 'default']:.2f} times the ideal time, "
	       f"reps {ratio[4096, 'nscc', 'reps']:.2f}, none {ratio[4096, 'nscc', 'none']:.2f}.")


main()
