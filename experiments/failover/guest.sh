#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - paths swallow everything under load, and heal. For each policy and number of dead paths: what arrived, packet by
# packet, and a trace of entropy values, of dropped packets and of marks that tell when the paths died and healed.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

trace=/sys/kernel/tracing/instances/failover
mkdir $trace
echo mono >$trace/trace_clock
echo 32768 >$trace/buffer_size_kb

events() { # 0|1
	local event
	for event in smrc/smrc_ev_state smrc/smrc_probe skb/kfree_skb; do echo "$1" >"$trace/events/$event/enable"; done
}
mark() { echo "experiment: $*" >$trace/trace_marker; }

trouble() { # BAD FILE
	local i
	sleep 2
	"$SMRC" -j qp show "${DEV[A]}" >"$2.qp.json"
	mark kill
	for ((i = 1; i <= $1; i++)); do "$FABRIC" kill $i; done
	sleep 1.5
	mark heal
	for ((i = 1; i <= $1; i++)); do "$FABRIC" heal $i; done
	mark healed
}

run() { # POLICY BAD CONGESTION-CONTROL
	local file=$raw/$1-$2-$3 monitor rc=0
	set_both packet_spraying_type "$1"
	set_both congestion_control "$3"
	"$SMRC" monitor buffer=16384 dev="${DEV[B]}" dir=rx >"$file.packets.csv" &
	monitor=$!
	retry 10 test -s "$file.packets.csv"
	echo >$trace/trace
	events 1
	# The timeout is longer than all paths are dead
	meanwhile trouble "$2" "$file" -- perf ib_write_bw -s 65536 -D 7 -f 1 -u 20 >"$file.why" 2>&1 || rc=$?
	events 0
	kill -INT $monitor
	wait $monitor
	cp $trace/trace "$file.trace"
	echo $rc >"$file.rc"
	[ $rc -eq 0 ] || cat "$file.why"
	say "$1, $2 of 8, $3: $(wc -l <"$file.packets.csv") packets"
	grep -hoE "Failed status.*|Completion with error.*" "$T/client" "$T/server" >"$file.errors" || true
}

fabric_up -n 8 --rate ${RATE_MBIT}mbit --queue 1000 --ecn 8ms
slow_links
for policy in default reps; do
	for bad in 1 8; do run $policy $bad nscc; done
done
run default 1 fixed
hosts_down
