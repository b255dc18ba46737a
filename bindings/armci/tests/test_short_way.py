# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions per call of ARMCI's short way on one host, down to the processor's, against upper bounds, as
# tests/bench/fast_paths.py counts them. Arguments: that file's folder, the program short_way, a folder to work in, the
# compiler and its version.

import sys

sys.path.insert(0, sys.argv.pop(1))
import fast_paths  # noqa: E402

# Of one call: by gcc, and by clang as they may be. fence: the mean of a put and its fence.
fast_paths.COUNTS = {"put": (68, 80), "fence": (43, 52), "get": (62, 74), "accumulate_double": (148, 176),
                     "accumulate_long": (116, 138), "rmw": (19, 23)}
fast_paths.COPIED = {}
fast_paths.OTHER_VERSION = 8  # gcc 13 takes 7 for put
sys.exit(fast_paths.main())
