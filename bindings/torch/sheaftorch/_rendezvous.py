# SPDX-License-Identifier: BSD-3-Clause
"""init_method="sheaf://": the launcher of the OpenSHMEM job says which rank a process is, and rank 0 tells the others its store."""
import ctypes
import os
import socket

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
    operation = library.call(handle, library.BROADCAST, 0, 0, 0, BYTES, ins, ctypes.addressof(text), outs, ctypes.addressof(text))
    while (state := library.wait(operation, 200)) == library.PENDING:
        pass
    if state == library.FAILED:
        raise Error(library.text(operation).decode())
    library.release(operation)
    return text.value


def meet(_url, timeout=default_pg_timeout, **_unused):
    """What torch calls: yields a store, the rank and the number of ranks."""
    pe, size = library.join_launched()
    store, place = None, b""
    if pe == 0:
        host = "127.0.0.1" if "SHEAF_JOB" in os.environ else socket.gethostname()
        store = dist.TCPStore(host, 0, size, True, timeout, wait_for_workers=False)
        place = f"{host}:{store.port}".encode()
    host, _, port = _broadcast(pe, size, place).decode().rpartition(":")
    if store is None:
        store = dist.TCPStore(host, int(port), size, False, timeout, wait_for_workers=False)
    yield store, pe, size


dist.register_rendezvous_handler("sheaf", meet)
