#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# seeds.sh PROGRAM: what common/seeds.h does with a test of which every thousandth seed fails. A soak keeps those seeds
# and goes on behind them; the test by itself runs them first; without such seeds it passes.
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SEEDS="$folder/seeds"
fail() { echo "failed: $1"; cat "$folder"/*; exit 1; }

"$program" >"$folder/out" || fail "900 seeds pass"
! "$program" 1995 10 >"$folder/out" || fail "seed 2000 fails"
! SHEAF_SOAK_SECONDS=4 "$program" soak >"$folder/out" || fail "a soak tells of seeds that fail"
[ "$(wc -l <"$SEEDS")" -ge 2 ] || fail "a soak goes on behind a seed that fails"
! grep -qv '000$' "$SEEDS" || fail "a seed is kept that does not fail"
grep -q "run it again by $program $(head -n 1 "$SEEDS") 1" "$folder/out" || fail "how to run it again"
! "$program" >"$folder/out" || fail "a kept seed is run by the test itself"
grep -q "seed $(head -n 1 "$SEEDS") fails" "$folder/out" || fail "the first of them"
rm "$SEEDS"
! HANGS=1 SHEAF_SOAK_SECONDS=3 "$program" soak >"$folder/out" || fail "a seed that does not end fails"
grep -q '001$' "$SEEDS" || fail "it is kept"
status=0
env -u SHEAF_SOAK_SECONDS "$program" soak >"$folder/out" || status=$?
[ $status = 77 ] || fail "a soak without its time is skipped"
