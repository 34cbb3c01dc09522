#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_integrity.sh - random messages, every byte checked, over wires that lose, reorder, duplicate, corrupt and refuse.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

netem() { # ARG...: on both ends; nothing takes it away
	local h
	for h in A B; do
		tc -n $h qdisc del dev eth0 root 2>/dev/null || true
		[ $# -eq 0 ] || tc -n $h qdisc add dev eth0 root netem "$@"
	done
}

grew() { # HOST COUNTER WAS
	[ "$TYPE" != smrc ] || [ "$(counter "$1" "$2")" -gt "$3" ]
}

n=20 sizes=131072
[ "$SMRC_GUEST" != uml ] || n=100

wires=("loss 1%" "loss 5%" "delay 500us 400us" "delay 1ms reorder 60% 50%" "duplicate 10%" "corrupt 2%"
	"rate 400mbit limit 8" "loss 2% duplicate 2% corrupt 1% delay 300us 200us")
# A debug kernel is to find what is wrong in the code, for which a wire that does everything is enough
[ "$SMRC_GUEST" != debug ] || wires=("${wires[@]: -2}")

neighbour_dies() { # a program between the same hosts, killed while it sends
	local prog=(stdbuf -oL ib_write_bw -p 18600 -F -s 65536 -D 60 -q 8 -u 20) pids=()
	spawn B "${prog[@]}" -d "${DEV[B]}" -x "$(gid_index "${DEV[B]}" "${ADDR[B]}")" >"$T/neighbour" 2>&1
	pids+=($!)
	retry 10 listens "${pids[0]}" 18600
	spawn A "${prog[@]}" -d "${DEV[A]}" -x "$(gid_index "${DEV[A]}" "${ADDR[A]}")" "${ADDR[B]}" >"$T/neighbour.client" 2>&1
	pids+=($!)
	# The last it says before it sends
	retry 20 grep -q "remote address" "$T/neighbour.client"
	sleep 0.5
	kill -KILL "${pids[@]}"
	wait "${pids[@]}" || true
}

two_hosts 4200
check "a good wire" integrity -n $n -s $sizes -q 4
FAMILY=6 check "a good wire, IPv6" integrity -n $n -s $sizes -q 4
check "a good wire, events" integrity -n $n -s $sizes -q 4 -e
check "a good wire, 64 QPs" integrity -n 10 -s 8192 -q 64
check "a good wire, tiny messages" integrity -n $((n * 10)) -s 64 -q 2
check "a good wire, huge messages" integrity -n 6 -s 8388608
check "a good wire, path MTU 256" integrity -n $n -s 16384 -m 256

was=0 seed=0
for wire in "${wires[@]}"; do
	# shellcheck disable=SC2086
	netem $wire
	[ "$TYPE" != smrc ] || was=$(counter B drop_icrc)
	check "$wire" integrity -n $n -s $sizes -q 4 -S $((++seed))
	[[ $wire != corrupt* ]] || check "$wire: the ICRC refused packets" grew B drop_icrc "$was"
done
[ "$SMRC_GUEST" != uml ] || FAMILY=6 check "$wire, IPv6" integrity -n $n -s $sizes -q 4
if [ "$TYPE" = smrc ]; then
	set_both qp_groups_enabled 1
	for cc in fixed nscc; do
		set_both congestion_control $cc
		check "$wire, a QP group, $cc" integrity -n $n -s $sizes -q 16
	done
	set_both rcv_cwnd_penalty 100
	check "$wire, a QP group, a receiver that asks for less" integrity -n $n -s $sizes -q 16
	# Few packets for many QPs, so that all wait in line; some of them die there
	set_both rcv_cwnd_penalty 0
	set_both congestion_control fixed
	set_both cwnd_packets 4
	check "$wire, a QP group with a window of 4 packets" integrity -n $n -s $sizes -q 16
	check "$wire, its members die in line" meanwhile neighbour_dies -- integrity -n $n -s $sizes -q 16
	same "no QP gave up" "$(counter A retry_exceeded) $(counter B retry_exceeded)" "0 0"
fi
done_testing
