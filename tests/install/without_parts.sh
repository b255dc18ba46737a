#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A build that leaves out all that an option can: nothing of these parts is built, and their tests are skipped with the
# reason. Sources that CMake writes are not written again, or each `make` would link the library anew. Nothing is compiled
# here but CMake's own questions. Arguments: cmake, the source tree, a folder to work in.

set -eu
cmake=$1 source=$2 work=$3
export CMAKE_GENERATOR=Ninja
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "failed: $1"
    exit 1
}

"$cmake" -S "$source" -B without -DSHEAF_PROFILE=OFF -DSHEAF_RACES=OFF -DSHEAF_EVENTS=OFF -DSHEAF_RING=OFF -DSHEAF_FORTRAN=OFF -DSHEAF_ARMCI=OFF -DSHEAF_PYTHON=OFF >log 2>&1 ||
    { cat log; fail "cmake"; }
"$cmake" --build without --target help >targets
grep -q '^oshrun: ' targets || fail "no list of targets"
! grep -E '^sheaf_(profile|races|events|ring|fortran|armci|python)' targets || fail "the above are built"
for name in profile profile/page races races/found events ring fortran/none armci/none python/none; do
    ctest --test-dir without -R "^$name\$" --verbose >output 2>&1 || { cat output; fail "$name"; }
    grep -q 'skipped: this build has no' output || { cat output; fail "$name gives no reason"; }
done

touch before
"$cmake" without >log 2>&1 || { cat log; fail "cmake, for the second time"; }
again=$(find without -type f -name '*.[ch]' -newer before)
[ -z "$again" ] || fail "written again: $again"
find without -name none.c | grep -q . || fail "no source that CMake writes"
