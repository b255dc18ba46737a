#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""oshcc --check=races from outside: each small program of this folder says what it should, with the compiler that
Sheaf was built with, with clang and g++ where they are there, and with and without optimization."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "tests/common"))
import pages # noqa: E402
sys.path.pop(0)
OSHCC, OSHRUN = os.environ["OSHCC"], os.environ["OSHRUN"]
THEMES = ["barrier", "flag", "signal", "atomics", "contexts", "collective", "thread", "transfers"]
OPENMP = ["hybrid"] # gcc's, whose library's calls are known
PLACE = re.compile(r"sheaf: races:   PE (\d+).* at (\w+\.c+):(\d+) in")


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=120, env={**os.environ, **environment})
    return done.returncode, done.stdout.decode(errors="replace")


def compile_to(program, source, *options, compiler=None):
    environment = {"OSHCC_CC": compiler} if compiler else {}
    status, text = run(OSHCC, "--check=races", "-pthread", *options, f"-I{HERE}", source, "-o", program, **environment)
    if status != 0:
        raise AssertionError(f"{source} is not compiled: {text}")


class Case:
    """A function of a theme's file: its name, PEs, and the lines that race."""

    def __init__(self, name, pes, lines):
        self.name, self.pes, self.lines = name, pes, lines


def cases_of(theme):
    lines = (HERE / f"{theme}.c").read_text().splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        begin = re.match(r"CASE\((\w+)\)(?: /\* (\d+) PEs \*/)?", line)
        if begin:
            found.append(Case(begin[1], int(begin[2] or 2), set()))
        elif "/* race */" in line:
            found[-1].lines.add(number)
    for number, line in enumerate(lines, 1):
        named = re.search(r"/\* race of (.*) \*/", line)
        for case in found:
            if named and case.name in named[1].split(", "):
                case.lines.add(number)
    return found


def reported(text):
    """The pairs of lines of each race."""
    races = [report for report in re.split(r"(?m)^(?=sheaf: races: \S)", text) if "race on" in report]
    lines = [int(place[3]) for report in races for place in PLACE.finditer(report)]
    return [set(pair) for pair in zip(lines[::2], lines[1::2])]


class Small(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def check(self, case, program, theme):
        status, text = run(OSHRUN, "-n", case.pes, "--timeout", 30, program, case.name)
        self.assertEqual(status, 0, text)
        pairs = reported(text)
        if case.lines:
            self.assertIn(case.lines, pairs, f"{theme}.{case.name}: a race of lines {case.lines} is not told:\n{text}")
        self.assertTrue(all(pair == case.lines for pair in pairs), f"{theme}.{case.name}: more than there is:\n{text}")
        self.assertEqual(len(pairs), text.count("race on"), text)

    def check_all(self, *options, compiler=None, themes=THEMES):
        for theme in themes:
            program = Path(self.folder) / f"{theme}-{compiler or 'own'}{options[0]}"
            compile_to(program, HERE / f"{theme}.c", *options, compiler=compiler)
            for case in cases_of(theme):
                with self.subTest(theme=theme, case=case.name):
                    self.check(case, program, theme)

    def test_own_compiler(self):
        self.check_all("-O0")

    def test_optimized(self):
        self.check_all("-O2")

    @unittest.skipUnless(shutil.which("gcc"), "no gcc here")
    def test_openmp(self):
        self.check_all("-O0", "-fopenmp", compiler="gcc", themes=OPENMP)
        self.check_all("-O2", "-fopenmp", compiler="gcc", themes=OPENMP)

    @unittest.skipUnless(shutil.which("clang"), "no clang here")
    def test_clang(self):
        self.check_all("-O1", compiler="clang")

    def test_advice_is_right(self):
        self.check_all("-O1", themes=["advice"])
        words, count = {}, 0
        for line in (HERE / "advice.c").read_text().splitlines():
            if found := re.match(r"(?:/\*)? ?\*? ?((?:un)?told): (.*?)(?: \*/)?$", line):
                words[found[1]] = found[2]
            if (begin := re.match(r"CASE\((\w+)\)", line)) and words:
                pes = 3 if "3 PEs" in line else 2
                text = run(OSHRUN, "-n", pes, Path(self.folder) / "advice-own-O1", begin[1])[1]
                advice = "\n".join(re.findall(r"would be ordered by: (.*)", text))
                with self.subTest(case=begin[1]):
                    self.assertIn(words["told"], advice)
                    self.assertTrue("untold" not in words or words["untold"] not in advice, advice)
                words, count = {}, count + 1
        self.assertGreaterEqual(count, 5)

    def test_there_are_enough(self):
        every = [case for theme in THEMES for case in cases_of(theme)]
        racy = sum(bool(case.lines) for case in every)
        self.assertGreaterEqual(len(every), 60)
        self.assertGreaterEqual(racy, 30)
        self.assertGreaterEqual(len(every) - racy, 30)


class Command(unittest.TestCase):
    """The option, the settings, and what is refused."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.program = Path(self.folder) / "barrier"

    def test_in_two_steps(self):
        part = f"{self.program}.o"
        self.assertEqual(run(OSHCC, "--check=races", f"-I{HERE}", "-c", HERE / "barrier.c", "-o", part)[0], 0)
        status, text = run(OSHCC, "--check=races", part, "-o", self.program)
        self.assertEqual(status, 0, text)
        place = "data[0]" if os.environ["MEMBERS"] == "1" else "data" # without libdw: the symbol
        self.assertIn(f"race on {place}, PE 1's", run(OSHRUN, "-n", 2, self.program, "put_without_barrier")[1])

    def test_status(self):
        compile_to(self.program, HERE / "barrier.c", "-O1")
        self.assertEqual(run(OSHRUN, "-n", 2, self.program, "put_without_barrier", SHEAF_RACES_EXIT="66")[0], 66)
        self.assertEqual(run(OSHRUN, "-n", 2, self.program, "put_with_barrier", SHEAF_RACES_EXIT="66")[0], 0)
        status, text = run(OSHRUN, "-n", 2, self.program, "put_with_barrier", SHEAF_RACES_EXIT="many")
        self.assertNotEqual(status, 0)
        self.assertIn("SHEAF_RACES_EXIT=many", text)

    def test_at_most(self):
        compile_to(self.program, HERE / "barrier.c", "-O1")
        text = run(OSHRUN, "-n", 2, self.program, "put_without_barrier", SHEAF_RACES_MOST="0")[1]
        self.assertNotIn("race on", text)
        self.assertIn("SHEAF_RACES_MOST", text)

    def test_ordered_by_signal(self):
        compile_to(self.program, HERE / "signal.c", "-O1")
        words = "ordered by the signal, not by the specification"
        for case in ("source_by_its_signal", "private_source_by_its_signal"):
            status, text = run(OSHRUN, "-n", 2, self.program, case, SHEAF_RACES_EXIT="66")
            self.assertEqual((status, text.count(words), text.count("race on")), (0, 1, 0), text)
            status, text = run(OSHRUN, "-n", 2, self.program, case, SHEAF_RACES_EXIT="66", SHEAF_RACES_SIGNALS="1")
            self.assertEqual((status, text.count(words), text.count("race on")), (66, 0, 1), text)
        for case in ("source_by_another_signal", "signal_source_reused", "source_of_nbi_put_after_quiet"):
            self.assertNotIn(words, run(OSHRUN, "-n", 2, self.program, case)[1])

    def test_levels(self):
        compile_to(self.program, HERE / "level.c", "-O1")
        other = "called by another thread than the one that initialized, which {} alone lets call the library"
        for level, words in (("single", other.format("SHMEM_THREAD_SINGLE")),
                             ("funneled", other.format("SHMEM_THREAD_FUNNELED")),
                             ("serialized", "called while another thread may be in a call")):
            status, text = run(OSHRUN, "-n", 1, self.program, level, SHEAF_RACES_EXIT="66")
            self.assertEqual((status, text.count("race on")), (0, 0), text)
            self.assertRegex(text, rf"PE 0, thread [01]: shmem_long_p at level.c:\d+ in call: {words}")
        for level in (["multiple"], ["serialized", "locked"]):
            status, text = run(OSHRUN, "-n", 1, self.program, *level, SHEAF_RACES_EXIT="66")
            self.assertEqual((status, text.count("called ")), (0, 0), text)

    def test_apart(self):
        compile_to(self.program, HERE / "barrier.c", "-O1")
        status, text = run(OSHRUN, "-n", 2, self.program, "put_with_barrier", SHEAF_ONNODE="off")
        if "no network engine" not in text and status == 0:
            self.assertIn("not checked", text)

    def test_new_process(self):
        source = pages.keep_program(ROOT / "docs/do/failures.md", "again.c", Path(self.folder))
        compile_to(self.program, source, "-O1")
        status, text = run(OSHRUN, "--spare", 1, "-n", 3, self.program, SHEAF_FAILURES="report")
        self.assertEqual(status, 1, text)
        self.assertIn("PE 1 has died, and no new process can take its place in a program compiled with --check=races", text)

    def test_said_at_start(self):
        compile_to(self.program, HERE / "barrier.c", "-O1")
        text = run(OSHRUN, "-n", 2, self.program, "put_with_barrier")[1]
        self.assertEqual(text.count("not checked: "), 1, text)

    def test_refused(self):
        for options, words in ((["--check=race"], "--check=races"), (["--check=races", "-static"], "-static"),
                               (["--check=races", "--inline"], "--inline")):
            status, text = run(OSHCC, *options, HERE / "barrier.c", "-o", self.program)
            self.assertNotEqual(status, 0)
            self.assertIn(words, text)


class Silent(unittest.TestCase):
    """Programs that were not written for this test, in which every access is ordered."""
    APPS = ["heat --size 64", "halo --size 16", "halo --size 16 --rows", "histogram --updates 20000", "gups --per-word 1",
            "permutation --count 20000", "transpose --rows 2000", "isort --keys 20000", "queens --size 8",
            "bfs --graph kronecker --scale 10", "cannon --size 64", "fit --points 10000", "fft --size 4096", "mg --class S",
            "is --class S"]
    CONFORMANCE = ["atomics", "contexts", "finalize_completes", "heap_growth", "init_again_after_finalize", "init_counted",
                   "locks", "memory_barriers", "memory_results", "null_and_unaligned", "query_initialized", "strides",
                   "team_destroy", "team_queries", "wait_sets"]

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def is_silent(self, pes, *command):
        status, text = run(OSHRUN, "-n", pes, "--timeout", 60, *command)
        self.assertEqual(status, 0, text)
        self.assertEqual(text.count("not checked: "), 1, text)
        self.assertNotIn("race on", text)

    def test_applications(self):
        compiler = self.folder / "oshcc"
        compiler.write_text(f'#!/bin/sh\nexec "{OSHCC}" --check=races "$@"\n')
        compiler.chmod(0o700)
        names = sorted({command.split()[0] for command in self.APPS})
        # cannon is not built without a BLAS, nor fft without FFTW: tests/apps/build.py.
        status, text = run("make", "-s", "-C", ROOT / "apps", f"OSHCC={compiler}", f"OUT={self.folder}", *names)
        self.assertEqual(status, 0, text)
        for command in self.APPS:
            name, *arguments = command.split()
            with self.subTest(command):
                if name in ("cannon", "fft") and not (self.folder / name).exists():
                    continue
                self.is_silent(3, self.folder / name, *arguments)

    def test_conformance(self):
        for name in self.CONFORMANCE:
            program = self.folder / name
            source, = (ROOT / "tests/conformance").rglob(f"{name}.c")
            compile_to(program, source, "-O1", f"-I{ROOT}/tests/common")
            with self.subTest(name):
                self.is_silent(3, program)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[1:])
