#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# distributions.sh SOURCE WORK [SUITE...]: the wheel of build/wheel/dist in an old and in new distributions: folders that
# debootstrap makes of Debian's releases (bullseye, trixie and sid), each with its own glibc, Python and NumPy. There is
# no compiler in them at first. Each runs sheafshmem.run and jobs; then, with the distribution's compiler, UCX and libfabric, a C
# program, and jobs whose PEs are all far. As root; skipped, with the reason, without debootstrap or a network.

set -eu
source=$1 work=$2
shift 2
[ $# -gt 0 ] || set -- bullseye trixie sid
skip() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "only root can make distributions"
command -v debootstrap >/dev/null || skip "no debootstrap (apt-get install debootstrap)"
[ -d "$source/build/wheel/dist" ] || "$source/scripts/wheel" || skip "no wheel can be made here"

# What runs inside: mounts are its own, and gone with it.
inside() {
    root=$1
    shift
    unshare --mount --pid --fork sh -eu -c '
        root=$1; shift
        mount --bind /dev "$root/dev"; mkdir -p "$root/dev/shm"
        mount -t tmpfs none "$root/dev/shm"; mount -t proc none "$root/proc"; mount --rbind /sys "$root/sys"
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
            ${http_proxy:+http_proxy="$http_proxy"} "$@"' inside "$root" "$@"
}

make_root() {
    rm -rf "$1"
    debootstrap --variant=minbase --include=python3-venv,ca-certificates "$2" "$1" >"$1.log" 2>&1 ||
        { tail -3 "$1.log"; skip "debootstrap cannot make $2"; }
    mkdir -p "$1/wheels" "$1/try"
    cp "$source"/build/wheel/dist/*.whl "$1/wheels/"
    cp "$source"/bindings/python/tests/operations.py "$source"/bindings/python/tests/teams.py "$1/try/"
    cp /etc/resolv.conf "$1/etc/" 2>/dev/null || :
    version=$(inside "$1" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    python3 -m pip download -q --only-binary :all: --python-version "$version" --platform manylinux_2_28_"$(uname -m)" \
        --platform manylinux_2_17_"$(uname -m)" --platform manylinux2014_"$(uname -m)" -d "$1/wheels" \
        'numpy>=1.23' cloudpickle || skip "no package index"
}

cat >"${work}.try" <<'END'
set -eu
cd /try
python3 -m venv venv
venv/bin/pip install -q --no-index --find-links /wheels sheafshmem
export PATH=/try/venv/bin:$PATH OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
python -c 'import sys, numpy, platform; print("with Python", sys.version.split()[0], *platform.libc_ver(), "NumPy", numpy.__version__)'
[ "$(oshrun -n 4 python -c 'import sheafshmem as shmem; a = shmem.full(1, 1); shmem.reduce(a); print(a[0])')" = "4
4
4
4" ]
oshrun -n 3 python operations.py
oshrun -n 2 python teams.py
python -c 'import sheafshmem as shmem; found = shmem.run(lambda: shmem.my_pe() * 2, pes=3); assert found == [0, 2, 4], found'
oshinfo >/dev/null
printf '#include <shmem.h>\n#include <stdio.h>\nint main(void) { shmem_init(); printf("%%d\\n", shmem_n_pes()); }\n' >hello.c
said=$(oshcc hello.c -o hello 2>&1) && { echo "oshcc succeeds without a compiler"; exit 1; }
case $said in
*"no C compiler"*) ;;
*) echo "oshcc without a compiler says: $said"; exit 1 ;;
esac
apt-get update -qq -o Acquire::Check-Valid-Until=no && apt-get install -y -qq --no-install-recommends gcc libc6-dev libucx0 libfabric1 >/dev/null 2>&1 ||
    { echo "no packages: without the part that needs a compiler"; exit 0; }
oshcc hello.c -o hello
[ "$(oshrun -n 2 ./hello)" = "2
2" ]
engine=$(oshinfo | awk '/^(ucx|ofi) / && !/not available/ { print $2, $3; exit }')
if [ -z "$engine" ]; then
    echo "with gcc $(gcc -dumpversion); no far PEs:"
    oshinfo | grep -E '^(ucx|ofi) .*or (a )?later'
    exit
fi
SHEAF_ONNODE=off oshrun -n 3 python operations.py
SHEAF_ONNODE=off oshrun -n 4 python teams.py
echo "with gcc $(gcc -dumpversion); far PEs over $engine"
END

for suite; do
    echo "$suite:"
    make_root "$work.$suite" "$suite"
    cp "${work}.try" "$work.$suite/try/try"
    inside "$work.$suite" sh /try/try
    rm -rf "$work.$suite" "$work.$suite.log"
done
rm -f "${work}.try"
