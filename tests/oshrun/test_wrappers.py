# SPDX-License-Identifier: BSD-3-Clause
"""What is launched may be anything that later becomes the OpenSHMEM program."""
import os
import re
import resource
import shutil
import subprocess
import sys
import unittest

from common import CONTRACT, OSHINFO, OSHRUN, PROBE, OshrunTest, not_sanitized

ALL_THREE = [f"PE {pe} of 3, sum 3" for pe in range(3)]


class Wrappers(OshrunTest):
    def check(self, *command, **options):
        self.assertEqual(self.expect("-n", 3, *command, **options).lines(), ALL_THREE)

    def test_shell(self):
        self.check("sh", "-c", f"{PROBE}; exit $?")
        self.check("sh", "-c", f"exec {PROBE}")

    @unittest.skipUnless(shutil.which("bash"), "bash is not installed")
    def test_bash_script(self):
        script = self.file("script", f"#!/usr/bin/env bash\nset -eu\nexec 3>/dev/null\n{PROBE} hello | cat\n", 0o755)
        self.check(script)

    def test_script_without_interpreter_line(self):
        self.check(self.file("script", f"{PROBE}\n", 0o755))

    def test_python_closes_descriptors(self):
        self.check(sys.executable, "-c", f"import subprocess; subprocess.run(['{PROBE}'], check=True, close_fds=True)")

    @unittest.skipUnless(shutil.which("setarch"), "setarch is not installed")
    def test_setarch(self):
        if subprocess.run(["setarch", "-R", "true"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("setarch -R is not permitted here")
        self.check("setarch", "-R", PROBE)

    def test_env_nice_timeout(self):
        self.check("env", "X=1", PROBE)
        self.check("nice", PROBE)
        self.check("timeout", "20", PROBE)

    def test_two_programs_one_after_the_other(self):
        out = self.expect("-n", 3, "sh", "-c", f"{PROBE} && {PROBE}").lines()
        self.assertEqual(out, sorted(ALL_THREE * 2))


class Jobs(OshrunTest):
    def test_a_job_inside_a_pe(self):
        out = self.expect("-n", 2, "sh", "-c", f"{OSHRUN} -n 3 {PROBE}").lines()
        self.assertEqual(out, sorted(ALL_THREE * 2))

    def test_a_failure_inside_goes_out(self):
        result = self.run_oshrun("-n", 2, "sh", "-c", f"exec {OSHRUN} -q -n 3 {PROBE} code 21")
        self.assertEqual(result.status, 21)
        self.assertRegex(result.err, r"^oshrun: [^\n]*exited with status 21\n$")

    def test_the_end_outside_ends_the_inside(self):
        script = f'case $SHEAF_JOB in *:1:*) sleep 0.3; exit 8;; *) exec {OSHRUN} -n 3 sleep 60;; esac'
        result = self.run_oshrun("-n", 2, "sh", "-c", script)
        self.assertEqual(result.status, 8)
        self.assertLess(result.seconds, 10)

    def test_two_jobs_at_once(self):
        jobs = [self.start("-n", 3, PROBE) for _ in range(6)]
        for job in jobs:
            result = job.finish()
            self.assertEqual((result.status, result.err, result.lines()), (0, "", ALL_THREE))


class Limits(OshrunTest):
    def limited(self, which, value, *arguments):
        return self.run_oshrun(*arguments, preexec_fn=lambda: resource.setrlimit(which, (value, value)))

    def test_file_size(self):
        result = self.limited(resource.RLIMIT_FSIZE, 64 << 30, "-n", 4, CONTRACT)
        self.assertEqual((result.status, result.err, len(result.lines())), (0, "", 4))

    def test_file_size_too_small(self):
        result = self.limited(resource.RLIMIT_FSIZE, 1 << 20, "-n", 4, CONTRACT)
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: cannot size the memory of 4 PEs: File too large; "
                                     r"raise the file size limit \(ulimit -f\)\n$")

    def test_file_size_soft(self):
        result = self.run_oshrun("-n", 2, CONTRACT, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY)))
        self.assertEqual((result.status, result.err, len(result.lines())), (0, "", 2))

    def test_open_files_soft(self):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if hard != resource.RLIM_INFINITY and hard < 1000:
            self.skipTest(f"the hard limit on open files is {hard}")
        result = self.run_oshrun("-n", 100, "sh", "-c", "ulimit -Sn", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE, (64, hard)))
        self.assertEqual((result.status, result.err, result.out), (0, "", "64\n" * 100))

    @not_sanitized
    def test_open_files_too_few(self):
        result = self.limited(resource.RLIMIT_NOFILE, 64, "-n", 100, "true")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: cannot make a pipe for PE \d+: .*; raise the limit on "
                                     r"open files \(ulimit -n\)\n$")

    @not_sanitized
    def test_open_files_for_nothing(self):
        result = self.limited(resource.RLIMIT_NOFILE, 4, "-n", 2, "true")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: cannot start: .*; raise the limit on open files \(ulimit -n\)\n$")

    @not_sanitized
    def test_address_space(self):
        result = self.limited(resource.RLIMIT_AS, 8 << 30, "-n", 2, CONTRACT)
        self.assertEqual((result.status, result.err, len(result.lines())), (0, "", 2))

    @not_sanitized
    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "root starts it as another user")
    def test_threads_too_few(self):
        """oshrun, its proxy and two PEs are all that the user may have. Root is never refused."""
        user = 3141593 + os.getpid()

        def become():
            resource.setrlimit(resource.RLIMIT_NPROC, (4, 4))
            os.setuid(user)
        if subprocess.run(["setpriv", f"--reuid={user}", "test", "-x", OSHRUN, "-a", "-x", PROBE], check=False).returncode != 0:
            self.skipTest("another user may not run the programs here")
        if not re.search("^ofi +libfabric", subprocess.run([OSHINFO], stdout=subprocess.PIPE, text=True, check=True).stdout, re.M):
            self.skipTest("no libfabric here")
        result = self.run_oshrun("-n", 2, PROBE, preexec_fn=become,
                                 env={**os.environ, "SHEAF_ONNODE": "off", "SHEAF_ENGINE": "ofi"})
        self.assertEqual(result.status, 1, result.err)
        self.assertRegex(result.err, r"(?m)^sheaf: PE \d.*: the progress thread cannot be started: .*; raise the limit on "
                                     r"processes \(ulimit -u\)$")

    def test_no_null_device(self):
        front = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /dev && exec "$@"', "sh"]
        if not shutil.which("unshare") or subprocess.run([*front, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this user may not mount over /dev")
        result = self.run_oshrun("-n", 2, shutil.which("true"), front=front)
        self.assertEqual((result.status, result.err),
                         (1, "oshrun: cannot start PE 1 (standard input, /dev/null): No such file or directory\n"))

    def test_many_pes(self):
        self.assertEqual(len(self.expect("-n", 256, CONTRACT).lines()), 256)


if __name__ == "__main__":
    unittest.main()
