# SPDX-License-Identifier: BSD-3-Clause
#
# The machine that figures were taken on, as it stands beside them.

import os
import pathlib
import platform


def describe(cpus):
    """cpus: how many may be used."""
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"processor": model, "cpus": cpus, "system": platform.freedesktop_os_release()["PRETTY_NAME"],
            "kernel": platform.release(), "load": os.getloadavg()[0]}


def text(machine):
    return (f"{machine['processor']}, {machine['cpus']} CPUs, {machine['system']}, Linux {machine['kernel']}, "
            f"load {machine['load']:.1f} at the start")


def usable():
    return len(os.sched_getaffinity(0))
