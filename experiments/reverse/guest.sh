#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - one path of eight swallows what comes back, so acknowledgements alone. Messages one at a time, of one packet and of
# 16, and a stream. runs.csv has a line for each run: how many messages in how many us, and what the receiver did about it.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

rounds=${SMRC_ROUNDS:-3}

# Each run has a new peer, which knows nothing of its paths
run() { # WAY SIZE MESSAGES OUTSTANDING ROUND
	local lost bad
	lost=$(counter B transport_acks_lost) bad=$(counter B ev_assumed_bad)
	perf ib_write_bw -s "$2" -n "$3" -t "$4" -Q 1 -u 20 >"$T/why" || { cat "$T/why" >&2; return 1; }
	echo "$delay,$1,$2,$4,$5,$3,$(bandwidth),$(($(counter B transport_acks_lost) - lost)),$(($(counter B ev_assumed_bad) - bad))"
}

all() { # WAY
	local round
	for ((round = 1; round <= rounds; round++)); do
		run "$1" 4096 2000 1 "$round"
		run "$1" 65536 2000 1 "$round"
		run "$1" 65536 1000 128 "$round"
	done >>"$raw/runs.csv"
	say "$(tail -n 1 "$raw/runs.csv")"
}

echo "delay,way,size,outstanding,round,messages,mib_s,lost,bad" >"$raw/runs.csv"
for delay in 0us 500us; do
	fabric_up -n 8 --delay $delay
	all whole
	"$FABRIC" kill --from B 1
	all broken
	hosts_down
done
