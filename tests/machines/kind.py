# SPDX-License-Identifier: BSD-3-Clause
"""What a kind of machine is: virtual machines, and the steps that each runs. A file of kinds/ each.

A file of kinds/ sets WHAT, a line on what it is for, and MACHINES, a list.
"""
import importlib.util
import os
from dataclasses import dataclass, field
from typing import List

HERE = os.path.dirname(os.path.abspath(__file__))
STARTING = 60  # seconds to start and stop; 11 to 16 s when the machine outside does nothing besides


@dataclass
class Step:
    """A command of bash, run in the source folder with BUILD set. It exits 0, or 77 for skipped."""
    name: str
    command: str
    seconds: int = 120


@dataclass
class Machine:
    """A virtual machine. qemu and boot are more arguments of QEMU and of the kernel."""
    name: str
    steps: List[Step]
    kernel: str = "bookworm"  # Debian's suite that it is from: 6.1. "trixie-16k": a flavour of it
    architecture: str = "x86_64"
    cpus: str = "2"  # QEMU's -smp, as "4,sockets=2,cores=2"
    memory: str = "3G"
    processor: str = "max"
    modules: List[str] = field(default_factory=list)
    qemu: List[str] = field(default_factory=list)
    boot: List[str] = field(default_factory=list)
    preset: str = ""  # of cmake, where the usual one for the architecture is not wanted

    @property
    def seconds(self):
        """After which it is ended."""
        return STARTING + sum(step.seconds for step in self.steps)


@dataclass
class Kind:
    name: str
    what: str
    machines: List[Machine]

    def machine(self, name):
        return next((machine for machine in self.machines if machine.name == name), None)


def kinds():
    return sorted(name[:-3] for name in os.listdir(f"{HERE}/kinds") if name.endswith(".py"))


def load_kind(name):
    spec = importlib.util.spec_from_file_location(f"kinds.{name}", f"{HERE}/kinds/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Kind(name, module.WHAT, module.MACHINES)
