# SPDX-License-Identifier: BSD-3-Clause
"""One rank: symmetric memory. Started by run.py."""
import torch
import torch.distributed as dist

import sheaftorch
from sheaftorch import symmetric


def expect(kind, words, call):
    try:
        call()
    except kind as error:
        assert words in str(error), f"{error}"
        return
    raise AssertionError(f"no {kind.__name__}: {words}")


def tensors(group, me, size):
    """Each rank writes into its place on all others, and reads others' places."""
    for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.complex64):
        mine = symmetric.empty(size, 3, dtype=dtype, group=group)
        handle = symmetric.rendezvous(mine, group)
        assert (handle.rank, handle.world_size, handle.buffer_ptrs[me]) == (me, size, mine.data_ptr())
        mine.zero_()
        handle.barrier()
        for peer in range(size):
            handle.get_remote_tensor(peer, mine.shape, dtype)[me] = me + 1
        handle.barrier()
        wanted = torch.arange(1, size + 1).to(dtype)[:, None].expand(size, 3)
        for peer in range(size):
            assert torch.equal(handle.get_buffer(peer, mine.shape, dtype), wanted), dtype
            assert torch.equal(handle.get_buffer(peer, (3,), dtype, 3 * me), wanted[me])
        handle.barrier(channel=1)
    dist.all_reduce(mine, group=group)  # a tensor as any other
    del mine, handle


def signals(group, me, size):
    """A token round the ranks, and one that does not come."""
    mine = symmetric.empty((4,), group=group)
    handle = symmetric.rendezvous(mine)
    for turn in range(20):
        if me or turn:
            handle.wait_signal((me - 1) % size, 2)
            assert mine[0].item() == turn, mine
        handle.get_remote_tensor((me + 1) % size, (4,), torch.float32)[0] = turn + (me == size - 1)
        handle.put_signal((me + 1) % size, 2)
    if me == 0:
        handle.wait_signal(size - 1, 2)
    handle.barrier()
    if size > 1:
        expect(sheaftorch.Error, "not within 20 ms", lambda: handle.wait_signal((me + 1) % size, 3, 20))
    handle.barrier()


def mistakes(group, me, size):
    mine = symmetric.empty(10, group=group)
    handle = symmetric.rendezvous(mine)
    expect(ValueError, "more than the 40 bytes", lambda: handle.get_buffer(0, (11,), torch.float32))
    expect(ValueError, "more than the 40 bytes", lambda: handle.get_buffer(0, (1,), torch.float32, 10))
    expect(ValueError, f"none of the group's {size}", lambda: handle.get_buffer(size, (1,), torch.float32))
    expect(ValueError, "channel 99", lambda: handle.put_signal(0, 99))
    expect(ValueError, "not of symmetric memory", lambda: symmetric.rendezvous(torch.zeros(3)))
    expect(ValueError, "of the CPU", lambda: symmetric.empty(3, device="meta", group=group))


def main():
    dist.init_process_group("sheaf")
    rank, size = dist.get_rank(), dist.get_world_size()
    tensors(None, rank, size)
    signals(None, rank, size)
    mistakes(None, rank, size)
    if size > 2:
        half = dist.new_group([0, size - 1])
        if rank in (0, size - 1):
            tensors(half, int(rank > 0), 2)
            signals(half, int(rank > 0), 2)
    print(f"rank {rank}: symmetric memory: passed", flush=True)


main()
