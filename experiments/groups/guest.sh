#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - 16 QPs to one peer over eight full paths: every packet that arrives, with a fixed window and with NSCC, each QP by
# itself and all in one group.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

run() { # CONGESTION-CONTROL GROUPS NAME
	local monitor
	set_both congestion_control "$1"
	set_both qp_groups_enabled "$2"
	"$SMRC" monitor buffer=16384 dev="${DEV[B]}" dir=rx >"$raw/$3.csv" &
	monitor=$!
	retry 10 test -s "$raw/$3.csv"
	perf ib_write_bw -s 65536 -D 4 -f 1 -q 16 -u 20
	kill -INT $monitor
	wait $monitor
	say "$3: $(wc -l <"$raw/$3.csv") packets"
}

fabric_up -n 8 --rate ${RATE_MBIT}mbit --queue 1000 --ecn 8ms
slow_links
for cc in fixed nscc; do
	run $cc 0 $cc
	run $cc 1 group-$cc
done
hosts_down
