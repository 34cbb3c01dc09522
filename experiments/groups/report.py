#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Do 16 QPs to one peer get the same?"""

import collections

from result import Result, jain

QPS = 16
CONTROLS = {"fixed": "fixed window", "nscc": "NSCC", "group-fixed": "a group, fixed window", "group-nscc": "a group, NSCC"}


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
		   "each QP with a window of its own, and all in one group (qp_groups_enabled)?")
	got = {cc: shares(r, cc) for cc in CONTROLS}
	got = {cc: v + [0] * (QPS - len(v)) for cc, v in got.items()}
	r.write("shares.csv", ["qp", *CONTROLS],
		[[i + 1] + [round(got[cc][i] / 2 / 2 ** 20, 3) for cc in CONTROLS] for i in range(QPS)])
	r.plot("shares", 'set style data histogram\nset style fill solid 0.6\nset yrange [0:*]\nset ylabel "MiB/s"\n'
	       'set xlabel "QPs, by what they got"\nplot ' +
	       ", ".join(f'"shares.csv" skip 1 using {i + 2} title "{what}"' for i, what in enumerate(CONTROLS.values())) + "\n")
	rows = [[CONTROLS[cc], sum(got[cc]) / 2 / 2 ** 20, jain(got[cc]), max(got[cc]) / max(1, min(got[cc]))] for cc in CONTROLS]
	r.table("Two seconds around the middle of the run", ["window", "MiB/s, all QPs", "Jain index", "most against least"], rows)
	for cc, what in CONTROLS.items():
		r.figure(f"Jain index over 16 QPs, {what}", round(jain(got[cc]), 3), 0.9)
	r.save(f"The Jain index is {jain(got['nscc']):.3f} with windows of their own under NSCC, {jain(got['group-nscc']):.3f} in a group.")


main()
