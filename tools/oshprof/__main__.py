# SPDX-License-Identifier: BSD-3-Clause
"""oshprof: shows where the time of an OpenSHMEM program goes."""
import sys

if sys.version_info < (3, 9):
    sys.exit("oshprof: needs Python 3.9 or later; this is %d.%d" % sys.version_info[:2])

from oshprof.command import main

main()
