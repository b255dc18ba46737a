# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of oshrun share: running it, and proving that nothing of a job is left.

Every oshrun gets a marker of its own in the environment, which all that it starts inherits, so
what is left of a job is found by looking through /proc. CTest gives the programs' paths:
OSHRUN, OSHINFO, PROBE, CONTRACT; and in SANITIZE what they are instrumented for.
"""
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

OSHRUN = os.environ["OSHRUN"]
OSHINFO = os.environ["OSHINFO"]
PROBE = os.environ["PROBE"]
CONTRACT = os.environ["CONTRACT"]
SANITIZE = os.environ.get("SANITIZE", "")
PATIENCE = int(os.environ.get("TEST_PATIENCE", "1"))  # more on a machine that is emulated
LIMIT = 30 * PATIENCE  # seconds; no single oshrun here needs more than three


def program_of(pid):
    """Its executable's path; "" for a process that has just gone."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


# A sanitizer's run-time takes terabytes of address space, and descriptors, for itself.
not_sanitized = unittest.skipIf(SANITIZE, f"instrumented for {SANITIZE}")


def processes_with(text):
    """Pids of all processes whose initial environment holds text."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if text.encode() in file.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


def wait_for(condition, seconds=10.0 * PATIENCE):
    """The first true value of condition(), or its last one when the time is over."""
    until = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > until:
            return value
        time.sleep(0.01)


def without_ids(text):
    """tests/oshinfo/messages.py looks at the ids of messages; here their words count."""
    return re.sub(r" \[SH\d{3}\]", "", text)


class Result:
    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds

    def lines(self):
        return sorted(self.out.splitlines())


class Job:
    """An oshrun in the background."""

    def __init__(self, test, arguments, **options):
        self.test = test
        self.marker = f"OSHRUN_TEST_MARKER={uuid.uuid4().hex}"
        environment = dict(options.pop("env", None) or os.environ)
        environment["TMPDIR"] = test.folder
        name, value = self.marker.split("=")
        environment[name] = value
        stdin = options.pop("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        front = options.pop("front", [])
        self.began = time.monotonic()
        self.process = subprocess.Popen([*front, OSHRUN, *map(str, arguments)], env=environment,
                                        stdin=stdin, text=True, **options)
        test.jobs.append(self)

    @property
    def pid(self):
        return self.process.pid

    def finish(self, input=None):
        try:
            out, err = self.process.communicate(input, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            self.test.fail(f"{self.process.args} did not end within {LIMIT} s")
        # Where the name server does not answer, oshrun says so, of no job.
        err = re.sub(r"^oshrun: this machine's name, .*\n", "", err or "", flags=re.M)
        return Result(self.process.returncode, without_ids(out or ""), without_ids(err),
                      time.monotonic() - self.began)

    def read_line(self):
        return self.process.stdout.readline()

    def left(self):
        return processes_with(self.marker)


class OshrunTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.jobs = []
        self.holder = tempfile.TemporaryDirectory(prefix="oshrun-test-")
        self.folder = self.holder.name
        self.expected_files = set()

    def tearDown(self):
        try:
            for job in self.jobs:
                if not wait_for(lambda: not job.left(), 2.0):
                    pids = job.left()
                    for pid in pids:
                        os.kill(pid, signal.SIGKILL)
                    self.fail(f"processes left by {job.process.args}: {pids}")
            extra = set(os.listdir(self.folder)) - self.expected_files
            self.assertFalse(extra, "files left")
            if os.path.isdir("/dev/shm"):
                named = [name for name in os.listdir("/dev/shm") if "sheaf" in name]
                self.assertEqual(named, [])
        finally:
            for job in self.jobs:
                for stream in (job.process.stdout, job.process.stderr):
                    if stream:
                        stream.close()
                if job.process.poll() is None:
                    job.process.kill()
                    job.process.wait()
            self.holder.cleanup()

    def start(self, *arguments, **options):
        return Job(self, arguments, **options)

    def run_oshrun(self, *arguments, input=None, **options):
        if input is not None:
            options["stdin"] = subprocess.PIPE
        return self.start(*arguments, **options).finish(input)

    def expect(self, *arguments, status=0, err="", **options):
        """Runs oshrun, requires this exit status and this standard error, returns the result."""
        result = self.run_oshrun(*arguments, **options)
        self.assertEqual((result.status, result.err), (status, err), result.out)
        return result

    def file(self, name, text, mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        self.expected_files.add(name)
        return path
