# SPDX-License-Identifier: BSD-3-Clause
"""libsheaf-events.so with stand-ins for TAU and Score-P: each call begins and ends, one within the other; bytes by channel and
NUMA node; every routine of the headers that moves data or waits is there. CTest gives OSHRUN, CALLS (the program),
EVENTS_LIBRARY, TAU, SCOREP, NODES (a machine of two memory nodes, from the profile's tests), NETWORK and WRAPPERS (include/).
"""
import collections
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

OSHRUN, CALLS, LIBRARY, TAU, SCOREP = (os.environ[name] for name in ("OSHRUN", "CALLS", "EVENTS_LIBRARY", "TAU", "SCOREP"))
NODES, NETWORK = os.environ.get("NODES"), os.environ["NETWORK"]
CALLED = {"shmem_init": 1, "shmem_long_put": 10, "shmem_long_p": 1, "shmem_getmem": 1, "shmem_long_atomic_add": 1,
          "shmem_long_put_signal": 1, "shmem_signal_wait_until": 1, "shmem_quiet": 1, "shmem_team_split_strided": 1,
          "shmem_team_create_ctx": 1, "shmem_ctx_long_put": 1, "shmem_ctx_quiet": 1, "shmem_ctx_destroy": 1,
          "shmem_team_destroy": 1, "shmem_long_sum_reduce": 1, "shmem_barrier_all": 1, "shmem_finalize": 1}
NEAR, COLLECTIVE = "shmem bytes, mapped memory", "shmem bytes, collective"
MOVED = 10 * 64 * 8 + 8 + 24 + 8 + 64  # to the next PE
OWN = 16  # through the team that counts backwards


class Events(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="sheaf-events-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def run_calls(self, *preload, **variables):
        """What each PE's system was told: a list of (word, name, value)."""
        done = subprocess.run([OSHRUN, "-n", "2", "env", "LD_PRELOAD=" + ":".join(preload), CALLS], timeout=60,
                              capture_output=True, text=True,
                              env={**os.environ, "EVENTS": str(self.folder / "told"), **variables})
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        told = [[line.split("\t") for line in file.read_text().splitlines()] for file in self.folder.iterdir()]
        return [[(word, name, int(value)) for word, name, value in lines] for lines in told], done.stderr

    def check_calls(self, told, nodes):
        self.assertEqual(len(told), 2)
        self.assertEqual(sorted(value for lines in told for word, _, value in lines if word == "node"), nodes)
        for lines in told:
            under_way = []
            for word, name, _ in lines:
                self.assertNotEqual(word, "wrong", name)
                if word == "start":
                    self.assertEqual(under_way, [])
                    under_way.append(name)
                elif word == "stop":
                    self.assertEqual(under_way.pop(), name)
            self.assertEqual(under_way, [])
            self.assertEqual(collections.Counter(name for word, name, _ in lines if word == "start"), CALLED)

    def bytes_of(self, lines):
        sums = collections.Counter()
        for word, name, value in lines:
            if word == "event":
                sums[name] += value
        return dict(sums)

    def test_tau(self):
        told, errors = self.run_calls(LIBRARY, TAU)
        self.assertEqual(errors, "")
        self.check_calls(told, [0, 1])
        for lines in told:
            self.assertEqual(self.bytes_of(lines), {NEAR: MOVED + OWN, COLLECTIVE: 8})

    def test_scorep(self):
        told, errors = self.run_calls(LIBRARY, SCOREP)
        self.assertEqual(errors, "")
        self.check_calls(told, [])
        for lines in told:
            self.assertEqual(self.bytes_of(lines), {NEAR: MOVED + OWN, COLLECTIVE: 8})

    @unittest.skipUnless(NODES, "this build has no profile, whose tests play two memory nodes")
    def test_memory_nodes(self):
        for remote, node in (("0", "same"), ("1", "other")):
            with self.subTest(node=node):
                told, _ = self.run_calls(LIBRARY, TAU, NODES, REMOTE=remote)
                for lines in told:
                    self.assertEqual(self.bytes_of(lines), {f"{NEAR}, {node} NUMA node": MOVED + OWN, COLLECTIVE: 8})
                for file in self.folder.iterdir():
                    file.unlink()

    @unittest.skipUnless(NETWORK, "this build has no network")
    def test_far(self):
        told, _ = self.run_calls(LIBRARY, TAU, SHEAF_ONNODE="off")
        self.check_calls(told, [0, 1])
        for lines in told:
            found = self.bytes_of(lines)
            self.assertEqual(found.pop(COLLECTIVE), 8)
            self.assertEqual(found.pop(NEAR), OWN)
            (name, value), = found.items()
            self.assertRegex(name, "^shmem bytes, (UCX|libfabric|MPI)")
            self.assertEqual(value, MOVED)

    def test_nobody_to_tell(self):
        told, errors = self.run_calls(LIBRARY)
        self.assertEqual(told, [])
        self.assertEqual(errors.count("[SH213]"), 1, errors)

    def test_every_routine(self):
        names = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        wrapped = {line.split()[-1] for line in names.splitlines()}
        declared = set(re.findall(r"^\w[\w *]*?\b(shmem_\w+)\(", (Path(os.environ["WRAPPERS"]) / "shmem.h").read_text(), re.M))
        declared -= {name for name in declared if re.search("get_(team|name|version|config)$", name)}
        moving = {name for name in declared if re.search(r"_(put|get|p|g|atomic\w*|reduce|broadcast|collect|fcollect|alltoalls?"
                                                         r"|wait_until\w*|test\w*|put_signal|quiet|fence)(_|\d|mem|$)", name)}
        self.assertGreater(len(moving), 900)
        self.assertEqual(sorted(name for name in moving if name not in wrapped), [])


if __name__ == "__main__":
    unittest.main()
