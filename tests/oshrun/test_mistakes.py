# SPDX-License-Identifier: BSD-3-Clause
"""Programs with one mistake each: the line, or the report, that their user sees."""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from common import PATIENCE, OshrunTest, not_sanitized, wait_for

MISTAKES = os.environ["MISTAKES"]
OSHWHY = os.environ["OSHWHY"]
HEALTHY = int(os.environ.get("HEALTHY", "3"))
RULE = "all members of a team must make the same calls in the same order, with the same root and size"


def line_of(mark, nth=0):
    """The line of mistakes.c that ends with this comment, the nth from the top."""
    with open(os.path.join(os.path.dirname(__file__), "mistakes.c")) as source:
        return [number for number, text in enumerate(source, 1) if text.rstrip().endswith(f"/* {mark} */")][nth]


def place(mark, nth=0):
    return f"mistakes.c:{line_of(mark, nth)}" if shutil.which("addr2line") else r"\S+\+0x[0-9a-f]+"


class Mismatches(OshrunTest):
    """Noticed without debug level, at once, and the job ends."""

    def told(self, mode, first, second, rule=RULE, npes=3, env=None):
        result = self.run_oshrun("-n", npes, "--timeout", 20, MISTAKES, mode, env={**os.environ, **(env or {})})
        self.assertEqual(result.status, 1, result.err)
        self.assertRegex(result.err, rf"error: PE \d calls {first}, and PE \d calls {second}: {rule}\n")
        return result

    def test_root(self):
        for at_once in ("auto", "pull", "push", "binomial"):
            where = place("root")
            self.told("root", rf"shmem_long_broadcast \(PE_root 0, 64 bytes\) at {where}",
                      rf"shmem_long_broadcast \(PE_root 1, 64 bytes\) at {where}",
                      env={"SHMEM_BCAST_ALGORITHM": at_once})

    def test_size(self):
        where = place("size")
        self.told("size", rf"shmem_long_sum_reduce \(32 bytes\) at {where}",
                  rf"shmem_long_sum_reduce \(24 bytes\) at {where}")

    def test_type(self):
        self.told("type", rf"shmem_int_sum_reduce \(8 bytes\) at {place('int')}",
                  rf"shmem_long_sum_reduce \(8 bytes\) at {place('long')}")

    def test_call(self):
        self.told("call", f"shmem_barrier_all at {place('barrier')}",
                  rf"shmem_long_fcollect \(8 bytes\) at {place('fcollect')}")

    def test_malloc(self):
        for algorithm in ("central", "linear", "tree", "dissemination", "linear-broadcast"):
            for npes in (2, 3):
                where = place("malloc")
                self.told("malloc", rf"shmem_malloc \(64 bytes\) at {where}",
                          rf"shmem_malloc \(128 bytes\) at {where}", npes=npes,
                          env={"SHMEM_BARRIER_ALGORITHM": algorithm})

    def test_free(self):
        """Blocks of one size: only their places differ."""
        rule = "all PEs must free the same block; SHEAF_CHECK=args tells which each of them frees"
        for npes in (2, 3):
            self.told("free", rf"shmem_free \(64 bytes\) at {place('free')}", rf"shmem_free \(64 bytes\) at {place('free')}",
                      rule, npes=npes)

    def test_team_order(self):
        self.told("teams", rf"shmem_team_sync at {place('once')}", rf"shmem_team_sync at {place('once')}",
                  "each waits for the other: PEs of several teams must call these in the same order")


@unittest.skipUnless(os.environ.get("ENGINES"), "no network engine is built")
class MismatchesApart(Mismatches):
    """The same with every PE far from every other: oshrun compares the calls, once a PE has waited for a second."""

    def told(self, *arguments, env=None, **others):
        return super().told(*arguments, env={**(env or {}), "SHEAF_ONNODE": "off"}, **others)

    def test_root(self):
        where = place("root")
        self.told("root", rf"shmem_long_broadcast \(PE_root 0, 64 bytes\) at {where}",
                  rf"shmem_long_broadcast \(PE_root 1, 64 bytes\) at {where}")

    def test_nobody_is_root(self):
        """The messages go astray, and no PE gets a wrong one."""
        where = place("next root")
        self.told("receive", rf"shmem_long_broadcast \(PE_root \d, 64 bytes\) at {where}",
                  rf"shmem_long_broadcast \(PE_root \d, 64 bytes\) at {where}")

    def test_malloc(self):
        where = place("malloc")
        self.told("malloc", rf"shmem_malloc \(64 bytes\) at {where}", rf"shmem_malloc \(128 bytes\) at {where}")

    def test_free(self):
        where = place("free")
        self.told("free", rf"shmem_free \(64 bytes\) at {where}", rf"shmem_free \(64 bytes\) at {where}")


class Reports(OshrunTest):
    """A job that hangs: who waits for whom, and what the missing PEs do instead."""

    def report(self, mode, *lines, npes=3):
        result = self.run_oshrun("-n", npes, "--timeout", 2 * PATIENCE, MISTAKES, mode)
        self.assertEqual(result.status, 124)
        for line in lines:
            self.assertRegex(result.err, rf"(?m)^oshrun: {line}$")

    def test_missing(self):
        self.report("missing", rf"PEs 0,1 wait for PE 2 in shmem_barrier_all at {place('meets')} \(call 2 of the world "
                    r"team\)\. PE 2: it runs its own code; its last collective, wait or allocation was "
                    rf"shmem_long_sum_reduce at mistakes\.c:\d+" if shutil.which("addr2line") else ".*PE 2: it runs.*")

    def test_elsewhere(self):
        waits = (rf"shmem_long_wait_until at {place('waits')} "
                 r"\(long flag at 0x[0-9a-f]+ is 0, wants == 1\)")
        self.report("elsewhere", rf"PE 2 waits in {waits}: nobody is left who could write it, as every PE waits or has "
                    "ended", rf"PEs 0,1 wait for PE 2 in shmem_barrier_all at {place('meets', 1)} \(call 1 of the world "
                    rf"team\)\. PE 2: it waits in {waits}")

    def test_value(self):
        self.report("value", rf"PE 0 waits in shmem_long_wait_until at {place('waits', 1)} \(.* is 0, wants >= 3\): nobody "
                    "is left who could write it, as every PE waits or has ended")

    def test_library_over_this_one(self):
        self.report("layer", rf"PEs? .* waits? in WAIT_FOR_HALO at {place('halo')} .*", npes=2)
        result = self.run_oshrun("-n", 1, "--timeout", 20, MISTAKES, "layer")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, rf"(?m)^sheaf: PE 0: error: WAIT_FOR_HALO: there are no neighbours; called at {place('halo')}$")

        self.report("own", rf"PEs 0,1 wait for PE 2 in HALO_EXCHANGE at {place('second exchange')} \(call 2 of the world team\)\. PE 2: it "
                    "runs its own code; its last collective, wait or allocation was HALO_EXCHANGE at "
                    rf"{place('first exchange')}" if shutil.which("addr2line") else "PEs 0,1 wait for PE 2 in HALO_EXCHANGE .*")

    def test_value_moves(self):
        job = self.start("-n", 2, "--timeout", 20 * PATIENCE, MISTAKES, "moves")
        told = "long flag at 0x[0-9a-f]+ is 2, wants >= 3"
        self.assertTrue(wait_for(lambda: re.search(told, self.run_oshrun("--why", job.pid).out)))
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)

    def test_lock_never_released(self):
        self.report("lock", rf"PEs 1,2 wait for PE 0 in shmem_set_lock at {place('wants')} \(the lock first at 0x[0-9a-f]+, "
                    rf"which PE 0 holds\)\. PE 0: it waits in shmem_barrier_all at {place('meets', 2)} .*",
                    rf"PE 0 took that lock at {place('takes')} and has not given it back")

    def test_two_locks(self):
        self.report("locks", "a circle, so none of them can go on: PE [01] waits for PE [01], PE [01] waits for PE [01]",
                    rf"PE 0 waits for PE 1 in shmem_set_lock at {place('wants', 1)} .*",
                    rf"PE 1 waits for PE 0 in shmem_set_lock at {place('wants', 1)} .*",
                    rf"PE 1 took that lock at {place('takes', 1)} and has not given it back", npes=2)

    def test_nobody_waits(self):
        self.report("poll", "no PE waits in a call: those that run are in their own code, or poll in it; .*",
                    r"  PEs 0-2 +\S+ +polls and finds nothing new since shmem_init")

    def test_stopped(self):
        job = self.start("-n", 2, "--timeout", 20 * PATIENCE, MISTAKES, "missing")
        pids = {}

        def known():
            shown = self.run_oshrun("--why", job.pid, "--json")
            pids.update({pe["pe"]: pe["pid"] for pe in json.loads(shown.out)["pes"]} if shown.status == 0 else {})
            return pids.get(1) and "wait for" in shown.out.replace("waits for", "wait for")

        self.assertTrue(wait_for(known))
        os.kill(pids[1], signal.SIGSTOP)
        stopped = wait_for(lambda: "PE 1: it is stopped by a signal; it runs its own code" in
                           self.run_oshrun("--why", job.pid).out)
        os.kill(pids[1], signal.SIGCONT)
        job.process.terminate()
        job.finish()
        self.assertTrue(stopped)

    @unittest.skipUnless(shutil.which("gdb") or shutil.which("eu-stack"), "no debugger")
    def test_stacks(self):
        job = self.start("-n", 2, "--timeout", 20 * PATIENCE, MISTAKES, "missing")
        found = wait_for(lambda: "missing" in self.run_oshrun("--why", "--stacks", job.pid).out)
        job.process.terminate()
        job.finish()
        self.assertTrue(found)

    @not_sanitized
    def test_stacks_of_python(self):
        """Frames of a Python program by whatever tool is there, or how to get one."""
        tools = os.path.join(self.folder, "tools")
        os.mkdir(tools)
        self.expected_files.add("tools")
        program = ("import ctypes, time; ctypes.CDLL(%r).shmem_init(); print('up', flush=True); time.sleep(60)" %
                   os.environ["LIBRARY"])
        job = self.start("-n", 1, sys.executable, "-c", program)
        self.assertEqual(job.read_line(), "up\n")

        def stacks(name, script):
            with open(os.path.join(tools, name), "w") as file:
                file.write(f"#!/bin/sh\n{script}\n")
            os.chmod(file.name, 0o755)
            return self.run_oshrun("--why", job.pid, "--stacks", env={**os.environ, "PATH": tools}).out

        hint = "oshrun:     frames of Python need py-spy (pip install py-spy), or gdb "
        native = "oshrun:     #0 native\noshrun:   Python:\n"
        self.assertIn(f"{native}oshrun:     Thread 1\n{hint}",
                      stacks("gdb", 'case "$*" in *py-bt*) echo "Thread 1" ;; *) echo "#0 native" ;; esac'))
        self.assertIn(native + "oshrun:       File \"it.py\"\n",
                      stacks("gdb", 'case "$*" in *py-bt*) echo "  File \\"it.py\\"" ;; *) echo "#0 native" ;; esac'))
        self.assertIn(native + "oshrun:         wander (it.py:7)\n", stacks("py-spy", 'echo "    wander (it.py:7)"'))
        job.process.terminate()
        job.finish()

    def test_leave(self):
        result = self.run_oshrun("-n", 3, "--timeout", 20, MISTAKES, "leave")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, rf"PE 0 calls shmem_barrier_all at {place('meets', 4)}, and PE 2 calls exit "
                         r"without shmem_finalize: ")


class Kept(OshrunTest):
    """SHEAF_RECORD, and oshwhy."""

    def oshwhy(self, *arguments):
        return subprocess.run([OSHWHY, *arguments], capture_output=True, text=True)

    def test_kept_and_explained(self):
        folder = os.path.join(self.folder, "kept")
        self.expected_files.add("kept")
        result = self.run_oshrun("-n", 2, "--timeout", 2 * PATIENCE, MISTAKES, "locks",
                                 env={**os.environ, "SHEAF_RECORD": folder})
        self.assertEqual(result.status, 124)
        (name,) = os.listdir(folder)
        self.assertRegex(name, r"^job-[0-9a-f]{16}\.sheaf$")
        self.assertEqual(os.stat(os.path.join(folder, name)).st_mode & 0o777, 0o600)
        explained = self.oshwhy(folder)
        self.assertEqual((explained.returncode, explained.stderr), (0, ""))

        def words(lines, who):
            # What was told and what was kept are copies of two moments.
            return [re.sub(r" +\d+\.\d s ", " ", line.removeprefix(f"{who}: ")) for line in lines]

        self.assertEqual(words(explained.stdout.splitlines()[1:], "oshwhy"),
                         words(result.err.splitlines()[1:-1], "oshrun"))
        pes = json.loads(self.oshwhy("--json", folder).stdout)["pes"]
        self.assertEqual([pe["awaits"] for pe in pes], [[1], [0]])
        self.assertEqual(pes[0]["calls"][-1]["ended"], False)

    def test_good_end_leaves_nothing(self):
        folder = os.path.join(self.folder, "kept")
        self.expect("-n", 2, MISTAKES, env={**os.environ, "SHEAF_RECORD": folder})
        self.assertFalse(os.path.exists(folder))

    def test_what_is_no_record(self):
        good = os.path.join(self.folder, "good")
        os.mkdir(good)
        self.expected_files |= {"good", "bad.sheaf", "cut.sheaf"}
        self.run_oshrun("-n", 2, "--timeout", PATIENCE, MISTAKES, "value", env={**os.environ, "SHEAF_RECORD": good})
        result = self.run_oshrun("-n", 2, "--timeout", PATIENCE, MISTAKES, "value",
                                 env={**os.environ, "SHEAF_RECORD": "/dev/null/a\x1b[31m\nb"})
        self.assertIn("SHEAF_RECORD: cannot write /dev/null/a?[31m?b/job-", result.err)
        (name,) = os.listdir(good)
        with open(os.path.join(good, name), "rb") as file:
            content = bytearray(file.read())
        self.file("bad.sheaf", "nothing")
        for start in range(0, 48, 4):
            wrong = content[:start] + b"\xff\xff\xff\x7f" + content[start + 4:]
            with open(os.path.join(self.folder, "cut.sheaf"), "wb") as file:
                file.write(wrong[:len(wrong) - 1] if start == 0 else wrong)
            self.assertIn(self.oshwhy(os.path.join(self.folder, "cut.sheaf")).returncode, (0, 1))
        result = self.oshwhy(os.path.join(self.folder, "bad.sheaf"))
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("no record of a job", result.stderr)
        # A folder without records does not hide the next one.
        result = self.oshwhy(os.path.join(self.folder, "none"), good)
        self.assertEqual((result.returncode, result.stdout.count(": 2 PEs")), (1, 1))
        self.assertIn("none: No such file or directory", result.stderr)
        # One that is bad hides neither the one before nor the one behind it.
        for other in ("a.sheaf", "job-\x1b[31m\n\u009b.sheaf", "z.sheaf"):
            with open(os.path.join(good, other), "wb") as file:
                file.write(content if other[0] in "az" else content[:-1])
        result = self.oshwhy(good)
        self.assertEqual((result.returncode, result.stderr),
                         (1, "oshwhy: job-?[31m???.sheaf: no record of a job: another kind of file, damaged, or of another version of Sheaf [SH953]\n"))
        self.assertEqual(re.findall(r"^oshwhy: (\S+): 2 PEs$", result.stdout, re.M), ["a.sheaf", name, "z.sheaf"])

    @unittest.skipIf(os.geteuid() != 0 or not shutil.which("unshare"), "a full disk is a mount: root, and util-linux's unshare")
    def test_a_full_disk(self):
        folder = os.path.join(self.folder, "full")
        os.mkdir(folder)
        self.expected_files.add("full")
        script = 'mount -t tmpfs -o size=8k none "$0"; "$@" || true; ls "$0"'
        result = self.start("-n", 2, "--timeout", PATIENCE, MISTAKES, "value", env={**os.environ, "SHEAF_RECORD": folder},
                            front=["unshare", "-m", "--propagation", "private", "sh", "-ec", script, folder]).finish()
        if re.search("^(unshare|mount): ", result.err, re.M):
            self.skipTest(f"no mounts here: {result.err}")
        self.assertIn("SHEAF_RECORD: cannot write ", result.err)
        self.assertIn("No space left on device", result.err)
        self.assertEqual(result.out, "")


class Healthy(OshrunTest):
    def test_no_report(self):
        """Calls, teams, locks and waits by seed, with pauses: nothing is said."""
        for seed in range(HEALTHY):
            self.expect("-n", 2 + seed % 4, MISTAKES, "healthy", seed, env={**os.environ, "SHEAF_STALL": "5"})

    def test_paused(self):
        """A PE is stopped for longer than SHEAF_STALL, wherever it is, and the others wait for it meanwhile."""
        for seed in range(max(2, HEALTHY // 10)):
            chance = random.Random(seed)
            npes = 2 + seed % 3
            job = self.start("-n", npes, MISTAKES, "healthy", seed, 6000, env={**os.environ, "SHEAF_STALL": "1"})
            pids = {}

            def known():
                shown = self.run_oshrun("--why", job.pid, "--json")
                pids.update({pe["pe"]: pe["pid"] for pe in json.loads(shown.out)["pes"]} if shown.status == 0 else {})
                return len(pids) == npes and all(pids.values())

            self.assertTrue(wait_for(known))
            paused = pids[chance.randrange(npes)]
            time.sleep(chance.random() / 10)
            os.kill(paused, signal.SIGSTOP)
            time.sleep(1.6)
            os.kill(paused, signal.SIGCONT)
            result = job.finish()
            self.assertEqual((result.status, result.err), (0, ""), f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
