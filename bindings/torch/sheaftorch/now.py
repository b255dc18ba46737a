# SPDX-License-Identifier: BSD-3-Clause
"""Collectives that are over when they return, for the short calls of inference: torch.distributed's without its own Python and
without works, which are two thirds of such a call's time. All ranks of a group make the same call; it may be
torch.distributed's on some of them.

    from sheaftorch import now
    now.all_reduce(tensor)
"""
import struct
from typing import Optional

import torch
import torch.distributed as dist

from sheaftorch import _group
from sheaftorch import _library as library
from sheaftorch._group import COMBINED, COMBINES, COMPLEX, TYPES
from sheaftorch._work import Work

Tensor, strided, ENDED, NOT_PLAIN = torch.Tensor, torch.strided, library.ENDED, library.NOT_PLAIN
ALLREDUCE, BROADCAST, ALLGATHER, ALLTOALL = library.ALLREDUCE, library.BROADCAST, library.ALLGATHER, library.ALLTOALL
call_now, pack = library.now, struct.Struct("3P3i").pack
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


def _begin_by_exchange(group, kind, output, tensor, combine, root):
    """Begins a collective. NOT_PLAIN: not begun, since the tensors are not what nearly all are, or are a mistake: torch.distributed's
    way is for them. A part of a conjugated tensor may be negated without a change of its memory: the table does not tell."""
    if (type(tensor) is not Tensor or type(output) is not Tensor or tensor.is_neg() or (output is not tensor and output.is_neg())
            or group._forks != _group._forks):
        return NOT_PLAIN
    try:
        return call_now(pack(group._handle, id(output), id(tensor), kind, combine, root))
    except (BufferError, RuntimeError):  # torch's, of memory that it does not describe
        return NOT_PLAIN


def _begin_by_attributes(group, kind, output, tensor, combine, root):
    """The same by a torch without the table."""
    if (type(tensor) is not Tensor or type(output) is not Tensor or (type_ := TYPES.get(tensor.dtype, 0)) >= COMPLEX
            or not (tensor.is_cpu and output.is_cpu and tensor.dtype is output.dtype and tensor.layout is output.layout is strided
                    and tensor.is_contiguous() and output.is_contiguous())
            or tensor.is_neg() or output.is_neg() or group._forks != _group._forks):
        return NOT_PLAIN
    size, start, bytes_, outs = group._size, tensor.data_ptr(), tensor.numel() * tensor.element_size(), None
    blocks, ins = (start, bytes_), 1
    if kind == BROADCAST:
        fits, ins = 0 <= root < size, root == group._rank
    elif kind == ALLREDUCE:
        fits, blocks = COMBINED[type_][combine], (start, bytes_, start, bytes_)
    elif kind == ALLGATHER:
        fits, blocks, outs = output.numel() == tensor.numel() * size, (start, bytes_, output.data_ptr(), bytes_ * size), -size
    else:
        fits = (shape := tensor.shape) == output.shape and shape and shape[0] % size == 0
        blocks, ins, outs, bytes_ = (start, bytes_, output.data_ptr(), bytes_), -size, -size, 0
    return library.begin(group._handle, kind, blocks, ins, type_, combine, root, 0, bytes_, outs) if fits else NOT_PLAIN


_begin = _begin_by_exchange if library.uses_exchange(Tensor) else _begin_by_attributes


def _end(group, operation, tensors):
    Work(group, operation, tensors, None).wait()


def all_reduce(tensor: Tensor, op: str = "sum", group: ProcessGroup = None) -> Tensor:
    """The tensor, whose elements are all ranks' combined by op: sum, avg, product, min, max, band, bor or bxor."""
    group, combine = _ours(group), NUMBERS.get(op)
    if combine is None:
        group._refuse("all_reduce", f"'{op}' is no reduction: expected one of {', '.join(COMBINES)}")
    operation = _begin(group, ALLREDUCE, tensor, tensor, combine, 0)
    if operation == NOT_PLAIN:
        if not isinstance(tensor, Tensor):
            group._check("all_reduce", tensor)
        group._allreduce("all_reduce", tensor, _group.reduction_options(op), [tensor]).wait()
    elif operation != ENDED:
        _end(group, operation, tensor)
    return tensor


def broadcast(tensor: Tensor, root: int = 0, group: ProcessGroup = None) -> Tensor:
    """The tensor, whose elements are those of the group's rank root."""
    group = _ours(group)
    operation = _begin(group, BROADCAST, tensor, tensor, 0, root)
    if operation == NOT_PLAIN:
        options = _group.BroadcastOptions()
        options.rootRank = root
        group.broadcast([tensor], options).wait()
    elif operation != ENDED:
        _end(group, operation, tensor)
    return tensor


def all_gather(output: Tensor, tensor: Tensor, group: ProcessGroup = None) -> Tensor:
    """The output, in which the tensors of all ranks stand one behind the other."""
    group = _ours(group)
    operation = _begin(group, ALLGATHER, output, tensor, 0, 0)
    if operation == NOT_PLAIN:
        _refuse_types(group, "all_gather", output, tensor)
        group._allgather_base(output, tensor).wait()
    elif operation != ENDED:
        _end(group, operation, (output, tensor))
    return output


def all_to_all(output: Tensor, tensor: Tensor, group: ProcessGroup = None) -> Tensor:
    """The output, whose part r is this rank's part of rank r's tensor: parts of the first dimension, as long as each other."""
    group = _ours(group)
    operation = _begin(group, ALLTOALL, output, tensor, 0, 0)
    if operation == NOT_PLAIN:
        _refuse_types(group, "all_to_all", output, tensor)
        group.alltoall_base(output, tensor, [], []).wait()
    elif operation != ENDED:
        _end(group, operation, (output, tensor))
    return output
