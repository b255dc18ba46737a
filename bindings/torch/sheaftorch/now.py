# SPDX-License-Identifier: BSD-3-Clause
"""Collectives that are over when they return, for the short calls of inference: torch.distributed's without its own Python and
without works, which are two thirds of such a call's time. All ranks of a group make the same call; it may be
torch.distributed's on some of them.

    from sheaftorch import now
    now.all_reduce(tensor)
"""
from typing import Optional

import torch
import torch.distributed as dist

from sheaftorch import _group
from sheaftorch import _library as library
from sheaftorch._group import COMBINED, COMBINES, COMPLEX, TYPES
from sheaftorch._work import Work

Tensor, strided, begin, ENDED = torch.Tensor, torch.strided, library.begin, library.ENDED
NUMBERS = {name: number for number, name in enumerate(COMBINES)}
ProcessGroup = Optional[dist.ProcessGroup]


def _ours(group):
    if group is None:
        group = dist.group.WORLD
    if not isinstance(group, _group.Group):
        _refuse_group(group)
    return group


def _refuse_group(group):
    if group is None:
        raise ValueError('sheaftorch.now: there is no default group: call init_process_group("sheaf") first')
    if group is dist.GroupMember.NON_GROUP_MEMBER:
        raise ValueError(f"sheaftorch.now: rank {dist.get_rank()} is no member of this group")
    raise TypeError(f"sheaftorch.now: the group is {group}: expected one of the backend sheaf "
                    '(init_process_group("sheaf"), new_group(backend="sheaf"))')


def _refuse_types(group, call, output, tensor):
    """Of two tensors, each as it should be by itself."""
    group._look(call, output)
    group._look(call, tensor)
    group._same_type(call, output, tensor)


def _is_plain(group, tensor, kind):
    """What nearly all tensors are. Others, and mistakes, take torch.distributed's way. One of complex numbers may be conjugated
    without a change of its memory, and a part of such a one negated."""
    return (kind < COMPLEX and type(tensor) is Tensor and tensor.is_cpu and tensor.layout is strided
            and tensor.is_contiguous() and not tensor.is_neg() and group._forks == _group._forks)


def _are_plain(group, output, tensor, kind):
    """The same of two tensors of one type, in a look: a function of Python takes as long as three of these tests."""
    return (kind < COMPLEX and type(tensor) is type(output) is Tensor and tensor.is_cpu and output.is_cpu
            and tensor.dtype is output.dtype and tensor.layout is output.layout is strided
            and tensor.is_contiguous() and output.is_contiguous() and not (tensor.is_neg() or output.is_neg())
            and group._forks == _group._forks)


def _end(group, operation, tensors):
    Work(group, operation, tensors, None).wait()


def all_reduce(tensor: Tensor, op: str = "sum", group: ProcessGroup = None) -> Tensor:
    """The tensor, whose elements are all ranks' combined by op: sum, avg, product, min, max, band, bor or bxor."""
    group = _ours(group)
    combine = NUMBERS.get(op)
    if combine is None:
        group._refuse("all_reduce", f"'{op}' is no reduction: expected one of {', '.join(COMBINES)}")
    if not isinstance(tensor, Tensor):
        group._check("all_reduce", tensor)
    kind = TYPES.get(tensor.dtype, 0)
    if not COMBINED[kind][combine] or not _is_plain(group, tensor, kind):
        group._allreduce("all_reduce", tensor, _group.reduction_options(op), [tensor]).wait()
        return tensor
    start, bytes_ = tensor.data_ptr(), tensor.numel() * tensor.element_size()
    operation = begin(group._handle, library.ALLREDUCE, (start, bytes_, start, bytes_), 1, kind, combine, 0, 0, bytes_)
    if operation != ENDED:
        _end(group, operation, tensor)
    return tensor


def broadcast(tensor: Tensor, root: int = 0, group: ProcessGroup = None) -> Tensor:
    """The tensor, whose elements are those of the group's rank root."""
    group = _ours(group)
    kind = TYPES.get(getattr(tensor, "dtype", None), 0)
    if not _is_plain(group, tensor, kind):
        options = _group.BroadcastOptions()
        options.rootRank = root
        group.broadcast([tensor], options).wait()
        return tensor
    group._root("broadcast", root)
    bytes_ = tensor.numel() * tensor.element_size()
    operation = begin(group._handle, library.BROADCAST, (tensor.data_ptr(), bytes_), root == group._rank, kind, 0,
                      root, 0, bytes_)
    if operation != ENDED:
        _end(group, operation, tensor)
    return tensor


def all_gather(output: Tensor, tensor: Tensor, group: ProcessGroup = None) -> Tensor:
    """The output, in which the tensors of all ranks stand one behind the other."""
    group = _ours(group)
    size, kind = group._size, TYPES.get(getattr(tensor, "dtype", None), 0)
    if not _are_plain(group, output, tensor, kind) or output.numel() != tensor.numel() * size:
        _refuse_types(group, "all_gather", output, tensor)
        group._allgather_base(output, tensor).wait()
        return output
    bytes_ = tensor.numel() * tensor.element_size()
    blocks = (tensor.data_ptr(), bytes_, output.data_ptr(), bytes_ * size)
    operation = begin(group._handle, library.ALLGATHER, blocks, 1, kind, 0, 0, 0, bytes_, -size)
    if operation != ENDED:
        _end(group, operation, (output, tensor))
    return output


def all_to_all(output: Tensor, tensor: Tensor, group: ProcessGroup = None) -> Tensor:
    """The output, whose part r is this rank's part of rank r's tensor: parts of the first dimension, as long as each other."""
    group = _ours(group)
    size, kind = group._size, TYPES.get(getattr(tensor, "dtype", None), 0)
    if not _are_plain(group, output, tensor, kind) or (shape := tensor.shape) != output.shape or not shape or shape[0] % size:
        _refuse_types(group, "all_to_all", output, tensor)
        group.alltoall_base(output, tensor, [], []).wait()
        return output
    bytes_ = tensor.numel() * tensor.element_size()
    blocks = (tensor.data_ptr(), bytes_, output.data_ptr(), bytes_)
    operation = begin(group._handle, library.ALLTOALL, blocks, -size, kind, 0, 0, 0, 0, -size)
    if operation != ENDED:
        _end(group, operation, (output, tensor))
    return output
