# SPDX-License-Identifier: BSD-3-Clause
#
# The papers whose studies are run again: the five that Sheaf builds on, by the letters of the page, and others.

NODE = ("(A) R. Brightwell, K. Pedretti, An Intra-Node Implementation of OpenSHMEM Using Virtual Address Space Mapping, PGAS 2011")
DIPOSH = ("(B) C. Coti, A. D. Malony, On the Road to DiPOSH: Adventures in High-Performance OpenSHMEM, LNCS 12043, 2020, with the data "
          "of DiPOSH: A portable OpenSHMEM implementation for short API-to-network path, Concurrency and Computation: Practice and "
          "Experience 33(11), 2021")
REMOTE = ("(C) V. Tipparaju, A. Kot, J. Nieplocha, M. ten Bruggencate, N. Chrisochoides, Evaluation of Remote Memory Access "
          "Communication on the Cray XT3")
ATOMIC = ("(D) P. Shamis, M. G. Venkata, S. W. Poole, S. Pophale, M. Dubman, R. Graham, D. Goldenberg, G. Shainer, Development and "
          "Extension of Atomic Memory Operations in OpenSHMEM")
TSHMEM = ("(E) B. C. Lam, A. D. George, H. Lam, V. Aggarwal, Low-level PGAS computing on many-core processors with TSHMEM")
NAS = "D. Bailey and others, The NAS Parallel Benchmarks, RNR-94-007, 1994"
BALE = "F. M. Maley, J. G. DeVinney, Conveyors for Streaming Many-To-Many Communication, IA3 2019"
FIVE = (NODE, DIPOSH, REMOTE, ATOMIC, TSHMEM)

# What each shows, and where it is answered: by parts of the study, which the page links where they were measured, and by other
# pages. No figure is a paper's unless its data or the paper gives it.
ANSWERS = (
    ("A", "latency, and the longest of many", ("transfers", "jitter"),
     "The average holds. The longest is other processes' doing here, where the paper's kernel has none; `SHEAF_LOW_JITTER=on` is "
     "against that"),
    ("A", "other libraries of OpenSHMEM (`BENCH_SHMEM`)", ("transfers", "atomics", "fft"),
     "Open MPI's in the tables; Sandia's and OSHMPI once, in the notes of the first section"),
    ("A", "message rate to six different neighbours, 128 messages each, caches invalidated, 16 processes",
     ("rate",), "On fewer CPUs than PEs the rate is also the scheduler's"),
    ("A", "bandwidth by size", ("curve",), "From some MiB on all are the memory's speed"),
    ("A", "the network on one node beside mapped memory", ("wire",), "Memory that both map takes no system call"),
    ("A", "section 4.3: the reduction in turns", ("turns",),
     "Slower than a share of the array for each PE, which uses all processors at once"),
    ("A", "latency of every pair of CPUs", ("pairs",), "A map, where there are more than two"),
    ("A", "future work: a process that maps all others and works for them",
     ("[waiting.md](../understand/waiting.md#copies-while-the-pe-computes)", "overlap"),
     "A thread of each PE does it, where there is a processor for it: nine tenths of 64 KiB and more are hidden. Another process could "
     "not read private memory"),
    ("B", "Figure 2: a channel for each peer", ("[hosts](../do/hosts.md#hosts-that-do-not-all-have-the-same-network)",),
     "Memory on a host; between hosts the first of several networks that both have (`SHEAF_ENGINE=ucx,ofi,mpi`)"),
    ("B", "Figure 3: MPI without `MPI_Init`", ("[mpi.md](../do/mpi.md#begin-and-end)",), "Runs as printed, with Open MPI and MPICH"),
    ("B", "Figures 4 and 5: put and get on a host, by shared memory and by MPI", ("bandwidth",
     "[diposh.md](diposh.md#one-host)", "[mpi.md](mpi.md#one-host)"), "MPI as Sheaf's own channel on one host takes at most "
     "1.3 times MPI's time, from 8 B to 4 MiB"),
    ("B", "a matrix product", ("cannon", "[diposh.md](diposh.md#a-product)"), "Holds"),
    ("C", "Figures 3 to 6: overlap and progress, one-sided beside two-sided",
     ("growth", "overlap", "[network.md](network.md)"),
     "The paper's adapter moves data by itself. TCP and a copy on one host need a processor. A put or a get of Sheaf's goes on while "
     "its target computes, where both MPIs wait for the target's next call"),
    ("C", "NAS MG one-sided", ("nas", "multigrid"),
     "Equal on one host, where exchanges take a few hundredths of the time. With one PE a host exchanges take as long or less, and the "
     "whole is at 0.92 to 0.99 of the best MPI's speed: the notes there say why"),
    ("D", "one provider for each object", ("[atomics.md](../understand/atomics.md)",), "Holds; `SHEAF_ATOMICS` chooses the provider, and so does a memory space of kind `atomics:network`"),
    ("D", "native : built : by message as 1 : 2.0 : 5.3", ("network",),
     "Built holds. Over TCP a native operation is a message itself, so that the third cannot show"),
    ("E", "Figure 4: barriers", ("collectives", "[algorithms.md](algorithms.md)"),
     "Dissemination is ahead on two CPUs, a counter in one place with more PEs than CPUs. Barriers that sleep, libc's and one by futex, take "
     "80 to 90 µs where each PE has a CPU, and 20 beside Sheaf's 3.4 where two share one"),
    ("E", "reductions of ints and floats", ("sums",), "Floats take up to a quarter longer than ints, a tenth of 1 MiB"),
    ("E", "memory copies by size", ("copies",), "The steps are those of the caches"),
    ("E", "broadcast, fcollect and reduce by algorithm", ("collectives",),
     "Caches serve all cores here: [why](algorithms.md#beside-the-tshmem-study)"),
    ("E", "Table III and its applications", ("heat", "picture", "fit", "matmul", "fft"),
     "OpenSHMEM and OpenMP are equal within the rounds' spread in most rows; how they scale beyond two takes more CPUs than two"),
)

# What was measured beside a part's tables, or why they are so; Markdown behind the tables.
NOTES = {
    "transfers": """Two more libraries of OpenSHMEM were built once (`BENCH_SHMEM`): Sandia's 1.5.3 over libfabric 1.17, and OSHMPI over MPICH 5.0.2.
Sandia's copied by `process_vm_writev` within the host, as there was no XPMEM, and did atomic operations through libfabric's TCP. OSHMPI's header
says 1.4; it was made to say 1.5, of which it has the collectives. The first makes a system call for each put, the second a call of MPI.

| 8 B, 2 PEs | Sheaf | Sandia's | OSHMPI |
|---|---|---|---|
| put | 5.1 ns | 2.3 µs | 75 ns |
| get | 3.0 ns | 1.9 µs | 57 ns |
| fetch-add | 3.0 ns | 52 µs | 598 ns |

Heat by OSHMPI on 2 PEs gives a wrong plate, and its run says so. On one PE, and by all other libraries, the same program is right.""",
    "wire": """Others used the CPUs while this table was measured. Two quieter measurements, one way:

| | 8 B | 4 KiB and its flag | 1 MiB |
|---|---|---|---|
| fewer others, Xeon, 2.5 GHz: Sheaf over TCP | 6.3 µs | 10.6 µs | 385 µs |
| the same machine: mapped memory | 157 to 174 ns, once 544 | | |
| the same machine: a loop without a library | 131 ns | | |
| others, with priority over them: Sheaf over TCP | 7.8 and 8.9 µs | | |
| the same: Open MPI over TCP | 5.2 and 7.3 µs | | |
| the same: UCX's `ucx_perftest` over TCP | 7.1 µs | 8.4 µs, as one message | |""",
    "nas": """MG on one host, launched in turns with its MPI version. Seconds, the least of each, nothing else running (EPYC, 2 CPUs, 2026-11-29):

| | Sheaf | Open MPI 4.1.4 | MPICH 4.0.2 |
|---|---|---|---|
| class A, 1 PE | 0.88 | 1.06 | 1.04 |
| class A, 4 PEs, crowded | 0.69 | 0.70 | 1.04 |
| class B, 1 PE | 3.74 | 4.14 | 4.16 |
| class B, 4 PEs, crowded | 2.60 | 2.68 | |

On 2 PEs the two are equal: class A 0.494 and 0.505 s in 8 pairs, Open MPI's time 0.89 to 1.15 of Sheaf's (others used the CPUs, the pairs had
priority). Exchanges take 7 and 19 ms of that.""",
    "multigrid": """At 1 Gbit/s Sheaf's planes travel while it computes, and those of messages do not. Without that limit the whole takes Sheaf longer, though its
exchanges do not: the difference is in the computation. Milliseconds, class A, one PE a host, medians of 7 rounds in turns, nothing else running (EPYC,
2 CPUs, 2026-11-29):

| | whole | exchanges | the rest |
|---|---|---|---|
| Sheaf | 449 | 11 | 438 |
| Sheaf, `SHEAF_PROGRESS=off` | 443 | 15 | 428 |
| Open MPI 4.1.4 | 431 | 14 | 417 |
| MPICH 4.0.2 | 436 | 18 | 419 |

The progress thread shares the PE's processor and is half of the difference. The other half may be the kind of memory, which is not proved: with its
arrays in shared memory Open MPI's version took 445 ms at the least instead of 435, and Sheaf's without the thread 444, in rounds that others disturbed.""",
}
