#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_link.sh - a link's life: added, refused, up and down, MTU, addresses, deleted, with its netdev, with its namespace,
# with the module, in shared and exclusive mode.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

exists() { [ -e "/sys/class/infiniband/$1" ]; }
gone() { [ ! -e "/sys/class/infiniband/$1" ]; }
port_state() { cat "/sys/class/infiniband/$1/ports/1/state"; }
state_is() { [[ $(port_state "$1") == *"$2" ]]; }
add() { host "$1" rdma link add "$2" type "$TYPE" netdev "$3"; } # HOST DEVICE NETDEV
active_mtu() { ibv_devinfo -d "$1" | awk '/active_mtu/ { print $2 }'; }

a=${DEV[A]} b=${DEV[B]}
NS=([A]=A [B]=B) ADDR=([A]=10.0.0.1 [B]=10.0.0.2) ADDR6=([A]=fd00::1 [B]=fd00::2)
wire_up 4200
load

check "a link is added" add A "$a" eth0
smrc_nodes
check "its device is there" exists "$a"
check "its port is active" retry 5 state_is "$a" ACTIVE
check "it names its netdev" grep -q "netdev eth0" <(host A rdma link show "$a/1")
refused "a second link on a netdev" "File exists" add A other eth0
refused "a name that is taken" "" add B "$a" eth0
check "the same netdev name in another namespace" add B "$b" eth0
smrc_nodes
refused "a netdev that is not there" "" add A other eth9
check "both kinds of addresses give GIDs" retry 5 gid_index "$a" 10.0.0.1
check "both kinds of addresses give GIDs (IPv6)" retry 5 gid_index "$a" fd00::1
ip -n A addr add 10.0.0.77/24 dev eth0
check "a new address gives a GID" retry 5 gid_index "$a" 10.0.0.77
ip -n A addr del 10.0.0.77/24 dev eth0
no_gid() { ! gid_index "$a" 10.0.0.77; }
check "an address removed takes its GID along" retry 5 no_gid

same "active MTU at 4200" "$(active_mtu "$a")" 4096
ip -n A link set dev eth0 mtu 1500
mtu_is() { [ "$(active_mtu "$a")" = "$1" ]; }
check "active MTU at 1500" retry 5 mtu_is 1024
ip -n A link set dev eth0 mtu 9000
check "active MTU at 9000" retry 5 mtu_is 4096
ip -n A link set dev eth0 mtu 4200
ip -n A link set dev eth0 down
check "the port goes down with its netdev" retry 5 state_is "$a" DOWN
ip -n A link set dev eth0 up
check "the port comes up with its netdev" retry 5 state_is "$a" ACTIVE
ip -n B link set dev eth0 down
check "the port goes down without carrier" retry 5 state_is "$a" DOWN
ip -n B link set dev eth0 up
check "the port comes up with carrier" retry 5 state_is "$a" ACTIVE
rate_is_said() { [[ $(cat "/sys/class/infiniband/$a/ports/1/rate") =~ ^[0-9.]+\ Gb/sec ]]; }
check "speed and width make a rate" rate_is_said

check "a link is deleted" rdma link del "$a"
check "its device is gone" gone "$a"
refused "deleting what is gone" "" rdma link del "$a"
check "a link is added again" add A "$a" eth0
ip -n A link del dev eth0
check "a device goes with its netdev" retry 5 gone "$a"
check "so does that of the peer" retry 5 gone "$b"

ip link add dev eth0 netns A type veth peer name eth0 netns B
for h in A B; do
	ip -n $h addr add "${ADDR[$h]}/24" dev eth0
	ip -n $h link set dev eth0 up
done
check "a link on the new netdev" add A "$a" eth0
check "a link on its peer" add B "$b" eth0
ip netns del A
check "a device goes with its namespace" retry 10 gone "$a"
check "so does that of the netdev's peer" retry 10 gone "$b"

# Several in one namespace share its sockets
ip link add dev eth1 netns B type dummy
ip link add dev eth2 netns B type dummy
ip -n B link set dev eth1 up
ip -n B link set dev eth2 up
check "two links in one namespace: one" add B "${TYPE}8" eth1
check "two links in one namespace: two" add B "${TYPE}9" eth2
check "deleting one" rdma link del "${TYPE}8"
check "leaves the other" exists "${TYPE}9"

if [ "$TYPE" = smrc ]; then
	check "the module unloads with a link present" rmmod rdma_smrc
	check "and takes its device along" gone "${TYPE}9"
	if modinfo -n rdma-link-smrc >/dev/null 2>&1; then
		check "adding a link loads the module" add B "${TYPE}9" eth2
		check "deleting the link lets it go" rdma link del "${TYPE}9"
		check "the module unloads" rmmod rdma_smrc
	else
		skip "adding a link loads the module" "the module is not installed for this kernel"
	fi
	load
else
	rdma link del "${TYPE}9"
fi
ip netns del B
NS=()

# Exclusive mode can only be chosen while there is no second namespace
exclusive() { rdma system set netns exclusive; }
if retry 10 exclusive; then
	ip netns add A
	ip netns add B
	NS=([A]=A [B]=B)
	ip link add dev eth0 netns A type veth peer name eth0 netns B
	for h in A B; do ip -n $h link set dev eth0 up; done
	check "exclusive mode: a link" add A "$a" eth0
	seen() { host "$1" rdma dev show | grep -w "$a"; }
	unseen() { ! seen "$1"; }
	check "exclusive mode: seen in its namespace" seen A
	check "exclusive mode: not seen in another" unseen B
	check "exclusive mode: deleted from its namespace" host A rdma link del "$a"
	check "exclusive mode: another link" add A "$a" eth0
	ip netns del A
	ip netns del B
	NS=()
	leave() { rdma system set netns shared; }
	check "exclusive mode: its device goes with its namespace" retry 10 leave
else
	skip "exclusive mode" "this kernel has other namespaces"
fi
done_testing
