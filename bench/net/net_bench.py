# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles the programs of jobs with libraries, runs them between the hosts of a site, and keeps what they say.
# Whoever measures decides what takes turns with what.

import os
import pathlib
import re
import shlex
import sys
import time

import measure
import net_limits

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_S = 60
HOSTS = 4
NETWORK = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}  # for every library and limit
LAUNCHER = "openmpi"


def source_of(program):
    places = [HERE / f"{program}.c", measure.node_source(program), HERE.parent / f"mpi/{program}.c"]
    return next((place for place in places if place.exists()), places[0])


class Library(measure.Library):
    """And how its launcher's line differs from mpirun's: the command, options, and those that are added
    where PEs share CPUs. network: what its UCX is told."""

    def __init__(self, name, oshcc, launcher=None, options=(), crowded=(), environment=None, programs=None,
                 network=NETWORK):
        super().__init__(name, oshcc, {**network, **(environment or {})}, programs)
        self.launcher, self.options, self.crowded = launcher, list(options), list(crowded)

    def line(self, command, crowded):
        extra = self.options + (self.crowded if crowded else [])
        return [self.launcher or command[0], *extra, *command[1:]]


class Bench:
    """Runs jobs between the hosts of a site and keeps what they say."""

    def __init__(self, site, launcher, libraries, output, cpus, quick, end):
        self.site, self.launcher, self.libraries, self.output = site, launcher, libraries, output
        self.cpus, self.quick, self.end = cpus, quick, end
        self.figures = measure.Figures()
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("UCX_", "SHEAF_", "SHMEM_", "SMA_", "BENCH_"))}
        # Short batches, many of them: what else runs here spoils some, and the median not.
        self.settings = {"BENCH_CPUS": ",".join(map(str, cpus)), "BENCH_BATCH_US": os.environ.get("BENCH_BATCH_US", "200"),
                         "BENCH_BATCHES": "31" if quick else "63"}

    def patience(self):
        """Seconds that a launch may take: less when the time is nearly over."""
        return max(10, min(TIMEOUT_S, self.end - time.monotonic()))

    def takes(self, library, job):
        wanted = library.name in job.libraries if job.libraries else "flat" not in library.name
        return wanted and library.has(job.program)

    def launch(self, library, job, program, settings=None):
        """(what it said, seconds); where it fails the reason is kept, and the first is None."""
        layout, settings = job.layout, {**self.settings, **(settings or {}), **job.settings, **library.environment}
        command = ["env", *(f"{name}={value}" for name, value in settings.items()), *map(str, program)]
        environment = self.launcher.environment(self.environment)
        command = library.line(self.launcher.command(layout, command, environment), layout.total > len(self.cpus))
        begin, patience = time.monotonic(), self.patience()
        status, out = self.site.run(command, patience, environment)
        took = time.monotonic() - begin
        if status == 0:
            return out, took
        said = [line for line in out.splitlines() if line.strip() and not line.startswith(("bench\t", "---"))
                and not any(noise in line for noise in self.launcher.noise)]
        reason = f"nothing after {patience:.0f} s" if status == 124 else f"status {status}: {(said or ['no message'])[0]}"
        self.fail(library, job, reason)
        return None, took

    @staticmethod
    def key(library, job):
        return library.name, job.name, job.layout.total

    def fail(self, library, job, reason):
        self.figures.failures[self.key(library, job)] = reason
        self.site.kill_jobs()

    def has_failed(self, library, job):
        return self.key(library, job) in self.figures.failures

    def run_library(self, library, job):
        """Its failure is kept, and it is not tried again."""
        if self.has_failed(library, job) or not self.takes(library, job):
            return
        out, took = self.launch(library, job, [library.folder / job.program])
        if out is None:
            return
        if job.timed:
            self.figures.note("launch to end" + job.suffix, job.layout.total, 0, library.name, took * 1e9, "ns")
        self.figures.read(out, library.name, lambda what: what + job.suffix)

    def run_bare_launcher(self, job):
        environment = self.launcher.environment(self.environment)
        begin = time.monotonic()
        status, _ = self.site.run(self.launcher.command(job.layout, ["true"], environment), self.patience(), environment)
        if status == 0:
            self.figures.note(f"launcher alone, {job.hosts} hosts", job.layout.total, 0, "limit",
                              (time.monotonic() - begin) * 1e9, "ns")

    def run_limits(self, job):
        environment = {**self.environment, **NETWORK, **self.settings, **job.settings}
        net_limits.measure_all(self.site, environment, self.cpus, self.figures, self.output, self.quick)

    def run(self, job, tell):
        if job.program == "limits":
            tell(f"{job.name}: raw UCX, TCP")
            self.run_limits(job)
            return
        for library in self.libraries:
            tell(f"{job.name}: {library.name}")
            self.run_library(library, job)
        if job.timed:
            self.run_bare_launcher(job)


def measure_rounds(bench, rounds, jobs):
    """(seconds taken, rounds begun); no job begins when the time is over."""
    steps = [(number, job) for number in range(1, rounds + 1) for job in jobs if number <= (job.rounds or rounds)]
    progress_line, last, before = measure.Progress(len(steps)), 1, bench.probe.look()
    for number, job in steps:
        if time.monotonic() > bench.end:
            print(f"\nthe time is over in round {number} of {rounds} (MINUTES=n for more)", file=sys.stderr)
            break
        if number != last:
            progress_line.end_round(f"round {last}/{rounds}")
        last = number
        bench.run(job, lambda text, number=number: progress_line.show(f"round {number}/{rounds}: {text}"))
        after = bench.probe.look()
        bench.figures.between(before, after)
        before = after
        progress_line.step()
    progress_line.end_round(f"round {last}/{rounds}")
    progress_line.end()
    return progress_line.seconds(), last


def compile_all(libraries, jobs, output):
    sources = {job.program: source_of(job.program) for job in jobs if job.program != "limits"}
    flags = measure.flags(shlex.split(os.environ.get("CC", "cc")))
    failed = measure.compile_tasks(measure.library_tasks(libraries, sources, flags, output))
    failures = {}
    for library, program, text in failed:
        if library.name.startswith("Sheaf"):
            sys.exit(f"bench-net: {program}.c does not compile:\n{text}")
        failures[library.name, program, 0] = "does not compile: " + text.splitlines()[0]
    return failures
