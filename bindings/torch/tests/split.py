# SPDX-License-Identifier: BSD-3-Clause
"""One rank of four: groups that a group is split into (torch.distributed.split_group), in any order of their ranks. Started by
run.py."""
import os
import sys

import torch
import torch.distributed as dist

import sheaftorch  # noqa: F401: makes the backend known


def main():
    rank = int(os.environ["RANK"])
    dist.init_process_group("sheaf")
    half = dist.split_group(split_ranks=[[0, 1], [3, 2]])
    ranks = [0, 1] if rank < 2 else [3, 2]
    assert dist.get_process_group_ranks(half) == ranks and dist.get_group_rank(half, rank) == ranks.index(rank)
    value = torch.full((3,), float(rank))
    dist.all_reduce(value, group=half)
    assert value.tolist() == [float(sum(ranks))] * 3
    one = dist.split_group(half, split_ranks=[[1]])
    assert (one is dist.GroupMember.NON_GROUP_MEMBER) == (ranks.index(rank) == 0)
    some = dist.split_group(split_ranks=[[2, 0, 1]])
    assert (some is dist.GroupMember.NON_GROUP_MEMBER) == (rank == 3)
    if rank != 3:
        values = [torch.zeros(1) for _ in range(3)]
        dist.all_gather(values, torch.tensor([float(rank)]), group=some)
        assert [int(value) for value in values] == [2, 0, 1]
    dist.barrier()
    dist.destroy_process_group()
    print(f"rank {rank}: done", flush=True)


if not hasattr(dist.ProcessGroup, "split_group"):
    print(f"torch {torch.__version__} splits no groups that are not NCCL's")
    sys.exit(77)
main()
sys.exit(0)
