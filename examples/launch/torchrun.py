# SPDX-License-Identifier: BSD-3-Clause
"""PEs that torchrun starts: torchrun --nproc-per-node 4 torchrun.py. On several nodes set SHEAF_SECRET on each first."""
import sheaf

me, pes = sheaf.my_pe(), sheaf.n_pes()
ranks = sheaf.zeros(1, dtype=int)
ranks.put([me], (me + 1) % pes)
sheaf.barrier()
print(f"PE {me} of {pes}: PE {ranks[0]} wrote here")
