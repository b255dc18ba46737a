# SPDX-License-Identifier: BSD-3-Clause
"""NUMA nodes with memory and CPUs of their own; without CPUs; without memory."""
from kind import Machine, Step

WHAT = "2 and 4 NUMA nodes, a node without CPUs, a node without memory"

SUITE = Step("tests", "tests/machines/guest/suite '^(image|coll|heap|oshrun)/.*' -E 'pes-(32|wide)'", 600)
INFO = Step("oshinfo", "$BUILD/bin/oshinfo", 60)

MACHINES = [
    Machine("two", [INFO], cpus=4, memory="3G", qemu=[
        "-object", "memory-backend-ram,id=m0,size=1536M", "-object", "memory-backend-ram,id=m1,size=1536M",
        "-numa", "node,nodeid=0,cpus=0-1,memdev=m0", "-numa", "node,nodeid=1,cpus=2-3,memdev=m1",
        "-numa", "dist,src=0,dst=1,val=21"]),
]
