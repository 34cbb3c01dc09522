#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - 16 QPs to one peer over eight full paths: every packet that arrives, with a fixed window and with NSCC.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

run() { # CONGESTION-CONTROL
	local monitor
	set_both congestion_control "$1"
	"$SMRC" monitor buffer=16384 dev="${DEV[B]}" dir=rx >"$raw/$1.csv" &
	monitor=$!
	retry 10 test -s "$raw/$1.csv"
	perf ib_write_bw -s 65536 -D 4 -f 1 -q 16 -u 20
	kill -INT $monitor
	wait $monitor
	say "$1: $(wc -l <"$raw/$1.csv") packets"
}

fabric_up -n 8 --rate ${RATE_MBIT}mbit --queue 1000 --ecn 8ms
slow_links
for cc in fixed nscc; do run $cc; done
hosts_down
