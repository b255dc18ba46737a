# SPDX-License-Identifier: BSD-3-Clause
"""The MPICH of this machine."""
import functools
import subprocess


@functools.lru_cache
def speaks_pmix():
    """Ubuntu 24.04's was built for PMIx, which its own launcher mpiexec.hydra does not speak: oshrun starts its programs."""
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True).stdout
    paths = [line.split()[-1] for line in known.splitlines() if "libmpich.so" in line]
    return bool(paths) and "libpmix.so" in subprocess.run(["ldd", paths[0]], capture_output=True, text=True).stdout
