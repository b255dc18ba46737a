# SPDX-License-Identifier: BSD-3-Clause
"""torch_now.py [BYTES...]: what sheaftorch.now's collectives take, in microseconds: the least batch and the median.

    PYTHONPATH=build/python oshrun -n 2 --bind core python3 bench/python/torch_now.py 65536

EACH: seconds of each row (0.3). Needs PyTorch.
"""
import os
import statistics
import sys
import time

import torch
import torch.distributed as dist

from sheaftorch import now  # makes the backend known, too


def batches(call, each, seconds):
    """Microseconds of a call, by batches; all ranks make as many. The first ones do not count."""
    times, goes_on, end, batch = [], torch.ones(1), time.monotonic() + seconds, 0
    while goes_on.item():
        begun = time.perf_counter()
        for _ in range(each):
            call()
        took = (time.perf_counter() - begun) / each * 1e6
        if batch >= 5:
            times.append(took)
        if batch % 10 == 9:
            goes_on[0] = time.monotonic() < end
            now.broadcast(goes_on)
        batch += 1
    return times


def main():
    dist.init_process_group("sheaf", init_method="sheaf://")
    for size in [int(word) for word in sys.argv[1:]] or [1 << 10, 8 << 10, 64 << 10, 1 << 20, 32 << 20]:
        tensor, out, whole = torch.ones(size // 4), torch.empty(size // 4), torch.empty(dist.get_world_size() * (size // 4))
        calls = {"broadcast": lambda: now.broadcast(tensor), "all_to_all": lambda: now.all_to_all(out, tensor),
                 "all_gather": lambda: now.all_gather(whole, tensor), "all_reduce": lambda: now.all_reduce(tensor, "max")}
        for name, call in calls.items():
            times = batches(call, max(1, min(20, 4_000_000 // size)), float(os.environ.get("EACH", "0.3")))
            if dist.get_rank() == 0:
                print(f"now {name} {size} least {min(times):.1f} median {statistics.median(times):.1f}", flush=True)
    dist.barrier()


main()
