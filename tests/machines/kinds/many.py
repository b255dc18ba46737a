# SPDX-License-Identifier: BSD-3-Clause
"""Many processors and many PEs, counted and not timed; address spaces of other widths; huge pages; a
processor without AVX2."""
from kind import Machine, Step

WHAT = "16 and 64 CPUs, 256 PEs; 4 and 5 levels of page tables; huge pages; no AVX2"

RUN = "$BUILD/bin/oshrun --timeout {1} -n {0} $BUILD/tests/test-"
SUITE = "tests/machines/guest/suite "


def run(pes, program, seconds):
    return Step(f"{program}, {pes} PEs", RUN.format(pes, seconds - 5) + program, seconds)


def info(text):
    return Step("oshinfo", f"$BUILD/bin/oshinfo | tee /dev/stderr | grep -E '{text}'", 90)


HUGE = "/sys/kernel/mm/transparent_hugepage/shmem_enabled"
POOL = Step("a pool of half the memory", """set -e
    echo 512 >/proc/sys/vm/nr_hugepages
    $BUILD/bin/oshinfo | tee /dev/stderr | grep 'hugetlb pool *512 pages of 2.0 MiB, 512 free'
    """ + RUN.format(2, 60) + "image-heap_end", 90)


def spaces(name, before=""):
    return Step(f"spaces of huge pages: {name}", f"{before} for n in 1 2 3; do " + RUN.format("$n", 60) +
                "spaces-huge | tee /dev/stderr | grep 'huge pages, as there are some' || exit 1; done", 120)


def switched(word):
    return [Step(f"huge pages: {word}", f"echo {word} >{HUGE} && $BUILD/bin/oshinfo | "
                 f"tee /dev/stderr | grep -E 'huge pages, heap +yes'", 60),
            run(2, "image-huge_pages", 40), run(2, "image-heap_end", 60)]


MACHINES = [
    Machine("huge-pages", cpus="4", memory="2G", steps=[
        POOL, spaces("the pool's"), *switched("advise"), *switched("always"),
        spaces("shared memory's", "echo 0 >/proc/sys/vm/nr_hugepages;"),
        Step("tests", SUITE + "'^(image/(heap_sequence|fork|statics|align)[a-z-]*)/pes-[12]$'", 200)]),
    Machine("four-levels", cpus="4", memory="2G", processor="max,la57=off", steps=[
        info("address space +64.0 TiB"), run(8, "image-many", 60), run(2, "image-heap_end", 60)]),
    Machine("no-avx2", cpus="2", processor="max,avx=off,avx2=off", memory="2G", steps=[
        Step("copies", SUITE + "'^copy/'", 200)]),
    # On 2 processors: emulating more of them than there are makes all of it slower.
    Machine("pes", cpus="2", memory="6G", steps=[
        run(128, "image-many", 120), run(256, "image-many", 240)]),
    Machine("cpus-16", cpus="16", memory="3G", steps=[
        info("usable CPUs +16 of 16"), run(16, "image-many", 90), run(64, "image-many", 120)]),
    Machine("cpus-64", cpus="64", memory="3G", steps=[
        info("usable CPUs +64 of 64"), run(8, "image-many", 120)]),
]
