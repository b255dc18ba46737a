# SPDX-License-Identifier: BSD-3-Clause
"""libsheaf_torch, by ctypes: its functions, and this process as a PE."""
import ctypes
import hashlib
import multiprocessing.util
import os
import struct
import sys
import time
from ctypes import c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_void_p

DONE, PENDING, FAILED = range(3)
TEXT = 240  # bytes of a message, with its end
BARRIER, BROADCAST, ALLREDUCE, REDUCE, ALLGATHER, GATHER, SCATTER, REDUCE_SCATTER, ALLTOALL, SEND, RECV = range(11)


# A rank that is killed leaves the others running: they have an exception. oshrun has to know it too, from its own environment.
if "SHEAF_JOB" not in os.environ:
    os.environ.setdefault("SHEAF_FAILURES", "report")
_path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libsheaf_torch.so")
_quick = ctypes.PyDLL(_path)  # short calls keep Python's lock
_library = ctypes.CDLL(_path)


def _function(name, result, *arguments, of=_quick):
    function = getattr(of, "sheaf_torch_" + name)
    function.restype, function.argtypes = result, arguments or None  # bytes go as a pointer by themselves, 25 ns sooner
    return function


_begin = _function("begin", c_void_p)
now = _function("now", c_void_p)
test = _function("test", c_int, c_void_p)
text = _function("text", c_char_p, c_void_p)
source = _function("source", c_int, c_void_p)
release = _function("release", None, c_void_p)
combines = _function("combines", c_int, c_int, c_int)
is_up = _function("is_up", c_int)
size = _function("size", c_int)
has_died = _function("has_died", c_int, c_int)
wait = _function("wait", c_int, c_void_p, c_long, of=_library)
expire = _function("expire", None, c_void_p, c_double, of=_library)
abort = _function("abort", None, c_void_p, c_char_p, of=_library)
is_idle = _function("is_idle", c_int, c_void_p)
renew = _function("renew", None, c_void_p, c_char_p)
group = _function("group", c_void_p, c_char_p, c_void_p, c_int, c_int, of=_library)
symmetric = _function("symmetric", c_void_p, c_void_p, c_size_t, c_int, c_void_p, of=_library)
signal = _function("signal", c_int, c_void_p, c_int, c_int, c_bool, c_long, c_char_p, of=_library)
_start = _function("start", c_int, c_char_p, c_int, c_int, of=_library)
_exchange = _function("exchange", c_int, c_void_p)
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = c_void_p, (ctypes.py_object, c_char_p)
_identifier = _function("identifier", c_int, c_char_p)
_end = _function("end", None, of=_library)
_finalize = _function("finalize", None, of=_library)


def uses_exchange(tensors):
    """Whether tensors of this class can be described to the library in C (DLPack 1.3), as now expects."""
    capsule = getattr(tensors, "__dlpack_c_exchange_api__", None)
    return capsule is not None and bool(_exchange(_pointer_of(capsule, b"dlpack_exchange_api")))


_packs = {}  # by how many numbers say where blocks are, and how long they are
ENDED, NOT_PLAIN = 1, 2  # what begin and now return: the operation is over already; nothing has begun, the tensors are unusual


def begin(group, kind, blocks, ins, type_=0, combine=0, root=0, tag=0, bytes_=0, outs=None):
    """blocks: address and bytes of each, of which the first ins are read. Negative ins or outs: one block, which the library cuts
    into as many. One argument for ctypes: each takes 80 ns there."""
    count = len(blocks)
    pack = _packs.get(count)
    if pack is None:
        pack = _packs[count] = struct.Struct(f"PqN6i{count}N").pack
    if outs is None:
        outs = count // 2 - ins
    return _begin(pack(group, tag, bytes_, kind, type_, combine, root, ins, outs, *blocks))


_job = ""  # names the job that this process is in


def _leave():
    """At the end of the process. A child of multiprocessing ends by os._exit, where the library does not see it. An exception that
    nobody catches ends the job: after a death the others have a second for theirs."""
    if hasattr(sys, "last_type") and any([has_died(pe) for pe in range(size())]):
        time.sleep(1)
    _end()
    if multiprocessing.parent_process() is not None and sys.exc_info()[0] is None:
        _finalize()


def _begin_job(identifier, rank, ranks, job):
    global _job
    pe = _start(identifier, rank, ranks)
    if pe < 0:
        raise RuntimeError(f"rank {rank} of {ranks} cannot join the job: see the line above")
    _job = job
    multiprocessing.util.Finalize(None, _leave, exitpriority=100)
    return pe


def join_launched():
    """Which PE this process is of the job that a launcher has started, and of how many."""
    return _start(None, 0, 0) if is_up() else _begin_job(None, 0, 1, ""), size()


def identifier_of_job():
    """What rank 0 tells the others: the identifier of a new job, or which job it is in already."""
    if "SHEAF_JOB" in os.environ:
        return "oshrun"
    if is_up():
        return "again " + _job
    made = ctypes.create_string_buffer(513)
    if _identifier(made) != 0:
        raise RuntimeError("rank 0 cannot begin a job: see the line above")
    return made.value.decode("ascii")


def join_job(identifier, rank, ranks):
    """The PE that this process is, in the job that rank 0 has named."""
    if is_up():
        if identifier not in ("oshrun", "again " + _job):
            raise RuntimeError(f"rank {rank} is in another job than rank 0: a process joins one job, with all ranks of "
                               "its first group of the backend sheaf; make the default group one of sheaf")
        return _start(None, rank, ranks)
    if identifier == "oshrun":
        return _begin_job(None, rank, ranks, "")
    if identifier.startswith("again "):
        raise RuntimeError(f"rank {rank} is in no job, and rank 0 is in one of others: make the default group one of "
                           "sheaf, which all ranks join")
    return _begin_job(identifier.encode("ascii"), rank, ranks, hashlib.sha256(identifier.encode("ascii")).hexdigest())
