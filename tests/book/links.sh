#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Every relative link of the pages leads to a file that is there, or to a page of the reference that the build prints.
# Argument: the root of the tree.

set -eu
cd "$1"
pages=$(find README.md CHANGELOG.md CONTRIBUTING.md docs src apps tests bench tools addons bindings -name '*.md')
# shellcheck disable=SC2086  # a list of pages without spaces
grep -noE '\]\([^)#]+' $pages | {
    seen=0 wrong=0
    while IFS= read -r found; do
        page=${found%%:*}
        link=${found##*](}
        case $link in *://* | mailto:*) continue ;; esac
        case $(realpath -m --relative-to=. "$(dirname "$page")/$link") in
        docs/reference/variables.md | docs/reference/messages.md | docs/reference/routines/* | docs/reference/commands/*) continue ;;
        esac
        seen=$((seen + 1))
        if [ ! -e "$(dirname "$page")/$link" ]; then
            echo "$page: $link is not there"
            wrong=$((wrong + 1))
        fi
    done
    echo "$seen links looked at, $wrong wrong"
    [ "$seen" -gt 0 ] && [ "$wrong" = 0 ]
}
