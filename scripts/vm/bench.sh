#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# bench.sh - the part of the benchmark that runs in the guest; leaves what it measured in build/bench for bench-report.py:
# rows.tsv has a line "TYPE TEST SIZE QPS MODE VALUE" for every run, the others are named after what they hold.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
trap - ERR

raw=$SMRC_BUILD/bench
rounds=${SMRC_BENCH_ROUNDS:-3}
say() { printf 'bench: %s\n' "$*"; }

# row TEST SIZE QPS MODE COLUMN ARG...: one run of perftest; a failed one is a row without a value
row() {
	local test=$1 size=$2 qps=$3 mode=$4 column=$5 value args=()
	shift 5
	[ "$mode" = poll ] || args+=(-e)
	[ "$qps" -eq 1 ] || args+=(-q "$qps")
	value=failed
	if perf "$test" -s "$size" "${args[@]}" "$@" >"$T/why"; then value=$(column "$column"); else tail -n 3 "$T/why"; fi
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$TYPE" "$test" "$size" "$qps" "$mode" "$value" >>"$raw/rows.tsv"
	say "$TYPE $test $size B, $qps QP, $mode: $value"
}

# perftest has no event mode for WRITE, with immediate data or not
verbs_rows() {
	row ib_write_bw 65536 1 poll 4 -n 300
	row ib_write_bw 1048576 1 poll 4 -n 24 -t 16
	row ib_send_bw 65536 1 poll 4 -n 300
	row ib_send_bw 65536 1 event 4 -n 300
	row ib_send_bw 1048576 1 poll 4 -n 24 -t 16 -r 16
	row ib_send_bw 1048576 1 event 4 -n 24 -t 16 -r 16
	row ib_send_lat 8 1 event 5 -n 400
	row ib_send_lat 4096 1 event 5 -n 400
	row ib_write_bw 64 1 poll 5 -n 4000
	row ib_write_bw 64 8 poll 5 -n 1000
	row ib_send_bw 64 1 event 5 -n 4000
	row ib_send_bw 64 8 event 5 -n 1000
}

wire() { # without devices
	NS=([A]=A [B]=B) ADDR=([A]=10.0.0.1 [B]=10.0.0.2) ADDR6=([A]=fd00::1 [B]=fd00::2)
	wire_up 4200
}

iperf_listens() { [ -n "$(host B ss -Hltn "sport = :5201")" ]; }
ip_rows() { # iperf3, MiB/s as the receiver counts
	local i
	for ((i = 1; i <= rounds; i++)); do
		host B iperf3 -s -1 -D
		retry 20 iperf_listens
		host A iperf3 -c 10.0.0.2 -t 1 -J >"$raw/tcp.$i" || true
		host B iperf3 -s -1 -D
		retry 20 iperf_listens
		host A iperf3 -c 10.0.0.2 -u -b 0 -l 4100 -t 1 -J >"$raw/udp.$i" || true
		say "iperf3, round $i of $rounds"
	done
}

limit_rows() {
	local i h pids=()
	modprobe -a udp_tunnel ip6_udp_tunnel
	for h in A B; do
		spawn $h sleep 3600
		pids+=($!)
	done
	sleep 1
	for ((i = 1; i <= rounds; i++)); do
		insmod "$raw/limit/limit.ko" sender="${pids[0]}" receiver="${pids[1]}"
		cat /sys/module/limit/parameters/mib_s >>"$raw/limit_mib_s"
		rmmod limit
	done
	kill "${pids[@]}"
	say "raw UDP path: $(xargs <"$raw/limit_mib_s") MiB/s"
}

# Bytes per QP with one peer, and more per QP when each has a peer of its own with the largest set of values
memory_rows() {
	local gid
	set_both entropy_mask_bits 8
	set_both active_ev_set_size 256
	ip -n A route add 10.1.0.0/16 dev eth0
	ip -n B route add local 10.1.0.0/16 dev lo
	gid=$(gid_index "${DEV[A]}" "${ADDR[A]}")
	host A "$raw/memory" "${DEV[A]}" "$gid" 256 10.0.0.2 10.1.0.1 >"$raw/memory_bytes"
	say "memory: bytes per QP and per peer: $(cat "$raw/memory_bytes")"
}

rm -f "$raw"/rows.tsv "$raw"/limit_mib_s "$raw"/memory_bytes "$raw"/tcp.* "$raw"/udp.*
wire
limit_rows
ip_rows
hosts_down
for TYPE in rxe smrc; do
	DEV=([A]=${TYPE}0 [B]=${TYPE}1)
	two_hosts 4200
	for ((round = 1; round <= rounds; round++)); do
		say "$TYPE, round $round of $rounds"
		verbs_rows
	done
	[ "$TYPE" != smrc ] || memory_rows
	hosts_down
	rmmod "rdma_$TYPE"
done
