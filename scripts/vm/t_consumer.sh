#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_consumer.sh - the verbs as a kernel user has them: kunit/consumer_kunit.c over a device of this namespace.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

ip link add smrc-wire type dummy
ip addr add 10.0.0.1/24 dev smrc-wire
ip link set smrc-wire mtu 4200 up
load
check "a link is added" rdma link add smrc0 type smrc netdev smrc-wire
check "it has an address" retry 5 gid_index smrc0 10.0.0.1
check "the tests' module loads" insmod "$SMRC_BUILD/$SMRC_GUEST/kunit/smrc_consumer_kunit.ko" netdev=smrc-wire
kunit_results smrc_consumer
check "the tests' module unloads" rmmod smrc_consumer_kunit
check "the link is deleted" rdma link del smrc0
check "the module unloads" rmmod rdma_smrc
ip link del smrc-wire
done_testing
