#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes of a Python program: each is one exception that says where and what, or ends the job by name."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM = Path(__file__).parent / "mistakes.py"
ARGUMENTS = {
    "type": "ArgumentError: PE 1: put: argument source: is of type float64, the array of int64",
    "object": "ArgumentError: PE 1: put: argument source: is of type object",
    "text": "ArgumentError: PE 1: put: argument source: is of type <U3",
    "fraction": "ArgumentError: PE 1: p: argument value: 1.5 is no value of type int64",
    "range": "ArgumentError: PE 1: p: argument value: 1180591620717411303424 is no value of type int64",
    "large": "ArgumentError: PE 1: p: argument at: 0 is no element of an array of 0",
    "at": "ArgumentError: PE 1: g: argument at: 12 is no element of an array of 12",
    "below": "ArgumentError: PE 1: g: argument at: -1 is below 0",
    "long": "ArgumentError: PE 1: put: argument source: 13 elements from element 0 on do not fit an array of 12",
    "shape": "ArgumentError: PE 1: put: argument source: has another shape",
    "peer": "ArgumentError: PE 1: g: argument pe: 99 is no PE: they count from 0 to 1",
    "negative": "ArgumentError: PE 1: g: argument pe: -1 is no PE",
    "word": "ArgumentError: PE 1: g: argument pe: must be an integer",
    "on": "ArgumentError: PE 1: on: argument pe: 99 is no PE",
    "freed": "ArgumentError: PE 1: put: argument array: was freed",
    "freed view": "ArgumentError: PE 1: put: argument array: was freed",
    "view": "ArgumentError: PE 1: free: argument array: is a view",
    "element": "IndexError: ",
    "private": "ArgumentError: PE 1: reduce: argument dest: is not symmetric",
    "window": "ArgumentError: PE 1: reduce: argument dest: is another PE's memory",
    "gap": "ArgumentError: PE 1: reduce: argument dest: is not contiguous",
    "kind": "ArgumentError: PE 1: reduce: argument op: must be one of",
    "bits": "ArgumentError: PE 1: reduce: argument dest: is of type float64, which this call does not take",
    "sizes": "ArgumentError: PE 1: reduce: argument source: has 8 elements and dest 4",
    "root": "ArgumentError: PE 1: broadcast: argument root: 7 is no PE",
    "share": "ArgumentError: PE 1: fcollect: argument ",
    "dtype": "ArgumentError: PE 1: zeros: argument dtype: object holds Python objects",
    "order": "ArgumentError: PE 1: zeros: argument dtype: >i8 is not in this processor's order",
    "shape below": "ArgumentError: PE 1: zeros: argument shape: (-1,) has a negative size",
    "memory": "MemoryError: PE 1: zeros: no 288230376151711744 bytes left in the symmetric heap",
    "sign": "ArgumentError: PE 1: wait_until: argument comparison: must be one of",
    "real": "ArgumentError: PE 1: wait_until: argument array: is of type float64",
    "atomic": "ArgumentError: PE 1: atomic_add: argument array: is of type float64",
    "cuda": "ArgumentError: PE 1: put: argument source: __main__.Device lies on CUDA 0",
    "old cuda": "ArgumentError: PE 1: put: argument source: __main__.OldDevice lies on a CUDA device",
    "out": "ArgumentError: PE 1: get: argument out: builtins.list is no array: pass one of sheafshmem.zeros",
    "team": "ArgumentError: PE 1: reduce: argument team: must be a sheafshmem.Team",
    "context": "ArgumentError: PE 1: g: argument context: must be a sheafshmem.Context",
    "number": "TypeError: g() needs the argument 'pe'",
    "name": "TypeError: g() has no argument 'where'",
    "signal": "ArgumentError: PE 1: put_signal: argument signal: must be a symmetric array of uint64",
    "operation": "ArgumentError: PE 1: put_signal: argument op: must be",
    "bool": "ArgumentError: PE 1: p: argument value: 2 is no value of type bool",
    "number for bool": "ArgumentError: PE 1: put: argument source: is of type int64, the array of bool",
    "gap at": "ArgumentError: PE 1: put: argument at: counts elements of contiguous arrays: slice instead",
    "read only": "ArgumentError: PE 1: get: argument out: may not be written to",
    "frozen dest": "ArgumentError: PE 1: reduce: argument dest: may not be written to",
    "overlap": "ArgumentError: PE 1: fcollect: argument source: overlaps dest",
    "unaligned": "ArgumentError: PE 1: atomic_add: argument array: does not lie at a multiple of its elements' size",
    "float pe": "ArgumentError: PE 1: g: argument pe: must be an integer",
    "digits": "ArgumentError: PE 1: p: argument value: '1+2j' is no value of type complex128",
    "cut": "ArgumentError: PE 1: p: argument value: '\u20ac",
    "sizeless": "ArgumentError: PE 1: zeros: argument dtype: S says no number of bytes: one such as S8 does",
    "far too many": "ArgumentError: PE 1: get: argument count: 1152921504606846976 elements from element 0 on do not fit",
    "list": "ArgumentError: PE 1: put: argument source: builtins.list is no array of uint8: 256 is none of its values",
    "vector": "ArgumentError: PE 1: wait_until_all: argument value: has 2 elements for an array of 12",
    "mask": "ArgumentError: PE 1: test_any: argument where: has 1 elements for an array of 12",
    "no wait": "ArgumentError: PE 1: wait_until_any: argument where: leaves no elements: the wait would not end",
    "steps": "ArgumentError: PE 1: alltoalls: argument dest: must be a slice with a step of 1 element or more",
    "plane": "ArgumentError: PE 1: alltoalls: argument source: has 2 dimensions, not 1",
    "wide": "ArgumentError: PE 1: alltoalls: argument dest: is of type complex128, which this call does not take",
    "sum": "ArgumentError: PE 1: accumulate: argument array: is of type int8",
    "pes": "ArgumentError: PE 1: quiet: argument pes: 5 is no PE: they count from 0 to 1",
    "no list": "ArgumentError: PE 1: quiet: argument pes: must be a sequence of PE numbers",
    "space": "ArgumentError: PE 1: Space: argument size: 0 is no number of bytes",
    "status": "ArgumentError: PE 1: global_exit: argument status: 256 is no exit status (0 to 255)",
    "team twice": "ArgumentError: PE 1: select: argument pes: they make no team",
    "team pe": "ArgumentError: PE 1: select: argument pes: 7 is no PE: they count from 0 to 1",
    "world": "ArgumentError: PE 1: destroy: argument team: is one that always exists",
    "signal type": "ArgumentError: PE 1: signal_set: argument array: must be a symmetric array of uint64",
}


def job(mistake, seconds="40"):
    command = [os.environ["OSHRUN"], "--timeout", seconds, "-n", "2", sys.executable, PROGRAM, mistake]
    return subprocess.run(command, capture_output=True, text=True)


def line(remark):
    """mistakes.py:N, of the line with that remark."""
    lines = PROGRAM.read_text().splitlines()
    return f"mistakes.py:{next(i for i, text in enumerate(lines, 1) if text.endswith('  # ' + remark))}"


class Mistakes(unittest.TestCase):
    def test_arguments(self):
        done = job("arguments")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        self.assertEqual(list(said), list(ARGUMENTS))
        for name, start in ARGUMENTS.items():
            with self.subTest(name):
                self.assertTrue(said[name].startswith(start), said[name])

    def test_exception(self):
        done = job("raises")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("Traceback"), 1, done.stderr)
        self.assertIn("KeyError: 'missing'\nsheaf: PE 1: KeyError ends the job [SH153]\n", done.stderr)

    def test_interrupt_ends_a_wait(self):
        done = job("interrupted")
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertIn("KeyboardInterrupt\nsheaf: PE 0: KeyboardInterrupt ends the job [SH153]\n", done.stderr)

    def test_exit_of_one(self):
        done = job("leaves")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"oshrun: PE 1 \(.*\) exited with status 3")

    def test_lines_of_a_hang(self):
        done = job("hangs", "5")
        self.assertIn(f"PE 0 waits for PE 1 in shmem_barrier_all at {line('hangs here')}", done.stderr)
        self.assertNotIn("_core.abi3.so", done.stderr)

    def test_line_of_a_wait(self):
        done = job("waits", "5")
        self.assertIn(f"PE 0: it polls at {line('waits here')} and finds nothing new", done.stderr)

    def test_lines_of_calls_that_differ(self):
        done = job("differs")
        self.assertRegex(done.stderr, rf"PE 0 calls shmem_\w+ .*at {line('one call')}, and PE 1 calls "
                                      rf"shmem_barrier_all at {line('another call')}")

    def test_line_behind_the_package(self):
        done = job("sizes")
        self.assertRegex(done.stderr, rf"PE 0 calls shmem_calloc \(32 bytes\) at {line('allocates')}, and PE 1 calls "
                                      rf"shmem_calloc \(40 bytes\) at {line('allocates')}")

    def test_line_of_a_crash(self):
        done = job("crashes")
        self.assertIn(f"line {line('crashes').split(':')[1]} in crashes", done.stderr)

    def test_children_and_after_the_end(self):
        done = job("forks")
        self.assertEqual(done.returncode, 0, done.stderr)
        for pe in range(2):
            self.assertIn(f"PE {pe}: put: called in a child that this PE forked: a child is no PE", done.stdout)
            self.assertIn(f"PE {pe}: put: called after sheafshmem.finalize() [SH152]\n", done.stdout)

    def test_spawned_workers(self):
        done = job("spawns")
        self.assertEqual(done.returncode, 0, done.stderr)


unittest.main()
