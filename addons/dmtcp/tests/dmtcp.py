# SPDX-License-Identifier: BSD-3-Clause
"""Jobs under DMTCP with libsheaf-dmtcp.so: written, killed and started again from the images, twice in a row. CTest gives
OSHRUN, ROUNDS (the program), PLUGIN and DMTCP_LAUNCH, beside which DMTCP's other commands are."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

OSHRUN, ROUNDS, PLUGIN = (os.environ[name] for name in ("OSHRUN", "ROUNDS", "PLUGIN"))
COMMANDS = Path(os.environ["DMTCP_LAUNCH"]).parent
LIMIT = 60


class Restarts(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="sheaf-dmtcp-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.environment = {**os.environ, "DMTCP_TMPDIR": str(self.folder / "own")}
        self.job, self.lives = None, 0
        self.addCleanup(self.end)

    def dmtcp(self, name, *words):
        return [str(COMMANDS / f"dmtcp_{name}"), *map(str, words)]

    def start(self, name, *words):
        """Under a coordinator of its own, whose port is in a file."""
        self.lives += 1
        (self.folder / f"images{self.lives}").mkdir()
        self.job = subprocess.Popen(
            self.dmtcp(name, "--new-coordinator", "--coord-port", 0, "--port-file", self.folder / f"port{self.lives}",
                       "--ckptdir", self.folder / f"images{self.lives}", *words),
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def command(self, *words):
        port = (self.folder / f"port{self.lives}").read_text().strip()
        subprocess.run(self.dmtcp("command", "--coord-port", port, *words), env=self.environment, timeout=LIMIT,
                       check=True, capture_output=True)

    def wait_for(self, line):
        said = ""
        while not said.endswith(line + "\n"):
            text = self.job.stdout.readline()
            self.assertTrue(text, said)
            said += text

    def end(self):
        if self.job and self.job.poll() is None:
            self.command("--kill")
        if self.job:
            self.job.communicate(timeout=LIMIT)

    def write_and_restart(self):
        self.command("--bcheckpoint")
        self.end()
        images = sorted((self.folder / f"images{self.lives}").glob("*.dmtcp"))
        self.start("restart", *images)
        return images

    def go_on(self, pes):
        self.start("launch", "--no-gzip", "--with-plugin", PLUGIN, OSHRUN, "-n", pes, ROUNDS, self.folder)
        for number in (1, 2):
            self.wait_for(f"waits for {number}")
            self.assertEqual(len(self.write_and_restart()), pes + 2)  # oshrun, and the parent of the PEs
            (self.folder / str(number)).touch()
        said, _ = self.job.communicate(timeout=LIMIT)
        self.assertEqual(self.job.returncode, 0, said)
        lines = sorted(line for line in said.splitlines() if line.startswith("PE "))
        self.assertEqual(lines, [f"PE {pe}: {300 * 301 // 2}" for pe in range(pes)], said)

    def test_two(self):
        self.go_on(2)

    def test_five(self):
        self.go_on(5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
