#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - every packet that host A sends for messages of 1 MiB with the seed's own settings (profile scala).

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

fabric_up -n 8
set_both profile scala
"$SMRC" monitor dev="${DEV[A]}" dir=tx >"$raw/packets.csv" &
monitor=$!
retry 10 test -s "$raw/packets.csv"
perf ib_write_bw -s 1048576 -n 5
kill -INT $monitor
wait $monitor
hosts_down
