# SPDX-License-Identifier: BSD-3-Clause
"""Little memory, and what systems forbid: no /dev/shm, /proc of others hidden, tracing forbidden."""
from kind import Machine, Step

WHAT = "512 MiB without swap, no /dev/shm, hidden /proc, Yama's strictest scope, other kernels"

HELLO = "$BUILD/bin/oshrun -n 4 --timeout 60 $BUILD/tests/test-conformance-memory_results"
AS_NOBODY = "setpriv --reuid 65534 --regid 65534 --clear-groups "

STEPS = [
    Step("life", HELLO, 70),
    Step("no /dev/shm", f"umount /dev/shm && {HELLO}", 70),
    Step("hidden /proc", f"mount -o remount,hidepid=2 /proc && {AS_NOBODY}{HELLO}", 70),
    Step("strict Yama", f"echo 3 >/proc/sys/kernel/yama/ptrace_scope && {AS_NOBODY}{HELLO}", 70),
]

MACHINES = [
    Machine("512-mib", memory="512M", steps=STEPS),
    Machine("older-kernel", kernel="bullseye", memory="512M", steps=STEPS),
    Machine("newer-kernel", kernel="sid", memory="512M", steps=STEPS),
]
