#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
usage: demo-report.py RAW-FOLDER JSON-FILE

Turn what scripts/vm/demo.sh measured into build/demo.json, a summary and the demo's last line. Exits with 1 when the
demo failed.
"""

import json
import os
import re
import sys

# n values hashed on p paths balance to a Jain index of about 1 / (1 + (p - 1) / n): 0.91 for 72 on 8. This one is so low
# that chance alone does not get there (1 in 10,000), a broken rotation does.
JAIN_MIN = 0.7


def read(name):
	with open(os.path.join(sys.argv[1], name), encoding="utf-8", errors="replace") as f:
		return f.read()


def spread(run):
	"""Packets from A to B on each path during a run."""
	before, after = (json.loads(read(f"{run}.{when}"))["paths"] for when in ("before", "after"))
	return [b["packets_ab"] - a["packets_ab"] for a, b in zip(before, after)]


def used(packets):
	"""Paths that carried 1 % or more; perftest's own TCP connection is less."""
	return sum(1 for n in packets if n and n * 100 >= sum(packets))


def jain(packets):
	square = sum(n * n for n in packets)
	return sum(packets) ** 2 / (len(packets) * square) if square else 0.0


def bandwidth(run):
	"""The average of perftest's table, MiB/s."""
	table = re.search(r"^ *#bytes.*\n\s*(\d.*)$", read(f"{run}.client"), re.M)
	return float(table.group(1).split()[3]) if table else None


def cqe_errors(run):
	"""Completions with error that either program reported; one at least when a program failed."""
	n = sum(len(re.findall(r"Failed status|Completion with error|completed in error", read(f"{run}.{side}")))
		for side in ("client", "server"))
	return n or int(read(f"{run}.rc") != "0\n")


def trace_events():
	"""(microseconds, event, text) of every line of the trace."""
	for line in read("trace").splitlines():
		m = re.match(r".*?\s(\d+\.\d+): ([\w:]+): (.*)", line)
		if m:
			yield float(m.group(1)) * 1e6, m.group(2), m.group(3)


class Values:
	"""Which of the sender's values are assumed bad, while the trace goes by."""

	def __init__(self):
		self.bad_since = {}	# value: when it was assumed bad; gone when it came back
		self.swallowed = None	# when the first packet was swallowed
		self.silent = {}	# those that went bad while a path swallowed, and stayed so until it healed
		self.out = set()	# those that were bad when the paths healed
		self.back = set()	# those of them that came back
		self.phase = ""		# the demo's last mark

	def mark(self, phase):
		if phase.startswith("down"):
			self.silent = {v: t for v, t in self.bad_since.items() if self.swallowed and t >= self.swallowed}
		elif phase == "heal":
			self.out = set(self.bad_since)
		self.phase = phase

	def change(self, us, field):
		value = (field["peer"], field["ev"])
		if field["to"] == "assumed_bad":
			self.bad_since[value] = us
		elif field["from"] == "assumed_bad":
			self.bad_since.pop(value, None)
			if self.phase.startswith("heal"):
				self.back.add(value)
			else:
				self.silent.pop(value, None)


def values_of(events):
	"""
	What became of the values of the path that died silently. Those on it go bad and stay so until it heals; others may go
	bad as well when a busy machine delays an answer, but their probes are answered, so they come back before.
	"""
	values = Values()
	for us, event, text in events:
		if text.startswith("demo: "):
			values.mark(text[len("demo: "):])
		elif event == "kfree_skb" and "TC_INGRESS" in text and values.phase.startswith("kill"):
			values.swallowed = values.swallowed or us
		elif event == "smrc_ev_state":
			field = dict(re.findall(r"(\w+)=(\S+)", text))
			if field["dev"] == "smrc0":
				values.change(us, field)
	return {
		"values_assumed_bad": len(values.silent),
		"detect_us": round(max(values.silent.values()) - values.swallowed) if values.silent else None,
		"restored": bool(values.out) and values.out <= values.back,
	}


def faults(d):
	hole, none = d["blackhole"], d["none"]
	if d["bw_mib_s"] is None or hole["bw_mib_s"] is None or none["bw_mib_s"] is None:
		yield "ib_write_bw did not print its table"
	if d["paths_used"] != d["paths"]:
		yield f"{d['paths_used']} of {d['paths']} paths used"
	if d["jain"] < JAIN_MIN:
		yield f"packets are not balanced, Jain index {d['jain']}"
	if hole["cqe_errors"]:
		yield f"{hole['cqe_errors']} completions with error while paths died"
	if not hole["values_assumed_bad"] or hole["detect_us"] is None:
		yield "no value was assumed bad on the dead path"
	if not hole["restored"]:
		yield "not all values came back after the path healed"
	if none["paths_used"] != 1:
		yield f"{none['paths_used']} paths used with packet_spraying_type none"


def main():
	if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
		print(__doc__.strip())
		return 0 if sys.argv[1:2] in (["-h"], ["--help"]) else 2
	counters = {"A": {}, "B": {}}
	for line in read("counters").splitlines():
		host, name, value = line.split()
		counters[host][name] = int(value)
	packets = spread("first")
	d = {
		"bw_mib_s": bandwidth("first"),
		"paths": len(packets),
		"paths_used": used(packets),
		"jain": round(jain(packets), 4),
		"spread": packets,
		"blackhole": {
			"bw_mib_s": bandwidth("trouble"),
			"cqe_errors": cqe_errors("trouble"),
			**values_of(trace_events()),
		},
		"none": {"bw_mib_s": bandwidth("none"), "paths_used": used(spread("none"))},
		"counters": counters,
	}
	with open(sys.argv[2], "w", encoding="utf-8") as f:
		json.dump(d, f, indent=1)
		f.write("\n")
	hole = d["blackhole"]
	print()
	print(f"spraying: {d['bw_mib_s']} MiB/s over {d['paths_used']} of {d['paths']} paths, Jain index {d['jain']}")
	print(f"paths dying: {hole['bw_mib_s']} MiB/s, {hole['cqe_errors']} completions with error; "
	      f"{hole['values_assumed_bad']} values of the silent path assumed bad, the last "
	      f"{(hole['detect_us'] or 0) / 1000:.1f} ms after its first swallowed packet; "
	      f"{'all back by probes' if hole['restored'] else 'not all back'} after it healed")
	print(f"packets swallowed: {read('trace').count('TC_INGRESS')}")
	print(f"no spraying: {d['none']['bw_mib_s']} MiB/s over {d['none']['paths_used']} path")
	print(f"all figures: {os.path.relpath(sys.argv[2])}")
	why = list(faults(d))
	if why:
		print(f"demo: FAILED: {'; '.join(why)}")
		return 1
	print(f"demo: ok {d['bw_mib_s']} MiB/s over {d['paths_used']} paths, {hole['bw_mib_s']} MiB/s and no error while two died")
	return 0


if __name__ == "__main__":
	sys.exit(main())
