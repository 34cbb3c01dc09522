#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_faults.sh - what is taken away under traffic: a peer's process, the link, the netdev, the MTU, the network for longer
# than the verbs attributes allow. Programs get an error in time, nothing hangs or leaks, and a new start works.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

qps() { rdma resource show qp 2>/dev/null | grep -cv 'type GSI\|type SMI' || true; }
no_qps() { [ "$(qps)" -eq 0 ]; }

# start A|B NAME ARG...: ib_write_bw in the background there; its pid in PID[NAME], its output in $T/NAME
declare -A PID
start() {
	local h=$1 name=$2
	shift 2
	spawn "$h" ib_write_bw -d "${DEV[$h]}" -x "$(gid_index "${DEV[$h]}" "${ADDR[$h]}")" -F "$@" >"$T/$name" 2>&1
	PID[$name]=$!
}
begin() { # both: each of them shows as well that what was before left nothing that is in the way
	local first
	start B server -s 65536 -D 60 "$@"
	retry 10 listens "${PID[server]}" 18515
	first=$(sent_packets)
	start A client -s 65536 -D 60 "$@" "${ADDR[B]}"
	flows() { [ $(($(sent_packets) - first)) -gt 200 ]; }
	retry 20 flows
}
ended() { ! kill -0 "${PID[$1]}" 2>/dev/null; }
both_ended() { ended client && ended server; }
end_both() { # by force; waits, so that a process that cannot die is seen
	kill -KILL "${PID[client]}" "${PID[server]}" 2>/dev/null || true
	retry 10 both_ended
}
traffic() { # WHAT ARG...
	local what=$1 rc=0
	shift
	begin "$@" >"$T/begin" 2>&1 || rc=$?
	if [ $rc -eq 0 ]; then pass "$what"; else fail "$what"; diag <"$T/begin"; fi
}
exists() { [ -e "/sys/class/infiniband/$1" ]; }
gone() { ! exists "$1"; }

two_hosts 4200

# A process dies
traffic "before all"
kill -KILL "${PID[client]}"
check "client killed: the server ends or can be ended" end_both
check "client killed: no QP is left" retry 10 no_qps
traffic "client killed: a new start works"
kill -KILL "${PID[server]}"
check "server killed: the client sees an error" retry 20 ended client
check "server killed: it says which" grep -qE 'Failed status|Completion with error' "$T/client"
end_both
check "server killed: no QP is left" retry 10 no_qps

# The link goes
traffic "server killed: a new start works"
check "link deleted under traffic" timeout $((20 * SLOW)) rdma link del "${DEV[A]}"
check "its device is gone" retry 5 gone "${DEV[A]}"
check "its program ends or can be ended" end_both
host A rdma link add "${DEV[A]}" type "$TYPE" netdev eth0
smrc_nodes
check "its GIDs are back" retry 5 gid_index "${DEV[A]}" "${ADDR[A]}"

# The netdev goes, and its peer with it
traffic "link added again: a new start works"
check "netdev removed under traffic" timeout $((20 * SLOW)) ip -n A link del dev eth0
check "its device is gone" retry 20 gone "${DEV[A]}"
check "so is that of the peer" retry 20 gone "${DEV[B]}"
check "the programs end or can be ended" end_both
hosts_down
two_hosts 4200

# The module goes: no program can hold it, for a device can leave its programs behind
if [ "$TYPE" = smrc ]; then
	traffic "new netdevs: a new start works"
	check "module removed under traffic" timeout $((20 * SLOW)) rmmod rdma_smrc
	check "the programs end or can be ended" end_both
	hosts_down
	two_hosts 4200
	check "module loaded again: a new start works" perf ib_write_bw -s 65536 -n 50
fi

# The MTU changes
mtu_changes() {
	local mtu h
	for mtu in 9000 4200 1500 4200; do
		for h in A B; do ip -n "$h" link set dev eth0 mtu "$mtu"; done
		sleep 0.3
	done
}
TIMEOUT=20 check "MTU changes under traffic" meanwhile mtu_changes -- integrity -n 400 -s 65536 -q 4
check "MTU changes under traffic both ways, all the time" meanwhile mtu_changes -- perf ib_write_bw -s 65536 -D 6 -b -u 20
FAMILY=6 check "MTU changes under traffic both ways, IPv6" meanwhile mtu_changes -- perf ib_write_bw -s 65536 -D 6 -b -u 20
no_path_mtu() { # nobody took an MTU that was too small for that of the path
	local f
	for f in "-4 route get ${ADDR[B]}" "-6 route get ${ADDR6[B]}"; do
		# shellcheck disable=SC2086
		ip -n A $f
	done >"$T/routes"
	cat "$T/routes"
	! grep -q "mtu" "$T/routes"
}
[ "$TYPE" != smrc ] || check "no path MTU is remembered" no_path_mtu
link_flaps() {
	local i
	for i in 1 2 3; do
		ip -n A link set dev eth0 down
		sleep 0.3
		ip -n A link set dev eth0 up
		ip -n A addr replace "${ADDR6[A]}/64" dev eth0 nodad
		sleep 0.5
	done
}
TIMEOUT=20 check "the link goes down and up under traffic" meanwhile link_flaps -- integrity -n 400 -s 65536 -q 4

# The network goes, longer than allowed: timeout 4.096 us << 16 = 0.27 s. IBTA lets the time between two attempts be up to four
# times that; the first attempt and 7 retries end between 2.1 and 8.6 s after the last answer.
black_hole() { # on|off
	local h
	for h in A B; do
		if [ "$1" = on ]; then tc -n $h qdisc add dev eth0 root netem loss 100%; else tc -n $h qdisc del dev eth0 root; fi
	done
}
trace=/sys/kernel/tracing
gave_up_after() { # print ms from the last progress to the failure, by the kernel's own clock
	awk '{ sub(":", "", $4) } /smrc_ack:/ && !/newly=0 / { heard = $4 } /smrc_fail:/ { print int(($4 - heard) * 1000); exit }' $trace/trace
}
if [ "$TYPE" = smrc ]; then
	for event in smrc_ack smrc_fail; do echo 1 >$trace/events/smrc/$event/enable; done
fi
traffic "a connection with a timeout of 16" -u 16
black_hole on
check "the client gives up" retry 30 ended client
black_hole off
check "it says retry exceeded (status 12)" grep -qE 'Failed status 12' "$T/client"
if [ "$TYPE" = smrc ]; then
	for event in smrc_ack smrc_fail; do echo 0 >$trace/events/smrc/$event/enable; done
	ms=$(gave_up_after)
	check "not before its time ($ms ms)" test "$ms" -ge 2147
	check "and in its time ($ms ms)" test "$ms" -le $((8600 + 2000 * SLOW))
	echo >$trace/trace
fi
end_both
check "a new start works" perf ib_write_bw -s 65536 -n 50
if [ "$TYPE" = smrc ]; then
	check "the counter tells" test "$(counter A retry_exceeded)" -ge 1
	hole_for() { black_hole on; sleep "$1"; black_hole off; }
	TIMEOUT=0 check "timeout 0: a QP waits as long as it takes" meanwhile hole_for 6 -- integrity -n 200 -s 65536 -q 2
fi
done_testing
