#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# scripts/test on a build of two tests: one that is run, one whose program is not built, which a line says with what to type.
# Arguments: the source tree, a folder to work in.

set -eu
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"
cat >"$work/CTestTestfile.cmake" <<'END'
add_test([=[some/runs]=] "/bin/echo" "it runs")
add_test([=[some/lacks]=] "/bin/echo" "it runs")
set_tests_properties([=[some/lacks]=] PROPERTIES ENVIRONMENT "A=1;PROBE=/nowhere/tests/test-some-probe;B=2")
END
[ "$("$source/scripts/test" -B "$work" some/runs)" = 'it runs' ]
if "$source/scripts/test" -B "$work" some/lacks >"$work/said" 2>&1; then
    echo "failed: a test without its program was run"
    exit 1
fi
grep -q 'some/lacks runs test-some-probe, which is not built: scripts/test -b some/lacks' "$work/said" || { cat "$work/said"; exit 1; }
