# SPDX-License-Identifier: BSD-3-Clause
"""NUMA nodes with memory and CPUs of their own; one without CPUs; one without memory; a cpuset that
allows one node's memory alone, and the CPUs of another."""
from kind import Machine, Step

WHAT = "2 and 4 NUMA nodes, a node without CPUs, a node without memory, a cpuset of one node"

RUN = "$BUILD/bin/oshrun --timeout 60 -n "
NODES = "$BUILD/tests/test-image-nodes"
MEMORY = "$BUILD/tests/test-conformance-memory_results"
LIFE = Step("life", f"for n in 1 2 4 8; do {RUN}$n {MEMORY} || exit 1; done", 120)
BOUND = Step("bound by a policy", f"{NODES} bind 1 {RUN}2 {NODES} on 1", 60)
# The memory of node 1 for processors of node 0: 64 MiB for a PE are there, more than the node has are not.
CONTAINER = Step("a cpuset of one node", f"""set -e
    cd /sys/fs/cgroup && echo +cpuset >cgroup.subtree_control && mkdir container && cd container
    echo 0-1 >cpuset.cpus && echo 1 >cpuset.mems && echo $$ >cgroup.procs
    $BUILD/bin/oshinfo | tee /dev/stderr | grep 'memory of 1 of them may be used'
    {RUN}2 {NODES} on 1
    {RUN}2 $BUILD/tests/test-image-heap_limit $((64 << 20)) | grep enough
    {RUN}2 $BUILD/tests/test-image-heap_limit $((512 << 20)) | grep 'too small'""", 120)
TESTS = Step("tests", "tests/machines/guest/suite "
             "'^(image/(statics-pie|pointer|fork)|coll/collectives|copy/.*)/pes-[24]$'", 300)
SPACES = Step("spaces", f"""set -e
    for n in 1 2 4; do {RUN}$n $BUILD/tests/test-spaces-policy; done
    for kind in numa:0 numa:1 interleave; do {RUN}4 $BUILD/tests/test-spaces-spaces $kind; done
    {RUN}2 $BUILD/tests/test-spaces-refused numa:9 4096 2>&1 | tee /dev/stderr | grep 'no NUMA node 9 with memory'""", 120)
# The kernel numbers the nodes itself: one of the four has no memory.
UNEVEN_SPACES = Step("spaces", f"""set -e
    {RUN}4 $BUILD/tests/test-spaces-policy
    for node in 0 1 2 3; do {RUN}2 $BUILD/tests/test-spaces-refused numa:$node 4096 || true; done 2>&1 |
        tee /dev/stderr | grep -c 'no NUMA node [0-3] with memory' | grep -x 1""", 120)
# Barriers, teams and collectives of 8 PEs that are spread over the nodes.
COLLECTIVES = Step("collectives", f"""set -e
    {RUN}4 $BUILD/tests/test-coll-collectives && {RUN}8 $BUILD/tests/test-coll-collectives""", 200)


# Of PE 0's puts a quarter goes to the other node.
MIX = Step("a known mix", "python3 -B tests/machines/guest/node_mix.py 1 2", 60)


def node(number, cpus, memory):
    """QEMU's arguments for one node: cpus "0-1" or None, memory in MiB or 0."""
    parts = [f"node,nodeid={number}"] + ([f"cpus={cpus}"] if cpus else [])
    parts += [f"memdev=m{number}"] if memory else []
    backend = ["-object", f"memory-backend-ram,id=m{number},size={memory}M"] if memory else []
    return [*backend, "-numa", ",".join(parts)]


def distances(*triples):
    return [word for source, target, value in triples
            for word in ("-numa", f"dist,src={source},dst={target},val={value}")]


def info(text):
    return Step("oshinfo", f"$BUILD/bin/oshinfo | tee /dev/stderr | grep -E '{text}'", 60)


QUIET = Step("no word of others", f'said=$({RUN}4 $BUILD/tests/test-image-tiny 2>&1 >/dev/null); '
             'echo "$said"; [ -z "$said" ]', 60)


def span(pes, nodes):
    return Step(f"placement of {pes}", f"{RUN}{pes} {NODES} span {nodes}", 70)


MACHINES = [
    Machine("two", [info("NUMA nodes +2$"), span(2, 2), span(4, 2), BOUND, LIFE, TESTS, SPACES, MIX, CONTAINER],
            cpus="4,sockets=2,cores=2", memory="2G",
            qemu=[*node(0, "0-1", 1024), *node(1, "2-3", 1024), *distances((0, 1, 21))]),
    Machine("four", [info("distances 10 15 25 30"), span(4, 4), LIFE, COLLECTIVES],
            cpus="4,sockets=4,cores=1", memory="2G",
            qemu=[*node(0, "0", 512), *node(1, "1", 512), *node(2, "2", 512), *node(3, "3", 512),
                  *distances((0, 1, 15), (0, 2, 25), (0, 3, 30), (1, 2, 30), (1, 3, 25), (2, 3, 15))]),
    # Node 3's nearest memory is node 1's.
    Machine("uneven", [info("NUMA nodes +4; memory of 3 of them"), span(4, 2), QUIET, LIFE, UNEVEN_SPACES],
            cpus="4,sockets=4,cores=1", memory="2G",
            qemu=[*node(0, "0-1", 1024), *node(1, "2", 512), *node(2, None, 512), *node(3, "3", 0),
                  *distances((0, 1, 20), (0, 2, 20), (0, 3, 30), (1, 2, 20), (1, 3, 15), (2, 3, 30))]),
]
