# SPDX-License-Identifier: BSD-3-Clause
"""Where the ranks find torch's store. init_method="sheaf://": the launcher of the OpenSHMEM job says which rank a process is, and
rank 0 tells the others its store. For env:// and tcp:// the same store as torch's own, which does not wait for the ranks: the
group does, and names who is missing."""
import ctypes
import functools
import inspect
import os
import socket
import time
import urllib.parse

import torch.distributed as dist
from torch.distributed.constants import default_pg_timeout

from sheaftorch import _library as library
from sheaftorch._meeting import END, Late, find_dead, have, known_pes, run
from sheaftorch._work import Error

BYTES = 256  # of the place of rank 0's store


def _broadcast(pe, size, place):
    """place of PE 0, on all PEs."""
    text = ctypes.create_string_buffer(place, BYTES)
    handle = library.group(b"sheaf://", (ctypes.c_int * size)(*range(size)), size, pe)
    if not handle:
        raise Error(f"rank {pe}: sheaf:// cannot make a group of {size} ranks: no memory, or a rank has died")
    ins, outs = (1, 0) if pe == 0 else (0, 1)
    operation = library.begin(handle, library.BROADCAST, (ctypes.addressof(text), BYTES), ins, bytes_=BYTES)
    if operation == library.ENDED:
        return text.value
    while (state := library.wait(operation, 200)) == library.PENDING:
        pass
    if state == library.FAILED:
        raise Error(library.text(operation).decode())
    library.release(operation)
    return text.value


def _meet(timeout):
    """A store, the rank and the number of ranks. Waits for all ranks, however late they come."""
    pe, size = library.join_launched()
    store, place = None, b""
    if pe == 0:
        host = "127.0.0.1" if "SHEAF_JOB" in os.environ else socket.gethostname()
        store = dist.TCPStore(host, 0, size, True, timeout, wait_for_workers=False)
        place = f"{host}:{store.port}".encode()
    host, _, port = _broadcast(pe, size, place).decode().rpartition(":")
    if store is None:
        store = dist.TCPStore(host, int(port), size, False, timeout, wait_for_workers=False)
    return store, pe, size


def meet(_url, timeout=default_pg_timeout, **_unused):
    """What torch calls: yields a store, the rank and the number of ranks. The library's start has no timeout of its own."""
    try:
        found = run(lambda: _meet(timeout), timeout.total_seconds())
    except Late:
        raise Error(f"sheaf://: not all ranks have called init_process_group within {timeout.total_seconds():g} s") from None
    yield found


_stores = {}  # by their places and ranks: ranks that begin again use them again. A new one would be met by ranks of the one before


def _open(host, port, rank, size, timeout):
    """Torch's store, which rank 0 serves. Torch itself would try to reach it once a second."""
    end = time.monotonic() + timeout.total_seconds()
    while rank != 0:
        try:
            socket.create_connection((host, port), max(0.01, end - time.monotonic())).close()
            break
        except OSError:
            if time.monotonic() > end:
                raise Late("has not come") from None
            time.sleep(0.01)
    more = {"use_libuv": os.environ.get("USE_LIBUV", "1") == "1"} if "use_libuv" in dist.TCPStore.__init__.__doc__ else {}
    return dist.TCPStore(host, port, size, rank == 0, timeout, wait_for_workers=False, multi_tenant=True, **more)


def meet_there(url, timeout=default_pg_timeout, **_unused):
    """The same for sheaf+env:// and sheaf+tcp://."""
    place = urllib.parse.urlparse(url)
    words = dict(urllib.parse.parse_qsl(place.query))
    rank, size = (int(words.get(word) or os.environ[word.upper()]) for word in ("rank", "world_size"))
    host, port = place.hostname or os.environ["MASTER_ADDR"], int(place.port or os.environ["MASTER_PORT"])
    place = f"rank {rank}: rank 0, which has torch's store at {host}:{port},"

    def look():
        if dead := find_dead(known_pes(size)):
            raise Error(f"rank {rank}: {have(dead, 'died')}")

    key = host, port, rank, size
    try:
        look()
        if key not in _stores:
            _stores[key] = run(lambda: _open(host, port, rank, size, timeout), timeout.total_seconds() + END, look)
    except Late as late:
        raise Error(f"{place} {late.args[0] if late.args else 'does not answer'} within {timeout.total_seconds():g} s") from None
    except RuntimeError as error:
        if rank == 0 or isinstance(error, Error):
            raise
        raise Error(f"{place} has died, or left: {error}") from error
    yield _stores[key], rank, size


def _choose(method, rank, size):
    """The init_method. What torch has to refuse stays as it is, and a store of torchrun's own, which waits for nobody."""
    method = method or "env://"
    place = urllib.parse.urlparse(method)
    words = dict(urllib.parse.parse_qsl(place.query))
    is_env = place.scheme == "env"
    is_counted = all([number != -1 or word in words or (is_env and word.upper() in os.environ)
                      for word, number in (("rank", rank), ("world_size", size))])
    is_placed = "MASTER_ADDR" in os.environ and "MASTER_PORT" in os.environ if is_env else place.scheme == "tcp" and place.port
    is_served = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    return f"sheaf+{method}" if is_counted and is_placed and not is_served else method


def _wrap(initialize):
    signature = inspect.signature(initialize)

    @functools.wraps(initialize)
    def init_process_group(*arguments, **named):
        call = signature.bind(*arguments, **named)
        words = call.arguments
        if str(words.get("backend")).lower() in ("sheaf", "cpu:sheaf") and words.get("store") is None:
            words["init_method"] = _choose(words.get("init_method"), words.get("rank", -1), words.get("world_size", -1))
        return initialize(*call.args, **call.kwargs)

    return init_process_group


dist.init_process_group = dist.distributed_c10d.init_process_group = _wrap(dist.init_process_group)
for scheme, handler in (("sheaf", meet), ("sheaf+env", meet_there), ("sheaf+tcp", meet_there)):
    dist.register_rendezvous_handler(scheme, handler)
