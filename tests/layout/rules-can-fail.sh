#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Small trees that keep or break one rule each, and what the checking scripts say to them.
# Arguments: the folder of the scripts, a folder to work in.

set -eu
scripts=$1 work=$2
failures=0

tree() { # name, file, line in it
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1/$(dirname "$2")" "$work/$1/src/base" "$work/$1/tools"
    printf '%s\n' "$3" >"$work/$1/$2"
    echo '#include "base/log.h"' >"$work/$1/src/base/log.c"
}

expect() { # wanted status, script, tree
    status=0
    "$scripts/$2" "$work/$3" >"$work/output" 2>&1 || status=$?
    if [ "$status" != "$1" ]; then
        echo "$2 on the tree '$3': status $status, expected $1"
        cat "$work/output"
        failures=1
    fi
}

tree fine src/core/team.c '#include "image/control.h"'
expect 0 check-includes fine
expect 0 check-lengths fine

tree up src/image/heap.c '#include "core/job.h"'
expect 1 check-includes up
tree sideways src/image/image.c '  #  include "boot/boot.h"'
expect 1 check-includes sideways
tree tool tools/oshrun/run.c '#include "core/job.h"'
expect 1 check-includes tool
tree tool-fine tools/oshrun/run.c '#include "image/control.h"'
expect 0 check-includes tool-fine

tree long src/base/os.c "$(yes '/* line */' | head -n 1001)"
expect 1 check-lengths long
exit $failures
