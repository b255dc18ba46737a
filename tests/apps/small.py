# SPDX-License-Identifier: BSD-3-Clause
"""hello, ring, pi, histogram, gather, isort, queens, halo, bfs; and options of all applications."""
import os
import re
import unittest.mock

import jobs

ALL = [name for name in jobs.NAMES if jobs.is_built(name)]


class Small(jobs.Case):
    def test_hello(self):
        for pes in (*jobs.PES, 32):
            with self.subTest(pes=pes):
                out = self.assertWorks(pes, "hello").out
                self.assertEqual(sorted(out.splitlines()), sorted(
                    "hello from PE %d of %d; my neighbour is PE %d" % (pe, pes, (pe + 1) % pes)
                    for pe in range(pes)))

    def test_ring(self):
        for pes in (*jobs.PES, 32):
            with self.subTest(pes=pes):
                self.assertWorks(pes, "ring", "--laps", 20,
                                 says="verified: the token is %d$" % (10 * pes * (pes - 1)))

    def test_pi(self):
        for pes in jobs.PES:
            for steps in (1, 3, 1000000):
                with self.subTest(pes=pes, steps=steps):
                    says = ["pi: verified"]
                    if steps == 1000000:
                        says.append(r"3\.14159265359")
                    self.assertWorks(pes, "pi", "--steps", steps, says=says)

    def test_histogram(self):
        for pes in jobs.PES:
            for bins, updates in ((1, 2000), (5, 3000), (100000, 50000), (3, 0)):
                with self.subTest(pes=pes, bins=bins):
                    self.assertWorks(pes, "histogram", "--bins", bins, "--updates", updates,
                                     says="verified: %d updates in %d bins" % (pes * updates, bins))

    def test_histogram_in_other_ways(self):
        for way in ("nbi", "session"):
            for pes in (1, 4):
                self.assertWorks(pes, "histogram", "--way", way, "--bins", 1000, "--updates", 20000,
                                 says="verified: %d updates in 1000 bins" % (pes * 20000))

    def test_gather(self):
        for pes in jobs.PES:
            for entries, reads in ((1, 1000), (7, 3000), (100000, 50000), (3, 0)):
                for way in ("plain", "session"):
                    with self.subTest(pes=pes, entries=entries, way=way):
                        self.assertWorks(pes, "gather", "--entries", entries, "--reads", reads, "--way", way,
                                         says="verified: %d reads of %d entries" % (pes * reads, entries))

    def test_isort(self):
        for pes in jobs.PES:
            for keys, limit in ((100000, 1 << 28), (1000, 3), (1, 1), (0, 10), (5000, 1 << 32)):
                with self.subTest(pes=pes, keys=keys, range=limit):
                    self.assertWorks(pes, "isort", "--keys", keys, "--range", limit,
                                     says="verified: sorted, and a permutation of the %d keys" %
                                     (pes * keys))

    def test_queens(self):
        known = {1: 1, 2: 0, 3: 0, 4: 2, 8: 92, 10: 724}
        for pes in (*jobs.PES, 32):
            for size, solutions in known.items():
                with self.subTest(pes=pes, size=size):
                    self.assertWorks(pes, "queens", "--size", size,
                                     says=[r" %d solutions" % solutions, "verified"])

    def test_queens_in_small_and_large_pieces(self):
        for pes in (1, 4, 8):
            for depth in (0, 1, 8):
                with self.subTest(pes=pes, depth=depth):
                    self.assertWorks(pes, "queens", "--size", 8, "--depth", depth,
                                     says=[" 92 solutions", "verified"])

    def test_queens_are_stolen(self):
        out = self.assertWorks(2, "queens", "--size", 14, "--depth", 5).out
        self.assertGreater(int(re.search("([0-9]+) thefts", out).group(1)), 0)

    def test_halo(self):
        for pes in jobs.PES:
            for size in (1, 2, 17):
                for rows in ((), ("--rows",)):
                    with self.subTest(pes=pes, size=size, rows=rows):
                        self.assertWorks(pes, "halo", "--size", size, "--steps", 20, *rows,
                                         says="verified: no cell of %d x %d x %d" % (size, size, size))

    def test_bfs(self):
        for pes in jobs.PES:
            for dimension in (0, 1, 7, 12):
                with self.subTest(pes=pes, dimension=dimension):
                    self.assertWorks(pes, "bfs", "--dimension", dimension,
                                     says="verified: %d corners on %d levels" % (2 ** dimension, dimension + 1))


class Options(jobs.Case):
    def test_help(self):
        for app in ALL:
            with self.subTest(app=app):
                out = self.assertWorks(3, app, "--help").out
                self.assertEqual(out.count("usage: %s " % app), 1)

    def test_unknown_option(self):
        for app in ALL:
            with self.subTest(app=app):
                self.assertRefuses(3, app, "--bogus", says="unknown option '--bogus'")

    def test_bad_values(self):
        for arguments in (("pi", "--steps", "0"), ("pi", "--steps", "many"),
                          ("ring", "--laps=1.5"), ("queens", "--size", "19"),
                          ("histogram", "--bins", ""), ("isort", "--keys=-1"),
                          ("isort", "--range", "99999999999999999999"), ("cg", "--laplacian", "0"),
                          ("triangles", "--generate", "1e3"), ("heat", "--size", "2")):
            with self.subTest(arguments=arguments):
                self.assertRefuses(2, *arguments, says="is not a whole number from")
        self.assertRefuses(2, "cg", "--tolerance", "nan", says="is not a number from")
        self.assertRefuses(2, "heat", "--omega", "2", says="is not a number from")
        self.assertRefuses(2, "heat", "--method", "so", says="'so' is not one of")

    def test_values_missing_or_too_many(self):
        self.assertRefuses(4, "pi", "--steps", says="--steps needs a value")
        self.assertRefuses(4, "hello", "world", says="unexpected argument 'world'")
        self.assertRefuses(4, "cg", "one", "two", says="unexpected argument 'two'")

    def test_a_missing_value_of_every_option(self):
        for app in ALL:
            usage = jobs.oshrun(1, jobs.program(app), "--help").out
            for option in sorted(set(re.findall(r"^ +(--[a-z-]+) [A-Z]", usage, re.M))):
                with self.subTest(app=app, option=option):
                    self.assertRefuses(3, app, option, says="%s needs a value" % option)

    def test_more_memory_than_there_is(self):
        with unittest.mock.patch.dict(os.environ, SHMEM_SYMMETRIC_SIZE="1M"):
            for pes in (1, 3):
                self.assertRefuses(pes, "histogram", "--bins", 1000000, "--updates", 1,
                                   says="not enough symmetric memory for the table")
                self.assertRefuses(pes, "gather", "--entries", 1000000, "--reads", 1,
                                   says="not enough symmetric memory for the table")
                self.assertRefuses(pes, "isort", says="not enough symmetric memory for the fullest")
                self.assertRefuses(pes, "heat", says="not enough symmetric memory for the plate")
                self.assertRefuses(pes, "triangles", "--generate", 100000,
                                   says="not enough symmetric memory for the matrix's columns")
                self.assertRefuses(pes, "cg", "--laplacian", 300, says="not enough symmetric mem")


if __name__ == "__main__":
    jobs.main()
