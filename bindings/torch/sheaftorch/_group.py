# SPDX-License-Identifier: BSD-3-Clause
"""A process group of torch.distributed, in Python: the calls that torch makes, handed to the library as addresses."""
import collections
import ctypes
import inspect
import itertools
import os

import torch
import torch._C._distributed_c10d as _c10d
import torch.distributed as dist
from torch._C._distributed_c10d import (AllgatherOptions, AllreduceCoalescedOptions, AllreduceOptions, AllToAllOptions,
                                        BarrierOptions, BroadcastOptions, GatherOptions, ReduceOptions,
                                        ReduceScatterOptions, ScatterOptions)

from sheaftorch import _library as library
from sheaftorch._meeting import Meeting, known_pes
from sheaftorch._work import Ended, Error, Work, Works

TYPES = {torch.bool: 1, torch.uint8: 2, torch.int8: 3, torch.int16: 4, torch.int32: 5, torch.int64: 6, torch.float16: 7,
         torch.bfloat16: 8, torch.float32: 9, torch.float64: 10, torch.complex64: 11, torch.complex128: 12,
         torch.complex32: 13}
Tensor, strided, ENDED = torch.Tensor, torch.strided, library.ENDED  # looked up once: calls are short
KEPT = 64  # works that nobody has waited for, and that are over
COMPLEX = 11  # the first number of a complex type
COMBINES = ("sum", "avg", "product", "min", "max", "band", "bor", "bxor")
COMBINED = [[bool(library.combines(kind, combine)) for combine in range(len(COMBINES))] for kind in range(1 + len(TYPES))]


def _number(reduction):
    """Torch's number of a reduction."""
    return int(getattr(reduction, "op", reduction))


def reduction_options(name):
    options = AllreduceOptions()
    options.reduceOp = getattr(dist.ReduceOp, name.upper())
    return options


def _is_hashed_by_number():
    reductions = [reduction_options(name).reduceOp for name in COMBINES]
    return all([hash(reduction) == _number(reduction) for reduction in reductions])


if _is_hashed_by_number():  # in all torches that were tried, and 0.6 us less
    _number = hash


_forks = 0  # between this process and the one that has loaded the module


def _note_fork():
    global _forks
    _forks += 1


os.register_at_fork(after_in_child=_note_fork)


def _bytes(tensor):
    return tensor.numel() * tensor.element_size()


class _Device(getattr(_c10d, "Backend", object)):
    """What a group has for the device "cpu", where torch asks for that: whether it can be split, and nothing else."""
    supports_splitting = True

    def getBackendName(self):
        return "sheaf"


_numbers = itertools.count()  # of the groups of which this process was rank 0
_unused = {}  # by a group's number what is left of it: its handle, its PEs, works that may be under way
_world = []  # the PEs of the default group's ranks


def _make_memory(meeting, pe):
    """A group's handle, number and PEs. Members tell each other which PEs they are, and of which groups they have no use any more.
    If all name one that had the same members, this group goes on with its team and its memory."""
    idle = [number for number, (handle, *_) in list(_unused.items()) if library.is_idle(handle)]
    members = meeting.tell("told", {"pe": pe, "number": f"{pe}.{next(_numbers)}", "idle": idle})
    pes = [member["pe"] for member in members]
    if len(set(pes)) != meeting.size or max(pes) >= library.size():
        raise Error(f"{meeting.who}: the ranks are PEs {pes}, of a job of {library.size()}")
    shared = [number for number in members[0]["idle"] if all([number in member["idle"] for member in members])]
    number = next((number for number in shared if _unused[number][1] == pes), None)
    if number:
        handle = _unused.pop(number)[0]
        library.renew(handle, meeting.name.encode())
        return handle, number, pes
    handle = library.group(meeting.name.encode(), (ctypes.c_int * meeting.size)(*pes), meeting.size, meeting.rank)
    if not handle:
        raise Error(f"{meeting.who}: the group cannot be made: no memory, or a rank has died")
    return handle, members[0]["number"], pes


def _meet(store, rank, size, seconds, name, pes, find_pe):
    """What the group has in common, once all ranks have come; pes: theirs, where they are known."""
    def make(meeting):
        meeting.come()
        return _make_memory(meeting, find_pe(meeting))

    return Meeting(store, rank, size, seconds, name, pes or known_pes(size)).run(make)


def _mend_barrier(wait):
    """Torch before 2.1 ends init_process_group and new_group by a barrier of all ranks in its store, which would wait for a dead one
    until the timeout, and not name it."""
    def barrier(rank, store, timeout):
        if not isinstance(dist.GroupMember.WORLD, Group):
            return wait(rank, store, timeout)
        return Meeting(dist.PrefixStore("sheaf/barrier", store), rank, len(_world), timeout.total_seconds(), "0", _world).run(Meeting.come)

    return barrier


class Group(dist.ProcessGroup):
    """The members of a group, and a team of OpenSHMEM with memory on each of them."""
    _handle = None

    def __init__(self, rank, size, name, seconds, store, memory):
        super().__init__(rank, size)
        self._rank, self._size, self._name, self.seconds, self._store = rank, size, name, seconds, store
        self._handle, self._number, self._pes = memory
        if hasattr(dist.ProcessGroup, "split_group"):
            self._register_backend(torch.device("cpu"), dist.ProcessGroup.BackendType.CUSTOM, _Device(rank, size))
            self._set_default_backend(dist.ProcessGroup.BackendType.CUSTOM)
        self._given = name
        self._forks, self._collected, self._kept = _forks, None, collections.deque()

    def __del__(self):
        """Destroyed, or dropped. What its works read and write stays until they have ended."""
        if self._handle:
            _unused[self._number] = self._handle, self._pes, self._kept

    @classmethod
    def create(cls, options, _backend_options=None):
        """What torch calls for init_process_group and new_group, on each member."""
        rank, size, store = options.group_rank, options.group_size, options.store
        name = str(options.group_id) or "0"
        seconds, ranks = options.timeout.total_seconds(), list(options.global_ranks_in_group)

        def find_pe(meeting):
            job, *_ = meeting.tell("job", library.identifier_of_job() if rank == 0 else None)
            return library.join_job(job, rank, size)

        memory = _meet(store, rank, size, seconds, name, [_world[one] for one in ranks] if _world else [], find_pe)
        if not ranks:
            _world[:] = memory[2]
        return cls(rank, size, name, seconds, store, memory)

    def split_group(self, ranks, timeout=None, opts=None, group_name=None, group_desc=None, device_types=None):
        """What torch calls for split_group, on each member: a group of these ranks; None on the others."""
        ranks = list(ranks)
        if self._rank not in ranks:
            return None
        name = group_name or f"{self._name}/{'-'.join(map(str, ranks))}"
        store, rank = dist.PrefixStore(f"split/{name}", self._store), ranks.index(self._rank)
        seconds = timeout.total_seconds() if timeout else self.seconds
        memory = _meet(store, rank, len(ranks), seconds, name, [self._pes[one] for one in ranks],
                       lambda _meeting: self._pes[self._rank])
        group = type(self)(rank, len(ranks), name, seconds, store, memory)
        group._set_group_name(name)
        group._set_group_desc(group_desc or "")
        return group

    def get_group_store(self):
        return self._store

    def _set_group_name(self, name):
        self._given = name
        if hasattr(dist.ProcessGroup, "_set_group_name"):
            super()._set_group_name(name)

    @property
    def group_name(self):
        """The name that torch has given. Torch 2.6 keeps it in its own backends for devices alone, of which there is none here."""
        return self._given

    # What torch asks.

    def rank(self):
        return self._rank

    def size(self):
        return self._size

    def getRank(self):
        return self._rank

    def getSize(self):
        return self._size

    def getBackendName(self):
        return "sheaf"

    def name(self):
        return "sheaf"

    def _get_backend_name(self):
        return "sheaf"

    def _get_backend(self, _device=None):
        return self

    @property
    def supports_splitting(self):
        return True

    @property
    def supports_coalescing(self):
        return False

    def _set_sequence_number_for_group(self):
        pass

    def _get_sequence_number_for_group(self):
        return 0

    def set_timeout(self, timeout):
        """Of calls from now on."""
        self.seconds = timeout.total_seconds()

    _set_default_timeout = set_timeout

    def abort(self):
        library.abort(self._handle, f"rank {self._rank} of group {self._name} was aborted".encode())

    # Tensors and works.

    def _refuse(self, call, why):
        raise ValueError(f"rank {self._rank} of group {self._name}: {call}: {why}")

    def _check(self, call, tensor):
        if not isinstance(tensor, torch.Tensor):
            self._refuse(call, f"expected a tensor, and not a {type(tensor).__name__}")
        if not tensor.is_cpu:
            self._refuse(call, f"the tensor of {_bytes(tensor)} bytes is on {tensor.device}, and sheaf moves those of the CPU: "
                               "tensor.cpu(), or another backend for that device")
        if tensor.layout != torch.strided:
            self._refuse(call, f"the tensor is {tensor.layout}, and sheaf moves dense ones: tensor.to_dense()")
        if self._forks != _forks:
            self._refuse(call, "this process is a child that the rank has forked: a child is no rank")

    def _same_type(self, call, output, tensor):
        if output.dtype is not tensor.dtype:
            self._refuse(call, f"the output is {output.dtype}, and the input {tensor.dtype}")

    def _only(self, call, tensors):
        if len(tensors) != 1:
            self._refuse(call, f"expected a list of one tensor, and not of {len(tensors)}")
        return tensors[0]

    def _look(self, call, tensor):
        """Refuses what no call takes; what nearly all tensors are, in a look. Whether the memory is the values one behind the other."""
        if type(tensor) is not Tensor or not tensor.is_cpu or tensor.layout is not strided or self._forks != _forks:
            self._check(call, tensor)
        return tensor.is_contiguous() and not tensor.is_conj() and not tensor.is_neg()

    def _input(self, call, tensor):
        """The tensor, or a copy."""
        if self._look(call, tensor):
            return tensor
        return tensor.detach().resolve_conj().resolve_neg().contiguous()

    def _output(self, call, tensor, copies):
        """The same of a tensor that is written: the end of the work copies back."""
        if self._look(call, tensor):
            return tensor
        copies.append((tensor.detach(), torch.empty_like(tensor, memory_format=torch.contiguous_format, requires_grad=False)))
        return copies[-1][1]

    def _both(self, call, tensor, copies):
        """The same of a tensor that is read and written."""
        data = self._output(call, tensor, copies)
        if copies:
            data.copy_(copies[-1][0])
        return data

    def _combine(self, call, opts, tensor):
        combine = _number(opts.reduceOp)
        if combine >= len(COMBINES):
            self._refuse(call, f"{opts.reduceOp} is not supported")
        if not COMBINED[TYPES.get(tensor.dtype, 0)][combine]:
            self._refuse(call, f"{COMBINES[combine]} of {tensor.dtype} is not supported")
        return combine

    def _cut(self, kind, data, out, ins, outs, bytes_, result, copies, combine=0):
        """Two tensors, each a block, or as many parts of the same length, which the library cuts, as a negative number says."""
        blocks = (data.data_ptr(), _bytes(data), out.data_ptr(), _bytes(out))
        return self._begin(kind, out, blocks, ins, (data, out), result, copies, combine, 0, 0, bytes_, outs)

    def _whole(self, kind, tensor, combine, root, ins, outs, result, copies=()):
        """One tensor, which is read, written, or both."""
        bytes_ = tensor.numel() * tensor.element_size()
        start = tensor.data_ptr()
        blocks = (start, bytes_, start, bytes_) if ins and outs else (start, bytes_)
        return self._begin(kind, tensor, blocks, ins, tensor, result, copies, combine, root, 0, bytes_)

    def _many(self, kind, ins, outs, result, copies=(), combine=0, root=0, bytes_=0, tag=0):
        """Blocks of any addresses and lengths."""
        blocks = []
        for tensor in (*ins, *outs):
            blocks += tensor.data_ptr(), tensor.numel() * tensor.element_size()
        return self._begin(kind, ins[0] if ins else outs[0], blocks, len(ins), (ins, outs), result, copies, combine, root, tag,
                           bytes_)

    def _begin(self, kind, tensor, blocks, ins, tensors, result, copies=(), combine=0, root=0, tag=0, bytes_=0, outs=None):
        """Begins a work, and keeps it. A caller in C++, such as DistributedDataParallel, has no reference to the object of
        Python, and a program may drop one whose tensors are still read and written."""
        type_ = TYPES.get(tensor.dtype, 0) if blocks else 0
        operation = library.begin(self._handle, kind, blocks, ins, type_, combine, root, tag, bytes_, outs)
        if operation == ENDED:
            for tensor, copy in copies:
                tensor.copy_(copy)
            work = Ended()
            work._result = result
        else:
            work = Work(self, operation, tensors, result, copies)
        kept = self._kept
        while kept and (kept[0].is_met or (len(kept) > KEPT and kept[0].is_completed())):
            kept.popleft()
        kept.append(work)
        if self._collected is not None:
            self._collected.append(work)
        return work

    def _all(self, works, result):
        if len(works) == 1:
            return works[0]
        self._kept.append(Works(works, result))
        return self._kept[-1]

    def _same(self, call, tensors, bytes_, count, what):
        """As many tensors as there are ranks, all of the same length."""
        if len(tensors) != count:
            self._refuse(call, f"{what} has {len(tensors)} tensors, and the group {count} ranks")
        for index, tensor in enumerate(tensors):
            if _bytes(tensor) != bytes_:
                self._refuse(call, f"{what}[{index}] has {_bytes(tensor)} bytes, and {bytes_} are expected")

    def _blocks(self, call, tensors):
        """Tensors that lie one behind the other are one block for the library; that is not needed."""
        return [self._input(call, tensor) for tensor in tensors]

    def _outputs(self, call, tensors, copies):
        return [self._output(call, tensor, copies) for tensor in tensors]

    # Collectives.

    def barrier(self, opts=BarrierOptions()):
        return self._begin(library.BARRIER, None, (), 0, None, [])

    def monitored_barrier(self, timeout=None, wait_all_ranks=False):
        """Torch 2.15 calls it; before, it refuses that to all backends but gloo."""
        self.barrier().wait(timeout)

    def broadcast(self, tensors, opts=BroadcastOptions()):
        tensor, root, copies = self._only("broadcast", tensors), self._root("broadcast", opts.rootRank), []
        if root == self._rank:
            data = self._input("broadcast", tensor)
            return self._whole(library.BROADCAST, data, 0, root, 1, 0, tensors)
        data = self._output("broadcast", tensor, copies)
        return self._whole(library.BROADCAST, data, 0, root, 0, 1, tensors, copies)

    def _root(self, call, root):
        if not 0 <= root < self._size:
            self._refuse(call, f"rank {root} is none of the group's {self._size}")
        return root

    def _allreduce_sparse(self, call, tensor, opts, result):
        """The sum of sparse tensors: every rank gets all elements. It ends before the call returns."""
        if self._combine(call, opts, tensor) != 0:
            self._refuse(call, "of sparse tensors only the sum is supported")
        mine = tensor.coalesce()
        counts = [torch.zeros(1, dtype=torch.int64) for _ in range(self._size)]
        self._allgather(call, counts, torch.tensor([mine._nnz()])).wait()
        parts = []
        for data in (mine.indices().t(), mine.values()):
            blocks = [data.new_empty((max(map(int, counts)), *data.shape[1:])) for _ in counts]
            own = torch.empty_like(blocks[0])
            own[:len(data)] = data
            self._allgather(call, blocks, own).wait()
            parts.append(torch.cat([block[:int(count)] for block, count in zip(blocks, counts)]))
        tensor.copy_(torch.sparse_coo_tensor(parts[0].t(), parts[1], tensor.shape).coalesce())
        return self._all([], result)

    def _allreduce(self, call, tensor, opts, result):
        if isinstance(tensor, torch.Tensor) and tensor.layout == torch.sparse_coo and tensor.is_cpu:
            return self._allreduce_sparse(call, tensor, opts, result)
        copies, combine = [], self._combine(call, opts, tensor)
        data = self._both(call, tensor, copies)
        return self._whole(library.ALLREDUCE, data, combine, 0, 1, 1, result, copies)

    def allreduce(self, tensors, opts=AllreduceOptions()):
        return self._allreduce("all_reduce", self._only("all_reduce", tensors), opts, tensors)

    def allreduce_coalesced(self, tensors, opts=AllreduceCoalescedOptions()):
        return self._all([self._allreduce("all_reduce_coalesced", tensor, opts, [tensor]) for tensor in tensors], tensors)

    def reduce(self, tensors, opts=ReduceOptions()):
        tensor, root, copies = self._only("reduce", tensors), self._root("reduce", opts.rootRank), []
        combine = self._combine("reduce", opts, tensor)
        if root != self._rank:
            data = self._input("reduce", tensor)
            return self._whole(library.REDUCE, data, combine, root, 1, 0, tensors)
        data = self._both("reduce", tensor, copies)
        return self._whole(library.REDUCE, data, combine, root, 1, 1, tensors, copies)

    def _allgather(self, call, outputs, tensor):
        copies, data = [], self._input(call, tensor)
        self._same(call, outputs, _bytes(data), self._size, "the output")
        outs = self._outputs(call, outputs, copies)
        return self._many(library.ALLGATHER, [data], outs, outputs, copies, bytes_=_bytes(data))

    def allgather(self, output_lists, inputs, opts=AllgatherOptions()):
        tensor = self._only("all_gather", inputs)
        return self._allgather("all_gather", self._only("all_gather", output_lists), tensor)

    def allgather_coalesced(self, output_lists, inputs, opts=AllgatherOptions()):
        works = [self._allgather("all_gather_coalesced", [outputs[index] for outputs in output_lists], tensor)
                 for index, tensor in enumerate(inputs)]
        return self._all(works, [tensor for outputs in output_lists for tensor in outputs])

    def _allgather_base(self, output, tensor, opts=AllgatherOptions()):
        copies, data = [], self._input("all_gather_into_tensor", tensor)
        self._same_type("all_gather_into_tensor", output, tensor)
        if _bytes(output) != _bytes(data) * self._size:
            self._refuse("all_gather_into_tensor", f"the output has {_bytes(output)} bytes, and {self._size} ranks give "
                                                   f"{_bytes(data)} each")
        out = self._output("all_gather_into_tensor", output, copies)
        return self._cut(library.ALLGATHER, data, out, 1, -self._size, _bytes(data), [output], copies)

    all_gather_single = _allgather_base

    def allgather_into_tensor_coalesced(self, outputs, inputs, opts=AllgatherOptions()):
        return self._all([self._allgather_base(*pair) for pair in zip(outputs, inputs)], outputs)

    all_gather_single_coalesced = allgather_into_tensor_coalesced

    def gather(self, output_lists, inputs, opts=GatherOptions()):
        root, copies, outs, outputs = self._root("gather", opts.rootRank), [], [], []
        data = self._input("gather", self._only("gather", inputs))
        if root == self._rank:
            outputs = self._only("gather", output_lists)
            self._same("gather", outputs, _bytes(data), self._size, "the output")
            outs = self._outputs("gather", outputs, copies)
        return self._many(library.GATHER, [data], outs, outputs, copies, root=root, bytes_=_bytes(data))

    def scatter(self, outputs, input_lists, opts=ScatterOptions()):
        root, copies, ins = self._root("scatter", opts.rootRank), [], []
        out = self._output("scatter", self._only("scatter", outputs), copies)
        if root == self._rank:
            ins = self._blocks("scatter", self._only("scatter", input_lists))
            self._same("scatter", ins, _bytes(out), self._size, "the input")
        return self._many(library.SCATTER, ins, [out], outputs, copies, root=root, bytes_=_bytes(out))

    def _reduce_scatter(self, call, output, tensors, opts):
        copies, combine = [], self._combine(call, opts, output)
        out, ins = self._output(call, output, copies), self._blocks(call, tensors)
        self._same(call, ins, _bytes(out), self._size, "the input")
        return self._many(library.REDUCE_SCATTER, ins, [out], [output], copies, combine, bytes_=_bytes(out))

    def reduce_scatter(self, outputs, input_lists, opts=ReduceScatterOptions()):
        output, tensors = self._only("reduce_scatter", outputs), self._only("reduce_scatter", input_lists)
        return self._reduce_scatter("reduce_scatter", output, tensors, opts)

    def _reduce_scatter_base(self, output, tensor, opts=ReduceScatterOptions()):
        copies, combine = [], self._combine("reduce_scatter_tensor", opts, output)
        data = self._input("reduce_scatter_tensor", tensor)
        self._same_type("reduce_scatter_tensor", output, tensor)
        if _bytes(data) != _bytes(output) * self._size:
            self._refuse("reduce_scatter_tensor", f"the input has {_bytes(data)} bytes, and {self._size} ranks receive "
                                                  f"{_bytes(output)} each")
        out = self._output("reduce_scatter_tensor", output, copies)
        return self._cut(library.REDUCE_SCATTER, data, out, -self._size, 1, _bytes(out), [output], copies, combine)

    reduce_scatter_single = _reduce_scatter_base

    def reduce_scatter_tensor_coalesced(self, outputs, inputs, opts=ReduceScatterOptions()):
        return self._all([self._reduce_scatter_base(*pair, opts) for pair in zip(outputs, inputs)], outputs)

    reduce_scatter_single_coalesced = reduce_scatter_tensor_coalesced

    def alltoall(self, outputs, inputs, opts=AllToAllOptions()):
        copies, ins = [], self._blocks("all_to_all", inputs)
        for what, tensors in (("the input", inputs), ("the output", outputs)):
            if len(tensors) != self._size:
                self._refuse("all_to_all", f"{what} has {len(tensors)} tensors, and the group {self._size} ranks")
        return self._many(library.ALLTOALL, ins, self._outputs("all_to_all", outputs, copies), outputs, copies)

    def _is_even(self, tensor):
        return tensor.dim() > 0 and tensor.shape[0] % self._size == 0

    def _split(self, tensor, sizes, what):
        """Views of the parts of the first dimension."""
        rows = tensor.shape[0] if tensor.dim() else 0
        if not sizes:
            sizes = [rows // self._size] * self._size
        if not tensor.dim() or len(sizes) != self._size or sum(sizes) != rows:
            self._refuse("all_to_all_single", f"the {what}'s first dimension has {rows} elements, which are not split among "
                                              f"{self._size} ranks by {list(sizes)}")
        return list(torch.split(tensor, list(sizes)))

    def alltoall_base(self, output, tensor, output_sizes, input_sizes, opts=AllToAllOptions()):
        copies, data = [], self._input("all_to_all_single", tensor)
        out = self._output("all_to_all_single", output, copies)
        if not output_sizes and not input_sizes and self._is_even(data) and self._is_even(out):
            return self._cut(library.ALLTOALL, data, out, -self._size, -self._size, 0, [output], copies)
        ins, outs = self._split(data, input_sizes, "input"), self._split(out, output_sizes, "output")
        return self._many(library.ALLTOALL, ins, outs, [output], copies)

    all_to_all_single = alltoall_base

    # Messages.

    def send(self, tensors, rank, tag=0):
        data = self._input("send", self._only("send", tensors))
        return self._many(library.SEND, [data], [], tensors, root=self._root("send", rank), bytes_=_bytes(data), tag=tag)

    def _receive(self, tensors, rank, tag):
        copies = []
        out = self._output("recv", self._only("recv", tensors), copies)
        work = self._many(library.RECV, [], [out], tensors, copies, root=rank, bytes_=_bytes(out), tag=tag)
        work.has_source = True
        return work

    def recv(self, tensors, rank, tag=0):
        return self._receive(tensors, self._root("recv", rank), tag)

    def recv_anysource(self, tensors, tag=0):
        return self._receive(tensors, -1, tag)

    # Several calls as one.

    def _start_coalescing(self, _device=None):
        self._collected = []

    def _end_coalescing(self, works=None):
        collected, self._collected = self._collected or [], None
        return Works(collected, []) if collected else None


if list(inspect.signature(dist.distributed_c10d._store_based_barrier).parameters) == ["rank", "store", "timeout"]:
    dist.distributed_c10d._store_based_barrier = _mend_barrier(dist.distributed_c10d._store_based_barrier)
