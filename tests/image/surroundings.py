# SPDX-License-Identifier: BSD-3-Clause
"""Surroundings that take something away: filters of system calls, as in containers, and kernel
settings that only root can try."""
import os
import re
import shutil
import tempfile
import unittest

import outside

CALLS = ("mincore", "mbind", "getcpu", "get_mempolicy", "madvise", "fallocate", "sched_setaffinity",
         "sched_getaffinity", "process_vm_readv", "close_range")
PROGRAMS = ("tiny", "statics-pie", "statics-no-pie", "statics-static", "fork", "heap_sequence",
            "locked_pages", f"big_bss-{min(1, outside.largest_array())}")


class Filters(outside.Case):
    """What the kernel refuses is done in another way, or left out: every job runs."""

    def refused(self, calls, name):
        arguments = ("3000", "4") if name == "heap_sequence" else ()
        command = (outside.program("refuse"), calls, outside.OSHRUN, "-n", 3, outside.program(name))
        result = outside.run(*command, *arguments, timeout=100 * outside.PATIENCE)
        if result.status == 77:
            self.skipTest(result.out.strip())
        self.assertRan(result)

    def setUp(self):
        if outside.SANITIZE:
            self.skipTest("sanitizers need these calls themselves")

    def test_all_at_once(self):
        for name in PROGRAMS:
            if os.path.exists(outside.program(name)):
                with self.subTest(name=name):
                    self.refused(",".join(CALLS), name)

    def test_each(self):
        for call in CALLS:
            with self.subTest(call=call):
                self.refused(call, "statics-pie")


class ProgramFile(outside.Case):
    """Constants in the windows come from the program's file. Where that is not it, or cannot be read, each PE
    copies them."""
    def test_loader_by_name(self):
        name = outside.program("statics-pie")
        segments = outside.run("readelf", "-lW", name).out
        loader = re.search("interpreter: (.*)]", segments).group(1)
        self.assertRan(outside.oshrun(3, loader, name))

    @unittest.skipUnless(os.geteuid() == 0, "root alone can become a user who may not read the file")
    def test_file_that_nobody_may_read(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copy = shutil.copy(outside.program("statics-static" if os.path.exists(
                outside.program("statics-static")) else "statics-pie"), folder)
            os.chmod(copy, 0o111)
            self.assertRan(outside.oshrun(3, copy, user=65534, group=65534, extra_groups=[]))


class Memfd(outside.Case):
    def test_no_executable_memfd(self):
        """vm.memfd_noexec is a setting of a process namespace: it ends with the namespace."""
        setting = "/proc/sys/vm/memfd_noexec"
        if os.geteuid() != 0 or not os.path.exists(setting):
            self.skipTest("needs root, and a kernel that has vm.memfd_noexec")
        script = f'echo 2 > {setting} || exit 77; exec "$0" -n 2 "$1"'
        result = outside.run("unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", script,
                             outside.OSHRUN, outside.program("tiny"))
        if result.status == 77 or "unshare" in result.err:
            self.skipTest("namespaces or the setting cannot be had")
        self.assertRan(result, "tiny: 2 PEs ok")


class NoProc(outside.Case):
    """Where /proc is not mounted, as in some containers: an empty file system lies over it."""

    def without_proc(self, *command):
        if outside.SANITIZE:
            self.skipTest("sanitizers read /proc themselves")
        script = 'mount -t tmpfs none /proc || exit 77; exec "$@"'
        user = () if os.geteuid() == 0 else ("--user", "--map-root-user")
        result = outside.run("unshare", *user, "--mount", "sh", "-c", script, "sh", *command)
        if result.status == 77 or "unshare" in result.err:
            self.skipTest("no namespace with a file system of its own can be had")
        return result

    def test_heap_is_as_large_as_ever(self):
        for name in ("align", "tiny", "statics-pie", "fork", "pointer"):
            with self.subTest(name=name):
                self.assertRan(self.without_proc(outside.OSHRUN, "-n", 4, outside.program(name)))

    def test_one_pe_alone(self):
        self.assertRan(self.without_proc(outside.program("align")))

    def test_little_address_space(self):
        result = self.without_proc("sh", "-c", 'ulimit -v 8388608; exec "$@"', "sh", outside.OSHRUN,
                                   "-n", 4, outside.program("tiny"))
        self.assertRan(result, "tiny: 4 PEs ok")

    def test_fault_is_explained(self):
        result = self.without_proc(outside.OSHRUN, "-n", 2, outside.program("wild"), "stack")
        self.assertIn("private memory", result.err)
        self.assertNotIn("not mapped", result.err)

    def test_tools_say_what_they_miss(self):
        self.assertIn("/proc", self.without_proc(outside.OSHRUN, "--why").err)
        result = self.without_proc(outside.OSHINFO)
        self.assertEqual(result.status, 0, result)
        self.assertIn("no /proc/meminfo", result.out)
        self.assertNotRegex(result.out, r"memory *:? *0 ")


class OtherNodes(outside.Case):
    """A cpuset without the memory of some NUMA nodes. There is one node here: what the kernel tells of
    nodes is replaced, in a file system of the test's own, by two of 256 MiB; of the second this process
    may have nothing."""
    SCRIPT = """
        cd /sys/devices/system/node && mount -t tmpfs none . && cd . || exit 77
        cd /sys/devices/system/node && mkdir node0 node1 && echo 0-1 | tee online has_memory >/dev/null
        for n in 0 1; do
            printf 'Node %d MemTotal: 262144 kB\nNode %d MemFree: 131072 kB\n' $n $n >node$n/meminfo
            echo $n >node$n/cpulist; echo 10 20 >node$n/distance
        done
        exec "$@"
        """

    def with_two_nodes(self, *command):
        with open("/proc/self/status") as file:
            if "Mems_allowed_list:\t0\n" not in file.read():
                self.skipTest("this machine has several NUMA nodes, or does not say")
        if os.geteuid() != 0 or not os.path.isdir("/sys/devices/system/node"):
            self.skipTest("needs root and /sys/devices/system/node")
        result = outside.run("unshare", "--mount", "sh", "-c", self.SCRIPT, "sh", *command)
        if result.status == 77 or "unshare" in result.err:
            self.skipTest("no namespace with a file system of its own can be had")
        return result

    def test_memory_is_that_of_the_nodes_allowed(self):
        out = self.with_two_nodes(outside.OSHINFO).out
        self.assertRegex(out, r"memory +256\.0 MiB, 128\.0 MiB available")
        self.assertRegex(out, r"NUMA nodes +2; memory of 1 of them may be used")
        self.assertRegex(out, r"node 0 +CPUs 0; 256 MiB, 128 MiB available; distances 10 20")
        self.assertRegex(out, r"node 1 +CPUs 1; 256 MiB, .*not for this process")

    def test_heap_is_a_share_of_them(self):
        """55 MiB for each of 2 PEs are there, 119 are not."""
        result = self.with_two_nodes(outside.OSHRUN, "-n", 2, outside.program("heap_limit"), 55 << 20)
        self.assertRan(result, "heap: enough, limited")


if __name__ == "__main__":
    outside.main()
