# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# lib.sh - what the scripts of this folder share; source it, do not run it.
#
# Everything that takes long to make (a Debian root, kernel trees) is an *item* of a cache outside the clone:
#
#	$SMRC_CACHE/NAME-KEY/		KEY = hash of the item's recipe, see item_key()
#	$SMRC_CACHE/NAME-KEY.lock	held while it is built
#
# An item is built in NAME-KEY.new and renamed when complete, so one that exists is whole.

SMRC_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
SMRC_CACHE=${SMRC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/soft-mrc}
SMRC_BUILD=${SMRC_BUILD:-$SMRC_TOP/build}
SMRC_LINUX=7.3			# series of the kernels built from source
# shellcheck disable=SC2034
SMRC_KINDS=(uml stock-6.12 "stock-$SMRC_LINUX" debug)
export SMRC_TOP SMRC_CACHE SMRC_BUILD

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "error: $*"; exit 1; }

# usage: print the comment block at the head of the calling script
usage() { sed -n '/^# usage:/,/^[^#]/{/^#/{s/^# \{0,1\}//;p}}' "$0"; }

# step TEXT CMD...: run CMD, say how long it took; its output goes to the log $STEP_LOG when that is set
step() {
	local text=$1 t0=$SECONDS rc=0
	shift
	say "$text ..."
	if [ -n "${STEP_LOG:-}" ]; then
		"$@" >>"$STEP_LOG" 2>&1 || rc=$?
		[ $rc -eq 0 ] || tail -n 25 "$STEP_LOG" >&2
	else
		"$@" || rc=$?
	fi
	[ $rc -eq 0 ] || die "$text: failed with $rc after $((SECONDS - t0)) s${STEP_LOG:+, all of it in $STEP_LOG}"
	say "$text: $((SECONDS - t0)) s"
}

# as_root ARGS...: run the calling script again through sudo unless root runs it
as_root() {
	[ "$(id -u)" -ne 0 ] || return 0
	mkdir -p "$SMRC_BUILD"	# or root would own it
	command -v sudo >/dev/null || die "needs root, and there is no sudo"
	exec sudo --preserve-env=SMRC_CACHE,CI -- "$0" "$@"
}

# --- items: recipe_NAME lists the functions and files that make NAME, setup has make_NAME ---

item_key() { # NAME
	local f
	for f in $("recipe_$1"); do
		case $f in
		*/*) cat "$SMRC_TOP/$f" ;;
		@*) item_key "${f#@}" ;;
		*) declare -f "$f" ;;
		esac
	done | sha256sum | cut -c1-12
}

item_path() { printf '%s/%s-%s\n' "$SMRC_CACHE" "$1" "$(item_key "$1")"; }

# item_need NAME: build it when absent; prints nothing on stdout
item_need() {
	local dir
	dir=$(item_path "$1")
	[ -e "$dir" ] && return 0
	mkdir -p "$SMRC_CACHE"
	(
		exec 9>"$dir.lock"
		flock -n 9 || { say "waiting for another caller that builds $1"; flock 9; }
		[ -e "$dir" ] && exit 0
		rm -rf "$dir.new"
		mkdir -p "$dir.new"
		chmod 755 "$dir.new"
		STEP_LOG=$dir.log
		: >"$STEP_LOG"
		"make_$1" "$dir.new" "$dir" 9>&-
		mv "$dir.new" "$dir"
	)
}
