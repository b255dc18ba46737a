#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs into one folder and moves the result to another, so that what still looks for the first
# one fails. Arguments: cmake, the build tree, a folder to work in, where the moved tree goes.

set -eu
cmake=$1 build=$2 work=$3 moved=$4
first="$work/first place/sheaf"
source=$(cd "$(dirname "$0")/../.." && pwd)

rm -rf "$work"
mkdir -p "$(dirname "$first")" "$(dirname "$moved")"
"$cmake" --install "$build" --prefix "$first" >"$work/install.log"
mv "$first" "$moved"

if grep -rl "$first" "$moved"; then
    echo "the files above hold the name of the folder that was installed to"
    exit 1
fi

# `make install` into its own tree would mix the two.
if make -C "$source" install PREFIX=. >"$work/refused.log" 2>&1 || ! grep -q 'is the source tree' "$work/refused.log"; then
    cat "$work/refused.log"
    exit 1
fi
