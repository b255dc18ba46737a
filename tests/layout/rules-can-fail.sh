#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Small trees that keep or break one rule each, and what the checking scripts say to them.
# Arguments: the folder of the scripts, whose project's table of layers the trees have, a folder to work in.

set -eu
scripts=$1 work=$2
failures=0

tree() { # name, file, line in it
    rm -rf "${work:?}/$1"
    mkdir -p "$work/$1/$(dirname "$2")" "$work/$1/src/base" "$work/$1/tools" "$work/$1/addons" "$work/$1/bindings/fortran" "$work/$1/bindings/armci" "$work/$1/tests" "$work/$1/docs/understand"
    cp "$scripts/../docs/understand/architecture.md" "$work/$1/docs/understand"
    printf '%s\n' "$3" >"$work/$1/$2"
    echo '#include "base/log.h"' >"$work/$1/src/base/log.c"
}

expect() { # wanted status, script, tree, a folder of objects in it or nothing
    status=0
    "$scripts/$2" "$work/$3" ${4:+"$work/$3/$4"} >"$work/output" 2>&1 || status=$?
    if [ "$status" != "$1" ]; then
        echo "$2 on the tree '$3': status $status, expected $1"
        cat "$work/output"
        failures=1
    fi
}

row() { # tree, folder, what its row of the table says from now on
    sed -i "s#^\\(| \\[$2\\](.*| \\)[^|]*|\$#\\1$3 |#" "$work/$1/docs/understand/architecture.md"
}

tree fine src/core/team/team.c '#include "image/control.h"'
expect 0 check-includes fine
expect 0 check-lengths fine

tree up src/image/heap.c '#include "core/pe/job.h"'
expect 1 check-includes up
tree sideways src/image/image.c '  #  include "boot/boot.h"'
expect 1 check-includes sideways
tree tool tools/oshrun/run.c '#include "core/pe/job.h"'
expect 1 check-includes tool
tree tool-fine tools/oshrun/run.c '#include "image/control.h"'
expect 0 check-includes tool-fine

tree no-row src/other/other.c ''
expect 1 check-includes no-row

settings() { # tree, file, line in it
    tree "$1" "$2" "$3"
    mkdir -p "$work/$1/src/base/settings"
    echo '{"SHMEM_DEBUG", "SMA_DEBUG", FLAG}, {"SHEAF_HOST", NULL, TEXT},' >"$work/$1/src/base/settings/env.c"
}
settings setting src/boot/boot.c 'host = sheaf_settings_text("SHEAF_HOST");'
expect 0 check-settings setting
settings setting-no-row tools/oshrun/run.c 'host = sheaf_settings_text("SHEAF_HOTS");'
expect 1 check-settings setting-no-row
settings setting-read src/boot/boot.c 'debug = getenv("SHMEM_DEBUG");'
expect 1 check-settings setting-read
settings time src/boot/boot.c '#define PATIENCE (2 * SHEAF_SECOND)'
expect 1 check-settings time
settings time-in-call tools/oshrun/run.c '    poll(NULL, 0, 100);'
expect 1 check-settings time-in-call
settings time-fine tools/oshrun/run.c '    poll(NULL, 0, -1);'
expect 0 check-settings time-fine

# The table itself decides.
row up src/image 'base, core'
expect 1 check-includes up
row tool tools 'core'
expect 0 check-includes tool
row fine src/core/team 'base'
expect 1 check-includes fine
tree header src/coll/reduce.c '#include "boot/boot.h"'
row header src/coll 'base, \`boot/boot.h\`'
expect 0 check-includes header
row header src/coll 'base, \`boot/world/pe_record.h\`'
expect 1 check-includes header
tree readme src/coll/README.md 'It may include `base`, `image`, `boot` and `core`. Tests: none.'
expect 0 check-includes readme
tree readme src/coll/README.md 'It may include `base`, `image` and `core`. Tests: none.'
expect 1 check-includes readme
tree gone src/base/os.c '#include "base/os.h"'
sed -i '/src.base/d' "$work/gone/docs/understand/architecture.md"
expect 1 check-includes gone

# A call that no include shows.
object() { # tree, folder of src, file, line: an object of the one library that the tree's build has
    folder=$work/$1/objects
    mkdir -p "$folder/one.dir/$2" "$work/$1/src/$2"
    touch "$work/$1/src/$2/$3.c"
    echo "$4" | "${CC:-cc}" -x c -c -o "$folder/one.dir/$2/$3.c.o" -
    printf '{"directory": "%s", "file": "%s", "command": "cc -o %s -c"}\n' "$folder" "../src/$2/$3.c" "one.dir/$2/$3.c.o" \
        >>"$folder/list"
    { echo '['; paste -sd , "$folder/list"; echo ']'; } >"$folder/compile_commands.json"
}
tree calls src/core/team/team.c '#include "base/log.h"'
object calls base log 'static void *hidden(void) { return 0; } void *log_it(void) { return hidden(); }'
object calls core/team team 'void *log_it(void); void *hidden(void) { return log_it(); }'
expect 0 check-includes calls objects
object calls base env 'void *hidden(void); void *env(void) { return hidden(); }'
expect 1 check-includes calls objects
# Two files that need each other, by way of a third.
tree circle src/base/one.c ''
object circle base one 'void *two(void); void *one(void) { return two(); }'
object circle base two 'void *three(void); void *two(void) { return three(); }'
object circle base three 'void *three(void) { return 0; }'
expect 0 check-includes circle objects
object circle base three 'void *one(void); void *three(void) { return one(); }'
expect 1 check-includes circle objects
# An include by a path, of an application.
tree app apps/ring/ring.c '#include "../common/app.h"'
expect 0 check-includes app
tree app apps/ring/ring.c '#include "../../src/base/log.h"'
mkdir -p "$work/app/src/base" && touch "$work/app/src/base/log.h"
expect 1 check-includes app

tree empty src/base/os.c '#include "base/os.h"'
mkdir "$work/empty/objects"
echo '[]' >"$work/empty/objects/compile_commands.json"
expect 1 check-includes empty objects

tree long src/base/os.c "$(yes '/* line */' | head -n 1001)"
expect 1 check-lengths long
tree wide src/base/os.c "/* $(yes word | head -n 30 | tr '\n' ' ')*/"
expect 1 check-lengths wide
tree full src/core/pe/pe.c '#include "base/os.h"'
for number in $(seq 24); do touch "$work/full/src/core/pe/pe$number.c"; done
expect 0 check-lengths full
touch "$work/full/src/core/pe/one_more.h"
expect 1 check-lengths full
exit $failures
