#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Seven senders, one receiver: is its link used, and shared?"""

import collections

from result import WIRE, Result, jain

SENDERS, HOST_MBIT = 7, 100
CASES = {"drop-fixed": "queues drop, fixed window", "drop-nscc": "queues drop, NSCC",
	 "trim-fixed": "queues trim, fixed window", "trim-nscc": "queues trim, NSCC"}
COUNTERS = ["sent", "again", "in_vain", "timeouts", "trims"]


def shares(r, name):
	"""Bytes that arrived from each sender in the two seconds around the middle of the time in which all sent."""
	packets = [(float(x["time"]), x["qpn"], int(x["size"])) for x in r.rows(f"{name}.csv") if x["type"].startswith("write")]
	first, last = {}, {}
	for time, qpn, _ in packets:
		first.setdefault(qpn, time)
		last[qpn] = time
	middle = (max(first.values()) + min(last.values())) / 2
	by_qp = collections.Counter()
	for time, qpn, size in packets:
		if abs(time - middle) <= 1:
			by_qp[qpn] += size
	return sorted(by_qp.values(), reverse=True) + [0] * (SENDERS - len(by_qp))


def main():
	r = Result("Incast: seven senders, one receiver",
		   f"Seven hosts send to one whose link of {HOST_MBIT} Mbit/s is the bottleneck; its queue holds 100 packets and marks what "
		   "waited for 4 ms. How much of the link is used, how is it shared, and what has to be sent again, with queues that drop "
		   "and with queues that trim?")
	got = {case: shares(r, case) for case in CASES}
	runs = {x["name"]: x for x in r.rows("runs.csv")}
	r.write("shares.csv", ["sender", *CASES], [[i + 1] + [round(got[c][i] / 2 / 2 ** 20, 3) for c in CASES] for i in range(SENDERS)])
	r.plot("shares", 'set style data histogram\nset style fill solid 0.6\nset yrange [0:*]\nset ylabel "MiB/s"\n'
	       'set xlabel "senders, by what they got"\nplot ' +
	       ", ".join(f'"shares.csv" skip 1 using {i + 2} title "{what}"' for i, what in enumerate(CASES.values())) + "\n")
	rows, used = [], {}
	for case, what in CASES.items():
		used[case] = sum(got[case]) / 2 * 8 * WIRE / (HOST_MBIT * 1e6)
		delta = {k: int(runs[case][k]) - int(runs[case][f"{k}_before"]) for k in COUNTERS}
		rows.append([what, used[case], jain(got[case])] + [delta[k] / delta["sent"] * 100 for k in COUNTERS[1:]])
	r.table("Two seconds around the middle of each run; the rest in per cent of the packets of the whole run",
		["case", "bottleneck used", "Jain index", "sent again", "in vain", "timeouts", "trimmed"], rows)
	r.figure("programs that failed", sum(x["status"] != "0" for x in runs.values()), 0, at_least=False)
	r.figure("Jain index over the senders, ECN and NSCC", round(jain(got["drop-nscc"]), 3), 0.9)
	r.figure("bottleneck used, ECN and NSCC", round(used["drop-nscc"], 3), 0.9)
	r.figure("Jain index over the senders, ECN, NSCC and trimming", round(jain(got["trim-nscc"]), 3), 0.9)
	r.figure("bottleneck used, ECN, NSCC and trimming", round(used["trim-nscc"], 3), 0.9)
	r.save(f"With NSCC the bottleneck is used to {used['drop-nscc']:.0%} where queues drop, to {used['trim-nscc']:.0%} where they trim.")


main()
