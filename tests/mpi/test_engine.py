# SPDX-License-Identifier: BSD-3-Clause
"""MPI as the network of programs that use it themselves, on one host where every PE is far: any order of beginnings
and ends succeeds; what cannot be is refused in one line of each PE, and the job ends with another status than 0.
Arguments: the MPI, a program of both (tests/oshrun/both.c), programs of Sheaf alone."""
import os
import re
import sys

import jobs
from jobs import mpich

PES = 2
ENGINE = {"SHEAF_ENGINE": "mpi", "SHEAF_ONNODE": "off"}
ORDERS = ("MSMS", "MSSM", "SMMS", "SMSM", "MSSSSM", "SSMSMS", "SMSSMS")
LEVELS = ("MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED")
BOTH_MPIS = "libmpi.so.40 libmpich.so.12"


class Engine:
    def __init__(self, mpi, both, alone):
        self.mpi, self.both, self.alone, self.wrong = mpi, both, alone, 0

    def run(self, program, settings):
        assigned = [f"{name}={value}" for name, value in {**ENGINE, **settings}.items()]
        return jobs.run(self.mpi, PES, ["env", *assigned, *program], timeout=30)

    def say(self, name, is_good, job):
        status, out, errors = job
        print(f"{name}: as it should be" if is_good else f"{name}: status {status}\n{out}{errors}", flush=True)
        self.wrong += not is_good

    def succeed(self, name, program, settings=()):
        job = self.run(program, dict(settings))
        self.say(name, job[0] == 0 and "sheaf:" not in job[2] and not job[1], job)

    def refuse(self, name, program, parts, settings=()):
        """A line of each PE at most, and of one at least, that has all parts."""
        job = self.run(program, dict(settings))
        lines = [line for line in job[2].splitlines() if re.search(r"sheaf: .*(engine mpi: host \S+: |PMI_FD=)", line)]
        named = [line for line in lines if all(part in line for part in parts)]
        self.say(name, job[0] not in (0, 124) and 1 <= len(lines) <= PES and len(named) == len(lines), job)

    def begin_and_end(self):
        for order in ORDERS:
            self.succeed(order, [self.both, order])
        self.succeed("windows", [self.both, "SSMSMS"], {"SHEAF_RMA": "native"}.items())

    def levels(self):
        for level, name in enumerate(LEVELS):
            self.refuse(name, [self.both, "MSSM", str(level)], (name, "MPI_THREAD_MULTIPLE is needed", "MPI_Init_thread"))
        for level in ("2", "3"):
            self.succeed(f"level {level} without a thread", [self.both, "MSSM", level], {"SHEAF_PROGRESS": "none"}.items())
        self.refuse("level 1 without a thread", [self.both, "MSSM", "1"],
                    ("MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED is needed"), {"SHEAF_PROGRESS": "none"}.items())

    def each(self, programs):
        """Those that no launcher's language tells which MPI is meant."""
        for program in programs:
            for way in ("message", "native"):
                self.succeed(f"{os.path.basename(program)} by {way}", [program], {"SHEAF_MPI": self.mpi, "SHEAF_RMA": way})

    def others(self):
        after = "the first shmem_init comes before" if self.mpi == "mpich" else "MPI has been finalized"
        self.refuse("after the end of MPI", [self.both, "MMSS"], ("MPI_Finalize", after))
        self.refuse("two MPIs", [self.alone], ("two MPIs", "libmpi.so.40", "libmpich.so.12", "link"),
                    {"LD_PRELOAD": BOTH_MPIS}.items())
        other = "mpich" if self.mpi == "openmpi" else "openmpi"
        self.refuse("another MPI than the program's", [self.both, "MSSM"], (f"SHEAF_MPI={other}", "unset SHEAF_MPI"),
                    {"SHEAF_MPI": other}.items())
        if other == "mpich" and mpich.speaks_pmix():
            return # as Open MPI's launcher does
        self.refuse("another MPI than the launcher's", [self.alone], ("1 process", f"{PES} PEs", "SHEAF_MPI"),
                    {"SHEAF_MPI": other}.items())


def main():
    mpi, both, alone, *programs = sys.argv[1:]
    jobs.need(mpi, both, alone)
    os.environ.pop("SHEAF_MPI", None)
    engine = Engine(mpi, both, alone)
    engine.begin_and_end()
    engine.levels()
    engine.others()
    engine.each(programs)
    sys.exit(engine.wrong != 0)


if __name__ == "__main__":
    main()
