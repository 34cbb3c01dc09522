#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""usage: test.py SIMULATOR

Small runs whose outcome is known. Prints TAP; exits with 1 when one came out otherwise.
"""

import json
import subprocess
import sys

ONE_FLOW = ["--hosts", "2", "--leaves", "2", "--spines", "1", "--traffic", "incast"]
EIGHT = ["--hosts", "32", "--leaves", "4", "--spines", "8"]
POLICIES = ["none", "counter", "random", "default", "reps"]
FRAME, PAYLOAD = 4178, 4096	# of a full packet, bytes
# What two runs need not agree on
WALL = ("events_per_s", "events_per_cpu_s", "wall_s", "memory_bytes", "memory_per_host")

REFUSED = [
	(["--hosts", "1"], "--hosts must be 2 to 4096, not '1'"),
	(["--hosts", "4097"], "--hosts must be 2 to 4096"),
	(["--hosts", "010x"], "not '010x'"),
	(["--hosts", "15"], "must be a multiple of --leaves 4"),
	(["--hosts"], "--hosts wants a value"),
	(["--hosts", "4096", "--leaves", "64", "--traffic", "all-to-all"], "are more than the"),
	(["--host", "4"], "no such option: --host"),
	(["4"], "no such option: 4"),
	(["--mtu", "1500"], "power of two, not 1500"),
	(["--traffic", "some"], "one of permutation, incast, all-to-all, not 'some'"),
	(["--traffic", "incast", "--fan-in", "16"], "--fan-in 16 must be below --hosts 16"),
	(["--policy", "best"], "packet_spraying_type must be one of none, default, reps, counter, random, not 'best'"),
	(["--set", "mpr=3"], "mpr must be a power of two, not 3"),
	(["--set", "mpr"], "--set wants NAME=VALUE"),
	(["--set", "speed=9"], "no setting 'speed'"),
	(["--set", "cwnd_packets=2000"], "cwnd_packets 2000 must not exceed mpr 8 x 128 = 1024"),
	(["--set", "ev_loss_quorum=0"], "ev_loss_quorum must be 1 to 64, not '0'"),
	(["--dead", "0:4:0:end"], "there is no spine 4 of 4"),
	(["--dead", "4:0:0:end"], "there is no leaf 4 of 4"),
	(["--dead", "0:0:9:9"], "ends before it begins"),
	(["--dead", "0:0:9"], "wants LEAF:SPINE:FROM:TO"),
	(["--dead", "0:0:0:end:1"], "wants LEAF:SPINE:FROM:TO"),
	(["--dead", "0:0:0:end:up:1"], "wants LEAF:SPINE:FROM:TO"),
]


class Failed(Exception):
	"""A run came out otherwise than it must."""


def must(what, ok):
	if not ok:
		raise Failed(what)


def near(what, value, wanted, tolerance):
	must(f"{what} is {value}, not {wanted} within {tolerance:.1%}", abs(value - wanted) <= tolerance * wanted)


def run(*args, status=0):
	done = subprocess.run([sys.argv[1], "-j", *args], capture_output=True, text=True, check=False)
	must(f"ended with {done.returncode}, not {status}: {' '.join(args)}: {done.stderr}", done.returncode == status)
	return json.loads(done.stdout)


def once(r, payload):
	"""Every byte was placed once, and every message retired as it was sent."""
	must(f"{r['delivered_bytes']} bytes delivered, not {payload}", r["delivered_bytes"] == payload)
	must(f"{r['bad_messages']} messages not as sent", r["bad_messages"] == 0)


def one_path_ideal_time():
	for rate, delay in ((1000, 0), (100000, 500), (400000, 1000)):
		r = run(*ONE_FLOW, "--host-rate", str(rate), "--fabric-rate", str(rate), "--delay", str(delay),
			"--set", "cwnd_packets=1024")
		near("time of 1024 packets, us", r["completion_us"], (1024 + 3) * FRAME * 8 / rate + 8 * delay / 1000, 0.001)
		near("completion / ideal", r["ratio"], 1, 0.001)
		must("something was sent again, dropped or marked", not (r["again"] or r["dropped"] or r["in_vain"]))
		once(r, 1024 * PAYLOAD)


def one_packet_each_round_trip():
	r = run(*ONE_FLOW, "--delay", "100000", "--set", "cwnd_packets=1", "--messages", "10")
	near("time of 160 round trips of 0.8 ms, us", r["completion_us"], 160 * 800, 0.01)


def burst_passes_at_once():
	args = [*ONE_FLOW, "--fabric-rate", "1000", "--delay", "0", "--messages", "2", "--message-size", "4096"]
	near("two packets on a wire, us", run(*args)["completion_us"], 3 * FRAME * 8 / 1000, 0.03)
	must("two packets of a burst waited", run(*args, "--burst", str(2 * FRAME))["completion_us"] < 2)


def shared_fairly():
	r = run("--hosts", "4", "--leaves", "4", "--traffic", "incast", "--fan-in", "3", "--cc", "nscc")
	near("completion / ideal", r["ratio"], 1, 0.05)
	near("Jain's index over flows", r["jain_flows"], 1, 0.01)
	near("goodput of three flows, Mbit/s", 3 * r["goodput_mean_mbps"], 100000 * PAYLOAD / FRAME, 0.08)


def meets_on_one_path():
	"""Two hosts of a leaf that do not spray either take both spines, or one: half of the rate."""
	args = ["--hosts", "4", "--leaves", "2", "--spines", "2", "--policy", "none", "--messages", "256"]
	ratios = {round(run(*args, "--seed", str(seed))["ratio"]) for seed in range(8)}
	must(f"completion / ideal is {ratios}, not 1 or 2", ratios == {1, 2})


def evmod_counter_is_even():
	r = run("--hosts", "2", "--leaves", "2", "--spines", "4", "--fabric-rate", "25000", "--traffic", "incast",
		"--hash", "evmod", "--policy", "counter", "--set", "active_ev_set_size=128", "--set", "cwnd_packets=1024",
		"--queue", "1000", "--messages", "256")
	near("Jain's index of links to spines", r["up_jain"], 1, 0.0005)
	near("utilisation of links to spines", r["up_utilisation"], 1, 0.02)


def every_byte_once():
	for policy in POLICIES:
		for cc in ("fixed", "nscc"):
			for overflow in ("drop", "trim"):
				r = run(*EIGHT, "--policy", policy, "--cc", cc, "--overflow", overflow, "--queue", "40",
					"--messages", "16", "--set", "rto_min_us=200", "--timeout", "20", "--dead", "any:0:20:200")
				must("nothing was sent again", r["again"] > 0)
				once(r, 32 * 16 * 65536)


def incast_trimmed():
	args = [*EIGHT, "--traffic", "incast", "--fan-in", "16", "--cc", "nscc", "--queue", "64", "--set", "rto_min_us=500"]
	r = run(*args, "--overflow", "trim")
	must(f"dropped {r['dropped']}, trimmed {r['trimmed']}, in vain {r['in_vain']}",
	     r["trimmed"] and not r["dropped"] and not r["in_vain"])
	near("completion / ideal", r["ratio"], 1, 0.05)
	once(r, 16 * 64 * 65536)
	r = run(*args)
	must(f"dropped {r['dropped']}, trimmed {r['trimmed']}", r["dropped"] and not r["trimmed"])
	once(r, 16 * 64 * 65536)


def marks_where_asked_for():
	must("marked without a threshold", run(*EIGHT, "--ecn", "0")["marked"] == 0)
	must("not marked", run(*EIGHT, "--ecn", "4")["marked"] > 0)


def same_seed_same_result():
	for traffic in ("permutation", "incast", "all-to-all"):
		a, b, c = (run(*EIGHT, "--traffic", traffic, "--messages", "4", "--policy", "random", "--seed", s) for s in "778")
		for r in (a, b, c):
			for key in WALL:
				del r[key]
		must(f"{traffic}: two runs of one seed differ", a == b)
		must(f"{traffic}: another seed makes no difference", a != c)


def dead_spine_avoided():
	for policy in POLICIES[1:]:
		args = [*EIGHT, "--policy", policy, "--messages", "256", "--set", "rto_min_us=200", "--ecn", "0",
			"--queue", "1000"]
		well, ill = run(*args), run(*args, "--dead", "any:5:0:end")
		must(f"{policy}: {ill['swallowed']} of {ill['packets']} packets lost", 0 < ill["swallowed"] < ill["packets"] / 20)
		must(f"{policy}: {ill['completion_us']} us, {well['completion_us']} us with all spines",
		     ill["completion_us"] < 2.5 * well["completion_us"])
		once(ill, 32 * 256 * 65536)


def dead_spine_without_spraying():
	r = run(*EIGHT, "--policy", "none", "--dead", "any:5:0:end", "--timeout", "9", "--set", "rto_min_us=200", status=3)
	must(f"{r['failed']} of 32 flows gave up", 0 < r["failed"] < 16)


def dead_on_the_way_back():
	down = ["--dead", "1:5:0:end:down"]
	two = ["--hosts", "2", "--leaves", "2", "--spines", "8", "--traffic", "incast", "--set", "rto_min_us=200"]
	for policy in POLICIES[1:]:
		args = [*two, "--policy", policy, "--messages", "1024"]
		well, ill = run(*args), run(*args, *down)
		must(f"{policy}: {ill['swallowed']} data packets lost", not ill["swallowed"] and ill["swallowed_control"])
		must(f"{policy}: {ill['again']} packets sent again", not ill["again"])
		near(f"{policy}: completion", ill["completion_us"], well["completion_us"], 0.05)
		# One at a time each lost transport ACK is waited for, until its value is known: a price that is paid once
		for n, tolerance in ((2000, 0.05), (20000, 0.005)):
			args = [*two, "--policy", policy, "--messages", str(n), "--message-size", "4096", "--set", "cwnd_packets=1"]
			well, ill = run(*args), run(*args, *down)
			must(f"{policy}: {ill['again']} of {n} packets sent again", not ill["again"])
			near(f"{policy}: completion of {n}", ill["completion_us"], well["completion_us"], tolerance)


def gives_up_in_time():
	r = run(*ONE_FLOW, "--dead", "any:any:0:end", "--timeout", "9", "--retry", "7", "--set", "rto_min_us=100", status=3)
	must(f"{r['failed']} flows gave up", r["failed"] == 1)
	near("time to give up, us", r["completion_us"], 8 * 4.096 * 2 ** 9, 0.001)


def ends_at_its_limit():
	r = run(*ONE_FLOW, "--dead", "any:any:0:end", "--timeout", "0", "--limit-ms", "50", status=3)
	must(f"{r['unfinished']} flows unfinished", r["unfinished"] == 1 and r["failed"] == 0)


def lean():
	r = run("--hosts", "2048", "--leaves", "64", "--spines", "32", "--messages", "16")
	must(f"{r['memory_per_host']} bytes for each host", r["memory_per_host"] < 64 * 1024)
	once(r, 2048 * 16 * 65536)


def refuses():
	for args, text in REFUSED:
		done = subprocess.run([sys.argv[1], *args], capture_output=True, text=True, check=False)
		must(f"{args} ended with {done.returncode}", done.returncode == 2)
		must(f"{args} says {done.stderr!r}, not {text!r}", text in done.stderr and done.stderr.count("\n") == 1)
		must(f"{args} printed a result", not done.stdout)


CASES = [one_path_ideal_time, one_packet_each_round_trip, burst_passes_at_once, shared_fairly, meets_on_one_path,
	 evmod_counter_is_even, every_byte_once, incast_trimmed, marks_where_asked_for, same_seed_same_result,
	 dead_spine_avoided, dead_spine_without_spraying, dead_on_the_way_back, gives_up_in_time, ends_at_its_limit, lean, refuses]


def main():
	if len(sys.argv) != 2:
		sys.exit(__doc__)
	failed = False
	for number, case in enumerate(CASES, 1):
		name = "sim: " + case.__name__.replace("_", " ")
		try:
			case()
			print(f"ok {number} - {name}")
		except Failed as why:
			failed = True
			print(f"not ok {number} - {name}\n# {why}")
	print(f"1..{len(CASES)}")
	sys.exit(failed)


main()
