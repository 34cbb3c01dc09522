# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# lib.sh - for experiments/NAME/guest.sh; source it.

# shellcheck disable=SC2034	# those who source it use them
# shellcheck source=../scripts/vm/lib.sh
. "$SMRC_TOP/scripts/vm/lib.sh"

name=$(basename "$(dirname "$0")")
raw=$SMRC_BUILD/experiments/$name
SMRC=$SMRC_BUILD/tools/smrc
RATE_MBIT=50	# of a path: eight of them together are half of what the emulated CPU forwards

say() { printf '%s: %s\n' "$name" "$*"; }

# slow_links: settings for paths of RATE_MBIT, on which a packet takes 0.67 ms: what is in flight in a round trip without
# queues is a dozen packets
slow_links() {
	set_both link_rate_mbps $((8 * RATE_MBIT))
	set_both config_base_rtt_us 4000
	set_both active_ev_set_size 100
}

# reseed N: other hashes in the leaves, so that flows and values meet other paths. A route takes the seed with it.
reseed() {
	local leaf seed=$1
	for leaf in A B; do
		ip netns exec "smrc-leaf$leaf" bash -c "echo $seed >/proc/sys/net/ipv4/fib_multipath_hash_seed"
		seed=$((seed + 1))
	done
}

# carried FILE: what leaf A has sent to each spine, "PATH PACKETS BYTES" a line
carried() {
	ip -n smrc-leafA -s link show | awk '
		/^[0-9]+:/ { path = $2 ~ /^spine/ ? substr($2, 6) + 0 : 0 }
		/TX:/ && path { getline; print path, $2, $1 }' | sort -n >"$1"
}

# bandwidth: perftest's average of the last run, MiB/s
bandwidth() { column 4; }
