#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""watchdog.py SOCKET LIMIT COMMAND...: runs COMMAND, a job of a trainer, and ends it when it hangs: at once where oshtop
--serve is certain of that, and after LIMIT seconds in which others have waited for the same PE.

Says which PEs were to blame, and exits with 75: a script may start the job again from its last checkpoint.
"""
import json
import signal
import subprocess
import sys
import time

from textfile import ask

HUNG = 75  # EX_TEMPFAIL


def complaint(job, limit):
    """Why the job is ended; None: it goes on. A PE that is late for less than the limit is no reason."""
    def names(pes):
        return ", ".join(f"PE {pe['pe']} on {pe['host']} (pid {pe['pid']}) {pe['does']}" for pe in pes)

    if job["hung"]:
        return f"{job['why']}: {job['calls'] or names(job['stuck'])}"
    late = [pe for pe in job["stragglers"] if pe["seconds"] >= limit]
    if late:
        return f"others have waited for {limit:g} s: {names(late)}"
    return "every PE waits" if job["all_wait_seconds"] >= limit else None


def watch(process, path, limit):
    """The command's exit status, or HUNG. A job of another command is not this watchdog's business."""
    while process.poll() is None:
        try:
            jobs = json.loads(ask(path, "/health"))["jobs"]
        except (OSError, ValueError) as problem:
            print(f"watchdog: no news of the job: {problem}", file=sys.stderr)
            jobs = []
        for why in [complaint(job, limit) for job in jobs if job["launcher"] == process.pid]:
            if why:
                print(f"watchdog: {why}", file=sys.stderr)
                process.send_signal(signal.SIGTERM)
                process.wait()
                return HUNG
        time.sleep(0.5)
    return process.returncode


if __name__ == "__main__":
    sys.exit(watch(subprocess.Popen(sys.argv[3:]), sys.argv[1], float(sys.argv[2])))
