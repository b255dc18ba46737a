# SPDX-License-Identifier: BSD-3-Clause
"""torchrun --nproc_per_node 2 example.py: each rank trains on data of its own, and the gradients are averaged."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import sheaftorch  # noqa: F401: makes the backend known

dist.init_process_group("sheaf")
torch.manual_seed(0)
model = DistributedDataParallel(torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(dist.get_rank())
for _ in range(20):
    x = torch.randn(16, 8)
    loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weights = [torch.empty(8) for _ in range(dist.get_world_size())]
dist.all_gather(weights, model.module.weight.detach()[0])
if dist.get_rank() == 0:
    print("equal on all ranks:", all(torch.equal(weights[0], other) for other in weights))
dist.destroy_process_group()
