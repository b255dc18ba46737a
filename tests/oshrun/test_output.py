# SPDX-License-Identifier: BSD-3-Clause
"""Standard output, error and input of the PEs."""
import collections
import os
import re
import shutil
import subprocess
import time
import unittest

from common import LIMIT, OSHINFO, OSHRUN, PROBE, OshrunTest


class Lines(OshrunTest):
    def test_lines_stay_whole(self):
        """Four PEs write 3,000 numbered lines in odd pieces; each line must come out once."""
        writer = ("import os, sys\n"
                  "pe = os.environ['SHEAF_JOB'].split(':')[2]\n"
                  "text = ''.join(f'PE {pe} line {i} ' + 'x' * (i % 97) + ' end\\n' for i in range(3000))\n"
                  "at = 0\n"
                  "while at < len(text):\n"
                  "    size = 1 + (at * 7919 + 13) % 331\n"
                  "    os.write(1 + int(pe) % 2, text[at:at + size].encode())\n"
                  "    at += size\n")
        result = self.run_oshrun("-n", 4, "python3", "-c", writer, stderr=subprocess.STDOUT)
        self.assertEqual(result.status, 0)
        wanted = collections.Counter(f"PE {pe} line {i} {'x' * (i % 97)} end"
                                     for pe in range(4) for i in range(3000))
        self.assertEqual(collections.Counter(result.out.splitlines()), wanted)

    def test_order_within_a_pe(self):
        out = self.expect("-n", 3, "--tag-output", "seq", "2000").out.splitlines()
        for pe in range(3):
            mine = [line.split()[1] for line in out if line.startswith(f"[{pe}] ")]
            self.assertEqual(mine, [str(i) for i in range(1, 2001)])

    def test_each_of_many_has_its_own_streams(self):
        script = "pe=$(echo $SHEAF_JOB | cut -d: -f3); echo out $pe; echo error $pe >&2; cat"
        result = self.run_oshrun("-n", 40, "--tag-output", "--stdin", 37, "sh", "-c", script, input="given\n")
        self.assertEqual(sorted(result.out.splitlines()),
                         sorted([f"[{pe}] out {pe}" for pe in range(40)] + ["[37] given"]))
        self.assertEqual(sorted(result.err.splitlines()), sorted(f"[{pe}] error {pe}" for pe in range(40)))

    def test_halves_with_pauses_are_joined(self):
        script = "printf 'first half, '; sleep 0.15; echo second half"
        self.assertEqual(self.expect("-n", 3, "sh", "-c", script).out, "first half, second half\n" * 3)

    def test_an_unfinished_line_comes_out_in_the_end(self):
        self.assertEqual(self.expect("-n", 1, "printf", "no newline").out, "no newline")
        result = self.run_oshrun("-n", 2, "printf", "no newline")
        self.assertEqual(result.out, "no newline\nno newline")

    def test_an_unfinished_line_comes_out_in_time(self):
        job = self.start("-n", 1, "sh", "-c", "printf 'prompt> '; sleep 20")
        before = time.monotonic()
        self.assertEqual(os.read(job.process.stdout.fileno(), 100), b"prompt> ")
        self.assertLess(time.monotonic() - before, 8)
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)

    def test_a_very_long_line(self):
        size = 3_000_000
        out = self.expect("-n", 1, "python3", "-c", f"print('y' * {size})").out
        self.assertEqual((len(out), set(out)), (size + 1, {"y", "\n"}))

    def test_bytes_that_are_no_text(self):
        script = "import os; os.write(1, bytes(range(256)) * 40)"
        job = subprocess.run([OSHRUN, "-n", "1", "python3", "-c", script], stdout=subprocess.PIPE,
                             timeout=30)
        self.assertEqual((job.returncode, job.stdout), (0, bytes(range(256)) * 40))

    def test_output_and_error_are_two(self):
        result = self.run_oshrun("-n", 2, "sh", "-c", "echo out; echo err >&2")
        self.assertEqual((result.status, result.out, result.err), (0, "out\nout\n", "err\nerr\n"))

    def test_tags(self):
        result = self.run_oshrun("-n", 2, "--tag-output", "sh", "-c", "echo a; echo; printf b; echo c >&2")
        self.assertEqual(sorted(result.out.splitlines()),
                         sorted([f"[{pe}] {text}" for pe in range(2) for text in ("a", "", "b")]))
        self.assertEqual(sorted(result.err.splitlines()), ["[0] c", "[1] c"])

    def test_last_words_come_before_the_verdict(self):
        result = self.run_oshrun("-n", 1, "sh", "-c", "printf 'my last words' >&2; kill -9 $$")
        self.assertRegex(result.err, r"^my last words\noshrun: PE 0 \(sh, pid \d+\) was killed by signal 9")


class Files(OshrunTest):
    def test_a_file_per_pe(self):
        self.expected_files.add("out")
        folder = os.path.join(self.folder, "out")
        for _ in range(2):
            result = self.run_oshrun("-n", 11, "--output", folder, "sh", "-c",
                                     "echo out; echo err >&2; echo ${SHEAF_JOB}")
            self.assertEqual((result.status, result.out, result.err), (0, "", ""))
        names = [f"pe-{pe:02}" for pe in range(11)]
        self.assertEqual(sorted(os.listdir(folder)), names)
        for pe, name in enumerate(names):
            with open(os.path.join(folder, name)) as file:
                lines = file.read().splitlines()
            self.assertEqual(lines[:2], ["out", "err"])
            self.assertEqual(lines[2].split(":")[2], str(pe))

    def test_a_folder_that_cannot_be(self):
        for folder, why in ("/dev/null/x", "Not a directory"), ("/dev/null", "not a directory"):
            for option in "--output", "--snapshot-dir", "--save-on-failure":
                result = self.run_oshrun("-n", 2, option, folder, "true")
                self.assertEqual((result.status, result.err), (2, f"oshrun: {option} {folder}: {why}\n"))

    def test_a_fifo_in_place_of_a_file(self):
        folder = os.path.join(self.folder, "out")
        os.mkdir(folder)
        self.expected_files.add("out")
        for name in ("pe-0", "pe-1"):
            os.mkfifo(os.path.join(folder, name))
        result = self.run_oshrun("-n", 2, "--output", folder, "true")
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r"^oshrun: --output: \S+/pe-0: it is not a regular file\n$")

    def test_a_link_in_place_of_a_file(self):
        """As another user may have put it into a folder that both can write: nothing is written through it."""
        folder, victim = os.path.join(self.folder, "out"), self.file("victim", "mine")
        os.mkdir(folder)
        self.expected_files.add("out")
        for make, status in (os.symlink, 1), (os.link, 0):
            make(victim, os.path.join(folder, "pe-0"))
            result = self.run_oshrun("-n", 1, "--output", folder, "echo", "other")
            self.assertEqual(result.status, status, result.err)
            os.unlink(os.path.join(folder, "pe-0"))
            with open(victim) as file:
                self.assertEqual(file.read(), "mine")


class Names(OshrunTest):
    """A terminal obeys nothing in the name of a program, of a file, or in a value."""
    BAD, SHOWN = "a\x1b[31m\n\x7f\u009b\u00e4", "a?[31m????\u00e4"

    def test_a_programs(self):
        program = self.file(self.BAD, "#!/bin/sh\nexit 3\n", 0o755)
        result = self.run_oshrun("-n", 1, program)
        self.assertRegex(result.err, rf"^oshrun: PE 0 \({re.escape(self.SHOWN)}, pid \d+\) exited with status 3\n$")
        result = self.run_oshrun("-n", 1, "./" + self.BAD)
        self.assertEqual(result.err, f"oshrun: ./{self.SHOWN}: No such file or directory\n")

    def test_a_setting(self):
        result = self.run_oshrun("-n", 1, PROBE, env={**os.environ, "SHEAF_ENGINE": "a\x1b[31mb"})
        self.assertIn("a?[31mb", result.err)
        self.assertNotIn("\x1b", result.err)

    def test_folders_and_variables(self):
        bad = os.path.join(self.folder, self.BAD)
        os.mkdir(bad)
        self.expected_files.add(self.BAD)
        for name in "SHEAF_RECORD", "SHEAF_PROFILE":
            for front in [OSHRUN, "-n", "1"], []:
                for _ in range(2): # then it has the profile of another run
                    result = subprocess.run([*front, PROBE, "range"], env={**os.environ, name: bad}, text=True,
                                            capture_output=True, timeout=LIMIT)
                    self.assertNotIn("\x1b", result.stdout + result.stderr, (name, front))
            self.assertNotEqual(os.listdir(bad), [])
            shutil.rmtree(bad)
        for arguments in (["-x", self.BAD, "true"], ["--report-bindings", self.BAD]):
            self.assertNotIn("\x1b", self.run_oshrun(*arguments).err)
        for arguments in [], [self.BAD]:
            result = subprocess.run([OSHINFO, *arguments], env={**os.environ, "SHEAF_TUNE": self.BAD, "SHEAF_MPI": self.BAD,
                                    "SHEAF_OFI_PROVIDER": self.BAD}, text=True, capture_output=True, timeout=LIMIT)
            self.assertNotIn("\x1b", result.stdout + result.stderr)
            self.assertIn(self.SHOWN, result.stdout + result.stderr)


class Readers(OshrunTest):
    def test_a_slow_reader_holds_the_pes_back(self):
        """100 MB are on offer; oshrun must not take them in while nobody reads."""
        job = self.start("-n", 2, "sh", "-c", "yes | head -c 50000000")
        time.sleep(1)
        with open(f"/proc/{job.pid}/status") as file:
            (peak,) = (int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        self.assertLess(peak, 50 << 10, "KiB held by oshrun")
        result = job.finish()
        self.assertEqual((result.status, len(result.out)), (0, 100_000_000))

    def test_a_reader_that_leaves(self):
        job = self.start("-n", 2, "yes")
        self.assertEqual(job.read_line(), "y\n")
        job.process.stdout.close()
        self.assertEqual(job.process.wait(timeout=10), 141)
        self.assertEqual(job.process.stderr.read(), "")

    def test_a_full_disk(self):
        with open("/dev/full", "w") as full:
            result = self.run_oshrun("-n", 2, "yes", stdout=full)
        self.assertEqual((result.status, result.err),
                         (1, "oshrun: cannot write the output: No space left on device\n"))

    def test_a_full_disk_of_the_commands(self):
        for command, option in ((OSHRUN, "--help"), (OSHRUN, "--version"), (OSHINFO, "--help"), (OSHINFO, "--doctor"),
                                (OSHINFO, "--settings=tsv"), (os.environ["OSHWHY"], "--help"), (os.environ["OSHTOP"], "--help"),
                                (f"{os.path.dirname(OSHRUN)}/oshcc", "--show")):
            with self.subTest(command=command, option=option), open("/dev/full", "w") as full:
                result = subprocess.run([command, option], stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, r"^osh\w+: (error: )?cannot write the output(: No space left on device)? \[SH904\]\n$")

    def test_closed_streams(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            shell = subprocess.run(["sh", "-c", f'"$0" -n 2 sh -c "exit 4" {closed}', OSHRUN],
                                   stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=30)
            self.assertEqual(shell.returncode, 4)


class Input(OshrunTest):
    SCRIPT = 'x=$(cat); echo "${SHEAF_JOB}:$x"'

    def who_read(self, *options):
        out = self.expect("-n", 3, *options, "sh", "-c", self.SCRIPT, input="the input").out
        return {int(line.split(":")[2]): line.split(":")[4] for line in out.splitlines()}

    def test_pe_0_by_default(self):
        self.assertEqual(self.who_read(), {0: "the input", 1: "", 2: ""})

    def test_a_chosen_pe(self):
        self.assertEqual(self.who_read("--stdin", "2"), {0: "", 1: "", 2: "the input"})

    def test_none(self):
        self.assertEqual(self.who_read("--stdin", "none"), {0: "", 1: "", 2: ""})

    def test_much(self):
        text = "".join(f"{i}\n" for i in range(200_000))
        self.assertEqual(self.expect("-n", 2, "cat", input=text).out, text)

    def test_the_writer_sees_the_end_of_its_reader(self):
        """Neither oshrun nor its proxy holds the input open beside the PE."""
        feeder = subprocess.Popen(["yes"], stdout=subprocess.PIPE)
        job = self.start("-n", 2, "sh", "-c", "read x; exec < /dev/null; echo read; exec sleep 60",
                         stdin=feeder.stdout)
        feeder.stdout.close()
        job.read_line()
        self.assertEqual(feeder.wait(timeout=10), -13)
        self.assertIsNone(job.process.poll())
        job.process.terminate()
        self.assertEqual(job.finish().status, 143)


if __name__ == "__main__":
    unittest.main()
