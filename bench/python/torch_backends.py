# SPDX-License-Identifier: BSD-3-Clause
"""torch_backends.py [SECONDS]: what collectives of torch.distributed take by sheaf and by gloo, and sheaftorch.now's, in turns, on each
number of ranks.

    PYTHONPATH=build/python python3 bench/python/torch_backends.py

Medians of rounds, in microseconds; each call is made by all ranks at once, as torch.distributed's functions are called.
Starts its own ranks; needs PyTorch."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

SIZES = (1 << 10, 1 << 16, 1 << 20, 1 << 25)
RANKS = (2, 4)


def measure():
    import torch
    import torch.distributed as dist

    from sheaftorch import now  # makes the backend known, too

    size, rank, seconds = int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"]), float(os.environ["EACH"])
    dist.init_process_group("sheaf", init_method="file://" + os.environ["MEET"], rank=rank, world_size=size)
    groups = {"sheaf": dist.group.WORLD, "gloo": dist.new_group(backend="gloo"), "now": None}

    def alltoall(parts, outs, group):
        """Gloo of torch 1.13 has none: its members send to each other."""
        if group is groups["sheaf"]:
            dist.all_to_all(outs, parts, group)
            return
        works = [dist.irecv(outs[other], other, group) for other in range(size) if other != rank]
        works += [dist.isend(parts[other], other, group) for other in range(size) if other != rank]
        outs[rank].copy_(parts[rank])
        for work in works:
            work.wait()

    for bytes_ in SIZES:
        tensor = torch.ones(bytes_ // 4)
        outs = [torch.empty(bytes_ // 4) for _ in range(size)]
        whole, taken = torch.empty(size * bytes_ // 4), torch.empty(bytes_ // 4)
        ins, parts = list(tensor.chunk(size)), list(taken.chunk(size))
        calls = {"all_reduce": (lambda group: dist.all_reduce(tensor, dist.ReduceOp.MAX, group),
                                lambda _: now.all_reduce(tensor, "max")),
                 "broadcast": (lambda group: dist.broadcast(tensor, 0, group), lambda _: now.broadcast(tensor)),
                 "all_gather": (lambda group: dist.all_gather(outs, tensor, group), lambda _: now.all_gather(whole, tensor)),
                 "all_to_all": (lambda group: alltoall(ins, parts, group), lambda _: now.all_to_all(taken, tensor))}
        for name, forms in calls.items():
            times = in_turns(dist, torch, forms, groups, seconds)
            if rank == 0:
                sheaf, gloo, short = (statistics.median(times[backend]) for backend in ("sheaf", "gloo", "now"))
                print(f"{size} {name:10} {bytes_:9} {sheaf:9.1f} {gloo:9.1f} {gloo / sheaf:6.1f} {short:9.1f}", flush=True)
    dist.barrier()


def in_turns(dist, torch, forms, groups, seconds):
    """Of each backend the times of a call, in batches that take turns. forms: torch.distributed's, and sheaftorch.now's."""
    times = {backend: [] for backend in groups}
    end, goes_on = time.monotonic() + seconds, torch.ones(1)
    while goes_on.item():
        for backend, group in groups.items():
            call = forms[backend == "now"]
            dist.barrier()
            call(group)
            begun = time.perf_counter()
            call(group)
            count = torch.tensor([20 if time.perf_counter() - begun < 0.002 else 1])
            dist.all_reduce(count, dist.ReduceOp.MIN)
            begun = time.perf_counter()
            for _ in range(count.item()):
                call(group)
            times[backend].append((time.perf_counter() - begun) / count.item() * 1e6)
        goes_on[0] = time.monotonic() < end
        dist.broadcast(goes_on, 0)
    return times


def main():
    if "EACH" in os.environ:
        measure()
        return
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1
    print("ranks call bytes  sheaf us  gloo us  ratio  now us", flush=True)
    for ranks in RANKS:
        with tempfile.TemporaryDirectory() as folder:
            common = dict(os.environ, EACH=str(seconds), WORLD_SIZE=str(ranks), MEET=folder + "/meet", OMP_NUM_THREADS="1",
                          GLOO_SOCKET_IFNAME="lo")
            processes = [subprocess.Popen([sys.executable, __file__], env=dict(common, RANK=str(rank))) for rank in range(ranks)]
            if any([process.wait() for process in processes]):
                sys.exit(1)


main()
