# SPDX-License-Identifier: BSD-3-Clause
#
# What the runners share: compiling, running a command for a bounded time, keeping figures of
# rounds, telling how far it is, and the report. Knows no program and no launcher.

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import time

NODE = pathlib.Path(__file__).resolve().parent / "node"


def node_source(program):
    """Of a program of bench/node/ and its folders; it need not be there."""
    return next(NODE.rglob(f"{program}.c"), NODE / f"{program}.c")


class Library:
    """An OpenSHMEM: its compiler, what its programs find in the environment, and which of them it
    runs (None for all)."""

    def __init__(self, name, oshcc, environment=None, programs=None):
        self.name, self.oshcc = name, shlex.split(oshcc)
        self.environment, self.programs = environment or {}, programs
        self.folder = None  # of its programs, once compile_programs() was here

    def takes(self, program):
        return self.programs is None or program in self.programs

    def has(self, program):
        return self.takes(program) and (self.folder / program).exists()


def find_open_mpi():
    """(version, oshcc, oshrun) of Debian's, or of another one on the path; None without."""
    for oshcc in ("/usr/bin/oshcc", shutil.which("oshcc")):
        oshrun = oshcc and pathlib.Path(oshcc).with_name("oshrun")
        if not oshrun or not oshrun.exists():
            continue
        said = subprocess.run([oshcc, "--showme:version"], capture_output=True, text=True)
        version = re.search(r"Open (?:MPI|SHMEM) ([\w.]+)", said.stdout + said.stderr)
        if version:
            return version[1], oshcc, str(oshrun)
    return None


# As root it must be told twice that this is meant; its memory hooks crash in finalize.
OPEN_MPI_ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                        "SHMEM_SYMMETRIC_SIZE": "512M"}
OPEN_MPI_OPTIONS = ["--mca", "memory", "^patcher"]


def flags(compiler):
    """For all programs. Where the compiler can, jumps stay off 32-byte boundaries: processors of the Skylake line decode those
    slowly, and a loop of one atomic operation took 8 or 11 ns by luck of the layout."""
    option = "-Wa,-mbranches-within-32B-boundaries"
    probe = subprocess.run([*compiler, option, "-x", "c", "-c", "-", "-o", "/dev/null"], input="int n;\n", text=True,
                           stderr=subprocess.DEVNULL)
    return ["-O2", "-std=gnu11"] + ([option] if probe.returncode == 0 else [])


def library_tasks(libraries, sources, options, output):
    """What compile_tasks() needs to build {program: source} with every library."""
    tasks = []
    for library in libraries:
        library.folder = output / "programs" / re.sub("[^\\w.]+", "-", library.name)  # "=" would be a setting to env
        library.folder.mkdir(parents=True, exist_ok=True)
        tasks += [(library, program, [*library.oshcc, *options, str(source), "-o", str(library.folder / program)])
                  for program, source in sorted(sources.items()) if library.takes(program)]
    return tasks


def compile_tasks(tasks):
    """Runs (owner, program, command) side by side; returns (owner, program, message) of what failed."""
    def compile_one(task):
        owner, program, command = task
        done = subprocess.run(command, capture_output=True, text=True)
        return (owner, program, done.stderr.strip()) if done.returncode else None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [failure for failure in pool.map(compile_one, tasks) if failure]


def execute(command, environment, timeout):
    """(output, seconds, "") or (None, 0, why it failed)."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               stdin=subprocess.DEVNULL, env=environment, start_new_session=True)
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, 0, f"nothing after {timeout} s"
    if process.returncode:
        return None, 0, f"status {process.returncode}: {last_line(err.strip() or out)}"
    return out, time.monotonic() - begin, ""


def last_line(text):
    return (text.strip() or "no message").splitlines()[-1]


class Figures:
    """What was measured in all rounds, and what failed."""

    def __init__(self):
        self.values = {}    # (what, pes, bytes, library or "limit") -> one value per round
        self.units = {}
        self.failures = {}  # (library, program, pes) -> reason
        self.states = {}    # as values: the probes of the machine before and after each

    def note(self, what, pes, size, name, value, unit):
        self.values.setdefault((what, pes, size, name), []).append(value)
        self.units[what] = unit

    def read(self, out, name, rename=lambda what: what):
        """Lines of six fields, as bench_report() of timing.h prints them."""
        for line in out.splitlines():
            fields = line.split("\t")
            if len(fields) == 6 and fields[0] == "bench":
                what, pes, size, value, unit = fields[1:]
                self.note(rename(what), int(pes), int(size), name, float(value), unit)

    def between(self, *places):
        """What was noted since the last call was measured between these probes of the machine; None is no probe."""
        for key, values in self.values.items():
            states = self.states.setdefault(key, [])
            states += [tuple(place for place in places if place is not None)] * (len(values) - len(states))

    def keep(self, values):
        """Forgets the values that are not among these."""
        self.values = values

    def results(self):
        return [{"what": what, "pes": pes, "bytes": size, "library": name, "unit": self.units[what],
                 "median": statistics.median(values), "min": min(values), "max": max(values), "values": values}
                for (what, pes, size, name), values in self.values.items()]

    def failed(self):
        return [{"library": name, "program": program, "pes": pes, "reason": reason}
                for (name, program, pes), reason in self.failures.items()]


class Progress:
    """One line that tells how far it is; where nobody watches, a line per round."""

    def __init__(self, steps):
        self.steps, self.done, self.begin = steps, 0, time.monotonic()
        self.watched = sys.stderr.isatty()

    def seconds(self):
        return time.monotonic() - self.begin

    def show(self, text):
        if self.watched:
            share = 100 * self.done // max(self.steps, 1)
            print(f"\r\033[K[{'#' * (share // 5):20}] {share:3d} %  {self.seconds():4.0f} s  {text}", end="", file=sys.stderr, flush=True)

    def step(self):
        self.done += 1

    def end_round(self, text):
        if not self.watched:
            print(f"{text}: {self.seconds():.0f} s", file=sys.stderr, flush=True)

    def end(self):
        if self.watched:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def first_cpus():
    """The CPUs to pin to: one of each core first, then the rest."""
    cpus = sorted(os.sched_getaffinity(0))

    def rank(cpu):
        path = f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"
        try:
            siblings = re.split("[,-]", pathlib.Path(path).read_text().strip())
        except OSError:
            return 0
        return siblings.index(str(cpu)) if str(cpu) in siblings else 1

    return sorted(cpus, key=lambda cpu: (rank(cpu), cpu))


def make_report(figures, machine, libraries, peers, rounds, quick, seconds):
    return {"machine": machine, "date": time.strftime("%Y-%m-%d %H:%M %Z"), "rounds": rounds, "quick": quick,
            "seconds": round(seconds), "libraries": libraries, "peers": peers, "results": figures.results(),
            "failures": figures.failed()}


def write(report, output, table, html):
    (output / "results.json").write_text(json.dumps(report, indent=1))
    (output / "table.txt").write_text(table)
    (output / "index.html").write_text(html)
    print(table)
    print(f"written: {output}/results.json, table.txt, index.html")
