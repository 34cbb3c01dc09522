#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_tool.sh - the tool smrc and the netlink family behind it: what it shows of peers, entropy values and QPs while traffic
# runs, what it refuses, and that a dump of many rows is whole.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if [ "$TYPE" != smrc ]; then
	skip "the tool" "it is Soft-MRC's"
	done_testing
fi

SMRC=$SMRC_BUILD/tools/smrc
tool() { "$SMRC" "$@"; }
json() { tool -j "$@" | jq -er "$QUERY"; } # QUERY=...
rows() { tool -j "$@" | jq -e length; }

[ ! -d /sys/module/rdma_smrc ] || rmmod rdma_smrc
refused "without the module" "modprobe rdma_smrc" tool peer show
two_hosts 4200
same "no peer before traffic" "$(tool -j peer show)" "[]"
same "no QP of a user before traffic" "$(tool -j qp show)" "[]"
refused "no such device" "No such device" tool peer show smrc9
refused "no command" "no such command" tool peer
refused "not an address" "no IP address" tool ev show nowhere

# Long enough for the programs that ask meanwhile
seconds=8
[ "$SLOW" -lt 12 ] || seconds=45

# Both devices are in one kernel, so their QPs all show
during() {
	local dev=${DEV[A]} peer=${ADDR[B]}
	[ "$(rows qp show)" -eq 32 ] || { echo "not 32 QPs"; tool qp show; return 1; }
	[ "$(rows peer show "$dev")" -eq 1 ] || { echo "not one peer"; tool peer show; return 1; }
	QUERY='.[0].remote' json peer show "$dev" | grep -qx "$peer"
	QUERY='.[0] | .qps == 16 and .mrc == 1 and .policy == "default" and .values == 75' json peer show "$dev" || {
		tool -j peer show "$dev"
		return 1
	}
	[ "$(rows ev show "$peer" "$dev")" -eq 75 ] || { echo "not 75 values"; tool ev show "$peer" "$dev"; return 1; }
	QUERY='map(.sent) | add > 1000' json ev show "$peer" "$dev"
	QUERY='map(select(.rtt_us > 0)) | length > 60' json ev show "$peer" "$dev"
	QUERY='[.[].state] | length == 75 and all(. == "good" or . == "skip" or . == "assumed_bad")' json ev show "$peer" "$dev"
	QUERY='[.[].ev] | (unique | length) == length and min >= 49152' json ev show "$peer" "$dev"
	QUERY='length == 16 and all(.state == "RTS" and .cwnd == 128 and .cc == "fixed" and .mtu == 4096)' json qp show "$dev"
	tool qp show >"$T/qps"
	grep -q CWND "$T/qps"
	[ "$(rows ev show 192.0.2.1)" -eq 0 ] || { echo "values of a peer that is none"; return 1; }
}
# Two looks, as programs see them and as a pipe does
live() {
	local dev=${DEV[A]}
	tool -j top "$dev" interval=0.5 count=2 >"$T/top"
	[ "$(wc -l <"$T/top")" -eq 2 ] || { cat "$T/top"; return 1; }
	tail -n 1 "$T/top" | jq -e '.devices | length == 1 and .[0].tx_mib_s > 0 and .[0].tx_pkt_s > 0 and .[0].rx_mib_s == 0'
	tail -n 1 "$T/top" | jq -e '(.peers | length == 1) and (.values | length == 75) and .seconds >= 0.5'
	tool top "$dev" interval=0.5 count=1 >"$T/top"
	grep -qE "^$dev to ${ADDR[B]}: default, 16 QPs" "$T/top"
	grep -qE '^  \|.{75}\|$' "$T/top"
	! grep -q "$(printf '\033')" "$T/top" || { echo "colours in a pipe"; return 1; }
}
check "top under traffic" meanwhile live -- perf ib_write_bw -s 65536 -D $seconds -q 16
check "what it shows under traffic" meanwhile during -- perf ib_write_bw -s 65536 -D $seconds -q 16
same "no peer after traffic" "$(tool -j peer show)" "[]"

# 256 values of one peer and 64 QPs are many messages
set_both entropy_mask_bits 8
set_both active_ev_set_size 256
many() {
	[ "$(rows ev show all "${DEV[A]}")" -eq 256 ] || { echo "not 256 values"; return 1; }
	[ "$(rows qp show "${DEV[A]}")" -eq 64 ] || { echo "not 64 QPs"; return 1; }
	QUERY='[.[].qpn] | (unique | length) == 64' json qp show "${DEV[A]}"
}
[ "$SMRC_GUEST" = debug ] || check "many rows" meanwhile many -- perf ib_write_bw -s 65536 -D $seconds -q 64

# 1.5 bandwidth-delay products of 10 Gb/s and 250 us are 114 packets of 4096
set_both congestion_control nscc
steered() { QUERY='length == 1 and all(.cc == "nscc" and .cwnd >= 1 and .cwnd <= 114)' json qp show "${DEV[A]}"; }
[ "$SMRC_GUEST" = debug ] || check "NSCC sets the window" meanwhile steered -- perf ib_write_bw -s 65536 -D $seconds

# The monitor: a row for every packet. Another program's tracing goes on undisturbed.
watch() { # WORD... -- CMD...: rows in $T/csv, what it says in $T/said
	local words=() pid rc=0
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	shift
	rm -f "$T/csv"
	"$SMRC" monitor "${words[@]}" >"$T/csv" 2>"$T/said" &
	pid=$!
	retry 10 test -s "$T/csv"
	"$@" || rc=$?
	kill -INT "$pid"
	wait "$pid" || rc=1
	cat "$T/said"
	return "$rc"
}
rows_are() { # CONDITION of awk that every row must fulfil
	awk -F, 'NR > 1 && !('"$1"') { print "no: " $0; bad = 1; exit } END { if (NR < 2) print "no rows"; exit bad || NR < 2 }' "$T/csv"
}
few() { perf ib_write_bw -s 65536 -n 50; }
check "monitor: it runs" watch dev="${DEV[A]}" -- few
same "monitor: its head" "$(head -n 1 "$T/csv")" "time,dev,dir,type,qpn,psn,ev,size,ecn"
# shellcheck disable=SC2016
check "monitor: its rows" rows_are 'NF == 9 && $2 == "'"${DEV[A]}"'" && $1 ~ /^[0-9]+\.[0-9]{9}$/ && $7 ~ /^[0-9]+$/'
sent_rows() { [ "$(grep -c ',tx,write_' "$T/csv")" -ge 800 ]; }	# 50 times 64 KiB
check "monitor: nothing is missing" sent_rows
check "monitor: the endpoint exchange is there" grep -q ',tx,ep_request,2,' "$T/csv"
check "monitor: it takes what the filter says" watch dir=tx type=sack -- few
# shellcheck disable=SC2016
check "monitor: and nothing else" rows_are '$3 == "tx" && $4 == "sack"'
enough() {
	local pid
	rm -f "$T/csv"
	timeout $((30 * SLOW)) "$SMRC" monitor count=10 >"$T/csv" &
	pid=$!
	retry 10 test -s "$T/csv"
	few
	wait "$pid"
}
check "monitor: it ends by itself" enough
same "monitor: after so many rows" "$(wc -l <"$T/csv")" 11
# Without spraying a program chooses its port, and so its path, by the flow label
labelled() { perf ib_write_bw -s 65536 -n 50 --flow_label=1234; }
set_both packet_spraying_type none
check "monitor: a QP with a flow label" watch dev="${DEV[A]}" dir=tx type=write_middle -- labelled
# shellcheck disable=SC2016
check "monitor: its port is that of the label" rows_are '$7 == 49152 + 1234'
set_both packet_spraying_type default
slow_reader() { # reads the head, and the rest when all is over
	local pid
	mkfifo "$T/rows"
	"$SMRC" monitor buffer=64 >"$T/rows" 2>"$T/said" &
	pid=$!
	exec 9<"$T/rows"
	read -r -u 9
	perf ib_write_bw -s 65536 -n 400
	cat <&9 >"$T/csv" &
	sleep 1
	kill -INT "$pid"
	wait
	cat "$T/said"
	grep -qE '^smrc: [1-9][0-9]* packets were lost' "$T/said"
}
check "monitor: rows that a slow reader missed are counted" slow_reader
nothing_left() { ! compgen -G "/sys/kernel/tracing/instances/smrc-monitor-*"; }
check "monitor: nothing is left of it" nothing_left
# Its output fails at once, and it says so
full_disk() { "$SMRC" monitor count=10 >/dev/full; }
refused "monitor: no room for its rows" "No space left" full_disk
hang_up() {
	local pid
	rm -f "$T/csv"
	"$SMRC" monitor >"$T/csv" &
	pid=$!
	retry 10 test -s "$T/csv"
	kill -HUP "$pid"
	wait "$pid"
	nothing_left
}
check "monitor: the terminal hangs up" hang_up
refused "monitor: a filter that is none" "does not know colour=red" tool monitor colour=red
refused "monitor: a value that is none" "does not know type=red" tool monitor type=red
refused "monitor: no expression gets in" "does not know dev" tool monitor 'dev=x" || qpn > "0'
refused "monitor: a user without rights" "denied" setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
	"$SMRC" monitor

check "a setting changes" tool set "${DEV[A]}" cwnd_packets 64
same "and reads back" "$(tool -j set "${DEV[A]}" | jq -r '.[] | select(.name == "cwnd_packets") | .value')" 64
refused "a value that is none" "Invalid argument" tool set "${DEV[A]}" cwnd_packets 0
refused "a setting that is none" "No such file" tool set "${DEV[A]}" nonesuch 1
refused "a name that leaves the folder" "Invalid argument" tool set "${DEV[A]}" ../../../../kernel/x 1
refused "top: an interval that is none" "does not know interval=0" tool top interval=0
refused "top: a word too many" "does not know b" tool top a b
refused "top: a device that is none" "smrc9: No such device" tool top smrc9 count=1
refused "a user without rights" "Operation not permitted" setpriv --reuid 65534 --clear-groups --inh-caps=-all \
	--bounding-set=-all "$SMRC" peer show "${DEV[A]}"
if unshare -Urn true 2>/dev/null; then
	refused "root of another user namespace" "Operation not permitted" unshare -Urn "$SMRC" peer show "${DEV[A]}"
else
	skip "root of another user namespace" "this kernel has no user namespaces"
fi
refused "an empty value" "Invalid argument" tool set "${DEV[A]}" cwnd_packets ""
refused "settings of a device that is none" "smrc9: No such device" tool set smrc9 cwnd_packets 1
refused "an option behind the command" "try --help" tool peer show -j
done_testing
