#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# Checks between hosts: objects_hosts.py ON_HOSTS PROGRAM.
"""PE 1 is on another host than PE 0: its mistakes are told there, or where they arrive."""

import os
import subprocess
import sys
import unittest

ON_HOSTS, PROGRAM = sys.argv[1:3]
TIMEOUT_S = 60 * int(os.environ.get("TEST_PATIENCE", "1"))  # more on a machine that is emulated
HEAP = "of the symmetric heap"


def run(how, check):
    return subprocess.run([sys.executable, ON_HOSTS, "ab", PROGRAM, how], capture_output=True, text=True,
                          env={**os.environ, "SHEAF_CHECK": check}, timeout=TIMEOUT_S, check=False)


class Hosts(unittest.TestCase):
    def check(self, how, check, words):
        result = run(how, check)
        self.assertNotEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stderr, f"(?m)^sheaf: {words}")

    def test_at_the_origin(self):
        self.check("overrun", "args", "PE 1: error: shmem_putmem: 60 bytes at 0x[0-9a-f]+ end 12 bytes past their block")
        self.check("use-after-free", "args", f"PE 1: error: shmem_putmem: .* byte 8 of a block of 200 bytes {HEAP} that was "
                   "freed")

    def test_where_it_arrives(self):
        arrived = "PE 0: error: arrived from another host: {} bytes at 0x[0-9a-f]+ are not within one block of symmetric "\
                  "memory: they begin at what is {} of a block of {} bytes " + HEAP
        self.check("arrive", "args", arrived.format(8, "byte 8", 200) + " that was freed")
        self.check("write-past", "memory", arrived.format(12, "0 bytes past the end", 64))

    def test_guarded_memory(self):
        self.check("store-past", "memory", "PE 1: error: shmem_barrier_all: a byte of this PE that no block holds has been "
                   "written since shmem_barrier_all")

    def test_nothing_wrong(self):
        result = run("", "args,memory")
        self.assertEqual((result.returncode, result.stdout), (0, "the end\n" * 2), result.stderr)


if __name__ == "__main__":
    first = run("", "")
    if first.returncode == 77:
        print(first.stdout)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
