#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_settings.sh - the files of the spraying settings: defaults, what is refused, and that a refusal changes nothing.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

if [ "$TYPE" != smrc ]; then
	skip "settings" "only Soft-MRC has them"
	done_testing
fi

dir=/sys/class/infiniband/${DEV[A]}/spray
all() { (cd "$dir" && grep -s . ./*); }
write() { printf '%s\n' "$2" >"$dir/$1"; } # SETTING VALUE
value() { cat "$dir/$1"; }

refusals=0
refuse() { # SETTING VALUE: EINVAL, a line in the kernel's log that names the setting, and nothing changed
	local before mark
	[ $((++refusals % 8)) -ne 0 ] || sleep 6	# the log takes ten lines in five seconds
	before=$(all)
	mark="t_settings: refusal $refusals"
	echo "$mark" >/dev/kmsg
	refused "$1 = '$2'" "Invalid argument" write "$1" "$2"
	same "$1 = '$2': nothing changed" "$(all)" "$before"
	dmesg | sed "1,/$mark\$/d" >"$T/dmesg"
	check "$1 = '$2': the log says why" grep -q "$1" "$T/dmesg"
}

accept() { # SETTING VALUE
	check "$1 = $2" write "$1" "$2"
	same "$1 = $2: reads back" "$(value "$1" | awk '{ print $1 }')" "$2"
}

two_hosts 4200
same "packet_spraying_type by default" "$(value packet_spraying_type)" default
same "entropy_mask_bits by default" "$(value entropy_mask_bits)" 7
same "starting_port_offset by default" "$(value starting_port_offset)" 49152
same "active_ev_set_size by default" "$(value active_ev_set_size)" 0
same "reliability_probe_period_us by default" "$(value reliability_probe_period_us)" 150

refuse packet_spraying_type sometimes
refuse entropy_mask_bits 9
refuse entropy_mask_bits -1
refuse entropy_mask_bits 7x
refuse entropy_mask_bits ""
refuse starting_port_offset 65409
refuse starting_port_offset 65536
refuse starting_port_offset 99999999999
accept starting_port_offset 65408
refuse entropy_mask_bits 8
accept starting_port_offset 65280
accept entropy_mask_bits 8
accept starting_port_offset 49152
accept entropy_mask_bits 0
accept entropy_mask_bits 7
refuse reliability_probe_period_us 0
refuse config_base_rtt_us 0
refuse link_rate_mbps 10000001
refuse mpr 3
refuse mpr 64
refuse sack_loss_min_retx_pkts 0
refuse cwnd_packets 0
refuse congestion_control tcp
accept congestion_control nscc
check "NSCC works" perf ib_write_bw -s 65536 -n 200
accept congestion_control fixed
refuse rto_min_us 60000001
refuse trimming_enabled 2
refuse dscp_control 64
refuse dscp_no_trim 12
refuse flow_hash crc20
accept flow_hash src31
accept flow_hash product
accept flow_hash product_fold
accept packet_spraying_type none
accept packet_spraying_type default
accept active_ev_set_size 1
check "one value works" perf ib_write_bw -s 65536 -n 20
accept active_ev_set_size 300
check "more than the range works" perf ib_write_bw -s 65536 -n 20

# The seed's own profile, on this device only
check "profile scala" write profile scala
same "profile scala: starting_port_offset" "$(value starting_port_offset)" 256
same "profile scala: config_base_rtt_us" "$(value config_base_rtt_us)" 6
same "profile scala: link_rate_mbps" "$(value link_rate_mbps)" 400000
refused "no such profile" "Invalid argument" write profile nonesuch
check "a connection between different profiles" perf ib_write_bw -s 65536 -n 20
check "profile default" write profile default
same "profile default: starting_port_offset" "$(value starting_port_offset)" 49152

# Module parameters give the defaults, and are checked by the same rules
hosts_down
rmmod rdma_smrc
refused "a bad module parameter" "Invalid" smrc_load entropy_mask_bits=9
check "a good module parameter" smrc_load entropy_mask_bits=5
two_hosts 4200
same "it is the default of a new link" "$(value entropy_mask_bits)" 5
hosts_down
rmmod rdma_smrc
done_testing
