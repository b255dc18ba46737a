#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# One way of using an installed tree. Arguments: the case, the tree, a folder to work in, which
# gets a folder per case. Programs are built by the tree's wrappers and run by its oshrun on 2 PEs.

set -eu
case_name=$1 tree=$2 work="$3/$1 with spaces"
here=$(cd "$(dirname "$0")" && pwd)
oshcc=$tree/bin/oshcc oshcxx=$tree/bin/oshc++
unset CC CXX OSHCC_CC OSHCC_CXX LD_LIBRARY_PATH
rm -rf "$work"
mkdir -p "$work"
cd "$work"
# A distribution's folders of these are not below the tree that has the commands.
eval "headers=$("$oshcc" --showme:incdirs) libraries=$("$oshcc" --showme:libdirs)"

fail() {
    echo "failed: $1"
    exit 1
}

skip() {
    echo "skipped: $1"
    exit 77
}

run_two() { # program: must say so on both PEs, and nothing on standard error
    "$tree/bin/oshrun" -n 2 --timeout 60 "$1" >output 2>errors || { cat output errors; fail "$1 on 2 PEs"; }
    [ "$(grep -c "^PE [01] of 2: ${2:-static}" output)" = 2 ] || { cat output; fail "output of $1"; }
    [ ! -s errors ] || { cat errors; fail "$1 wrote to standard error"; }
}

launch_two() { # MPI, program: the same, by the launcher of that MPI
    if [ "$1" = mpich ] && ldd "$2" | grep -q libpmix; then # Ubuntu 24.04's, which its own launcher does not start
        set -- oshrun "$2"
    fi
    case $1 in
    oshrun) set -- "$tree/bin/oshrun" -n 2 "$2" ;;
    openmpi) set -- mpirun.openmpi --allow-run-as-root --oversubscribe --bind-to none -n 2 "$2" ;;
    mpich) set -- mpiexec.hydra -n 2 "$2" ;;
    esac
    command -v "$1" >/dev/null || { echo "not run: no $1 here"; return; }
    timeout 60 "$@" >output 2>errors </dev/null || { cat output errors; fail "$*"; }
    [ "$(grep -c '^PE \([01]\) of 2: rank \1$' output)" = 2 ] || { cat output errors; fail "output of $*"; }
    ! grep 'sheaf:' errors || fail "$* wrote the above to standard error"
}

mpis_here() { # those whose compiler's command is here
    for name in openmpi mpich; do
        command -v mpicc.$name >/dev/null && echo $name
    done
    return 0
}

refused() { # text, command...: one line with the text, and no other
    expected=$1
    shift
    ! "$@" >output 2>errors || fail "$* succeeded"
    [ ! -s output ] && [ "$(wc -l <errors)" = 1 ] || { cat output errors; fail "$* said more than one line"; }
    says "$expected" errors
}

configure_and_make() { # VARIABLE=value...
    ./configure "$@" >configure.log 2>&1 || { cat configure.log; fail "configure $*"; }
    make >make.log 2>&1 || { cat make.log; fail "make after configure $*"; }
}

has_fortran() {
    [ "${HAS_FORTRAN:-1}" = 1 ] && command -v gfortran >/dev/null
}

plain_build_only() {
    [ -z "${SANITIZE:-}" ] || skip "a build with -fsanitize=$SANITIZE"
}

says() { # text, file
    grep -q -e "$1" "$2" || { cat "$2"; fail "no '$1' in $2"; }
}

says_not() {
    ! grep -q -e "$1" "$2" || { cat "$2"; fail "'$1' in $2"; }
}

has_interpreter() {
    readelf -lW "$1" | grep -q INTERP
}

type_of() {
    readelf -hW "$1" | awk '/Type:/ { print $2 }'
}

# Prints what an executable or a library lacks of what hardens it.
lacks() {
    readelf -dW "$1" >dynamic
    readelf -lW "$1" >segments
    grep -q -e 'BIND_NOW' -e 'FLAGS_1.*NOW' dynamic || echo "bindings before it starts (-z now)"
    grep -q 'GNU_RELRO' segments || echo "relocations made read-only (-z relro)"
    grep -q 'GNU_STACK.* RW ' segments || echo "a stack without code (-z noexecstack)"
    ! grep -q -e RPATH -e RUNPATH dynamic || echo "freedom from build folders (RPATH)"
    [ "$(type_of "$1")" = DYN ] || echo "position independent code"
    readelf --dyn-syms -W "$1" >symbols
    grep -q '__stack_chk_fail' symbols || echo "a stack protector"
    [ "${BUILD_TYPE:-}" = Debug ] || grep -q '__[a-z]*printf_chk' symbols || echo "libc's checks (_FORTIFY_SOURCE)"
}

case $case_name in
c)
    "$oshcc" -O2 "$here/hello.c" -o hello
    run_two ./hello
    readelf -dW hello >dynamic
    says "$libraries" dynamic
    ;;
c++)
    "$oshcxx" -O2 "$here/hello.cc" -o hello
    run_two ./hello counter
    cp "$here/hello.c" hello-c.cc
    "$oshcxx" hello-c.cc -o hello-c
    run_two ./hello-c
    ;;
static | static-pie)
    plain_build_only
    "$oshcc" -$case_name "$here/hello.c" -o hello
    ! has_interpreter hello || fail "hello is not static"
    run_two ./hello
    "$oshcxx" -$case_name "$here/hello.cc" -o hello-c++
    run_two ./hello-c++ counter
    ;;
no-pie)
    "$oshcc" -no-pie "$here/hello.c" -o hello
    [ "$(type_of hello)" = EXEC ] || fail "hello is a PIE"
    run_two ./hello
    "$oshcxx" -no-pie "$here/hello.cc" -o hello-c++
    run_two ./hello-c++ counter
    ;;
norelro)
    "$oshcc" -z norelro "$here/hello.c" -o hello
    run_two ./hello
    ;;
clang)
    plain_build_only
    command -v clang++ >/dev/null || skip "no clang here"
    OSHCC_CC=clang "$oshcc" "$here/hello.c" -o hello
    run_two ./hello
    OSHCC_CXX=clang++ "$oshcxx" "$here/hello.cc" -o hello-c++
    run_two ./hello-c++ counter
    ;;
environment)
    OSHCC_CC='chosen -m64' CC=other "$oshcc" --show a.c >command
    says '^chosen -m64 ' command
    CC=other "$oshcc" --show a.c >command
    says '^other ' command
    CXX=other "$oshcxx" --show a.cc >command
    says '^other ' command
    ;;
show)
    "$oshcc" --show -DTEXT='a b' "it's.c" -o out >command
    says "'-DTEXT=a b'" command
    says "it'\\\\''s.c" command
    says ' -lsheaf' command
    [ ! -e out ] || fail "--show ran the command"
    "$oshcc" -show -c "$here/hello.c" -o hello.o >command
    says_not ' -lsheaf' command
    "$oshcc" --show -O2 "$here/hello.c" -o hello >command
    sh ./command
    run_two ./hello
    ;;
showme)
    # What a build system does: it asks for the parts, and calls the compiler by itself.
    eval "$("$oshcc" --showme:command) $("$oshcc" -showme:compile) -c '$here/hello.c' -o hello.o"
    eval "$("$oshcc" -showme:command) hello.o $("$oshcc" --showme:link) -o hello"
    run_two ./hello
    for option in --showme -showme --show -show; do
        eval "set -- $("$oshcc" $option)"
        compiler=$1
        shift
        "$compiler" "$here/hello.c" "$@" -o hello
        run_two ./hello
    done
    eval "$("$oshcc" -compile_info "$here/hello.c" -o hello.o)"
    eval "$("$oshcc" -link_info hello.o -o hello)"
    run_two ./hello
    "$oshcc" --showme:compile -O2 a.c >part
    says_not 'a\.c\|-lsheaf\|-O2' part
    "$oshcc" --inline --showme:compile >part
    says DSHEAF_INLINE part
    "$oshcc" --showme:link >part
    says_not ' *-I' part
    "$oshcc" --showme:libs >part
    says '^sheaf$' part
    "$oshcc" --showme:version >part
    says '^oshcc (Sheaf) [0-9]' part
    eval "[ -e $("$oshcc" --showme:incdirs)/shmem.h ]" || fail "no shmem.h in --showme:incdirs"
    eval "[ -e $("$oshcc" --showme:libdirs)/libsheaf.so ]" || fail "no libsheaf.so in --showme:libdirs"
    refused 'error: --showme:nothing: no such part' "$oshcc" --showme:nothing
    ;;
compat)
    compat=$libraries/sheaf/compat
    # A distribution has Open MPI's liboshmem beside libsheaf, in the folder that is to come last.
    eval "set -- $("$oshcc" --show a.o)"
    for word; do
        case $word in -L*) last=$word ;; esac
    done
    [ "$last" = "-L$libraries" ] || fail "$last comes last of -L"
    # By the names of other libraries, alone and beside ours.
    for name in sma oshmem; do
        "$oshcc" "$here/hello.c" -l$name -lpmi_simple -o hello
        run_two ./hello
        "${TREE_CC:-cc}" "-I$headers" ${SANITIZE:+-fsanitize=$SANITIZE} "$here/hello.c" "-L$compat" \
            -l$name -lpmi_simple -o hello
        LD_LIBRARY_PATH=$compat/../.. run_two ./hello
        plain_build_only
        "$oshcc" -static "$here/hello.c" -l$name -lpmi_simple -o hello
        run_two ./hello
    done
    ;;
compile-only)
    "$oshcc" -c "$here/hello.c"
    [ "$(type_of hello.o)" = REL ] || fail "hello.o is no object"
    "$oshcc" -S "$here/hello.c"
    says main hello.s
    ;;
preprocess-only)
    "$oshcc" -E "$here/hello.c" >hello.i
    says 'shmem_long_p' hello.i
    "$oshcc" -M "$here/hello.c" >hello.d
    says 'shmem\.h' hello.d
    ;;
link-only)
    "$oshcc" -c "$here/hello.c" -o hello.o
    "$oshcc" hello.o -o hello
    run_two ./hello
    "$oshcc" -MD -c "$here/hello.c" -o with-dependencies.o
    says 'shmem\.h' with-dependencies.d
    "$oshcc" -x c - -o from-input <"$here/hello.c"
    run_two ./from-input
    ;;
no-input)
    "$oshcc" -v 2>errors
    says 'version' errors
    "$oshcc" -print-prog-name=ld >name
    says 'ld' name
    status=0
    "$oshcc" no-such-file.c 2>errors || status=$?
    [ $status != 0 ] || fail "compiled a file that is not there"
    ;;
version)
    "$oshcc" --version >version
    says '^oshcc (Sheaf) [0-9]' version
    [ "$(wc -l <version)" -gt 1 ] || fail "no version of the compiler"
    "$oshcxx" --version >version
    says '^oshc++ (Sheaf) [0-9]' version
    ;;
help)
    "$oshcc" --help >help
    says '^Usage: oshcc' help
    "$oshcxx" >help
    says '^Usage: oshc++' help
    ;;
inline)
    "$oshcc" -O2 --inline "$here/hello.c" -o hello
    run_two ./hello
    nm -D hello >symbols
    says ' sheaf_inline_attach' symbols
    says_not ' shmem_long_p' symbols
    "$oshcxx" -O2 --inline "$here/hello.cc" -o hello-c++
    run_two ./hello-c++ counter
    "$oshcc" --inline -c "$here/hello.c" -o hello.o
    "$oshcc" hello.o -o linked-later
    run_two ./linked-later
    "$oshcc" -O2 "$here/hello.c" -o calls
    nm -D calls >symbols
    says ' shmem_long_p' symbols
    says_not ' sheaf_inline_attach' symbols
    "$oshcc" --inline --show a.c >command
    says_not ' --inline' command
    ;;
mpi)
    plain_build_only
    [ -n "$(mpis_here)" ] || skip "no MPI here, by Debian's names"
    for name in $(mpis_here); do
        "$oshcc" -O2 --mpi=$name "$here/hello_mpi.c" -o hello-$name
        launch_two $name ./hello-$name
        "$oshcxx" --mpi="$(command -v mpicxx.$name)" -x c++ "$here/hello_mpi.c" -o hello-c++
        launch_two $name ./hello-c++
        OSHCC_CC=mpicc.$name "$oshcc" "$here/hello_mpi.c" -o hello-by-compiler
        launch_two $name ./hello-by-compiler
        "$oshcc" --mpi=$name -c "$here/hello_mpi.c" -o hello.o
        "$oshcc" hello.o --mpi=$name -o linked-later
        launch_two $name ./linked-later
        CC='gcc -m64' "$oshcc" --mpi=$name --show "a b.c" >command
        says "^env 'OMPI_CC=gcc -m64' 'MPICH_CC=gcc -m64' .*mpicc.$name .*'a b.c'" command
        says_not ' --mpi' command
        OSHCC_CC=mpicc.$name "$oshcc" --mpi --show a.c >command
        says "^mpicc.$name '*-I" command
        refused "an MPI's already" env OSHCC_CC=mpicc.$name "$oshcc" --mpi=$name a.c
    done
    "$oshcc" --mpi "$here/hello_mpi.c" -o hello
    ;;
networks) # between PEs that share no memory, by each network's library that is here; last by a program with libsheaf.a
    plain_build_only
    "$oshcc" "$here/hello.c" -o hello
    eval "cc $("$oshcc" --showme:compile) '$here/hello.c' '$libraries/libsheaf.a' -pthread -ldl -o by-archive"
    count=0
    for way in "ucx - libucp.so.0" "ofi - libfabric.so.1" "mpi mpich libmpich.so.12" "mpi openmpi libmpi.so.40"; do
        IFS=' ' read -r engine mpi file <<END
$way
END
        path=$(/sbin/ldconfig -p | awk -v file="$file" '$1 == file { print $NF; exit }')
        [ -n "$path" ] || continue
        # Ubuntu 24.04's MPICH speaks PMIx, which oshrun offers to programs that are linked with it.
        [ "$mpi" != mpich ] || ! ldd "$path" | grep -q libpmix || continue
        [ "$mpi" != openmpi ] || "$tree/bin/oshinfo" | grep -q "^PMIx *yes" || continue
        [ "$mpi" = - ] || export SHEAF_MPI=$mpi
        SHEAF_ONNODE=off SHEAF_ENGINE=$engine run_two ./hello
        [ "$mpi" = - ] || LD_LIBRARY_PATH=$libraries SHEAF_ONNODE=off SHEAF_ENGINE=$engine run_two ./by-archive
        count=$((count + 1))
    done
    [ $count -gt 0 ] || skip "no network's library here"
    ;;
mpi-missing)
    mkdir tools
    for tool in env sh cat sed grep readlink dirname gcc cc; do
        ln -s "$(command -v $tool)" tools/$tool
    done
    [ ! -e /usr/lib64/openmpi/bin/mpicc ] && [ ! -e /usr/lib64/mpich/bin/mpicc ] || skip "MPIs in /usr/lib64"
    refused "--mpi: no mpicc here: install" env PATH="$PWD/tools" "$oshcc" --mpi a.c
    refused "--mpi=mpich: no mpicc of this MPI here" env PATH="$PWD/tools" "$oshcc" a.c --mpi=mpich
    refused "--mpi=openmpi: no mpicxx of this MPI here" env PATH="$PWD/tools" "$oshcxx" --mpi=openmpi a.cc
    # An mpicc that is another MPI's.
    printf '#!/bin/sh\necho "mpicc of another MPI"\n' >tools/mpicc
    chmod +x tools/mpicc
    refused "--mpi=mpich: no mpicc of this MPI here" env PATH="$PWD/tools" "$oshcc" a.c --mpi=mpich
    refused "--mpi=mpihc: neither an MPI that is known" "$oshcc" --mpi=mpihc a.c
    refused "--mpi= names no MPI" "$oshcc" --mpi= a.c
    ;;
loop)
    CC=$oshcc "$oshcc" "$here/hello.c" -o hello
    run_two ./hello
    CXX=oshc++ "$oshcxx" --show a.cc >command
    says_not '^oshc++' command
    ;;
spaces)
    mkdir 'a folder'
    cp "$here/hello.c" 'a folder/a program.c'
    echo '#define GREETING "one two"' >'a folder/a header.h'
    "$oshcc" -include 'a folder/a header.h' -DNAME='"x  y"' 'a folder/a program.c' -o 'a folder/a program'
    run_two './a folder/a program'
    ;;
symlink)
    ln -s "$oshcc" my-oshcc
    ./my-oshcc "$here/hello.c" -o hello
    run_two ./hello
    ;;
pkg-config)
    plain_build_only
    command -v pkg-config >/dev/null || skip "no pkg-config here"
    PKG_CONFIG_PATH=$libraries/pkgconfig
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion sheaf)" ] || fail "no version"
    eval "cc $(pkg-config --cflags sheaf) '$here/hello.c' $(pkg-config --libs sheaf) -o hello"
    run_two ./hello
    command -v ld.gold >/dev/null || exit 0
    eval "cc -fuse-ld=gold $(pkg-config --cflags sheaf) '$here/hello.c' $(pkg-config --libs sheaf) -o by-gold"
    run_two ./by-gold
    ;;
pkg-config-openshmem)
    plain_build_only
    command -v pkg-config >/dev/null || skip "no pkg-config here"
    PKG_CONFIG_PATH=$libraries/pkgconfig
    export PKG_CONFIG_PATH
    pkg-config --exists 'openshmem >= 1.6' || fail "openshmem is not 1.6"
    eval "cc $(pkg-config --cflags openshmem) '$here/hello.c' $(pkg-config --libs openshmem) -o hello"
    run_two ./hello
    ;;
armci) # as the configure of Global Arrays is told where an ARMCI is: by one folder
    plain_build_only
    [ "${HAS_ARMCI:-1}" = 1 ] || skip "this build has no libarmci"
    command -v pkg-config >/dev/null || skip "no pkg-config here"
    PKG_CONFIG_PATH=$libraries/pkgconfig
    export PKG_CONFIG_PATH
    eval "home=$(pkg-config --variable=home armci)"
    cat >rank.c <<'END'
#include <message.h>
#include <stdio.h>
int main(void)
{
    ARMCI_Init();
    printf("PE %d of %d: static\n", armci_msg_me(), armci_msg_nproc());
    return ARMCI_Finalize();
}
END
    eval "cc '-I$home/include' rank.c '-L$home/lib' $(pkg-config --libs armci) -o rank"
    run_two ./rank
    # As NWChem links: the folder alone.
    cc "-I$home/include" rank.c "-L$home/lib" "-Wl,-rpath,$home/lib" -larmci -o rank
    run_two ./rank
    # The system may have another one, Debian's libarmci-mpi-dev for instance.
    echo '#include <message.h>' | "$oshcc" -E -x c - >output 2>&1 || true
    ! grep -q "\"$home/.*message.h\"" output || fail "every program sees message.h"
    ;;
beside)
    plain_build_only
    # The part of an installation that puts the names beside libsheaf; the rest of that tree is of symbolic links.
    "${CMAKE:-cmake}" --install "$BUILD" --prefix "$PWD/prefix" --component compat >install.log
    library=$(dirname "$(find prefix -name libsma.so)")
    for file in "$libraries"/libsheaf*; do
        ln -s "$file" "$library/"
    done
    for name in sma oshmem; do
        cc "-I$headers" "$here/hello.c" "-L$library" -l$name -lpmi_simple -o hello
        LD_LIBRARY_PATH=$library run_two ./hello
    done
    ! find "$tree" -path '*/sheaf/compat' -prune -o -name libsma.so -print | grep . ||
        fail "installed beside libsheaf without having been asked for"
    ;;
fortran)
    plain_build_only
    has_fortran || skip "no gfortran here, or no Fortran interface in this build"
    cp "$here/../../bindings/fortran/tests/hello.f90" .
    "$tree/bin/oshfort" -O2 hello.f90 -o hello
    run_two ./hello
    # For a compiler that the modules are not there for, here because they are taken away.
    cp -r "$tree" copy
    rm -rf copy/lib*/sheaf/fortran/gfortran-* copy/lib/*/sheaf/fortran/gfortran-*
    ! ./copy/bin/oshfort hello.f90 -o again 2>errors || fail "it has modules still"
    says 'oshfort --make-module builds them' errors
    ./copy/bin/oshfort -w "$here/../../bindings/fortran/tests/older.f90" -o older
    ./copy/bin/oshrun -n 2 --timeout 60 ./older || fail "the older interface without the modules"
    ./copy/bin/oshfort --make-module
    ./copy/bin/oshfort -static hello.f90 -o again
    run_two ./again
    ;;
without-parts)
    # What a build with SHEAF_PROFILE, SHEAF_RACES and SHEAF_FORTRAN off installs says so.
    plain_build_only
    cp -r "$tree" copy
    find copy \( -name 'libsheaf-profile*' -o -name 'libsheaf-races*' -o -name 'libsheaf-fortran*' \) -delete
    find copy -path '*/sheaf/races' -prune -exec rm -r {} + -o -path '*/sheaf/fortran' -prune -exec rm -r {} +
    ./copy/bin/oshcc "$here/hello.c" -o hello
    run_two ./hello
    refused 'built without it (libsheaf-races.so)' ./copy/bin/oshcc --check=races "$here/hello.c" -o checked
    refused 'built without its Fortran interface' ./copy/bin/oshfort hello.f90 -o again
    ! SHEAF_PROFILE="$PWD" ./copy/bin/oshrun -n 1 --quiet ./hello >output 2>errors || fail "a profile without its library"
    says 'SHEAF_PROFILE: no profile: .*built without it; or unset SHEAF_PROFILE' errors
    ;;
find-openshmem)
    "${CMAKE:-cmake}" -S "$here/../../examples/cmake" -B build -DOpenSHMEM_C_COMPILER="$oshcc" \
        -DCMAKE_C_COMPILER="$TREE_CC" ${SANITIZE:+-DCMAKE_C_FLAGS=-fsanitize=$SANITIZE} >configure.log 2>&1 ||
        { cat configure.log; fail "find_package(OpenSHMEM)"; }
    says 'OpenSHMEM: oshcc (Sheaf) [0-9]' configure.log
    "${CMAKE:-cmake}" --build build >build.log 2>&1 ||
        { cat build.log; fail "building with OpenSHMEM::OpenSHMEM"; }
    run_two ./build/neighbours
    [ ! -e build/neighbours-fortran ] || run_two ./build/neighbours-fortran
    ! has_fortran || [ -n "${SANITIZE:-}" ] || [ -e build/neighbours-fortran ] || fail "no program in Fortran"
    ;;
autoconf)
    # A package that tries header, linker's names and Fortran module: by our wrappers, and by a plain cc with flags.
    # Make and automake know no folder with a blank in its name.
    plain_build_only
    command -v autoreconf >/dev/null && command -v automake >/dev/null || skip "no autoconf and automake here"
    plain=$3/autoconf
    rm -rf "$plain"
    mkdir "$plain"
    cd "$plain"
    ln -s "$tree" sheaf
    cp "$here"/consumer_autoconf/* "$here/hello.c" .
    cp "$here/../../bindings/fortran/tests/hello.f90" fortran.f90
    autoreconf -i >configure.log 2>&1 || { cat configure.log; fail "autoreconf"; }
    if has_fortran; then
        configure_and_make CC="$PWD/sheaf/bin/oshcc" FC="$PWD/sheaf/bin/oshfort"
        run_two ./by-fortran
    else
        configure_and_make CC="$PWD/sheaf/bin/oshcc" FC=no
    fi
    run_two ./by-c
    make distclean >/dev/null
    configure_and_make CC=cc FC=no CPPFLAGS="-I$PWD/sheaf/include" \
        LDFLAGS="-L$PWD/sheaf/lib/sheaf/compat -Wl,-rpath,$PWD/sheaf/lib"
    run_two ./by-c
    says 'library containing shmem_init... -lsma' configure.log
    ;;
cmake-package)
    "${CMAKE:-cmake}" -S "$here/consumer" -B build -DCMAKE_PREFIX_PATH="$tree" \
        -DCMAKE_C_COMPILER="$TREE_CC" -DCMAKE_CXX_COMPILER="$TREE_CXX" \
        ${SANITIZE:+-DCMAKE_C_FLAGS=-fsanitize=$SANITIZE} \
        ${SANITIZE:+-DCMAKE_CXX_FLAGS=-fsanitize=$SANITIZE} >configure.log 2>&1 ||
        { cat configure.log; fail "find_package(Sheaf)"; }
    "${CMAKE:-cmake}" --build build >build.log 2>&1 || { cat build.log; fail "building with Sheaf::shmem"; }
    run_two ./build/shared-c
    run_two ./build/shared-c++ counter
    run_two ./build/static-c
    readelf -dW build/static-c >dynamic
    says_not 'NEEDED.*libsheaf' dynamic
    [ -z "${SANITIZE:-}" ] && command -v ld.gold >/dev/null || exit 0
    "${CMAKE:-cmake}" -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold build >configure.log 2>&1 &&
        "${CMAKE:-cmake}" --build build --clean-first >build.log 2>&1 || { cat build.log; fail "linking by gold"; }
    run_two ./build/shared-c
    ;;
coarray) # and PRIF, by pkg-config and by CMake, for each compiler that is here
    plain_build_only
    has_fortran || skip "no gfortran here, or no Fortran interface in this build"
    PKG_CONFIG_PATH=$libraries/pkgconfig
    export PKG_CONFIG_PATH
    program=$here/../../bindings/coarray/tests/collectives.f90
    for pair in gfortran/gfortran flang/flang-22; do
        compiler=${pair#*/} package=sheaf-coarray-${pair%/*}
        command -v "$compiler" >/dev/null || continue
        case $package/$("$compiler" -dumpversion) in
        *gfortran/1[56]*) package=$package$("$compiler" -dumpversion | cut -c1-2) ;;
        esac
        if command -v pkg-config >/dev/null; then
            eval "$compiler $(pkg-config --cflags $package) '$program' $(pkg-config --libs $package) -o by-$compiler"
            "$tree/bin/oshrun" -n 3 --timeout 60 ./by-$compiler >output || { cat output; fail "by pkg-config, $compiler"; }
            says ': good$' output
            id=$("$libraries/sheaf/fortran/make-module" --id "$compiler")
            eval "$compiler $(pkg-config --define-variable=compiler="$id" --cflags sheaf-prif) '${program%/*}/prif.f90'" \
                "$(pkg-config --libs sheaf-prif) -o prif-$compiler"
            "$tree/bin/oshrun" -n 3 --timeout 60 ./prif-$compiler >output || { cat output; fail "PRIF by pkg-config, $compiler"; }
            says '^prif on 3 images: good$' output
        fi
        "${CMAKE:-cmake}" -S "$here/consumer_coarray" -B build-$compiler -DCMAKE_PREFIX_PATH="$tree" \
            -DCMAKE_Fortran_COMPILER=$compiler >configure.log 2>&1 || { cat configure.log; fail "component Coarray, $compiler"; }
        "${CMAKE:-cmake}" --build build-$compiler >build.log 2>&1 || { cat build.log; fail "building with Sheaf::coarray"; }
        "$tree/bin/oshrun" -n 3 --timeout 60 build-$compiler/collectives >output || { cat output; fail "by CMake, $compiler"; }
        says ': good$' output
        "$tree/bin/oshrun" -n 3 --timeout 60 build-$compiler/prif >output || { cat output; fail "PRIF by CMake, $compiler"; }
        says '^prif on 3 images: good$' output
    done
    ;;
mpi-pkg-config)
    plain_build_only
    command -v pkg-config >/dev/null || skip "no pkg-config here"
    PKG_CONFIG_PATH=$libraries/pkgconfig
    export PKG_CONFIG_PATH
    count=0
    for pair in openmpi/ompi-c mpich/mpich; do
        pkg-config --exists "${pair#*/}" || continue
        eval "cc $(pkg-config --cflags sheaf "${pair#*/}") '$here/hello_mpi.c' $(pkg-config --libs sheaf "${pair#*/}") -o hello"
        launch_two "${pair%/*}" ./hello
        count=$((count + 1))
    done
    [ $count -gt 0 ] || skip "pkg-config knows no MPI"
    # Open MPI's folder has a shmem.h: where that comes first a line says so.
    other=$(pkg-config --variable=includedir ompi-c 2>/dev/null)
    [ -e "$other/shmem.h" ] || exit 0
    ! eval "cc -E '-I$other' $(pkg-config --cflags sheaf) -include shmem.h '$here/hello_mpi.c'" >preprocessed 2>errors ||
        fail "another OpenSHMEM's shmem.h is not noticed"
    says "the shmem.h of another OpenSHMEM was included" errors
    ;;
mpi-cmake-package)
    plain_build_only
    [ -n "$(mpis_here)" ] || skip "no MPI here, by Debian's names"
    for name in $(mpis_here); do
        "${CMAKE:-cmake}" -S "$here/consumer_mpi" -B build-$name -DCMAKE_PREFIX_PATH="$tree" \
            -DCMAKE_C_COMPILER="$TREE_CC" -DCMAKE_CXX_COMPILER="$TREE_CXX" \
            -DMPI_C_COMPILER=mpicc.$name -DMPI_CXX_COMPILER=mpicxx.$name >configure.log 2>&1 ||
            { cat configure.log; fail "find_package(Sheaf COMPONENTS MPI)"; }
        "${CMAKE:-cmake}" --build build-$name >build.log 2>&1 ||
            { cat build.log; fail "building with Sheaf::shmem_mpi"; }
        for program in both-c both-c++ static-c; do
            launch_two $name ./build-$name/$program
        done
    done
    ! "${CMAKE:-cmake}" -S "$here/consumer_mpi" -B without -DCMAKE_PREFIX_PATH="$tree" \
        -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON >configure.log 2>&1 || fail "found an MPI that is disabled"
    says 'component MPI: find_package(MPI) found none' configure.log
    ;;
complete)
    for file in bin/oshcc bin/oshc++ bin/oshrun bin/oshinfo bin/oshprof bin/oshdump bin/oshtop bin/oshwhy include/shmem.h include/shmemx.h \
        include/pshmem.h include/shmemx_inline.h include/shmemx_mpi.h include/shmemx_ft.h \
        include/mpp/shmem.h include/mpp/shmemx.h bin/oshfort; do
        [ -s "$tree/$file" ] || fail "not installed: $file"
    done
    for file in include/shmem.fh include/fortran/shmem.f90 share/sheaf/fortran/functions.c; do
        [ -s "$tree/$file" ] || [ "$HAS_FORTRAN" != 1 ] || fail "not installed: $file"
    done
    for name in libsheaf.so libsheaf.a sheaf.pc SheafConfig.cmake LICENSE; do
        [ -n "$(find "$tree" -name "$name")" ] || fail "not installed: $name"
    done
    [ -n "$(find "$tree" -name libsheaf-profile.so)" ] || [ "$HAS_PROFILE" != 1 ] ||
        fail "not installed: libsheaf-profile.so"
    agent=$(find "$tree" -name sheaf-agent)
    [ -x "$agent" ] || fail "not installed: sheaf-agent"
    ! "$agent" 2>said || fail "sheaf-agent by itself succeeded"
    says '^sheaf-agent: shmem_init starts this program' said
    "$tree/bin/oshrun" --version >version
    says '^oshrun (Sheaf) [0-9]' version
    "$tree/bin/oshinfo" >information
    [ -s information ] || fail "oshinfo says nothing"
    ;;
agent) # two hosts that outlive deaths: each finds the installed sheaf-agent, or says what it lacks
    plain_build_only
    "$oshcc" "$here/hello.c" -o hello
    eval "cc $("$oshcc" --showme:compile) '$here/hello.c' '$libraries/libsheaf.a' -pthread -ldl -o hello-archive"
    on_hosts() {
        status=0
        SHEAF_FAILURES=report timeout 60 "$here/../common/on-hosts" "$@" >output 2>errors </dev/null || status=$?
        [ $status != 77 ] || { cat output; exit 77; }
    }
    goes_well() {
        on_hosts ab "$1"
        [ "$(grep -c '^PE [01] of 2: ' output)" = 2 ] && [ $status = 0 ] || { cat output errors; fail "$1 on two hosts"; }
    }
    PATH=/usr/bin:/bin # without any oshrun of Sheaf's
    goes_well ./hello
    on_hosts ab ./hello-archive
    says "error: SHEAF_FAILURES=report: host host-[ab] has no sheaf-agent beside its libsheaf or oshrun" errors
    export SHEAF_AGENT=/nowhere/agent
    on_hosts ab ./hello
    says "error: SHEAF_FAILURES=report: host host-[ab] cannot start /nowhere/agent: No such file" errors
    SHEAF_AGENT=/bin/true
    on_hosts ab ./hello
    says "cannot start /bin/true: it ended at once" errors
    printf '#!/bin/sh\nexec sleep 3\n' >slow
    chmod +x slow
    SHEAF_AGENT=$PWD/slow
    export SHEAF_PACE=agents_connect=1s
    on_hosts aab ./hello
    unset SHEAF_PACE
    [ "$(grep -c 'cannot start .*/slow: it does not start' errors)" -gt 0 ] && [ "$(grep -c 'error: ' errors)" -le 2 ] ||
        { cat errors; fail "more than one line of a host whose agent does not start"; }
    SHEAF_AGENT=$(find "$tree" -name sheaf-agent)
    goes_well ./hello-archive
    unset SHEAF_AGENT
    PATH="$tree/bin:$PATH"
    goes_well ./hello-archive
    ;;
hardened)
    plain_build_only
    count=0
    for file in "$tree"/bin/* "$(find "$tree" -name 'libsheaf.so.*.*' -type f)" "$(find "$tree" -name libsheaf-profile.so)" \
        "$(find "$tree" -name sheaf-agent)"; do
        readelf -h "$file" >/dev/null 2>&1 || continue
        lacks "$file" >lacking
        [ ! -s lacking ] || { cat lacking; fail "the above is missing in $file"; }
        count=$((count + 1))
    done
    wanted=$((7 + ${HAS_PROFILE:-0}))
    [ $count = $wanted ] || fail "$count programs and libraries, not $wanted"
    # The search finds what is missing, and nothing of it is asked of programs that use Sheaf.
    "$oshcc" -fno-stack-protector -no-pie -z lazy -z norelro -z execstack "$here/hello.c" -o hello 2>/dev/null
    lacks "$(pwd)/hello" >lacking
    [ "$(wc -l <lacking)" -ge 6 ] || { cat lacking; fail "a program with nothing of it is not noticed"; }
    run_two ./hello
    "$oshcc" --show -c -O2 a.c >command
    "$oshcc" --show a.o >>command
    says_not 'FORTIFY\|stack-protector\|relro\|z,now' command
    ;;
man-pages)
    for name in oshcc oshrun oshinfo oshprof; do
        page=$(find "$tree" -name "$name.1")
        says "^\.SH NAME" "$page"
        says "^\.SH SYNOPSIS" "$page"
    done
    says '^\.so man1/oshcc\.1' "$(find "$tree" -name 'oshc++.1')"
    says '^\.B SHEAF_ENGINE' "$(find "$tree" -name 'sheaf.7')"
    ;;
module-file) # a folder of MODULEPATH has a link to the installed one
    modulecmd=$(ls /usr/lib/*/modulecmd.tcl /usr/lib/*/*/modulecmd.tcl /usr/share/modules/libexec/modulecmd.tcl 2>/dev/null | head -n 1)
    [ -n "$modulecmd" ] && command -v tclsh >/dev/null || skip "no Environment Modules: Debian's environment-modules"
    mkdir modules
    ln -s "$tree/share/modulefiles/sheaf" modules/sheaf
    MODULEPATH=$PWD/modules tclsh "$modulecmd" sh load sheaf >loaded 2>errors
    [ ! -s errors ] || { cat errors; fail "loading the module"; }
    (. ./loaded; command -v oshcc >found; echo "$SHEAF_ROOT" >>found)
    [ "$(cat found)" = "$(printf '%s\n' "$tree/bin/oshcc" "$tree")" ] || { cat loaded found; fail "what the module sets"; }
    # A link as Debian's package has it, whose target Tcl does not follow by itself.
    mkdir -p site/share/modules/modulefiles
    cp -r "$tree/share/modulefiles" site/share/
    ln -s ../../modulefiles/sheaf site/share/modules/modulefiles/sheaf
    MODULEPATH=$PWD/site/share/modules/modulefiles tclsh "$modulecmd" sh load sheaf >loaded
    [ "$(. ./loaded && echo "$SHEAF_ROOT")" = "$PWD/site" ] || { cat loaded; fail "a module by a relative link"; }
    ;;
*)
    fail "no such case: $case_name"
    ;;
esac
echo "ok"
