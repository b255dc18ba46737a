# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of this folder share: skipping where hosts cannot be made, and how they are run.

CTest gives BUILD, the build folder. LAUNCHERS, when it is set, names those to test alone.
"""
import os
import sys
import unittest

from hosts import Site, Unavailable
from launchers import LAUNCHERS

BUILD = os.environ.get("BUILD", "")
SKIPPED = 77


def launchers_here():
    """The names of those that can be used, and a line on each that cannot."""
    found = []
    wanted = os.environ.get("LAUNCHERS", " ".join(LAUNCHERS)).split()
    for name, kind in LAUNCHERS.items():
        if name not in wanted:
            continue
        why = kind.missing()
        if why:
            print(f"not tested: {name}: {why}", flush=True)
        else:
            found.append(name)
    return found


def need_hosts():
    """Ends the test as skipped where hosts cannot be made, with the reason."""
    try:
        with Site(1):
            pass
    except Unavailable as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)


def main():
    need_hosts()
    if not launchers_here():
        print("skipped: no launcher")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)
