# SPDX-License-Identifier: BSD-3-Clause
"""Tests on two hosts, with the first launcher that is here; starts that are refused."""
import os
import re
import subprocess
import time
import unittest

import common
from hosts import Site
from launchers import Layout, launcher_of

VICTIM = os.environ["VICTIM"]
BARRIERS = ["barrier", "1"] # for a second


def library(name):
    """Where the loader finds it."""
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if folder and os.path.exists(os.path.join(folder, name)):
            return os.path.join(folder, name)
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, timeout=10, check=True).stdout
    return re.search(rf"^\s*{re.escape(name)} .*=> (\S+)$", listed, re.MULTILINE)[1]


class TwoHosts(unittest.TestCase):
    settings = {} # of every job

    def setUp(self):
        self.site = self.enter(Site(2))
        self.launcher = self.enter(launcher_of(common.launchers_here()[0], self.site))

    def enter(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def hide(self, name):
        """A library, on both hosts."""
        for host in self.site.hosts:
            self.hide_on(host, name)

    def hide_on(self, host, name):
        host.do("mount", "--bind", "/dev/null", os.path.realpath(library(name)))

    def run_barriers(self, env, command=()):
        """(status, what it said) of a short job of one PE on each host, which ends within 10 s and leaves nothing."""
        began = time.monotonic()
        done = self.launcher.run(Layout([1, 1]), [*command, VICTIM, *BARRIERS], 30,
                                 {**os.environ, **self.settings, **env})
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(self.site.wait_until_clean(3), {})
        return done

    def succeed(self, env, command=()):
        status, out = self.run_barriers(env, command)
        self.assertEqual((status, "sheaf: " in out), (0, False), out)

    def refuse(self, env, *named, command=()):
        """Nonzero, and a line that names all of these."""
        status, out = self.run_barriers(env, command)
        self.assertNotIn(status, (0, 124), out)
        lines = [line for line in out.splitlines() if "sheaf: " in line]
        self.assertTrue(any(all(part in line for part in named) for line in lines), out)


def on_first_host(one, other, variable="SHEAF_ENGINE"):
    """The beginning of a command: the variable is one there, and other elsewhere."""
    return ["sh", "-c", f'{variable}=$(test "$(hostname)" = h1 && echo {one} || echo {other}) exec "$@"', "sh"]
