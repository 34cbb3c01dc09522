#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#
# t_verbs.sh - wrong and right use of the verbs on one device that talks to itself: what verbs_errors finds.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

two_hosts 4200
args=(-d "${DEV[A]}")
[ "$TYPE" = smrc ] || args+=(--generic)
[ "$SMRC_GUEST" != debug ] || args+=(--effort 20)
rc=0 plan=none
host A timeout $((120 * SLOW)) "$SMRC_BUILD/tests/verbs_errors" "${args[@]}" >"$T/verbs" 2>&1 || rc=$?
while IFS= read -r line; do
	case $line in
	ok\ * | not\ ok\ *)
		what=${line#*ok }
		what=${what#[0-9]* }
		case $line in
		*"# SKIP"*) what=${what#- }; skip "${what%%# SKIP*}" "${line#*# SKIP }" ;;
		ok*) pass "${what#- }" ;;
		*) fail "${what#- }" ;;
		esac
		;;
	1..*) plan=$line ;;
	*) printf '%s\n' "${line/#\# /}" | diag ;;
	esac
done <"$T/verbs"
check "the program ran all of them" test "$plan, $((rc < 2)), $rc" = "1..$tap_count, 1, $rc"
done_testing
