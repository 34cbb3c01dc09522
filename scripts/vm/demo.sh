#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# demo.sh - the part of the demo that runs in the guest; leaves what it measured in build/demo for demo-report.py.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
trap - ERR

raw=$SMRC_BUILD/demo paths=8 dead=3 down=6
trace=/sys/kernel/tracing/instances/demo

title() { printf '\n=== %s ===\n\n' "$*"; }
run() { printf '# %s\n' "${*#"$SMRC_TOP/"}"; "$@" || { echo "$*: failed with $?" >"$raw/failed"; exit 1; }; }
mark() { echo "demo: $*" >$trace/trace_marker; }
table() { sed -n '/^ *#bytes/,/^---/p' "$T/client"; }
read_counters() { # FILE
	local h f
	for h in A B; do
		for f in /sys/class/infiniband/"${DEV[$h]}"/ports/1/hw_counters/*; do echo "$h ${f##*/} $(cat "$f")"; done
	done >"$1"
}

# measure NAME SECONDS: ib_write_bw for a time, and what each path carried meanwhile
measure() {
	local name=$1 rc=0
	"$FABRIC" show --json >"$raw/$name.before"
	printf '# ip netns exec smrc-B ib_write_bw -d %s -s 65536 -D %d -F &\n' "${DEV[B]}" "$2"
	printf '# ip netns exec smrc-A ib_write_bw -d %s -s 65536 -D %d -F %s\n\n' "${DEV[A]}" "$2" "${ADDR[B]}"
	LIMIT=$(($2 + 30)) perf ib_write_bw -s 65536 -D "$2" >"$raw/$name.why" || rc=$?
	"$FABRIC" show --json >"$raw/$name.after"
	cp "$T/client" "$raw/$name.client"
	cp "$T/server" "$raw/$name.server"
	echo $rc >"$raw/$name.rc"
	if [ $rc -eq 0 ]; then table; else cat "$raw/$name.why"; fi
	echo
	"$FABRIC" show --since "$raw/$name.before"
}

now_ms() { awk '{ print int($1 * 1000) }' /proc/uptime; }
sent() { host A cat /sys/class/net/eth0/statistics/tx_packets; }

# In the background of the second run: one path dies silently, one visibly, both come back
trouble() {
	local start
	start=$(sent)
	until [ "$(sent)" -gt $((start + 1000)) ]; do sleep 0.2; done
	sleep 3
	mark "kill $dead"
	"$FABRIC" kill $dead
	sleep 2
	mark "down $down"
	"$FABRIC" kill --down $down
	sleep 2
	mark "heal"
	"$FABRIC" heal $dead
	"$FABRIC" heal $down
	mark "healed"
}

title "Two hosts, $paths paths, kernel $(uname -r)"
run "$FABRIC" up --paths $paths
NS=([A]=smrc-A [B]=smrc-B) ADDR=([A]=10.1.0.2 [B]=10.2.0.2) ADDR6=([A]=fd00:1::2 [B]=fd00:2::2)
smrc_rdma_core
run modprobe "rdma_$TYPE"
for h in A B; do run ip netns exec "${NS[$h]}" rdma link add "${DEV[$h]}" type "$TYPE" netdev eth0; done
smrc_nodes
for h in A B; do retry 10 gid_index "${DEV[$h]}" "${ADDR[$h]}"; done
rdma link show

title "1: packet spraying, all paths well"
measure first 8

title "2: path $dead swallows everything, path $down goes down, both heal, all in one run"
mkdir $trace
echo mono >$trace/trace_clock
echo 4096 >$trace/buffer_size_kb
[ "$TYPE" != smrc ] || echo 1 >$trace/events/smrc/smrc_ev_state/enable
echo 1 >$trace/events/skb/kfree_skb/enable	# tells when the first packet was swallowed
# Long enough for all of it, on a machine that needs this long to start some programs
begin=$(now_ms)
"$FABRIC" show --json >/dev/null
seconds=$((20 + ($(now_ms) - begin) / 70))
trouble &
helper=$!
measure trouble $((seconds < 90 ? seconds : 90))
[ "$(cat "$raw/trouble.rc")" -eq 0 ] || kill $helper 2>/dev/null || true	# else it will end by itself
wait $helper 2>/dev/null || true
echo 0 >$trace/tracing_on
grep -E 'smrc_ev_state|TC_INGRESS|demo:' $trace/trace >"$raw/trace" || true
rmdir $trace

title "3: packet_spraying_type none: one path carries everything"
for h in A B; do run tee "$(setting $h packet_spraying_type)" <<<none; done
measure none 8

title "Counters that are not zero (rdma statistic show link ${DEV[A]}/1)"
read_counters "$raw/counters"
awk -v a="${DEV[A]}" -v b="${DEV[B]}" '
	{ v[$2, $1] = $3; if (!seen[$2]++) name[++n] = $2 }
	END {
		printf "%-26s %12s %12s\n", "", a, b
		for (i = 1; i <= n; i++) {
			if (v[name[i], "A"] || v[name[i], "B"]) printf "%-26s %12d %12d\n", name[i], v[name[i], "A"], v[name[i], "B"]
		}
	}' "$raw/counters"
hosts_down
rmmod "rdma_$TYPE"
