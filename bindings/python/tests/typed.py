# SPDX-License-Identifier: BSD-3-Clause
"""What a type checker says of programs: nothing of the right calls, and each wrong one is found."""
from typing import Optional

import numpy as np

import sheafshmem as shmem

a: shmem.Array = shmem.zeros((3, 4), "int64")
a.put(np.ones(3), 1, at=2)
number: int = shmem.my_pe()
team: Optional[shmem.Team] = shmem.world().split_strided(0, 2, 2)
place: Optional[int] = a.test_any("==", [1, 2, 3])
flag: bool = a.put_nbi([1, 2], 0).test()
with shmem.context(team) as context, shmem.session(context, 8), shmem.quiet(context):
    a.atomic_fetch_add_nbi(1, 0, context=context).wait()
with shmem.Space(1 << 20, "huge") as space:
    b: shmem.Array = space.zeros(3)
shmem.alltoalls(a[::2], b)
results: "list[int]" = shmem.run(shmem.n_pes, pes=2)
a.put([1])  # type: ignore[call-arg]
a.wait_until("=", 1)  # type: ignore[arg-type]
shmem.reduce(a, op="mean")  # type: ignore[arg-type]
a.on("PE 1")  # type: ignore[arg-type]
