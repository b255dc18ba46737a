# SPDX-License-Identifier: BSD-3-Clause
"""A job that a test harms while it runs."""
import os
import queue
import re
import signal
import subprocess
import threading
import time

from hosts import MESSAGE_ID

LIMIT = float(os.environ.get("LIMIT", "5"))  # seconds, from the failure until no process is left on any host
START = 20.0


class Job:
    """A program under way that says what victim.c says: its PEs' processes, then what it prints until it ends."""

    def __init__(self, launcher, layout, program, env=None):
        self.site, self.layout, self.program = launcher.site, layout, program[0]
        self.process = launcher.popen(layout, program, env={**os.environ, **(env or {})}, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, errors="replace")
        self.lines, self.pids, self.said = queue.Queue(), {}, []
        self.started = 0 # lines printed before it was ready
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(re.sub(MESSAGE_ID, "", line))
        self.lines.put(None)

    def _next(self, until):
        try:
            line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if line is not None:
            self.said.append(line)
        return line

    @property
    def out(self):
        return "".join(self.said)

    def wait_until_ready(self):
        until = time.monotonic() + START
        is_ready = False
        while True:
            line = self._next(until)
            if line is None:
                raise AssertionError(f"the job did not get ready:\n{self.out}")
            found = re.search(r"PE (\d+) of \d+ is process (\d+) on (\S+)", line)
            if found:
                self.pids[int(found[1])] = (found[3], int(found[2]))
            is_ready |= line.endswith("ready\n")
            if is_ready and len(self.pids) == self.layout.total:
                self.started = len(self.said)
                return self

    def kill_pe(self, pe, number=signal.SIGKILL):
        name, pid = self.pids[pe]
        self.host(name).signal(number, [pid])

    def host(self, name):
        return next(host for host in self.site.hosts if host.name == name)

    def pes_left(self):
        """The PEs' processes, on each host that has some."""
        found = {host.name: host.find(os.path.basename(self.program)) for host in self.site.hosts}
        return {name: pids for name, pids in found.items() if pids}

    def end(self, left, launcher_limit):
        """(seconds until left() is empty, until the launcher is gone, what left() says in the end).
        None: it was not, or with None for a limit, it need not be."""
        began = time.monotonic()
        clean = gone = None
        while time.monotonic() < began + LIMIT + (launcher_limit or 0) and None in (clean, gone):
            if clean is not None and launcher_limit is None:
                break
            if clean is None and not left():
                clean = time.monotonic() - began
            if gone is None and self.process.poll() is not None:
                gone = time.monotonic() - began
            time.sleep(0.02)
        remain = left()
        self.stop()
        return clean, gone, remain

    def stop(self):
        if self.process.poll() is None:
            self.site.kill_jobs()
            self.process.wait(10)
        until = time.monotonic() + 5
        while self._next(until) is not None:
            pass
        self.process.stdout.close()
