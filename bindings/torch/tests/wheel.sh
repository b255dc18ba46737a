#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# wheel.sh SOURCE WORK: the wheels of build/wheel/dist, made here where there are none, in a fresh environment with the package
# index's torch: the example and the operations, by torchrun and by the wheel's oshrun, and a ring. Skipped without an index.

set -eu
source=$1 work=$2
ls "$source"/build/wheel/dist/sheaftorch-*.whl >/dev/null 2>&1 || "$source/scripts/wheel" || { echo "no wheel can be made here"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
unset PYTHONPATH SHEAF_FAILURES
export OMP_NUM_THREADS=1
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --index-url https://download.pytorch.org/whl/cpu torch numpy ||
    "$work/venv/bin/pip" install -q torch numpy || { echo "no package index"; exit 77; }
"$work/venv/bin/pip" install -q "$source"/build/wheel/dist/*.whl
export PATH="$work/venv/bin:$PATH"
cd "$work"
python -c 'import torch; print("torch", torch.__version__)'
tests=$source/bindings/torch/tests
torchrun --nproc_per_node 2 "$tests/example.py" | grep "equal on all ranks: True"
torchrun --nproc_per_node 4 --max-restarts 2 "$tests/restart.py" | grep "over in attempt 2"
oshrun -n 2 python "$tests/launched.py" | grep "the ranks of 2 add up"
python "$tests/run.py" 2 "$tests/operations.py"
python "$tests/run.py" 2 "$tests/steps.py"
python "$tests/run.py" 2 "$tests/again.py"
python "$tests/run.py" 4 "$tests/split.py"
python "$tests/own_tests.py"
python "$source/addons/ring/tests/ring.py"
