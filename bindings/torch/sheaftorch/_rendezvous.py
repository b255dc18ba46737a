# SPDX-License-Identifier: BSD-3-Clause
"""init_method="sheaf://": the launcher of the OpenSHMEM job says which rank a process is, and rank 0 tells the others its store."""
import ctypes
import os
import socket
import threading

import torch.distributed as dist
from torch.distributed.constants import default_pg_timeout

from sheaftorch import _library as library
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
    """What torch calls: yields a store, the rank and the number of ranks. The library's start has no timeout: a thread waits for it."""
    found, failed = [], []

    def run():
        try:
            found.append(_meet(timeout))
        except BaseException as error:  # it belongs to the caller, of whatever kind it is
            failed.append(error)

    thread = threading.Thread(target=run, name="sheaf-meets", daemon=True)
    thread.start()
    thread.join(timeout.total_seconds())
    if failed:
        raise failed[0]
    if not found:
        raise Error(f"sheaf://: not all ranks have called init_process_group within {timeout.total_seconds():g} s")
    yield found[0]


dist.register_rendezvous_handler("sheaf", meet)
