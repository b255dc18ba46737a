#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# relax.c, written as for a T3E, compiles with the header of docs/do/port-names.md after the two changes of relax.sed, and
# without them the compiler says what to do. Arguments: the source tree, the build tree, a folder to work in.

set -eu
source=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"
awk '/^```/ { on = 0; first = NR + 1 } NR == first && /^\/\* cray.h/ { on = 1 } on' "$source/docs/do/port-names.md" >cray.h
compile() { "$build/bin/oshcc" -O2 -w -include cray.h "$1" -o relax; }

! compile "$source/tests/book/relax.c" 2>said || { echo "shmem_stack was not refused"; exit 1; }
grep -q 'make the variable static and delete this call' said || { cat said; exit 1; }
sed -f "$source/tests/book/relax.sed" "$source/tests/book/relax.c" >relax.c
compile relax.c
"$build/bin/oshrun" -n 4 ./relax >said
grep '^npes 4 err 0.0312645 gath\[0\] 255 done 4 ticket 4 time [1-9]' said || { cat said; exit 1; }
