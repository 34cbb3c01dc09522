# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# What a user calls. How things are built stands in the Kbuild files, how guests are booted in scripts/.

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
HOST := $(CURDIR)/build/host

.DEFAULT_GOAL := all
.PHONY: all modules provider tool install uninstall demo check kunit sim bench experiments fabric clean help

all: modules provider	## module and provider for this machine

modules:		## the kernel module, for the running kernel (KDIR=... for another)
	@test -e '$(KDIR)/Makefile' || { echo "no kernel headers in $(KDIR): apt-get install linux-headers-$(KVER)"; exit 1; }
	@mkdir -p '$(HOST)'
	@cp -pRu $(wildcard Kbuild drivers include kunit) '$(HOST)/'
	$(MAKE) -C '$(KDIR)' M='$(HOST)' modules

provider:		## libsmrc, for this machine's libibverbs
	scripts/build-provider --host

tool:			## the command smrc, for this machine (needs libnl-genl-3-dev, libtracefs-dev, libtraceevent-dev)
	$(MAKE) -s -C userspace/tools 'O=$(CURDIR)/build/host-tools'

install:		## put all where the system finds them (as root)
	KVER='$(KVER)' KDIR='$(KDIR)' scripts/install

uninstall:		## remove all (as root)
	KVER='$(KVER)' scripts/install --remove

demo:			## two hosts, eight paths, ib_write_bw, in a VM: sets up all it needs
	scripts/demo

check:			## every test: code, KUnit, scenarios in VMs: sets up all it needs
	scripts/check

kunit:			## the unit tests alone, on user-mode Linux
	scripts/check kunit

sim:			## the simulator of whole networks; scripts/sim --help has its options
	scripts/sim

experiments:		## ECMP against spraying, failover, loss: figures and plots, in the same kind of VM
	scripts/experiment

bench:			## figures beside rxe and TCP, in a VM whose clock counts instructions
	scripts/bench

fabric:			## how to have a multi-path network on this machine
	@scripts/fabric --help

clean:			## remove what was built here; the cache outside the clone stays
	rm -rf build

help:			## this
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12
