# SPDX-License-Identifier: BSD-3-Clause
"""The engine over MPI, across hosts, by an MPI that offers the standard ABI of MPI 5: programs that use both, programs of
Sheaf alone, the windows of MPICH 5, which are refused, and a host that lacks this MPI.

CTest gives LIBRARY, libmpi_abi, whose MPI's own launcher is taken where it lies beside it; BOTH (tests/oshrun/both.c)
and ALONE, programs of Sheaf's with a space between; NOTFOUND where no such MPI was there at build time.
"""
import os
import sys

import common
from launchers import Layout
from two_hosts import TwoHosts

LIBRARY, BOTH, ALONE = os.environ["LIBRARY"], os.environ["BOTH"], os.environ["ALONE"].split()
FOLDER = os.path.dirname(LIBRARY)


class Abi(TwoHosts):
    settings = {"SHEAF_ENGINE": "mpi", "SHEAF_MPI": "abi"}

    def check(self, layout, program, says="", **settings):
        status, out = self.launcher.run(Layout(layout), program, 60, {**os.environ, **self.settings, **settings})
        with self.subTest(layout=layout, program=program, settings=settings):
            self.assertEqual((status, says in out, len(out.splitlines())), (0, True, 1 if says else 0), out)
        self.assertEqual(self.site.wait_until_clean(5), {})

    def test_both_in_one_program(self):
        for order in ("MSSM", "SMSM"):
            self.check([1, 2], [BOTH, order])

    def test_sheaf_alone(self):
        for program in ALONE:
            self.check([2, 1], [program])
            self.check([1, 1], [program], says="get lost with MPICH 5", SHEAF_RMA="native")

    def test_a_host_without_it(self):
        self.hide_on(self.site.hosts[1], "libmpi_abi.so.1")
        self.refuse({}, "host h2", "libmpi_abi.so.1", "SHEAF_MPI=")


if __name__ == "__main__":
    if "NOTFOUND" in (BOTH, os.path.basename(LIBRARY)) or not os.path.exists(LIBRARY):
        print("skipped: no MPI with MPI 5's standard ABI was there at build time: scripts/setup --abi installs one")
        sys.exit(common.SKIPPED)
    os.environ["LD_LIBRARY_PATH"] = FOLDER
    os.environ["PATH"] = os.path.join(os.path.dirname(FOLDER), "bin") + ":" + os.environ["PATH"]
    common.main()
