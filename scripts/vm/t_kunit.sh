#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_kunit.sh - the unit tests of the protocol core, in a kernel that has KUnit.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# All seeds of the simulation take minutes on an emulated CPU with KASAN; UML runs them.
seeds=24
[ "$SMRC_GUEST" != debug ] || seeds=4
check "the module loads" insmod "$SMRC_BUILD/$SMRC_GUEST/kunit/smrc_kunit.ko" sim_seeds=$seeds
mapfile -t suites < <(cd /sys/kernel/debug/kunit && printf '%s\n' */)
kunit_results "${suites[@]%/}"
check "there were suites" test "$tap_count" -gt 1
check "the module unloads" rmmod smrc_kunit
done_testing
