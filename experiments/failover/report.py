#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Paths that swallow everything under load: goodput meanwhile, how long it takes until their values are out and back."""

import json
import re

from result import Result

# NSCC; a fixed window beside it: its packets wait in the queue of the fullest path, and so long is waited for a lost one
CASES = [(policy, bad, "nscc") for policy in ("default", "reps") for bad in (1, 8)] + [("default", 1, "fixed")]


class Case:
	"""One run, all times in seconds of the guest's monotonic clock."""

	def __init__(self, report, policy, bad, cc):
		self.name = f"{policy}-{bad}-{cc}"
		self.marks, self.drops = {}, []
		self.bad, self.back = {}, {}	# value: when it was assumed bad; when it came back
		self.probed = {}		# value: when the probe that brought it back was sent
		self.answer = 0			# when the probe was sent that was answered last
		self.probes = []		# when probes were sent
		for line in report.read(f"{self.name}.trace").splitlines():
			m = re.match(r".*?\s(\d+\.\d+): ([\w:]+): (.*)", line)
			if m:
				self.event(float(m.group(1)), m.group(2), m.group(3))
		packets = [(float(x["time"]), int(x["size"])) for x in report.rows(f"{self.name}.packets.csv")
			   if x["type"].startswith("write")]
		self.start = packets[0][0]
		self.bins = {}
		for time, size in packets:
			ms = int((time - self.start) * 1000)
			self.bins[ms] = self.bins.get(ms, 0) + size
		self.errors = len(report.read(f"{self.name}.errors").splitlines())
		self.failed = report.read(f"{self.name}.rc").strip() != "0"
		qps = json.loads(report.read(f"{self.name}.qp.json"))
		self.rto = max(float(q["rto_us"]) for q in qps if q["state"] == "RTS") / 1e6

	def event(self, time, event, text):
		if text.startswith("experiment: "):
			self.marks[text.split()[1]] = time
		elif event == "kfree_skb":
			if "TC_INGRESS" in text:
				self.drops.append(time)
		elif event == "smrc_probe" and " sent " in text:
			self.probes.append(time)
		elif event == "smrc_probe" and " answered " in text:
			self.answer = time - int(text.rsplit("=", 1)[1]) / 1e9
		elif event == "smrc_ev_state":
			self.change(time, dict(re.findall(r"(\w+)=(\S+)", text)))

	def change(self, time, field):
		value = field["ev"]
		if field["dev"] != "smrc0":
			return
		if field["to"] == "assumed_bad":
			if "heal" not in self.marks:
				self.bad[value] = time
		elif field["from"] == "assumed_bad" and value in self.bad and value not in self.back:
			if "heal" in self.marks:
				self.back[value] = time
				self.probed[value] = self.answer
			else:
				del self.bad[value]

	def goodput(self, since, seconds):
		first = int((since - self.start) * 1000)
		return sum(self.bins.get(ms, 0) for ms in range(first, first + int(seconds * 1000))) / seconds / 2 ** 20

	def died(self):
		return next(t for t in self.drops if t >= self.marks["kill"])

	def kept(self):
		"""Goodput in the second after against the second before."""
		before = self.goodput(self.died() - 1, 1)
		return self.goodput(self.died(), 1) / before if before else None

	def out(self):
		"""Until the last value of the dead paths was out."""
		times = [t for t in self.bad.values() if t >= self.died() and t < self.marks["heal"]]
		return max(times) - self.died() if times else None

	def restored(self):
		"""From the last packet swallowed until the last value was back; None when one is missing."""
		if not self.bad or set(self.bad) - set(self.back):
			return None
		return max(self.back.values()) - max(self.drops)

	def turns(self):
		"""
		Probes sent until the last one that brought a value back, in turns, each of which probes all bad values once. What
		it takes from there is a round trip.
		"""
		if self.restored() is None:
			return None
		begin, end = max(self.drops), max(self.probed.values())
		return sum(1 for t in self.probes if begin < t <= end) / len(self.bad)


def main():
	r = Result("Failover: paths swallow everything under load",
		   "Path 1 of 8 turns into a black hole while its links stay up, and later heals; then all 8 do. What happens to the "
		   "goodput, how soon are the path's values out of the rotation, and how soon are they back?")
	cases = {case: Case(r, *case) for case in CASES}
	names = [c.name for c in cases.values()]
	r.write("goodput.csv", ["ms"] + names,
		[[ms] + [round(c.bins.get(ms, 0) * 1000 / 2 ** 20, 2) for c in cases.values()]
		 for ms in range(max(max(c.bins) for c in cases.values()) + 1)])
	r.plot("goodput", 'set xlabel "s"\nset ylabel "MiB/s that arrived"\nset yrange [0:*]\n'
	       'bin(x) = floor(x / 20) * 0.02\nplot ' +
	       ", ".join(f'"goodput.csv" skip 1 using (bin($1)):(${i + 2}/20) smooth frequency with lines title "{n}"'
			 for i, n in enumerate(names)) + "\n")
	rows = []
	for c in cases.values():
		rows.append([c.name, c.kept(), c.out() and c.out() * 1e3, c.rto * 1e3, len(c.bad),
			     c.restored() and c.restored() * 1e3, len(c.drops), c.errors])
	r.table("All cases", ["policy and dead paths", "goodput in the second after / before", "values out after, ms", "RTO, ms",
			      "values assumed bad", "all back after, ms", "packets swallowed", "completions with error"], rows)
	c = cases["default", 1, "nscc"]
	r.figure("goodput in the second after one of 8 went silent, against before", round(c.kept() or 0, 3), 0.80)
	r.figure("completions with error, all cases", sum(x.errors + x.failed for x in cases.values()), 0, at_least=False)
	r.figure("values out of rotation, RTOs", c.out() and round(c.out() / c.rto, 2), 3, at_least=False)
	turns = c.turns()
	r.figure("values restored, probe turns", None if turns is None else round(turns, 2), 2, at_least=False)
	r.save(f"One silent path of eight costs {1 - (c.kept() or 0):.0%} of the goodput of the next second, and no completion fails.")


main()
