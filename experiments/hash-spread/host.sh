#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# host.sh - count what the hashes of proto/flow.c do, with the driver's own functions. No kernel is needed for that.

set -euo pipefail
cd "$(dirname "$0")/../.."
gcc -O2 -Wall -Wextra -Werror -Isim/shim -Idrivers/infiniband/sw/smrc/proto -o "$1/spread" \
	experiments/hash-spread/spread.c drivers/infiniband/sw/smrc/proto/flow.c
"$1/spread" "$1"
