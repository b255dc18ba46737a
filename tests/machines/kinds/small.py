# SPDX-License-Identifier: BSD-3-Clause
"""Little memory, and what systems forbid: no /dev/shm, /proc of others hidden, tracing forbidden, a
cgroup's limits; the oldest kernel that Debian still has, and the newest."""
from kind import Machine, Step

WHAT = "512 MiB without swap, no /dev/shm, hidden /proc, Yama's strictest scope, other kernels"

TESTS = "$BUILD/tests/test-"
JOB = f"$BUILD/bin/oshrun -n 4 --timeout 60 {TESTS}conformance-memory_results"
HYDRA = f"timeout 60 mpiexec.hydra -n 4 {TESTS}image-tiny"
AS_NOBODY = "setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/ "
# The limits of a container. 40 MiB for a PE are
# there; 200 are not, and the job goes on without them.
CGROUP = f"""set -e
    cd /sys/fs/cgroup && echo '+memory +cpu +pids' >cgroup.subtree_control && mkdir box && cd box
    echo 160M >memory.max && echo 50000 50000 >cpu.max && echo 60 >pids.max && echo $$ >cgroup.procs
    $BUILD/bin/oshinfo | tee /dev/stderr | grep -E 'usable CPUs +1 of 2'
    $BUILD/bin/oshinfo | grep -E 'memory +160.0 MiB'
    $BUILD/bin/oshrun -n 2 --timeout 60 {TESTS}image-heap_limit $((40 << 20)) | grep enough
    $BUILD/bin/oshrun -n 2 --timeout 60 {TESTS}image-heap_limit $((200 << 20)) | grep 'too small'
    $BUILD/bin/oshrun -n 8 --timeout 60 {TESTS}image-tiny"""

STEPS = [
    Step("life", JOB, 70),
    Step("no /dev/shm", f"umount /dev/shm && {JOB}", 70),
    Step("hidden /proc", f"mount -o remount,hidepid=2 /proc && {AS_NOBODY}{JOB}", 70),
    Step("hidden /proc, Hydra", AS_NOBODY + HYDRA, 70),
    Step("strict Yama", f"echo 3 >/proc/sys/kernel/yama/ptrace_scope && {AS_NOBODY}{JOB}", 70),
    Step("strict Yama, Hydra", AS_NOBODY + HYDRA, 70),
    Step("heap's end", f"$BUILD/bin/oshrun -n 2 --timeout 90 {TESTS}image-heap_end", 100),
    Step("many PEs", f"$BUILD/bin/oshrun -n 32 --timeout 90 {TESTS}image-many", 100),
    Step("a cgroup's limits", CGROUP, 120),
]
SUITE = Step("tests", "tests/machines/guest/suite "
             "'^(image/(linking|limits|surroundings)|oshrun/(privacy|info))$'", 300)

MACHINES = [
    Machine("512-mib", memory="512M", steps=[SUITE, *STEPS]),
    Machine("older-kernel", kernel="bullseye", memory="512M", steps=STEPS),
    Machine("newer-kernel", kernel="sid", memory="512M", steps=STEPS),
]
