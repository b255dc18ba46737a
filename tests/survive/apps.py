#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An application with checkpoints is killed at random moments, again while it goes on, and in the end says what the
undisturbed run says; nothing is left of any job.

    apps.py OSHRUN ON-HOSTS FOLDER heat|cg one|two RUNS [FIRST-SEED]

FOLDER has the application. one: under oshrun, where a PE, oshrun or its proxy dies; two: PEs of two hosts
(tests/common/on-hosts), one of which dies."""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

oshrun, on_hosts, programs, app, where, runs = sys.argv[1:7]
first = int(sys.argv[7]) if len(sys.argv) > 7 else 0
SECONDS = 30  # a job takes some 100 ms
PES = 4
WORDS = {"heat": ["--size", "48", "--iterations", "300", "--tolerance", "0", "--checkpoint", "saved", "--every", "15"],
         "cg": ["--laplacian", "24", "--tolerance", "1e-11", "--checkpoint", "saved", "--every", "5"]}[app]
# What it has computed, but for the time that took.
RESULT = re.compile(r"fingerprint \w+|\d+ iterations, .*max \|x - 1\| = \S+")


def start(folder, program):
    """The job, from its last checkpoint where there is one."""
    saved, environment = folder / "saved" / app, dict(os.environ)
    restarts = saved.exists()
    if where == "one":
        words = [oshrun, *(["--restart", "saved"] if restarts else ["-n", str(PES)]), program]
    else:
        words = [sys.executable, on_hosts, "aabb", "setarch", "-R", program]
        environment["SHMEM_SYMMETRIC_SIZE"] = "32M"
        if restarts:
            environment["SHEAF_RESTART"] = str(saved)
    return subprocess.Popen(words + WORDS, cwd=folder, env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, start_new_session=True)


def below(pid):
    """The processes that this one has started, and so on."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return children + [other for child in children for other in below(child)]


def runs_program(pid, program):
    try:
        return os.readlink(f"/proc/{pid}/exe") == program
    except OSError:
        return False


def kill_one(job, program):
    found = below(job.pid)
    if where == "two":
        found = [pid for pid in found if runs_program(pid, program)]
    else:
        found.append(str(job.pid))
    if found:
        try:
            os.kill(int(random.choice(found)), signal.SIGKILL)
        except ProcessLookupError:
            pass


def left(program):
    return [pid for pid in os.listdir("/proc") if pid.isdigit() and runs_program(pid, program)]


def ends(program):
    """All that a killed job has left ends by itself, and soon."""
    deadline = time.monotonic() + 20
    while left(program):
        if time.monotonic() > deadline:
            sys.exit(f"still there: {left(program)}")
        time.sleep(0.01)


def finish(job, program):
    """Open MPI's mpirun may wait for itself when all its PEs have ended (its thread holds a lock in
    PMIx_server_finalize): then nothing is left but that."""
    try:
        said = job.communicate(timeout=SECONDS)[0]
    except subprocess.TimeoutExpired:
        remain = left(program)
        os.killpg(job.pid, signal.SIGKILL)
        said = job.communicate()[0]
        if where == "one" or remain:
            sys.exit(f"hangs: {job.args}: {remain}\n{said}")
    ends(program)
    return said


def run(folder, program, wanted, lasts):
    """How many times it went on from a checkpoint."""
    shutil.rmtree(folder / "saved", ignore_errors=True)
    went_on = 0
    for _ in range(1 + random.randrange(3)):
        job = start(folder, program)
        time.sleep(random.uniform(0, lasts))
        kill_one(job, program)
        went_on += "goes on after" in finish(job, program)
    job = start(folder, program)
    said = finish(job, program)
    went_on += "goes on after" in said
    if job.returncode == 77:
        print(said.strip())
        sys.exit(77)
    if job.returncode != 0 or "sheaf: " in said or RESULT.findall(said) != wanted:
        sys.exit(f"status {job.returncode}, expected {wanted}:\n{said}")
    if list((folder / "saved").glob(".*")):
        sys.exit(f"left behind: {list((folder / 'saved').glob('.*'))}")
    return went_on


def main(folder):
    program = shutil.copy(Path(programs) / app, folder)
    began = time.monotonic()
    job = start(folder, program)
    said = finish(job, program)
    lasts = time.monotonic() - began
    wanted = RESULT.findall(said)
    if job.returncode == 77:
        print(said.strip())
        sys.exit(77)
    if job.returncode != 0 or len(wanted) != 1:
        sys.exit(f"the undisturbed run: status {job.returncode}\n{said}")
    went_on = 0
    for seed in range(first, first + int(runs)):
        random.seed(seed)
        print(f"seed {seed}", flush=True)
        went_on += run(folder, program, wanted, lasts)
    print(f"{runs} runs, {went_on} restarts")
    if went_on < int(runs) / 4:
        sys.exit("too few restarts to tell anything")


with tempfile.TemporaryDirectory(prefix="sheaf-survive-") as name:
    main(Path(name).resolve())
