# SPDX-License-Identifier: BSD-3-Clause
"""torchrun --nproc_per_node 4 --max-restarts 2 restart.py: rank 1 is killed in each of the first two attempts."""
import os
import signal

import torch
import torch.distributed as dist

import sheaftorch  # noqa: F401: makes the backend known

attempt = int(os.environ["TORCHELASTIC_RESTART_COUNT"])
dist.init_process_group("sheaf")
for turn in range(200):
    tensor = torch.ones(1000)
    dist.all_reduce(tensor)
    assert tensor.eq(dist.get_world_size()).all(), tensor
    if dist.get_rank() == 1 and turn == 100 and attempt < 2:
        os.kill(os.getpid(), signal.SIGKILL)
if dist.get_rank() == 0:
    print("over in attempt", attempt)
dist.destroy_process_group()
