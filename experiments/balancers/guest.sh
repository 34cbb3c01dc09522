#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - seed 2's comparison: ECMP, adaptive flowlets, and spraying over leaves that hash or take the value modulo the
# paths. Four flows over eight paths; then one path swallows everything. runs.csv has a line for each run of the first kind.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

rounds=${SMRC_ROUNDS:-5}

run() { # NAME ROUND
	local ooo
	ooo=$(counter B total_ooo_events)
	carried "$T/before"
	perf ib_write_bw -s 16384 -n 250 -q 4 -u 20 >"$T/why" || { cat "$T/why" >&2; return 1; }
	carried "$T/after"
	echo "$1,$2,$(bandwidth),$(($(counter B total_ooo_events) - ooo)),$(paste -d ' ' "$T/before" "$T/after" |
		awk '{ printf "%s%d", s, $5 - $2; s = "," }')"
}

# The path that carries most is dead for two seconds; QPs outlast that
die() {
	local path
	sleep 2
	carried "$T/now"
	path=$(paste -d ' ' "$T/start" "$T/now" | awk '$5 - $2 > max { max = $5 - $2; at = $1 } END { print at }')
	"$FABRIC" kill "$path"
	awk '{ print "killed", $1 }' /proc/uptime >"$raw/$1.kill"
	sleep 2
	"$FABRIC" heal "$path"
}

recovery() { # NAME
	local monitor
	carried "$T/start"
	"$SMRC" monitor buffer=16384 dev="${DEV[B]}" dir=rx >"$raw/$1.packets.csv" &
	monitor=$!
	retry 10 test -s "$raw/$1.packets.csv"
	meanwhile die "$1" -- perf ib_write_bw -s 16384 -D 6 -f 1 -q 4 -u 20 >"$raw/$1.why"
	kill -INT $monitor
	wait $monitor
}

compare() { # NAME LB SPRAYING
	local round
	for ((round = 1; round <= rounds; round++)); do
		fabric_up -n 8 --lb "$2" --seed $((1000 * round)) --rate ${RATE_MBIT}mbit --queue 1000 --ecn 8ms
		slow_links
		set_both cwnd_packets 32
		set_both congestion_control nscc
		set_both packet_spraying_type "$3"
		run "$1" "$round" >>"$raw/runs.csv"
		[ "$round" -lt "$rounds" ] || recovery "$1"
		hosts_down
	done
	say "$(tail -n 1 "$raw/runs.csv")"
}

printf 'name,round,mib_s,ooo%s\n' "$(printf ',packets_%d' 1 2 3 4 5 6 7 8)" >"$raw/runs.csv"
compare ecmp ecmp none
compare flowlet flowlet none
compare spray-ecmp ecmp default
compare spray-evmod evmod default
