#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles sections.f90 and runs it on 1 and 3 PEs. Arguments: the compiler, the build tree, a folder.
set -eu
source=$(dirname "$0")/sections.f90
mkdir -p "$3"
OSHCC_FC=$1 "$2/bin/oshfort" -O1 -Wall "$source" -J "$3" -o "$3/sections"
for pes in 1 3; do
    "$2/bin/oshrun" --timeout 60 -n $pes "$3/sections"
done
