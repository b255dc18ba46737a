#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs in Fortran as a user builds and starts them. Arguments: the case, the compiler, the build tree, a folder to
# work in. Skipped where the compiler is not here.

set -eu
case_name=$1 compiler=$2 tree=$3 work="$4/$1-$2"
here=$(cd "$(dirname "$0")" && pwd)
oshfort=$tree/bin/oshfort
unset FC OSHCC_FC LD_LIBRARY_PATH
export OSHCC_FC="$compiler"

fail() {
    echo "failed: $1"
    exit 1
}

skip() {
    echo "skipped: $1"
    exit 77
}

command -v "$compiler" >/dev/null || skip "no $compiler here"
id=$("$tree/lib/sheaf/fortran/make-module" --id "$compiler")
[ "$id" != gfortran-11 ] || skip "gfortran 11 has other descriptors"
rm -rf "$work"
mkdir -p "$work"
cd "$work"

run() { # PEs, program, argument...: nothing on standard error
    pes=$1
    shift
    "$tree/bin/oshrun" -n "$pes" --timeout 60 "$@" >output 2>errors || { cat output errors; fail "$* on $pes PEs"; }
    [ ! -s errors ] || { cat errors; fail "$* wrote to standard error"; }
}

refused() { # text, command...: one line with the text
    expected=$1
    shift
    ! "$@" >output 2>errors || fail "$* succeeded"
    [ "$(grep -c . errors)" = 1 ] || { cat errors; fail "$* said more than one line"; }
    grep -q -e "$expected" errors || { cat errors; fail "no '$expected'"; }
}

case $case_name in
transfers)
    for module in shmem shmem_f08; do
        "$oshfort" -O1 -cpp -DMODULE=$module "$here/transfers.f90" -o transfers
        run 1 ./transfers
        run 3 ./transfers
    done
    ;;
collectives)
    "$oshfort" -O1 "$here/collectives.f90" -o collectives
    for pes in 1 2 4; do
        run $pes ./collectives
    done
    ;;
extensions)
    "$oshfort" -O1 -cpp -DMODULE=shmem "$here/extensions.f90" -o extensions
    run 1 ./extensions
    "$oshfort" -O1 -cpp -DMODULE=shmem_f08 -DTYPED "$here/extensions.f90" -o extensions
    run 3 ./extensions
    ;;
restart)
    for options in "-DMODULE=shmem" "-DMODULE=shmem_f08 -DTYPED"; do
        rm -rf snapshots
        mkdir -m 700 snapshots
        # shellcheck disable=SC2086  # one or two
        "$oshfort" -O1 -cpp $options "$here/restart.f90" -o restart
        run 3 ./restart "$PWD/snapshots"
        sort output >undisturbed
        run 3 --restart "$PWD/snapshots/half-way" ./restart "$PWD/snapshots"
        sort output >restarted
        run 3 ./restart "$PWD/snapshots" restore
        sort output | cmp - restarted || fail "texts and --restart differ"
        grep -v 'goes on at step 5' restarted | cmp - undisturbed || fail "another result"
        [ "$(wc -l <restarted)" = 4 ] || fail "it did not go on"
    done
    "$tree/bin/oshrun" -n 2 ./restart "$PWD/snapshots" badly >output 2>errors || { cat errors; fail "a bad tag"; }
    grep -q '^sheaf: PE 0: .*the tag is "a/b"' errors || { cat errors; fail "no line about the tag"; }
    ;;
older)
    for source in older.f older.f90; do
        "$oshfort" -O1 -w "$here/$source" -o older
        for pes in 1 2 3; do
            run $pes ./older
        done
    done
    printf "      include 'shmem.fh'\n      end\n" >header.f
    "$oshfort" -Wall -c header.f -o header.o 2>errors
    ! grep -i 'division' errors || fail "shmem.fh gives a warning"
    [ "${id%-*}" = flang ] || "$oshfort" -std=f95 -c header.f -o header.o || fail "shmem.fh is not standard"
    ! "$oshfort" -fdefault-integer-8 -w -c "$here/older.f" -o older.o 2>errors || fail "integers of 8 bytes"
    grep -q 'shmem.fh' errors || { cat errors; fail "not shmem.fh's line"; }
    ;;
symmetric)
    for options in "" -static -no-pie; do
        # shellcheck disable=SC2086  # none or one
        "$oshfort" -O1 $options "$here/symmetric.f90" -o symmetric
        run 2 ./symmetric
    done
    ;;
refused)
    "$oshfort" -g "$here/refused.f90" -o refused
    while IFS=: read -r which text; do
        # flang's descriptors do not tell a type(c_ptr) from other derived types.
        [ "$which" != address ] || [ "${id%-*}" = gfortran ] || continue
        refused "^sheaf: PE 0: .*shmem_.*: .*$text" "$tree/bin/oshrun" -n 1 --quiet ./refused "$which"
    done <<END
gaps:dest is an array section with gaps (rank 1)
short:dest has 16 bytes (4 elements), and the call needs 64
missing:source is not allocated
address:source is a type(c_ptr): expected the array
sizes:source has elements of 8 bytes, and the first array of 4
negative:nelems is -1
bits:neither integers nor logicals
target:PE 99 is out of range.*called at refused.f90:[0-9]* as shmem_put 
END
    ;;
other-compiler)
    # One that the modules were not made for, one that is none, and a folder that nobody may write to.
    {
        echo '#!/bin/sh'
        echo 'case "$*" in'
        echo '-dumpversion) echo 99 ;;'
        echo '-print-file-name*) ;;'
        echo '--version) echo "GNU Fortran (Other) 99.1.0" ;;'
        echo '*refused.f90*) echo "refused.f90: no such module"; exit 1 ;;'
        echo "*) exec $compiler -w \"\$@\" ;;"
        echo 'esac'
    } >gfortran-99
    sed 's/GNU Fortran/Another compiler/' gfortran-99 >another
    [ "${id%-*}" = flang ] || sed -i 's/ -w / -w -fcray-pointer -fallow-argument-mismatch -fallow-invalid-boz /' another
    chmod +x gfortran-99 another
    refused "built for .*$id.* and this is gfortran-99: oshfort --make-module" \
        env OSHCC_FC="$PWD/gfortran-99" "$oshfort" -c "$here/refused.f90"
    refused 'neither gfortran nor flang' env OSHCC_FC="$PWD/another" "$oshfort" -c "$here/refused.f90"
    # Without modules, programs that use none are compiled.
    for other in another $([ "${id%-*}" = flang ] || echo gfortran-99); do
        for source in older.f older.f90; do
            OSHCC_FC="$PWD/$other" "$oshfort" "$here/$source" -o older || fail "$other cannot compile $source"
            run 2 ./older
        done
    done
    refused 'no Fortran compiler here: no-such-compiler' env OSHCC_FC=no-such-compiler "$oshfort" a.f90
    refused "ISO_Fortran_binding.h" env OSHCC_FC="$PWD/gfortran-99" "$oshfort" --make-module
    [ ! -e "$tree/lib/sheaf/fortran/gfortran-99" ] || fail "a folder was left"
    refused "oshcc's and oshc++'s" "$oshfort" --inline a.f90
    # Descriptors of the one compiler and the library of the other.
    other=$(ls "$tree/lib/sheaf/fortran" | grep -v -e make-module -e "^$id\$" | head -n 1)
    [ -n "$other" ] || exit 0
    "$oshfort" "$here/refused.f90" -o refused
    refused 'comes from code of another Fortran compiler' \
        "$tree/bin/oshrun" -n 1 --quiet -x "LD_PRELOAD=$tree/lib/sheaf/fortran/$other/libsheaf-fortran.so" ./refused gaps
    ;;
wrapper)
    "$oshfort" --version >output
    grep -q '^oshfort (Sheaf) [0-9]' output || fail "no version"
    "$oshfort" --help >output
    grep -q '^Usage: oshfort' output || fail "no help"
    cp "$here/collectives.f90" program.f90
    cp "$here/check.inc" .
    eval "$("$oshfort" --showme:command) $("$oshfort" --showme:compile) -c program.f90 -o program.o"
    eval "$("$oshfort" --showme:command) program.o $("$oshfort" --showme:link) -o program"
    run 2 ./program
    "$oshfort" --showme:libs >output
    grep -q '^sheaf-fortran sheaf-fortran-older sheaf$' output || fail "not the libraries"
    "$oshfort" --show -c program.f90 >output
    ! grep -q -e -lsheaf output || fail "a library where nothing is linked"
    ;;
apps)
    make -s -C "$here/../../../apps/fortran" OSHFORT="$oshfort" OUT="$PWD" >make.log 2>&1 || { cat make.log; fail "make"; }
    for pes in 1 4; do
        run $pes ./fortran-mg
        grep -q 'class S: norm .*, as published' output || fail "output of mg"
    done
    for pes in 1 3; do
        run $pes ./fortran-heat 40 50
        grep -q 'plate of 40, 50 steps: right' output || fail "output of heat"
        run $pes ./fortran-heat 2 5
        run $pes ./fortran-ring
        grep -q 'after 10 rounds: right' output || fail "output of ring"
    done
    refused 'CLASS is X: expected' "$tree/bin/oshrun" -n 2 --quiet ./fortran-mg X
    refused 'power of two of PEs' "$tree/bin/oshrun" -n 3 --quiet ./fortran-mg
    refused 'SIZE is 3x: expected a number from 1 on' "$tree/bin/oshrun" -n 2 --quiet ./fortran-heat 3x
    ;;
own-module)
    # A program with a module of its own over the C interface, and MPI: by the MPI's compiler, and the linker's names.
    for mpi in openmpi mpich; do
        command -v mpifort.$mpi >/dev/null || continue
        [ "${id%-*}" = gfortran ] || skip "MPI's modules are gfortran's"
        mpifort.$mpi -O1 "$here/own_module.f90" "-L$tree/lib/sheaf/compat" "-Wl,-rpath,$tree/lib" -lsma -lpmi_simple -o both
        run 2 ./both
        "$oshfort" --mpi=$mpi -O1 "$here/own_module.f90" -o both
        run 2 ./both
    done
    [ -e both ] || skip "no MPI for Fortran here"
    ;;
names)
    # Every name that the modules bind is in one of the two libraries, and no name is bound to nothing.
    grep -ho 'name="[A-Za-z_0-9]*"' "$tree"/include/fortran/*.f90 | cut -d'"' -f2 | sort -u >bound
    nm -D --defined-only "$tree/lib/libsheaf.so" "$tree/lib/sheaf/fortran/$id/libsheaf-fortran.so" |
        awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort -u >defined
    comm -23 bound defined >missing
    [ ! -s missing ] || { cat missing; fail "bound and not there"; }
    grep -h '^sheaf_fortran_' defined | comm -23 - bound >unused
    [ ! -s unused ] || { cat unused; fail "there and not bound"; }
    for library in "$tree/lib/libsheaf.a" "$tree/lib/sheaf/fortran/$id/libsheaf-fortran.a"; do
        nm --defined-only "$library" | awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }' | sort -u
    done | sort | uniq -d >twice
    [ ! -s twice ] || { cat twice; fail "in both static libraries"; }
    [ "$(wc -l <bound)" -gt 400 ] || fail "only $(wc -l <bound) names"
    ;;
*)
    fail "no case $case_name"
    ;;
esac
