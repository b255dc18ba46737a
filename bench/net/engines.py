# SPDX-License-Identifier: BSD-3-Clause
#
# The network engines that a build of Sheaf has on this machine; each finds the hosts' network by itself.

import subprocess

ABSENT = ("not there yet", "not available", "not built", "cannot start")
TITLES = {"ucx": "UCX", "ofi": "libfabric", "mpi": "MPI"}


def engines(build):
    """The network engines that this build can use here, as SHEAF_ENGINE has them: what oshinfo lists."""
    said = subprocess.run([f"{build}/bin/oshinfo"], capture_output=True, text=True, check=True).stdout
    lines = said.partition("\nNetwork engines\n")[2].partition("\n\n")[0].splitlines()
    found = [(line.split()[0], line) for line in lines if line[:1].strip()]
    return [name for name, line in found if name not in ("none", "auto") and not any(word in line for word in ABSENT)]


def sheaf_over(engine):
    return f"Sheaf over {TITLES.get(engine, engine)}"


def settings(engine):
    return {"SHEAF_ENGINE": engine}
