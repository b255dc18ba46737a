#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# What cannot be had is refused by one line: refusals.py ON-HOSTS OSHRUN OSHINFO REFUSED DOMAINS, where
# the last two are test programs.
"""Each line names the setting or the call, its value, and what to do instead."""

import os
import subprocess
import sys
import unittest

ON_HOSTS, OSHRUN, OSHINFO, REFUSED, DOMAINS = sys.argv[1:6]
DEVICE = {"SHEAF_ATOMICS": "device", "SHEAF_ATOMICS_NATIVE": "all"}
NAMES = "fetch,set,add,and,or,xor,swap,cswap"


def run(command, **variables):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SHEAF_", "SHMEM_", "SMA_"))}
    return subprocess.run(command, env={**kept, **variables}, capture_output=True, text=True,
                          timeout=60, check=False)


def across_hosts(program, *arguments, hosts="ab", **variables):
    return run([sys.executable, ON_HOSTS, hosts, program, *arguments], **variables)


def lines_of(result):
    """What Sheaf complains of, without what it tells at debug level, and without the lines of a launcher
    that mourns its processes."""
    return [line for line in (result.stdout + result.stderr).splitlines()
            if "sheaf: " in line and ": debug: " not in line]


class Refusals(unittest.TestCase):
    def check(self, result, *words, alike=True):
        """alike: PEs say the same, or nothing."""
        if result.returncode == 77:
            self.skipTest(result.stdout)
        said = lines_of(result)
        self.assertNotIn(result.returncode, (0, 124, 139), result.stdout + result.stderr)
        self.assertTrue(said, result.stdout + result.stderr)
        if alike:
            self.assertEqual(len({line.split(": ", 2)[-1] for line in said}), 1, said)
        for word in words:
            for line in said:
                self.assertIn(word, line)

    def test_settings(self):
        for name, value, *expected in (
                ("SHEAF_ATOMICS", "foo", "must be one of: auto, cpu, device, hinted"),
                ("SHEAF_ATOMICS", "", "must be one of: auto, cpu, device, hinted"),
                ("SHEAF_RMA", "foo", "must be one of: auto, native, message"),
                ("SHEAF_ATOMICS_USES", "nand", NAMES),
                ("SHEAF_ATOMICS_USES", "add64,", NAMES),
                ("SHEAF_ATOMICS_USES", "add16", "each with 32, 64 or neither"),
                ("SHEAF_ATOMICS_NATIVE", "add64 xor", NAMES)):
            with self.subTest(name=name, value=value):
                said = (f'{name} is "{value}"', *expected)
                self.check(run([OSHRUN, "-n", "2", REFUSED], **{name: value}), *said)
                self.check(across_hosts(REFUSED, **{name: value}), *said)
                if name != "SHEAF_RMA":
                    self.check(run([OSHINFO, "--amo"], **{name: value}), *said)

    def test_calls(self):
        for mistake, *said in (
                ("declare", "shmemx_atomics_declare", '"add64,nand"', NAMES),
                ("declare-space", "shmemx_atomics_declare", '"add64, xor"', "without spaces"),
                ("declare-null", "shmemx_atomics_declare", '"(null)"', NAMES),
                ("ask-operation", "shmemx_provider", '"nand"', "cswap, barrier, broadcast"),
                ("ask-bytes", "shmemx_provider", "bytes is 2", "4 or 8"),
                ("ask-signal", "shmemx_provider", "bytes is 4", "size of a signal"),
                ("ask-reduce", "shmemx_provider", "bytes is 12", "a multiple of 8"),
                ("measure-null", "shmemx_provider_ns", "object is a null pointer"),
                ("ask-pe", "shmemx_provider", "PE 2", "0 to 1")):
            with self.subTest(mistake=mistake):
                self.check(run([OSHRUN, "-n", "2", REFUSED, mistake]), *said)

    def test_unaligned_objects(self):
        for variables in ({}, {"SHMEM_DEBUG": "1"}, DEVICE, {**DEVICE, "SHEAF_ATOMICS_NATIVE": "cswap64"}):
            for mistake, call, size in (("unaligned", "shmem_uint64_atomic_add", "its 8 bytes"),
                                        ("unaligned-fetch", "shmem_uint32_atomic_fetch_xor", "its 4 bytes")):
                with self.subTest(mistake=mistake, variables=variables):
                    self.check(across_hosts(REFUSED, mistake, **variables), call, "multiple of " + size,
                               "not packed")

    def test_undeclared_operation(self):
        self.check(across_hosts(REFUSED, "undeclared", **DEVICE | {
            "SHEAF_ATOMICS_NATIVE": "add64", "SHEAF_ATOMICS_USES": "add64"}),
            "shmem_uint64_atomic_xor", "the network has no xor64", "(add64)", "shmemx_atomics_declare()")

    def test_memory_spaces(self):
        """Two refusals of a team and of all, each by one PE, and the job goes on."""
        for of_team, of_all, variables in (
                ("make one of SHMEM_TEAM_WORLD before it", "lacks atomic operations",
                 {"SHEAF_ATOMICS": "auto", "SHEAF_ATOMICS_NATIVE": "add64"}),
                ("SHEAF_ATOMICS=cpu leaves", "SHEAF_ATOMICS=cpu leaves", {"SHEAF_ATOMICS": "cpu"})):
            with self.subTest(variables=variables):
                result = across_hosts(REFUSED, "space", **variables)
                if result.returncode == 77:
                    self.skipTest(result.stdout)
                said = lines_of(result)
                self.assertEqual((result.returncode, len(said)), (0, 2), said)
                for line, why in zip(said, (of_team, of_all)):
                    self.assertIn("no memory space of kind atomics:network and 4096 bytes", line)
                    self.assertIn(why, line)

    def test_different_domains(self):
        program = ["sh", "-c", 'test "$SHEAF_HOST" = host-a && export SHEAF_ATOMICS=hinted; exec ' + REFUSED]
        for hosts in ("ab", "aabb", "ba"):
            with self.subTest(hosts=hosts):
                result = across_hosts(*program, hosts=hosts)
                self.check(result, "SHEAF_ATOMICS is", '"hinted"', '"auto"', "on host host-", "mpirun -x",
                           alike=False)


class Warnings(unittest.TestCase):
    """The network lacks what the program uses: one line, and the processors do it."""

    def check(self, result, count):
        if result.returncode == 77:
            self.skipTest(result.stdout)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(len(lines_of(result)), count, result.stdout + result.stderr)

    def test_missing_operations(self):
        result = across_hosts(REFUSED, SHEAF_ATOMICS="device", SHEAF_ATOMICS_NATIVE="add64")
        self.check(result, 1)
        for word in ("PE 0: warning: SHEAF_ATOMICS=device", "xor", "cswap64", "stay the processors'",
                     "SHEAF_ATOMICS_USES"):
            self.assertIn(word, lines_of(result)[0])

    def test_declared_operations(self):
        for hosts in ("ab", "aabb", "abab"):
            with self.subTest(hosts=hosts):
                result = across_hosts(DOMAINS, "declare", hosts=hosts, SHEAF_ATOMICS="device",
                                      SHEAF_ATOMICS_NATIVE="add64")
                self.check(result, 2) # at the start, and where all operations are declared again

    def test_nothing_is_said_without_need(self):
        for variables in ({}, DEVICE, DEVICE | {"SHEAF_ATOMICS": "hinted"},
                          DEVICE | {"SHEAF_ATOMICS_NATIVE": "add64", "SHEAF_ATOMICS_USES": "add64,fetch64"}):
            with self.subTest(variables=variables):
                self.check(across_hosts(REFUSED, **variables), 0)


class Table(unittest.TestCase):
    """oshinfo --amo."""

    def rows(self, **variables):
        result = run([OSHINFO, "--amo"], **variables)
        self.assertEqual(result.returncode, 0, result.stderr)
        cells = [line.split() for line in result.stdout.splitlines()]
        return {line[0]: line[-2:] for line in cells if line and line[0] in NAMES.split(",")}, result.stdout

    def test_which_network(self):
        for engine, why in (("ucx", "no transport"), ("ofi", "libfabric"), ("mpi", "MPI"),
                            ("none", "there is no network")):
            rows, text = self.rows(SHEAF_ENGINE=engine)
            self.assertIn(f"the network's ({engine})", text)
            if set(rows["add"]) == {"-"}:
                self.assertRegex(text, rf"none of its own: .*({why}|not installed|not built)")

    def test_what_is_native_and_what_is_built(self):
        rows, text = self.rows(SHEAF_ATOMICS="device", SHEAF_ATOMICS_NATIVE="add64,cswap64")
        self.assertEqual(rows["add"], ["built", "native"])
        self.assertEqual(rows["cswap"], ["built", "native"])
        self.assertEqual(rows["fetch"], ["built", "native"])
        self.assertEqual(rows["xor"], ["built", "built"])
        self.assertIn("all objects' are the network's", text)

    def test_what_is_missing(self):
        rows, text = self.rows(SHEAF_ATOMICS="hinted", SHEAF_ATOMICS_NATIVE="add64")
        self.assertEqual(rows["add"], ["-", "native"])
        self.assertEqual(rows["swap"], ["-", "-"])
        self.assertIn("the network has no fetch32,set,add32", text)

    def test_default(self):
        rows, text = self.rows()
        self.assertEqual(set(rows), set(NAMES.split(",")))
        self.assertRegex(text, "SHEAF_ATOMICS=auto: (all objects' are the processors'|those of blocks with)")

    def test_why_nothing_is_native(self):
        rows, text = self.rows(SHEAF_ATOMICS="device", UCX_TLS="tcp,self")
        self.assertEqual(rows["add"], ["-", "-"])
        self.assertRegex(text, "The network has none of its own: (no transport has any in hardware .*tcp"
                               "|.*UCX)")
        self.assertIn("the processors', since the network has no fetch,set,add,and,or,xor,swap,cswap", text)


unittest.main(argv=sys.argv[:1])
