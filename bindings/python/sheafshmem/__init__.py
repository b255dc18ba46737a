# SPDX-License-Identifier: BSD-3-Clause
"""OpenSHMEM for Python: symmetric NumPy arrays, which all PEs of a job read and write.

    oshrun -n 4 python prog.py

Every PE runs the same program. Allocation, freeing, barriers and collectives are calls that all PEs make; put, get
and atomic operations need the caller alone. The library starts at the first call, and ends with the program.
docs/do/python.md is the guide.
"""
import typing

from sheafshmem import _ending
from sheafshmem._arrays import Array, Far, Space, array, asarray, empty, finalize, full, zeros
from sheafshmem._core import (ArgumentError, Context, Error, Handle, Pending, Team, alltoall, alltoalls, barrier, broadcast,
                         collect, control_tools, counter, fcollect, global_exit, is_accessible,
                         is_initialized, is_symmetric, library, my_pe, n_pes, reduce, restore, scan, snapshot, sync,
                         thread_level, unique_id)
from sheafshmem._run import JobError, progress, run
from sheafshmem._teams import Lock, context, event, fence, init, node, quiet, session, world

__version__ = "0.1.0"
__all__ = [
    "Array", "Far", "Space", "array", "asarray", "empty", "full", "zeros", "ArgumentError", "Context", "Error", "Handle", "Pending",
    "Team", "alltoall", "alltoalls", "barrier", "broadcast", "collect", "control_tools", "counter", "fcollect",
    "finalize", "global_exit", "is_accessible", "is_initialized", "is_symmetric", "library", "my_pe", "n_pes", "reduce",
    "restore", "scan", "snapshot", "sync", "thread_level", "unique_id", "Lock", "context", "event", "fence", "init", "node", "quiet", "session", "world",
    "JobError", "progress", "run", "load_ipython_extension",
]

_ending.watch()


def load_ipython_extension(shell: typing.Any) -> None:
    """%load_ext sheafshmem: the cell magic %%sheaf."""
    from sheafshmem._magic import Magic

    shell.register_magics(Magic)
