#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_storm.sh - netdevs, namespaces, links and the module come and go all at the same time, and somebody looks on. What each
# step answers is left to luck; what counts is that the kernel's log stays clean, that nothing hangs, and that nothing is
# left behind.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if [ "$TYPE" != smrc ]; then
	skip "a storm" "it unloads the module"
	done_testing
fi
seconds=${1:-20}

end=0
# shellcheck disable=SC2317
netdevs() {
	ip link add a0 type veth peer name a1
	ip addr add 10.9.0.1/24 dev a0
	ip link set a0 up
	ip link set a1 up
	sleep 0.0$((RANDOM % 9))
	ip link del a0
}
# shellcheck disable=SC2317
links() { rdma link add "s$1" type smrc netdev a0; }
# shellcheck disable=SC2317
unlinks() {
	rdma link del s1
	rdma link del s2
	sleep 0.01
}
# shellcheck disable=SC2317
namespaces() {
	ip netns add "storm$1"
	ip -n "storm$1" link set lo up
	ip netns exec "storm$1" rdma link add "l$1" type smrc netdev lo
	ip -n "storm$1" link add d0 type dummy
	ip netns exec "storm$1" rdma link add "d$1" type smrc netdev d0
	rdma link del "l$1" &
	rdma link del "d$1" &
	ip netns del "storm$1"
	wait
}
# shellcheck disable=SC2317
looks() {
	rdma statistic show
	rdma link
	cat /sys/class/infiniband/*/spray/* /sys/class/infiniband/*/ports/1/rate /sys/class/infiniband/*/parent
}
# shellcheck disable=SC2317
module() {
	rmmod rdma_smrc
	sleep 1
	load
	sleep 2
}
again() { # CMD...: until the time is over, whatever it says
	while [ "$SECONDS" -lt "$end" ]; do "$@" || true; done
}
storm() {
	local pids=() pid
	end=$((SECONDS + seconds))
	again netdevs & pids+=($!)
	again links 1 & pids+=($!)
	again links 2 & pids+=($!)
	again unlinks & pids+=($!)
	again namespaces 1 & pids+=($!)
	again namespaces 2 & pids+=($!)
	again looks & pids+=($!)
	again module & pids+=($!)
	for pid in "${pids[@]}"; do wait "$pid"; done
}

load
# In shared mode rdma core shows each device in every namespace. remove_one_compat_dev() takes such a view out of its table
# and deletes it afterwards, under no lock; a namespace that exits in between finds nothing to wait for, and is freed under
# the uevent (net->uevent_sock) that the deletion sends: a panic in one of 16 storms on 7.3, of any driver's device.
check "rdma core shares no devices" retry 20 rdma system set netns exclusive
check "all of them end" storm
check "the module is there" test -d /sys/module/rdma_smrc
check "a link can be added" rdma link add last type smrc netdev lo
check "and deleted" rdma link del last
check "the module unloads" rmmod rdma_smrc
devices_left() { compgen -G "/sys/class/infiniband/*" >/dev/null; }
no_devices() { ! devices_left; }
check "no device is left" no_devices
check "devices are shared again" retry 20 rdma system set netns shared
no_sockets() { [ -z "$(ss -Hlun 'sport = :4791')" ]; }
check "no socket is left" no_sockets
done_testing
