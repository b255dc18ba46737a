#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# A PE that dies of a signal tells where: stacks.py OSHRUN PROGRAM SOURCE.
"""The stack of the thread that dies, and everything else as without it."""

import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

OSHRUN, PROGRAM, SOURCE = sys.argv[1:4]
PROGRAMS = [PROGRAM, sys.argv[4]]  # compiled with inline forms: the same otherwise
STATIC = sys.argv[5] if len(sys.argv) > 5 else None
TIMEOUT_S = 60 * int(os.environ.get("TEST_PATIENCE", "1"))  # more on a machine that is emulated
with open(SOURCE, encoding="ascii") as source:
    TEXT = source.read().splitlines()


def line_of(word):
    (number,) = (number for number, text in enumerate(TEXT, 1) if text.endswith(f"/* {word} */"))
    return f"dies.c:{number}"


def run(how, path=None, **variables):
    env = {**os.environ, **variables, **({"PATH": path} if path is not None else {})}
    done = subprocess.run([OSHRUN, "-n", "2", PROGRAM, how], capture_output=True, text=True, env=env,
                          timeout=TIMEOUT_S, check=False)
    done.stderr = re.sub(r" \[SH\d{3}\]", "", done.stderr)  # tests/oshinfo/messages.py looks at the ids of messages
    return done


class Stacks(unittest.TestCase):
    def check(self, how, number, *places, path=None):
        """The stack has these lines, in this order; the PE's end is that of its signal."""
        result = run(how, path)
        self.assertEqual(result.returncode, 128 + number, result.stderr)
        name = signal.Signals(number).name
        stack = re.search(rf"^sheaf: PE 1: error: {name} in\n((?:    .*\n)+)", result.stderr, re.MULTILINE)
        self.assertTrue(stack, result.stderr)
        lines = [line.strip() for line in stack[1].splitlines()]
        for place in places:
            while lines and not re.fullmatch(place, lines[0]):
                lines.pop(0)
            self.assertTrue(lines, f"{place} is missing: {stack[0]}")
        self.assertRegex(result.stderr, rf"oshrun: PE 1 \(.*\) was killed by signal {number} ")
        return result.stderr

    @unittest.skipUnless(STATIC and shutil.which("addr2line"), "no static program, or no addr2line")
    def test_static(self):
        """One place: no copy of a static program could look at its stack."""
        result = subprocess.run([OSHRUN, "-n", "2", STATIC, "null"], capture_output=True, text=True, timeout=TIMEOUT_S,
                                check=False)
        said = re.search(rf"^sheaf: PE 1: error: SIGSEGV in \[SH126\]\n    {os.path.basename(STATIC)}\+(0x[0-9a-f]+)$", result.stderr,
                         re.MULTILINE)
        self.assertTrue(said, result.stderr)
        place = subprocess.run(["addr2line", "-e", STATIC, said[1]], capture_output=True, text=True, check=True).stdout
        self.assertIn(line_of("the store"), place)

    @unittest.skipUnless(shutil.which("addr2line"), "addr2line is not installed")
    def test_places(self):
        main = "main at dies.c:[0-9]+"
        self.check("null", signal.SIGSEGV, f"store at {line_of('the store')}", f"die at {line_of('null')}", main)
        self.check("thread", signal.SIGSEGV, f"store at {line_of('the store')}", f"run at {line_of('of a thread')}")
        self.check("abort", signal.SIGABRT, f"die at {line_of('abort')}", main)
        if platform.machine() == "x86_64":  # others divide by zero without a trap
            self.check("divide", signal.SIGFPE, f"die at {line_of('divide')}", main)
        self.check("deep", signal.SIGSEGV, rf"recurse at {line_of('deeper')} \([0-9]+ times\)")
        self.check("deep", signal.SIGSEGV, rf"address 0x[0-9a-f]+ is past the end of the stack: raise ulimit -s "
                   r"\(now [0-9]+ KiB\), or OMP_STACKSIZE for threads of OpenMP")
        self.check("nowhere", signal.SIGSEGV, "0x0, which is no code", f"die at {line_of('nowhere')}")

    @unittest.skipUnless(shutil.which("addr2line"), "addr2line is not installed")
    def test_within_a_call(self):
        """One line with the place, and the status that other mistakes in the use of the library have."""
        constant = r"on PE 0, address 0x[0-9a-f]+ cannot be written: it is a constant \(or code\) of the program"
        own_null = r"an argument is not valid: address \(nil\) is a null pointer"
        for how, words in (("put", "shmem_long_put: on PE 0, address .*"),
                           ("byte", "shmem_char_put: on PE 0, address .*"), # ends in a jump to memmove
                           ("text", f"shmem_char_put: {constant}"), ("code", f"shmem_long_p: {constant}"),
                           ("no-result", f"shmem_ctx_create: {own_null}"),
                           ("no-source", f"shmem_long_put: {own_null}")):
            with self.subTest(how=how):
                result = run(how)
                self.assertEqual(result.returncode, 1, result.stderr)
                lines = result.stderr.splitlines()
                self.assertRegex(lines[0], f"^sheaf: PE 1: error: {words}; called at {line_of(how)}$")
                self.assertRegex(lines[1], "^oshrun: PE 1 .* exited with status 1$")
                self.assertEqual(len(lines), 2, result.stderr)

    def test_target_of_private_memory(self):
        """The PE that it was for, with windows close together too, where other PEs' copies of the address would lie
        among this PE's mappings."""
        for program in PROGRAMS:
            for which in ("stack", "large", "small", "p", "add"):
                with self.subTest(program=program, which=which):
                    said = subprocess.run([OSHRUN, "-n", "4", program, "private", which, "3"],
                                          env={**os.environ, "SHMEM_SYMMETRIC_SIZE": "110m", "PATH": "/nowhere"},
                                          capture_output=True, text=True, timeout=TIMEOUT_S, check=False).stderr
                    self.assertRegex(said, "sheaf: PE 1: error: .*: on PE 3, address 0x[0-9a-f]+ is not accessible: here "
                                     "it is (on the stack|private memory)")

    @unittest.skipUnless(shutil.which("addr2line"), "addr2line is not installed")
    def test_null_from_an_allocation(self):
        """A null pointer is used: the allocation that returned it is named, without SHMEM_DEBUG."""
        for program in PROGRAMS:
            place = line_of("refused") if program == PROGRAM else r"test-faults-dies-inline\+0x[0-9a-f]+"
            for how in ("store", "put"):
                with self.subTest(program=program, how=how):
                    said = subprocess.run([OSHRUN, "-n", "2", program, "refused", how], capture_output=True, text=True,
                                          timeout=TIMEOUT_S, check=False).stderr
                    self.assertRegex(said, r"a null pointer( with an offset)? \(shmem_malloc of "
                                     rf"{1 << 46} bytes at {place} returned one: ")
        self.assertNotIn("returned one", run("null").stderr)

    def test_heap_after_finalize(self):
        """No block is left: neither the PE's own nor a peer's reads as anything."""
        for whose in "own", "peer":
            result = subprocess.run([OSHRUN, "-n", "2", PROGRAM, "finalized", whose], capture_output=True, text=True,
                                    timeout=TIMEOUT_S, check=False)
            self.assertEqual((result.returncode, result.stdout), (128 + signal.SIGSEGV, ""), result.stderr)
            self.assertIn("memory access after shmem_finalize: address 0x", result.stderr)
            self.assertIn(line_of("back"), result.stderr)

    def test_without_addr2line(self):
        self.check("null", signal.SIGSEGV, r"test-faults-dies\+0x[0-9a-f]+", r"test-faults-dies\+0x[0-9a-f]+",
                   path="/nowhere")

    def test_place_of_a_call(self):
        """What the library refuses is told with the place of the call."""
        for path, place in ((None, line_of("range")), ("/nowhere", r"test-faults-dies\+0x[0-9a-f]+")):
            if path or shutil.which("addr2line"):
                result = run("range", path)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, r"sheaf: PE 1: error: shmem_long_p: PE 99 is out of range: this job "
                                                rf"has PEs 0 to 1; called at {place}\n")

    def test_addr2line_that_hangs(self):
        """The PE dies all the same, and nothing is left."""
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/addr2line", "w", encoding="ascii") as tool:
                tool.write(f"#!/bin/sh\necho $$ >{folder}/pid\nexec /bin/sleep 1000\n")
            os.chmod(f"{folder}/addr2line", 0o755)
            result = run("null", f"{folder}:{os.environ['PATH']}")
            self.assertEqual(result.returncode, 128 + signal.SIGSEGV)
            self.assertRegex(result.stderr, r" in\n    test-faults-dies\+0x[0-9a-f]+\n")
            with open(f"{folder}/pid", encoding="ascii") as file:
                self.assertFalse(os.path.exists(f"/proc/{file.read().strip()}"))

    def test_what_addr2line_gets(self):
        """The file and the offsets; of the environment nothing that reaches a network."""
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/addr2line", "w", encoding="ascii") as tool:
                tool.write(f'#!/bin/sh\n{{ echo "$@"; env; }} >{folder}/got\necho step; echo heat.c:7\n')
            os.chmod(f"{folder}/addr2line", 0o755)
            result = run("range", f"{folder}:{os.environ['PATH']}", DEBUGINFOD_URLS="http://127.0.0.1:9")
            self.assertIn("; called at heat.c:7\n", result.stderr)
            with open(f"{folder}/got", encoding="ascii") as file:
                words, environment = file.read().split("\n", 1)
            self.assertRegex(words, r"^-fsC -e /proc/[0-9]+/exe 0x[0-9a-f]+$")
            self.assertIn("PATH=", environment)
            self.assertNotIn("DEBUGINFOD", environment)

    def test_others_handlers_and_signals(self):
        """Whoever handles a signal is left alone; one that somebody sends says nothing of the program."""
        result = run("handled")
        self.assertEqual((result.returncode, result.stdout), (signal.SIGSEGV, "the program's own handler\n"))
        self.assertNotIn(" in\n", result.stderr)
        result = run("sent")
        self.assertEqual(result.returncode, 128 + signal.SIGSEGV)
        self.assertNotIn("sheaf:", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
