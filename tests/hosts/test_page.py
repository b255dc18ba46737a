# SPDX-License-Identifier: BSD-3-Clause
"""docs/do/hosts.md on two hosts: oshrun --hosts says what the page shows, and mistakes say what its table quotes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import common
from hosts import Site
from launchers import oshrun_on_head

sys.path.append(str(pathlib.Path(__file__).parent.parent / "common"))
import pages # noqa: E402

PAGE = pathlib.Path(__file__).parents[2] / "docs/do/hosts.md"
TEXT = PAGE.read_text().replace("node1", "h1").replace("node2", "h2")


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=common.BUILD))
        self.addCleanup(shutil.rmtree, self.folder)
        source = pages.keep_program(PAGE, "hello.c", self.folder)
        subprocess.run([f"{common.BUILD}/bin/oshcc", source, "-o", source.with_suffix("")], check=True)
        self.site = Site(2)
        self.site.__enter__()
        self.addCleanup(self.site.__exit__, None, None, None)

    def job(self, program="hello", **settings):
        return oshrun_on_head(self.site, ["--hosts", "h1:2,h2:2", self.folder / program], settings)

    def test_first_example(self):
        command, *wanted = re.search(r"```console\n\$ oshrun (.*?)```", TEXT, re.S)[1].splitlines()
        self.assertEqual(command, "--hosts h1:2,h2:2 ./hello")
        status, said = self.job()
        self.assertEqual(status, 0, said)
        self.assertRegex(said, "(?m)^oshrun: 4 PEs on 2 hosts, started by /")
        self.assertEqual(sorted(re.findall("(?m)^PE .*", said)), [line for line in wanted if line.startswith("PE")])

    def test_mistakes(self):
        """Each says a line that stands in the page's table, the "..." apart."""
        table = TEXT[TEXT.index("## What you see"):]
        quoted = [pages.pattern(text) for cell in re.findall(r"(?m)^\| (`.*?) \|", table) for text in re.findall("`(.*?)`", cell)]
        self.site.run(["cp", self.folder / "hello", "/dev/shm"]) # the head's alone
        for mistake in ({"SHEAF_ENGINE": "off"}, {"SHEAF_ENGINE": "ucx", "UCX_TLS": "sm"},
                        {"SHEAF_ENGINE": "ucx", "UCX_NET_DEVICES": "eth7"}, {"program": "/dev/shm/hello"}):
            with self.subTest(mistake=mistake):
                status, said = self.job(**mistake)
                self.assertNotIn(status, (0, 124), said)
                self.assertTrue(any(re.search(text, said) for text in quoted), said)


if __name__ == "__main__":
    common.main()
