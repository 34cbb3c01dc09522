#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""A path that swallows acknowledgements alone: what does a message cost more?"""

import statistics

from result import Result

CASES = [(4096, 1, "one packet, one at a time"), (65536, 1, "16 packets, one at a time"), (65536, 128, "16 packets, 128 at a time")]


def main():
	r = Result("Reverse path: acknowledgements are lost on one path of eight",
		   "Path 1 swallows all that comes back from the receiver; what goes there passes. The receiver sends no data, so that "
		   "nothing acknowledges its acknowledgements. How much longer does a message take, against the round trip of one packet?")
	us, lost, bad = {}, {}, {}
	for row in r.rows("runs.csv"):
		case = row["delay"], row["way"], int(row["size"]), int(row["outstanding"])
		us.setdefault(case, []).append(int(row["size"]) / 2 ** 20 / float(row["mib_s"]) * 1e6)
		lost.setdefault(case, []).append(int(row["lost"]))
		bad.setdefault(case, []).append(int(row["bad"]))
	rows, cost, rtt = [], [], {}
	for delay in dict.fromkeys(key[0] for key in us):
		rtt[delay] = statistics.median(us[delay, "whole", 4096, 1])
		for size, out, what in CASES:
			whole, broken = (statistics.mean(us[delay, way, size, out]) for way in ("whole", "broken"))
			cost.append((broken - whole) / rtt[delay])
			rows.append([f"{what}, delay {delay}", whole, broken, cost[-1],
				     *(statistics.mean(of[delay, way, size, out]) for of in (lost, bad) for way in ("whole", "broken"))])
	head = ["messages", "us each, whole", "us each, path 1 mute", "difference, round trips", "transport ACKs missed, whole", "path 1 mute",
		"values out, whole", "path 1 mute"]
	r.write("reverse.csv", head, rows)
	r.table("Means of the rounds; each run begins with every value usable", head, rows)
	r.plot("reverse", 'set style data histogram\nset style fill solid 0.6\nset ylabel "us a message"\nset yrange [0:*]\n'
	       'plot "reverse.csv" skip 1 using 2:xtic(1) title "whole", "" skip 1 using 3 title "path 1 mute"\n')
	r.figure("what a message costs more, round trips, the worst case", round(max(cost), 3), 1, at_least=False)
	r.figure("values that the receiver took out with all paths whole", max(max(n) for key, n in bad.items() if key[1] == "whole"), 0,
		 at_least=False)
	for delay, us_each in rtt.items():
		r.figure(f"round trip of a message of one packet, delay {delay}, us", round(us_each, 1))
	r.save(f"A message takes {max(cost):.2f} round trips longer in the worst case.")


main()
