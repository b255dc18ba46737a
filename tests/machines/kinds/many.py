# SPDX-License-Identifier: BSD-3-Clause
"""Many processors and many PEs, counted and not timed; address spaces of other widths; huge pages."""
from kind import Machine, Step

WHAT = "16 CPUs and 256 PEs; huge pages; no AVX2"

INFO = "$BUILD/tests/test-conformance-info"
COPIES = "$BUILD/tests/test-conformance-memory_results"

MACHINES = [
    Machine("cpus-16", cpus="16", memory="4G", steps=[
        Step("oshinfo", "$BUILD/bin/oshinfo | grep 'usable CPUs  *16 of 16'", 60),
        Step("64 PEs", f"$BUILD/bin/oshrun -n 64 --timeout 90 {INFO}", 100),
        Step("256 PEs", f"$BUILD/bin/oshrun -n 256 --timeout 150 {INFO}", 160),
    ]),
    Machine("no-avx2", processor="max,avx2=off,avx512f=off", steps=[
        Step("copies", f"$BUILD/bin/oshrun -n 2 --timeout 100 {COPIES}", 120),
    ]),
]
