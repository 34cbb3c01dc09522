#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest.sh - what the simulator is held against: the measurement of ecmp-vs-spray, over ten seeds. report.py does the rest.

SMRC_SEEDS=${SMRC_SEEDS:-10}

# shellcheck source=../ecmp-vs-spray/guest.sh
. "$SMRC_TOP/experiments/ecmp-vs-spray/guest.sh"
