# SPDX-License-Identifier: BSD-3-Clause
"""Boots one virtual machine, waits until it has run its steps, and reads what they wrote.

QEMU's emulation (TCG) runs everywhere. KVM is faster where it works; where it is there and hangs, the
probe finds out within PROBE_SECONDS, once per run.
"""
import json
import os
import re
import subprocess
import tempfile
import time

from kernel import HERE, Kernel, Unavailable

PROBE_SECONDS = 15  # emulated, the same kernel says its first word after 3 to 5 s
BASE_MODULES = ["virtio_pci", "9p", "9pnet_virtio", "overlay"]
TOOLS = {"x86_64": "qemu-system-x86_64", "aarch64": "qemu-system-aarch64"}
CONSOLES = {"x86_64": "ttyS0", "aarch64": "ttyAMA0"}


def has_kvm(kernel):
    """Whether a kernel starts under KVM, rather than that /dev/kvm exists."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK) or os.uname().machine != "x86_64":
        return False
    command = [TOOLS["x86_64"], "-accel", "kvm", "-cpu", "host", "-m", "256M", "-nographic",
               "-no-reboot", "-kernel", kernel.image, "-append", "console=ttyS0 panic=-1"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"Kernel panic" in done.stdout  # it has no root


class Boot:
    """One boot of a machine; folder is shared with it as /run/machine."""

    def __init__(self, machine, kind, source, build, cache, kvm):
        self.machine, self.kind, self.kvm = machine, kind, kvm
        self.source, self.build = source, build
        self.kernel = Kernel(machine.kernel, cache, machine.architecture)

    def _prepare(self, folder):
        with open(f"{HERE}/guest/start", encoding="utf-8") as file:
            start = file.read()
        settings = (f"export KIND={self.kind} MACHINE={self.machine.name} "
                    f"SOURCE={self.source} BUILD={self.build}\n")
        for name, text in (("start", start), ("settings", settings)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        self.kernel.make_disk(BASE_MODULES + self.machine.modules, f"{folder}/disk.gz")

    def _command(self, folder):
        machine = self.machine
        accelerator = ["-accel", "kvm"] if self.kvm else ["-accel", "tcg,thread=multi"]
        console = CONSOLES[machine.architecture]
        board = ["-machine", "virt"] if machine.architecture == "aarch64" else []
        def share(tag, path, more=""):
            return ["-virtfs", f"local,path={path},mount_tag={tag},security_model=none{more}"]

        return [TOOLS[machine.architecture], *board, *accelerator, "-cpu", machine.processor,
                "-smp", str(machine.cpus), "-m", machine.memory, "-display", "none", "-no-reboot",
                "-nodefaults", "-serial", f"file:{folder}/console", "-kernel", self.kernel.image,
                "-initrd", f"{folder}/disk.gz", "-append",
                " ".join([f"console={console} panic=-1 quiet", *machine.boot]),
                *share("root", machine.root or "/", ",readonly=on,multidevs=remap"),
                *share("shared", folder), *machine.qemu]

    def run(self):
        """[record of a step]; steps that never ran have one too."""
        with tempfile.TemporaryDirectory(prefix="machine-") as folder:
            self._prepare(folder)
            began = time.monotonic()
            try:
                with subprocess.Popen(self._command(folder), stdin=subprocess.DEVNULL) as process:
                    self._wait(process)
            except FileNotFoundError as error:
                raise Unavailable(f"no {error.filename}: scripts/setup --machines installs it") from None
            records = read_records(f"{folder}/results")
            return complete(records, self.machine.steps, read_text(f"{folder}/console"),
                            read_text(f"{folder}/steps.log"), time.monotonic() - began)

    def _wait(self, process):
        try:
            process.wait(self.machine.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        except BaseException:
            process.kill()
            raise


def read_text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def read_records(path):
    return [json.loads(line) for line in read_text(path).splitlines()]


def complete(records, steps, console, log, seconds):
    """With a record for each step that the machine never finished."""
    done = {record["step"] for record in records}
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", console)
    for step in steps:
        if step.name not in done:
            records.append({"step": step.name, "result": "not run", "status": -1, "passed": 0, "total": 0,
                            "seconds": 0, "output": f"the machine ended after {seconds:.0f} s\n"
                                                    f"{log[-1500:]}\n{plain[-3000:]}"})
    return records
