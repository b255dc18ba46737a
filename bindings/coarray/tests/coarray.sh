#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs with coarrays as a user builds and starts them. Arguments: the case, the build tree, the folder of the built
# programs. Skipped where gfortran is not here.

set -eu
case_name=$1 tree=$2 programs=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$programs/work-$case_name
PATH=$tree/bin:$PATH
unset FC LD_LIBRARY_PATH

fail() {
    echo "failed: $1"
    exit 1
}

command -v "${OSHCC_FC:-gfortran}" >/dev/null || { echo "skipped: no gfortran here"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

good() { # images, program: its line, and nothing on standard error
    images=$1
    shift
    oshrun -n "$images" --timeout 60 "$@" >output 2>errors || { cat output errors; fail "$* on $images images"; }
    [ ! -s errors ] || { cat errors; fail "$* wrote to standard error"; }
    grep -q ': good$' output || { cat output; fail "$* did not come to its end"; }
}

ends() { # status, what standard error has, images, case: and nothing is left waiting
    status=0
    oshrun -n "$3" --timeout "${5:-20}" "$programs/ends" "$4" >output 2>errors || status=$?
    [ "$status" = "$1" ] || { cat output errors; fail "$4: status $status, expected $1"; }
    grep -q -e "$2" errors || { cat errors; fail "$4: no '$2'"; }
}

case $case_name in
transfers | order | collectives | components)
    for images in 1 2 3 8; do
        good $images "$programs/$case_name"
    done
    SHEAF_ONNODE=off good 2 "$programs/$case_name"
    SHEAF_ONNODE=off good 3 "$programs/$case_name"
    SHEAF_CHECK=args,memory good 2 "$programs/$case_name"
    ;;
builds)
    oshfort --coarray -O2 -static "$here/transfers.f90" -o static
    good 3 ./static
    oshfort --coarray -no-pie -O0 "$here/order.f90" -o fixed
    good 3 ./fixed
    oshfort --coarray -c "$here/both.f90"
    oshfort -fcoarray=lib both.o -o both
    good 3 ./both
    gfortran -fcoarray=single "$here/transfers.f90" -o single
    ./single >output
    grep -q ': good$' output || fail "the program is wrong: with one image and without a library it ends otherwise"
    ;;
ends)
    for how in end stopped; do
        oshrun -n 3 --timeout 20 "$programs/ends" $how >output 2>errors || { cat output errors; fail "$how"; }
        [ ! -s errors ] || { cat errors; fail "$how wrote to standard error"; }
    done
    grep -q told output || fail "stopped: image 1 has not come to its end"
    ends 7 '^STOP 7$' 3 stop
    ends 1 'error: SYNC ALL: image [13]: image 2 has stopped; called at ends.f90:[0-9]* \[SH161\]' 3 not-asked
    ends 9 '^ERROR STOP 9$' 3 error
    grep -q 'written before' output || fail "ERROR STOP lost what was written"
    ends 1 '^ERROR STOP the grid is too small$' 3 text
    ends 137 'PE 1 (ends, pid [0-9]*) was killed by signal 9' 3 fail
    ends 124 'PE 1 waits in SYNC IMAGES at ends.f90:[0-9]*' 2 waits 2
    ;;
mistakes)
    ends 1 'write of a coarray: image [123]: there is no image 4: the current team has images 1 to 3; called at ends.f90:[0-9]* ' 3 image
    ends 1 'there is no image -1' 2 zero
    ends 1 'write of a coarray: image 1: the section is not inside of the coarray, which has 16 bytes' 2 bounds
    ends 1 'SYNC IMAGES: image 1: image 2 is there twice' 2 twice
    ends 1 'LOCK: image 1: this image has the lock of image 1 already' 1 lock
    ends 1 'UNLOCK: image 2: PE 0 has this lock, not this image' 2 unlock
    ends 1 'DEALLOCATE: image [12]: image [12] frees another coarray' 2 order
    ends 1 'CO_BROADCAST: image [12]: there is no image 3' 2 source
    ! oshcc --coarray x.c 2>errors || fail "oshcc took --coarray"
    grep -q "oshfort's" errors || fail "oshcc: no reason"
    ! OSHCC_FC=cc oshfort --coarray "$here/order.f90" 2>errors || fail "cc took coarrays"
    grep -q 'is not gfortran' errors || fail "cc: no reason"
    ;;
*) fail "no case $case_name" ;;
esac
