#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# SHEAF_COPIER=auto: the first long nonblocking copy starts a thread where the host has a processor for each PE's, and no
# other call does. CTest gives OSHRUN and PROGRAM.
set -u
cpus=$(nproc)
if [ "$cpus" -lt 2 ]; then
    echo "skipped: one processor"
    exit 77
fi
expect() { # number of threads, number of PEs, settings
    wanted=$1 pes=$2
    shift 2
    said=$(env "$@" "$OSHRUN" -n "$pes" "$PROGRAM" 2>&1 | sort | uniq -c | sed 's/^ *//')
    if [ "$said" != "$pes threads: $wanted" ]; then
        echo "failed: $* oshrun -n $pes: expected $pes of \"threads: $wanted\", got: $said"
        exit 1
    fi
}
unset SHEAF_COPIER SHEAF_CHAOS SHEAF_LOW_JITTER
expect 1 1
expect 1 1 SHEAF_COPIER=auto
expect 1 $((cpus / 2))
expect 0 $((cpus / 2 + 1))
expect 0 1 SHEAF_COPIER=off
expect 0 1 SHEAF_COPIER=2 # they are there from the start
expect 0 1 SHEAF_CHAOS=1
expect 0 1 SHEAF_LOW_JITTER=on
