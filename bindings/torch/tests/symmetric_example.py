# SPDX-License-Identifier: BSD-3-Clause
"""The page's example of symmetric memory. Started by run.py."""
import torch
import torch.distributed as dist

import sheaftorch  # noqa: F401: makes the backend known
from sheaftorch import symmetric

dist.init_process_group("sheaf")
rank, size = dist.get_rank(), dist.get_world_size()
tensor = symmetric.empty(4, dtype=torch.float32)   # on all ranks, in the same order
handle = symmetric.rendezvous(tensor)
peer = (rank + 1) % size
handle.get_remote_tensor(peer, (4,), torch.float32)[:] = rank
handle.barrier()
print(f"rank {rank}: {tensor.tolist()}")
assert tensor.tolist() == [float((rank - 1) % size)] * 4
