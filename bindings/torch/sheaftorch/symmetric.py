# SPDX-License-Identifier: BSD-3-Clause
"""Symmetric memory of the CPU, in the shape of torch.distributed._symmetric_memory: a tensor on each rank of a group, and the
peers' tensors, which are read and written as one's own.

    tensor = sheaftorch.symmetric.empty(1024, dtype=torch.float32)
    handle = sheaftorch.symmetric.rendezvous(tensor)
    handle.get_remote_tensor(1, (1024,), torch.float32)[:4] = 1
    handle.barrier()
"""
import ctypes
import math
import weakref

import torch
import torch.distributed as dist

from sheaftorch import _library as library
from sheaftorch._group import Group
from sheaftorch._work import Error

CHANNELS = 16
_handles = weakref.WeakValueDictionary()  # by the address of the rank's own block


def _tensor(owner, address, size, dtype, offset):
    """Of memory that stays as long as the process; owner: what the tensor keeps alive."""
    count = math.prod(size)
    if count == 0:
        return torch.empty(size, dtype=dtype)
    length = count * torch.empty(0, dtype=dtype).element_size()
    memory = (ctypes.c_char * length).from_address(address + offset)
    memory.owner = owner
    return torch.frombuffer(memory, dtype=dtype, count=count).view(size)


class Handle:
    """A block of memory on each rank of a group."""

    def __init__(self, group, bytes_):
        self._group, self.buffer_size = group, bytes_
        self.rank, self.world_size, self.device = group.rank(), group.size(), torch.device("cpu")
        addresses = (ctypes.c_void_p * self.world_size)()
        self._symmetric = library.symmetric(group._handle, bytes_, CHANNELS, addresses)
        if not self._symmetric:
            raise Error(f"rank {self.rank} of group {group._name}: no symmetric memory of {bytes_} bytes, or a rank has died")
        self.buffer_ptrs = [address or 0 for address in addresses]

    def get_buffer(self, rank, sizes, dtype, storage_offset=0):
        """The block of rank as a tensor; storage_offset: in elements."""
        sizes = tuple(sizes)
        each = torch.empty(0, dtype=dtype).element_size()
        if not 0 <= rank < self.world_size:
            raise ValueError(f"rank {rank} is none of the group's {self.world_size}")
        if storage_offset < 0 or any(size < 0 for size in sizes) or (
                (storage_offset + math.prod(sizes)) * each > self.buffer_size):
            raise ValueError(f"{sizes} of {dtype} from element {storage_offset} on is more than the {self.buffer_size} bytes")
        if not self.buffer_ptrs[rank]:
            raise Error(f"rank {self.rank} of group {self._group._name}: rank {rank} is on another host, whose memory is no tensor here")
        return _tensor(self, self.buffer_ptrs[rank], sizes, dtype, storage_offset * each)

    def get_remote_tensor(self, peer, sizes, dtype):
        return self.get_buffer(peer, sizes, dtype)

    def put_signal(self, dst_rank, channel=0, timeout_ms=0):
        """Waits until dst_rank has taken the last one of this channel."""
        self._signal("put_signal", "to", dst_rank, channel, False, timeout_ms)

    def wait_signal(self, src_rank, channel=0, timeout_ms=0):
        self._signal("wait_signal", "from", src_rank, channel, True, timeout_ms)

    def _signal(self, call, word, rank, channel, is_mine, timeout_ms):
        if not 0 <= rank < self.world_size or not 0 <= channel < CHANNELS:
            raise ValueError(f"{call}: rank {rank} of {self.world_size}, channel {channel} of {CHANNELS}")
        text = ctypes.create_string_buffer(library.TEXT)
        state = library.signal(self._symmetric, rank, channel, is_mine, timeout_ms, text)
        who = f"rank {self.rank} of group {self._group._name}: {call}({word} rank {rank}, channel {channel})"
        if state == library.FAILED:
            raise Error(f"{who}: {text.value.decode()}")
        if state == library.PENDING:
            raise Error(f"{who}: not within {timeout_ms} ms")

    def barrier(self, channel=0, timeout_ms=0):
        """Also: what the ranks have stored before, all see behind it."""
        others = [(self.rank + i) % self.world_size for i in range(1, self.world_size)]
        for other in others:
            self.put_signal(other, channel, timeout_ms)
        for other in others:
            self.wait_signal(other, channel, timeout_ms)


def _group_of(group):
    group = dist.group.WORLD if group is None else group
    if not isinstance(group, Group):
        raise ValueError(f"symmetric memory needs a group of the backend sheaf, and not a {type(group).__name__}")
    return group


def empty(*size, dtype=None, device="cpu", group=None):
    """A tensor of symmetric memory. All ranks of the group call it, in the same order, with the same sizes."""
    size = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    dtype = dtype or torch.get_default_dtype()
    if torch.device(device).type != "cpu":
        raise ValueError(f"symmetric memory is of the CPU, and not of {device}")
    length = max(1, math.prod(size)) * torch.empty(0, dtype=dtype).element_size()
    handle = Handle(_group_of(group), length)
    tensor = _tensor(handle, handle.buffer_ptrs[handle.rank], size, dtype, 0)
    _handles[handle.buffer_ptrs[handle.rank]] = handle
    return tensor


def rendezvous(tensor, group=None):
    """The handle of a tensor that empty() has made."""
    handle = _handles.get(tensor.untyped_storage().data_ptr() if hasattr(tensor, "untyped_storage") else tensor.storage().data_ptr())
    if handle is None:
        raise ValueError("this tensor is not of symmetric memory: make it with sheaftorch.symmetric.empty()")
    if group is not None and _group_of(group) is not handle._group:
        raise ValueError("the tensor belongs to another group: say it to empty() too")
    return handle
