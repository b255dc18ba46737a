#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Each change that a page shows as a diff applies to the sources. Arguments: the source tree, a folder to work in.

set -eu
source=$1 work=$2
command -v git >/dev/null || { echo "skipped: no git"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
awk '/^```diff$/ { on = 1; file = "change-" ++n ".diff"; next } /^```/ { on = 0 } on { print >file }' "$source"/docs/contribute/*.md
for change in change-*.diff; do
    sed -n 's/^--- a\///p' "$change" | while read -r path; do
        mkdir -p "$(dirname "$path")"
        cp "$source/$path" "$path"
    done
    # In a folder of its own git looks for no repository.
    GIT_CEILING_DIRECTORIES=$(dirname "$work") git apply "$change" || { cat "$change"; exit 1; }
done
