#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - two hosts on one wire: what a policy costs where there is nothing to gain. runs.csv has a line for each run.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"

rounds=${SMRC_ROUNDS:-3}
echo "policy,round,mib_s" >"$raw/runs.csv"
two_hosts 4200
for ((round = 1; round <= rounds; round++)); do
	for policy in none default reps counter random; do
		set_both packet_spraying_type $policy
		perf ib_write_bw -s 65536 -n 1000
		echo "$policy,$round,$(bandwidth)" >>"$raw/runs.csv"
	done
done
hosts_down
