# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts that have the wheel's environment and no network's library: a job by a rendezvous, over the UCX that the wheel
brings. Arguments: the source tree, the environment's python."""
import os
import subprocess
import sys
import time

SOURCE, PYTHON = sys.argv[1], os.path.abspath(sys.argv[2])
sys.path.insert(0, os.path.join(SOURCE, "tests/hosts"))

from hosts import Site, Unavailable # noqa: E402
from launchers import Layout, launcher_of # noqa: E402

TESTS = os.path.join(SOURCE, "bindings/python/tests")
HELLO = "import sheafshmem as shmem; print(f'PE {shmem.my_pe()} of {shmem.n_pes()}\\n', end=''); shmem.barrier()"


def hide_networks(host):
    """No library that the host has for a network, nor an MPI."""
    listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        name, _, path = line.strip().partition(" => ")
        if name.split(".so")[0] in ("libucp", "libucs", "libuct", "libfabric", "libmpi", "libmpich"):
            host.do("mount", "--bind", "/dev/null", os.path.realpath(path))


def run(launcher, pes, *program):
    began = time.monotonic()
    status, said = launcher.run(Layout([pes, pes]), [PYTHON, *program], 120, dict(os.environ))
    assert status == 0, said
    return time.monotonic() - began, said


def main():
    try:
        with Site(2) as site, launcher_of("rendezvous", site) as launcher:
            for host in site.hosts:
                hide_networks(host)
            said = site.hosts[0].do(os.path.join(os.path.dirname(PYTHON), "oshinfo"))
            assert "libsheaf-ucx.so (came with Sheaf" in said, said
            took, said = run(launcher, 1, "-c", HELLO)
            assert sorted(line for line in said.splitlines() if line.startswith("PE ")) == ["PE 0 of 2", "PE 1 of 2"], said
            print(f"hello on two hosts: {took:.2f} s, of which Python and NumPy begin twice")
            for pes, program in ((1, "teams.py"), (2, "operations.py")):
                run(launcher, pes, os.path.join(TESTS, program))
            assert site.wait_until_clean(5) == {}
    except Unavailable as reason:
        print(f"skipped: {reason}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
