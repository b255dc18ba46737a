# SPDX-License-Identifier: BSD-3-Clause
"""Start, teams, contexts, sessions, order and locks, as with statements."""
import contextlib

from sheaf import _core
from sheaf._arrays import zeros

THREADS = {"single": 0, "funneled": 1, "serialized": 2, "multiple": 3}


def init(threads="multiple"):
    """Starts the library, which the first call does otherwise. Collective.

    threads says how threads call it: "single", "funneled", "serialized" or "multiple". After finalize() it starts
    the library again.
    """
    _core.init(THREADS.get(threads, threads))


def world():
    """The team of all PEs."""
    return _core.predefined_team(0)


def node():
    """The team of the PEs of this host: those whose memory on() is."""
    return _core.predefined_team(1)


class _Quiet:
    """quiet() once more at the end of a with block."""

    def __init__(self, of):
        self.of = of

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            _core.quiet(self.of)


def quiet(context=None):
    """Waits until this PE's puts and atomic operations have reached their targets.

    `with sheaf.quiet():` does so at the end of the block, too.
    """
    _core.quiet(context)
    return _Quiet(context)


def fence(context=None):
    """What this PE puts to a PE from here on arrives there after what it has put before."""
    _core.fence(context)


PRIVATE, SERIALIZED, NOSTORE = 1, 2, 4


@contextlib.contextmanager
def context(team=None, private=False, serialized=False, nostore=False):
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
def session(context, operations=0):
    """A with block in which the context's small operations to other hosts travel together; operations: about how many."""
    context._session_start(operations)
    try:
        yield context
    finally:
        context._session_stop()


class Lock:
    """A lock of the whole job, first come, first served: `with lock:`. Made and freed by all PEs."""

    def __init__(self):
        self._word = zeros(1, "int64")

    def acquire(self):
        """Waits until this PE has the lock, and sees what its last holder wrote."""
        _core.set_lock(self._word)

    def release(self):
        """Completes this PE's puts and gives the lock back."""
        _core.clear_lock(self._word)

    def try_acquire(self):
        """Takes the lock where it is free; whether it has."""
        return _core.test_lock(self._word)

    def free(self):
        """Gives its memory back. Collective."""
        self._word.free()

    def __enter__(self):
        self.acquire()
        return self

    def __exit__(self, kind, error, trace):
        self.release()
