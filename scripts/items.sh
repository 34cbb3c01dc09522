# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# items.sh - the recipes of the cache's items. A change of a function or file that a recipe names gives the item a new key,
# so it is built anew: keep what does not change the result out of them.

# --- root: Debian 13 ---

recipe_root() { echo root_packages root_sources make_root root_fill; }

root_packages() {
	# guests and the programs that tests run in them
	echo qemu-system-x86 virtme-ng virtiofsd busybox-static systemd-sysv udev kmod procps iproute2 iputils-ping ethtool
	echo tcpdump iperf3 jq strace perftest rdma-core ibverbs-utils ibverbs-providers rdmacm-utils python3 python3-pyverbs
	# builds
	echo build-essential linux-image-amd64 linux-headers-amd64 flex bison bc cpio rsync libelf-dev libssl-dev sparse
	echo dpkg-dev cmake ninja-build pkg-config libnl-3-dev libnl-genl-3-dev libnl-route-3-dev libudev-dev libsystemd-dev libibverbs-dev
	echo librdmacm-dev libtracefs-dev libtraceevent-dev shellcheck codespell git perl xz-utils
	# the fabric's switches (bpf/)
	echo clang libbpf-dev bpftool
	# experiments
	echo gnuplot-nox
}

# The machine's own mirrors, one "LABEL URL" a line
apt_mirrors() {
	local list
	# shellcheck disable=SC2016
	list=$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' | sort -u)
	if ! grep -q '^Debian|' <<<"$list"; then
		apt-get update >&2 || true
		# shellcheck disable=SC2016
		list=$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' | sort -u)
	fi
	tr '|' ' ' <<<"$list"
}

# apt's sources and settings for the root in DIR
root_sources() { # DIR MIRROR SECURITY
	local key=/usr/share/keyrings/debian-archive-keyring.gpg
	{
		printf 'Types: deb deb-src\nURIs: %s\nSuites: trixie trixie-updates trixie-backports\n' "$2"
		printf 'Components: main\nSigned-By: %s\n' $key
		[ -z "$3" ] || printf '\nTypes: deb deb-src\nURIs: %s\nSuites: trixie-security\nComponents: main\nSigned-By: %s\n' "$3" $key
	} >"$1/etc/apt/sources.list.d/debian.sources"
	rm -f "$1/etc/apt/sources.list"
	printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"	# packages start no service
	chmod 755 "$1/usr/sbin/policy-rc.d"
	cat >"$1/etc/apt/apt.conf.d/90smrc" <<-'C'
		APT::Install-Recommends "false";
		Acquire::Languages "none";
		Acquire::Retries "3";
		DPkg::Options { "--force-unsafe-io"; };
	C
}

# Runs in the root: all packages, and the sources that later items unpack
root_fill() { # SERIES PACKAGE...
	set -euo pipefail
	local series=$1 image v
	shift
	export DEBIAN_FRONTEND=noninteractive INITRD=No
	apt-get update
	apt-get install -y "$@"
	image=$(apt-cache search --names-only "^linux-image-${series/./\\.}\\.[0-9]+[^-]*-amd64\$" | awk '{print $1}' | sort -V | tail -n 1)
	[ -n "$image" ] || { echo "no linux-image-$series in trixie-backports"; exit 1; }
	apt-get install -y -t trixie-backports "$image" "${image/image/headers}" "linux-source-$series"
	# rdma-core's source, of the version installed. apt-get source wants the .dsc, which not every mirror serves: the
	# tarballs are enough, and apt has checked each that it leaves under its final name.
	v=$(dpkg-query -W -f '${source:Upstream-Version}' libibverbs1)
	mkdir -p /usr/src/rdma-core
	cd /usr/src/rdma-core
	apt-get source --download-only rdma-core || true
	ls "rdma-core_$v.orig.tar."* || { echo "no source of rdma-core $v"; exit 1; }
	apt-get clean
}

make_root() { # NEW-DIR
	local new=$1 mirrors mirror security f
	if ! command -v debootstrap >/dev/null || [ ! -e /usr/share/keyrings/debian-archive-keyring.gpg ]; then
		step "apt-get install debootstrap" apt_install debootstrap debian-archive-keyring
	fi
	mirrors=$(apt_mirrors)
	mirror=${SMRC_MIRROR:-$(awk '$1 == "Debian" { print $2; exit }' <<<"$mirrors")}
	security=$(awk '$1 == "Debian-Security" { print $2; exit }' <<<"$mirrors")
	[ -n "$mirror" ] || die "apt's configuration names no Debian mirror; set SMRC_MIRROR"
	# debootstrap's own downloads honour apt's proxy
	http_proxy=${http_proxy:-$(apt_proxy http)} https_proxy=${https_proxy:-$(apt_proxy https)}
	[ -z "$http_proxy" ] || export http_proxy
	[ -z "$https_proxy" ] || export https_proxy
	step "debootstrap trixie" debootstrap --variant=minbase --include=ca-certificates \
		--keyring=/usr/share/keyrings/debian-archive-keyring.gpg trixie "$new" "$mirror"
	root_sources "$new" "$mirror" "$security"
	apt-config dump | grep -iE '^Acquire::(http|https)::(Proxy|CaInfo|Verify)' >"$new/etc/apt/apt.conf.d/91host" || true
	for f in /etc/resolv.conf /etc/hosts; do [ ! -e $f ] || cp -L $f "$new$f"; done
	if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
		cp -L /etc/ssl/certs/ca-certificates.crt "$new/etc/ssl/certs/ca-certificates.crt"
	fi
	# shellcheck disable=SC2016,SC2046
	step "install packages in the root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
		${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
		unshare --mount --pid --fork --kill-child bash -c '
			root=$1
			shift
			mount -t proc proc "$root/proc"
			mount -t sysfs -o ro sysfs "$root/sys"
			mount --rbind /dev "$root/dev"
			exec chroot "$root" "$@"' - "$new" \
		bash -c "$(declare -f root_fill); root_fill \"\$@\"" - "$SMRC_LINUX" $(root_packages)
}

apt_install() { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }
apt_proxy() { apt-config dump | sed -n "s/^Acquire::$1::Proxy \"\(.*\)\";/\1/p" | grep -v DIRECT | head -n 1 || true; }

# --- sources ---

recipe_linux() { echo make_linux; }
make_linux() { # NEW-DIR
	local root
	item_need root
	root=$(item_path root)
	step "unpack linux-source-$SMRC_LINUX" tar -C "$1" --strip-components=1 -xf "$root/usr/src/linux-source-$SMRC_LINUX.tar.xz"
}

recipe_rdma_core() { echo make_rdma_core; }
make_rdma_core() { # NEW-DIR
	local root orig
	item_need root
	root=$(item_path root)
	orig=$(ls "$root"/usr/src/rdma-core/rdma-core_*.orig.tar.*)
	step "unpack $(basename "$orig")" tar -C "$1" --strip-components=1 -xf "$orig"
}

# --- kernels built here ---
# FINAL/ is the object tree (make -C FINAL M=... builds modules for it), FINAL/modroot has its modules (in-root lays it
# over the root, so that /lib/modules knows each kernel), FINAL/config-missing names what the fragment did not get

# kernel_build NEW FINAL ARCH FRAGMENT DEFCONFIG TARGET...
kernel_build() {
	local new=$1 final=$2 arch=$3 fragment=$4 defconfig=$5 src run
	shift 5
	item_need linux
	item_need root
	src=$(item_path linux)
	cp "$fragment" "$new/fragment.config"
	# The final path goes into files of the object tree: build under it
	run=("$SMRC_TOP/scripts/in-root" --bind "$new:$final" -- make -C "$src" "O=$final" "ARCH=$arch")
	step "configure $arch kernel" "${run[@]}" "$defconfig"
	"$SMRC_TOP/scripts/in-root" --bind "$new:$final" -- "$src/scripts/kconfig/merge_config.sh" -m -O "$final" \
		"$final/.config" "$final/fragment.config" >>"$STEP_LOG" 2>&1
	step "configure $arch kernel with $(basename "$fragment")" "${run[@]}" olddefconfig
	grep -vE '^(#|$)' "$fragment" | grep -vxFf "$new/.config" | grep -v '=n$' >"$new/config-missing" || true
	[ ! -s "$new/config-missing" ] || say "not granted: $(tr '\n' ' ' <"$new/config-missing")"
	step "build $arch kernel" "${run[@]}" "-j$(nproc)" "$@"
	step "install $arch modules" "${run[@]}" INSTALL_MOD_PATH="$final/modroot/usr" modules_install
}

recipe_uml() { echo scripts/kernel-config/uml.config @linux kernel_build make_uml; }
make_uml() { # NEW-DIR FINAL-DIR
	kernel_build "$1" "$2" um "$SMRC_TOP/scripts/kernel-config/uml.config" defconfig linux modules
}

# --- what else depends on a kernel's kind ---

# kind_need KIND: make what it needs
kind_need() {
	item_need root
	case $1 in
	uml | debug) item_need "$1" ;;
	esac
}

# kind_release KIND: the kernel's release, as uname -r says it
kind_release() {
	local root k
	case $1 in
	uml | debug) cat "$(item_path "$1")/include/config/kernel.release" ;;
	stock-*)
		root=${SMRC_IN_ROOT:+/}
		root=${root:-$(item_path root)}
		k=$(cd "$root/boot" && printf '%s\n' vmlinuz-"${1#stock-}".* | sort -V | tail -n 1)
		[ -e "$root/boot/$k" ] || die "the root has no kernel ${1#stock-}"
		echo "${k#vmlinuz-}"
		;;
	*) die "no such kind: $1 (${SMRC_KINDS[*]})" ;;
	esac
}

# kind_tree KIND: where modules for it are built against, inside the root
kind_tree() {
	case $1 in
	uml | debug) item_path "$1" ;;
	*) echo "/usr/src/linux-headers-$(kind_release "$1")" ;;
	esac
}

recipe_debug() { echo scripts/kernel-config/debug.config @linux kernel_build make_debug; }
make_debug() { # NEW-DIR FINAL-DIR
	kernel_build "$1" "$2" x86_64 "$SMRC_TOP/scripts/kernel-config/debug.config" tinyconfig bzImage modules
}
