#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# SHEAF_CHAOS that is no seed: one line with the value, status 1. One that is: each PE's choices are the same when
# it is run again, and others with another seed. CTest gives OSHRUN and PROGRAM, which makes the same calls always.
set -u
for value in x -1 +1 1x '' ' 2' 18446744073709551616; do
    said=$(SHEAF_CHAOS=$value "$OSHRUN" -n 2 "$PROGRAM" 2>&1)
    status=$?
    case $status:$said in
    1:*"SHEAF_CHAOS is \"$value\", and must be off or a whole number from 0 to 18446744073709551615"*) ;;
    *) echo "failed: SHEAF_CHAOS=$value: status $status: $said"; exit 1 ;;
    esac
done

choices() {
    SHMEM_DEBUG=1 SHEAF_CHAOS=$1 "$OSHRUN" -n 3 "$PROGRAM" 2>&1 | grep 'SHEAF_CHAOS: .* calls, their choices' | sort
}
first=$(choices 5) again=$(choices 5) other=$(choices 18446744073709551615)
[ "$(echo "$first" | wc -l)" = 3 ] || { echo "failed: not a line from each of 3 PEs: $first"; exit 1; }
[ "$first" = "$again" ] || { echo "failed: seed 5 chose $first, and then $again"; exit 1; }
[ "$first" != "$other" ] || { echo "failed: two seeds chose $first"; exit 1; }
