# SPDX-License-Identifier: BSD-3-Clause
"""oshinfo: what it prints agrees with what the system says."""
import os
import re
import resource
import subprocess
import tempfile
import unittest

from common import OSHINFO, not_sanitized, without_ids


def run(*arguments, **options):
    result = subprocess.run([OSHINFO, *arguments], capture_output=True, text=True, timeout=30, **options)
    return result.returncode, result.stdout, without_ids(result.stderr)


def rows(text):
    """The two columns as a dictionary."""
    return dict(re.findall(r"^(\S.{0,20}?)  +(\S.*)$", text, re.MULTILINE))


class Info(unittest.TestCase):
    def test_version_and_help(self):
        self.assertRegex(run("--version")[1], r"^oshinfo \(Sheaf\) \d+\.\d+\.\d+, OpenSHMEM 1\.6\n$")
        self.assertTrue(run("--help")[1].startswith("usage: oshinfo"))

    def test_unknown_option(self):
        self.assertEqual(run("--all"), (2, "", "oshinfo: unknown option --all; oshinfo --help lists them\n"))
        self.assertEqual(run(""), (2, "", 'oshinfo: unknown option ""; oshinfo --help lists them\n'))
        self.assertEqual(run("SH101"), (2, "", "oshinfo: no option: SH101; oshinfo --explain ID is about a message, and --help lists "
                                               "all options\n"))

    def test_a_word_too_many(self):
        for words, last in ((("--doctor", "now"), "now"), (("--explain", "SH101", "SH102"), "SH102")):
            self.assertEqual(run(*words), (2, "", f"oshinfo: one word too many: {last}; oshinfo --help says more\n"))

    def test_versions_and_networks(self):
        status, out, err = run()
        found = rows(out)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(found["OpenSHMEM"], "1.6")
        self.assertRegex(found["ucx"], r"^(UCX \d+\.\d+|not )")
        self.assertRegex(found["ofi"], r"^(libfabric \d+\.\d+|not )")
        self.assertEqual(found["none"], "no network: PEs of one node only")
        self.assertRegex(found["PMIx"], "^(yes$|not available: |not built in: )")
        self.assertIn("oshrun", found["launchers"])

    def test_found_by_path(self):
        """Which says what it is by its name alone, or by a link's: what is beside the command is found all the same."""
        folder = os.path.dirname(OSHINFO)
        with tempfile.TemporaryDirectory() as other:
            os.symlink(OSHINFO, f"{other}/info")
            for command, path in ("oshinfo", folder), ("info", other), (f"{other}/info", ""):
                out = subprocess.run([command], capture_output=True, text=True, timeout=30, cwd=other,
                                     env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"}).stdout
                self.assertEqual(rows(out)["mpi"], rows(run()[1])["mpi"], command)

    def test_libfabric_provider(self):
        """Which would be chosen, and why; or why none."""
        out = run()[1]
        if not re.search(r"^ofi +libfabric", out, re.MULTILINE):
            self.skipTest("no libfabric here")
        chosen = re.search(r"^ +chosen: (\S+) on .*: .", out, re.MULTILINE)
        listed = re.search(r"^ +providers: (.*)$", out, re.MULTILINE)[1].split(", ")
        self.assertIn(chosen[1], listed)
        named = run(env={**os.environ, "SHEAF_OFI_PROVIDER": listed[-1]})[1]
        self.assertRegex(named, rf"chosen: {re.escape(listed[-1])} on .*: SHEAF_OFI_PROVIDER={re.escape(listed[-1])}")
        wrong = run(env={**os.environ, "SHEAF_OFI_PROVIDER": "nonsense"})[1]
        self.assertIn("cannot start: SHEAF_OFI_PROVIDER=nonsense: ", wrong)

    def test_cpus_follow_the_affinity(self):
        one = {min(os.sched_getaffinity(0))}
        out = run(preexec_fn=lambda: os.sched_setaffinity(0, one))[1]
        self.assertRegex(rows(out)["usable CPUs"], r"^1 of \d+$")

    def test_memory_is_no_more_than_the_machine_has(self):
        number, unit = re.match(r"([\d.]+) (\w+), ", rows(run()[1])["memory"]).groups()
        unit = 1024 ** ["bytes", "KiB", "MiB", "GiB", "TiB"].index(unit)
        has = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        self.assertGreater(float(number) * unit, 1 << 20)
        self.assertLessEqual((float(number) - 0.05) * unit, has)  # one decimal is printed

    def test_huge_pages_or_the_reason(self):
        said = rows(run()[1])["huge pages, heap"]
        path = "/sys/kernel/mm/transparent_hugepage/shmem_enabled"
        if not os.path.exists(path):
            self.assertTrue(said.startswith("no: this kernel has none"))
            return
        with open(path) as file:
            mode = re.search(r"\[(\w+)\]", file.read()).group(1)
        self.assertTrue(said.startswith("no: " if mode in ("never", "deny") else "yes: "), said)
        self.assertIn(f'"{mode}"', said)

    @not_sanitized
    def test_limits(self):
        half = 4 << 30
        out = run(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (half, half)))[1]
        found = rows(out)
        self.assertTrue(found["ulimit -v"].startswith("4.0 GiB: "))
        self.assertEqual(found["address space"], "2.0 GiB in one piece")

    def test_constants_of_waiting(self):
        def pace(value):
            return run("--pace", env=dict(os.environ, SHEAF_PACE=value))
        status, out, err = pace("nap_most=3ms,turns=17")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"(?m)^nap_most +3ms +\(default 2ms\) ")
        self.assertRegex(out, r"(?m)^turns +17 +\(default 200\) ")
        self.assertRegex(out, r"(?m)^pause_part +16 +a pause ")
        names = re.findall(r"(?m)^([a-z]\w+) ", out)
        self.assertEqual(len(names), len(set(names)))
        self.assertRegex(out, r"(?m)^signal_kills +2s +after a signal to oshrun: ")
        self.assertRegex(out, r"(?m)^races_pause +50us +\(fixed\) ")
        self.assertRegex(pace("signal_kills=5s")[1], r"(?m)^signal_kills +5s +\(default 2s\) ")
        self.assertEqual(pace("races_pause=1ms")[:2], (1, ""))
        status, out, err = pace("naps=3")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r'^sheaf: error: SHEAF_PACE: "naps=3" is not NAME=VALUE with a name that oshinfo '
                              r'--pace prints \(host \S+\)\n$')

    def test_environment_table(self):
        env = dict(os.environ, SHMEM_SYMMETRIC_SIZE="12m")
        env.pop("SHMEM_INFO", None)
        out = run(env=env)[1]
        for name in ("SHMEM_VERSION", "SHMEM_INFO", "SHMEM_DEBUG", "SHMEM_SYMMETRIC_SIZE"):
            self.assertRegex(out, rf"(?m)^{name} ")
        self.assertIn('"12m"', out)
        self.assertIn("not set", out)


if __name__ == "__main__":
    unittest.main()
