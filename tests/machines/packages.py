# SPDX-License-Identifier: BSD-3-Clause
"""Debian's packages of any suite and architecture, fetched and unpacked, never installed.

    suite = Suite("bullseye", folder)           # an index of its own: the system's stays as it is
    name = suite.needs("linux-image-amd64")[0]  # what a package depends on
    suite.unpack([name], into)
    suite.unpack_all(["bash", "python3-minimal"], into)  # with all that they need

The mirror is the one that this system's own sources name; apt checks the signatures.
"""
import glob
import os
import re
import shutil
import subprocess

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
FLAVOURS = {"x86_64": "amd64", "aarch64": "arm64"}


class Unavailable(Exception):
    """What a virtual machine needs is not here: the reason in words."""


def output_of(command, **options):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    except FileNotFoundError:
        raise Unavailable(f"no command {command[0]}: scripts/setup --machines installs it") from None
    except subprocess.TimeoutExpired:
        raise Unavailable(f"`{' '.join(command)}` took longer than 300 s") from None
    if done.returncode != 0:
        raise Unavailable(f"`{' '.join(command)}` failed: {done.stdout.strip()[-500:]}")
    return done.stdout


def mirror():
    sites = output_of(["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)"]).splitlines()
    for site in sites:
        origin, address = site.split(" ", 1)
        if origin == "Debian" and "security" not in address:
            return address
    raise Unavailable("this system's sources name no mirror of Debian: run `apt-get update` first")


class Suite:
    """name: "bookworm"; folder keeps the index."""

    def __init__(self, name, folder, architecture="x86_64"):
        self.flavour = FLAVOURS[architecture]
        top = self.top = os.path.join(folder, f"apt-{name}-{self.flavour}")
        settings = [f"Dir::State={top}", f"Dir::Cache={top}", f"Dir::Etc::sourcelist={top}/list",
                    "Dir::State::status=/dev/null", "Dir::Etc::sourceparts=/dev/null",
                    "Acquire::Languages=none", "APT::Sandbox::User=root", "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=0",
                    f"APT::Architecture={self.flavour}", f"APT::Architectures={self.flavour}"]
        self.options = ["-o" + setting for setting in settings]
        if not os.path.exists(f"{top}/complete"):
            self._update(name, top)

    def _update(self, name, top):
        for place in ("lists", "archives"):
            os.makedirs(f"{top}/{place}/partial", exist_ok=True)
        signed = f" [signed-by={KEYS}]" if os.path.exists(KEYS) else ""
        with open(f"{top}/list", "w", encoding="utf-8") as file:
            file.write(f"deb{signed} {mirror()} {name} main\n")
        output_of(["apt-get", *self.options, "update", "--error-on=any"])
        with open(f"{top}/complete", "w", encoding="utf-8"):
            pass

    def needs(self, package):
        """The packages that it depends on."""
        text = output_of(["apt-cache", *self.options, "depends", "--important", package])
        return re.findall(r"Depends: (\S+)", text)

    def unpack_all(self, packages, into):
        """The packages and all that they need, none of it configured; all or nothing, as unpack()."""
        partial = into + ".partial"
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial)
        with open(f"{self.top}/none", "w", encoding="utf-8"):
            pass
        fetch = ["install", "-y", "--download-only", "--no-install-recommends", *packages]
        output_of(["apt-get", *self.options, f"-oDir::State::status={self.top}/none", *fetch])
        for archive in sorted(glob.glob(f"{self.top}/archives/*.deb")):
            output_of(["dpkg-deb", "-x", archive, partial])
            os.remove(archive)
        os.rename(partial, into)

    def unpack(self, packages, into):
        """All or nothing: `into` appears when it is whole."""
        partial = into + ".partial"
        shutil.rmtree(partial, ignore_errors=True)
        os.makedirs(partial)
        output_of(["apt-get", *self.options, "download", *packages], cwd=partial)
        for archive in glob.glob(f"{partial}/*.deb"):
            output_of(["dpkg-deb", "-x", archive, partial])
            os.remove(archive)
        os.rename(partial, into)
