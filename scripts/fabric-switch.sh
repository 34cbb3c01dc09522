# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# shellcheck disable=SC2154	# scripts/fabric has the options
# fabric-switch.sh - for scripts/fabric: what its leaves do beyond the kernel's routes, by the eBPF programs of bpf/.
#
# Programs and maps of a leaf are pinned in a BPF filesystem of their own, below pins/PREFIX/LEAF: "fabric show" reads their
# counters there. Numbers of devices, marks and tables are those of switch.bpf.c.

pins=/run/smrc-fabric
first_path=101	# index of the device, mark and routing table of path 1
host_index=100	# index of the device towards the hosts

switch_object() { echo "${SMRC_BUILD:-$top/build}/bpf/switch.bpf.o"; }

# switch_needed: is anything asked for that takes the programs?
switch_needed() { [ "$lb" != ecmp ] || [ -n "$trim" ] || [ -n "$host_rate" ]; }

# switch_queues: do the programs make the queues, so that they can trim and know the load, and not the kernel's qdiscs?
switch_queues() { [ -n "$trim" ] || [ -n "$host_rate" ] || [ "$lb" = flowlet ]; }

switch_check() {
	case $lb in ecmp | evmod | flowlet) ;; *) die "--lb must be ecmp, evmod or flowlet, not '$lb'" ;; esac
	[ -z "$gap" ] || [ "$lb" = flowlet ] || die "--gap needs --lb flowlet"
	[ -z "$trim" ] || [ -n "$rate$host_rate" ] || die "--trim needs --rate or --host-rate: without them nothing waits"
	[ -z "$gap" ] || [ -n "$(nanoseconds "$gap")" ] || die "--gap must be a time such as 500us, not '$gap'"
	switch_needed || return 0
	command -v bpftool >/dev/null || die "--lb $lb, --trim and --host-rate need bpftool"
	[ -e "$(switch_object)" ] || die "$(switch_object) is missing: scripts/build bpf makes it"
	if switch_queues; then
		[ -z "$rate" ] || [ -n "$(picoseconds_per_byte "$rate")" ] || die "--rate must be such as 50mbit, not '$rate'"
		[ -z "$host_rate" ] || [ -n "$(picoseconds_per_byte "$host_rate")" ] ||
			die "--host-rate must be such as 50mbit, not '$host_rate'"
		[ -z "$ecn" ] || [ -n "$(nanoseconds "$ecn")" ] || die "--ecn must be a time such as 1ms, not '$ecn'"
	fi
}

# Times and rates as tc writes them; nothing for what is neither
nanoseconds() { # TIME
	awk -v t="$1" 'BEGIN {
		if (!match(t, /^[0-9]+(\.[0-9]+)?/)) exit
		unit = substr(t, RLENGTH + 1)
		f["ns"] = 1; f[""] = f["us"] = 1e3; f["ms"] = 1e6; f["s"] = 1e9
		if (unit in f) printf "%.0f", substr(t, 1, RLENGTH) * f[unit]
	}'
}
picoseconds_per_byte() { # RATE
	awk -v t="$1" 'BEGIN {
		if (!match(t, /^[0-9]+(\.[0-9]+)?/) || substr(t, 1, RLENGTH) + 0 == 0) exit
		unit = tolower(substr(t, RLENGTH + 1))
		f[""] = f["bit"] = 1; f["kbit"] = 1e3; f["mbit"] = 1e6; f["gbit"] = 1e9
		if (unit in f) printf "%.0f", 8e12 / (substr(t, 1, RLENGTH) * f[unit])
	}'
}

little_endian() { # BYTES NUMBER: as bpftool wants it
	local i
	for ((i = 0; i < $1; i++)); do printf '0x%02x ' $((($2 >> (8 * i)) & 255)); done
}

map_set() { # LEAF MAP KEY VALUE-BYTES
	# shellcheck disable=SC2046,SC2086
	bpftool map update pinned "$pins/$prefix/$1/$2" key $(little_endian 4 "$3") value $4
}

switch_load() { # LEAF
	local dir=$pins/$prefix/$1
	mkdir "$dir"
	bpftool prog loadall "$(switch_object)" "$dir" pinmaps "$dir" ||
		die "this kernel does not take the programs of bpf/ (CONFIG_BPF_SYSCALL, CONFIG_NET_CLS_BPF, BTF)"
}

attach() { # LEAF DEVICE ingress|egress PROGRAM
	printf 'qdisc replace dev %s clsact\nfilter add dev %s %s bpf direct-action object-pinned %s\n' "$2" "$2" "$3" \
		"$pins/$prefix/$1/$4" | tc -n "$prefix$1" -batch -
}

# A queue of the programs': @limit packets of full size, by the time that they take
switch_queue() { # LEAF DEVICE INDEX RATE DSCP-OF-TRIMMED
	local ps mark=-1
	ps=$(picoseconds_per_byte "$4")
	[ -z "$ecn" ] || mark=$(nanoseconds "$ecn")
	map_set "$1" links "$3" "$(little_endian 8 "$ps")$(little_endian 8 $((queue * (mtu + 14) * ps / 1000)))$(
		little_endian 8 "$mark")$(little_endian 8 "$([ -n "$trim" ] && echo "$5" || echo 0)")"
	map_set "$1" queues "$3" "$(little_endian 48 0)"
	tc -n "$prefix$1" qdisc add dev "$2" root fq limit 1000000 flow_limit 1000000
	attach "$1" "$2" egress queue
}

# A table for each path, which a mark selects; where its link is down the ordinary route goes on
path_tables() { # LEAF FAMILY: batch for ip
	local me i via
	read -r me _ < <(sides "${1#leaf}")
	for ((i = 1; i <= paths; i++)); do
		via=10.${me}0.$i.2
		[ "$2" = 4 ] || via=fd00:${me}0:$i::2
		echo "route add default via $via dev spine$i table $((first_path + i - 1))"
		echo "rule add fwmark $((first_path + i - 1)) lookup $((first_path + i - 1)) pref $((first_path + i - 1))"
	done
}

switch_balance() { # LEAF
	local gap_ns
	gap_ns=$(nanoseconds "${gap:-500us}")
	[ -z "$v4" ] || path_tables "$1" 4 | ip -n "$prefix$1" -4 -batch -
	[ -z "$v6" ] || path_tables "$1" 6 | ip -n "$prefix$1" -6 -batch -
	map_set "$1" balance 0 "$(little_endian 4 "$paths")$(little_endian 4 $((RANDOM * 32768 + RANDOM)))$(little_endian 8 "$gap_ns")"
	attach "$1" host ingress "lb_$lb"
}

switch_up() {
	local leaf i
	switch_needed || return 0
	mkdir -p "$pins/$prefix"
	mount -t bpf bpf "$pins/$prefix" || die "cannot mount a BPF filesystem: this kernel has none"
	for leaf in leafA leafB; do
		switch_load $leaf
		if switch_queues && [ -n "$rate" ]; then
			for ((i = 1; i <= paths; i++)); do switch_queue $leaf "spine$i" $((first_path + i - 1)) "$rate" 12; done
		fi
		[ -z "$host_rate" ] || switch_queue $leaf host $host_index "$host_rate" 16
		[ "$lb" = ecmp ] || switch_balance $leaf
	done
}

switch_remove() {
	[ -d "$pins/$prefix" ] || return 0
	umount "$pins/$prefix" 2>/dev/null || true
	rmdir "$pins/$prefix"
}

switch_lb() { # prints how this fabric's leaves balance
	local filters
	filters=$(tc -n "${prefix}leafA" filter show dev host ingress 2>/dev/null) || true
	case $filters in *lb_evmod*) echo evmod ;; *lb_flowlet*) echo flowlet ;; *) echo ecmp ;; esac
}

# One line for each queue that a leaf has towards spines: PATH MARKED TRIMMED DROPPED
read_queues() { # LEAF
	if [ -e "$pins/$prefix/$1/queues" ]; then
		bpftool map dump pinned "$pins/$prefix/$1/queues" | awk -v first=$first_path '
			{ gsub(/[",:]/, " ") }
			$1 == "key" { path = $2 - first + 1 }
			$1 == "marked" { marked = $2 } $1 == "trimmed" { trimmed = $2 }
			$1 == "dropped" && path > 0 { print path, marked, trimmed, $2 }'
	fi
	tc -n "$prefix$1" -s qdisc show | awk '
		/^qdisc/ { path = ($3 == "2:" && $5 ~ /^spine/) ? substr($5, 6) : 0 }
		path && /dropped/ { sub(",", "", $7); print path, 0, 0, $7 }
		path { for (i = 1; i < NF; i++) if ($i == "ce_mark") print path, $(i + 1), 0, 0 }'
}

# Both choose paths, the sender by its values and the switch by moving flows: seed 1 has a warning for that. A namespace may
# see devices of others: those whose netdev it has are its own.
switch_warn() {
	local ns dev type
	[ "$(switch_lb)" = flowlet ] || return 0
	for ns in $(namespaces); do
		[[ $ns == "$prefix"[AB]* ]] || continue
		for dev in $(ip netns exec "$ns" rdma link 2>/dev/null | awk '/ netdev / { sub("/.*", "", $2); print $2 }'); do
			[ -e "/sys/class/infiniband/$dev/spray" ] || continue
			read -r type <"/sys/class/infiniband/$dev/spray/packet_spraying_type"
			[ "$type" != default ] ||
				echo "fabric: warning: $dev sprays (packet_spraying_type default) over leaves that move flowlets: both choose paths" >&2
		done
	done
}
