# SPDX-License-Identifier: BSD-3-Clause
"""Whole jobs in their surroundings: many PEs, several jobs, jobs in jobs, different executables,
address space randomization, no /dev/shm, descriptors closed, libraries loaded late."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import outside

TINY = outside.program("tiny")


class Size(outside.Case):
    def test_one_to_many(self):
        for pes, bound in ((1, 10), (2, 10), (3, 10), (32, 20), (64, 20), (256, 60)):
            if outside.SANITIZE and pes > 32:
                continue
            with self.subTest(pes=pes):
                result = outside.oshrun(pes, TINY, timeout=100)
                self.assertRan(result, "tiny: %d PEs ok" % pes)
                print("%d PEs: %.3f s" % (pes, result.seconds))
                if not outside.SANITIZE:
                    self.assertLess(result.seconds, bound)


class OtherInstallation(outside.Case):
    """The job's file says another version, as an oshrun of another installation would write it."""

    CODE = """import os, sys
fd = int(os.environ["SHEAF_JOB"].split(":")[1])
os.pwrite(fd, (9999).to_bytes(4, sys.byteorder), 8)
os.execv(sys.argv[1], sys.argv[1:])"""

    def test_names_both(self):
        result = outside.oshrun(1, sys.executable, "-c", self.CODE, TINY)
        self.assertNotEqual(result.status, 0)
        self.assertRegex(result.err, "oshrun at %s speaks job version 9999 and this program's libsheaf at .+ version "
                                     "[0-9]+: use the oshrun" % re.escape(os.path.realpath(outside.OSHRUN)))


class BigBss(outside.Case):
    """A static array of 100 GB, or a smaller one where the system starts no such program."""

    def start(self, name, pes):
        if not os.path.exists(outside.program(name)):
            self.skipTest("no such large array in this build, or none that this system starts")
        result = outside.oshrun(pes, outside.program(name))
        self.assertRan(result)
        print("%s on %d PEs: %.3f s" % (name, pes, result.seconds))
        self.assertLess(result.seconds, 10)

    def test_pie(self):
        for pes in (1, 2, 8):
            self.start("big_bss-%d" % outside.largest_array(), pes)

    def test_no_pie(self):
        self.start("big_bss-no-pie-%d" % outside.largest_array(), 2)

    def test_100_gb(self):
        if outside.largest_array() < 100:
            self.skipTest("this system starts no program with a .bss of 100 GB: it has less memory "
                          "and vm.overcommit_memory is not 1")
        self.start("big_bss-100", 4)


class Neighbours(outside.Case):
    def test_two_jobs_at_once(self):
        jobs = [subprocess.Popen([outside.OSHRUN, "-n", "3", "--timeout", "40", TINY, "salt",
                                  str(salt), "sleep", "300"], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True) for salt in (10000, 777000)]
        for job in jobs:
            out, err = job.communicate(timeout=60)
            self.assertRan(outside.Result(job.returncode, out, err, 0), "tiny: 3 PEs ok")

    def test_job_inside_a_job(self):
        """Each PE starts a job by system(); that job's PEs are none of the outer job."""
        result = outside.oshrun(2, outside.program("nested"),
                                outside.OSHRUN + " -n 3 " + TINY + " salt 5")
        self.assertRan(result, "nested: 2 PEs ok")
        self.assertEqual(result.out.count("tiny: 3 PEs ok"), 2, result)

    def test_bare_program_inside_a_job(self):
        result = outside.oshrun(2, outside.program("nested"), TINY)
        self.assertRan(result, "nested: 2 PEs ok")
        self.assertEqual(result.out.count("tiny: 1 PEs ok"), 2, result)

    def test_job_inside_a_script(self):
        """The PE itself is a shell that starts a job of its own and then becomes a PE."""
        script = "%s -n 2 %s salt 9 && exec %s" % (outside.OSHRUN, TINY, TINY)
        result = outside.oshrun(2, "sh", "-c", script)
        self.assertRan(result, "tiny: 2 PEs ok")
        self.assertEqual(result.out.count("tiny: 2 PEs ok"), 3, result)


class Executables(outside.Case):
    def mixed(self, first, second, mode):
        return outside.run(outside.OSHRUN, "--timeout", 30, "-n", 2, outside.program(first), mode,
                           ":", "-n", 1, outside.program(second), mode)

    def test_heap_is_symmetric(self):
        result = self.mixed("mpmd-1", "mpmd-2", "heap")
        self.assertEqual(result.status, 0, result)
        self.assertIn("mpmd: 4", result.out)
        said = outside.lines(result.err)
        self.assertEqual(len(said), 1, result)
        self.assertRegex(said[0], "different programs.*heap.*static")

    def test_static_data_is_not(self):
        result = self.mixed("mpmd-1", "mpmd-2", "query")
        self.assertEqual(result.status, 0, result)

    def test_put_to_static_data(self):
        result = self.mixed("mpmd-1", "mpmd-2", "static")
        self.assertNotEqual(result.status, 0, result)
        call = "memory access" if outside.INLINE else "shmem_long_p"
        told = [line for line in outside.lines(result.err) if call in line]
        self.assertTrue(told, result)
        self.assertRegex(told[0], "static.*different programs")

    def test_same_executable_twice(self):
        """Two contexts of the same program, or a copy of it: everything is symmetric."""
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(TINY, folder)
            result = outside.run(outside.OSHRUN, "--timeout", 30, "-n", 1, TINY, ":", "-n", 2, copy)
            self.assertRan(result, "tiny: 3 PEs ok")


class AddressSpaceRandomization(outside.Case):
    def setUp(self):
        if subprocess.run(["setarch", "-R", "true"], stderr=subprocess.DEVNULL,
                          check=False).returncode != 0:
            self.skipTest("setarch -R is not allowed here")

    def test_without(self):
        for name in ("statics-pie", "statics-no-pie", "statics-static", "statics-static-pie",
                     "fork", "brk"):
            if os.path.exists(outside.program(name)):
                with self.subTest(name=name):
                    self.assertRan(outside.oshrun(3, "setarch", "-R", outside.program(name)))

    def test_mixed(self):
        for name in ("statics-pie", "statics-static-pie"):
            if os.path.exists(outside.program(name)):
                with self.subTest(name=name):
                    path = outside.program(name)
                    result = outside.run(outside.OSHRUN, "--timeout", 30, "-n", 2, path, ":",
                                         "-n", 2, "setarch", "-R", path)
                    self.assertRan(result)


class Surroundings(outside.Case):
    def under_mount(self, options, command):
        if os.geteuid() != 0 or subprocess.run(
                ["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/dev/shm"],
                stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("mounting over /dev/shm is not allowed here")
        script = "mount -t tmpfs -o %s tmpfs /dev/shm && exec %s" % (options, command)
        return outside.run("unshare", "-m", "sh", "-c", script)

    def test_small_dev_shm(self):
        command = "%s -n 4 --timeout 30 %s" % (outside.OSHRUN, outside.program("footprint"))
        if outside.SANITIZE:
            command = "%s -n 4 --timeout 30 %s" % (outside.OSHRUN, TINY)
        self.assertRan(self.under_mount("size=64k", command))

    def test_no_dev_shm(self):
        command = "%s -n 4 --timeout 30 %s" % (outside.OSHRUN, TINY)
        self.assertRan(self.under_mount("ro,mode=000", command), "tiny: 4 PEs ok")

    def test_descriptors_closed_after_init(self):
        for windows in "start", "use":
            with self.subTest(windows=windows):
                self.assertRan(outside.oshrun(4, "-x", "SHEAF_WINDOWS=" + windows, TINY, "close"), "tiny: 4 PEs ok")

    def test_nothing_left_in_dev_shm_or_tmp(self):
        folders = [folder for folder in ("/dev/shm", "/run/shm") if os.path.isdir(folder)]
        before = {folder: set(os.listdir(folder)) for folder in folders}
        with tempfile.TemporaryDirectory() as empty:
            environment = dict(os.environ, TMPDIR=empty)
            result = outside.oshrun(4, outside.program("crash"), env=environment, timeout=100)
            self.assertNotEqual(result.status, 0)
            self.assertRan(outside.oshrun(4, TINY, env=environment))
            self.assertEqual(os.listdir(empty), [])
        for folder in folders:
            left = [name for name in set(os.listdir(folder)) - before[folder]
                    if re.search("sheaf|shmem", name)]
            self.assertEqual(left, [])


class Late(outside.Case):
    """Programs that load the library themselves, late."""

    def test_python(self):
        if outside.SANITIZE:
            self.skipTest("the interpreter is not built with the sanitizer")
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "late.py")
        for pes in (1, 2, 4):
            result = outside.oshrun(pes, sys.executable, script, outside.LIBRARY)
            self.assertRan(result, "late: %d PEs ok" % pes)

    def test_host(self):
        for name in ("host-pie", "host-no-pie"):
            for pes in (1, 2, 4):
                with self.subTest(name=name, pes=pes):
                    self.assertRan(outside.oshrun(pes, outside.program(name), outside.LIBRARY))

    def test_late_and_linked_in_one_job(self):
        for late, linked in ((1, 2), (1, 4), (3, 4)):
            result = outside.run(outside.OSHRUN, "--timeout", 30, "-n", late,
                                 outside.program("host-pie"), outside.LIBRARY, ":", "-n", linked,
                                 outside.program("host-linked"), outside.LIBRARY)
            self.assertEqual(result.status, 0, result)
            self.assertRegex("\n".join(outside.lines(result.err)), "different programs")


if __name__ == "__main__":
    outside.main()
