#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_perf.sh - the distribution's perftest over one veth: WRITE and SEND, bandwidth and latency, 1 byte to 8 MiB, three MTUs,
# both IP versions, 1 and 16 QPs, polling and events, one and both directions. Everything on UML, a part of it elsewhere.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

set_mtu() {
	local h
	for h in A B; do ip -n $h link set dev eth0 mtu "$1"; done
}

# A longer timeout than perftest's: a busy machine may stop a guest for longer than 0.5 s
row() { # WHAT PROGRAM ARG...
	local what=$1
	shift
	check "$what: $*" perf "$@" -u 18
}

two_hosts 1500

for mtu in 1500 4200 9000; do
	set_mtu $mtu
	for FAMILY in 4 6; do
		at="MTU $mtu, IPv$FAMILY"
		row "$at" ib_write_bw -s 65536 -n 100
		row "$at" ib_send_lat -s 1 -n 50
		row "$at" ib_read_bw -s 65536 -n 100
		[ "$SMRC_GUEST" = uml ] || continue
		row "$at" ib_send_bw -s 1048577 -n 20
		row "$at" ib_write_bw -s 8388608 -n 5
		row "$at" ib_write_lat -s 4097 -n 50
		row "$at" ib_send_bw -s 1 -n 200
	done
done

set_mtu 4200
FAMILY=4
row "16 QPs" ib_write_bw -s 65536 -n 20 -q 16
row "16 QPs" ib_send_bw -s 4096 -n 50 -q 16
row "events" ib_send_bw -s 65536 -n 100 -e
row "events" ib_send_lat -s 8 -n 100 -e
row "READ, 16 QPs" ib_read_bw -s 65536 -n 20 -q 16
row "READ, events" ib_read_bw -s 65536 -n 100 -e
row "READ, both directions" ib_read_bw -s 65536 -n 100 -b
row "READ, latency" ib_read_lat -s 8 -n 200
row "READ, one open" ib_read_bw -s 65536 -n 50 -o 1
row "fetch and add" ib_atomic_bw -n 500
row "fetch and add, 16 QPs" ib_atomic_bw -n 100 -q 16
row "fetch and add, latency" ib_atomic_lat -n 200
row "compare and swap" ib_atomic_bw -A CMP_AND_SWAP -n 500
row "compare and swap, latency" ib_atomic_lat -A CMP_AND_SWAP -n 200
row "both directions" ib_write_bw -s 65536 -n 100 -b
row "both directions, events" ib_send_bw -s 65536 -n 100 -b -e
row "with immediate" ib_write_bw -s 65536 -n 100 --write_with_imm
row "8 MiB" ib_write_bw -s 8388608 -n 10
row "8 MiB" ib_send_bw -s 8388608 -n 10
if [ "$SMRC_GUEST" = uml ]; then
	for prog in ib_write_bw ib_send_bw; do
		row "16 QPs, both directions" $prog -s 16384 -n 20 -q 16 -b
		row "inline" $prog -s 256 -n 200 -I 256
		row "lists of work requests" $prog -s 4096 -n 512 -l 16
		row "queue of 1" $prog -s 4096 -n 50 -t 1
		row "a completion each" $prog -s 4096 -n 200 -Q 1
		row "for a time" $prog -s 65536 -D 3 -f 1
		for mtu in 256 512 1024 2048; do row "path MTU $mtu" $prog -s 65536 -n 50 -m $mtu; done
	done
	for prog in ib_write_bw ib_send_bw; do LIMIT=240 row "2 bytes to 8 MiB" $prog -a -n 10; done
	for prog in ib_write_lat ib_send_lat; do
		for size in 4096 8388608; do row "latency" $prog -s $size -n 5; done
	done
	row "8 MiB, 16 QPs" ib_write_bw -s 8388608 -n 5 -q 16
	row "events, 16 QPs" ib_send_bw -s 65536 -n 20 -q 16 -e
	row "no receive posted ahead" ib_send_bw -s 4096 -n 100 -r 1
fi
done_testing
