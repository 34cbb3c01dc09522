#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
usage: bench-report.py RAW-FOLDER DEMO-JSON BENCH-JSON

Turn what scripts/vm/bench.sh measured into a table and build/bench.json.
"""

import glob
import json
import os
import statistics
import sys

MTU = 4200
LATENCY = "ib_send_lat"


def read(name):
	try:
		with open(os.path.join(sys.argv[1], name), encoding="utf-8") as f:
			return f.read()
	except FileNotFoundError:
		return ""


def median(values):
	"""None when a run failed or printed no figure."""
	values = list(values)
	if not values or None in values:
		return None
	return statistics.median(values)


def number(text):
	try:
		value = float(text)
	except ValueError:
		return None
	return value if 0 < value < float("inf") else None


def ratio(a, b):
	return round(a / b, 3) if a and b else None


def verbs_rows():
	runs = {}
	for line in read("rows.tsv").splitlines():
		kind, test, size, qps, mode, value = line.split("\t")
		runs.setdefault((test, int(size), int(qps), mode), {}).setdefault(kind, []).append(number(value))
	for (test, size, qps, mode), by in runs.items():
		smrc, rxe = median(by.get("smrc", [])), median(by.get("rxe", []))
		unit = "us" if test == LATENCY else "Mmsg/s" if size == 64 else "MiB/s"
		yield {"test": test, "size": size, "mtu": MTU, "qps": qps, "mode": mode, "unit": unit,
		       "smrc": smrc, "rxe": rxe, "ratio": ratio(smrc, rxe)}


def iperf(kind):
	"""MiB/s that arrived, median of the rounds."""
	rates = []
	for path in sorted(glob.glob(os.path.join(sys.argv[1], f"{kind}.*"))):
		with open(path, encoding="utf-8") as f:
			try:
				end = json.load(f)["end"]
			except (ValueError, KeyError):
				return None
		got = end.get("sum_received") or end["sum"]
		rates.append(got["bits_per_second"] * (1 - got.get("lost_percent", 0) / 100 if "sum_received" not in end else 1)
			     / 8 / 2 ** 20)
	value = median(rates)
	return round(value, 1) if value else None


def find(rows, test, size, mode, qps=1):
	for row in rows:
		if (row["test"], row["size"], row["mode"], row["qps"]) == (test, size, mode, qps):
			return row
	return {"smrc": None, "ratio": None}


def figure(name, value, sign, reach):
	ok = None if value is None else value >= reach if sign == ">=" else value <= reach
	return {"name": name, "value": value, "reach": f"{sign} {reach}", "ok": ok}


def figures(rows, limit, demo):
	write = find(rows, "ib_write_bw", 65536, "poll")
	per_qp, per_peer = (int(v) for v in (read("memory_bytes").split() or [0, 0]))
	yield figure("ib_write_bw 64 KiB polling, ratio to rxe", write["ratio"], ">=", 2.5)
	yield figure("ib_send_bw -e 64 KiB, ratio to rxe", find(rows, "ib_send_bw", 65536, "event")["ratio"], ">=", 1.4)
	yield figure("ib_write_bw 64 KiB, ratio to the raw UDP path with ICRC", ratio(write["smrc"], limit), ">=", 0.7)
	yield figure("ib_send_lat -e 8 B, ratio to rxe", find(rows, LATENCY, 8, "event")["ratio"], "<=", 0.5)
	yield figure("memory per RC QP at default window and depth 128, KiB", round(per_qp / 1024, 1) or None, "<=", 96)
	yield figure("memory per peer with 256 values, KiB", round(per_peer / 1024, 1) or None, "<=", 16)
	yield figure("demo: Jain index over the paths", demo.get("jain"), ">=", 0.85)
	yield figure("demo: paths used", demo.get("paths_used"), ">=", 8)
	yield figure("demo: completions with error while paths die", demo.get("blackhole", {}).get("cqe_errors"), "<=", 0)


def show(value):
	return "-" if value is None else f"{value:g}"


def main():
	if len(sys.argv) != 4 or sys.argv[1].startswith("-"):
		print(__doc__.strip())
		return 0 if sys.argv[1:2] in (["-h"], ["--help"]) else 2
	demo = {}
	if os.path.exists(sys.argv[2]):
		with open(sys.argv[2], encoding="utf-8") as f:
			demo = json.load(f)
	rows = list(verbs_rows())
	limit = median(number(v) for v in read("limit_mib_s").split())
	d = {"rows": rows, "tcp_mib_s": iperf("tcp"), "udp_mib_s": iperf("udp"), "limit_mib_s": limit,
	     "figures": list(figures(rows, limit, demo))}
	with open(sys.argv[3], "w", encoding="utf-8") as f:
		json.dump(d, f, indent=1)
		f.write("\n")
	print(f"\n{'test':<14}{'size':>9}{'QPs':>5}  {'mode':<7}{'unit':<8}{'smrc':>10}{'rxe':>10}{'ratio':>8}")
	for r in rows:
		print(f"{r['test']:<14}{r['size']:>9}{r['qps']:>5}  {r['mode']:<7}{r['unit']:<8}"
		      f"{show(r['smrc']):>10}{show(r['rxe']):>10}{show(r['ratio']):>8}")
	print(f"\niperf3 TCP {show(d['tcp_mib_s'])} MiB/s, UDP {show(d['udp_mib_s'])} MiB/s; "
	      f"raw UDP path with ICRC {show(limit)} MiB/s\n")
	for r in d["figures"]:
		print(f"{ {True: 'reached', False: 'MISSED', None: 'not measured'}[r['ok']]:<13} {r['name']}: "
		      f"{show(r['value'])} ({r['reach']})")
	print(f"\nall figures: {os.path.relpath(sys.argv[3])}")
	return 0


if __name__ == "__main__":
	sys.exit(main())
