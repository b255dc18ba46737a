# SPDX-License-Identifier: BSD-3-Clause
"""One rank: training steps of a small transformer by DistributedDataParallel, and tensor-parallel inference with weights that
mean nothing, by sheaf and by gloo. Both must give the same numbers; rank 0 says what a step takes. Started by run.py, or by
hosts.py on several hosts. STEPS: how many are timed."""
import datetime
import os
import statistics
import sys
import time

import torch
import torch.distributed as dist

import sheaftorch  # noqa: F401: makes the backend known

WORDS, WIDTH, HEADS, LAYERS, LENGTH, BATCH = 500, 128, 4, 2, 32, 4
STEPS = int(os.environ.get("STEPS", "3"))
# Tensors, longer than gloo's group. Its threads let go of them late: of the last use with Python's lock, which the group's end holds
# while it waits for the threads (torch 2.6: 7 of 22 runs were not over).
kept = []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words = torch.nn.Embedding(WORDS, WIDTH)
        layer = torch.nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.0, batch_first=True)
        self.layers = torch.nn.TransformerEncoder(layer, LAYERS)
        self.out = torch.nn.Linear(WIDTH, WORDS)

    def forward(self, text):
        return self.out(self.layers(self.words(text)))


def train(group, steps):
    """The parameters after so many steps, the same on all ranks, and the seconds of each step."""
    torch.manual_seed(0)
    model = torch.nn.parallel.DistributedDataParallel(Model(), process_group=group)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    data = torch.Generator().manual_seed(1 + dist.get_rank(group))
    seconds = []
    for _ in range(steps):
        text = torch.randint(0, WORDS, (BATCH, LENGTH + 1), generator=data)
        begun = time.perf_counter()
        optimizer.zero_grad()
        result = model(text[:, :-1])
        torch.nn.functional.cross_entropy(result.reshape(-1, WORDS), text[:, 1:].reshape(-1)).backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begun)
    return torch.cat([value.detach().reshape(-1) for value in model.parameters()]), seconds


def infer(group, steps):
    """Blocks of two layers: the first one's columns and the second one's rows are split among the ranks. The last
    activations, and the seconds of each pass."""
    rank, size = dist.get_rank(group), dist.get_world_size(group)
    weights = torch.Generator().manual_seed(2)
    blocks = []
    for _ in range(LAYERS * 2):
        first, second = (torch.randn(4 * WIDTH, WIDTH, generator=weights) / WIDTH for _ in range(2))
        blocks.append((first.chunk(size)[rank], second.chunk(size)[rank]))
    seconds, result = [], None
    for _ in range(steps):
        result = torch.ones(1, WIDTH)
        begun = time.perf_counter()
        for first, second in blocks:
            part = torch.relu(result @ first.t()) @ second
            kept.append(part)
            dist.all_reduce(part, group=group)
            result = torch.nn.functional.layer_norm(result + part, (WIDTH,))
        seconds.append(time.perf_counter() - begun)
    return result, seconds


def same(mine, other, size):
    """Two ranks' sums have one order; of more ranks gloo's order is its own."""
    return torch.equal(mine, other) if size <= 2 else torch.allclose(mine, other, rtol=1e-4, atol=1e-6)


def main():
    size = int(os.environ["WORLD_SIZE"])
    torch.set_num_threads(1)
    dist.init_process_group("sheaf", timeout=datetime.timedelta(seconds=60))
    groups = {"sheaf": dist.group.WORLD, "gloo": dist.new_group(backend="gloo")}
    for what in (train, infer):
        results, times = {}, {backend: [] for backend in groups}
        for _ in range(3):  # in turns
            for backend, group in groups.items():
                dist.barrier()
                results[backend], seconds = what(group, STEPS)
                times[backend] += seconds[1:]
        assert same(results["sheaf"], results["gloo"], size), f"{what.__name__}: other numbers than gloo's"
        if dist.get_rank() == 0:
            median = {backend: statistics.median(seconds) * 1e3 for backend, seconds in times.items()}
            print(f"{what.__name__} {size} ranks, ms a step: sheaf {median['sheaf']:.2f} gloo {median['gloo']:.2f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()
    print(f"rank {os.environ['RANK']}: done", flush=True)


main()
sys.exit(0)
