# SPDX-License-Identifier: BSD-3-Clause
"""oshrun -n 2 launched.py: ranks that a launcher of OpenSHMEM has started. With the word "late" a rank does not come, and with
"alone" it is the one that waits for it."""
import datetime
import importlib.util
import sys
import time

if importlib.util.find_spec("torch") is None:
    print(f"{sys.executable} has no torch")
    sys.exit(0)
import torch
import torch.distributed as dist

import sheaftorch  # noqa: F401: makes the backend known

if sys.argv[1:] == ["late"]:
    time.sleep(300)  # the other ends the job
limit = datetime.timedelta(seconds=2 if sys.argv[1:] == ["alone"] else 300)
dist.init_process_group("sheaf", init_method="sheaf://", timeout=limit)
total = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(total)
assert total.item() == sum(range(1, dist.get_world_size() + 1)), total
if dist.get_rank() == 0:
    print(f"the ranks of {dist.get_world_size()} add up")
dist.destroy_process_group()
