# SPDX-License-Identifier: BSD-3-Clause
#
# What is run between hosts: programs, on how many hosts with how many PEs, with which sizes. Knows neither
# libraries nor how a job is started.

import os

from launchers import Layout

CROWD = 32  # PEs per CPU
TRANSFERS = "8,64,1024,4096,32768,262144,1048576,4194304"
COLLECTIVES = ("barrier", "reduce", "broadcast", "fcollect")
OVER_EACH_ENGINE = ("put", "get", "amo", "pingpong")


class Job:
    """One program on some hosts with as many PEs each, in the first `rounds` rounds (0: in all)."""

    def __init__(self, program, hosts, pes, sizes="", rounds=0, libraries=None, **settings):
        self.program, self.hosts, self.pes, self.rounds, self.libraries = program, hosts, pes, rounds, libraries
        self.settings = {f"BENCH_{name.upper()}": str(value) for name, value in settings.items()}
        if sizes:
            self.settings["BENCH_SIZES"] = sizes

    @property
    def name(self):
        return f"{self.program} {self.hosts}x{self.pes}"

    @property
    def layout(self):
        return Layout([self.pes] * self.hosts)

    @property
    def timed(self):
        """The whole launch is what is measured."""
        return self.program == "start"

    @property
    def suffix(self):
        """What tells its figures from those of the same program on other hosts."""
        return f", {self.hosts} hosts" if self.timed else ""


def transfers(quick):
    sizes = "8,4096,1048576" if quick else TRANSFERS
    for program in ("put", "get", "stream"):
        yield Job(program, 2, 1, sizes)
    for program in ("amo", "pingpong", "signal", "blocks", "noncontiguous"):
        yield Job(program, 2, 1)
    yield Job("limits", 2, 1, sizes)
    yield Job("overlap", 2, 1, "8,4096,1048576" if quick else TRANSFERS, asleep=1, kernel=0 if quick else 1,
              rounds=1 if quick else 0)


def collectives(quick):
    sizes = "8,4096" if quick else "8,1024,4096,65536,1048576"
    for pes in (1, 2):
        for program in COLLECTIVES:
            yield Job(program, 2, pes, sizes, batches=31, one_form=1)


def levels(quick):
    for hosts in (2, 4):
        for program in COLLECTIVES:
            yield Job(program, hosts, 4, "8,4096" if quick else "8,4096,1048576", batches=15, one_form=1,
                      rounds=1 if quick else 3, libraries=("Sheaf", "Sheaf flat"))


def progress(quick):
    yield Job("progress", 2, 1, rounds=1, compute_ms=1000 if quick else 10000)


def sessions(quick):
    for hosts, pes in ((2, 1), (4, 2)):
        yield Job("sessions", hosts, pes, batches=5, rounds=1 if quick or hosts > 2 else 3)


def bursts(quick):
    for hosts, pes in ((2, 1), (4, 2)):
        yield Job("burst", hosts, pes, "8,4096", batches=5, rounds=1 if quick or hosts > 2 else 3)


def starts(quick):
    for hosts in (2, 4):
        for total in (2, 16) if quick else (2, 16, 64, 256):
            pes = max(total // hosts, 1)
            # Open MPI does not start so many PEs on two CPUs in a minute, and takes minutes to be ended.
            alone = ("Sheaf",) if total > CROWD * (os.cpu_count() or 1) else None
            yield Job("start", hosts, pes, rounds=3 if total <= 16 and not quick else 1, libraries=alone)


def all_jobs(quick):
    for kind in (transfers, collectives, levels, progress, bursts, sessions, starts):
        yield from kind(quick)
