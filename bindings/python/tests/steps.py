# SPDX-License-Identifier: BSD-3-Clause
"""steps.py FOLDER [how]: ten steps with a snapshot after the fifth; goes on where a snapshot is named."""
import sys

import sheaf

FOLDER, HOW = sys.argv[1], (sys.argv[2:] or [""])[0]
ME, PES = sheaf.my_pe(), sheaf.n_pes()
if HOW == "other arrays":
    sheaf.zeros(7)
step = sheaf.zeros(1, int)
field = sheaf.zeros(1000, int)
space = sheaf.Space(1 << 20)
sums = space.zeros(10)

found = sheaf.restore(FOLDER, "half-way") if HOW == "restore" else sheaf.restore()
if HOW == "bad tag":
    sheaf.snapshot(FOLDER, "a/b")
if HOW == "no text":
    sheaf.snapshot(3, "half-way")
if found and ME == 0:
    print("goes on at step", step[0])
while step[0] < 10:
    field.atomic_add(ME + step[0], (ME + 1) % PES, at=step[0])
    sheaf.quiet()
    sheaf.sync()
    sums[step[0]] = field.sum()
    step += 1
    sheaf.barrier()
    if step[0] == 5 and not found and HOW != "none":
        sheaf.snapshot(None if HOW == "named" else FOLDER, "half-way")
print("PE", ME, sums.tolist(), field.sum())
