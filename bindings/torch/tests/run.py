# SPDX-License-Identifier: BSD-3-Clause
"""run.py RANKS PROGRAM [ARGUMENT...]: the program as so many ranks, as torchrun starts them; their common end."""
import os
import socket
import subprocess
import sys
import time

LIMIT = int(os.environ.get("LIMIT", 250))


_bound = []


def free_port():
    """A bound socket keeps its port from other programs. Torch's store, which asks for SO_REUSEADDR too, may listen there."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", 0))
    _bound.append(one)
    return one.getsockname()[1]


def start(ranks, words, **variables):
    """The processes, each with its output in a pipe."""
    common = {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "OMP_NUM_THREADS": "1",
              "GLOO_SOCKET_IFNAME": "lo", "LOCAL_WORLD_SIZE": str(ranks), "PYTHONDONTWRITEBYTECODE": "1",
              "USE_LIBUV": "0"}  # Debian 13's torch is built without that, and asks for it
    return [subprocess.Popen([sys.executable, *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             env=dict(os.environ, **common, RANK=str(rank), LOCAL_RANK=str(rank), **variables))
            for rank in range(ranks)]


def finish(processes, limit=LIMIT):
    """What they printed, when all have ended."""
    end, said = time.monotonic() + limit, []
    for process in processes:
        try:
            said.append(process.communicate(timeout=max(0.1, end - time.monotonic()))[0])
        except subprocess.TimeoutExpired:
            process.kill()
            said.append(process.communicate()[0] + f"\nrun.py: not over within {limit} s")
    return said


def have_torch():
    try:
        import torch.distributed
    except ImportError:
        return False
    return torch.distributed.is_available() and torch.distributed.is_gloo_available()


def main():
    if not have_torch():
        print(f"{sys.executable} has no torch.distributed with gloo")
        return 77
    processes = start(int(sys.argv[1]), sys.argv[2:])
    said = finish(processes)
    print("".join(said))
    if all(process.returncode == 77 for process in processes):
        return 77
    return any(process.returncode for process in processes) or any("sheaf: " in text for text in said)


if __name__ == "__main__":
    sys.exit(main())
