# SPDX-License-Identifier: BSD-3-Clause
"""oshtune: measures with next to no time, writes rules that the library reads and that follow
from its own measurements, and refuses what it does not understand.

CTest gives the programs' paths: OSHTUNE, OSHRUN, PROGRAM (a test of the collectives).
"""
import os
import subprocess
import tempfile
import unittest

OSHTUNE, OSHRUN, PROGRAM = (os.environ[name] for name in ("OSHTUNE", "OSHRUN", "PROGRAM"))
ALGORITHMS = {
    "barrier": ["central", "linear", "dissemination", "tree", "linear-broadcast", "levels"],
    "broadcast": ["note", "push", "pull", "binomial", "levels"],
    "fcollect": ["note", "naive", "linear", "ring"],
    "reduce": ["note", "gather", "shares", "naive", "linear", "turns", "tree", "recursive-doubling", "ring", "levels"],
}
COPIES = ["memcpy", "vector", "stream"] # the others where the processor has a way
COPY_SIZES = [1 << power for power in range(19, 27)]
LIMITS = {"note": 56, "gather": 48}
RULES_FOR = {"barrier": "barrier", "broadcast": "broadcast", "fcollect": "fcollect", "reduce": "reduce",
             "reduce-exact": "reduce"} # and whose measurements they follow from
IN_RANK_ORDER = ["note", "gather", "shares", "naive", "linear", "turns"]
SIZES = [8, 48, 56, 256, 1024, 4096, 16384, 65536, 262144, 1048576]


def run(*command, timeout=250, **variables):
    environment = {name: value for name, value in os.environ.items()
                   if name != "SHEAF_TUNE" and not name.endswith("_ALGORITHM")}
    environment.update(variables)
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, env=environment)


def size(text):
    return 1 << 62 if text == "any" else int(text[:-1]) * 1024 if text.endswith("k") else int(text)


def has_levels(found, pes):
    """On a host of one cache levels are other algorithms, and not measured."""
    return (pes, "barrier", "levels", 0) in found


class Oshtune(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="oshtune-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.rules = os.path.join(folder.name, "rules")
        self.measurements = os.path.join(folder.name, "measurements")

    def tune(self, *arguments, **variables):
        result = run(OSHTUNE, "-s", "0.1", "-o", self.rules, "-m", self.measurements, *arguments, **variables)
        self.assertEqual((result.returncode, result.stdout),
                         (0, f"wrote {self.rules}; to use it: export SHEAF_TUNE={self.rules}\n"),
                         result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["measurements", "rules"])
        return result.stderr

    def read_rules(self):
        with open(self.rules) as file:
            return [line.split() for line in file if line.strip() and not line.startswith("#")]

    def read_measurements(self):
        with open(self.measurements) as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        self.assertEqual(rows[0], ["pes", "operation", "algorithm", "bytes", "median_ns", "min_ns",
                                   "max_ns", "rounds"])
        return {(int(row[0]), row[1], row[2], int(row[3])): [float(field) for field in row[4:]]
                for row in rows[1:]}

    def test_everything_is_measured_and_written(self):
        progress = self.tune("-p", "2,4", SHMEM_REDUCE_ALGORITHM="linear", SHMEM_INFO="1")
        self.assertIn("oshtune: round 1, 4 PEs, ", progress)
        expected = set()
        for pes in (2, 4):
            for operation, algorithms in ALGORITHMS.items():
                for name in algorithms:
                    most = min(LIMITS.get(name, 1 << 20),
                               (4 << 20) // pes if operation == "fcollect" else 1 << 20)
                    expected |= {(pes, operation, name, each) for each in
                                 ([0] if operation == "barrier" else SIZES) if each <= most}
        found = self.read_measurements()
        copies = [name for name in COPIES if name == "memcpy" or (2, "copy", name, COPY_SIZES[0]) in found]
        expected |= {(pes, "copy", name, each) for pes in (2, 4) for name in copies
                     for each in COPY_SIZES}
        self.assertEqual(set(found), {each for each in expected if each[2] != "levels" or has_levels(found, each[0])})
        for median, least, most, rounds in found.values():
            self.assertTrue(0 < least <= median <= most and rounds >= 1)
        self.check_rules(found)
        for pes in (2, 3, 8):
            result = run(OSHRUN, "-n", str(pes), PROGRAM, SHEAF_TUNE=self.rules)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def check_rules(self, found):
        """Each operation has rules up to any size; nobody chosen is clearly slower than the winner:
        by its median and by its best round."""
        rules = self.read_rules()
        for pes in (2, 4):
            for kind, operation in RULES_FOR.items():
                mine = [(size(rule[2]), rule[3]) for rule in rules if rule[:2] == [kind, str(pes)]]
                bounds = [bound for bound, name in mine]
                self.assertEqual(bounds, sorted(set(bounds)))
                self.assertEqual(bounds[-1], size("any"))
                allowed = IN_RANK_ORDER if kind == "reduce" else ALGORITHMS[operation]
                for each in [0] if operation == "barrier" else SIZES[:9]:
                    chosen = next(name for bound, name in mine if each <= bound)
                    self.assertIn(chosen, allowed)
                    median, least = found[pes, operation, chosen, each][:2]
                    best = min(found[pes, operation, name, each][:2] for name in allowed
                               if (pes, operation, name, each) in found)
                    self.assertTrue(median * 0.95 <= best[0] + 0.1 or least <= best[1] + 0.1,
                                    (pes, kind, each, chosen, median, least, best))

        for pes in ("2", "4"):
            mine = [rule for rule in rules if rule[:2] == ["copy", pes]]
            self.assertEqual(mine[-1][2], "any")
            self.assertTrue({rule[3] for rule in mine} <= set(COPIES))

    def test_quiet(self):
        self.assertEqual(self.tune("-q", "-p", "2"), "")

    def test_wrong_arguments(self):
        for arguments, message in (
                (["--pes", "3"], "--pes 3: expected an ascending list of powers of two such as 2,4,8"),
                (["--pes", "4,2"], "--pes 4,2: expected an ascending list of powers of two such as 2,4,8"),
                (["--pes", "2,"], "--pes 2,: expected an ascending list of powers of two such as 2,4,8"),
                (["--pes", "1"], "--pes 1: expected an ascending list of powers of two such as 2,4,8"),
                (["--seconds", "soon"], "--seconds soon: expected a number of seconds up to 86400"),
                (["--seconds", "0"], "--seconds 0: expected a number of seconds up to 86400"),
                (["more"], "unknown option more; oshtune --help lists them"),
                ([""], 'unknown option ""; oshtune --help lists them'),
                (["--a\x1b[31mb"], "unknown option --a?[31mb; oshtune --help lists them"),
                (["-o"], "-o needs a value; oshtune --help says which")):
            with self.subTest(arguments=arguments):
                result = run(OSHTUNE, *arguments)
                self.assertEqual((result.returncode, result.stdout, result.stderr),
                                 (2, "", f"oshtune: {message} [SH951]\n"))

    def test_a_place_that_cannot_be_written(self):
        for place, why in ("/nowhere/at-all", "No such file or directory"), ("/tmp", "it is a folder"), ("", "its name is empty"):
            result = run(OSHTUNE, "-q", "-s", "0.1", "-p", "2", "-o", place)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (1, "", f"oshtune: cannot write {place}: {why} [SH952]\n"))

    def test_a_fifo_in_place_of_a_file(self):
        with tempfile.TemporaryDirectory(prefix="oshtune-test-") as folder:
            path = os.path.join(folder, "table")
            os.mkfifo(path + ".new")
            result = run(OSHTUNE, "-q", "-s", "0.1", "-p", "2", "-o", path)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(f"oshtune: cannot write {path}: ", result.stderr)

    def test_a_link_in_place_of_a_file(self):
        victim = os.path.join(self.folder, "victim")
        for make in (os.symlink, os.link):
            with open(victim, "w", encoding="ascii") as file:
                file.write("mine")
            make(victim, self.rules + ".new")
            run(OSHTUNE, "-q", "-s", "0.1", "-p", "2", "-o", self.rules)
            with open(victim, encoding="ascii") as file:
                self.assertEqual(file.read(), "mine")
            for name in os.listdir(self.folder):
                os.unlink(os.path.join(self.folder, name))

    def test_help_and_version(self):
        self.assertTrue(run(OSHTUNE, "--help").stdout.startswith("usage: oshtune"))
        self.assertRegex(run(OSHTUNE, "--version").stdout, r"^oshtune \(Sheaf\) \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
