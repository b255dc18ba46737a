#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs with coarrays as a user builds and starts them. Arguments: the case, the build tree, the folder of the built
# programs, the compiler that they were built with.

set -eu
case_name=$1 tree=$2 programs=$3 OSHCC_FC=$4
export OSHCC_FC
here=$(cd "$(dirname "$0")" && pwd)
work=$programs/work-$case_name
[ -d "$programs" ] || work=$programs-work
PATH=$tree/bin:$PATH
unset FC LD_LIBRARY_PATH

fail() {
    echo "failed: $1"
    exit 1
}

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

program=$case_name
ends() { # status, what standard error has, images, case: and nothing is left waiting
    status=0
    oshrun -n "$3" --timeout "${5:-20}" "$programs/$program" "$4" >output 2>errors || status=$?
    [ "$status" = "$1" ] || { cat output errors; fail "$4: status $status, expected $1"; }
    grep -q -e "$2" errors || { cat errors; fail "$4: no '$2'"; }
}

ends_well() { # case, images
    oshrun -n "$2" --timeout 20 "$programs/$program" "$1" >output 2>errors || { cat output errors; fail "$1"; }
    ! grep -v '^Fortran STOP$' errors || fail "$1 wrote to standard error" # flang's STOP tells it without a number, too
}

goes_on() { # without an image that has died
    grep -q told output || { cat output errors; fail "the images that live have not come to their end"; }
    ! grep 'sheaf: PE .*error' errors || fail "one of them was refused a statement"
}

case $case_name in
transfers | order | collectives | reduce | components | ends_of_teams)
    for images in 1 2 3 8; do
        good $images "$programs/$case_name"
    done
    SHEAF_ONNODE=off good 2 "$programs/$case_name"
    SHEAF_ONNODE=off good 3 "$programs/$case_name"
    SHEAF_CHECK=args,memory good 2 "$programs/$case_name"
    ;;
accessors) # the program itself in place of the folder
    for images in 1 2 3 8; do
        good $images "$programs"
    done
    SHEAF_ONNODE=off good 1 "$programs"
    SHEAF_ONNODE=off good 2 "$programs"
    SHEAF_ONNODE=off good 3 "$programs"
    for run in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        oshrun -n 8 --timeout 20 "$programs" end >output 2>errors || { cat output errors; fail "an end at once, run $run"; }
    done
    mistake() { # case, what standard error has
        status=0
        oshrun -n 1 --timeout 20 "$programs" "$1" >output 2>errors || status=$?
        [ $status = 1 ] || { cat output errors; fail "$1: status $status"; }
        grep -q "$2" errors || { cat errors; fail "$1: no '$2'"; }
    }
    mistake wrong 'EVENT POST: image 1: the coarray is one of data: expected events'
    mistake no-event 'EVENT POST: image 1: the coarray of events is not allocated'
    mistake unset 'DEALLOCATE: image 1: the variable has no token that ALLOCATE has given it'
    ;;
builds)
    case $OSHCC_FC in
    *flang*)
        oshfort --coarray -O2 "$here/collectives.f90" -o collectives
        good 3 ./collectives
        oshfort -fcoarray -O0 -c "$here/collectives.f90" -o collectives.o
        oshfort -fcoarray -static collectives.o -o static
        good 3 ./static
        printf '#!/bin/sh\necho "flang version 19.1.7"\n' >older
        chmod +x older
        ! OSHCC_FC=$PWD/older oshfort --coarray "$here/collectives.f90" 2>errors || fail "flang 19 took coarrays"
        grep -q 'flang-19, which has no coarrays' errors || { cat errors; fail "flang 19: no reason"; }
        printf '#!/bin/sh\necho "flang version 23.1.4"\n' >later
        chmod +x later
        ! OSHCC_FC=$PWD/later oshfort --coarray "$here/collectives.f90" 2>errors || fail "flang 23 took coarrays"
        grep -q 'flang-23, whose calls for coarrays Sheaf does not have' errors || { cat errors; fail "flang 23: no reason"; }
        ;;
    *)
        oshfort --coarray -O2 -static "$here/transfers.f90" -o static
        good 3 ./static
        oshfort --coarray -no-pie -O0 "$here/order.f90" -o fixed
        good 3 ./fixed
        oshfort --coarray -c "$here/both.f90"
        oshfort -fcoarray=lib both.o -o both
        good 3 ./both
        "$OSHCC_FC" -fcoarray=single "$here/transfers.f90" -o single
        ./single >output
        grep -q ': good$' output || fail "the program is wrong: with one image and without a library it ends otherwise"
        ;;
    esac
    ;;
tools) # profile and race checker name the program's statements
    if [ -e "$tree/lib/libsheaf-profile.so" ]; then
        oshfort --coarray -g "$here/unordered.f90" -o profiled
        oshrun -n 2 --timeout 60 --profile folder ./profiled with >output 2>errors || { cat output errors; fail "profile"; }
        oshprof --text folder >text
        for line in 'write of a coarray at unordered.f90:9  *100 ' 'read of a coarray at unordered.f90:13  *100 ' \
            'SYNC ALL at unordered.f90:14  *400 '; do
            grep -q "^$line" text || { cat text; fail "profile: no '$line'"; }
        done
    fi
    if [ -e "$tree/lib/libsheaf-races.so" ]; then
        oshfort --coarray --check=races "$here/unordered.f90" -o checked
        oshrun -n 2 --timeout 60 ./checked >output 2>errors || { cat output errors; fail "races"; }
        for line in 'races: race on byte 8 of a block of 40 bytes' 'PE 1: load at unordered.f90:11 ' \
            'PE 0: shmem_putmem at unordered.f90:9 .* writes it' '1 race in all'; do
            grep -q "$line" errors || { cat errors; fail "races: no '$line'"; }
        done
        oshrun -n 2 --timeout 60 ./checked with >output 2>errors || { cat output errors; fail "races with SYNC"; }
        ! grep -v 'races: checks' errors || fail "races: told where there is none"
        for name in order collectives; do
            oshfort --coarray --check=races "$here/$name.f90" -o checked
            oshrun -n 3 --timeout 60 ./checked >output 2>errors || { cat output errors; fail "races: $name"; }
            ! grep -v 'races: checks' errors || fail "$name: races told where there are none"
        done
    fi
    ;;
prif)
    for images in 1 2 3 8; do
        good $images "$programs/prif"
    done
    SHEAF_ONNODE=off good 3 "$programs/prif"
    SHEAF_CHECK=args,memory good 2 "$programs/prif"
    there='image [12]: there is no image 3: the initial team has images 1 to 2; called at prif.f90:[0-9]* '
    ends 1 "read of a coarray: $there" 2 image
    ends 1 'there is no image 0' 2 zero
    ends 1 'write of a coarray: image [12]: 8 bytes from offset 28 on: the coarray has 32 bytes' 2 bounds
    ends 1 'the section from offset 0 on is not inside of the coarray, which has 32 bytes' 2 section
    ends 1 'write of a coarray: image [12]: the coarray is not allocated' 2 handle
    ends 1 'image 1 has no memory that others can reach at 0x1000' 2 address
    ends 1 'CHANGE TEAM: image [12]: the team was not formed' 2 team
    ends 1 'is no memory that prif_allocate has given; called at prif.f90:[0-9]* ' 2 free
    ends 124 'PE \(0 (image 1)\|1 (image 2)\) waits in LOCK at prif.f90:[0-9]*' 2 lock 2
    ;;
teams)
    for images in 1 2 5; do
        oshrun -n $images --timeout 30 "$programs/teams" >output 2>errors || { cat output errors; fail "teams on $images images"; }
        grep -q ': good$' output || fail "teams did not come to its end"
    done
    ;;
hosts) # an image of another host dies
    status=0
    SHEAF_FAILURES=report "$here/../../../tests/hosts/run-on-hosts" --pes 1+2 --launcher openmpi --keep "$tree" -- \
        "$programs/stops" failed >output 2>errors || status=$?
    [ $status != 77 ] || { cat output errors; exit 77; }
    goes_on
    ;;
growth)
    good 2 "$programs/growth"
    ;;
stops)
    case $OSHCC_FC in
    *flang*) said='Fortran STOP: code 7' said_error='Fortran ERROR STOP: code 9' said_text='Fortran ERROR STOP: ' ;;
    *) said='STOP 7' said_error='ERROR STOP 9' said_text='ERROR STOP ' ;;
    esac
    ends_well end 3
    ends_well stopped 3
    grep -q told output || fail "stopped: image 1 has not come to its end"
    for seed in 1 2 3 4 5 6 7 8; do
        SHEAF_CHAOS=$seed ends_well met 2
    done
    SHEAF_FAILURES=report oshrun -n 3 --timeout 30 "$programs/$program" failed >output 2>errors || true
    goes_on
    ends 7 "^$said\$" 3 stop
    ends 1 'error: SYNC ALL: image [13]: image 2 has stopped; called at stops.f90:[0-9]* \[SH161\]' 3 not-asked
    ends 9 "^$said_error\$" 3 error
    grep -q 'written before' output || fail "ERROR STOP lost what was written"
    ends 1 "^${said_text}the grid is too small\$" 3 text
    ends 137 'PE 1 (stops, pid [0-9]*) was killed by signal 9' 3 fail
    ends 124 'PE 1 (image 2) waits in SYNC IMAGES(1) at stops.f90:[0-9]*' 2 waits 2
    ends 1 'SYNC IMAGES: image 1: image 2 is there twice' 2 twice
    ends 1 'CO_BROADCAST: image [12]: there is no image 3' 2 source
    SHEAF_ONNODE=off UCX_TLS=self ends 1 'reaches no other host' 2 end
    ! grep -q 'before shmem_init' errors || { cat errors; fail "a start that failed is told twice"; }
    ;;
ends)
    ends_well stopped 3
    grep -q told output || fail "stopped: image 1 has not come to its end"
    ends 124 'PEs 0,1 (images 1,2) wait in EVENT WAIT at ends.f90:[0-9]*' 2 event 2
    ends 1 'write of a coarray: image [123]: there is no image 4: the current team has images 1 to 3; called at ends.f90:[0-9]* ' 3 image
    ends 1 'there is no image 0: the current team has images 1 to 2; called at ends.f90:[0-9]* ' 2 zero
    ends 1 'there is no image -1' 2 negative
    ends 1 'write of a coarray: image [12]: the coarray is not allocated; called at ends.f90:[0-9]* ' 2 no-coarray
    case $("$OSHCC_FC" -dumpversion) in # from 15 on the library does not learn the section
    [89]* | 1[0-4]*) ends 1 'write of a coarray: image 1: the section is not inside of the coarray, which has 16 bytes' 2 bounds ;;
    esac
    case $("$OSHCC_FC" -dumpversion) in
    12*)
        ends 1 'ALLOCATE: image [12]: an allocatable component of a class: .*; called at ends.f90:[0-9]* ' 2 class
        ends 1 'write of a coarray: image [12]: gfortran gives a substring of another image the length of the whole' 2 substring
        ends 1 'write of a coarray: image [12]: gfortran gives an expression of characters the length 0' 2 expression
        ;;
    esac
    ends 1 'LOCK: image 1: this image has this lock already' 1 lock
    ends 1 'UNLOCK: image 2: image 1 has this lock or waits for it, not this one' 2 unlock
    ends 1 'DEALLOCATE: image [12]: image [12] frees another coarray' 2 order
    ends 1 'EVENT POST: image [12]: the coarray of events is not allocated; called at ends.f90:[0-9]* ' 2 no-event
    ends 1 'LOCK: image [12]: the coarray of locks is not allocated' 2 no-lock
    ends 1 'PE 0 (image 1) calls ALLOCATE (40 bytes) at ends.f90:[0-9]*, and PE 1 (image 2) calls' 2 sizes
    ends 1 'calls CO_SUM (4 bytes) at ends.f90:[0-9]*, and PE 1 (image 2) calls\|and PE 1 (image 2) calls SYNC ALL at ends.f90:[0-9]*' 2 calls
    ! oshcc --coarray x.c 2>errors || fail "oshcc took --coarray"
    grep -q "oshfort's" errors || fail "oshcc: no reason"
    ! OSHCC_FC=cc oshfort --coarray "$here/order.f90" 2>errors || fail "cc took coarrays"
    grep -q 'neither gfortran nor flang' errors || fail "cc: no reason"
    ;;
*) fail "no case $case_name" ;;
esac
