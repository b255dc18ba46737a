# SPDX-License-Identifier: BSD-3-Clause
"""triangles and cg on the matrices of ../shared/data, where that folder lies next to the checkout;
skipped elsewhere."""
import os
import unittest

import jobs

# The message for each broken file: what it must hold after the file's name.
MALFORMED = {
    "mangled1": ":1: expected 'matrix', found 'mangled'",
    "mangled2": ":1: expected 'coordinate', found 'mangled'",
    "mangled3": ":1: expected real, integer or pattern, found 'mangled'",
    "mangled4": ":1: expected general, symmetric or skew-symmetric, found 'mangled'",
    "mangled5": ":1: hermitian needs complex entries",
    "mangled6": ":1: hermitian needs complex entries",
    "mangled7": ":2: .*found 'gunk'",
    "mangled8": ":4: expected 'ROWS COLUMNS ENTRIES', found '3'",
    "mangled9": ":4: a symmetric matrix must be square; this one is 3 x 4",
    "mangled10": ":7: the file ends after 2 of 3 entries",
    "mangled11": ":5: expected a column number, found '1 zero pi'",
    "mangled12": ":5: expected 'ROW COLUMN VALUE'",
    "mangled13": ":7: column 9999 is outside",
    "mangled14": ":8: the entry of row 2, column 2 is there twice, first on line 7",
}


def data(name):
    return os.path.normpath(os.path.join(jobs.DATA, name))


@unittest.skipUnless(os.path.isdir(jobs.DATA), os.path.normpath(jobs.DATA) + " is not there")
class Data(jobs.Case):
    def test_triangles(self):
        for name, facts in (("karate", (34, 78, 45)), ("jagmesh7", (1138, 3156, 2016)),
                            ("bcsstk13", (2003, 40940, 342300))):
            for pes in jobs.PES:
                with self.subTest(name=name, pes=pes):
                    self.assertWorks(pes, "triangles", data(name + ".mtx"), "--expect", facts[2],
                                     says="%d vertices, %d edges, %d triangles" % facts)

    def test_conjugate_gradients(self):
        for pes in jobs.PES:
            with self.subTest(pes=pes):
                self.assertWorks(pes, "cg", data("bcsstk13.mtx"), "--tolerance", "1e-8",
                                 says=["order 2003, 83883 entries", "verified"])

    def test_good_files_for_something_else(self):
        for pes in jobs.PES:
            self.assertRefuses(pes, "triangles", data("lp_afiro.mtx"), says="27 x 51")
            self.assertRefuses(pes, "cg", data("lp_afiro.mtx"), says="27 x 51")
            self.assertRefuses(pes, "cg", data("west0067.mtx"), says="not positive definite")
            self.assertRefuses(pes, "cg", data("karate.mtx"), says="not positive definite")

    def test_malformed(self):
        names = sorted(os.listdir(data("malformed")))
        self.assertEqual(names, sorted(name + ".mtx" for name in MALFORMED))
        for name, says in MALFORMED.items():
            for pes in jobs.PES:
                with self.subTest(name=name, pes=pes):
                    path = data("malformed/%s.mtx" % name)
                    self.assertRefuses(pes, "triangles", path, says=path + says)
            with self.subTest(name=name, app="cg"):
                self.assertRefuses(4, "cg", path, says=path + says)


if __name__ == "__main__":
    jobs.main()
