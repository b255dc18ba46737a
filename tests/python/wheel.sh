#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# wheel.sh SOURCE WORK: the wheel of build/wheel/dist, made here where there is none, in a fresh environment: a Python
# job, a C program by its oshcc, and what oshcc says without a compiler. Skipped where pip has no package index.

set -eu
source=$1 work=$2
[ -d "$source/build/wheel/dist" ] || "$source/scripts/wheel" || { echo "no wheel can be made here"; exit 77; }
rm -rf "$work"
python3 -m venv "$work" || { echo "python3 makes no environments here"; exit 77; }
unset PYTHONPATH
"$work/bin/pip" install -q "$source"/build/wheel/dist/*.whl || { echo "no package index"; exit 77; }

cd "$work"
export PATH="$work/bin:$PATH" OPENBLAS_NUM_THREADS=1
oshrun -n 3 python "$source/tests/python/operations.py"
oshrun -n 2 python "$source/tests/python/teams.py"
printf '#include <shmem.h>\n#include <stdio.h>\nint main(void) { shmem_init(); printf("%%d\\n", shmem_n_pes()); }\n' >hello.c
oshcc hello.c -o hello
[ "$(oshrun -n 2 ./hello)" = "2
2" ]
oshinfo >/dev/null
mkdir empty
for program in sh sed cat dirname readlink uname; do
    ln -s "$(command -v $program)" empty/
done
said=$(PATH=$work/empty "$work/bin/oshcc" hello.c -o none 2>&1) && exit 1
case $said in
*"no C compiler"*) ;;
*)
    echo "oshcc without a compiler says: $said"
    exit 1
    ;;
esac
