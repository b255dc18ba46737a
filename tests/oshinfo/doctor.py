# SPDX-License-Identifier: BSD-3-Clause
"""oshinfo --doctor on this machine, and with one setting made bad in turn: it must find that, and nothing
that is not. What needs a mount is done in a mount namespace, as root. Argument: oshinfo."""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

OSHINFO = sys.argv.pop(1)


def limited(which, bytes_or_files):
    return lambda: resource.setrlimit(which, (bytes_or_files, bytes_or_files))


def doctor(command=(OSHINFO, "--doctor"), env=None, **options):
    """(exit status, {subject: kind}, all that it said)"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SHEAF_")}
    done = subprocess.run(command, env={**environment, **(env or {})}, capture_output=True, text=True,
                          timeout=30, check=False, **options)
    found = dict(reversed(match) for match in re.findall(r"^(wrong|note): ([^:]+): .{20,}$", done.stdout, re.M))
    return done.returncode, found, done.stdout + done.stderr


BEFORE = doctor()
# What is found beside an adapter where root may not raise the limit.
LOCKED = () if resource.getrlimit(resource.RLIMIT_MEMLOCK)[1] == resource.RLIM_INFINITY else ("locked memory",)
UNLIMITED = "ulimit -l unlimited 2>/dev/null || true; "


class Doctor(unittest.TestCase):
    def test_the_page_has_every_subject(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        sources = "".join(path.read_text() for path in sorted((root / "tools/oshinfo").glob("doctor*.c")))
        calls = re.findall(r'(?:sheaf_doctor_(?:wrong|note)|is_needed \? .*?)\)?\(\s*visit,\s*"([^"]+)"', sources)
        page = (root / "docs/administer/doctor.md").read_text()
        self.assertEqual(set(re.findall(r"^\| `([^`]+)` \| (?:wrong|note)", page, re.M)), set(calls))

    def check(self, subject, kind, got, beside=()):
        """That this was found, besides what is so anyway."""
        status, found, text = got
        self.assertEqual(found.get(subject), kind, text)
        more = {name for name in found if found[name] == "wrong" and BEFORE[1].get(name) != "wrong"}
        self.assertEqual(more, {subject, *beside} if kind == "wrong" else set(), text)
        self.assertEqual(status, 1 if "wrong" in found.values() else 0, text)
        wrong, notes = (list(found.values()).count(word) for word in ("wrong", "note"))
        self.assertEqual(text.splitlines()[-1 if kind == "note" or "sheaf" not in text else -2],
                         f"{wrong} wrong, {notes} note{'' if notes == 1 else 's'}", text)

    def in_mounts(self, script, *words):
        if os.geteuid() != 0 or not shutil.which("unshare"):
            self.skipTest("mounts need root, and unshare of Debian's util-linux")
        got = doctor(("unshare", "-m", "sh", "-ec", script + '; exec "$0" --doctor', *(words or (OSHINFO,))))
        if re.search(r"^(unshare|mount|sh): ", got[2], re.M):
            self.skipTest(f"no mounts here: {got[2]}")
        return got

    def test_as_it_is(self):
        status, found, text = BEFORE
        self.assertEqual(status, 1 if "wrong" in found.values() else 0, text)
        self.assertRegex(text.splitlines()[-1], r"^\d+ wrong, \d+ notes?$")

    def test_limits(self):
        self.check("ulimit -f", "wrong", doctor(preexec_fn=limited(resource.RLIMIT_FSIZE, 1 << 20)))
        self.check("ulimit -f", "note", doctor(preexec_fn=limited(resource.RLIMIT_FSIZE, 100 << 20)))
        self.check("ulimit -Hn", "wrong", doctor(preexec_fn=limited(resource.RLIMIT_NOFILE, 32)))
        self.check("ulimit -v", "note", doctor(preexec_fn=limited(resource.RLIMIT_AS, 4 << 30)))

    def test_a_setting_that_is_refused(self):
        self.check("environment", "wrong", doctor(env={"SHEAF_ENGINE": "uxc"}))

    def test_the_engine(self):
        if "libfabric 1" not in subprocess.run([OSHINFO], capture_output=True, text=True, timeout=30).stdout:
            self.skipTest("oshinfo finds no libfabric")
        self.check("engine", "wrong", doctor(env={"SHEAF_ENGINE": "ofi", "SHEAF_OFI_PROVIDER": "nonsense"}))
        self.check("engine", "wrong", doctor(env={"SHEAF_ENGINE": "ofi", "FI_PROVIDER": "shm"}))

    def test_no_launcher(self):
        self.check("launcher", "note", doctor(env={"PATH": "/nowhere"}))

    def test_libraries_that_cannot_be_loaded(self):
        """They are there, so that "not installed" would be wrong; jobs that do not start are no note."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("libucp.so.0", "libfabric.so.1", "libpmix.so.2", "libmpi.so.40", "libmpich.so.12", "libmpi.so.12",
                         "libmpi_abi.so.1"):
                with open(f"{folder}/{name}", "w", encoding="ascii") as file:
                    file.write("no library")
            env = {"LD_LIBRARY_PATH": folder, "PATH": folder}
            got = doctor(env=env)
            self.assertEqual((got[1]["engine"], got[1]["PMIx"]), ("note", "note"), got[2])
            self.assertNotIn("installed", got[2])
            for name, line in ("libucp.so.0", "engine"), ("libpmix.so.2", "PMIx"):
                self.assertRegex(got[2], f"(?m)^note: {line}: .*({name}: file too short|not built in)")
            with open(f"{folder}/orterun", "w", encoding="ascii") as file:
                os.chmod(file.name, 0o755)
            self.assertEqual(doctor(env=env)[1]["PMIx"], "wrong")

    def test_dev_shm(self):
        self.check("/dev/shm", "wrong", self.in_mounts(
            "mount -t tmpfs -o size=8m none /dev/shm; head -c 7000000 /dev/zero >/dev/shm/left"))
        self.check("/dev/shm", "note", self.in_mounts("mount -t tmpfs -o size=8m none /dev/shm"))
        self.check("/dev/shm", "wrong", self.in_mounts("mount -t tmpfs -o ro none /dev/shm"))

    def test_mounts_that_cannot_be_private(self):
        """As where / is no mount: skipped with unshare's own words, not failed."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, PATH=folder), \
                mock.patch("os.geteuid", return_value=0):
            with open(f"{folder}/unshare", "w", encoding="ascii") as file:
                file.write("#!/bin/sh\necho 'unshare: cannot change root filesystem propagation: Invalid argument' >&2\nexit 1\n")
            os.chmod(file.name, 0o755)
            with self.assertRaisesRegex(unittest.SkipTest, "propagation"):
                self.in_mounts("true")

    def test_no_proc(self):
        self.check("/proc", "wrong", self.in_mounts("mount -t tmpfs none /proc"))

    def test_an_adapter(self):
        adapter = "mount -t tmpfs none /sys/class; mkdir -p /sys/class/infiniband/mlx5_0; "
        devices = ("mount -t tmpfs none /dev; mkdir -p /dev/shm /dev/infiniband; "
                   "mount -t tmpfs -o mode=1777 none /dev/shm; : >/dev/infiniband/uverbs0; ")
        self.check("locked memory", "wrong", self.in_mounts(adapter + devices + "ulimit -l 64"))
        self.check("device", "wrong", self.in_mounts(
            adapter + UNLIMITED + "mount -t tmpfs none /dev; mkdir /dev/shm; mount -t tmpfs none /dev/shm"), LOCKED)
        got = self.in_mounts(adapter + UNLIMITED + devices + "true")
        self.assertNotIn("device", got[1], got[2])
        self.assertEqual("locked memory" in got[1], bool(LOCKED), got[2])

    def test_a_device_of_others(self):
        if not shutil.which("setpriv"):
            self.skipTest("no setpriv of Debian's util-linux")
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            program = shutil.copy(OSHINFO, folder)
            self.check("device", "wrong", self.in_mounts(
                "mount -t tmpfs none /sys/class; mkdir -p /sys/class/infiniband/mlx5_0; mount -t tmpfs none /dev; "
                "mkdir -p /dev/shm /dev/infiniband; mount -t tmpfs -o mode=1777 none /dev/shm; " + UNLIMITED +
                'umask 77; : >/dev/infiniband/uverbs0; exec setpriv --reuid 65534 --clear-groups "$0" --doctor',
                program), LOCKED)

    def test_a_user_namespace(self):
        got = doctor(("unshare", "-U", OSHINFO, "--doctor")) if shutil.which("unshare") else (1, {}, "")
        if not got[1]:
            self.skipTest(f"no user namespaces here: {got[2]}")
        self.check("user namespace", "note", got)


if __name__ == "__main__":
    unittest.main(verbosity=2)
