#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Takes the first C program out of a page, compiles it as the page says, runs it on 4 PEs, and
# compares with the output that the page shows. Arguments: the page, the build tree, a folder.

set -eu
page=$1 build=$2 work=$3
rm -rf "$work"
mkdir -p "$work"
cd "$work"

block() { # language: the first fenced block of it
    awk -v fence='```'"$1" '$0 == fence && !done { on = 1; next } /^```/ && on { on = 0; done = 1 } on' "$page"
}

block c >hello.c
block text | LC_ALL=C sort >expected
[ -s hello.c ] && [ -s expected ] || { echo "no program or no output in $page"; exit 1; }
lines=$(wc -l <hello.c)
[ "$lines" -le 24 ] || { echo "the program has grown to $lines lines"; exit 1; }
"$build/bin/oshcc" -O2 -Wall -Wextra -Werror hello.c -o hello
"$build/bin/oshrun" -n 4 ./hello >unsorted
LC_ALL=C sort unsorted >output
diff expected output
