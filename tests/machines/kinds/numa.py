# SPDX-License-Identifier: BSD-3-Clause
"""NUMA nodes with memory and CPUs of their own; one without CPUs; one without memory."""
from kind import Machine, Step

WHAT = "2 and 4 NUMA nodes, a node without CPUs, a node without memory"

MEMORY = "$BUILD/tests/test-conformance-memory_results"
LIFE = Step("life", f"for n in 1 2 4; do $BUILD/bin/oshrun -n $n --timeout 60 {MEMORY} || exit 1; done",
            120)
SUITE = "'^(image/(statics-pie|pointer)|coll/collectives)/pes-2$'"
TESTS = Step("tests", f"tests/machines/guest/suite {SUITE}", 300)


def node(number, cpus, memory):
    """QEMU's arguments for one node: cpus "0-1" or None, memory in MiB or 0."""
    parts = [f"node,nodeid={number}"] + ([f"cpus={cpus}"] if cpus else [])
    parts += [f"memdev=m{number}"] if memory else []
    backend = ["-object", f"memory-backend-ram,id=m{number},size={memory}M"] if memory else []
    return [*backend, "-numa", ",".join(parts)]


def info(nodes):
    return Step("oshinfo", f"$BUILD/bin/oshinfo | tee /dev/stderr | grep -q 'NUMA nodes  *{nodes}'", 60)


MACHINES = [
    Machine("two", [info(2), LIFE, TESTS], cpus=4, memory="2G",
            qemu=[*node(0, "0-1", 1024), *node(1, "2-3", 1024), "-numa", "dist,src=0,dst=1,val=21"]),
    Machine("uneven", [info(4), LIFE], cpus=4, memory="2G",
            qemu=[*node(0, "0-1", 1024), *node(1, "2", 512), *node(2, None, 512), *node(3, "3", 0)]),
]
