#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Goodput against random loss, of Soft-MRC and rxe."""

import statistics
import sys

from result import Result


def main():
	r = Result("Random loss on all paths",
		   "Every path loses packets at random. How much goodput is left, how many packets are sent again for nothing, and "
		   "what does go-back-N on one path (rxe) do?")
	runs = {}
	for row in r.rows("runs.csv"):
		runs.setdefault((row["type"], float(row["loss"])), []).append(row)
	rows, goodput = [], {}
	for (kind, loss), mine in runs.items():
		values = [float(x["mib_s"]) for x in mine if x["mib_s"]]
		goodput[kind, loss] = statistics.median(values) if len(values) == len(mine) else None
		packets, again, vain = (sum(int(x[k]) for x in mine) for k in ("packets", "again", "in_vain"))
		rows.append([kind, loss, goodput[kind, loss], again / packets * 100 if packets else None,
			     vain / packets * 100 if packets else None])

	def part(kind, loss):
		"""Of what there is without loss; 0 when it failed."""
		return round((goodput.get((kind, loss)) or 0) / goodput[kind, 0.0], 3)

	kinds = [k for k in ("smrc", "rxe") if goodput.get((k, 0.0))]
	if "smrc" not in kinds:
		sys.exit("loss: no run without loss succeeded")
	losses = sorted({loss for _, loss in runs})
	r.write("goodput.csv", ["loss"] + kinds, [[loss] + [part(k, loss) for k in kinds] for loss in losses if loss])
	lines = ", ".join(f'"goodput.csv" skip 1 using 1:{i + 2} with linespoints pt 7 title "{k}"' for i, k in enumerate(kinds))
	r.plot("goodput", 'set logscale x\nset yrange [0:1.05]\nset xlabel "loss on every path, per cent"\n'
	       f'set ylabel "goodput against that without loss"\nplot {lines}\n')
	r.table("Medians of the rounds", ["device", "loss, %", "MiB/s", "sent again, %", "in vain, %"], rows)
	r.figure("goodput at 1 % against that without loss", part("smrc", 1.0), 0.85)
	if "rxe" in kinds:
		r.figure("the same of rxe", part("rxe", 1.0), note="0: it ended with an error")
	vain = next(x[4] for x in rows if x[0] == "smrc" and x[1] == 1.0)
	r.figure("packets sent again in vain at 1 %, per cent", vain and round(vain, 3), 0.5, at_least=False)
	r.save(f"{part('smrc', 1.0):.0%} of the goodput are left at 1 % loss, {part('smrc', 5.0):.0%} at 5 %.")


main()
