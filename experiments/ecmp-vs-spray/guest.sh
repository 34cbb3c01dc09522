#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - four flows of 1000 packets over eight paths of equal rate, for every policy, over 20 seeds of the leaves' hash,
# with a fixed window over queues that mark nothing, and over queues that mark (ECN), and with NSCC over those. runs.csv has a
# line for each run.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

seeds=${SMRC_SEEDS:-20}
trace=/sys/kernel/tracing/instances/flows

# together: what arrived while all flows ran: "BYTES SECONDS", up to the end of the first flow to end
together() {
	awk '/smrc_packet:/ {
		for (i = 1; i <= NF; i++) { split($i, f, "="); v[f[1]] = f[2]; if ($i == "smrc_packet:") t = $(i - 1) + 0 }
		n++; at[n] = t; size[n] = v["size"]; end[v["qpn"]] = t
	}
	END {
		for (q in end) if (!stop || end[q] < stop) stop = end[q]
		for (i = 1; i <= n && at[i] <= stop; i++) bytes += size[i]
		printf "%d,%.6f", bytes, stop - at[1]
	}' $trace/trace
}

run() { # FEEDBACK POLICY SEED
	local again
	reseed $((1000 * $3))
	carried "$T/before"
	again=$(counter A tx_rtx_pkts)
	echo >$trace/trace
	perf ib_write_bw -s 16384 -n 250 -q 4 -u 20 >"$T/why" || { cat "$T/why" >&2; return 1; }
	carried "$T/after"
	echo "$1,$2,$3,$(bandwidth),$(together),$(($(counter A tx_rtx_pkts) - again)),$(paste -d ' ' "$T/before" "$T/after" |
		awk '{ printf "%s%d,%d", s, $5 - $2, $6 - $3; s = "," }')"
}

policies() { # FEEDBACK: all of them
	local policy
	for policy in none counter random default reps; do
		set_both packet_spraying_type $policy
		for ((seed = 1; seed <= seeds; seed++)); do run "$1" $policy $seed >>"$raw/runs.csv"; done
		say "$1, $policy: $(tail -n 1 "$raw/runs.csv" | cut -d, -f4) MiB/s in the last run"
	done
}

# The window is smaller than for real links: 32 packets of each flow are 16 on each path. CoDel marks what waited for 12.
settings() {
	slow_links
	set_both cwnd_packets 32
}

printf 'feedback,policy,seed,mib_s,together_bytes,together_s,again%s\n' "$(printf ',packets_%d,bytes_%d' 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8)" >"$raw/runs.csv"
mkdir $trace
echo mono >$trace/trace_clock
echo 8192 >$trace/buffer_size_kb
fabric_up -n 8 --rate ${RATE_MBIT}mbit --queue 1000
echo "dir == 2 && size > 0 && dev == \"${DEV[B]}\"" >$trace/events/smrc/smrc_packet/filter
echo 1 >$trace/events/smrc/smrc_packet/enable
settings
policies none
hosts_down
fabric_up -n 8 --rate ${RATE_MBIT}mbit --queue 1000 --ecn 8ms
settings
policies ecn
set_both congestion_control nscc
policies nscc
hosts_down
