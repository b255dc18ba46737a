# SPDX-License-Identifier: BSD-3-Clause
"""starts.py SIGNAL MOMENT SECONDS: one of three ranks, of which rank 1 gets the signal at a moment of init_process_group. The others
print the exception, and after how long it came. Moment exit: rank 0 has torch's store and does not come; it dies once rank 2's Python
has ended, which a thread that is in the store then would make an abort."""
import datetime
import os
import signal
import sys
import threading
import time

import torch
import torch.distributed as dist

import sheaftorch  # noqa: F401: makes the backend known
from sheaftorch import _library, _meeting, _rendezvous

MOMENTS = {"joining": "join_job", "joined": "join_job", "told": "group", "again": None, "exit": None}
word, moment, seconds = sys.argv[1:]
begun = time.monotonic()


def end():
    os.kill(os.getpid(), getattr(signal, word))


def end_in(call):
    def ended(*arguments):
        if moment != "joined":  # while the others are in the call; joining: while this rank is too
            threading.Timer(0.01 if moment == "joining" else 0, end).start()
        result = call(*arguments) if moment != "told" else time.sleep(60)
        end()
        return result

    return ended


class AtExit:
    """Ends a process when Python has ended."""

    def __init__(self, pid):
        self.pid = pid

    def __del__(self, kill=os.kill, number=signal.SIGKILL, sleep=time.sleep):
        kill(self.pid, number)
        sleep(1)


if moment == "exit":
    store = _rendezvous._open(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), int(os.environ["RANK"]), 3,
                              datetime.timedelta(seconds=60))
    if os.environ["RANK"] == "0":
        store.set("pid", str(os.getpid()))
        time.sleep(60)
    if os.environ["RANK"] == "1":
        _meeting.Meeting._wait = lambda *_: end()
    at_exit = AtExit(int(store.get("pid")))
elif os.environ["RANK"] == "1" and MOMENTS[moment]:
    setattr(_library, MOMENTS[moment], end_in(getattr(_library, MOMENTS[moment])))
try:
    dist.init_process_group("sheaf", timeout=datetime.timedelta(seconds=float(seconds)))
    if moment == "again":
        dist.all_reduce(torch.ones(1))
        dist.destroy_process_group()
        if os.environ["RANK"] == "1":
            end()
        begun = time.monotonic()
        dist.init_process_group("sheaf", timeout=datetime.timedelta(seconds=float(seconds)))
    print("no exception")
except Exception as error:
    print(f"{type(error).__name__}: {error}, after {time.monotonic() - begun:.2f} s", flush=True)
if moment == "exit":
    time.sleep(0.5)  # the thread goes on meanwhile, into the store if it is going to
    sys.exit()
time.sleep(2)  # the end of one may end the others, before they have seen the death
os._exit(0)
