# SPDX-License-Identifier: BSD-3-Clause
"""A Linux kernel from Debian's packages, unpacked and not installed, and the RAM disk that starts it.

    kernel = Kernel("6.1", folder)       # the newest package of that series, fetched on first use
    kernel.image                         # what QEMU boots
    kernel.make_disk(modules, path)      # BusyBox, guest/init and the modules that it loads, in order
"""
import glob
import gzip
import os
import re
import shutil
import stat
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
INIT = os.path.join(HERE, "guest", "init")
COMMANDS = ("sh", "mount", "insmod", "mkdir", "cat", "echo", "switch_root", "basename")


class Unavailable(Exception):
    """What a virtual machine needs is not here: the reason in words."""


def output_of(command, **options):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    except FileNotFoundError:
        raise Unavailable(f"no command {command[0]}: scripts/setup --machines installs it") from None
    if done.returncode != 0:
        raise Unavailable(f"`{' '.join(command)}` failed: {done.stdout.strip()[-500:]}")
    return done.stdout


def newest_package(series, architecture):
    """linux-image-6.1.0-50-amd64, the last in the order of versions."""
    flavour = {"x86_64": "amd64", "aarch64": "arm64"}[architecture]
    pattern = rf"^linux-image-{re.escape(series)}\.[^ ]*[0-9](\+deb[0-9]+)?-{flavour}$"
    suffix = "" if architecture == os.uname().machine else f":{flavour}"
    names = [name for name in output_of(["apt-cache", "pkgnames", f"linux-image-{series}."]).split()
             if re.match(pattern, name)]
    if not names:
        raise Unavailable(f"no package linux-image-{series}.*-{flavour}: run `apt-get update` first")
    return max(names, key=lambda name: [int(n) for n in re.findall(r"\d+", name)]) + suffix


class Kernel:
    """series: "6.1"; folder keeps what was fetched."""

    def __init__(self, series, folder, architecture="x86_64"):
        self.root = os.path.join(folder, f"linux-{series}-{architecture}")
        if not glob.glob(f"{self.root}/boot/vmlinuz-*"):
            self._fetch(newest_package(series, architecture))
        self.image = glob.glob(f"{self.root}/boot/vmlinuz-*")[0]
        self.release = os.path.basename(self.image).removeprefix("vmlinuz-")
        self._files = None

    def _fetch(self, package):
        partial = self.root + ".partial"
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial)
        output_of(["apt-get", "download", package], cwd=partial)
        archive = glob.glob(f"{partial}/*.deb")[0]
        output_of(["dpkg-deb", "-x", archive, partial])
        os.remove(archive)
        shutil.rmtree(self.root, ignore_errors=True)
        os.rename(partial, self.root)

    def _modules(self):
        """{name: path} of all modules."""
        if self._files is None:
            top = f"{self.root}/lib/modules/{self.release}"
            self._files = {re.sub(r"\.ko(\.xz)?$", "", file).replace("-", "_"): os.path.join(at, file)
                           for at, _, files in os.walk(top) for file in files if ".ko" in file}
        return self._files

    def _in_order(self, wanted):
        """The wanted modules' files after those that they need; what is built in has no file."""
        order = []

        def add(name):
            path = self._modules().get(name.replace("-", "_"))
            if path is None or path in order:
                return
            needs = output_of(["modinfo", "-F", "depends", path]).strip()
            for other in filter(None, needs.split(",")):
                add(other)
            order.append(path)

        for name in wanted:
            add(name)
        return order

    def make_disk(self, modules, path):
        """Writes the initial RAM disk to path."""
        entries = [("bin", None, 0), ("modules", None, 0), ("proc", None, 0), ("sys", None, 0),
                   ("dev", None, 0)]
        entries.append(("bin/busybox", read(find_busybox()), 0o755))
        entries += [(f"bin/{name}", b"busybox", stat.S_IFLNK) for name in COMMANDS]
        entries.append(("init", read(INIT), 0o755))
        order = self._in_order(modules)
        entries += [(f"modules/{os.path.basename(file)}", read(file), 0o644) for file in order]
        names = "".join(os.path.basename(file) + "\n" for file in order)
        entries.append(("modules.order", names.encode(), 0o644))
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(cpio(entries))


def find_busybox():
    for path in ("/bin/busybox", "/usr/bin/busybox"):
        if os.path.exists(path):
            return path
    raise Unavailable("no busybox: scripts/setup --machines installs it")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def cpio(entries):
    """An archive as the kernel unpacks it ("newc"): [(name, content or None for a folder, mode)]."""
    archive = b""
    for number, (name, content, mode) in enumerate([*entries, ("TRAILER!!!", b"", 0)], 1):
        if content is None:
            mode = stat.S_IFDIR | 0o755
        elif not stat.S_IFMT(mode):
            mode |= stat.S_IFREG
        elif stat.S_ISLNK(mode):
            mode |= 0o777
        content = content or b""
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + "".join(f"{field:08x}" for field in fields).encode()
        archive += padded(head + name.encode() + b"\0") + padded(content)
    return archive
