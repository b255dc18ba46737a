# SPDX-License-Identifier: BSD-3-Clause
"""Every option of oshrun, and every way to get one wrong."""
import os
import shutil
import subprocess
import tempfile
import unittest

from common import CONTRACT, OSHRUN, PROBE, SANITIZE, OshrunTest

CPUS = sorted(os.sched_getaffinity(0))
SHOW_CPUS = "sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status"


def numbers(cpu_list):
    found = set()
    for part in cpu_list.split(","):
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


class Basics(OshrunTest):
    def test_version_and_help(self):
        self.assertRegex(self.expect("--version").out, r"^oshrun \(Sheaf\) \d+\.\d+\.\d+, OpenSHMEM 1\.6\n$")
        text = self.expect("--help").out
        for option in ("-n N", "-x VAR", "--wdir", "--bind", "--heap", "--tag-output", "--output",
                       "--timeout", "--end-with", "--stdin", "--gdb", "--valgrind", "--no-aslr", "--quiet", "--why",
                       "--version", "--help"):
            self.assertIn(option, text)

    def test_every_spelling_of_the_number_of_pes(self):
        for option in (["-n", "3"], ["-np", "3"], ["--np", "3"], ["--np=3"]):
            self.assertEqual(self.expect(*option, "echo", "x").out, "x\n" * 3)

    @unittest.skipIf(SANITIZE, "a sanitizer's memory grows with the memory that is mapped")
    def test_a_start_is_linear(self):
        """No PE touches the pages of all others' entries: 1 to 2 each."""
        def pages(pes):
            job = self.start("-n", pes, PROBE, "start")
            _, status, used = os.wait4(job.pid, 0)
            job.process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(job.process.returncode, 0)
            return used.ru_minflt / pes
        self.assertLess(pages(192) - pages(48), 6)

    def test_default_number_is_the_usable_cpus(self):
        one = {CPUS[0]}
        out = self.expect("echo", "x", preexec_fn=lambda: os.sched_setaffinity(0, one)).out
        self.assertEqual(out, "x\n")
        self.assertLessEqual(len(self.expect("echo", "x").lines()), len(CPUS))

    def test_other_launchers_options(self):
        for words in (["-n2"], ["-np2"], ["--ntasks=2"], ["-n", 2, "--oversubscribe"], ["-n", 2, "--allow-run-as-root"],
                      ["-n", 2, "-genvall"], ["-n", 2, "--bind-to", "none"], ["-n", 2, "-bind-to", "core"],
                      ["-n", 2, "-wdir", "/"]):
            self.assertEqual(self.expect(*words, "echo", "x").out, "x\n" * 2)
        self.assertEqual(sorted(self.expect("-n", 2, "-l", "echo", "x").lines()), ["[0] x", "[1] x"])
        out = self.expect("-n", 1, "-genv", "A", "1 2", "-env", "B", "=", "sh", "-c", "echo $A/$B").out
        self.assertEqual(out, "1 2/=\n")
        for words in (["--mca", "btl", "self,vader"], ["-map-by", "core"], ["--rank-by=slot"], ["--report-bindings"]):
            result = self.run_oshrun("-n", 2, *words, "echo", "x")
            self.assertEqual((result.status, result.out), (0, "x\n" * 2), result.err)
            self.assertRegex(result.err, rf"^oshrun: {' '.join(words)} has no effect here: [^\n]*\n$")

    def test_what_the_pes_find_of_their_job(self):
        lines = self.expect("-n", 5, CONTRACT).lines()
        self.assertEqual(lines, [f"PE {pe} of 5 fits" for pe in range(5)])

    def test_an_openshmem_program(self):
        for npes in (1, 2, 4, 7):
            total = npes * (npes - 1) // 2
            lines = self.expect("-n", npes, PROBE).lines()
            self.assertEqual(lines, [f"PE {pe} of {npes}, sum {total}" for pe in range(npes)])

    def test_arguments_are_passed_on_as_they_are(self):
        words = ["a b", "", "-n", "*", "--", "'\"$HOME"]
        out = self.expect("-n", 1, "printf", "<%s>", *words).out
        self.assertEqual(out, "".join(f"<{word}>" for word in words))

    def test_two_dashes_end_the_options(self):
        self.assertEqual(self.expect("-n", 1, "--", "echo", "-q").out, "-q\n")

    def test_several_programs(self):
        out = self.expect("-n", 2, "-x", "A=1", "sh", "-c", "echo one $A", ":",
                          "-n", 1, "sh", "-c", "echo two $A").lines()
        self.assertEqual(out, ["one 1", "one 1", "two"])
        lines = self.expect("-n", 1, PROBE, ":", "-n", 2, PROBE, "hello").lines()
        self.assertEqual(lines, [f"PE {pe} of 3, sum 3" for pe in range(3)])


class Environment(OshrunTest):
    def test_x_sets_and_passes_on(self):
        env = dict(os.environ, SET_OUTSIDE="outside", BOTH="outside")
        out = self.expect("-n", 1, "-x", "NEW=a b=c", "-x", "SET_OUTSIDE", "-x", "BOTH=inside",
                          "-x", "BOTH=last", "sh", "-c", "echo $NEW/$SET_OUTSIDE/$BOTH", env=env).out
        self.assertEqual(out, "a b=c/outside/last\n")
        result = self.run_oshrun("-n", 1, "-x", "SURELY_NOT_SET", "echo", "x")
        self.assertEqual((result.status, result.out, result.err),
                         (0, "x\n", "oshrun: -x SURELY_NOT_SET: this variable is not set here; the PEs do not get it\n"))

    def test_heap(self):
        out = self.expect("-n", 1, "--heap", "1.5g", "sh", "-c", "echo $SHMEM_SYMMETRIC_SIZE").out
        self.assertEqual(out, "1.5g\n")

    def test_an_outer_job_does_not_show(self):
        env = dict(os.environ, SHEAF_JOB="1:2:3:4")
        out = self.expect("-n", 1, "-x", "SHEAF_JOB=5:6:7:8", "sh", "-c", "env", env=env).out
        jobs = [line for line in out.splitlines() if line.startswith("SHEAF_JOB=")]
        self.assertEqual(len(jobs), 1)
        self.assertRegex(jobs[0], r"^SHEAF_JOB=\d+:\d+:0:[0-9a-f]{16}$")
        self.assertNotIn(":2:3:4", jobs[0])

    def test_what_oshrun_tells_hwloc_does_not_show(self):
        env = {name: value for name, value in os.environ.items() if not name.startswith("HWLOC_")}
        self.assertNotIn("HWLOC_", self.expect("-n", 2, "env", env=env).out)
        self.assertIn("HWLOC_PLUGINS_PATH=/x\n", self.expect("-n", 2, "env", env={**env, "HWLOC_PLUGINS_PATH": "/x"}).out)

    def test_misspelt_settings(self):
        """One line in all for each that is near a setting, and one for all others, whatever the number of PEs."""
        env = {**os.environ, "SHEAF_ENGIN": "ofi", "SHMEM_SYMMETRIC_HEAP_SIZE": "1m"}
        warning = "sheaf: PE 0: warning: {} {}: did you mean {}? (oshinfo lists them)"
        lines = [warning.format("SHEAF_ENGIN", "is no setting of Sheaf", "SHEAF_ENGINE"),
                 warning.format("SHMEM_SYMMETRIC_HEAP_SIZE", "has no effect in Sheaf", "SHMEM_SYMMETRIC_SIZE")]
        for npes in 1, 4:
            result = self.run_oshrun("-n", npes, PROBE, "nothing", env=env)
            self.assertEqual((result.status, sorted(result.err.splitlines())), (0, lines))
        env = {**os.environ, "SHMEM_USE_DMAPP": "1", "SHEAF_TEST_X": "", "SHEAF_ROOT": "/opt", "SHEAF_ENGINE": "none"}
        self.expect("-n", 2, PROBE, "nothing", env=env, err="sheaf: PE 0: warning: SHMEM_USE_DMAPP has no effect in "
                    "Sheaf, which has no such setting (oshinfo lists them)\n")

    def test_wdir(self):
        where = self.expect("-n", 2, "--wdir", self.folder, "pwd").lines()
        self.assertEqual(where, [os.path.realpath(self.folder)] * 2)

    def test_a_relative_program_is_found_from_here(self):
        self.file("script", "#!/bin/sh\necho ran in $(pwd)\n", 0o755)
        out = self.expect("-n", 1, "--wdir", "/", "./script", cwd=self.folder).out
        self.assertEqual(out, "ran in /\n")

    def test_descriptors_and_limits_are_as_outside(self):
        out = self.expect("-n", 1, "sh", "-c", "ulimit -Sn; ulimit -Sf; ls /proc/self/fd").out.split()
        self.assertEqual(out[:2],
                         subprocess.check_output(["sh", "-c", "ulimit -Sn; ulimit -Sf"], text=True).split())
        extra = {int(fd) for fd in out[2:]} - {0, 1, 2, 3}
        self.assertEqual(len(extra), 1, "only the job's memory is open besides the three streams")


class Binding(OshrunTest):
    def cpus(self, *arguments):
        out = self.expect(*arguments, "--tag-output", "sh", "-c", SHOW_CPUS).lines()
        return [numbers(line.split()[1]) for line in out]

    def test_none(self):
        for found in self.cpus("-n", 1, "--bind", "none"):
            self.assertEqual(found, set(CPUS))

    def test_core_is_one_core(self):
        (found,) = self.cpus("-n", 1, "--bind", "core")
        self.assertTrue(found <= set(CPUS))
        with open(f"/sys/devices/system/cpu/cpu{min(found)}/topology/thread_siblings_list") as file:
            self.assertEqual(found, numbers(file.read().strip()) & set(CPUS))

    def test_default_shares_the_cores(self):
        whole = self.cpus("-n", 1)
        self.assertEqual(whole, [set(CPUS)])
        if len(CPUS) < 2:
            self.skipTest("one CPU: nothing to share")
        first, second = self.cpus("-n", 2)
        self.assertTrue(first and second)
        self.assertFalse(first & second)
        self.assertEqual(first | second, set(CPUS))

    def test_never_when_oversubscribed(self):
        for found in self.cpus("-n", len(CPUS) + 1):
            self.assertEqual(found, set(CPUS))

    def test_core_when_oversubscribed_says_so(self):
        npes = len(CPUS) + 1
        result = self.run_oshrun("-n", npes, "--bind", "core", "true")
        self.assertEqual(result.status, 0)
        self.assertRegex(result.err, rf"^oshrun: not bound: {npes} PEs on \d+ CPUs\n$")


class LowJitter(OshrunTest):
    """SHEAF_LOW_JITTER=on: which processors the PEs get, and what is said where a part cannot be had."""
    ON = ("-x", "SHEAF_LOW_JITTER=on")

    def isolated(self, cpus, *arguments):
        """oshrun where the kernel says that it keeps these CPUs free: a file over its own, in a namespace of mounts."""
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(cpus + "\n")
            file.flush()
            return self.with_file(file.name, *arguments)

    def with_file(self, said, *arguments):
        mount = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" /sys/devices/system/cpu/isolated && shift && exec "$@"', "sh"]
        if subprocess.run([*mount, said, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this user may not mount a file over /sys/devices/system/cpu/isolated")
        return subprocess.run([*mount, said, OSHRUN, *map(str, arguments)], capture_output=True, text=True, check=False)

    def test_isolated_cpus_are_taken(self):
        result = self.isolated(str(CPUS[-1]), "-n", 1, *self.ON, "sh", "-c", SHOW_CPUS)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{CPUS[-1]}\n", ""))
        result = self.isolated(str(CPUS[-1]), "-n", 1, "sh", "-c", SHOW_CPUS)
        self.assertEqual(numbers(result.stdout.strip()), set(CPUS), result.stderr)

    def test_too_few_isolated_cpus_are_told(self):
        result = self.isolated(str(CPUS[-1]), "-n", 2, *self.ON, "true")
        self.assertEqual((result.returncode, result.stderr), (0, "oshrun: SHEAF_LOW_JITTER=on: 2 PEs get ordinary "
                                                                 "processors: the kernel has 1 isolated ones\n"))

    def test_what_cannot_be_had_is_told_once(self):
        one = {CPUS[0]}
        result = self.run_oshrun("-n", 3, *self.ON, PROBE, preexec_fn=lambda: os.sched_setaffinity(0, one))
        self.assertEqual((result.status, len(result.lines())), (0, 3), result.err)
        self.assertRegex(result.err, r"^sheaf: PE 0: warning: SHEAF_LOW_JITTER=on works without [^\n]*real-time priority "
                                     r"\(Device or resource busy: no more PEs than processors\)\n$")


class Mistakes(OshrunTest):
    """Each is one line and status 2, and nothing was started."""

    def refuse(self, *arguments, says, status=2, **options):
        never = os.path.join(self.folder, "started")
        arguments = [a.replace("TOUCH", f"touch {never}") if isinstance(a, str) else a
                     for a in arguments]
        result = self.run_oshrun(*arguments, **options)
        self.assertEqual((result.status, result.out), (status, ""), result.err)
        self.assertRegex(result.err, rf"^oshrun: [^\n]*{says}[^\n]*\n$")
        self.assertFalse(os.path.exists(never))

    def test_unknown_options(self):
        run = ("sh", "-c", "TOUCH")
        self.refuse("--tag-ouput", *run, says="did you mean --tag-output")
        self.refuse("--timeuot", "3", *run, says="did you mean --timeout")
        self.refuse("-widr", "/", *run, says="did you mean --wdir")
        self.refuse("--tag", *run, says="did you mean --tag-output")
        self.refuse("--hlep", *run, says="did you mean --help")
        self.refuse("-n", "1", "--gdb", "0", *run, says="write --gdb=0")
        self.refuse("--frobnicate", *run, says="unknown option --frobnicate; oshrun --help")
        self.refuse("--stal", *run, says="unknown option --stal; oshrun --help")
        self.refuse("-z", *run, says="unknown option -z")
        self.refuse("--quiet=yes", *run, says="takes no value")

    def test_bad_values(self):
        run = ("sh", "-c", "TOUCH")
        for bad in ("0", "-1", "two", "1.5", "99999999999999999999", "65537", "3x"):
            self.refuse("-n", bad, *run, says="expected a number from 1 to 65536")
        for bad in ("0", "-1", "soon", "nan", "inf", "1e99", "3s"):
            self.refuse("--timeout", bad, *run, says="expected a number of seconds")
        for bad in ("x", "-1", "3q", "1..2", "99999999999999999999g"):
            self.refuse("--heap", bad, *run, says="expected a size")
        self.refuse("--bind", "socket", *run, says="expected core or none")
        self.refuse("--stdin", "all", *run, says="expected a number")
        self.refuse("--end-with", "0", *run, says="expected a number")
        self.refuse("--end-with", "1", "--hosts", "a", *run, says="--end-with does nothing with --hosts")
        self.refuse("-n", 2, "--stdin", "2", *run, says="the job has PEs 0 to 1")
        self.refuse("-x", "=1", *run, says="expected VAR or VAR=VALUE")
        self.refuse("--wdir", "/no/such", *run, says="/no/such: No such file")
        self.refuse("--wdir", "/dev/null", *run, says="not a directory")
        for bad in ("2", "0-2", "1-0", "x", "0,,1", "-1"):
            self.refuse("-n", 2, f"--gdb={bad}", *run, says="expected PEs from 0 to 1")
        self.refuse("-n", 2, "--valgrind=7", *run, says="expected PEs from 0 to 1")
        self.refuse("-n", 2, "--gdb=1", "--valgrind=0-1", *run, says="both gdb and valgrind")
        self.refuse("--tag-output", "--output", "x", *run, says="--tag-output does nothing")

    def test_other_launchers_options(self):
        run = ("sh", "-c", "TOUCH")
        for option, says in (("-ppn", "--hosts HOST:N"), ("-N", "--hosts HOST:N"), ("-c", "--bind core"),
                             ("-t", "--timeout SECONDS"), ("--output-filename", "--output DIR"),
                             ("--export=ALL,A=1", "-x VAR=VALUE"), ("-p", "salloc or sbatch")):
            self.refuse(option, "2", *run, says=f"{option.split('=')[0]} is another launcher's; here: .*{says}")
        self.refuse("--bind-to", "socket", *run, says="--bind-to socket: expected core or none")
        self.refuse("-genv", "A", says="the variable's value is missing")
        self.refuse("-n2x", *run, says="unknown option -n2x")

    def test_something_is_missing(self):
        self.refuse(says="no program to run")
        self.refuse("-n", says="-n needs a value")
        for option in "-n", "--timeout", "--heap", "--wdir", "--output", "--snapshot-dir", "--restart", "--hosts", "--hostfile":
            self.refuse(option, "", "true", says=f"{option} needs a value")
        self.refuse("-n", "2", says="no program to run")
        self.refuse("-n", "1", "true", ":", says="no program after")
        self.refuse("-n", "1", "true", ":", "sh", "-c", "TOUCH", says="needs -n")
        self.refuse(":", "-n", "1", "true", says="no program to run")

    def test_no_such_program(self):
        self.refuse("-n", 2, "no-such-program", status=127, says="no-such-program: not found in PATH")
        self.refuse("-n", 2, "./no-such", status=127, says="./no-such: No such file")
        self.refuse("-n", 2, "", status=127, says="name is empty")
        self.refuse("-n", 1, "sh", "-c", "TOUCH", ":", "-n", "1", "/no/such", status=127,
                    says="/no/such: No such file")
        self.file("source.c", "int main(void) {}\n")
        self.refuse("source.c", cwd=self.folder, status=127, says="not found in PATH, and the file here is not executable; compile it first")
        self.file("here", "#!/bin/sh\n", 0o755)
        self.refuse("here", cwd=self.folder, status=127, says="did you mean ./here")

    def test_not_executable(self):
        plain = self.file("plain", "echo hello\n")
        self.refuse("-n", 2, plain, status=126, says="plain: not executable: Permission denied; compile source first")
        self.refuse("-n", 2, "/tmp", status=126, says="/tmp: is a directory")
        script = self.file("script", "#!/no/interpreter\n", 0o755)
        self.refuse("-n", 2, script, status=127, says="interpreter /no/interpreter")
        script = self.file("windows", "#!/bin/sh\r\ntrue\r\n", 0o755)
        self.refuse("-n", 2, script, status=127, says="interpreter /bin/sh: No such file or directory; its lines end with a carriage return")

    def test_not_a_program_for_this_machine(self):
        broken = self.file("broken", "\x7fELF" + "garbage" * 20, 0o755)
        self.refuse("-n", 2, broken, status=126,
                    says=r"cannot start PE \d \(.*broken\): Exec format error")
        other = "\x4e\0" # Element 14's, which no kernel has
        foreign = self.file("foreign", "\x7fELF\2\1\1" + "\0" * 9 + "\2\0" + other + "\0" * 44, 0o755)
        self.refuse("-n", 2, foreign, status=126,
                    says=r"\(.*foreign\): Exec format error: it was compiled for another kind of machine")
        data = self.file("data", "MZ\0\1garbage\n", 0o755)
        self.refuse("-n", 2, data, status=126, says=r"\(.*data\): Exec format error")

    def test_why_without_a_job(self):
        self.refuse("--why", str(os.getpid()), status=1, says="no oshrun of yours")
        self.refuse("--why", "0", says="expected a number")
        self.refuse("--why=1", "true", says="--why runs no program")


class Tools(OshrunTest):
    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_on_one_pe(self):
        script = "set confirm off\nset debuginfod enabled off\nrun\nquit\n"
        result = self.run_oshrun("-n", 2, "--gdb=1", CONTRACT, input=script)
        self.assertEqual(result.status, 0, result.err)
        self.assertIn("PE 0 of 2 fits", result.out)
        self.assertIn("PE 1 of 2 fits", result.out)
        self.assertEqual(result.out.count("(gdb)") > 0, True)

    def test_gdb_without_standard_input(self):
        fake = self.file("gdb", "#!/bin/sh\necho debugging\n", 0o755)
        env = {**os.environ, "PATH": f"{os.path.dirname(fake)}:{os.environ['PATH']}"}
        closed = ["sh", "-c", 'exec "$0" "$@" <&-']
        result = self.run_oshrun("-n", 1, "--gdb", "true", env=env, front=closed)
        self.assertEqual((result.status, result.out), (2, ""))
        self.assertRegex(result.err, r"^oshrun: --gdb: .*standard input, which is closed;[^\n]*\n$")
        self.assertEqual(self.expect("-n", 1, "--gdb", "true", env=env).out, "debugging\n")
        self.assertEqual(self.expect("-n", 1, "echo", "x", front=closed).out, "x\n")

    def test_gdb_on_several_needs_windows(self):
        env = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed")
        result = self.run_oshrun("-n", 2, "--gdb", "true", env=env)
        self.assertEqual(result.status, 2)
        self.assertIn("needs a window for each", result.err)

    def test_a_debugger_that_is_not_there(self):
        empty = {**os.environ, "PATH": self.folder}
        for tool in ("gdb", "valgrind"):
            result = self.run_oshrun("-n", 1, f"--{tool}", "/bin/true", env=empty)
            self.assertEqual((result.status, result.err),
                             (127, f"oshrun: --{tool}: {tool} is not installed\n"))

    def test_valgrind_on_one_pe(self):
        fake = self.file("valgrind", '#!/bin/sh\necho "valgrind $*"\nshift\nexec "$@"\n', 0o755)
        env = {**os.environ, "PATH": f"{os.path.dirname(fake)}:{os.environ['PATH']}"}
        lines = self.expect("-n", 3, "--valgrind=0,2", "--tag-output", CONTRACT, env=env).lines()
        wanted = [f"[{pe}] PE {pe} of 3 fits" for pe in range(3)]
        wanted += [f"[{pe}] valgrind -- {CONTRACT}" for pe in (0, 2)]
        self.assertEqual(lines, sorted(wanted))

    def test_valgrind_makes_the_heap_small(self):
        fake = self.file("valgrind", '#!/bin/sh\nshift\nexec "$@"\n', 0o755)
        env = {name: value for name, value in os.environ.items() if "SYMMETRIC_SIZE" not in name}
        env["PATH"] = f"{os.path.dirname(fake)}:{env['PATH']}"
        say = ["sh", "-c", 'echo "$SHMEM_SYMMETRIC_SIZE,$SMA_SYMMETRIC_SIZE"']
        other = [":", "-n", 1, *say]
        for given, front, wanted in (
                ({}, ["--valgrind=0"], "64M,"), ({}, ["--valgrind=0", "--heap", "1G"], "1G,"),
                ({}, [], ","), ({"SHMEM_SYMMETRIC_SIZE": "9M"}, ["--valgrind"], "9M,"),
                ({"SMA_SYMMETRIC_SIZE": "8M"}, ["--valgrind"], ",8M")):
            with self.subTest(given=given, front=front):
                lines = self.expect("-n", 1, *front, *say, *other, env={**env, **given}).lines()
                self.assertEqual(lines, [wanted] * 2)
        lines = self.expect("-n", 1, "--valgrind", "-x", "SHMEM_SYMMETRIC_SIZE=7M", *say, *other, env=env).lines()
        self.assertEqual(lines, [",", "7M,"])

    def test_no_aslr(self):
        fixed = 0x0040000
        for option, wanted in (["--no-aslr"], fixed), ([], 0):
            lines = self.expect("-n", 2, *option, "cat", "/proc/self/personality").lines()
            self.assertEqual([int(line, 16) & fixed for line in lines], [wanted] * 2)
        result = self.expect("-n", 2, "--no-aslr", "head", "-n1", "/proc/self/maps").lines()
        self.assertEqual(result[0], result[1])

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_valgrind_itself(self):
        result = self.run_oshrun("-n", 2, "--valgrind=1", "/bin/true")
        self.assertEqual(result.status, 0, result.err)
        self.assertEqual(result.err.count("ERROR SUMMARY"), 1)


if __name__ == "__main__":
    unittest.main()
