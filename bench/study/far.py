# SPDX-License-Identifier: BSD-3-Clause
#
# The part that is run between two hosts, made of network namespaces, with a PE on each. They share this machine's CPUs, of
# which each PE has one.

import pathlib

import engines
from hosts import Site, Unavailable
from papers import ATOMIC, BALE
from rows import NANOSECONDS, SECONDS_FIRST, Bench, Part, Row

BENCH = pathlib.Path(__file__).resolve().parent.parent
LAUNCH_S = 3
NETWORK = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0", "SHEAF_ENGINE": "ucx"}
OVER = "over TCP"


def why_not(build):
    """Why there are no two hosts, or None."""
    if "ucx" not in engines.engines(build):
        return "no two hosts: this build has no UCX"
    try:
        with Site(1):
            return None
    except Unavailable as reason:
        return f"no two hosts: {reason}"


class Far:
    """What makes a row one between hosts: Sheaf alone runs it, under the hosts' launcher."""
    launch_s, is_far = LAUNCH_S, True

    def counts(self, counts, crowd):
        return [2]

    def command(self, way, program, pes, cpus, environment):
        passed_on = {**NETWORK, **self.settings, **{name: value for name, value in environment.items() if name.startswith("BENCH_")}}
        pinned = [BENCH / "diposh/pinned"] if self.is_app else []
        # A host has a /tmp of its own: the folder in which the program lies stays in sight.
        return [BENCH.parent / "tests/hosts/run-on-hosts", "--pes", "1+1", "--keep", pathlib.Path(program[0]).parent, "--",
                "env", *(f"{name}={value}" for name, value in passed_on.items()), *pinned, *program]


class FarRow(Far, Row):
    def __init__(self, app, label, *arguments, settings=None):
        super().__init__(app, f"{label}, {OVER}", *arguments, ways=("Sheaf",), settings=settings)


class FarBench(Far, Bench):
    def __init__(self, program, whats, label, settings):
        super().__init__(program, whats, 4, "8", "", 2, ("Sheaf",), label=f"{label}, {OVER}", settings=settings)


# One by one each operation is a message of its own, as in the papers, where Sheaf does not gather those without a result.
SINGLY = {"SHEAF_PACE": "gather_after=1000000"}


def sessions():
    """As many operations one by one as take a second or two; more of them in a session where the time is of one."""
    for app, option, said, unit, few, many in (
            ("histogram", "--updates", NANOSECONDS, "ns", 200000, 4000000), ("gather", "--reads", NANOSECONDS, "ns", 100000, 4000000),
            ("triangles", "--order random --generate", SECONDS_FIRST, "s", 10000, 10000)):
        for label, way, count, settings in (("one by one, not gathered", "plain", few, SINGLY), ("one by one", "plain", few, None),
                                            ("in a session", "session", many, None)):
            yield FarRow(app, label, f"{option} {count} --way {way}", f"{option} {count // 10} --way {way}", 2, said, unit,
                         settings=settings)
    for app, problem in (("gups", "--bits 14"), ("permutation", "--count 40000"), ("transpose", "--rows 4000 --columns 4000"),
                         ("toposort", "--order 4000"), ("bfs", "--graph kronecker --scale 13")):
        for label, way, settings in (("one by one, not gathered", "plain", SINGLY), ("one by one", "plain", None),
                                     ("in a session", "session", None)):
            yield FarRow(app, label, f"{problem} --way {way}", None, 2, settings=settings)


def atomics():
    for label, settings in (("native", {"SHEAF_ATOMICS": "device", "SHEAF_ATOMICS_NATIVE": "all"}),
                            ("built from compare-and-swap", {"SHEAF_ATOMICS": "device", "SHEAF_ATOMICS_NATIVE": "cswap64"}),
                            ("by message", {"SHEAF_ATOMICS": "cpu"})):
        yield FarBench("atomics", ("fetch-add", "add + quiet", "swap", "cswap"), label, settings)


PART = Part("network", "Over the network",
            "Two hosts made of network namespaces, a PE on each, TCP through UCX. Small operations on random words: one by one, each "
            "in a message of its own (SHEAF_PACE=gather_after=1000000), one by one as Sheaf does it, which gathers those without a "
            "result while others are under way, and in a session. Atomic operations of 4 and 8 bytes by who carries them out: the "
            "network, by an operation of its own or built from its compare-and-swap (over TCP the target's process does both for "
            "UCX), or the target's processor, by message.", [*sessions(), *atomics()], f"{ATOMIC}, and {BALE}")
