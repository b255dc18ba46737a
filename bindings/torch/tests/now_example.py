# SPDX-License-Identifier: BSD-3-Clause
"""The page's example of short collectives. Started by run.py."""
import torch
import torch.distributed as dist

from sheaftorch import now

dist.init_process_group("sheaf")
rank, size = dist.get_rank(), dist.get_world_size()
hidden = torch.full((16,), float(rank + 1))
now.all_reduce(hidden)                                   # the sum is there
parts = now.all_gather(torch.empty(size, 16), hidden)    # returns its first argument
print(f"rank {rank}: {parts[0, 0].item()}")
assert parts.eq(size * (size + 1) / 2).all()
