#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# stubs.sh BUILD SOURCE WORK: the module's type stubs against the module itself (mypy's stubtest), and a program's types
# against the stubs. Skipped, with the reason, where mypy cannot be had.

set -eu
build=$(realpath "$1") source=$(realpath "$2") work=$3
skip() { echo "skipped: $1"; exit 77; }
python=$(sed -n 's/^SHEAF_NUMPY_PYTHON:INTERNAL=//p' "$build/CMakeCache.txt")
rm -rf "$work"
mkdir -p "$work"
cd "$work"
"$python" -m venv venv || skip "python3 makes no environments here"
venv/bin/pip install -q mypy 'numpy<2' cloudpickle ipython || skip "no package index"
cp -rL "$build/python/sheafshmem" sheafshmem
export PYTHONPATH="$PWD"
venv/bin/stubtest sheaf --ignore-missing-stub
cp "$source/bindings/python/tests/typed.py" .
venv/bin/mypy --strict typed.py
