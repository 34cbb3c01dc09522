#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""The seed's worked example: how the packets of one message of 1 MiB are dealt to the values."""

import collections

from result import Result

PACKETS = 256	# 1 MiB of 4096 bytes


def main():
	r = Result("Worked example: one message of 1 MiB",
		   "Seed 1: at 400 Gb/s, 6 us and 4096 bytes a packet, 72 of 128 values are active. The 256 packets of a message "
		   "of 1 MiB take them in turn: 40 values carry 4 packets, 32 carry 3. Does the device do that?")
	data = [row for row in r.rows("packets.csv") if row["type"].startswith("write")]
	first = [row for row in data if row["qpn"] == data[0]["qpn"]][:PACKETS]
	start = float(first[0]["time"])
	counts = collections.Counter(row["ev"] for row in first)
	by_count = collections.Counter(counts.values())
	r.write("rotation.csv", ["us", "ev", "psn"],
		[(round((float(row["time"]) - start) * 1e6, 3), row["ev"], row["psn"]) for row in first])
	r.write("values.csv", ["ev", "packets"], sorted((int(ev), n) for ev, n in counts.items()))
	r.plot("rotation", 'set xlabel "us since the first packet"\nset ylabel "entropy value (UDP source port)"\n'
	       'plot "rotation.csv" skip 1 using 1:2 with points pt 7 ps 0.4 title "packet"\n')
	r.figure("values used", len(counts), 72)
	r.figure("values that carry 4 packets", by_count[4], 40)
	r.figure("values that carry 3 packets", by_count[3], 32)
	exact = (len(counts), by_count[4], by_count[3]) == (72, 40, 32)
	r.save("It does, to the packet." if exact else "It does not.")


main()
