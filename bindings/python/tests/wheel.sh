#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# wheel.sh SOURCE WORK: the wheel of build/wheel/dist, made here where there is none, in a fresh environment of each Python
# from 3.9 on that PATH has: Python jobs; with the first also a C program by its oshcc, jobs whose PEs are all far where a
# network is here, hosts that outlive deaths, and what oshcc says without a compiler. Skipped where pip has no package index.

set -eu
source=$1 work=$2
[ -d "$source/build/wheel/dist" ] || "$source/scripts/wheel" || { echo "no wheel can be made here"; exit 77; }
rm -rf "$work"
mkdir -p "$work"

# No file of the wheel wants a name that glibc 2.28 does not have.
for wheel in "$source"/build/wheel/dist/*.whl; do
    python3 -m zipfile -e "$wheel" "$work/files"
done
wanted=$(find "$work/files" -type f -exec objdump -T {} + 2>/dev/null | grep -o 'GLIBC_2[0-9.]*' | sort -Vu)
[ -n "$wanted" ] || { echo "objdump finds no names of glibc in the wheel"; exit 1; }
youngest=$(echo "$wanted" | tail -n 1)
[ "$(printf '%s\nGLIBC_2.28\n' "$youngest" | sort -V | tail -n 1)" = GLIBC_2.28 ] || {
    echo "the wheel wants $youngest, and says that it runs with 2.28"
    exit 1
}
unset PYTHONPATH
export OPENBLAS_NUM_THREADS=1

install() {
    "$1" -m venv "$2" || { echo "$1 makes no environments here"; return 77; }
    "$2/bin/pip" install -q "$source"/build/wheel/dist/*.whl || { echo "no package index"; return 77; }
    "$2/bin/python" -c 'import sys, numpy; print("Python", sys.version.split()[0], "NumPy", numpy.__version__)'
}

jobs_with() {
    PATH="$1/bin:$PATH" oshrun -n 3 python "$source/bindings/python/tests/operations.py"
    PATH="$1/bin:$PATH" oshrun -n 2 python "$source/bindings/python/tests/teams.py"
    "$1/bin/python" -c 'import sheafshmem as shmem; assert shmem.run(lambda: shmem.my_pe(), pes=2) == [0, 1]'
}

mkdir -p "$work"
install python3 "$work/first" || exit
export PATH="$work/first/bin:$PATH"
jobs_with "$work/first"
for minor in 9 10 11 12 13 14 15; do
    "python3.$minor" -c 'import sys; sys.exit(not sys._is_gil_enabled() if hasattr(sys, "_is_gil_enabled") else 0)' \
        2>/dev/null || continue
    install "python3.$minor" "$work/3.$minor" || continue
    jobs_with "$work/3.$minor"
done

cd "$work"
if oshinfo | grep -E '^(ucx|ofi) ' | grep -qv 'not available'; then
    SHEAF_ONNODE=off jobs_with "$work/first"
fi
printf '#include <shmem.h>\n#include <stdio.h>\nint main(void) { shmem_init(); printf("%%d\\n", shmem_n_pes()); }\n' >hello.c
oshcc hello.c -o hello
[ "$(oshrun -n 2 ./hello)" = "2
2" ]
oshinfo >/dev/null
# A job of hosts that outlive deaths starts the wheel's sheaf-agent.
(sh "$source/tests/install/use.sh" agent "$work/first" "$work") || [ $? = 77 ]
(python3 "$source/bindings/python/tests/wheel_hosts.py" "$source" "$work/first/bin/python") || [ $? = 77 ]
mkdir empty
for program in sh sed cat dirname readlink uname; do
    ln -s "$(command -v $program)" empty/
done
said=$(PATH=$work/empty "$work/first/bin/oshcc" hello.c -o none 2>&1) && exit 1
case $said in
*"no C compiler"*) ;;
*)
    echo "oshcc without a compiler says: $said"
    exit 1
    ;;
esac
