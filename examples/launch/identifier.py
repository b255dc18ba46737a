# SPDX-License-Identifier: BSD-3-Clause
"""PEs of Python that a socket tells the job's identifier: identifier.py RANK SIZE HOST PORT, one for each rank. Rank 0 serves
it at the port. Whoever reads it can join the job: on a network that others can read send it over TLS or ssh."""
import socket
import sys
import time

import sheafshmem as shmem


def serve(uid, host, port, times):
    with socket.create_server((host, port)) as server:
        for _ in range(times):
            other, _ = server.accept()
            with other:
                other.sendall(uid)


def ask(host, port):
    for _ in range(600):
        try:
            with socket.create_connection((host, port)) as server:
                return server.makefile("rb").read()
        except OSError:  # it has not started
            time.sleep(0.1)
    sys.exit(f"nobody at {host}:{port}")


rank, size, host, port = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
if rank == 0:
    uid = shmem.unique_id()
    serve(uid, host, port, size - 1)
else:
    uid = ask(host, port)
shmem.init(rank=rank, size=size, uid=uid)

ranks = shmem.zeros(1, dtype=int)
ranks.put([rank], (rank + 1) % size)
shmem.barrier()
print(f"PE {rank} of {size}: PE {ranks[0]} wrote here")
