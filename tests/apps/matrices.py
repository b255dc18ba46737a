# SPDX-License-Identifier: BSD-3-Clause
"""triangles and cg on generated input and on files written here, good and bad."""
import jobs

HEADER = "%%MatrixMarket matrix coordinate "

# What is wrong, and what the message must hold. The line number follows the file's name.
MALFORMED = {
    "empty": ("", ":1: the file is empty"),
    "text": ("hello\n", ":1: not a Matrix Market file"),
    "binary": (b"\x7fELF\x02\x01\x00\x00\n", ":1: .*zero byte"),
    "header only": (HEADER + "real general\n", ":2: the file ends before"),
    "short header": (HEADER + "real\n", ":1: expected '%%MatrixMarket"),
    "long header": (HEADER + "real general really\n", ":1: expected '%%MatrixMarket"),
    "dense": ("%%MatrixMarket matrix array real general\n1 1\n1\n", r":1: dense \(array\)"),
    "complex": (HEADER + "complex general\n1 1 1\n1 1 1 0\n", ":1: complex entries"),
    "skew pattern": (HEADER + "pattern skew-symmetric\n1 1 0\n", ":1: a pattern has no sign"),
    "no rows": (HEADER + "real general\n0 0 0\n", ":2: expected 'ROWS COLUMNS ENTRIES'"),
    "negative": (HEADER + "real general\n3 3 -1\n", ":2: expected 'ROWS COLUMNS ENTRIES'"),
    "sizes": (HEADER + "real general\n3 3 1 1\n1 1 1\n", ":2: expected 'ROWS COLUMNS ENTRIES'"),
    "row 0": (HEADER + "real general\n3 3 1\n0 1 1\n", r":3: row 0 is outside 1\.\.3"),
    "row 4": (HEADER + "real general\n3 3 1\n4 1 1\n", r":3: row 4 is outside 1\.\.3"),
    "infinite": (HEADER + "real general\n1 1 1\n1 1 inf\n", ":3: expected 'ROW COLUMN VALUE'"),
    "overflow": (HEADER + "real general\n1 1 1\n1 1 1e999\n", ":3: expected 'ROW COLUMN VALUE'"),
    "fraction": (HEADER + "integer general\n1 1 1\n1 1 1.5\n", ":3: expected 'ROW COLUMN VALUE'"),
    "too much": (HEADER + "pattern general\n2 2 1\n1 1 1\n", ":3: expected 'ROW COLUMN' and no"),
    "too few": (HEADER + "pattern general\n2 2 2\n1 1\n", ":4: the file ends after 1 of 2"),
    "a lie": (HEADER + "pattern general\n9 9 999999999999999\n1 1\n", ":4: the file ends after 1"),
    "too many": (HEADER + "pattern general\n2 2 1\n1 1\n2 2\n", ":4: more than the announced 1"),
    "mirrored": (HEADER + "pattern symmetric\n2 2 2\n1 2\n2 1\n", ":4: .*twice, first on line 3"),
    "skew diagonal": (HEADER + "real skew-symmetric\n2 2 1\n1 1 1\n", ":3: .*no diagonal"),
    "type": (HEADER + "real general\n%%GraphBLAS type gunk\n1 1 0\n", ":2: .*found 'gunk'"),
}


def complete_graph(n):
    edges = ["%d %d" % (i, j) for i in range(1, n + 1) for j in range(1, i)]
    return HEADER + "pattern symmetric\n%d %d %d\n%s\n" % (n, n, len(edges), "\n".join(edges))


class Triangles(jobs.Case):
    def test_ring_graphs(self):
        for pes in jobs.PES:
            for n, reach in ((2000, 9), (1, 1), (2, 1), (3, 1), (9, 4), (10, 4), (11, 4), (13, 4)):
                with self.subTest(pes=pes, n=n, reach=reach):
                    self.assertWorks(pes, "triangles", "--generate", n, "--reach", reach,
                                     says=" %d vertices.*\n.*verified" % n)

    def test_ring_graph_numbered_at_random(self):
        for way in ("plain", "session"):
            self.assertWorks(4, "triangles", "--generate", 2000, "--order", "random", "--way", way, says="verified")

    def test_complete_graph_on_32_pes(self):
        path = self.write("k12.mtx", complete_graph(12))
        self.assertWorks(32, "triangles", path, "--expect", 220, says="12 vertices, 66 edges, 220 t")

    def test_loops_directions_and_values_do_not_count(self):
        path = self.write("loops.mtx", "%%matrixmarket MATRIX Coordinate Integer GENERAL\r\n"
                          "% a comment\r\n\r\n4 4 7\r\n1 2 5\r\n2 1 -7\r\n2 3 0\r\n3 1 1\r\n"
                          "2 2 9\r\n4 4 1\r\n% another\r\n4 1 1\r\n")
        for pes in jobs.PES:
            self.assertWorks(pes, "triangles", path, says="4 vertices, 4 edges, 1 triangles")

    def test_no_edges(self):
        path = self.write("none.mtx", HEADER + "pattern symmetric\n5 5 0\n")
        for pes in jobs.PES:
            self.assertWorks(pes, "triangles", path, says="5 vertices, 0 edges, 0 triangles")

    def test_another_count_than_expected(self):
        path = self.write("k5.mtx", complete_graph(5))
        self.assertRefuses(2, "triangles", path, "--expect", 11,
                           says="expected 11 triangles, counted 10")

    def test_malformed(self):
        for name, (content, says) in MALFORMED.items():
            path = self.write(name.replace(" ", "-") + ".mtx", content)
            for pes in (1, 4):
                with self.subTest(name=name, pes=pes):
                    self.assertRefuses(pes, "triangles", path, says=path + says)

    def test_files_that_are_none(self):
        for pes in jobs.PES:
            self.assertRefuses(pes, "triangles", "missing.mtx", says="missing.mtx: cannot be opened")
            self.assertRefuses(pes, "triangles", self.folder, says="cannot be")


class ConjugateGradients(jobs.Case):
    def test_laplacian(self):
        for pes in (*jobs.PES, 32):
            for grid in (1, 2, 40):
                with self.subTest(pes=pes, grid=grid):
                    self.assertWorks(pes, "cg", "--laplacian", grid,
                                     says=["order %d," % grid ** 2, "verified"])

    def test_tighter_tolerance(self):
        self.assertWorks(3, "cg", "--laplacian", 30, "--tolerance", "1e-13", says="verified")

    def test_both_triangles_or_one(self):
        full = self.write("full.mtx", HEADER + "real general\n2 2 4\n1 1 2\n1 2 1\n2 1 1\n2 2 3\n")
        half = self.write("half.mtx", HEADER + "integer symmetric\n2 2 3\n1 1 2\n1 2 1\n2 2 3\n")
        for pes in jobs.PES:
            for path in full, half:
                self.assertWorks(pes, "cg", path, says=["order 2, 4 entries, 2 iter", "verified"])

    def test_matrices_that_will_not_do(self):
        for content, says in (
                ("real general\n2 3 1\n1 1 1\n", "square matrix; this one is 2 x 3"),
                ("real general\n2 2 3\n1 1 2\n1 2 1\n2 2 2\n", "symmetric matrix; this one is not"),
                ("real general\n2 2 4\n1 1 2\n1 2 1\n2 1 2\n2 2 2\n", "this one is not"),
                ("real symmetric\n2 2 1\n1 1 1\n", "diagonal entry of row 2 is not positive"),
                ("real symmetric\n2 2 2\n1 1 1\n2 2 -1\n", "diagonal entry of row 2 is not"),
                ("real symmetric\n3 3 5\n1 1 1\n2 2 1\n3 3 1\n2 1 3\n3 2 -4\n",
                 "not positive definite: found out")):
            path = self.write("bad.mtx", HEADER + content)
            for pes in (1, 2, 8):
                with self.subTest(pes=pes, says=says):
                    self.assertRefuses(pes, "cg", path, says=says)

    def test_too_few_iterations(self):
        self.assertRefuses(2, "cg", "--laplacian", 50, "--iterations", 3, says="did not converge")

    def test_malformed(self):
        for name, (content, says) in MALFORMED.items():
            path = self.write("cg-" + name.replace(" ", "-") + ".mtx", content)
            with self.subTest(name=name):
                self.assertRefuses(3, "cg", path, says=path + says)


if __name__ == "__main__":
    jobs.main()
