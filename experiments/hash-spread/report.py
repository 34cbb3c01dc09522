#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""Seed 3's tables and its 0x200 finding recomputed, and how QPs spread over ECMP members."""

import statistics

from result import Result

# Seed 3, CM source ports 32768 to 65533: (hash, service port): total_access of the labels, of the ports
SEED = {
	("product_fold", 18515): (32766, 51740), ("product", 18515): (32766, 48618),
	("product_fold", 18516): (32774, 50808), ("product", 18516): (32766, 32766),
	("product_fold", 18517): (32766, 54916), ("product", 18517): (32766, 38402),
	("product_fold", 18518): (32766, 50018), ("product", 18518): (32766, 32766),
	("product_fold", 18519): (32774, 51462), ("product", 18519): (32766, 45490),
	("product_fold", 18520): (34618, 82542), ("product", 18520): (32766, 65530),
	("product_fold", 18521): (32766, 51864), ("product", 18521): (32766, 32810),
	("product_fold", 18522): (32768, 50850), ("product", 18522): (32766, 32766),
	("product_fold", 18523): (32766, 52208), ("product", 18523): (32766, 46062),
	("product_fold", 18524): (32774, 49490), ("product", 18524): (32766, 32766),
	("product_fold", 18431): (32766, 50410), ("product", 18431): (32766, 48126),
	("product_fold", 18432): (1072938, 2126644), ("product", 18432): (1048450, 16775170),
}
HASHES = ["product_fold", "product", "src31"]


def main():
	r = Result("Hash spread: flow labels and ports of connections",
		   "Seed 3 asks whether folding the product of two ports spoils its spread, and finds service ports that are multiples of "
		   "0x200 to be tens of times worse. Do the functions of this driver give the thread's figures, what do its three hashes do "
		   "with such ports, and how do QPs spread over the members of an ECMP group?")
	got = {(x["hash"], int(x["dport"])): x for x in r.rows("tables.csv")}
	rows, same = [], 0
	for (kind, port), x in sorted(got.items(), key=lambda i: (i[0][1], HASHES.index(i[0][0]))):
		seed = SEED.get((kind, port))
		mine = int(x["label_total"]), int(x["thread_total"])
		same += seed == mine
		rows.append([port, kind, mine[0], seed[0] if seed else "", mine[1], seed[1] if seed else "", int(x["port_total"]),
			     int(x["label_max"]), int(x["port_max"])])
	r.table("total_access: lower is better, 32766 is the best there is. The thread's figures of ports come out when its program kept "
		"two of the six upper bits of the label; the formula it writes, and this driver, keep all", ["service port", "hash", "labels", "seed 3",
		"ports, two bits", "seed 3", "ports, all bits", "label most hit", "port most hit, all bits"], rows)
	bad, ratio = {}, {}
	for kind in HASHES:
		mine = [x for x in r.rows("multiples.csv") if x["hash"] == kind]
		bad[kind] = [statistics.median(int(x["port_total"]) for x in mine if (int(x["dport"]) % 0x200 == 0) == multiple)
			     for multiple in (True, False)]
		ratio[kind] = bad[kind][0] / bad[kind][1]
	r.table("Source ports 49152 to 65535, median of total_access of the ports", ["hash", "multiples of 0x200", "others", "ratio"],
		[[k, *bad[k], ratio[k]] for k in HASHES])
	members = list(r.rows("members.csv"))
	r.table("64 QPs with consecutive numbers over an ECMP group, fullest member against the mean; one QP that sprays beside them",
		["members", *HASHES, "spraying, 75 values", "spraying, 128 values"], [[float(v) for v in x.values()] for x in members])
	r.plot("members", 'set logscale x 2\nset xlabel "members of the group"\nset ylabel "fullest member against the mean"\n'
	       'plot for [i=2:6] "members.csv" using 1:i with linespoints title columnheader(i)\n')
	r.plot("multiples", 'set logscale y\nset xlabel "service port"\nset ylabel "total access of the ports"\nplot ' +
	       ", ".join(f'"< grep ^{k}, multiples.csv" using 2:6 with points title "{k}"' for k in HASHES) + "\n")
	r.figure("rows of seed 3's tables that come out the same", f"{same} of {len(SEED)}", None)
	r.figure("part of them", round(same / len(SEED), 3), 1.0)
	for kind in HASHES:
		r.figure(f"multiples of 0x200 against other service ports, {kind}", round(ratio[kind], 1))
	r.save(f"{same} of {len(SEED)} rows of the thread come out the same; multiples of 0x200 are {ratio['product_fold']:.0f} times worse with "
	       f"folding, {ratio['product']:.0f} times without, {ratio['src31']:.1f} times with src x 31 + dst.")


main()
