# SPDX-License-Identifier: BSD-3-Clause
"""Programs in valgrind: nothing uninitialized is sent to far PEs, and reservations are small there, where each GiB of
addresses costs a second and more."""
import os
import shutil
import unittest

import outside

VALGRIND = ("valgrind", "-q", "--error-exitcode=9")


@unittest.skipIf(outside.SANITIZE, "a sanitizer's programs do not run in valgrind")
@unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
class Valgrind(outside.Case):
    def test_origins(self):
        """2 PEs took more than a minute, and one did not end within two."""
        for pes in (1, 2):
            result = outside.oshrun(pes, *VALGRIND, "--track-origins=yes", outside.program("valgrind"), timeout=100)
            self.assertRan(result)
            self.assertLess(result.seconds, 40 * outside.PATIENCE)

    @unittest.skipUnless(outside.ENGINES, "no network engine is built")
    def test_far(self):
        environment = {**os.environ, "SHEAF_ONNODE": "off"}
        self.assertRan(outside.oshrun(2, *VALGRIND, outside.program("valgrind"), timeout=100, env=environment))


if __name__ == "__main__":
    outside.main()
