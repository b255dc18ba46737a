# SPDX-License-Identifier: BSD-3-Clause
"""Start, teams, contexts, sessions, order and locks, as with statements."""
from __future__ import annotations

import contextlib
from typing import Any, Iterator, Optional, Sequence, Union

from sheafshmem import _core
from sheafshmem._arrays import zeros

THREADS = {"single": 0, "funneled": 1, "serialized": 2, "multiple": 3}


def init(threads: Union[str, int] = "multiple", *, rank: Optional[int] = None, size: Optional[int] = None,
         uid: Optional[bytes] = None) -> None:
    """Starts the library, which the first call does otherwise. Collective.

    threads says how threads call it: "single", "funneled", "serialized" or "multiple". After finalize() it starts
    the library again. With rank, size and uid the caller is PE number rank of size processes that nobody has started as
    PEs: uid is what unique_id() has given one of them.
    """
    level = THREADS.get(threads) if isinstance(threads, str) else threads
    if level is None:
        raise ValueError(f"sheafshmem.init: threads is {threads!r}, none of {', '.join(map(repr, THREADS))}")
    if rank is None and size is None and uid is None:
        _core.init(level)
    elif rank is None or size is None or uid is None:
        raise ValueError("sheafshmem.init: rank, size and uid come together")
    else:
        _core.init_uid(level, rank, size, uid)


def world() -> _core.Team:
    """The team of all PEs."""
    return _core.predefined_team(0)


def node() -> _core.Team:
    """The team of the PEs of this host: those whose memory on() is."""
    return _core.predefined_team(1)


class _Quiet:
    """quiet() once more at the end of a with block."""

    def __init__(self, *of: Any) -> None:
        self.of = of

    def __enter__(self) -> _Quiet:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            _core.quiet(*self.of)


def quiet(context: Optional[_core.Context] = None, pes: Optional[Sequence[int]] = None) -> _Quiet:
    """Waits until this PE's puts and atomic operations have reached their targets: all, or the PEs of the list pes.

    `with sheafshmem.quiet():` does so at the end of the block, too.
    """
    _core.quiet(context, pes)
    return _Quiet(context, pes)


def fence(context: Optional[_core.Context] = None) -> None:
    """What this PE puts to a PE from here on arrives there after what it has put before."""
    _core.fence(context)


@contextlib.contextmanager
def event(name: str) -> Iterator[None]:
    """A with block that profiles and traces show as a phase of the program, by name (63 bytes count)."""
    _core._event(name, True)
    try:
        yield
    finally:
        _core._event(name, False)


PRIVATE, SERIALIZED, NOSTORE = 1, 2, 4


@contextlib.contextmanager
def context(team: Optional[_core.Team] = None, private: bool = False, serialized: bool = False,
            nostore: bool = False) -> Iterator[_core.Context]:
    """A context for a with block: its operations complete apart from all others, at the latest with the block.

    PE numbers given with it count in team (all PEs). private: this thread alone uses it; serialized: one thread at a
    time; nostore: it is not completed by barriers.
    """
    options = PRIVATE * bool(private) | SERIALIZED * bool(serialized) | NOSTORE * bool(nostore)
    made = (world() if team is None else team)._context(options)
    try:
        yield made
    finally:
        made.destroy()


@contextlib.contextmanager
def session(context: _core.Context, operations: int = 0) -> Iterator[_core.Context]:
    """A with block in which the context's small operations to other hosts travel together; operations: about how many."""
    context._session_start(operations)
    try:
        yield context
    finally:
        context._session_stop()


class Lock:
    """A lock of the whole job, first come, first served: `with lock:`. Made and freed by all PEs."""

    def __init__(self) -> None:
        self._word = zeros(1, "int64")

    def acquire(self) -> None:
        """Waits until this PE has the lock, and sees what its last holder wrote."""
        _core.set_lock(self._word)

    def release(self) -> None:
        """Completes this PE's puts and gives the lock back."""
        _core.clear_lock(self._word)

    def try_acquire(self) -> bool:
        """Takes the lock where it is free; whether it has."""
        return _core.test_lock(self._word)

    def free(self) -> None:
        """Gives its memory back. Collective."""
        self._word.free()

    def __enter__(self) -> Lock:
        self.acquire()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.release()
