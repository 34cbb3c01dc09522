#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_two_vms.sh - two guests on one wire: one runs this with "server" as its argument, the other with "client"; scripts/guest
# --wire makes the wire. Both keep to the same list of programs, and the client waits for the server by trying.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

role=${1:?server or client}
case $role in
server) h=B mine=10.9.0.2 ;;
client) h=A mine=10.9.0.1 ;;
*) echo "Bail out! what is $role?"; exit 1 ;;
esac
other=10.9.0.2 dev=${DEV[$h]}

load
ip link set dev eth0 mtu 4200 2>/dev/null || true	# QEMU's wire takes it where the card does
ip link set dev eth0 up
ip addr add $mine/24 dev eth0
check "$role: a link on the card" rdma link add "$dev" type "$TYPE" netdev eth0
smrc_nodes
check "$role: its GID" retry 10 gid_index "$dev" $mine
gid=$(gid_index "$dev" $mine)

both() { # LIMIT WHAT PROGRAM SERVER-ARG... -- CLIENT-ARG...
	local limit=$(($1 * SLOW)) what=$2 prog=$3 server=()
	shift 3
	while [ "$1" != -- ]; do server+=("$1"); shift; done
	shift
	if [ "$role" = server ]; then
		check "server: $what" timeout "$limit" "$prog" -d "$dev" -x "$gid" "${server[@]}"
	else
		check "client: $what" client "$limit" "$prog" -d "$dev" -x "$gid" "$@" "$other"
	fi
}
client() { # LIMIT CMD...: until the server is there to answer
	local end=$((SECONDS + $1)) rc
	shift
	while :; do
		rc=0
		timeout $((end - SECONDS + 1)) "$@" >"$T/one" 2>&1 || rc=$?
		cat "$T/one"
		[ "$rc" -ne 0 ] || return 0
		grep -qiE "couldn't connect|connection refused|no route|unable to connect|connect: " "$T/one" || return "$rc"
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 1
	done
}

both 60 "ib_write_bw" ib_write_bw -F -s 65536 -n 200 -- -F -s 65536 -n 200
both 60 "ib_send_bw, both directions, events" ib_send_bw -F -s 65536 -n 100 -b -e -- -F -s 65536 -n 100 -b -e
both 60 "ib_send_lat" ib_send_lat -F -s 8 -n 200 -- -F -s 8 -n 200
both 90 "integrity" "$SMRC_BUILD/tests/integrity" -t 18 -- -t 18 -n 100 -s 65536 -q 4
check "$role: the link is deleted" rdma link del "$dev"
done_testing
