# SPDX-License-Identifier: BSD-3-Clause
"""Adapters: soft-RoCE (rdma_rxe) for hosts made of namespaces; see guest/adapters.

Datagrams (ud) are for peers to meet: without them they meet by TCP, where UCX 1.13 crashes.
"""
from kind import Machine, Step

WHAT = "InfiniBand verbs by soft-RoCE between two hosts: RMA, atomic operations, what goes wrong"

ON = "export HOSTS_RDMA=1 UCX_TLS=rc_verbs,ud_verbs,self UCX_IB_GID_INDEX=0; "
HEAD = ON + "tests/hosts/run-on-hosts --hosts 2 --head -- /bin/bash -c '%s'"
INFO = "/run/site/enter h1 /run/site/adapter $BUILD/bin/oshinfo "
LIST = "$BUILD/tests/hosts/programs.txt"


def programs(pes, names, more="", arguments=""):
    """Test programs of the build, on two hosts with so many PEs each."""
    return (ON + SHORT + more + f"python3 -B tests/hosts/suite.py --launcher hydra --pes {pes}+{pes} "
            f"--programs {LIST} --only '^({names})$' --arguments '{arguments}'")


# UCX registers 70 MB for what arrives, for each of a program's contexts; the queue's length decides.
SHORT = "export UCX_RC_VERBS_RX_QUEUE_LEN=256 UCX_UD_VERBS_RX_QUEUE_LEN=256; "
RMA = "conformance/(ordering|contexts)|typed/rma|noncontiguous/strided"
MORE = "conformance/signals|noncontiguous/(accumulate|vector|handles)|sessions/waits|coll/collectives"
# The same set that the adapter has: atomics/domains then looks at who does what.
ADAPTER = "export SHEAF_ATOMICS=%s SHEAF_ATOMICS_NATIVE=add64,cswap64; "
ATOMICS = "atomics/(domains|hammer)"
HAMMER = "7 2"  # its seed and rounds: one in sessions, one without
FEWER = "100"   # of conformance/ordering, a hundred times as long as on this machine; others take none

ADAPTERS = Step("adapters", "tests/machines/guest/adapters 2 && "
                "for n in 1 2; do ibv_devinfo -d rxeh$n; done", 30)


# Two PEs on each of two hosts, each PE with an adapter of its own. A PE's objects are its adapter's, so both have received
# thousands of packets.
TWO = Step("two adapters on each host", "tests/machines/guest/adapters 2 two && "
           "for n in 1 2; do ibv_devinfo -d rxeh$n && ibv_devinfo -d rxeh${n}b; done", 30)
BOTH = Step("device-2", programs(2, ATOMICS, ADAPTER % "device", HAMMER) + " && for device in rxeh1 rxeh1b rxeh2 rxeh2b; do "
            "packets=$(cat /sys/class/infiniband/$device/ports/1/hw_counters/rcvd_pkts); echo $device has received $packets packets; "
            "[ $packets -gt 1000 ] || exit 1; done", 200)


def machine(name, *steps, adapters=ADAPTERS):
    return Machine(name, [adapters, *steps], modules=["veth", "bridge", "rdma_rxe", "crc32_generic"])


MACHINES = [
    machine("atomics",
            Step("oshinfo", HEAD % (INFO + "&& " + INFO + "--amo | tee /dev/stderr | grep -q native"), 60),
            Step("device-1", programs(1, ATOMICS + "|conformance/atomics", ADAPTER % "device", HAMMER), 150),
            Step("device-2", programs(2, ATOMICS, ADAPTER % "device", HAMMER), 150),
            Step("hinted-1", programs(1, ATOMICS, ADAPTER % "hinted", HAMMER), 150)),
    machine("two-adapters", BOTH, adapters=TWO),
    machine("rma",
            Step("rma-1", programs(1, RMA, arguments=FEWER), 240),
            Step("rma-2", programs(2, MORE), 240)),
    machine("faults",
            Step("faults", ON + SHORT + "python3 -B tests/machines/guest/adapter_faults.py", 300)),
]
