# SPDX-License-Identifier: BSD-3-Clause
"""heat: the same picture on any number of PEs, the known solution, pictures of all kinds as input,
and everything that can be wrong with files."""
import os
import re
import struct
import subprocess
import zlib

import jobs

METHODS = ("jacobi", "gauss-seidel", "sor")
HAS_PNG = "Pictures are PNG" in subprocess.run([jobs.program("heat"), "--help"], timeout=60,
                                               stdout=subprocess.PIPE, text=True).stdout


def chunk(kind, body):
    return (struct.pack(">I", len(body)) + kind + body +
            struct.pack(">I", zlib.crc32(kind + body)))


def png(width, height, colour_type, depth, rows, palette=b""):
    """A PNG of these rows of samples, each row already packed."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
            (chunk(b"PLTE", palette) if palette else b"") + chunk(b"IDAT", body) +
            chunk(b"IEND", b""))


def grey_rows(width, height):
    return [bytes((7 * x + 31 * y) % 256 for x in range(width)) for y in range(height)]


class Heat(jobs.Case):
    def picture(self, pes, *arguments, app="heat"):
        """The bytes of the picture that a run makes."""
        path = os.path.join(self.folder, "out-%d" % pes)
        self.assertWorks(pes, app, *arguments, "--output", path, says="wrote " + path)
        with open(path, "rb") as file:
            content = file.read()
        os.unlink(path)
        return content

    def test_any_number_of_pes_draws_the_same(self):
        for method in METHODS:
            for size, iterations in ((40, 25), (5, 4), (3, 3)):
                arguments = ("--method", method, "--size", size, "--iterations", iterations,
                             "--tolerance", 0)
                alone = self.picture(1, *arguments)
                for pes in (2, 3, 4, 8, 32):
                    with self.subTest(method=method, size=size, pes=pes):
                        self.assertEqual(self.picture(pes, *arguments), alone)

    def test_known_solution(self):
        for method in METHODS:
            for pes in jobs.PES:
                with self.subTest(method=method, pes=pes):
                    out = self.assertWorks(pes, "heat", "--method", method, "--plate", "saddle",
                                           "--size", 34, "--tolerance", 1e-9,
                                           says=["settled after", "exact solution"]).out
                    error = float(re.search("off by at most (.*) from", out).group(1))
                    self.assertLess(error, 1e-6)

    def test_one_plate_by_three_methods(self):
        """All settle on the same temperatures: their pictures differ by rounding at most."""
        def samples(method):
            content = self.picture(2, "--method", method, "--size", 30, "--tolerance", 1e-11,
                                   app="netpbm/heat")
            return content[-30 * 30 * 3:]

        jacobi = samples("jacobi")
        self.assertGreater(max(jacobi) - min(jacobi), 200)
        for method in METHODS[1:]:
            self.assertLessEqual(max(abs(a - b) for a, b in zip(samples(method), jacobi)), 2)

    def test_progress_and_limit(self):
        self.assertWorks(2, "heat", "--size", 64, "--iterations", 20,
                         says=["iteration +10, largest change", "stopped after 20 iterations"])

    def test_netpbm(self):
        rows = grey_rows(11, 9)
        grey = self.write("in.pgm", b"P5\n# a comment\n11 9\n255\n" + b"".join(rows))
        colour = self.write("in.ppm", b"P6 11 9 255\n" +
                            b"".join(bytes((v, v, v)) for row in rows for v in row))
        alone = self.picture(1, "--input", grey, "--iterations", 5, app="netpbm/heat")
        self.assertTrue(alone.startswith(b"P6\n11 9\n255\n"))
        self.assertEqual(len(alone), len(b"P6\n11 9\n255\n") + 11 * 9 * 3)
        for pes in (1, 3, 8):
            for path in grey, colour:
                self.assertEqual(self.picture(pes, "--input", path, "--iterations", 5,
                                              app="netpbm/heat"), alone)

    def test_damaged_netpbm(self):
        for content in (b"", b"P4\n1 1\n", b"P5\n", b"P5\n4 4\n65535\n", b"P5\n4 4\n255\nshort",
                        b"P6\n99999999 99999999\n255\n", b"P5\n-1 4\n255\n", b"P5\n# no end"):
            path = self.write("bad.pgm", content)
            with self.subTest(content=content):
                self.assertRefuses(2, "netpbm/heat", "--input", path, says=path + ": ")

    def test_files_that_cannot_be(self):
        for pes in jobs.PES:
            self.assertRefuses(pes, "heat", "--input", "missing.png",
                               says="missing.png: cannot be opened")
            self.assertRefuses(pes, "heat", "--output", "no/such/folder.png",
                               says="no/such/folder.png: cannot be written")
            self.assertRefuses(pes, "heat", "--size", 8, "--iterations", 1, "--output",
                               "/dev/full", says="/dev/full: cannot be written")
            self.assertRefuses(pes, "heat", "--input", self.folder, says=self.folder + ": ")


class Png(jobs.Case):
    def setUp(self):
        if not HAS_PNG:
            self.skipTest("heat was built without libpng")

    picture = Heat.picture

    def test_size_of_the_picture(self):
        content = self.picture(3, "--size", 20, "--iterations", 1)
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", content[16:24]), (20, 20))

    def test_any_kind_of_picture(self):
        """Grey, colour, palette, 16 bits and opaque alpha mean the same temperature."""
        width, height = 13, 17
        rows = grey_rows(width, height)
        kinds = {
            "grey": png(width, height, 0, 8, rows),
            "colour": png(width, height, 2, 8, [bytes(v for v in row for _ in range(3))
                                                for row in rows]),
            "alpha": png(width, height, 6, 8, [b"".join(bytes((v, v, v, 255)) for v in row)
                                               for row in rows]),
            "palette": png(width, height, 3, 8, rows,
                           bytes(v for v in range(256) for _ in range(3))),
            "16 bits": png(width, height, 0, 16, [bytes(b for v in row for b in (v, v))
                                                  for row in rows]),
        }
        expected = None
        for kind, content in kinds.items():
            path = self.write("in.png", content)
            for pes in (1, 2, 32):
                with self.subTest(kind=kind, pes=pes):
                    drawn = self.picture(pes, "--input", path, "--iterations", 3)
                    expected = expected or drawn
                    self.assertEqual(drawn, expected)
        self.assertEqual(struct.unpack(">II", expected[16:24]), (width, height))

    def test_input_and_output_may_be_one_file(self):
        path = self.write("same.png", png(8, 8, 0, 8, grey_rows(8, 8)))
        self.assertWorks(2, "heat", "--input", path, "--output", path, says="wrote " + path)

    def test_damaged(self):
        good = png(40, 40, 0, 8, grey_rows(40, 40))
        for name, content in (("empty", b""), ("text", b"hello, world\n"), ("short", good[:20]),
                              ("cut", good[:len(good) // 2]),
                              ("flipped", good[:60] + b"\xff\0\xff" + good[63:]),
                              ("huge", png(2000000000, 2000000000, 0, 8, [])),
                              ("large", png(900000, 900000, 0, 8, [])),
                              ("thin", png(2, 40, 0, 8, grey_rows(2, 40)))):
            path = self.write(name + ".png", content)
            for pes in (1, 4):
                with self.subTest(name=name, pes=pes):
                    self.assertRefuses(pes, "heat", "--input", path, says=path + ": ")


if __name__ == "__main__":
    jobs.main()
