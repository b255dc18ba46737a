# SPDX-License-Identifier: BSD-3-Clause
#
# The machine that figures were taken on, as it stands beside them.

import os
import pathlib
import platform
import time


BUSY = 0.1  # the share of the CPUs' time in others' use up to which a machine is quiet


def cpu_times():
    """(in use, all) since boot, in ticks; what a hypervisor takes counts as in use."""
    fields = [int(field) for field in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return sum(fields) - fields[3] - fields[4], sum(fields)


def busy(seconds=2):
    """The share of the CPUs' time that is used while this process sleeps."""
    before = cpu_times()
    time.sleep(seconds)
    used, all_of_it = (after - start for after, start in zip(cpu_times(), before))
    return used / max(all_of_it, 1)


def caches():
    """{"L2": bytes} of the first processor, as far as the kernel tells; of instructions none."""
    found, folder = {}, pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
    for cache in sorted(folder.glob("index*")):
        try:
            level, kind, size = ((cache / name).read_text().strip() for name in ("level", "type", "size"))
            if kind != "Instruction":
                found[f"L{level}"] = int(size.removesuffix("K")) << 10
        except (OSError, ValueError):
            pass
    return found


def describe(cpus):
    """cpus: how many may be used."""
    told = dict(line.split(":", 1) for line in pathlib.Path("/proc/cpuinfo").read_text().split("\n\n", 1)[0].splitlines() if ":" in line)
    told = {name.strip(): value.strip() for name, value in told.items()}
    number = {name: int(told[field]) for name, field in (("family", "cpu family"), ("model", "model")) if told.get(field, "").isdigit()}
    return {"processor": told.get("model name", platform.machine()), **number, "cpus": cpus, "system": platform.freedesktop_os_release()["PRETTY_NAME"],
            "kernel": platform.release(), "load": os.getloadavg()[0], "busy": busy(), "caches": caches()}


def text(machine):
    state = f"load {machine['load']:.1f} at the start"
    if "busy" in machine: # load still counts what ended a minute ago
        state = f"{100 * machine['busy']:.0f} % of the CPUs in others' use at the start"
    return f"{machine['processor']}, {machine['cpus']} CPUs, {machine['system']}, Linux {machine['kernel']}, {state}"


def usable():
    return len(os.sched_getaffinity(0))
