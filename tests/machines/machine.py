# SPDX-License-Identifier: BSD-3-Clause
"""Boots one virtual machine, waits until it has run its steps, and reads what they wrote.

QEMU's emulation (TCG) runs everywhere. KVM is faster where it works; where it is there and hangs, the
probe finds out within PROBE_SECONDS, once per run.
"""
import fcntl
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from foreign import build_of, root_of
from kernel import HERE, Kernel, find_busybox
from packages import Unavailable

PROBE_SECONDS = 15  # emulated, the same kernel says its first word after 3 to 5 s
BASE_MODULES = ["virtio_pci", "9p", "9pnet_virtio", "overlay"]
TOOLS = {"x86_64": "qemu-system-x86_64", "aarch64": "qemu-system-aarch64"}
CONSOLES = {"x86_64": "ttyS0", "aarch64": "ttyAMA0"}
TIED = ["setpriv", "--pdeathsig", "KILL"]  # QEMU ends with whoever started it, even after kill -9


def tool(architecture):
    path = shutil.which(TOOLS[architecture])
    if not path:
        raise Unavailable(f"no command {TOOLS[architecture]}: scripts/setup --machines installs it")
    return path


def has_kvm(kernel):
    """Whether a kernel starts under KVM, rather than that /dev/kvm exists."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK) or os.uname().machine != "x86_64":
        return False
    command = [*TIED, tool("x86_64"), "-accel", "kvm", "-cpu", "host", "-m", "256M", "-display", "none",
               "-nodefaults", "-serial", "stdio", "-no-reboot", "-kernel", kernel.image,
               "-append", "console=ttyS0 panic=-1"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=PROBE_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return b"Kernel panic" in done.stdout  # it has no root


def sweep(cache):
    """Removes the folders of runs that were killed: whoever uses one has it locked."""
    for folder in glob.glob(f"{cache}/run-*"):
        try:
            held = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # its run has just ended
            continue
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            pass
        finally:
            os.close(held)


class Boot:
    """One boot of a machine; cache keeps kernels, and the folder shared with it while it runs. options:
    build, kvm, and patience, how many times as long every limit within it is."""

    def __init__(self, machine, kind, source, cache, options):
        self.machine, self.kind, self.patience = machine, kind, options.patience
        self.source, self.build, self.cache = source, options.build, cache
        self.root, self.kvm, self.is_foreign = "/", options.kvm, machine.architecture != os.uname().machine
        if self.is_foreign:
            self.root, self.kvm = root_of(machine.architecture, cache), False
            self.build = build_of(machine, source)
        self.kernel = Kernel(machine.kernel, cache, machine.architecture)

    def _prepare(self, folder):
        with open(f"{HERE}/guest/start", encoding="utf-8") as file:
            start = file.read()
        settings = (f"export KIND={self.kind} MACHINE={self.machine.name} FOREIGN={self.is_foreign:d} "
                    f"TEST_PATIENCE={self.patience} SOURCE='{self.source}' BUILD='{self.build}'\n")
        for name, text in (("start", start), ("settings", settings)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        self.kernel.make_disk(BASE_MODULES + self.machine.modules, f"{folder}/disk.gz",
                              find_busybox(self.root))

    def _command(self, folder):
        machine = self.machine
        accelerator = ["-accel", "kvm"] if self.kvm else ["-accel", "tcg,thread=multi"]
        board = ["-machine", "virt"] if machine.architecture == "aarch64" else []
        boot = [f"console={CONSOLES[machine.architecture]} panic=-1 quiet", *machine.boot]

        def share(tag, path, more=""):
            return ["-virtfs", f"local,path={path},mount_tag={tag},security_model=none{more}"]

        return [*TIED, tool(machine.architecture), *board, *accelerator, "-cpu", machine.processor,
                "-smp", machine.cpus, "-m", machine.memory, "-display", "none", "-no-reboot",
                "-nodefaults", "-serial", f"file:{folder}/console", "-kernel", self.kernel.image,
                "-initrd", f"{folder}/disk.gz", "-append", " ".join(boot),
                *share("root", self.root, ",readonly=on,multidevs=remap"),
                *share("source", self.source, ",readonly=on,multidevs=remap"),
                *share("shared", folder), *machine.qemu]

    def run(self, seconds):
        """[record of a step], after at most so many seconds; steps that never ran have one too."""
        with tempfile.TemporaryDirectory(prefix="run-", dir=self.cache) as folder:
            held = os.open(folder, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)
            self._prepare(folder)
            began = time.monotonic()
            with subprocess.Popen(self._command(folder), stdin=subprocess.DEVNULL) as process:
                wait(process, seconds)
            records = [json.loads(line) for line in read_text(f"{folder}/results").splitlines()]
            last = [read_text(f"{folder}/{name}")[-1500:] for name in ("console", "steps.log", "output")]
            os.close(held)
            return complete(records, self.machine.steps, last, time.monotonic() - began)


def wait(process, seconds):
    try:
        process.wait(seconds)
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


def blank(step, result, output):
    """The record of a step that said nothing itself."""
    return {"step": step, "result": result, "status": -1, "passed": 0, "total": 0, "seconds": 0,
            "output": output}


def complete(records, steps, last, seconds):
    """With a record for each step that the machine never finished. The first of them was under way: it has
    last, what the machine said."""
    done = {record["step"] for record in records}
    left = [step.name for step in steps if step.name not in done]
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", "\n".join(last))
    why = [f"the machine ended after {seconds:.0f} s\n{said}"] + ["the machine had ended"] * len(left)
    return records + [blank(name, "not run", reason) for name, reason in zip(left, why)]
