#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check-abi passes where nothing has changed, and not where a public type has, or a symbol is gone. Arguments: the source tree, a
# folder.
set -eu
command -v abidiff >/dev/null || { echo "skipped: no abidiff (Debian: abigail-tools)"; exit 77; }
git -C "$1" rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "skipped: this tree has no history to compare with"; exit 77; }
rm -rf "$2"
git clone -q "$1" "$2"
cd "$2"
scripts/check-abi HEAD

changed() { # what was changed
    git diff --quiet && { echo "failed: nothing was changed: $1"; exit 1; }
    if scripts/check-abi HEAD; then
        echo "failed: not found: $1"
        exit 1
    fi
    git checkout -q src
}
sed -i '/^} shmemx_vector_t;/i\    size_t more;' src/core/pe/public_extensions.h
changed "a member more in a public type"
sed -i '/^ *shmemx_\*;/d' src/sheaf.map
changed "symbols that are gone"
