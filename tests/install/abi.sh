#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/check-abi passes where nothing has changed, and not where a public type has. Arguments: the source tree, a
# folder.
set -eu
command -v abidiff >/dev/null || { echo "skipped: no abidiff (Debian: abigail-tools)"; exit 77; }
git -C "$1" rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "skipped: this tree has no history to compare with"; exit 77; }
rm -rf "$2"
git clone -q "$1" "$2"
cd "$2"
scripts/check-abi HEAD
sed -i '/^} shmemx_vector_t;/i\    size_t more;' src/core/pe/public_extensions.h
! git diff --quiet || { echo "failed: nothing was changed"; exit 1; }
! scripts/check-abi HEAD
