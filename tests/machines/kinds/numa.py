# SPDX-License-Identifier: BSD-3-Clause
"""NUMA nodes with memory and CPUs of their own; one without CPUs; one without memory."""
from kind import Machine, Step

WHAT = "2 and 4 NUMA nodes, a node without CPUs, a node without memory"

INFO = Step("oshinfo", "$BUILD/bin/oshinfo | tee /dev/stderr | grep -q 'NUMA nodes  *'$NODES", 90)
HELLO = Step("life", "for n in 1 2 4; do $BUILD/bin/oshrun -n $n --timeout 60 "
             "$BUILD/tests/test-conformance-memory_results || exit 1; done", 200)
TESTS = Step("tests", "tests/machines/guest/suite '^(image/(statics|heap|align|pointer)|coll/coll|oshrun/opt).*(pes-[24]$|options)'",
             600)


def node(number, cpus, memory, name):
    """QEMU's arguments for one node: cpus "0-1" or None, memory in MiB or 0."""
    arguments = [f"node,nodeid={number}" + (f",cpus={cpus}" if cpus else "") +
                 (f",memdev={name}" if memory else "")]
    backend = ["-object", f"memory-backend-ram,id={name},size={memory}M"] if memory else []
    return [*backend, "-numa", *arguments]


def with_nodes(count, steps):
    return [Step(step.name, f"NODES={count}; {step.command}", step.seconds) for step in steps]


MACHINES = [
    Machine("two", with_nodes(2, [INFO, HELLO, TESTS]), cpus=4, memory="3G",
            qemu=[*node(0, "0-1", 1536, "m0"), *node(1, "2-3", 1536, "m1"),
                  "-numa", "dist,src=0,dst=1,val=21"]),
    Machine("uneven", with_nodes(4, [INFO, HELLO]), cpus=4, memory="3G",
            qemu=[*node(0, "0-1", 1024, "m0"), *node(1, "2", 1024, "m1"), *node(2, None, 1024, "m2"),
                  *node(3, "3", 0, "m3")]),
]
