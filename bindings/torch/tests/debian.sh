#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# debian.sh SOURCE BUILD WORK: Debian 13's torch (2.6) with the build tree, in a system of its own (debootstrap): the operations, the
# steps, symmetric memory, and torch's own tests. As root. The system stays in WORK for the next time.
#
# It is entered in a mount and a process namespace: nothing stays mounted, and what it started ends with it.

set -eu

inside() { # SOURCE BUILD ROOT
    root=$3
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    mount -t tmpfs tmpfs "$root/dev/shm"
    for folder in "$1" "$2"; do # at their own places: the build tree has links
        mkdir -p "$root$folder"
        mount --bind "$folder" "$root$folder"
    done
    exec chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin LANG=C.UTF-8 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
        PYTHONPATH="$2/python" PYTHONDONTWRITEBYTECODE=1 PYTHONWARNINGS=ignore sh -euc "$4"
}

if [ "$1" = --inside ]; then
    shift
    inside "$@"
fi
source=$1 build=$2 root=$3/debian-13
[ "$(id -u)" = 0 ] || { echo "a system of its own needs root"; exit 77; }
command -v debootstrap >/dev/null || { echo "no debootstrap"; exit 77; }
mkdir -p "$3"
if ! [ -d "$root" ]; then
    rm -rf "$root.new"
    debootstrap --variant=minbase --include=python3-torch,python3-numpy trixie "$root.new" http://deb.debian.org/debian \
        >"$3/debootstrap.log" 2>&1 || { tail -n 3 "$3/debootstrap.log"; echo "Debian 13 cannot be fetched"; exit 77; }
    mv "$root.new" "$root"
fi
exec unshare --mount --pid --fork --kill-child "$0" --inside "$source" "$build" "$root" '
cd '"'$source'"'/bindings/torch/tests
python3 -c "import torch; print(\"torch\", torch.__version__)"
python3 run.py 2 operations.py
python3 run.py 4 operations.py
python3 run.py 2 steps.py
python3 run.py 2 symmetric.py
python3 own_tests.py'
