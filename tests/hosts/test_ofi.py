# SPDX-License-Identifier: BSD-3-Clause
"""The engine over libfabric, across hosts: how it is chosen, and starts that cannot succeed."""
import os
import re
import subprocess
import sys
import time
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

VICTIM = os.path.join(common.BUILD, "tests", "test-hosts-victim")
OSHINFO = os.path.join(common.BUILD, "bin", "oshinfo")
BARRIERS = ["barrier", "1"] # for a second


def need_libfabric():
    said = subprocess.run([OSHINFO], capture_output=True, text=True, timeout=30, check=True).stdout
    if not re.search(r"^ofi +libfabric \d", said, re.MULTILINE):
        print("skipped: oshinfo finds no libfabric")
        sys.exit(common.SKIPPED)


def library(name):
    """Where the loader finds it."""
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, timeout=10, check=True).stdout
    return re.search(rf"^\s*{re.escape(name)} .*=> (\S+)$", listed, re.MULTILINE)[1]


class Ofi(unittest.TestCase):
    def setUp(self):
        self.site = self.enter(Site(2))
        self.launcher = self.enter(launcher_of(common.launchers_here()[0], self.site))

    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def run_barriers(self, env):
        began = time.monotonic()
        done = self.launcher.run(Layout([1, 1]), [VICTIM, *BARRIERS], 30, {**os.environ, **env})
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.site.wait_until_clean(3), {})
        return done

    def refuse(self, env, *named):
        """Nonzero, and a line of each PE at most that names all of these."""
        status, out = self.run_barriers({"SHEAF_ENGINE": "ofi", **env})
        self.assertNotIn(status, (0, 124), out)
        lines = [line for line in out.splitlines() if "sheaf: " in line]
        self.assertTrue(any(all(part in line for part in named) for line in lines), out)

    def hide(self, name):
        for host in self.site.hosts:
            host.do("mount", "--bind", "/dev/null", os.path.realpath(library(name)))

    def test_by_its_name(self):
        status, out = self.run_barriers({"SHEAF_ENGINE": "ofi"})
        self.assertEqual((status, "sheaf: " in out), (0, False), out)

    def test_unknown_provider(self):
        self.refuse({"SHEAF_OFI_PROVIDER": "nonsense"}, "SHEAF_OFI_PROVIDER=nonsense", "tcp;ofi_rxm")

    def test_shared_memory(self):
        self.refuse({"SHEAF_OFI_PROVIDER": "shm"}, "SHEAF_OFI_PROVIDER=shm", "never used", "name a network")

    def test_unknown_rule(self):
        self.refuse({"SHEAF_OFI_RULES": "busy,nonsense"}, "SHEAF_OFI_RULES=busy,nonsense", "no-order")

    def test_no_such_network(self):
        self.refuse({"SHEAF_OFI_PROVIDER": "tcp", "FI_TCP_IFACE": "nonsense"}, "FI_TCP_IFACE=nonsense", "ip link")

    def test_no_libfabric(self):
        self.hide("libfabric.so.1")
        self.refuse({}, "engine ofi", "install libfabric")

    def test_other_engines_here_and_there(self):
        """PEs of one job over two networks: said, and ended."""
        command = ["sh", "-c", 'SHEAF_ENGINE=$(test "$(hostname)" = h1 && echo ofi || echo ucx) exec "$@"',
                   "sh", VICTIM, *BARRIERS]
        status, out = self.launcher.run(Layout([1, 1]), command, 30)
        self.assertNotIn(status, (0, 124), out)
        self.assertIn("another engine", out)

    def test_without_ucx_it_is_chosen(self):
        self.hide("libucp.so.0")
        status, out = self.run_barriers({"SHEAF_ENGINE": "ucx"})
        self.assertNotEqual(status, 0, out)
        status, out = self.run_barriers({"SHEAF_ENGINE": "auto"})
        self.assertEqual((status, "sheaf: " in out), (0, False), out)


if __name__ == "__main__":
    need_libfabric()
    common.main()
