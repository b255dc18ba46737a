# SPDX-License-Identifier: BSD-3-Clause
"""What a machine of another processor needs, since it cannot use this machine's root: a root of its own,
unpacked from Debian's packages, and a build for it.

Nothing of the packages is configured: no users, no links that an installation makes. That is enough for
a shell, Python, ctest and the programs of the build.
"""
import os

from packages import Suite, Unavailable

PRESETS = {"aarch64": "arm64"}
SUITE = "bookworm"
PACKAGES = ["bash", "busybox-static", "cmake", "coreutils", "dash", "findutils", "gdb-minimal", "grep",
            "hostname", "iproute2", "libc-bin", "libpython3-stdlib", "libstdc++6", "mount", "procps", "python3-minimal",
            "sed", "util-linux"]


def root_of(architecture, folder):
    """The root's folder, made on first use."""
    root = os.path.join(folder, f"root-{architecture}")
    if not os.path.exists(root):
        Suite(SUITE, folder, architecture).unpack_all(PACKAGES, root)
        # The RAM disk's processes go there before any of the packages' scripts has made them.
        for place in ("dev", "proc", "sys", "run", "tmp", "root"):
            os.makedirs(f"{root}/{place}", exist_ok=True)
    return root


def build_of(machine, source):
    """The build folder: of the architecture's preset, or of the one that the machine names."""
    preset = machine.preset or PRESETS[machine.architecture]
    build = os.path.join(source, f"build-{preset}")
    if not os.path.exists(f"{build}/bin/oshrun"):
        raise Unavailable(f"nothing is built in {build}: cmake --preset {preset} && "
                          f"cmake --build --preset {preset}")
    return build
