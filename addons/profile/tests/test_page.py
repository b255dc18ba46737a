# SPDX-License-Identifier: BSD-3-Clause
"""The page of oshprof in a browser: its script runs to its end without an error, with many PEs too, and needs nothing
from elsewhere. Skipped without Chromium or Chrome. CTest gives OSHRUN, OSHPROF and KNOWN."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

OSHRUN, OSHPROF, KNOWN = (os.environ[name] for name in ("OSHRUN", "OSHPROF", "KNOWN"))
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, True)

    def make(self, pes):
        profile = self.folder / f"of {pes}"
        done = subprocess.run([OSHRUN, "-n", str(pes), "--profile", profile, KNOWN], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([sys.executable, OSHPROF, profile], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return profile / "profile.html"

    def show(self, page):
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000",
                               f"--user-data-dir={self.folder / 'browser'}", "--enable-logging=stderr", "--dump-dom",
                               page.as_uri()], capture_output=True, text=True, timeout=60)
        self.assertNotRegex(done.stderr, r"CONSOLE.*(Error|Refused|Uncaught)")
        self.assertIn('data-ready="yes"', done.stdout)
        return done.stdout

    def test_without_browser(self):
        page = self.make(2).read_text()
        self.assertNotRegex(page, r"(src|href)=|@import|https?://")
        data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])
        self.assertEqual((data["npes"], len(data["pes"])), (2, 2))
        self.assertEqual(sum(row[2] for row in data["matrix"]), 2 * 1304)

    @unittest.skipUnless(BROWSER, "no Chromium here")
    def test_in_a_browser(self):
        shown = self.show(self.make(4))
        self.assertIn("shmem_long_atomic_fetch_add", shown)
        self.assertRegex(shown, r"<h1[^>]*>[^<]* of PE \d's time")


if __name__ == "__main__":
    unittest.main()
