#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_switches.sh - the fabric's leaves as eBPF programs: paths by entropy value or by flowlet, queues that mark and trim.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if [ "$TYPE" != smrc ]; then
	skip "switches" "they are for Soft-MRC's packets"
	done_testing
fi

refused "a way to balance that there is not" "ecmp, evmod or flowlet" "$FABRIC" up --lb best
refused "a gap without flowlets" "needs --lb" "$FABRIC" up --gap 1ms
refused "a gap that is no time" "must be a time" "$FABRIC" up --lb flowlet --gap soon
refused "trimming without a rate" "needs --rate" "$FABRIC" up --trim
refused "a rate that is none" "such as 50mbit" "$FABRIC" up -n 2 --trim --rate fast
SMRC_BUILD=$T refused "without the programs" "scripts/build bpf" "$FABRIC" up -n 2 --lb evmod
refused "no hosts" "1 to 64" "$FABRIC" up --hosts 0
same "nothing is left of all that" "$(ip netns list | grep -c smrc- || true)" 0

snapshot() { "$FABRIC" show --json >"$T/before"; }
since() { # FIELD: what it grew by since snapshot, path by path in one line
	"$FABRIC" show --json | paste "$T/before" - | awk -F'[:,}\t]+' -v want="\"$1\"" '/"path"/ {
		n = 0
		for (i = 1; i <= NF; i++) if ($i == want) v[++n] = $(i + 1)
		printf "%s%d", sep, v[2] - v[1]
		sep = " "
	}'
}
total() { since "$1" | tr ' ' '\n' | awk '{ s += $1 } END { print s + 0 }'; }

# send FAMILY COUNT SIZE PORT...: COUNT datagrams from each source port of A to RoCE's port of B
send() {
	local to=${ADDR[B]}
	[ "$1" = 4 ] || to=${ADDR6[B]}
	host A python3 - "$to" "${@:2}" <<-'P'
		import socket, sys
		to, count, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
		family = socket.AF_INET6 if ":" in to else socket.AF_INET
		for port in sys.argv[4:]:
		  s = socket.socket(family, socket.SOCK_DGRAM)
		  s.bind(("", int(port)))
		  for i in range(count): s.sendto(bytes(size), (to, 4791))
		  s.close()
	P
}
near() { # GOT WANTED: lists; a little may be other packets, of neighbours and routers
	awk -v got="$1" -v want="$2" 'BEGIN {
		n = split(got, g, " ")
		bad = n != split(want, w, " ")
		for (i = 1; i <= n; i++) bad += g[i] < w[i] || g[i] > w[i] + 9
		if (bad) print "got " got ", not " want
		exit bad
	}'
}

# --- evmod ---

fabric_up -n 4 --lb evmod --hosts 3
for f in 4 6; do
	snapshot
	send $f 40 100 50000 50001 50001 50002 50006 50010 50004	# 50000 = 0 modulo 4
	check "evmod: value v takes path v modulo 4, IPv$f" near "$(since packets_ab)" "80 80 120 0"
done
check "evmod: integrity" integrity -n 20 -s 65536 -q 4
FAMILY=6 check "evmod: integrity, IPv6" integrity -n 20 -s 65536 -q 4
"$FABRIC" kill --down 3
snapshot
send 4 40 100 50002
"$FABRIC" heal 3
same "evmod: what would take a path that is down takes another" "$(total packets_ab | awk '{ print ($1 >= 40) }')" 1
check "the third host of leaf A reaches host B" ip netns exec smrc-A3 ping -c 1 -W 5 10.2.0.2
"$FABRIC" show 2>"$T/warn" >/dev/null
same "evmod: no warning" "$(cat "$T/warn")" ""
refused "up twice" "already" "$FABRIC" up --lb evmod
hosts_down
same "down leaves no pins" "$(ls /run/smrc-fabric)" ""

# --- flowlet ---

used() { since packets_ab | tr ' ' '\n' | awk '$1 > 20 { n++ } END { print n + 0 }'; }
flowlets() { # as many as there are
	local i
	for ((i = 0; i < 20; i++)); do
		send 4 30 100 50000
		sleep 0.3
	done
}
fabric_up -n 4 --lb flowlet --gap 200ms --rate 1mbit	# programs start slowly here
snapshot
send 4 200 100 50000
same "flowlet: without a gap a flow keeps its path" "$(used)" 1
snapshot
flowlets
check "flowlet: after a gap it takes another" test "$(used)" -ge 2
# One flow without a pause, which loads a path until it is killed
snapshot
spawn A python3 -c '
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("", 50000))
while True: s.sendto(bytes(4000), (sys.argv[1], 4791))' "${ADDR[B]}"
load=$!
loaded() { [ "$(used)" -ge 1 ]; }
retry 20 loaded
long=$(since packets_ab)
snapshot
send 4 30 100 50001 50002 50003 50004 50005 50006 50007 50008
# What arrives on the loaded path meanwhile are packets of the first flow
check "flowlet: who begins takes a path that is not loaded" awk -v a="$long" -v b="$(since packets_ab)" 'BEGIN {
	n = split(a, long, " "); split(b, short, " ")
	for (i = 1; i <= n; i++) if (long[i] > most) { most = long[i]; loaded = i }
	for (i = 1; i <= n; i++) if (i != loaded) others += short[i]
	print "loaded: path " loaded ", packets: " b
	exit others < 8 * 30
}'
kill -KILL $load
wait $load 2>/dev/null || true
warns() { "$FABRIC" show 2>&1 >/dev/null | grep "warning: ${DEV[A]} sprays"; }
check "flowlet: the tool warns of spraying" warns
set_both packet_spraying_type none
refused "flowlet: not without spraying" "" warns
hosts_down

# --- queues ---

# So slow that a slow machine fills them
fabric_up -n 4 --lb evmod --rate 5mbit --queue 8 --ecn 10ms --trim
set_both trimming_enabled 1
set_both config_base_rtt_us 200000
set_both rto_min_us 200000
snapshot
check "trimming: integrity while queues overflow" integrity -n 4 -s 65536 -q 16
check "trimming: queues trimmed" test "$(total trimmed)" -gt 0
check "trimming: queues marked" test "$(total marked)" -gt 0
check "trimming: the receiver saw what was cut" test "$(counter B rx_trimmed)" -gt 0
check "trimming: the sender was told" test "$(counter A rx_trim_nacks)" -gt 0
same "trimming: no value was blamed for a failure" "$(counter A ev_assumed_bad)" 0
same "trimming: nothing was taken for broken" "$(counter B drop_icrc) $(counter B drop_format)" "0 0"
FAMILY=6 check "trimming: integrity, IPv6" integrity -n 2 -s 65536 -q 16

for f in 4 6; do
	filter="ip[1] & 0xfc == 48" form='length 92'
	[ $f = 4 ] || { filter="ip6[0:2] & 0x0fc0 == 0x0300" form='payload length: 72'; }
	spawn B timeout 20 tcpdump -c 1 -vv -n -i eth0 "$filter" >"$T/dump" 2>"$T/dump.log"
	tcpdump=$!
	retry 10 grep -q listening "$T/dump.log"
	# Full packets alone: of one that is shorter nothing is cut
	FAMILY=$f check "traffic for the capture, IPv$f" perf ib_write_bw -s 65536 -n 5 -q 16 -u 20
	wait $tcpdump || true
	check "trimming: 64 bytes behind the UDP header are left, IPv$f" grep -q "$form" "$T/dump"
	[ $f = 6 ] || refused "trimming: the IPv4 checksum is right" "" grep -q "bad cksum" "$T/dump"
done

# A receiver that does not trim believes no packet without an ICRC
set_both trimming_enabled 0
echo 1 >"$(setting A trimming_enabled)"
was=$(counter B rx_trimmed)
broken() { # until queues did overflow, which a slow host may not manage at once
	local i
	for i in 1 2 3 4 5; do
		integrity -n 1 -s 65536 -q 16
		[ "$(counter B drop_format)" -eq 0 ] || return 0
	done
	echo "nothing was taken for broken, trimmed: $(total trimmed)"
	return 1
}
check "trimmed towards a receiver that does not trim: integrity, and what was cut is broken" broken
same "trimmed towards a receiver that does not trim: not taken for trimmed" "$(counter B rx_trimmed)" "$was"
hosts_down
done_testing
