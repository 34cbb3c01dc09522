# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# guest-lib.sh - for scripts that run in a guest; source it.

# smrc_nodes: make the device nodes of RDMA devices that appeared, for no udev runs here
smrc_nodes() {
	local class path node major minor
	[ -d /dev/infiniband ] || mkdir -p /dev/infiniband
	for class in infiniband_verbs infiniband_mad; do
		for path in "/sys/class/$class"/*/; do
			node=${path%/} node=/dev/infiniband/${node##*/}
			if [ ! -f "$path/dev" ] || [ -e "$node" ]; then continue; fi
			IFS=: read -r major minor <"$path/dev"
			mknod -m 666 "$node" c "$major" "$minor"
		done
	done
	if [ -f /sys/class/misc/rdma_cm/dev ] && [ ! -e /dev/infiniband/rdma_cm ]; then
		IFS=: read -r major minor </sys/class/misc/rdma_cm/dev
		mknod -m 666 /dev/infiniband/rdma_cm c "$major" "$minor"
	fi
}

# smrc_rdma_core: load what every RDMA device needs, where it is not built in
smrc_rdma_core() { modprobe -qa ib_core ib_uverbs ib_umad rdma_cm rdma_ucm udp_tunnel ip6_udp_tunnel || true; smrc_nodes; }

# smrc_load [PARAM=VALUE...]: load the module that scripts/build made for this guest's kernel
smrc_load() {
	smrc_rdma_core
	insmod "$SMRC_BUILD/$SMRC_GUEST/drivers/infiniband/sw/smrc/rdma_smrc.ko" "$@"
}
