# SPDX-License-Identifier: BSD-3-Clause
"""What the tests that look at jobs from outside share: starting a job, and a main() whose exit
status is 77, with the reasons printed, when every test was skipped.

ctest tells where things are: OSHRUN, OSHINFO, LIBRARY (libsheaf.so),
PROGRAMS (folder of the test programs), SANITIZE (empty, or the sanitizers),
INLINE (ON when the programs have inline forms, which a fault cannot name)."""
import collections
import os
import re
import resource
import subprocess
import sys
import time
import unittest

OSHRUN = os.environ["OSHRUN"]
OSHINFO = os.environ["OSHINFO"]
LIBRARY = os.environ["LIBRARY"]
PROGRAMS = os.environ["PROGRAMS"]
SANITIZE = os.environ.get("SANITIZE", "")
INLINE = os.environ.get("INLINE") == "ON"
ENGINES = os.environ.get("ENGINES", "")  # those built
PATIENCE = int(os.environ.get("TEST_PATIENCE", "1"))  # more on a machine that is emulated

Result = collections.namedtuple("Result", "status out err seconds")


def program(name):
    return os.path.join(PROGRAMS, "test-image-" + name)


def run(*command, timeout=60 * PATIENCE, limits=(), **options):
    """Runs a command; limits are (resource, bytes) pairs. Kills it when the time is over."""
    def apply_limits():
        for which, value in limits:
            resource.setrlimit(which, value if isinstance(value, tuple) else (value, value))

    start = time.monotonic()
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=timeout, preexec_fn=apply_limits, **options)
    return Result(done.returncode, done.stdout, done.stderr, time.monotonic() - start)


def oshrun(pes, *command, timeout=60 * PATIENCE, **options):
    """Runs a job that oshrun itself would end a little before the time is over."""
    return run(OSHRUN, "-n", pes, "--timeout", timeout - 5, *command, timeout=timeout, **options)


def largest_array():
    """GiB of the largest array of a test program that this system starts; 0: none. Where the system does
    not overcommit, execve() itself ends a program with a larger one, by SIGSEGV, whatever its library."""
    with open("/proc/sys/vm/overcommit_memory") as file:
        if file.read().strip() == "1":
            return 100
    with open("/proc/meminfo") as file:
        facts = dict(line.split(":") for line in file)
    there = sum(int(facts[key].split()[0]) for key in ("MemTotal", "SwapTotal"))
    return max((size for size in (1, 4, 16, 100) if size << 20 < there), default=0)


def lines(text):
    """The lines that the library or oshrun wrote."""
    return [line for line in text.splitlines() if line.startswith(("sheaf:", "oshrun:"))]


class Case(unittest.TestCase):
    def assertRan(self, result, out=None):
        """Status 0, no word of complaint, and what was to be printed."""
        self.assertEqual(result.status, 0, result)
        self.assertEqual(lines(result.err), [], result)
        if out is not None:
            self.assertIn(out, result.out, result)

    def assertRefused(self, result, *patterns):
        """A failure with status 1 to 127 (no signal), explained in the library's or oshrun's words."""
        self.assertTrue(0 < result.status < 128, result)
        text = "\n".join(lines(result.err))
        self.assertTrue(text, result)
        for pattern in patterns:
            self.assertRegex(text, re.compile(pattern, re.IGNORECASE))


def main():
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    if not result.wasSuccessful():
        sys.exit(1)
    if result.testsRun and len(result.skipped) == result.testsRun:
        for test, reason in result.skipped:
            print("skipped: %s: %s" % (test, reason))
        sys.exit(77)
