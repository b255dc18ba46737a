# SPDX-License-Identifier: BSD-3-Clause
#
# The microbenchmarks of the papers, as parts of a study.

import os

from papers import ATOMIC, DIPOSH, NODE, REMOTE, TSHMEM
from rows import Bench, Part

OWN = ("Sheaf",)
LATENCIES = ("latency, average", "latency, least", "latency, 99.9 %", "latency, most")
KINDS = tuple(f"{what}, {here} to {there}" for what in ("put", "get") for here in ("heap", "static") for there in ("heap", "static"))
STREAMED = ("put, streamed", "get, streamed")
SIZES = "8,64,1024,4096,32768,262144,1048576,4194304"
GIVEN = "8,4096,65536,1048576"
ONE_FORM = {"BENCH_ONE_FORM": "1"}
CURVE = ",".join(str(1 << power) for power in range(3, 27))
TRIPS = tuple(f"there and back, {what}" for what in ("median", "one in a million", "longest"))
CPUS = sorted(os.sched_getaffinity(0))
PAIRS = tuple(f"CPU {one} and CPU {other}" for one in CPUS for other in CPUS if one < other)
THROUGH_TCP = {"SHEAF_ONNODE": "off", "SHEAF_ENGINE": "ucx", "UCX_TLS": "tcp,self", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self"}


def forced(program, what, variable, names, quick):
    """A collective as it is, with every library, and by each of Sheaf's algorithms."""
    yield Bench(program, (what,), 2, GIVEN, quick, settings=ONE_FORM, crowded=True)
    for name in names:
        yield Bench(program, (what,), 2, GIVEN, quick, ways=OWN, label=name, settings={**ONE_FORM, variable: name}, crowded=True)


def overlap(label, settings):
    asleep = {"BENCH_ASLEEP": "1", **settings}
    whats = tuple(f"overlap of {what}{target}" for what in ("put", "get") for target in ("", ", target asleep"))
    return Bench("overlap", whats, 4, "65536,262144,1048576,4194304", "4194304", 2, OWN, "net", label, asleep, unit="%")


class ThroughTcp(Bench):
    """Of the libraries that can be made to use TCP within a host."""

    def takes(self, way):
        return way.by_tcp and super().takes(way)


def pollution(label, settings):
    return Bench("pollution", ("walk behind a put",), 1, "1048576,16777216", "", 2, OWN, label=label, settings=settings)


PARTS = [
    Part("transfers", "Latency and kinds of memory",
         "Ping-pong with the time of every trip, since a job of many PEs waits for the slowest; put and get between static variables "
         "and the heap (of E).", [
             Bench("latency", LATENCIES, 1, "8,64,1024,4096,32768,262144,1048576", "8,4096", 2),
             Bench("kinds", KINDS, 2, "8,1024,32768,1048576", "8,4096", 2)], NODE),
    Part("rate", "Message rate to six neighbours",
         "Every PE sends 128 messages to each of six neighbours and gets as many, with 32 MiB written in between; the mean of all PEs. "
         "Two PEs have one other alone, to which all go; 8 and 16 PEs share the CPUs where those are fewer.", [
             Bench("rate", ("message to the 1 other", "message to six neighbours"), 6, "8,64,1024,4096", "8,4096", (2, 8, 16))], NODE),
    Part("curve", "Bandwidth to 64 MiB",
         "A put and its completion, and a get, from memory that is as large.", [
             Bench(program, whats, cost, CURVE, "8,1048576", 2, label="to 64 MiB")
             for program, whats, cost in (("put", ("put + quiet",), 6), ("get", ("get",), 4), ("rma", ("put + quiet", "get"), 25))],
         NODE),
    Part("wire", "One host through the network",
         "The ping-pong between two PEs of one host whose messages go through TCP (SHEAF_ONNODE=off, and MPI alike), beside memory that "
         "both map.", [
             Bench("latency", LATENCIES[:1], 1, "8,4096,1048576", "8", 2, label="in memory"),
             ThroughTcp("latency", LATENCIES[:1], 15, "8,4096,1048576", "8", 2, label="through TCP", settings=THROUGH_TCP)], NODE),
    Part("pairs", "Latency of every pair of CPUs", "A ping-pong of 8 bytes by PEs on these two.", [
             Bench("pairs", PAIRS, 1, "8", "8", 2, OWN)], NODE),
    Part("jitter", "The longest of ten million trips",
         "8 bytes there and back, as usual and with SHEAF_LOW_JITTER=on. What stopped the PEs: docs/measured/options.md.", [
             Bench("jitter", TRIPS, 12, "8", "8", 2, OWN),
             Bench("jitter", TRIPS, 12, "8", "8", 2, OWN, label="SHEAF_LOW_JITTER=on", settings={"SHEAF_LOW_JITTER": "on"})], NODE),
    Part("turns", "The reduction in turns",
         "Section 4.3 of the paper: one PE after the other adds its longs to the first one's result. Beside what Sheaf chooses.", [
             Bench("reduce", ("sum",), 2, GIVEN, "65536", ways=OWN, label=name, settings={**ONE_FORM, "SHMEM_REDUCE_ALGORITHM": algorithm},
                   crowded=True) for name, algorithm in (("in turns", "turns"), ("as chosen", "auto"))], NODE),
    Part("sums", "Sums of ints and floats",
         "As the sums of longs among the collectives; by the bytes of the whole. Rank order is kept for floats.", [
             Bench("sums", ("sum of ints", "sum of floats"), 4, GIVEN, "65536", crowded=True)], TSHMEM),
    Part("copies", "Memory copies by size",
         "memcpy by one process into memory that others map too: what a put cannot be faster than. Source and destination fill a cache "
         "together at half its size; behind that is a step.", [
             Bench("copy", ("memcpy",), 8, CURVE, "8,1048576", 1)], TSHMEM),
    Part("bandwidth", "Put and get against MPI",
         "The time of one transfer: a put, a put and its completion, a get; and of one of sixteen that are under way together. MPI is "
         "MPI_Put or MPI_Get and a flush (passive target), and in columns of its own MPI_Isend and MPI_Irecv, sixteen and an answer. "
         "Buffers are the same from one transfer to the next, as in the papers: what fits the caches stays in them.", [
             Bench("put", ("put", "put + quiet"), 1, SIZES, "8,1048576", 2),
             Bench("get", ("get",), 1, SIZES, "8,1048576", 2),
             Bench("stream", STREAMED, 2, SIZES, "8,1048576", 2, folder="net"),
             Bench("rma", ("put", "put + quiet", "get", *STREAMED), 3, SIZES, "8,1048576", 2)], DIPOSH),
    Part("overlap", "Transfers while the PE computes",
         "How much of a nonblocking transfer computation hides that takes three to four times as long, in per cent: on one node, "
         "where the caller makes the copy itself, and with a thread that does (SHEAF_COPIER=1). The target polls on the other CPU, or "
         "sleeps and leaves it. And a walk through 512 KiB that were in the caches before a put of that size.", [
             make(label, settings) for make in (overlap, pollution)
             for label, settings in (("", {}), ("SHEAF_COPIER=1", {"SHEAF_COPIER": "1"}))], REMOTE),
    Part("atomics", "Atomic operations",
         "One PE's operations on a word of another, 8 bytes, on one node; over the network they are a part of their own.", [
             Bench("amo", ("fetch-add", "add + quiet", "swap", "cswap"), 1, "8", "8", 2)], ATOMIC),
    Part("collectives", "Collectives and their algorithms",
         "Longs, and a barrier behind each; an algorithm's name behind the collective's where it was forced; libc's barrier and one by "
         "futex, which sleep, beside. Sums and broadcasts by the bytes of the whole, fcollect by what each PE gives.", [
             Bench("barrier", ("barrier_all", "barrier by pthread_barrier", "barrier by futex"), 1, "8", "8", crowded=True),
             *(Bench("barrier", ("barrier_all",), 1, "8", "", ways=OWN, label=name, settings={"SHMEM_BARRIER_ALGORITHM": name},
                     crowded=True) for name in ("central", "linear", "linear-broadcast",
                                                                                        "dissemination", "tree")),
             *forced("broadcast", "broadcast", "SHMEM_BCAST_ALGORITHM", ("push", "pull", "binomial"), "65536"),
             *forced("fcollect", "fcollect", "SHMEM_FCOLLECT_ALGORITHM", ("naive", "linear"), "65536"),
             *forced("reduce", "sum", "SHMEM_REDUCE_ALGORITHM", ("naive", "linear", "tree"), "65536")], TSHMEM),
]
