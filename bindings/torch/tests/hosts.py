# SPDX-License-Identifier: BSD-3-Clause
"""hosts.py RANKS_PER_HOST PROGRAM...: each program as ranks on two hosts, which have a network, a name, processes and
/dev/shm of their own (tests/hosts/hosts.py). Takes root."""
import os
import subprocess
import sys

import run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tests/hosts"))
from hosts import Site, Unavailable  # noqa: E402


def start(site, per_host, program):
    """The ranks' processes, host by host."""
    size = per_host * len(site.hosts)
    common = {"WORLD_SIZE": str(size), "LOCAL_WORLD_SIZE": str(per_host), "MASTER_ADDR": site.hosts[0].address,
              "MASTER_PORT": "29411", "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "eth0", "PYTHONDONTWRITEBYTECODE": "1"}
    processes = []
    for rank in range(size):
        host = site.hosts[rank // per_host]
        processes.append(subprocess.Popen(host.inside(sys.executable, program), text=True, stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT,
                                          env=dict(os.environ, **common, RANK=str(rank), LOCAL_RANK=str(rank % per_host))))
    return processes


def main():
    if not run.have_torch():
        print(f"{sys.executable} has no torch.distributed with gloo")
        return 77
    site = Site(2, keep=[*sys.argv[2:], *os.environ.get("PYTHONPATH", "").split(":"), sys.executable])
    try:
        site.start()
    except Unavailable as reason:
        print(reason)
        return 77
    failed = False
    for program in sys.argv[2:]:
        processes = start(site, int(sys.argv[1]), program)
        said = run.finish(processes)
        print("".join(said))
        failed |= any(process.returncode for process in processes) or any("sheaf: " in text for text in said)
    site.end()
    return failed


if __name__ == "__main__":
    sys.exit(main())
