# SPDX-License-Identifier: BSD-3-Clause
"""oshdump: shows variables in a snapshot of an OpenSHMEM program's symmetric memory."""
import sys

if sys.version_info < (3, 9):
    sys.exit("oshdump: needs Python 3.9 or later; this is %d.%d" % sys.version_info[:2])

from oshdump.command import main

main()
