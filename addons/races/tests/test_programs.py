#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The whole programs of programs/, each in two forms: with -DRACY, where the lines with the comment "race" must be
told and no others, and without, where nothing may be. They were written from the specification and docs/do/races.md alone.

    test_programs.py            those by which something was found, once, with the compiler that showed it
    test_programs.py all [RUNS] all of them, with gcc and clang, with and without optimization, 20 times each
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "programs"
OSHRUN = os.environ["OSHRUN"]
COMPILERS = {".c": {"gcc": "gcc", "clang": "clang"}, ".cc": {"gcc": "g++", "clang": "clang++"}}
BUILDS = [("gcc", "-O0"), ("gcc", "-O2"), ("clang", "-O0"), ("clang", "-O2")]
FOUND = [("active_set_bcast.c", "clang", "-O2"), ("c11_threads.c", "gcc", "-O0"), ("cond_timed.cc", "gcc", "-O0"),
         ("free_reuse.c", "gcc", "-O2"), ("many_mutexes.c", "gcc", "-O2"), ("many_teams.c", "gcc", "-O0"),
         ("many_threads.c", "clang", "-O0"), ("nbi_get_stack.c", "clang", "-O0"), ("omp_task_wait.c", "gcc", "-O0"),
         ("pingpong_inplace.c", "gcc", "-O2"), ("realloc_grow.c", "gcc", "-O2"), ("reduce_dest_put.c", "clang", "-O0"), ("reduce_inplace.c", "gcc", "-O2"),
         ("rwlock.c", "gcc", "-O2"), ("static_guard.cc", "clang", "-O0"), ("store_put_same.c", "clang", "-O2"),
         ("test_any_vector.c", "gcc", "-O0"), ("vector_loads.c", "gcc", "-O2")]
# Where the other PE, or thread, happens to come first, its locks and flags order what the program has not.
BY_CHANCE = {"ring_buffer.c", "semaphore.c", "two_locks.c", "work_steal.c", "omp_task_wait.c", "dynamic_rows.c",
             "wait_any_index.c", "test_any_vector.c", "rwlock.c", "ack_test.c", "signal_counts.c", "lock_stores.c"}


class Program:
    def __init__(self, path):
        lines = path.read_text().splitlines()
        head = " ".join(lines[:6])
        self.path, self.pes = path, re.search(r"\* (\d+) PEs?:", head)[1]
        options = re.search(r"Options: (\S+)\.", head)
        self.options = [options[1]] if options else []
        self.is_gccs, self.is_correct = "gcc alone." in head, "Correct alone." in head
        self.race = {number for number, line in enumerate(lines, 1) if "/* race */" in line}

    def compile_to(self, target, compiler, *options):
        names = COMPILERS[self.path.suffix]
        variable, command = ("CXX", "OSHCXX") if self.path.suffix == ".cc" else ("CC", "OSHCC")
        subprocess.run([os.environ[command], "--check=races", "-pthread", *self.options, *options, self.path, "-o", target],
                       env={**os.environ, f"OSH{variable[-2:]}_{variable}": names[compiler], variable: names[compiler]},
                       check=True, timeout=120)

    def run(self, target):
        """What is wrong with one run, or None; with the text."""
        done = subprocess.run([OSHRUN, "-n", self.pes, "--timeout", "100", target], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        text = done.stdout.decode(errors="replace")
        places = [int(line) for line in re.findall(r"sheaf: races:   PE \d+.* at [\w.]+:(\d+)", text)]
        pairs = list(zip(places[::2], places[1::2]))
        if done.returncode != 0:
            return f"status {done.returncode}", text, pairs
        return (None if len(pairs) == text.count("race on ") else "a place without a line"), text, pairs


def can_build(program, compiler, folder):
    if not shutil.which(COMPILERS[program.path.suffix][compiler]) or (program.is_gccs and compiler != "gcc"):
        return False
    if compiler == "gcc" or "-fopenmp" not in program.options:
        return True
    source = Path(folder) / "openmp.c" # clang's library may not be there
    source.write_text("int main(void) {\n#pragma omp parallel\n    ;\n}\n")
    return subprocess.run(["clang", "-fopenmp", source, "-o", f"{source}.out"], stderr=subprocess.DEVNULL).returncode == 0


def judge(program, is_racy, build, runs, folder):
    """The number of runs that were wrong."""
    target = Path(folder) / f"{program.path.stem}{build[0]}{build[1]}"
    program.compile_to(target, *build, *(["-DRACY"] if is_racy else []))
    wrong, told = {}, 0
    for _ in range(runs):
        fault, text, pairs = program.run(target)
        others = [pair for pair in pairs if not is_racy or not set(pair) <= program.race]
        told += bool(pairs)
        if fault or others:
            wrong[fault or f"tells of {others}"] = text
    name = program.path.name
    if is_racy and told < (min(runs, 2) if name in BY_CHANCE else runs):
        if not (runs == 1 and name in BY_CHANCE):
            wrong[f"told in {told} of {runs} runs"] = ""
    for fault, text in wrong.items():
        print(f"{name} {' '.join(build)} {'racy' if is_racy else 'correct'}: {fault}\n{text}", flush=True)
    return len(wrong)


def main():
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 20 if sys.argv[1:] else 1
    if sys.argv[1:]:
        chosen = [(path.name, *build) for path in sorted(HERE.glob("*/*.c*")) for build in BUILDS]
    else:
        chosen = FOUND
    wrong = ran = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, *build in chosen:
            program = Program(*HERE.glob(f"*/{name}"))
            if not can_build(program, build[0], folder):
                continue
            for is_racy in (False,) if program.is_correct else (False, True):
                wrong += judge(program, is_racy, build, runs, folder)
                ran += 1
    print(f"{ran} programs, {runs} times each: {wrong} wrong")
    sys.exit(77 if ran == 0 else wrong != 0)


if __name__ == "__main__":
    main()
