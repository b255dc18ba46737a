# SPDX-License-Identifier: BSD-3-Clause
#
# oshrun preempts PEs while they keep the one processor that they share, not while they wait, and never where
# that is switched off. By default it does so less often, or not at all, by what a wake-up costs here. What its
# threads do is read from /proc. PEs that poll by plain loads what others put, fence and flag are found, and
# yield. Arguments: oshrun, the program busy.

import contextlib
import os
import pathlib
import subprocess
import sys
import time


def proxy_of(pid):
    """oshrun's child of that name, within two seconds."""
    until = time.monotonic() + 2
    while time.monotonic() < until:
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with contextlib.suppress(OSError): # it has ended since it was listed
                if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "sheaf-proxy":
                    return child
        time.sleep(0.02)
    raise SystemExit("failed: oshrun has no proxy")


def runs(proxy):
    """(number of threads, how often they have run)."""
    threads = list(pathlib.Path(f"/proc/{proxy}/task").iterdir())
    return len(threads), sum(int((thread / "schedstat").read_text().split()[2]) for thread in threads)


def measure(oshrun, program, what, setting):
    """(threads of the proxy, their runs per second) while two PEs do something."""
    environment = dict(os.environ, SHEAF_PREEMPT=setting)
    job = subprocess.Popen([oshrun, "-n", "2", "--timeout", "20", program, what], env=environment)
    try:
        proxy = proxy_of(job.pid)
        time.sleep(1.5)
        _, before = runs(proxy)
        time.sleep(1)
        threads, after = runs(proxy)
    finally:
        status = job.wait()
    print(f"{what}, {setting}: {threads} threads, {after - before} runs in a second, status {status}")
    return threads, after - before, status


def rounds(oshrun, program, setting):
    text = subprocess.run([oshrun, "-n", "2", "--timeout", "20", program, "pass"], stdout=subprocess.PIPE, check=True,
                          env=dict(os.environ, SHEAF_PREEMPT=setting)).stdout.decode()
    print(f"pass, {setting}: {text.strip()}")
    return int(text.split()[1])


def main():
    oshrun, program = sys.argv[1:3]
    if not os.path.exists("/proc/self/schedstat"):
        print("skipped: this kernel does not tell how often a process ran")
        return 77
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    threads, often, looping = measure(oshrun, program, "loop", "on")
    _, looks, waiting = measure(oshrun, program, "wait", "on")
    none, _, off = measure(oshrun, program, "loop", "off")
    some, rarer, default = measure(oshrun, program, "loop", "auto")
    polled, yielded = rounds(oshrun, program, "off"), rounds(oshrun, program, "auto")
    sound = threads == 3 and none == 1 and often > 150 and looks < 50 and looping == waiting == off == 0
    sound = sound and default == 0 and (some == 3 and rarer > 50 or some == 2 and rarer < 50)
    sound = sound and yielded > 10 * polled
    print("ok" if sound else "failed: expected 3 threads and more than 150 runs, less than 50, 1 thread, 3 or 2; "
          "10 times as many rounds")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
