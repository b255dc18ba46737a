# SPDX-License-Identifier: BSD-3-Clause
"""How the ranks of a group meet in torch's store: within a time, and with an eye on each other's processes, which may die or stop
before they are PEs of a job."""
import atexit
import hashlib
import json
import os
import threading
import time

import torch.distributed as dist

from sheaftorch import _library as library
from sheaftorch._work import Error

LOOK = 0.05  # seconds between two looks at processes
END = 1  # seconds in which a call that a death ends returns; then it is left


class Late(Exception):
    """The time is over."""


def run(function, seconds, look=None):
    """function(), in a thread: it may wait for a rank that does not go on, in torch's store or in the library's start. look() is
    called meanwhile, and may end the wait by an exception."""
    ended, end = [], time.monotonic() + seconds

    def call():
        try:
            ended.append((function(), None))
        except BaseException as error:  # it belongs to the caller, of whatever kind it is
            ended.append((None, error))

    thread = threading.Thread(target=call, name="sheaf-meets", daemon=True)
    thread.start()
    try:
        while not ended:
            thread.join(LOOK)
            if not ended and look:
                try:
                    look()
                except Error:
                    thread.join(END)
                    raise
            if not ended and time.monotonic() > end:
                raise Late
    finally:
        if not ended:  # a thread that returns from torch's store when Python has ended aborts the process
            atexit.register(thread.join, END)
    value, error = ended[0]
    if error:
        raise error
    return value


def _host():
    """The host and its numbers of processes, of which containers may have their own."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return hashlib.sha256(f"{file.read()} {os.stat('/proc/self/ns/pid').st_ino}".encode()).hexdigest()


def _look_at(pid):
    """A process's state, a letter, and when it has started; the state X where it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            words = file.read().rpartition(b")")[2].split()
        return words[0].decode(), int(words[19])
    except OSError:
        return "X", 0


def have(ranks, done, of=""):
    """What ranks have done, in words."""
    number, verb = ("rank", "has") if len(ranks) == 1 else ("ranks", "have")
    return f"{number} {', '.join(map(str, ranks))}{of} {verb} {done}"


def find_dead(pes):
    """The ranks whose PEs have died; pes: of each rank, where they are known."""
    return [rank for rank, pe in enumerate(pes) if library.has_died(pe)]


def known_pes(size):
    """The PEs of a world's ranks, before these have told them: they are those of the job, where it has as many."""
    return range(size) if library.is_up() and size == library.size() else []


class Meeting:
    """Of one group. Torchrun's store, or a file, has what an earlier group of this name has left: each meeting has a part of the
    store. pes: the ranks' PEs, where they are known."""

    def __init__(self, store, rank, size, seconds, name, pes=()):
        self.rank, self.size, self.seconds, self.name, self.who = rank, size, seconds, name, f"rank {rank} of group {name}"
        self._all, self._pes, self._end = store, pes, time.monotonic() + seconds
        self._processes = {}  # by the ranks of this host that have come: number and start
        self._missing = []  # ranks that have not come to the step
        self._looked = 0
        self._is_left = False

    def run(self, function):
        """What function(self) returns, or an exception that names the rank which has died, stopped or not come."""
        try:
            return run(lambda: function(self), self.seconds + END, self._look)
        except Late:
            raise self._late() from None
        except Exception as error:
            for _ in range(10):  # a death breaks connections before it can be seen
                self._look(error)
                time.sleep(LOOK)
            if isinstance(error, Error):
                raise
            if time.monotonic() > self._end and self._describe_stopped():
                raise self._late() from error  # who stops within a request holds up the store of torch 1.13
            raise Error(f"{self.who}: torch's store, which rank 0 has as a rule, fails: {error}{self._describe_others()}") from error
        finally:
            self._is_left = True

    def _late(self):
        what = self._describe_missing() or "not all ranks have joined the job"
        return Error(f"{self.who}: {what} within {self.seconds:g} s{self._describe_stopped()}")

    def come(self):
        """All ranks have come."""
        turn = self._all.add(f"sheaf/turn/{self.rank}", 1)
        self.store = dist.PrefixStore(f"sheaf/{turn}", self._all)
        self.store.set(f"process/{self.rank}", json.dumps([_host(), os.getpid(), _look_at(os.getpid())[1]]))
        self.store.add(f"here/{self.rank}", 1)
        self.store.add("here", 1)
        try:
            self._wait("here")
        except Late:
            self.store.add("here", -1)  # the rank may try again
            self.store.add(f"here/{self.rank}", -1)
            self._all.add(f"sheaf/turn/{self.rank}", -1)
            raise

    def tell(self, step, value):
        """All ranks' values, in the order of the ranks."""
        self.store.set(f"{step}/of/{self.rank}", json.dumps(value))
        self.store.add(f"{step}/{self.rank}", 1)
        self.store.add(step, 1)
        self._wait(step)
        return [json.loads(self.store.get(f"{step}/of/{rank}")) for rank in range(self.size)]

    def _wait(self, step):
        """All ranks have come to the step: a number can be looked at without waiting, in any store."""
        while self.store.add(step, 0) < self.size:
            if self._is_left:
                raise Error(f"{self.who}: the meeting is over")
            is_late = time.monotonic() > self._end
            if is_late or time.monotonic() - self._looked > LOOK:
                self._missing = [rank for rank in range(self.size) if not self.store.add(f"{step}/{rank}", 0)]
                self._learn()
                self._looked = time.monotonic()
            if is_late:
                raise Late
            time.sleep(0.002)
        self._missing = []
        self._learn()

    def _learn(self):
        """The processes of those that have come."""
        for rank in range(self.size):
            if rank not in self._processes and rank not in self._missing and rank != self.rank:
                host, pid, start = json.loads(self.store.get(f"process/{rank}"))
                self._processes[rank] = (pid, start) if host == _host() else None

    def _states(self):
        for rank, process in list(self._processes.items()):
            if process:
                state, start = _look_at(process[0])
                yield rank, process[0], state if start == process[1] else "X"

    def _look(self, cause=None):
        dead = {rank for rank, _, state in self._states() if state in "XZ"}.union(find_dead(self._pes))
        if dead:
            self._missing = [rank for rank in self._missing if rank not in dead]
            raise Error(f"{self.who}: {have(sorted(dead), 'died')}{self._describe_others()}") from cause

    def _describe_missing(self):
        return have(self._missing, "not come", f" of {self.size}") if self._missing else ""

    def _describe_stopped(self):
        return "".join([f"; rank {rank}'s process {pid} is stopped" for rank, pid, state in self._states() if state in "Tt"])

    def _describe_others(self):
        """Ranks that may be the reason."""
        missing = self._describe_missing()
        return (f"; {missing}" if missing else "") + self._describe_stopped()
