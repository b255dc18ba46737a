# SPDX-License-Identifier: BSD-3-Clause
"""PEs as actors of Ray, wherever it places them: ray_actors.py SIZE. Ray carries the identifier that the first actor makes."""
import sys

import ray


@ray.remote
class PE:
    def unique_id(self):
        import sheafshmem as shmem

        return shmem.unique_id()

    def run(self, rank, size, uid):
        import sheafshmem as shmem

        shmem.init(rank=rank, size=size, uid=uid)
        ranks = shmem.zeros(1, dtype=int)
        ranks.put([rank], (rank + 1) % size)
        shmem.barrier()
        line = f"PE {rank} of {size}: PE {ranks[0]} wrote here"
        shmem.finalize()
        return line


if __name__ == "__main__":
    size = int(sys.argv[1])
    ray.init()
    pes = [PE.remote() for _ in range(size)]
    uid = ray.get(pes[0].unique_id.remote())
    print("\n".join(ray.get([pe.run.remote(rank, size, uid) for rank, pe in enumerate(pes)])))
