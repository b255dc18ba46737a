# SPDX-License-Identifier: BSD-3-Clause
"""mistakes.py CASE...: one rank of a program with mistakes, each in a group of its own. It prints the exceptions."""
import datetime
import os
import signal
import sys
import time

import torch
import torch.distributed as dist

import sheaftorch
from sheaftorch import now, symmetric

RANK = int(os.environ["RANK"])


def another_call(group):
    if RANK == 1:
        dist.broadcast(torch.zeros(4), 0, group)
    else:
        dist.all_reduce(torch.zeros(4), group=group)


def another_length(group):
    dist.all_reduce(torch.zeros(4 + RANK), group=group)


def another_type(group):
    dist.all_reduce(torch.zeros(4, dtype=torch.int32 if RANK else torch.float32), group=group)


def another_root(group):
    dist.broadcast(torch.zeros(4), RANK, group)


def another_split(group):
    dist.all_to_all_single(torch.zeros(4), torch.zeros(4), [2, 2], [1, 3] if RANK else [2, 2], group)


def afterwards(group):
    """A group that has failed says why, for each call."""
    try:
        another_length(group)
    except sheaftorch.Error:
        pass
    dist.barrier(group)


def message_length(group):
    if RANK == 0:
        dist.send(torch.zeros(4), 1, group)
    else:
        dist.recv(torch.zeros(5), 0, group)


def aborted(group):
    if RANK == 0:
        group.abort()
    dist.all_reduce(torch.zeros(4), group=group)


def other_device(group):
    dist.all_reduce(torch.zeros(4, device="meta"), group=group)


def now_other_device(group):
    now.all_to_all(torch.zeros(4), torch.zeros(4, device="meta"), group)


def now_other_types(group):
    now.all_gather(torch.zeros(8, dtype=torch.int32), torch.zeros(4), group)


def other_types(group):
    dist.all_gather_into_tensor(torch.zeros(8, dtype=torch.int32), torch.zeros(4), group)


def begun_anew(_group):
    """A group in the memory of one that is destroyed: the calls of that one do not count."""
    first = dist.new_group()
    dist.all_reduce(torch.zeros(4), group=first)
    dist.destroy_process_group(first)
    del first
    second = dist.new_group()
    if RANK == 1:
        time.sleep(2)
        return
    second.set_timeout(datetime.timedelta(seconds=1))
    dist.barrier(second)


def monitored_barrier(group):
    """Torch before 2.15 refuses it to all backends but gloo."""
    limit = datetime.timedelta(seconds=1)
    if torch.device("cpu") in getattr(group, "_device_types", ()):
        dist.monitored_barrier(group, limit)
    else:
        group.monitored_barrier(limit)


def monitored(group):
    """Rank 1 is late."""
    if RANK == 1:
        time.sleep(2)
    else:
        monitored_barrier(group)


def killed_before_a_monitored_barrier(group):
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    monitored_barrier(group)


def freed(group):
    """FSDP frees storages so."""
    tensor = torch.zeros(4)
    tensor.storage().resize_(0)
    now.all_reduce(tensor, "sum", group)


def now_no_tensor(group):
    now.all_reduce([1.0], "sum", group)


def now_no_member(group):
    now.all_reduce(torch.zeros(4), "sum", dist.GroupMember.NON_GROUP_MEMBER)


def sparse(group):
    group.broadcast([torch.zeros(4).to_sparse()])


def unequal_outputs(group):
    dist.all_gather([torch.zeros(4), torch.zeros(5)], torch.zeros(4), group)


def not_so_many(group):
    dist.all_to_all([torch.zeros(4)], [torch.zeros(4)], group)


def no_such_reduction(group):
    dist.all_reduce(torch.zeros(4), dist.ReduceOp.BAND, group)


def splits(group):
    dist.all_to_all_single(torch.zeros(4), torch.zeros(4), [1, 1], [2, 2], group)


def late(group):
    """Rank 1 does not come within the group's timeout."""
    dist.barrier(group)
    group.set_timeout(datetime.timedelta(seconds=4))
    if RANK != 1:
        dist.all_reduce(torch.zeros(4), group=group)
    time.sleep(7)


def killed(group):
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    begun = time.monotonic()
    try:
        dist.all_reduce(torch.zeros(4), group=group)
    finally:
        print(f"after {time.monotonic() - begun:.3f} s")


def killed_before_a_message(group):
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.recv(torch.zeros(4), 1, group)


def killed_before_a_signal(group):
    handle = symmetric.rendezvous(symmetric.empty(1, group=group), group)
    handle.barrier()
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    handle.wait_signal(1)


def killed_before_a_group(_group):
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    dist.new_group()


def killed_in_the_middle(group):
    """Of many long ones."""
    for turn in range(1000):
        dist.all_reduce(torch.zeros(1_000_000), group=group)
        if RANK == 1 and turn == 3:
            dist.all_reduce(torch.zeros(1_000_000), group=group, async_op=True)
            os.kill(os.getpid(), signal.SIGKILL)


def left(group):
    """Rank 1 ends without the call that the others make."""
    if RANK != 1:
        dist.all_reduce(torch.zeros(4), group=group)


def tell(case, function, *arguments):
    try:
        function(*arguments)
        print(f"{case}: no exception", flush=True)
    except Exception as error:
        print(f"{case}: {type(error).__name__}: {error}", flush=True)


def missing(_group):
    """Ranks 1 and 2 do not begin."""


def missing_store(_group):
    """Rank 0 does not."""


MISSING = {"missing": 0, "missing_store": 1}  # the rank that begins


def main():
    seconds = 2 if sys.argv[1] in MISSING else 30
    if MISSING.get(sys.argv[1], RANK) != RANK:
        time.sleep(4)
        return
    tell("start", lambda: dist.init_process_group("sheaf", timeout=datetime.timedelta(seconds=seconds)))
    for case in sys.argv[1:]:
        if dist.is_initialized():
            group = dist.new_group(timeout=datetime.timedelta(seconds=seconds))
            dist.barrier(group)
            tell(case, globals()[case], group)


main()
