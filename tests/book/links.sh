#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Every relative link of the pages leads to a file that is there, and so does the name of a page in sources, --help and
# manual pages. In the source tree pages of the reference that the build prints are taken to be there. Argument: the root of
# the source tree, or the folder of installed documents.

set -eu
cd "$1"
pages=$(find . -name '*.md' -not -path './build*' -not -path './.*')
printed='docs/reference/(variables\.md|messages\.md|routines/.*|commands/.*)'
[ -d src ] || printed='none'

# Lines of "page:link".
look() {
    seen=0 wrong=0
    while IFS= read -r found; do
        page=${found%%:*} link=${found#*:}
        case $link in *://* | mailto:*) continue ;; esac
        seen=$((seen + 1))
        [ ! -e "$(dirname "$page")/$link" ] || continue
        if ! realpath -m --relative-to=. "$(dirname "$page")/$link" | grep -qE "^$printed\$"; then
            echo "$page: $link is not there"
            wrong=$((wrong + 1))
        fi
    done
    echo "$seen links looked at, $wrong wrong"
    [ "$seen" -gt 0 ] && [ "$wrong" = 0 ]
}

# shellcheck disable=SC2086  # a list of pages without spaces
grep -oE '\]\([^)#]+' $pages | sed 's/:](/:/' | look
[ ! -d src ] ||
    grep -rohE --exclude-dir=tests --exclude-dir=build 'docs/[a-z]+/[a-z_-]+\.md' src tools addons bindings include docs/man |
    sed 's/^/.\/README.md:/' | look
