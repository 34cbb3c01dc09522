#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - eight paths, one at a quarter of the rate, queues that mark, NSCC, every policy. runs.csv has a line for each run.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

rounds=${SMRC_ROUNDS:-5}

run() { # POLICY ROUND
	reseed $((1000 * $2))
	carried "$T/before"
	perf ib_write_bw -s 65536 -n 100 -q 4 -u 20 >"$T/why" || { cat "$T/why" >&2; return 1; }
	carried "$T/after"
	echo "$1,$2,$(bandwidth),$(paste -d ' ' "$T/before" "$T/after" | awk '{ printf "%s%d", s, $6 - $3; s = "," }')"
}

printf 'policy,round,mib_s%s\n' "$(printf ',bytes_%d' 1 2 3 4 5 6 7 8)" >"$raw/runs.csv"
fabric_up -n 8 --rate ${RATE_MBIT}mbit --queue 1000 --ecn 8ms
tc -n smrc-leafA qdisc change dev spine1 root handle 1: tbf rate $((RATE_MBIT * 1000 / 4))kbit burst 8428 limit 1
slow_links
set_both congestion_control nscc
for policy in none counter random default reps; do
	set_both packet_spraying_type $policy
	for ((round = 1; round <= rounds; round++)); do run $policy $round >>"$raw/runs.csv"; done
	say "$(tail -n 1 "$raw/runs.csv")"
done
hosts_down
