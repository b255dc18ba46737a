# SPDX-License-Identifier: BSD-3-Clause
"""One rank: groups of one name, one after the other, over a store that keeps what the earlier ones have left, as torchrun's does; and
a meeting to which a rank comes late. Started by run.py."""
import os
import tempfile
import time

import torch
import torch.distributed as dist

import sheaftorch
from sheaftorch._meeting import Meeting

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
PATH = os.path.join(tempfile.gettempdir(), f"sheaf-again-{os.environ['MASTER_PORT']}")


def meet(store, name, seconds=30):
    meeting = Meeting(dist.PrefixStore(name, store), RANK, SIZE, seconds, name)
    meeting.run(Meeting.come)
    return meeting.store


def meetings(store):
    first = meet(store, "meetings")
    assert first.add("calls", 1) <= SIZE
    second = meet(store, "meetings")
    assert second.add("calls", 1) <= SIZE, "the second meeting has what the first one has left"
    if RANK == 0:
        try:
            meet(store, "late", 0.1)
            raise AssertionError("rank 0 has met nobody")
        except sheaftorch.Error as error:
            assert f"rank 1 of {SIZE} has not come" in str(error), error
        store.set("late", "come")
    store.get("late")
    meet(store, "late")


def groups(store):
    for turn in range(4):
        time.sleep(0.1 * (RANK == turn % SIZE))
        dist.init_process_group("sheaf", store=store, rank=RANK, world_size=SIZE)
        ones = torch.ones(3)
        dist.all_reduce(ones)
        assert ones.tolist() == [SIZE] * 3, ones
        dist.destroy_process_group()


def main():
    store = dist.FileStore(PATH, SIZE)
    meetings(store)
    groups(store)
    store.add("ended", 1)
    while RANK == 0 and store.add("ended", 0) < SIZE:
        time.sleep(0.01)
    if RANK == 0 and os.path.exists(PATH):
        os.unlink(PATH)


main()
