#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - seven hosts send to one, whose link is the bottleneck: every packet that arrives, with queues that drop and with
# queues that trim, with a fixed window and with NSCC.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

senders=7
HOST_MBIT=100
dev() { [ "$1" -eq 1 ] && echo "${DEV[A]}" || echo "smrcA$1"; }		# of sender NUMBER
ns() { [ "$1" -eq 1 ] && echo smrc-A || echo "smrc-A$1"; }

set_all() { # NAME VALUE
	local i
	set_both "$1" "$2"
	for ((i = 2; i <= senders; i++)); do echo "$2" >"/sys/class/infiniband/smrcA$i/spray/$1"; done
}

all_up() { # FABRIC-OPTION...
	local i
	fabric_up -n 8 --rate ${RATE_MBIT}mbit --queue 100 --ecn 4ms --hosts $senders --host-rate ${HOST_MBIT}mbit "$@"
	for ((i = 2; i <= senders; i++)); do ip netns exec "$(ns $i)" rdma link add "smrcA$i" type smrc netdev eth0; done
	smrc_nodes
	for ((i = 2; i <= senders; i++)); do retry 10 gid_index "smrcA$i" "10.1.0.$((i + 1))"; done
	set_all link_rate_mbps $HOST_MBIT
	set_all config_base_rtt_us 4000
	set_all active_ev_set_size 100
}

all_down() {
	local i
	for ((i = 2; i <= senders; i++)); do rdma link del "smrcA$i"; done
	hosts_down
}

sum() { # COUNTER: of all senders
	local i
	for ((i = 1; i <= senders; i++)); do cat "/sys/class/infiniband/$(dev $i)/ports/1/hw_counters/$1"; done |
		awk '{ s += $1 } END { print s + 0 }'
}
counters() { echo "$(sum tx_data_pkts),$(sum tx_rtx_pkts),$(sum rtx_spurious),$(sum rtx_timeout),$(sum rx_trim_nacks)"; }

run() { # CONGESTION-CONTROL NAME
	local i port monitor pids=() servers=() rc=0 before args=(-F -s 65536 -D 6 -f 1 -u 20)
	set_all congestion_control "$1"
	before=$(counters)
	for ((i = 1; i <= senders; i++)); do
		port=$((18515 + i))
		spawn B ib_write_bw -d "${DEV[B]}" -x "$(gid_index "${DEV[B]}" "${ADDR[B]}")" -p $port "${args[@]}" >"$T/server.$i" 2>&1
		servers+=($!)
		retry 10 listens $! $port
	done
	"$SMRC" monitor buffer=16384 dev="${DEV[B]}" dir=rx >"$raw/$2.csv" &
	monitor=$!
	retry 10 test -s "$raw/$2.csv"
	for ((i = 1; i <= senders; i++)); do
		ip netns exec "$(ns $i)" ib_write_bw -d "$(dev $i)" -x "$(gid_index "$(dev $i)" "10.1.0.$((i + 1))")" \
			-p $((18515 + i)) "${args[@]}" "${ADDR[B]}" >"$T/client.$i" 2>&1 &
		pids+=($!)
	done
	for i in "${pids[@]}" "${servers[@]}"; do wait "$i" || rc=$?; done
	kill -INT $monitor
	wait $monitor
	echo "$2,$rc,$before,$(counters)" >>"$raw/runs.csv"
	say "$2: status $rc, $(wc -l <"$raw/$2.csv") packets"
	[ $rc -eq 0 ] || tail -n 3 "$T"/client.* "$T"/server.*
}

echo "name,status,$(printf '%s_before,' sent again in_vain timeouts trims)$(printf '%s,' sent again in_vain timeouts trims | sed 's/,$//')" \
	>"$raw/runs.csv"
all_up
run fixed drop-fixed
run nscc drop-nscc
all_down
all_up --trim
set_all trimming_enabled 1
run fixed trim-fixed
run nscc trim-nscc
all_down
