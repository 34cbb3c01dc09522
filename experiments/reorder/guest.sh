#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - eight paths whose delays differ by up to SPREAD base RTTs, no loss. runs.csv has a line for each run.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

rounds=${SMRC_ROUNDS:-3}
BASE_US=200	# round trip of a path without more delay: 100 us each way, the hosts' own share is small against it

# Path 1 has the base delay, path 8 the whole spread more from A to B, those between in equal steps
delay_paths() { # SPREAD
	local i
	for ((i = 1; i <= 8; i++)); do
		tc -n smrc-spine$i qdisc replace dev leafB root netem limit 100000 \
			delay $((BASE_US / 2 + $1 * BASE_US * (i - 1) / 7))us
	done
}

run() { # SPREAD ROUND
	local sent again vain ooo
	sent=$(counter A tx_data_pkts) again=$(counter A tx_rtx_pkts) vain=$(counter B rx_duplicates) ooo=$(counter B total_ooo_events)
	perf ib_write_bw -s 65536 -n 1000 -u 15 >"$T/why" || { cat "$T/why" >&2; return 1; }
	echo "$1,$2,$(bandwidth),$(($(counter A tx_data_pkts) - sent)),$(($(counter A tx_rtx_pkts) - again)),$(($(counter B rx_duplicates) - vain)),$(($(counter B total_ooo_events) - ooo))"
}

echo "spread,round,mib_s,packets,again,in_vain,out_of_order" >"$raw/runs.csv"
fabric_up -n 8 --delay $((BASE_US / 2))us
for spread in 0 1 2 5 10 20; do
	delay_paths $spread
	for ((round = 1; round <= rounds; round++)); do run $spread $round >>"$raw/runs.csv"; done
	say "$(tail -n 1 "$raw/runs.csv")"
done
hosts_down
