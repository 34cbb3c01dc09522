#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - four flows of 1000 packets over eight paths of equal rate, for every policy, with queues that mark and without,
# and over 20 seeds of the leaves' hash. runs.csv has a line for each run.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

seeds=${SMRC_SEEDS:-20}

# 50 Mb/s are 1.5 packets a millisecond: CoDel marks what waited behind eight
run() { # ECN POLICY SEED
	reseed $((1000 * $3))
	carried "$T/before"
	perf ib_write_bw -s 16384 -n 250 -q 4 -u 20 >"$T/why" || { cat "$T/why"; return 1; }
	carried "$T/after"
	echo "$1,$2,$3,$(bandwidth),$(paste -d ' ' "$T/before" "$T/after" | awk '{ printf "%s%d,%d", s, $5 - $2, $6 - $3; s = "," }')"
}

printf 'ecn,policy,seed,mib_s%s\n' "$(printf ',packets_%d,bytes_%d' 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8)" >"$raw/runs.csv"
for ecn in no yes; do
	marks=()
	[ $ecn = no ] || marks=(--ecn 5ms)
	fabric_up -n 8 -4 --rate ${RATE_MBIT}mbit --queue 1000 "${marks[@]}"
	for policy in none counter random default reps; do
		set_both packet_spraying_type $policy
		for ((seed = 1; seed <= seeds; seed++)); do run $ecn $policy $seed >>"$raw/runs.csv"; done
		say "ecn $ecn, $policy: $(tail -n 1 "$raw/runs.csv" | cut -d, -f4) MiB/s in the last run"
	done
	hosts_down
done
