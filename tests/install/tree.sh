#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs into one folder and moves the result to another, so that what still looks for the first
# one fails. Arguments: cmake, the build tree, a folder to work in, where the moved tree goes.

set -eu
cmake=$1 build=$2 work=$3 moved=$4
first="$work/first place/sheaf"

rm -rf "$work"
mkdir -p "$(dirname "$first")" "$(dirname "$moved")"
"$cmake" --install "$build" --prefix "$first" >"$work/install.log"
mv "$first" "$moved"

failures=0
for file in bin/oshcc bin/oshc++ bin/oshrun bin/oshinfo include/shmem.h include/shmemx.h \
    include/pshmem.h include/mpp/shmem.h include/mpp/shmemx.h; do
    [ -s "$moved/$file" ] || { echo "not installed: $file"; failures=1; }
done
for name in libsheaf.so libsheaf.a sheaf.pc SheafConfig.cmake oshcc.1 oshc++.1 oshrun.1 oshinfo.1 LICENSE; do
    [ -n "$(find "$moved" -name "$name")" ] || { echo "not installed: $name"; failures=1; }
done
if grep -rl "$first" "$moved"; then
    echo "the files above hold the name of the folder that was installed to"
    failures=1
fi
exit $failures
