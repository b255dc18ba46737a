# SPDX-License-Identifier: BSD-3-Clause
"""PEs that torchrun starts: torchrun --nproc-per-node 4 torchrun.py. On several nodes set SHEAF_SECRET on each first."""
import sheafshmem as shmem

me, pes = shmem.my_pe(), shmem.n_pes()
ranks = shmem.zeros(1, dtype=int)
ranks.put([me], (me + 1) % pes)
shmem.barrier()
print(f"PE {me} of {pes}: PE {ranks[0]} wrote here")
