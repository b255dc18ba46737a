# SPDX-License-Identifier: BSD-3-Clause
"""AArch64: what is compiled for it, on processors with LSE and without, on pages of 4 and 16 KiB.

Debian has no kernel of 64 KiB pages, and none of 39-bit addresses. The root has no compiler: what
compiles programs does not run there.
"""
from kind import Machine, Step

WHAT = "AArch64: layout, fences, atomics with and without LSE, copies, inline forms, stack traces"

NEEDS_COMPILER = "^(apps/build|image/(linking|statics-gold)|inline/instructions|interface/(headers|generics|functions|printed.*))$"


def tests(name, regex, seconds, without="^$"):
    return Step(name, f"tests/machines/guest/suite '{regex}' -E '{NEEDS_COMPILER}|{without}'", seconds)


INFO = Step("oshinfo", "uname -m; getconf PAGESIZE; INFO=$($BUILD/bin/oshinfo); echo \"$INFO\"; "
            "grep -q 'usable CPUs  *2 of 2' <<<\"$INFO\"", 60)
ORDER = tests("order and atomics", "^(atomics|litmus|threads)/.*pes-2$", 150, "broken")
INLINE = tests("inline forms", "^inline/", 180, "pes-(1|2|4|8|32)$")
COPIES = tests("copies", "^copy/", 60, "pes-(1|2|4|8|32)$|ways-aarch64")

MACHINES = [
    Machine("without-lse", [INFO, ORDER, COPIES, INLINE], architecture="aarch64", processor="cortex-a53",
            memory="2G"),
    Machine("with-lse", [
        INFO,
        tests("one host", "^(conformance|typed|noncontiguous|coll)/[a-z_-]*/pes-3$", 300, "back-to-back"),
    ], architecture="aarch64", memory="2G"),
    Machine("lse-alone", [ORDER, tests("inline forms", "^inline/(families|life-pie)/pes-3$", 60)],
            architecture="aarch64", preset="arm64-lse", memory="2G"),
    Machine("pages-of-16-kib", [
        INFO,
        tests("layout", "^image/(statics|constructors|heap_sequence)[a-z_-]*(/pes-3)?$|^heap/units$", 150),
        tests("signals and traces", "^oshrun/(signals|info|board)$", 200),
        tests("faults", "^image/wild$", 200),
        tests("mistakes", "^conformance/mistakes$", 300),
    ], kernel="trixie-16k", architecture="aarch64", memory="2G"),
]
