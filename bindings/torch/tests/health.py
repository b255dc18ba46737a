# SPDX-License-Identifier: BSD-3-Clause
"""health.py OSHTOP: ranks of which one comes late to collectives, and what oshtop --serve says of them meanwhile."""
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

import run

RANKS = 3


def rank():
    """Rank 2 is late for each call by 1.5 s; between them all make many calls, which are no reason to name anybody."""
    import torch
    import torch.distributed as dist

    import sheaftorch  # noqa: F401: makes the backend known

    dist.init_process_group("sheaf")
    other, tensor = dist.new_group([0, 2]), torch.ones(1000)
    calls = [lambda: dist.all_reduce(tensor), dist.barrier, lambda: dist.broadcast(tensor, 0),
             lambda: dist.all_reduce(torch.ones(3_000_000), async_op=True).wait()]
    outs = [torch.empty(1000), torch.empty(1000)]
    calls.append(lambda: dist.get_rank() != 1 and dist.all_gather(outs, tensor, other))
    for call in calls:
        for _ in range(100):
            dist.all_reduce(tensor)
        if dist.get_rank() == 2:
            time.sleep(1.5)
        call()
    dist.barrier()


def ask(path):
    """The jobs of which our processes are ranks, as /health has them."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(b"GET /health HTTP/1.0\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    return json.loads(answer.partition(b"\r\n\r\n")[2])["jobs"]


def watch(path, processes):
    """The lines of the reports about a late rank; nobody else is ever named, and the job never said to hang."""
    ranks, lines = {process.pid: index for index, process in enumerate(processes)}, set()
    while any([process.poll() is None for process in processes]):
        for job in ask(path):
            late = [pe for pe in job["stragglers"] if pe["pid"] in ranks]
            if late and max(pe["seconds"] for pe in late) > 0.5:
                assert [ranks[pe["pid"]] for pe in late] == [2], late
                assert not job["hung"] and not job["stuck"] and not job["missing"], job
                lines.update(job["report"])
        time.sleep(0.05)
    return lines


def main():
    if not run.have_torch():
        print(f"{sys.executable} has no torch.distributed with gloo")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/health"
        server = subprocess.Popen([sys.argv[1], f"--serve={path}"], stdout=subprocess.PIPE)
        server.stdout.readline()
        try:
            processes = run.start(RANKS, [__file__])
            lines = watch(path, processes)
            said = run.finish(processes)
        finally:
            server.terminate()
            server.communicate()
    print("\n".join(sorted(lines)) + "\n" + "".join(said))
    expected = [f"PEs 0,1 wait for PE 2 in {call} (call" for call in ("all_reduce", "barrier", "broadcast")]
    expected.append("PE 0 waits for PE 2 in all_gather (call")
    missing = [text for text in expected if not any(line.startswith(text) for line in lines)]
    if missing:
        print("not said:", missing)
    return bool(missing) or any(process.returncode for process in processes)


if __name__ == "__main__":
    sys.exit(rank() if "RANK" in os.environ else main())
