# SPDX-License-Identifier: BSD-3-Clause
"""Nobody but the job's own user gets in. Another user is played by uid 65534, which takes root."""
import os
import shutil
import signal
import subprocess
import unittest

from common import CONTRACT, OSHRUN, PROBE, OshrunTest, program_of, wait_for

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
IS_PLAYABLE = os.geteuid() == 0 and shutil.which("setpriv") is not None


def memory_of(pid):
    """Paths of the job's memory among a process's descriptors."""
    folder = f"/proc/{pid}/fd"
    return [f"{folder}/{fd}" for fd in os.listdir(folder)
            if os.readlink(f"{folder}/{fd}").startswith("/memfd:sheaf")]


class Privacy(OshrunTest):
    def hold(self):
        job = self.start("-n", 2, CONTRACT, "wait")
        job.read_line(), job.read_line()
        return job

    def end(self, job):
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)

    def test_the_memory_has_no_name(self):
        job = self.hold()
        (path,) = memory_of(job.pid)
        status = os.stat(path)
        self.assertEqual((status.st_nlink, status.st_mode & 0o777, status.st_uid),
                         (0, 0o600, os.geteuid()))
        self.assertFalse(os.path.exists(os.readlink(path)))
        self.end(job)

    def test_it_is_close_on_exec_once_attached(self):
        job = self.start("-n", 2, PROBE, "hang")

        def attached():
            """Not before: a PE that attaches opens and closes descriptors between a look at their list and one at them."""
            said = self.run_oshrun("--why", job.pid).out
            pids = [pid for pid in job.left() if "probe" in program_of(pid)]
            return pids if "PE 0 waits for PE 1 in" in said and "PE 1: it runs its own code" in said else None

        for pid in wait_for(attached):
            for path in memory_of(pid):
                with open(path.replace("/fd/", "/fdinfo/")) as file:
                    (flags,) = (int(line.split()[1], 8) for line in file if line.startswith("flags"))
                self.assertTrue(flags & os.O_CLOEXEC, path)
        self.end(job)

    @unittest.skipUnless(IS_PLAYABLE, "needs root and setpriv")
    def test_a_second_user_can_neither_attach_nor_signal(self):
        job = self.hold()
        (path,) = memory_of(job.pid)
        pes = [pid for pid in job.left() if "contract" in program_of(pid)]
        self.assertEqual(len(pes), 2)
        for pid in [job.pid, *pes]:
            for path in memory_of(pid):
                self.assertNotEqual(subprocess.run([*NOBODY, "head", "-c", "1", path],
                                                   stderr=subprocess.DEVNULL).returncode, 0)
            for number in (0, signal.SIGTERM, signal.SIGKILL):
                self.assertNotEqual(subprocess.run([*NOBODY, "sh", "-c", f"kill -{int(number)} {pid}"],
                                                   stderr=subprocess.DEVNULL).returncode, 0)
        self.assertIsNone(job.process.poll())
        self.end(job)

    @unittest.skipUnless(IS_PLAYABLE, "needs root and setpriv")
    def test_why_shows_a_second_user_nothing(self):
        job = self.hold()
        copy = shutil.copy(OSHRUN, "/tmp/oshrun-of-nobody-" + str(os.getpid()))
        try:
            for arguments in (["--why"], ["--why", str(job.pid)]):
                result = subprocess.run([*NOBODY, copy, *arguments], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        finally:
            os.unlink(copy)
        self.end(job)

    @unittest.skipUnless(IS_PLAYABLE, "needs root and setpriv")
    def test_an_ordinary_user_can_run_jobs(self):
        copy = shutil.copy(OSHRUN, "/tmp/oshrun-of-nobody-" + str(os.getpid()))
        try:
            result = subprocess.run([*NOBODY, copy, "-n", "3", "sh", "-c", "echo up"], cwd="/",
                                    capture_output=True, text=True, timeout=30)
        finally:
            os.unlink(copy)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "up\n" * 3, ""))


if __name__ == "__main__":
    unittest.main()
