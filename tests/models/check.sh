#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check.sh MODEL [NAME=VALUE...] [DEFINE]: searches all states of MODEL with spin. With DEFINE, which takes away
# what the model is about, an error must be found. Exits 77 without spin.
set -eu
command -v spin >/dev/null || { echo "spin is not installed"; exit 77; }
model=$(realpath "$1") broken="" defines=""
shift
for define; do
    defines="$defines -D$define"
    case $define in *=*) ;; *) broken=$define ;; esac
done
renice -n 19 $$ >/dev/null # nobody waits for a search
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cp "$(dirname "$model")"/weak.h .
spin $defines -a "$model"
# -O1 takes 1 s more than -O0 to compile, and halves the searches of agreement and log, which take 10 s and more.
${CC:-cc} -O1 -w -DSAFETY -DVECTORSZ=2048 -DCOLLAPSE -o pan pan.c
./pan -m1000000 >output 2>&1 || { cat output; exit 1; }
errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' output)
[ -n "$broken" ] && expected='[1-9][0-9]*' || expected=0
if grep -q "search depth too small" output || ! expr "$errors" : "$expected\$" >/dev/null; then
    cat output
    exit 1
fi
grep -E "errors:|states, stored" output
