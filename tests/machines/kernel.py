# SPDX-License-Identifier: BSD-3-Clause
"""A Linux kernel of one of Debian's suites, and the RAM disk that starts it.

    kernel = Kernel("bookworm", folder)  # fetched on first use, kept in folder; "trixie-16k": a flavour
    kernel.image                         # what QEMU boots
    kernel.release                       # "6.1.0-50-amd64"
    kernel.make_disk(modules, path, busybox)  # BusyBox, guest/init and the modules that it loads, in order
"""
import glob
import gzip
import lzma
import os
import re
import stat

from packages import Suite, Unavailable, output_of

HERE = os.path.dirname(os.path.abspath(__file__))
INIT = os.path.join(HERE, "guest", "init")
COMMANDS = ("sh", "mount", "insmod", "mkdir", "cat", "echo", "switch_root")


def kernel_packages(suite, flavour):
    """The kernel, and its parts where the suite has them apart."""
    newest = "-".join(filter(None, ("linux-image", suite.flavour, flavour)))
    image = next(name for name in suite.needs(newest)
                 if name.startswith("linux-image-"))
    return [image] + [name for name in suite.needs(image)
                      if re.match(r"linux-(binary|modules)-", name)]


def first(*patterns):
    """Suites differ in where a package has its files."""
    for pattern in patterns:
        for path in glob.glob(pattern):
            return path
    raise Unavailable(f"no {patterns[0]}: the package has changed")


class Kernel:
    """name: "bookworm", or "trixie-16k"; folder keeps what was fetched."""

    def __init__(self, name, folder, architecture="x86_64"):
        self.root = os.path.join(folder, f"linux-{name}-{architecture}")
        if not os.path.exists(self.root):
            suite, _, flavour = name.partition("-")
            packages = Suite(suite, folder, architecture)
            packages.unpack(kernel_packages(packages, flavour), self.root)
        self.modules = first(f"{self.root}/lib/modules/*", f"{self.root}/usr/lib/modules/*")
        self.release = os.path.basename(self.modules)
        self.image = first(f"{self.root}/boot/vmlinuz-*", f"{self.modules}/vmlinuz")
        self._files = None

    def _modules(self):
        """{name: path} of all modules."""
        if self._files is None:
            self._files = {plain(file).removesuffix(".ko").replace("-", "_"): os.path.join(at, file)
                           for at, _, files in os.walk(self.modules) for file in files if ".ko" in file}
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

    def make_disk(self, modules, path, busybox):
        """Writes the initial RAM disk to path."""
        entries = [(name, None, 0) for name in ("bin", "modules", "proc", "sys", "dev")]
        entries.append(("bin/busybox", read(busybox), 0o755))
        entries += [(f"bin/{name}", b"busybox", stat.S_IFLNK) for name in COMMANDS]
        entries.append(("init", read(INIT), 0o755))
        order = self._in_order(modules)
        entries += [(f"modules/{plain(file)}", read_module(file), 0o644) for file in order]
        names = "".join(plain(file) + "\n" for file in order)
        entries.append(("modules.order", names.encode(), 0o644))
        with gzip.open(path, "wb", compresslevel=1) as file:
            file.write(cpio(entries))


def plain(path):
    """A module file's name in the RAM disk, where none is compressed."""
    return re.sub(r"\.xz$", "", os.path.basename(path))


def find_busybox(root):
    for path in (f"{root}/bin/busybox", f"{root}/usr/bin/busybox"):
        if os.path.exists(path):
            return path
    raise Unavailable("no busybox: scripts/setup --machines installs it")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def read_module(path):
    return lzma.decompress(read(path)) if path.endswith(".xz") else read(path)


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def cpio(entries):
    """An archive as the kernel unpacks it ("newc"): [(name, content or None for a folder, mode)]."""
    archive = bytearray()
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
    return bytes(archive)
