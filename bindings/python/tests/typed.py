# SPDX-License-Identifier: BSD-3-Clause
"""What a type checker says of programs: nothing of the right calls, and each wrong one is found."""
from typing import Optional

import numpy as np

import sheaf

a: sheaf.Array = sheaf.zeros((3, 4), "int64")
a.put(np.ones(3), 1, at=2)
number: int = sheaf.my_pe()
team: Optional[sheaf.Team] = sheaf.world().split_strided(0, 2, 2)
place: Optional[int] = a.test_any("==", [1, 2, 3])
flag: bool = a.put_nbi([1, 2], 0).test()
with sheaf.context(team) as context, sheaf.session(context, 8), sheaf.quiet(context):
    a.atomic_fetch_add_nbi(1, 0, context=context).wait()
with sheaf.Space(1 << 20, "huge") as space:
    b: sheaf.Array = space.zeros(3)
sheaf.alltoalls(a[::2], b)
results: "list[int]" = sheaf.run(sheaf.n_pes, pes=2)
a.put([1])  # type: ignore[call-arg]
a.wait_until("=", 1)  # type: ignore[arg-type]
sheaf.reduce(a, op="mean")  # type: ignore[arg-type]
a.on("PE 1")  # type: ignore[arg-type]
