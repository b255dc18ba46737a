# SPDX-License-Identifier: BSD-3-Clause
"""What a call of torch.distributed returns: something to wait for."""
import contextlib
import datetime
import multiprocessing.util
import queue
import threading
import time

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import Work as _Work

from sheaftorch import _library

LAST = 5  # seconds for the callbacks of futures, at the end of the process
SLICE = 200  # milliseconds after which Python looks for signals


class Error(getattr(dist, "DistBackendError", RuntimeError)):
    """A call that cannot be completed: its text names the rank, the group and the call."""


_lock = threading.Lock()


def _refuse(group, tensors):
    """What the library has not begun."""
    left = [tensors]
    while left:
        tensor = left.pop()
        if isinstance(tensor, (list, tuple)):
            left.extend(tensor)
        elif tensor.numel() and not tensor.data_ptr():
            raise ValueError(f"rank {group._rank} of group {group._name}: a tensor of shape {tuple(tensor.shape)} has no memory: its "
                             "storage was resized to 0 (as FSDP does), or it is one of torch's zero tensors")
    raise MemoryError("no memory for an operation")


class Work(_Work):
    """One operation of the library. tensors: what it reads and writes; copies: pairs (tensor, contiguous copy), to be
    copied back at the end; result: what torch calls the result."""
    _state, _error, _future, _source, _waiting = _library.PENDING, None, None, -1, 0
    has_source = is_met = False

    def __init__(self, group, operation, tensors, result, copies=()):
        _Work.__init__(self)
        if not operation:
            _refuse(group, tensors)
        self._seconds, self._operation, self._tensors = group.seconds, operation, tensors
        self._result, self._copies = result, copies
        self._lock = threading.Lock() if copies else _lock

    def _end(self, state):
        """With the lock, once, by whoever sees the end first."""
        if state == _library.FAILED:
            self._error = Error(_library.text(self._operation).decode())
        else:
            if self.has_source:
                self._source = _library.source(self._operation)
            for tensor, copy in self._copies:
                tensor.copy_(copy)
        self._state, self._tensors = state, None
        self._release()

    def _release(self):
        """With the lock, of one that has ended: the last thread that waits in the library leaves."""
        if not self._waiting and self._operation:
            _library.release(self._operation)
            self._operation = None

    def _look(self):
        if self._state == _library.PENDING:
            with self._lock:
                if self._state == _library.PENDING:
                    state = _library.test(self._operation)
                    if state != _library.PENDING:
                        self._end(state)
        return self._state

    def _until(self, operation, seconds):
        state = _library.wait(operation, SLICE)
        if state == _library.PENDING:
            begun = time.monotonic() - SLICE / 1000
            while state == _library.PENDING:
                if time.monotonic() - begun > seconds:
                    _library.expire(operation, seconds)
                state = _library.wait(operation, SLICE)
        return state

    def _wait(self, seconds):
        state = _library.PENDING
        with self._lock:
            if self._state != state:
                return
            self._waiting += 1
        try:
            state = self._until(self._operation, seconds)
        finally:
            with self._lock:
                self._waiting -= 1
                if self._state != _library.PENDING:
                    self._release()
                elif state != _library.PENDING:  # else a signal's exception has ended the wait
                    self._end(state)

    def wait(self, timeout=None):
        if self._state == _library.PENDING:
            limit = timeout.total_seconds() if isinstance(timeout, datetime.timedelta) else 0
            self._wait(limit if limit > 0 else self._seconds)
        self.is_met = True
        if self._error:
            raise self._error
        return True

    def synchronize(self):
        self.wait()

    def is_completed(self):
        return self._look() != _library.PENDING

    def is_success(self):
        return self._look() == _library.DONE

    def exception(self):
        return self._error

    def result(self):
        return self._result

    def source_rank(self):
        return self._source

    _source_rank = source_rank

    def get_future(self):
        self.is_met = True
        if self._future is None:
            self._future = torch.futures.Future()
            if self._look() == _library.PENDING:
                _completions.put(self)
            else:
                self._complete()
        return self._future

    def _complete(self):
        try:
            self.wait()
            self._future.set_result(self._result)
        except Exception as error:  # of whatever kind: it belongs to the one who waits
            self._future.set_exception(error)


class Ended(Work):
    """An operation that was over when its call returned. Most short ones are: what is made for each is little."""
    _state = _library.DONE
    __init__ = _Work.__init__


class Works(_Work):
    """Several works as one."""

    def __init__(self, works, result):
        super().__init__()
        self._works, self._result, self._future, self.is_met = works, result, None, False

    def wait(self, timeout=None):
        self.is_met = True
        for work in self._works:
            work.wait(timeout)
        return True

    def synchronize(self):
        self.wait()

    def is_completed(self):
        return all([work.is_completed() for work in self._works])

    def is_success(self):
        return all([work.is_success() for work in self._works])

    def exception(self):
        return next((work.exception() for work in self._works if work.exception()), None)

    def result(self):
        return self._result

    get_future = Work.get_future
    _complete = Work._complete

    def _look(self):
        return _library.DONE if self.is_completed() else _library.PENDING


class _Completions:
    """Threads of Python that end the futures of works, in the order in which they were asked for. One at a time waits for a work;
    while it calls those that the future has, another goes on: they may wait for further futures."""

    def __init__(self):
        self._works, self._turn, self._lock, self._free = queue.SimpleQueue(), threading.Lock(), threading.Lock(), 0
        self._calling, self._is_over = 0, False
        multiprocessing.util.Finalize(None, self._finish, exitpriority=101)  # while the rank is one yet

    def put(self, work):
        self._works.put(work)
        self._have_one()

    def _have_one(self):
        """A thread that is in no callback."""
        with self._lock:
            if self._free == 0:
                threading.Thread(target=self._run, name="sheaf-futures", daemon=True).start()
                self._free = 1

    def _count(self, free, calling):
        """Whether a callback may begin."""
        with self._lock:
            if not self._is_over:
                self._free += free
                self._calling += calling
            return not self._is_over

    def _run(self):
        while True:
            with self._turn:
                work = self._works.get()
                with contextlib.suppress(Exception):  # _complete hands it on
                    work.wait()
                if not self._count(-1, 1):
                    return
                self._have_one()
            work._complete()
            self._count(1, -1)

    def _finish(self):
        """At the end of the process no callback is under way: Python ends a thread where it next takes the lock, and in torch's
        C++ that aborts the process. One that does not return is not waited for."""
        end = time.monotonic() + LAST
        while not self._is_over:
            with self._lock:
                self._is_over = self._calling == 0 or time.monotonic() > end
            time.sleep(0.0005)


_completions = _Completions()
