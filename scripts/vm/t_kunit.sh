#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_kunit.sh - the unit tests of the protocol core, in a kernel that has KUnit.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

results=/sys/kernel/debug/kunit
# All seeds of the simulation take minutes on an emulated CPU with KASAN; UML runs them.
seeds=24
[ "$SMRC_GUEST" != debug ] || seeds=4
check "the module loads" insmod "$SMRC_BUILD/$SMRC_GUEST/kunit/smrc_kunit.ko" sim_seeds=$seeds
for suite in "$results"/*/; do
	name=$(basename "$suite")
	# A case's line is indented by four, those of its parameters by more
	grep -E '^    (ok|not ok) ' "$suite/results" >"$T/cases" || true
	[ -s "$T/cases" ] || fail "$name: no case ran"
	while read -r line; do
		what=${line#*ok }
		case $line in
		*"# SKIP"*) what=${what%%# SKIP*}; skip "$name: ${what#[0-9]* }" "${line#*# SKIP }" ;;
		ok*) pass "$name: ${what#[0-9]* }" ;;
		*)
			fail "$name: ${what#[0-9]* }"
			grep -B 12 -F "$line" "$suite/results" | diag
			;;
		esac
	done <"$T/cases"
done
check "there were suites" test "$tap_count" -gt 1
check "the module unloads" rmmod smrc_kunit
done_testing
