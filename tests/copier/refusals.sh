#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# SHEAF_COPIER that is no number of threads: one line with the value, status 1. CTest gives OSHRUN and PROGRAM.
set -u
for value in x -1 65 1x '' ' 2'; do
    said=$(SHEAF_COPIER=$value "$OSHRUN" -n 2 "$PROGRAM" 2>&1)
    status=$?
    case $status:$said in
    1:*"SHEAF_COPIER is \"$value\", and must be auto, off or a whole number from 1 to 64"*) ;;
    *) echo "failed: SHEAF_COPIER=$value: status $status: $said"; exit 1 ;;
    esac
done
