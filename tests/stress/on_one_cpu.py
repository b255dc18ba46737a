# SPDX-License-Identifier: BSD-3-Clause
#
# Runs a command on one processor alone, so that the PEs of a job outnumber their processors on every
# machine. Arguments: the command.

import os
import sys

os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execvp(sys.argv[1], sys.argv[1:])
