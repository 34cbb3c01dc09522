#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Do 16 QPs to one peer get the same?"""

import collections

from result import Result, jain

QPS = 16
CONTROLS = ["fixed", "nscc"]


def shares(r, name):
	"""Bytes that arrived for each QP in the two seconds around the middle."""
	packets = [(float(x["time"]), x["qpn"], int(x["size"])) for x in r.rows(f"{name}.csv") if x["type"].startswith("write")]
	middle = (packets[0][0] + packets[-1][0]) / 2
	by_qp = collections.Counter()
	for time, qpn, size in packets:
		if abs(time - middle) <= 1:
			by_qp[qpn] += size
	return sorted(by_qp.values(), reverse=True)


def main():
	r = Result("Fairness: 16 QPs to one peer",
		   "16 QPs write to one peer over eight full paths. Does each get the same goodput, with a fixed window and with NSCC, "
		   "which steers each QP by itself (there are no QP groups yet)?")
	got = {cc: shares(r, cc) for cc in CONTROLS}
	got = {cc: v + [0] * (QPS - len(v)) for cc, v in got.items()}
	r.write("shares.csv", ["qp"] + CONTROLS,
		[[i + 1] + [round(got[cc][i] / 2 / 2 ** 20, 3) for cc in CONTROLS] for i in range(QPS)])
	r.plot("shares", 'set style data histogram\nset style fill solid 0.6\nset yrange [0:*]\nset ylabel "MiB/s"\n'
	       'set xlabel "QPs, by what they got"\nplot "shares.csv" skip 1 using 2 title "fixed window", '
	       '"shares.csv" skip 1 using 3 title "NSCC"\n')
	rows = [[cc, sum(got[cc]) / 2 / 2 ** 20, jain(got[cc]), max(got[cc]) / max(1, min(got[cc]))] for cc in CONTROLS]
	r.table("Two seconds around the middle of the run", ["window", "MiB/s, all QPs", "Jain index", "most against least"], rows)
	r.figure("Jain index over 16 QPs, fixed window", round(jain(got["fixed"]), 3), 0.9)
	r.figure("Jain index over 16 QPs, NSCC", round(jain(got["nscc"]), 3), 0.9)
	r.save(f"The Jain index is {jain(got['fixed']):.3f} with a fixed window and {jain(got['nscc']):.3f} with NSCC.")


main()
