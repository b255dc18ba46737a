# SPDX-License-Identifier: BSD-3-Clause
"""The applications of small operations on random PEs, each in its ways: on any number of PEs, with sizes that nothing
divides; and a program that computes something wrong says so."""
import os
import shutil
import unittest

import jobs

WAYS = ("plain", "nbi", "session")

# What is replaced in an application's source so that its result is wrong, how it is then run, and what it says.
FAULTS = (
    ("gups", "table->word[i] = (uint64_t)", "table->word[i] = 2 * (uint64_t)", (2, "--bits", 12),
     "2048 of 4096 words are wrong"),
    ("permutation", "if (hit[i] != FREE)", "if (hit[i] == 5)", (2, "--count", 1000),
     "numbers are not there once"),
    ("transpose", "pairs[i] = (struct pair){column, row,", "pairs[i] = (struct pair){column, row ^ (row == 7),",
     (3, "--rows", 99), "the transpose has 990 entries instead of 990, 10 of them wrong"),
    ("toposort", "order - 1 - (taken + i)", "order - 1 - (taken + i + order / 2) % order",
     (2, "--order", 500), "the matrix is not upper triangular"),
    ("bfs", "parent = search->sources[source];", "parent = search->tree->root;",
     (2, "--graph", "kronecker", "--scale", 8), "vertices have a parent that is no neighbour"),
    ("bfs", "search->next_count++", "search->next_count += i % 2",
     (1, "--graph", "kronecker", "--scale", 8), "edges join levels that they may not, or leave the tree"),
    ("uts", "search->top = chunk.count;", "search->top = chunk.count - 1;",
     (1, "--tree", "small", "--chunk", 5), "known are 16000, 12839, 6"),
)


class Irregular(jobs.Case):
    def every_way(self, app, *arguments, says, pes=jobs.PES):
        """Each number of PEs with one way, each way with several numbers of PEs."""
        for turn, count in enumerate(pes):
            way = WAYS[turn % len(WAYS)]
            with self.subTest(app=app, pes=count, way=way, arguments=arguments):
                self.assertWorks(count, app, "--way", way, *arguments, says=says)

    def test_gups(self):
        self.every_way("gups", "--bits", 13, says="verified: .* of 8192 words", pes=(1, 2, 3, 1, 4, 8))
        self.every_way("gups", "--bits", 1, "--way", "nbi", says="verified: 0 of 2 words")
        self.assertWorks(2, "gups", "--bits", 10, "--per-word", 7, "--lookahead", 3,
                         says=["7168 updates of 2.10 words, .* on 2 PEs: ", "verified: 0 of 1024"])

    def test_permutation(self):
        self.every_way("permutation", "--count", 30011, says="verified: each of 30011 numbers")
        self.every_way("permutation", "--count", 5, says="verified: each of 5 numbers", pes=(8, 3, 1))

    def test_transpose(self):
        self.every_way("transpose", "--rows", 1501, "--columns", 703, "--per-row", 9, says="verified: 13509 entries")
        self.every_way("transpose", "--rows", 3, "--columns", 2, "--per-row", 2, says="verified: 6 entries", pes=(4, 1, 8))
        self.assertRefuses(2, "transpose", "--columns", 3, "--per-row", 4, says="4 entries do not fit into 3 columns")

    def test_toposort(self):
        self.every_way("toposort", "--order", 3001, says="verified: every one of 1[0-9]{4} entries")
        self.every_way("toposort", "--order", 2, says="verified: every one of 3 entries", pes=(1, 8, 3))
        self.every_way("toposort", "--order", 17000, "--extra", 0, says="17000 entries, 1 levels", pes=(3, 1, 2))

    def test_bfs_of_a_kronecker_graph(self):
        self.every_way("bfs", "--graph", "kronecker", "--scale", 11, says=["scale 11, 32768 edges, 8 roots", "verified"])
        self.every_way("bfs", "--graph", "kronecker", "--scale", 1, "--roots", 1, says="verified", pes=(8, 1, 3))

    def test_isort_scales(self):
        for scaling, keys, limit in (("weak", 3000, 500), ("strong", 1000, 500), ("weak-iso", 3000, 1500)):
            self.assertWorks(3, "isort", "--scaling", scaling, "--keys", 1000, "--range", 500,
                             says=[r"isort: %d keys of 0\.\.%d on 3 PEs" % (keys, limit - 1), "verified"])
        self.assertRefuses(2, "isort", "--scaling", "weak-iso", "--range", 1 << 32, says="for each of 2 PEs go beyond")

    def test_uts(self):
        for pes in (1, 3, 8):
            for chunk in (1, 20):
                self.assertWorks(pes, "uts", "--tree", "small", "--chunk", chunk, says="verified: 12839 leaves")
        self.assertWorks(2, "uts", "--tree", "T3", says=["on 2 PEs", "verified: 3599034 leaves and depth 1572"])
        self.assertRefuses(2, "uts", "--tree", "T6", says="'T6' is not one of T1|T2")

    def test_across_hosts(self):
        small = (("histogram", "--updates", 5000), ("gather", "--reads", 5000), ("gups", "--bits", 11),
                 ("permutation", "--count", 5000), ("transpose", "--rows", 500), ("toposort", "--order", 500),
                 ("triangles", "--generate", 500), ("bfs", "--graph", "kronecker", "--scale", 8))
        for turn, (app, *arguments) in enumerate(small):
            with self.subTest(app=app):
                result = jobs.on_hosts("ab", jobs.program(app), "--way", WAYS[1 + turn % 2], *arguments)
                self.assertEqual(result.status, 0, result)
                self.assertIn(app + ": verified", result.out)

    def test_mistakes(self):
        for app in ("gups", "permutation", "transpose", "toposort", "bfs"):
            self.assertRefuses(2, app, "--way", "put", says="--way: 'put' is not one of plain|nbi|session")

    @unittest.skipIf(jobs.SANITIZE, "checks of programs, not of memory")
    def test_wrong_results_are_found(self):
        common = os.path.join(self.folder, "common")
        shutil.copytree(os.path.join(jobs.APPS, "common"), common)
        for app, text, other, (pes, *arguments), says in FAULTS:
            with self.subTest(app=app, fault=other):
                folder = os.path.join(self.folder, app)
                shutil.copytree(os.path.join(jobs.APPS, app), folder)
                self.replace(folder, text, other)
                made = jobs.run(["make", "-C", folder, "OSHCC=" + jobs.OSHCC, "OUT=" + self.folder + "/wrong", "CFLAGS=-O0"])
                self.assertEqual(made.status, 0, made)
                result = jobs.oshrun(pes, os.path.join(self.folder, "wrong", app), *arguments)
                self.assertEqual(result.status, 1, result)
                self.assertIn(says, result.err)
                shutil.rmtree(folder)

    def replace(self, folder, text, other):
        """In the one file of the folder that has it."""
        changed = 0
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                content = file.read()
            if text in content and not name.endswith(".md"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(content.replace(text, other))
                changed += 1
        self.assertEqual(changed, 1, text)


if __name__ == "__main__":
    jobs.main()
