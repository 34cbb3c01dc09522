#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_fabric.sh - eight paths: all are used; they die, silently or not, one or all, and come back, and no program notices.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

paths=8
snapshot() { "$FABRIC" show --json >"$T/before"; }
carried() { # print packets from A to B on each path since snapshot
	"$FABRIC" show --json | paste "$T/before" - | awk -F'[:,}\t]+' '/"path"/ {
		for (i = 1; i <= NF; i++) if ($i == "\"packets_ab\"") v[++n] = $(i + 1)
		print v[n] - v[n - 1]
	}'
}
used() { # how many carried 1 % or more
	carried | awk '{ p[NR] = $1; all += $1 } END { for (i = 1; i <= NR; i++) if (p[i] * 100 >= all) n++; print n + 0 }'
}
is() { # TEXT WANTED: for check
	[ "$1" = "$2" ] || { echo "$1, not $2"; "$FABRIC" show --since "$T/before"; return 1; }
}
balanced() { # Jain index of 0.7 at least: chance does not get below it, a broken rotation does
	carried | awk '{ s += $1; q += $1 * $1 } END { j = s * s / (NR * q); print "Jain index", j; exit j < 0.7 }'
}
write_for() { perf ib_write_bw -s 65536 -D "$1"; } # SECONDS
two_deaths() {
	sleep 1
	"$FABRIC" kill 3
	sleep 1
	"$FABRIC" kill --down 6
	sleep 1
	"$FABRIC" heal 3
	"$FABRIC" heal 6
}
all_dead() {
	local i
	for ((i = 1; i <= paths; i++)); do "$FABRIC" kill "$i"; done
	sleep 2
	for ((i = 1; i <= paths; i++)); do "$FABRIC" heal "$i"; done
}
between() { [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; } # VALUE LEAST MOST
values_back() { [ "$(counter A ev_assumed_bad)" -eq "$(counter A ev_restored)" ]; }

fabric_up -n $paths
for FAMILY in 4 6; do
	snapshot
	check "ib_write_bw, IPv$FAMILY" write_for 5
	if [ "$TYPE" = smrc ]; then
		check "all paths are used, IPv$FAMILY" is "$(used) paths" "$paths paths"
		check "evenly, IPv$FAMILY" balanced
	fi
done
FAMILY=4

# perftest's QPs give up after 0.5 s at the earliest, and a path is dead for longer than that
if [ "$TYPE" = smrc ]; then
	bad=$(counter A ev_assumed_bad)
	check "one path swallows, another goes down" meanwhile two_deaths -- write_for 12
	check "values were assumed bad" test "$(counter A ev_assumed_bad)" -gt "$bad"
	check "probes went out" test "$(counter A total_probe_pkts_tx)" -gt 0
	check "they brought values back" test "$(counter A ev_restored)" -gt 0
	mean=$(counter B calc_mean_reorder_depth)
	check "the reorder depth is told, mean and largest" between "$mean" 1 "$(counter B calc_max_reorder_depth)"
	same "no QP gave up" "$(counter A retry_exceeded) $(counter B retry_exceeded)" "0 0"

	"$FABRIC" kill 2
	check "integrity while a path swallows" integrity -n 100 -s 65536 -q 4
	swallowed() { "$FABRIC" show --json | grep '"path":2,' | grep -qv '"swallowed":0}'; }
	check "what it swallowed is counted" swallowed
	check "connections begin while a path swallows" perf ib_send_bw -s 4096 -n 100 -q 16
	"$FABRIC" heal 2
	# Acknowledgements alone are lost. The receiver, which sends no data, learns by what it is asked again
	bad=$(counter B ev_assumed_bad) gone=$(counter B transport_acks_lost) timeouts=$(counter A rtx_timeout)
	"$FABRIC" kill --from B 2
	check "messages one at a time while a path swallows what comes back" perf ib_write_bw -s 4096 -n 1000 -t 1 -u 18
	check "the receiver learnt that transport ACKs were lost" test "$(counter B transport_acks_lost)" -gt "$gone"
	check "their values were assumed bad" test "$(counter B ev_assumed_bad)" -gt "$bad"
	gone=$(($(counter B transport_acks_lost) - gone)) timeouts=$(($(counter A rtx_timeout) - timeouts))
	check "and the rest took other paths" between "$gone" 1 60
	# how many is a matter of time, which a busy host takes from both timers: experiment reverse says how many
	check "not all of them timed out" test "$timeouts" -lt "$gone"
	check "a stream while a path swallows what comes back" perf ib_write_bw -s 65536 -n 1000 -u 18
	heals() { sleep 2; "$FABRIC" heal 2; }
	back=$(counter B ev_restored)
	check "it heals under such traffic" meanwhile heals -- perf ib_write_bw -s 4096 -D 6 -t 1 -u 18
	check "an end that only receives brings its values back" test "$(counter B ev_restored)" -gt "$back"
	"$FABRIC" kill --down 2
	check "integrity while a path is down" integrity -n 100 -s 65536 -q 4
	"$FABRIC" heal 2
fi
check "all paths swallow for two seconds" meanwhile all_dead -- integrity -n 600 -s 65536 -q 4

if [ "$TYPE" = smrc ]; then
	set_both packet_spraying_type none
	snapshot
	check "ib_write_bw without spraying" write_for 5
	check "one path is used" is "$(used) paths" "1 paths"
	set_both packet_spraying_type default
	snapshot
	check "ib_write_bw with spraying again" write_for 5
	check "all paths are used again" is "$(used) paths" "$paths paths"
	same "no QP gave up in all this" "$(counter A retry_exceeded) $(counter B retry_exceeded)" "0 0"

	for policy in reps counter random; do
		set_both packet_spraying_type $policy
		snapshot
		check "ib_write_bw, policy $policy" write_for 3
		check "all paths are used, policy $policy" is "$(used) paths" "$paths paths"
	done
	"$FABRIC" kill 4
	check "integrity while a path swallows, policy random" integrity -n 100 -s 65536 -q 4
	set_both packet_spraying_type reps
	check "integrity while a path swallows, policy reps" integrity -n 100 -s 65536 -q 4
	"$FABRIC" heal 4
	same "no QP gave up with any policy" "$(counter A retry_exceeded) $(counter B retry_exceeded)" "0 0"
	set_both packet_spraying_type default
fi
hosts_down

# Queues that mark: 16 QPs with a fixed window fill them, and the values that met them are passed over
if [ "$TYPE" = smrc ]; then
	fabric_up -n 4 --rate 50mbit --queue 400 --ecn 2ms
	check "ib_write_bw over queues that mark" perf ib_write_bw -s 65536 -n 20 -q 16 -u 18
	check "the marks came back" test "$(counter A rx_ecn_echoes)" -gt 0
	hosts_down
fi

# The fabric's own manners
refused "down without a fabric" "no fabric" "$FABRIC" down
refused "65 paths" "1 to 64" "$FABRIC" up -n 65
refused "a rate that tc does not know" "" "$FABRIC" up -n 2 --rate fast
same "nothing is left of it" "$(ip netns list | grep -c smrc- || true)" 0
refused "marks without a rate" "needs --rate" "$FABRIC" up --ecn 1ms
check "up with rate, marks, delay, loss, IPv6 only" "$FABRIC" up -n 3 -6 --rate 1gbit --ecn 1ms --delay 100us --loss 0.1
refused "up twice" "already" "$FABRIC" up
refused "no path 0" "1 to 3" "$FABRIC" kill 0
refused "no leaf C" "A or B" "$FABRIC" kill --from C 1
dead() { tc -n smrc-spine1 qdisc show | grep -c clsact || true; }
"$FABRIC" kill --from A 1
same "one direction is dead" "$(dead)" 1
"$FABRIC" kill 1
same "then both" "$(dead)" 2
"$FABRIC" heal 1
same "none when healed" "$(dead)" 0
refused "a path that is not there" "1 to 3" "$FABRIC" kill 4
check "host A reaches host B" "$FABRIC" exec A ping -6 -c 3 -i 0.2 fd00:2::2
check "all is removed" "$FABRIC" down
done_testing
