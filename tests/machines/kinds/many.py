# SPDX-License-Identifier: BSD-3-Clause
"""Many processors and many PEs, counted and not timed; address spaces of other widths; huge pages."""
from kind import Machine, Step

WHAT = "16 CPUs and 256 PEs; huge pages; no AVX2"

HUGE = ("echo advise >/sys/kernel/mm/transparent_hugepage/shmem_enabled; "
        "echo 64 >/proc/sys/vm/nr_hugepages; $BUILD/bin/oshinfo | grep -i huge")

MACHINES = [
    Machine("cpus-16", cpus=16, memory="6G", steps=[
        Step("oshinfo", "$BUILD/bin/oshinfo | grep -q 'usable CPUs  *16 of 16'", 120),
        Step("start-64", "$BUILD/bin/oshrun -n 64 --timeout 200 $BUILD/tests/test-conformance-info", 220),
        Step("start-256", "$BUILD/bin/oshrun -n 256 --timeout 400 $BUILD/tests/test-conformance-info", 420),
    ]),
    Machine("huge-pages", memory="3G", steps=[
        Step("settings", HUGE, 60),
        Step("tests", "tests/machines/guest/suite '^(heap|image/(statics|heap|align))/?.*(pes-[24]$)'", 500),
    ]),
    Machine("no-avx2", processor="max,avx2=off,avx512f=off", steps=[
        Step("large copies", "$BUILD/bin/oshrun -n 2 --timeout 100 $BUILD/tests/test-conformance-memory_results", 120),
    ]),
]
