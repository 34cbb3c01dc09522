#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# several.sh SCENARIO... - several scenarios in one guest, for those that take long to boot. One that dies is a failed test,
# and what it left is removed.

here=$(dirname "$0")
status=0
for name; do
	begin=$SECONDS
	out=$(mktemp)
	bash "$here/$name.sh" 2>&1 | tee "$out"
	rc=${PIPESTATUS[0]}
	if ! grep -qE '^1\.\.[0-9]+$' "$out"; then
		echo "not ok 0 - $name: ended early with status $rc"
		for ns in $(ip netns list | awk '{ print $1 }'); do ip netns pids "$ns" | xargs -r kill -KILL; done
		for dev in /sys/class/infiniband/smrc*; do [ ! -e "$dev" ] || rdma link del "$(basename "$dev")"; done
		for ns in $(ip netns list | awk '{ print $1 }'); do ip netns del "$ns"; done
	fi
	[ "$rc" -eq 0 ] || status=1
	echo "# $name: $((SECONDS - begin)) s"
	rm -f "$out"
done
exit $status
