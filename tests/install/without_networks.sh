#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A build without UCX's, libfabric's, elfutils' or PMIx's headers says so in one line on standard error, which make shows,
# with the packages to install; with all it says nothing. What came since is built in, what has gone is looked for again.
# Arguments: cmake, the source tree, a
# folder to work in, the folders where the headers are, the probes' header.

set -eu
cmake=$1 source=$2 work=$3 folders=$4 sdt=$5
export CMAKE_GENERATOR=Ninja
rm -rf "$work"
mkdir -p "$work"
cd "$work"

fail() {
    echo "failed: $1"
    cat errors
    exit 1
}

configure() { # build folder, option...
    folder=$1
    shift
    "$cmake" -S "$source" -B "$folder" -DBUILD_TESTING=OFF "$@" >/dev/null 2>errors || fail "cmake $*"
}

says() { # text: on the only line
    [ "$(wc -l <errors)" = 1 ] || fail "expected one line"
    grep -q -- "$1" errors || fail "no '$1'"
}

configure neither -DCMAKE_IGNORE_PATH="$folders"
says 'without networks (UCX) and without fabrics (libfabric) and without members .* and without PMIx .*install libucx-dev libfabric-dev libdw-dev libpmix-dev (Debian'
# The probes' header, which gcc finds here, and CMake does not.
object=src/CMakeFiles/sheaf_objects.dir/core/pe/wait.c.o
has_probes() {
    "$cmake" --build neither --target "$object" >errors 2>&1 || fail "$object"
    readelf -SW "neither/$object" | grep -q note.stapsdt
}
! has_probes || fail "CMake did not find sys/sdt.h, and yet there are probes"
[ ! -e "$sdt" ] || {
    configure neither -DCMAKE_IGNORE_PATH=
    has_probes || fail "sys/sdt.h has come, and nothing was built again"
}
configure neither -DSHEAF_OFI_INCLUDE="$work/gone"
! grep -q "SHEAF_OFI_INCLUDE.*$work/gone" neither/CMakeCache.txt || fail "a folder without the header is kept"

configure declined -DCMAKE_IGNORE_PATH="$folders" -DSHEAF_UCX=OFF -DSHEAF_OFI=OFF
says 'without members .* and without PMIx .*install libdw-dev libpmix-dev '

configure both
if grep -q without errors; then
    echo "skipped: the headers are not all here"
    exit 77
fi
[ ! -s errors ] || fail "nothing is missing, and yet it says something"
