# SPDX-License-Identifier: BSD-3-Clause
"""starts.py SIGNAL MOMENT SECONDS: one of three ranks, of which rank 1 gets the signal at a moment of init_process_group. The others
print the exception, and after how long it came."""
import datetime
import os
import signal
import sys
import threading
import time

import torch
import torch.distributed as dist

import sheaftorch  # noqa: F401: makes the backend known
from sheaftorch import _library

MOMENTS = {"joining": "join_job", "joined": "join_job", "told": "group", "again": None}
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


if os.environ["RANK"] == "1" and MOMENTS[moment]:
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
time.sleep(2)  # the end of one may end the others, before they have seen the death
os._exit(0)
