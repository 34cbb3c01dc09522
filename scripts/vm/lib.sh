# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# lib.sh - for the scenarios t_*.sh and what else runs in a guest; source it.
#
# A scenario is a script that scripts/guest runs (or root by hand on a test host with SMRC_TOP set). It prints TAP: a line
# for every check, "1..N" at the end; one that dies before that has failed. SMRC_TYPE=rxe runs it over another device, to tell
# a fault of ours from one of the scenario.

set -euo pipefail
: "${SMRC_TOP:?run this through scripts/guest}"
# shellcheck source=../guest-lib.sh
. "$SMRC_TOP/scripts/guest-lib.sh"

TYPE=${SMRC_TYPE:-smrc}
FABRIC=$SMRC_TOP/scripts/fabric
T=$(mktemp -d)			# scratch
trap 'echo "Bail out! $0 line $LINENO: $BASH_COMMAND"' ERR
SLOW=1				# factor on time limits
case ${SMRC_GUEST:-} in
stock-*) SLOW=4 ;;
debug) SLOW=12 ;;
esac
declare -A NS DEV ADDR ADDR6	# of host A and B
DEV=([A]=${TYPE}0 [B]=${TYPE}1)

# --- TAP ---

tap_count=0 tap_failed=0 tap_last=${EPOCHREALTIME/./}

tap_line() { # ok|"not ok" DESCRIPTION; says how long it took since the last line, by the guest's clock
	local me=${0##*/} now=${EPOCHREALTIME/./} ds
	tap_count=$((tap_count + 1))
	ds=$(((now - tap_last) / 100000))
	tap_last=$now
	printf '%s %d - %s: %s # time=%d.%ds\n' "$1" $tap_count "${me%.sh}" "$2" $((ds / 10)) $((ds % 10))
}
pass() { tap_line ok "$*"; }
fail() { tap_failed=1; tap_line "not ok" "$*"; }
skip() { # DESCRIPTION WHY
	tap_line ok "$1 # SKIP $2"
}
diag() { sed 's/^/# /'; }

# check DESCRIPTION CMD...: CMD (often a function) must succeed. It runs in a subshell of its own, where set -e holds.
check() {
	local what=$1 rc=0
	shift
	(set -e; "$@") >"$T/check" 2>&1 &
	wait $! || rc=$?
	if [ $rc -eq 0 ]; then
		pass "$what"
	else
		fail "$what"
		{ echo "exit status $rc of: $*"; tail -n 30 "$T/check"; } | diag
	fi
	return 0
}

# refused DESCRIPTION TEXT CMD...: CMD must fail and say TEXT (a fixed string, such as that of an errno; empty for any)
refused() {
	local what=$1 text=$2
	shift 2
	if ("$@") >"$T/check" 2>&1; then
		fail "$what (it succeeded)"
	elif [ -n "$text" ] && ! grep -qF "$text" "$T/check"; then
		fail "$what"
		{ echo "should say: $text"; tail -n 5 "$T/check"; } | diag
	else
		pass "$what"
	fi
}

# same DESCRIPTION GOT WANTED
same() {
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1"; printf 'got "%s", not "%s"\n' "$2" "$3" | diag; fi
}

done_testing() {
	hosts_down
	echo "1..$tap_count"
	exit $tap_failed
}

# retry SECONDS CMD...: until CMD succeeds
retry() {
	local end=$((SECONDS + $1 * SLOW))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || { echo "not within the time: $*"; return 1; }
		sleep 0.1
	done
}

# kunit_results SUITE...: each case of the KUnit suites that ran becomes a line of TAP
kunit_results() {
	local name results line what
	for name; do
		results=/sys/kernel/debug/kunit/$name/results
		# A case's line is indented by four, those of its parameters by more
		grep -E '^    (ok|not ok) ' "$results" >"$T/cases" || true
		[ -s "$T/cases" ] || fail "$name: no case ran"
		while read -r line; do
			what=${line#*ok }
			case $line in
			*"# SKIP"*) what=${what%%# SKIP*}; skip "$name: ${what#[0-9]* }" "${line#*# SKIP }" ;;
			ok*) pass "$name: ${what#[0-9]* }" ;;
			*)
				fail "$name: ${what#[0-9]* }"
				grep -B 12 -F "$line" "$results" | diag
				;;
			esac
		done <"$T/cases"
	done
}

# --- hosts ---

load() {
	if [ "$TYPE" = smrc ]; then
		# shellcheck disable=SC2119
		[ -d /sys/module/rdma_smrc ] || smrc_load
	else
		smrc_rdma_core
		modprobe "rdma_$TYPE" 2>/dev/null || modprobe "$TYPE"
	fi
}

host() { # A|B CMD...: run CMD there
	local ns=${NS[$1]}
	shift
	ip netns exec "$ns" "$@"
}

# spawn A|B CMD...: the same in the background; $! is CMD's own process, which "host ... &" would not give
spawn() {
	local ns=${NS[$1]}
	shift
	ip netns exec "$ns" "$@" &
}

# two_hosts MTU: A and B with one veth between their eth0, and devices on them
two_hosts() {
	NS=([A]=A [B]=B) ADDR=([A]=10.0.0.1 [B]=10.0.0.2) ADDR6=([A]=fd00::1 [B]=fd00::2)
	wire_up "$1"
	devices_up
}

wire_up() { # MTU
	local h
	for h in A B; do
		ip netns add $h
		ip netns exec $h bash -c 'echo 0 | tee /proc/sys/net/ipv6/conf/*/accept_dad >/dev/null'
		ip -n $h link set dev lo up
	done
	ip link add dev eth0 mtu "$1" netns A type veth peer name eth0 mtu "$1" netns B
	for h in A B; do
		ip -n $h link set dev eth0 up
		ip -n $h addr add "${ADDR[$h]}/24" dev eth0
		ip -n $h addr add "${ADDR6[$h]}/64" dev eth0 nodad
	done
}

# fabric_up OPTION...: A and B at the ends of a fabric (scripts/fabric), and devices on them
fabric_up() {
	NS=([A]=smrc-A [B]=smrc-B) ADDR=([A]=10.1.0.2 [B]=10.2.0.2) ADDR6=([A]=fd00:1::2 [B]=fd00:2::2)
	"$FABRIC" up "$@"
	devices_up
}

devices_up() {
	local h
	load
	for h in A B; do host $h rdma link add "${DEV[$h]}" type "$TYPE" netdev eth0; done
	smrc_nodes
	for h in A B; do
		retry 5 gid_index "${DEV[$h]}" "${ADDR[$h]}"
		retry 5 gid_index "${DEV[$h]}" "${ADDR6[$h]}"
	done
}

hosts_down() {
	local h
	for h in A B; do
		[ ! -e "/sys/class/infiniband/${DEV[$h]}" ] || rdma link del "${DEV[$h]}"
	done
	case ${NS[A]:-} in
	A) ip netns del A; ip netns del B ;;
	smrc-A) "$FABRIC" down ;;
	esac
	NS=()
}

# gid_index DEVICE ADDRESS: print the index of the RoCE v2 GID of an address
gid_index() {
	local dir=/sys/class/infiniband/$1/ports/1 want i gid type
	want=$(full_gid "$2")
	for ((i = 0; i < 32; i++)); do
		gid='' type=''
		{ read -r gid <"$dir/gids/$i" && read -r type <"$dir/gid_attrs/types/$i"; } 2>/dev/null || true
		if [ "$gid" = "$want" ] && [ "$type" = "RoCE v2" ]; then
			echo $i
			return 0
		fi
	done
	return 1
}

# full_gid ADDRESS: as sysfs writes it. IPv6 with one "::" or none.
full_gid() {
	local byte high low tail='' groups
	if [[ $1 != *:* ]]; then
		IFS=. read -ra byte <<<"$1"
		printf '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x\n' "${byte[@]}"
		return
	fi
	[[ $1 != *::* ]] || tail=${1#*::}
	IFS=: read -ra high <<<"${1%%::*}"
	IFS=: read -ra low <<<"$tail"
	groups=("${high[@]}")
	while [ $((${#groups[@]} + ${#low[@]})) -lt 8 ]; do groups+=(0); done
	groups+=("${low[@]}")
	printf '%04x:%04x:%04x:%04x:%04x:%04x:%04x:%04x\n' "${groups[@]/#/0x}"
}

# counter A|B NAME
counter() {
	local value
	read -r value <"/sys/class/infiniband/${DEV[$1]}/ports/1/hw_counters/$2"
	echo "$value"
}

setting() { echo "/sys/class/infiniband/${DEV[$1]}/spray/$2"; } # A|B NAME: its file

set_both() { # NAME VALUE
	echo "$2" >"$(setting A "$1")"
	echo "$2" >"$(setting B "$1")"
}

# --- programs ---

# listens PID PORT: does anybody listen on this TCP port where the process lives? Without starting a program, which takes
# half a second on a debug kernel.
listens() {
	local port file address state
	printf -v port %04X "$2"
	for file in /proc/$1/net/tcp /proc/$1/net/tcp6; do
		while read -r _ address _ state _; do
			[[ $address != *:$port || $state != 0A ]] || return 0
		done <"$file"
	done 2>/dev/null
	return 1
}

# pair LIMIT PROGRAM SERVER-ARGS -- CLIENT-ARGS...: PROGRAM listens on B (TCP port 18515) and its client runs on A, each for at
# most LIMIT x SLOW seconds. Output in $T/server and $T/client; fails when either does.
pair() {
	local limit=$(($1 * SLOW)) prog=$2 server_args=() server rc=0
	shift 2
	while [ "$1" != -- ]; do server_args+=("$1"); shift; done
	shift
	spawn B timeout -k 5 "$limit" "$prog" "${server_args[@]}" >"$T/server" 2>&1
	server=$!
	until listens $server 18515; do
		kill -0 $server 2>/dev/null || { echo "the server ended early:"; cat "$T/server"; return 1; }
		sleep 0.05
	done
	host A timeout -k 5 "$limit" "$prog" "$@" >"$T/client" 2>&1 || rc=$?
	[ $rc -eq 0 ] || { sleep 0.5; kill $server 2>/dev/null || true; }
	wait $server || rc=$((rc ? rc : $?))
	if [ $rc -ne 0 ]; then
		echo "status $rc; client:"
		tail -n 15 "$T/client"
		echo "server:"
		tail -n 10 "$T/server"
	fi
	return $rc
}

# perf PROGRAM ARG...: a perftest program on both hosts; the GIDs are those of FAMILY's addresses (4 or 6), the programs
# talk to each other over IPv4 in any case
perf() {
	local prog=$1 a=${ADDR[A]} b=${ADDR[B]}
	shift
	[ "${FAMILY:-4}" = 4 ] || { a=${ADDR6[A]}; b=${ADDR6[B]}; }
	set -- "${LIMIT:-60}" "$prog" -d "${DEV[B]}" -x "$(gid_index "${DEV[B]}" "$b")" -F "$@" -- \
		-d "${DEV[A]}" -x "$(gid_index "${DEV[A]}" "$a")" -F "$@" "${ADDR[B]}"
	local attempt rc
	for attempt in 1 2 3 4 5; do
		rc=0
		pair "$@" || rc=$?
		# perftest cannot tell the CPU's clock on a busy host: then it has no figures, and may end with an error or not
		grep -q "Correlation coefficient" "$T/client" "$T/server" || break
		sleep 1
	done
	[ $rc -eq 0 ] || return 1
	[ -n "$(column 4)" ] || { echo "no figures after $attempt attempts:"; cat "$T/client"; return 1; }
}

# integrity ARG...: our own program on both hosts, which checks every byte; ARGs are the client's, those that both need are
# given to both
integrity() {
	local a=${ADDR[A]} b=${ADDR[B]} both=(-p 18515 -t "${TIMEOUT:-18}" --stall "$((30 * SLOW))")
	[ "${FAMILY:-4}" = 4 ] || { a=${ADDR6[A]}; b=${ADDR6[B]}; }
	pair "${LIMIT:-90}" "$SMRC_BUILD/tests/integrity" -d "${DEV[B]}" -x "$(gid_index "${DEV[B]}" "$b")" "${both[@]}" -- \
		-d "${DEV[A]}" -x "$(gid_index "${DEV[A]}" "$a")" "${both[@]}" "$@" "${ADDR[B]}"
}

# meanwhile CMD... -- CMD...: the first in the background, as soon as host A sends; fails when either does
meanwhile() {
	local aside=() helper rc=0
	while [ "$1" != -- ]; do aside+=("$1"); shift; done
	shift
	(
		first=$(sent_packets)
		until [ $(($(sent_packets) - first)) -gt 200 ]; do sleep 0.05; done
		set -e
		"${aside[@]}"
	) &
	helper=$!
	"$@" || rc=$?
	wait $helper || { echo "${aside[*]}: failed"; rc=1; }
	return $rc
}

sent_packets() { host A cat /sys/class/net/eth0/statistics/tx_packets; }

# column N: of the last row of perftest's table in $T/client; bandwidth: 4 is the average, latency: 5 the typical
column() { awk -v n="$1" '/^ *#bytes/ { table = 1; next } table && NF >= n && $1 ~ /^[0-9]+$/ { v = $n } END { print v }' "$T/client"; }

# perftest and kernel processes of both hosts end when they are told to; take what is left with its namespace
stop_hosts_programs() {
	local h pid
	for h in A B; do
		for pid in $(ip netns pids "${NS[$h]}"); do kill -KILL "$pid" 2>/dev/null || true; done
	done
}
