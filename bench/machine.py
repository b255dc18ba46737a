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


def processes():
    """{pid: (parent, seconds of a CPU, seconds that its ended children took)} of this machine."""
    found, tick = {}, os.sysconf("SC_CLK_TCK")
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            user, system, ended_user, ended_system = (int(field) / tick for field in fields[11:15])
            found[int(folder.name)] = int(fields[1]), user + system, ended_user + ended_system
        except (OSError, IndexError):
            pass  # the process has ended
    return found


def descendants(root, table):
    found, size = {root}, 0
    while len(found) > size:
        size = len(found)
        found |= {pid for pid, (parent, *_) in table.items() if parent in found}
    return found


class Others:
    """The share of one CPU that processes other than this one and its descendants use, from here on."""

    def __init__(self):
        self.begin, self.before = time.monotonic(), processes()

    def share(self):
        return others_took(self.before, processes(), os.getpid()) / (time.monotonic() - self.begin)


def others_took(before, after, own_pid):
    """Seconds of a CPU between two tables of processes() that went to others than own_pid and its descendants."""
    own, used = descendants(own_pid, after), {}
    for pid, (parent, running, ended) in after.items():
        if pid in before and pid not in own:
            used[pid] = running - before[pid][1]
            if parent > 1:  # what init and its children inherit may be of our own hosts
                used[pid] += ended - before[pid][2]
    for pid, (heir, running, ended) in before.items():
        if pid not in after:  # its parent's second sum has all that it ever took
            while heir in before and heir not in after:
                heir = before[heir][0]
            if heir in used and after[heir][0] > 1:
                used[heir] -= running + ended
    return sum(max(seconds, 0) for seconds in used.values())


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
