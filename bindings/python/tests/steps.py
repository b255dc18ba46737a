# SPDX-License-Identifier: BSD-3-Clause
"""steps.py FOLDER [how]: ten steps with a snapshot after the fifth; goes on where a snapshot is named."""
import sys

import sheafshmem as shmem

FOLDER, HOW = sys.argv[1], (sys.argv[2:] or [""])[0]
ME, PES = shmem.my_pe(), shmem.n_pes()
if HOW == "other arrays":
    shmem.zeros(7)
step = shmem.zeros(1, int)
field = shmem.zeros(1000, int)
space = shmem.Space(1 << 20)
sums = space.zeros(10)

found = shmem.restore(FOLDER, "half-way") if HOW == "restore" else shmem.restore()
if HOW == "bad tag":
    shmem.snapshot(FOLDER, "a/b")
if HOW == "no text":
    shmem.snapshot(3, "half-way")
if found and ME == 0:
    print("goes on at step", step[0])
while step[0] < 10:
    field.atomic_add(ME + step[0], (ME + 1) % PES, at=step[0])
    shmem.quiet()
    shmem.sync()
    sums[step[0]] = field.sum()
    step += 1
    shmem.barrier()
    if step[0] == 5 and not found and HOW != "none":
        shmem.snapshot(None if HOW == "named" else FOLDER, "half-way")
print("PE", ME, sums.tolist(), field.sum())
