# SPDX-License-Identifier: BSD-3-Clause
"""PEs that another launcher than oshrun has started: apart, and of two minds. launchers.py ON-HOSTS APART.

ON-HOSTS is tests/common/on-hosts; without a launcher or UCX the tests are skipped.
"""
import os
import subprocess
import sys
import unittest

ON_HOSTS, APART = sys.argv[1:3]


class Launchers(unittest.TestCase):
    def run_on(self, hosts, *command, **variables):
        result = subprocess.run([sys.executable, ON_HOSTS, hosts, *command], env={**os.environ, **variables},
                                capture_output=True, text=True, timeout=60, check=False)
        if result.returncode == 77:
            self.skipTest(result.stdout)
        return result

    def test_apart(self):
        """Two of them on one host."""
        result = self.run_on("aab", APART, SHEAF_ONNODE="off")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_of_two_minds(self):
        wrapper = f'test "$SHEAF_HOST" = host-b && export SHEAF_ONNODE=off; exec {APART}'
        for hosts, pe in (("aab", 2), ("ba", 1)):
            result = self.run_on(hosts, "sh", "-c", wrapper)
            said = [line for line in (result.stdout + result.stderr).splitlines() if "sheaf: " in line]
            self.assertNotIn(result.returncode, (0, 124, 139))
            self.assertEqual(len(said), 1, result.stdout + result.stderr)
            first, other = ("on", "off") if hosts[0] == "a" else ("off", "on")
            self.assertIn(f"PE {pe} on host-{hosts[pe]} has SHEAF_ONNODE={other}, PE 0 on host-{hosts[0]} "
                          f"SHEAF_ONNODE={first}: give all PEs the same", said[0])


unittest.main(argv=sys.argv[:1])
