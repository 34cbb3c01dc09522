#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - goodput over eight paths that all lose packets at random, of Soft-MRC and of rxe. runs.csv has a line for each
# run; a run that ended with an error has no bandwidth.

# shellcheck source=../lib.sh
. "$SMRC_TOP/experiments/lib.sh"
trap - ERR

rounds=${SMRC_ROUNDS:-3}
value() { if [ "$TYPE" = smrc ]; then counter "$1" "$2"; else echo 0; fi; }

run() { # LOSS ROUND
	local sent again vain mib_s=''
	sent=$(value A tx_data_pkts) again=$(value A tx_rtx_pkts) vain=$(value B rx_duplicates)
	# A long timeout: with go-back-N it is the only way out when the last packet of a message is lost
	if LIMIT=120 perf ib_write_bw -s 65536 -n 1000 -u 15 >"$T/why"; then mib_s=$(bandwidth); fi
	echo "$TYPE,$1,$2,$mib_s,$(($(value A tx_data_pkts) - sent)),$(($(value A tx_rtx_pkts) - again)),$(($(value B rx_duplicates) - vain))"
}

echo "type,loss,round,mib_s,packets,again,in_vain" >"$raw/runs.csv"
for TYPE in smrc rxe; do
	# shellcheck disable=SC2034	# of lib.sh
	DEV=([A]=${TYPE}0 [B]=${TYPE}1)
	for loss in 0 0.01 0.1 0.3 1 2 5; do
		fabric_up -n 8 --loss $loss
		for ((round = 1; round <= rounds; round++)); do run $loss $round >>"$raw/runs.csv"; done
		say "$(tail -n 1 "$raw/runs.csv")"
		hosts_down
	done
done
