# SPDX-License-Identifier: BSD-3-Clause
"""Little memory, and what systems forbid: no /dev/shm, /proc of others hidden, tracing forbidden."""
from kind import Machine, Step

WHAT = "512 MiB without swap, no /dev/shm, hidden /proc, Yama's strictest scope, another kernel"

HELLO = "$BUILD/bin/oshrun -n 4 --timeout 60 $BUILD/tests/test-conformance-memory_results"
# nobody has no way to the build but by what everybody may read.
AS_NOBODY = "setpriv --reuid 65534 --regid 65534 --clear-groups "

STEPS = [
    Step("life", HELLO, 90),
    Step("no /dev/shm", "umount /dev/shm && " + HELLO, 90),
    Step("hidden /proc", "mount -o remount,hidepid=2 /proc && " + AS_NOBODY + HELLO, 90),
    Step("strict Yama", "echo 3 >/proc/sys/kernel/yama/ptrace_scope && " + AS_NOBODY + HELLO, 90),
    Step("heap's end", "$BUILD/bin/oshrun -n 2 --timeout 100 $BUILD/tests/test-image-heap_end", 120),
]

MACHINES = [
    Machine("512-mib", memory="512M", steps=STEPS),
    Machine("newer-kernel", kernel="6.12", memory="512M", steps=STEPS),
]
