# SPDX-License-Identifier: BSD-3-Clause
#
# The part that is run between two hosts, made of network namespaces, with a PE on each. They share this machine's CPUs, of
# which each PE has one.

import os
import pathlib

import engines
from hosts import Site, Unavailable
from papers import ATOMIC, BALE, REMOTE
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
    """What makes a row one between two hosts, half of the PEs on each, under the way's launcher. rate: of each host's link."""
    launch_s, is_far, pes, rate = LAUNCH_S, True, (2,), None

    def counts(self, counts, crowd):
        return list(self.pes)

    def command(self, way, program, pes, cpus, environment):
        yields = {"OMPI_MCA_mpi_yield_when_idle": "1"} if pes > cpus else {}
        given = {name: value for name, value in environment.items() if name.startswith("BENCH_")}
        passed_on = {**NETWORK, **yields, **self.settings, **given}
        pinned = [BENCH / "diposh/pinned"] if self.is_app else []
        prefix = getattr(way, "prefix", None)
        found = ["env", f"PATH={prefix}/bin:{os.environ['PATH']}"] if prefix else []
        # A host has a /tmp of its own: the folder in which the program lies stays in sight, and that of its MPI.
        return [*found, BENCH.parent / "tests/hosts/run-on-hosts", "--hosts", "2", "--pes", str(pes // 2), "--launcher", way.launcher,
                *(["--rate", self.rate] if self.rate else []), "--keep", pathlib.Path(program[0]).parent,
                *(["--keep", prefix] if prefix else []), "--",
                "env", *(f"{name}={value}" for name, value in passed_on.items()), *pinned, *program]


class FarRow(Far, Row):
    def __init__(self, app, label, *arguments, settings=None):
        super().__init__(app, f"{label}, {OVER}", *arguments, ways=("Sheaf",), settings=settings)


class Multigrid(Far, Row):
    """One-sided and two-sided."""

    def __init__(self, size, cost, pes, rate=None):
        self.rate, self.pes = rate, (pes,)
        each = {2: "one PE", 4: "two PEs"}[pes]
        super().__init__("mg", f"class {size}, {each} a host, {OVER}{' at 1 Gbit/s' if rate else ''}",
                         f"--class {size} --rounds {3 if size == 'A' else 1}", "--class W --rounds 3" if size == "A" else None, cost,
                         exchanges=True)

    def takes(self, way):
        return way.name == "Sheaf" or way.suffix == "mpi"


class FarBench(Far, Bench):
    def __init__(self, program, whats, label, settings):
        super().__init__(program, whats, 4, "8", "", 2, ("Sheaf",), label=f"{label}, {OVER}", settings=settings)


# One by one each operation is a message of its own, as in the papers, where Sheaf does not gather those without a result.
SINGLY = {"SHEAF_PACE": "aggregate_after=1000000"}


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
            "in a message of its own (SHEAF_PACE=aggregate_after=1000000), one by one as Sheaf does it, which gathers those without a "
            "result while others are under way, and in a session. Atomic operations of 4 and 8 bytes by who carries them out: the "
            "network, by an operation of its own or built from its compare-and-swap (over TCP the target's process does both for "
            "UCX), or the target's processor, by message.", [*sessions(), *atomics()], f"{ATOMIC}, and {BALE}")

MULTIGRID = Part("multigrid", "NAS MG between two hosts",
                 "Two hosts made of network namespaces, over TCP: the whole, and what exchanges take of it on the PE that spends least "
                 "there, which is what the versions differ by. The outer planes are sent first and travel while the others are "
                 "computed.",
                 [Multigrid("A", 4, 2), Multigrid("A", 4, 4), Multigrid("A", 4, 2, "1gbit"), Multigrid("B", 6, 2), Multigrid("B", 6, 4)],
                 REMOTE)
