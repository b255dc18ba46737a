# SPDX-License-Identifier: BSD-3-Clause
"""SHEAF_TUNE from outside: files that are wrong, and that the right ones decide.

CTest gives the programs' paths: OSHRUN, ORDER.
"""
import os
import re
import subprocess
import tempfile
import unittest

NAMES = {
    "barrier": "central, linear, dissemination, tree, linear-broadcast, levels",
    "broadcast": "note, push, pull, binomial, levels",
    "fcollect": "note, naive, linear, ring",
    "reduce": "note, gather, shares, naive, linear, turns, tree, recursive-doubling, ring, levels",
    "copy": "memcpy, stream",
    "reduce-exact": "note, gather, shares, naive, linear, turns, tree, recursive-doubling, ring, levels",
}
WRONG = [ # lines, number of the wrong one, word at fault, reason
    ("reduce any any fastest", 1, "fastest", "must be one of: " + NAMES["reduce"]),
    ("reduce any any auto", 1, "auto", "must be one of: " + NAMES["reduce"]),
    ("barrier any any ring", 1, "ring", "must be one of: " + NAMES["barrier"]),
    ("# fine\n\nbroadcast 2 any tree", 3, "tree", "must be one of: " + NAMES["broadcast"]),
    ("fcollect 2 any push", 1, "push", "must be one of: " + NAMES["fcollect"]),
    ("alltoall 2 any ring", 1, "alltoall", "must be one of: " + ", ".join(NAMES)),
    ("reduce 3 any tree", 1, "3", "is no number of PEs: give a power of two, or any"),
    ("reduce 0 any tree", 1, "0", "is no number of PEs: give a power of two, or any"),
    ("reduce -2 any tree", 1, "-2", "is no number of PEs: give a power of two, or any"),
    ("reduce 2x any tree", 1, "2x", "is no number of PEs: give a power of two, or any"),
    ("reduce 4294967298 any tree", 1, "4294967298", "is no number of PEs: give a power of two, or any"),
    ("reduce 2 12q tree", 1, "12q", "is no size: give a number of bytes such as 56, 4k, 1m, or any"),
    ("reduce 2 -1 tree", 1, "-1", "is no size: give a number of bytes such as 56, 4k, 1m, or any"),
    ("barrier 2 64 tree", 1, "64", "must be any: a barrier carries no bytes"),
    ("reduce 2 57 note", 1, "57", "is more than the 56 bytes that note carries"),
    ("reduce 2 56 gather", 1, "56", "is more than the 48 bytes that gather carries"),
    ("broadcast 2 any note", 1, "any", "is more than the 56 bytes that note carries"),
    ("fcollect 2 1k note", 1, "1k", "is more than the 56 bytes that note carries"),
    ("reduce 2 any", 1, "any", "ends the line too soon: give operation, PEs, bytes, algorithm"),
    ("reduce", 1, "reduce", "ends the line too soon: give operation, PEs, bytes, algorithm"),
    ("reduce 2 8 note reduce", 1, "reduce", "is one word too many: give operation, PEs, bytes, algorithm"),
    ("\n" + "x" * 600, 2, "x" * 20, "begins a line that is too long"),
    ("".join(f"reduce 4 {n} linear\n" for n in range(1, 14)), 13, "reduce",
     "has too many lines for this number of PEs"),
]


class TuneFile(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tune-test-")
        self.addCleanup(self.folder.cleanup)

    def file(self, text):
        path = os.path.join(self.folder.name, "tune")
        with open(path, "w") as file:
            file.write(text)
        return path

    def run_order(self, count, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if name != "SHEAF_TUNE" and not name.endswith("_ALGORITHM")}
        environment.update(variables)
        done = subprocess.run([os.environ["OSHRUN"], "-q", "-n", "4", os.environ["ORDER"], str(count)],
                              capture_output=True, text=True, timeout=100, env=environment)
        done.stderr = re.sub(r" \[SH\d{3}\]", "", done.stderr)  # tests/oshinfo/messages.py looks at the ids of messages
        return done

    def expect_sum(self, total, count, **variables):
        result = self.run_order(count, **variables)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, f"{total}\n", ""))

    def expect_error(self, path, message):
        result = self.run_order(1, SHEAF_TUNE=path)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        said = result.stderr.splitlines()
        self.assertEqual(len(said), 1, said)
        # How many others: those that came to it within the time that the first waits for them.
        self.assertRegex(said[0], r"^sheaf: PE [0-3](?: \(and [1-3] others?\))?: error: ")
        self.assertEqual(said[0].split(": ", 3)[3], message)

    def test_wrong_lines(self):
        for text, line, word, reason in WRONG:
            with self.subTest(text=text):
                path = self.file(text)
                self.expect_error(path, f'SHEAF_TUNE: {path}, line {line}: "{word}" {reason}')

    def test_files_that_cannot_be_read(self):
        for path, reason in (("/nowhere/at-all", "No such file or directory"),
                             ("", "No such file or directory"), (self.folder.name, "Is a directory")):
            with self.subTest(path=path):
                self.expect_error(path, f'SHEAF_TUNE: cannot read "{path}": {reason}')

    def test_only_regular_files_of_some_size_are_read(self):
        fifo = os.path.join(self.folder.name, "fifo")
        os.mkfifo(fifo)
        large = self.file("# nothing\n" * 200000)
        for path, reason in ((fifo, "it is not a regular file"), (large, "it has more than 1 MiB"),
                             ("/dev/zero", "it is not a regular file")):
            with self.subTest(path=path):
                self.expect_error(path, f'SHEAF_TUNE: cannot read "{path}": {reason}')

    def test_nothing_said_is_rank_order(self):
        for count in (1, 500):
            self.expect_sum(1, count)
            self.expect_sum(1, count, SHEAF_TUNE=self.file("# nothing\n"))
            self.expect_sum(1, count, SHMEM_REDUCE_ALGORITHM="auto")

    def test_file_decides_by_bytes(self):
        path = self.file("reduce 4 128 linear\nreduce 4 any tree\n")
        self.expect_sum(1, 16, SHEAF_TUNE=path)
        self.expect_sum(0, 17, SHEAF_TUNE=path)

    def test_file_decides_by_pes(self):
        self.expect_sum(0, 1, SHEAF_TUNE=self.file("reduce 4 any tree\n"))
        self.expect_sum(1, 1, SHEAF_TUNE=self.file("reduce 2 any tree\n"))

    def test_what_is_not_exact_has_rules_of_its_own(self):
        self.expect_sum(1, 1, SHEAF_TUNE=self.file("reduce-exact any any tree\n"))
        self.expect_sum(0, 1, SHEAF_TUNE=self.file("reduce-exact any any linear\nreduce 4 any tree\n"))

    def test_name_wins_over_file(self):
        path = self.file("reduce any any tree\n")
        self.expect_sum(1, 100, SHEAF_TUNE=path, SHMEM_REDUCE_ALGORITHM="linear")
        self.expect_sum(0, 100, SHEAF_TUNE=path, SHMEM_REDUCE_ALGORITHM="note")
        self.expect_sum(1, 1, SHEAF_TUNE=path, SHMEM_REDUCE_ALGORITHM="note")


if __name__ == "__main__":
    unittest.main()
