#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# shmem4py.sh BUILD WORK: shmem4py as it is, from its source in the package index, built with oshcc: all its tests on 1 to
# 8 PEs, and callbacks.py, functions that Numba and cffi compile. Its calls want a NumPy before 2.0. Skipped, with the
# reason, where there is no package index.

set -eu
here=$(realpath "$(dirname "$0")") build=$(realpath "$1") work=$2
skip() { echo "skipped: $1"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
work=$(realpath "$work")
cd "$work"
"$(sed -n 's/^SHEAF_NUMPY_PYTHON:INTERNAL=//p' "$build/CMakeCache.txt")" -m venv venv || skip "python3 makes no environments here"
export PATH="$work/venv/bin:$build/bin:$PATH" OSHCC=oshcc OPENBLAS_NUM_THREADS=1
unset PYTHONPATH
pip install -q 'numpy<2' cffi setuptools wheel || skip "no package index"
pip download -q --no-deps --no-binary :all: --no-build-isolation shmem4py || skip "shmem4py is not in the package index"
tar xzf shmem4py-*.tar.gz
pip install -q --no-build-isolation ./shmem4py-*/
echo "$(pip list --format freeze | grep -E 'shmem4py|numpy|cffi' | tr '\n' ' ')"

for pes in 1 2 3 4 5 6 7 8; do
    oshrun --timeout 300 -n $pes python -m unittest discover -s shmem4py-*/test -q >tests.$pes 2>&1 || {
        cat tests.$pes
        echo "shmem4py's tests fail on $pes PEs"
        exit 1
    }
    [ "$(grep -c '^OK' tests.$pes)" = $pes ]
    echo "$pes PEs: $(grep '^Ran' tests.$pes | head -1), $(grep '^OK' tests.$pes | head -1)"
done

PYTHONPATH="$build/python" oshrun --timeout 60 -n 3 python "$here/callbacks.py" cffi
if pip install -q 'numba<0.62'; then
    PYTHONPATH="$build/python" oshrun --timeout 120 -n 3 python "$here/callbacks.py" numba
else
    echo "without Numba, which cannot be installed"
fi
