# SPDX-License-Identifier: BSD-3-Clause
#
# What Sheaf is to reach: for each measurement how many times ahead of the best other library, and
# how near to the machine's limit. judge() sets the measured figures beside it.

import math

MIB = 1 << 20
STREAMED = 16 * MIB # from here on copies go past the caches on every machine seen
SIZES = (8, 64, 1024, 4096, 32768, 262144, MIB, 4 * MIB)


# Why a target may be missed, by what is measured: what was found when it was looked into. Said where it is missed.
CALL = ("so far ahead a call would have to take 2.5 ns (p), 2.8 (g) or 1.3 (static): a store behind a call takes 2.6 without a library, a load 3.0, and "
        "one cycle more or less, as the code happens to lie, is 0.3 ns; oshcc --inline spares the call")
LOCKED = ("behind a call the loads that lead back to the program and to the PE's memory wait for the LOCK: the same "
          "function without a library takes as long; oshcc --inline spares the call")
COPIED = ("a put or get below 32 KiB is libc's memcpy, reached in 17 instructions, and above it the faster of two ways. Programs differ from start to "
          "start: in 68 starts in turns 4 MiB took 86.1 to 160 µs by a put, 86.0 to 104 with SHEAF_COPY=memcpy, 86.5 to 101 by a loop of memcpy without a "
          "library (limits/copy.c), in the middle 87.7, 87.7 and 87.9 (2026-11-30 08:27 UTC). From 16 MiB on what memcpy takes changes with the neighbours' use of "
          "the cache: 996 µs for 16 MiB at 03:36, 700 at 09:01 and 706 at 13:58, and puts, which go past the caches, 690, 646 and 632. Both at once put 16 MiB at the memory's "
          "rate: two processes without a library take 1.03 to 1.29 ms by any of eleven such loops, and 1.38 to 1.78 by memcpy (12:15 UTC). Five starts in turns at "
          "12:17 meet these targets: both at once 16 MiB, put 1.19 ms and Open MPI 1.50, get 1.21 and 1.74; get of 64 MiB 4.45 and 7.09. Both at once "
          "1 MiB takes 21.9, 22.5, 21.9 and 22.1 in 12 starts, and 4 MiB 93.1, 103, 96.9 and 93.5, the last by Open MPI")
TRANSFERS = ("two one-way messages of a cache line, and a third exchange from 49 bytes on, take the plain loops as long (limits/broadcast.c); the rest are "
             "the calls' instructions, and the time that the root's line takes to come for writing, which runs beside them: a way of 257 instructions to "
             "the root's message took 113 ns for 1 long, the present one 92, and 372 instead of 387 where the CPUs share no cache (the loops: 400). "
             "One of 121, with the recorder's entry behind the message, took 93 (two starts). 1 KiB in slots of the library instead of a third exchange takes "
             "plain loops 151 to 184 ns, with a number in each line 199, in place 110")
RHYTHM = ("the limit is the least batch of two bare loops, which fall into rhythms of 32 and 50 ns (limits/limit.h); the "
          "figure is the median of all batches")
LEARNED = ("sources and dests of both PEs are 32 MiB, the whole third-level cache. In fifteen starts in turns Sheaf took 404 to 618 µs and once 1,248, in the "
           "middle 460, Open MPI 444 to 661 and 492 (2026-11-30 12:16 UTC, nothing else running); two or three of Sheaf's streamed to the end (601 to 637), and few "
           "rounds count here. Two processes that copy by memcpy and meet by flags, without a library, take 722 in calls 5 to 9, 624 to call 19, 530 to 39 "
           "and 544 to 79, where Sheaf, which tries both ways, takes 731, 620, 628 and 583, Open MPI 668, 609, 576 and 548. Calls 0 to 4, which the rows leave out, "
           "take 846 and 1,879: all calls up to the 20th take 14 and 19 ms, to the 80th 50 and 52 (medians of six starts in turns)")
WHY = {
    "p": CALL, "p static": CALL, "g": CALL, "g static": CALL, "get static": CALL,
    **{what: COPIED for what in ("put", "get", "put, all at once", "get, all at once")}, "fetch-add": LOCKED, "add": LOCKED, "swap": LOCKED, "cswap": LOCKED,
    "ping-pong": RHYTHM, "barrier_all": RHYTHM, "sync_all": RHYTHM,
    "broadcast": TRANSFERS,
    **{f"{what} of 4 MiB + barrier": LEARNED for what in ("fcollect", "collect", "alltoall")},
    "put with signal, one line": "the receiver reads the data too, and a copy of a length that fits no register takes 1 to 2 ns; "
                                 "without a library 48 bytes take 1.03 × 8 bytes (limits/pingpong.c)",
    "MPI_Accumulate + flush": "each `long` is added by itself, also for whoever adds to it by `shmem_atomic_add`; a loop of such "
                              "instructions takes as long (limits/peers.c); of doubles, where Sheaf promises what MPI does, it is ahead",
}


class Limit:
    """The most a measurement may take: the sum of measured limits, times a factor, plus some ns. text says where
    it comes from; it is empty for a plain number."""
    sign = "≤"

    def __init__(self, text, *parts, factor=1.0, plus=0.0):
        self.text, self.parts, self.factor, self.plus = text, parts, factor, plus

    def value(self, lookup):
        found = [lookup(*part) for part in self.parts]
        return None if None in found else sum(found) * self.factor + self.plus

    def met(self, value, bound):
        return value <= bound


class Least(Limit):
    """What a measurement must reach."""
    sign = "≥"

    def met(self, value, bound):
        return value >= bound


class Fair(Limit):
    """At most 1.5, or a tenth more than processes without a library get: who has a contended cache line is the processor's choice."""

    def value(self, lookup):
        return max([1.5, *(1.1 * found for found in map(lambda part: lookup(*part), self.parts) if found)])


class Target:
    """One row. peer: times ahead of the others, None when there is nothing to beat. limit: a Limit to
    stay under. state: a Limit whose distance is told, not judged. against: the others, where they are not the
    report's peers. more: more is better, and no ratio says anything."""

    def __init__(self, label, what, size, peer=None, limit=None, state=None, pes=2, library="Sheaf", against=None,
                 more=False):
        self.label, self.what, self.size, self.pes, self.library = label, what, size, pes, library
        self.peer, self.limit, self.state, self.against, self.more = peer, limit, state, against, more


STORE = Limit("1.2 × a store behind a call", ("store behind a call", 1, 8), factor=1.2)
LOAD = Limit("1.2 × a load behind a call", ("load behind a call", 1, 8), factor=1.2)
ORDERED = Limit("1.2 × (store + locked add) behind calls", ("store + locked add behind calls", 1, 8), factor=1.2)
STRIDED = Limit("1.2 × a plain loop", ("strided loop", 1, 512), factor=1.2)
FLAGS = Limit("1.15 × two flags exchanged", ("two flags", 2, 0), factor=1.15)
LINE = Limit("1.1 × the cache line's ping-pong", ("cache-line ping-pong", 2, 8), factor=1.1)
CALLED = Limit("LOCK behind a call", ("fetch-add behind a call", 1, 8))
FAIR = Limit("", plus=1.5)
ONE_NS = Limit("", plus=1.0)


def copied(size):
    return Limit("memcpy + 10 ns", ("memcpy", 1, size), plus=10)


def copied_fast(size):
    if size >= STREAMED:
        return Limit("memcpy / 1.3", ("memcpy", 1, size), factor=1 / 1.3)
    return Limit("memcpy / 0.97", ("memcpy", 1, size), factor=1 / 0.97)


def locked(what):
    return Limit("1.15 × the LOCK instruction", (what, 1, 8), factor=1.15)


def broadcast(size):
    return Limit("1.15 × the same by plain loops", ("broadcast and two flags", 2, size), factor=1.15)


def short(size):
    return f"{size >> 20} MiB" if size >= MIB else f"{size >> 10} KiB" if size >= 1024 else f"{size} B"


def one_sided():
    yield Target("p, heap", "p", 8, 5, STORE)
    yield Target("p, static", "p static", 8, 5, STORE)
    yield Target("g, heap", "g", 8, 9, LOAD)
    yield Target("g, static", "g static", 8, 300, LOAD)
    yield Target("put 8 B + quiet", "put + quiet", 8, 3.2, ORDERED)
    yield Target("put 8 B + quiet, static", "put static + quiet", 8, 70, ORDERED)
    yield Target("get 8 B, static", "get static", 8, 300, LOAD)
    for what in ("put", "get"):
        yield Target(f"{what} 4 KiB", what, 4096, 1.1, copied(4096))
        for size in (MIB, 4 * MIB, 16 * MIB, 64 * MIB):
            yield Target(f"{what} {short(size)}", what, size, 1.25 if size >= STREAMED else 1.0, copied_fast(size))
    for size in (MIB, 4 * MIB, 16 * MIB, 64 * MIB):
        for what in ("put, all at once", "get, all at once"):
            yield Target(f"{what} {short(size)}", what, size, 1.25 if size >= STREAMED else 1.0)
    for what in ("fetch-add", "add", "swap", "cswap"):
        yield Target(what, what, 8, 2, locked(what), CALLED)
    for what in ("iput", "iget"):
        yield Target(f"{what} 64 × 8 B, stride 2", what, 512, 10, STRIDED)


def inline():
    for what in ("p", "p static", "g", "g static"):
        yield Target(f"{what}, oshcc --inline", what, 8, None, ONE_NS, library="Sheaf --inline")
    for what in ("fetch-add", "add", "swap", "cswap"):
        yield Target(f"{what}, oshcc --inline", what, 8, None, locked(what), library="Sheaf --inline")


# What one call does, and the loop of contiguous calls that does the same.
AT_ONCE = (("strided put + quiet", "loop of puts + quiet"), ("strided get", "loop of gets"),
           ("vector put + quiet", "loop of scattered puts + quiet"), ("vector get", "loop of scattered gets"))


def noncontiguous():
    for what, loop in AT_ONCE:
        for size in (8, 64, 4096):
            yield Target(f"{what}, 64 × {short(size)}", what, 64 * size, None,
                         Limit(f"1.05 × {loop}", ("Sheaf", loop, 2, 64 * size), factor=1.05))


def together():
    yield Target("ping-pong, put + wait_until", "ping-pong", 8, 1.15, LINE)
    yield Target("put with signal, received", "put with signal", 8, None,
                 Limit("1.2 × ping-pong", ("Sheaf", "ping-pong", 2, 8), factor=1.2))
    for size in (8, 48):
        yield Target(f"put with signal in one line, {size} B, received and read", "put with signal, one line", size, None,
                     Limit("1.05 × ping-pong", ("Sheaf", "ping-pong", 2, 8), factor=1.05))
    yield Target("many-to-one messages of 64 B", "many-to-one messages", 64, None,
                 Limit("a plain loop's ring / 0.9", ("ring of messages", 2, 64), factor=1 / 0.9))
    yield Target("barrier_all", "barrier_all", 0, 2.3, FLAGS)
    yield Target("sync_all", "sync_all", 0, 2.3, FLAGS)
    for count, peer in ((1, 2.5), (128, 2), (4096, 1.5)):
        yield Target(f"sum of {count:,} longs + barrier", "sum", count * 8, peer)
    for count, peer in ((1, 2.5), (128, 2), (4096, 1.2)):
        yield Target(f"broadcast of {count:,} longs + barrier", "broadcast", count * 8, peer, broadcast(count * 8))
    for what in ("fcollect", "alltoall", "collect", "scan"):
        for size in SIZES:
            yield Target(f"{what} of {short(size)} + barrier", what, size, None if what == "scan" else 1.0)
    yield Target("launch + init + finalize", "launch", 0, 50, Limit("", plus=20e6),
                 Limit("fork and exec", ("fork and exec", 2, 0)))


def crowded(cpus):
    for what, size, label in (("barrier_all", 0, "barrier_all"), ("sum", 8, "sum of 8 B + barrier")):
        for pes in (4, 8, 16, 32):
            if pes > cpus:
                switches = Limit("a switch per PE and core", ("context switch", 2, 0), factor=pes / cpus)
                yield Target(f"{label}, {pes} PEs on {cpus} cores", what, size, 2, None, switches, pes)
    for what, size in (("contended fetch-add", 8), ("lock", 8), ("many-to-one put", 8), ("many-to-one put", 4096)):
        for pes in sorted({2, min(cpus, 32), 8}):
            text = f"{what} {short(size)}" if what == "many-to-one put" else what
            is_add = what == "contended fetch-add"
            line = Limit("LOCK add by two", ("contended LOCK add", 2, 8)) if is_add else None
            fair = Fair("the larger of 1.5 and 1.1 × LOCK adds", ("contended LOCK add, fairness", pes, 8)) if is_add else FAIR
            yield Target(f"{text}, {pes} PEs", what, size, 1.0, None, line, pes)
            yield Target(f"{text}, {pes} PEs: most / least per PE", f"{what}, fairness", size, None, fair, None, pes)


# Collectives have a barrier after them; all of it is of peers.c.
PEER_COLLECTIVES = ("MPI_Allreduce", "MPI_Bcast", "MPI_Allgather", "MPI_Alltoall")
PEER_NAMES = {"MPI_Bcast": "broadcast"}
PEER_ONE_SIDED = ("MPI_Put", "MPI_Get", "MPI_Accumulate")
PEER_SIZES = (8, 1024, 32768, MIB)


def beside_mpi(cpus):
    for pes in sorted({2, min(max(cpus, 2), 32)}):
        yield Target(f"barrier, beside MPI, {pes} PEs", "MPI_Barrier", 0, 2, pes=pes)
        for what in PEER_COLLECTIVES:
            for size in PEER_SIZES:
                yield Target(f"{PEER_NAMES.get(what, what[4:].lower())} of {short(size)} + barrier, {pes} PEs", f"{what} + barrier", size, 2 if size <= 65536 else 1,
                             pes=pes)
        for what in PEER_ONE_SIDED:
            for size in PEER_SIZES:
                yield Target(f"{what[4:].lower()} of {short(size)} + flush, {pes} PEs", f"{what} + flush", size, 1, pes=pes)
        for size in PEER_SIZES:
            yield Target(f"accumulate of {short(size)} of doubles + flush, {pes} PEs", "MPI_Accumulate of doubles + flush", size, 1, pes=pes)
        yield Target(f"fetch-add, beside MPI, {pes} PEs", "MPI_Fetch_and_op + flush", 8, 1, pes=pes)


def every_target(cpus):
    yield from one_sided()
    yield from inline()
    yield from noncontiguous()
    yield from together()
    yield from crowded(cpus)
    yield from beside_mpi(cpus)


def judge(report, wanted=None, why=None):
    """Rows with figures, for every target that was measured; wanted and why, by label or by
    what is measured: others than those of one node."""
    why = WHY if why is None else why
    median = {(r["what"], r["pes"], r["bytes"], r["library"]): r["median"] for r in report["results"]}
    unit = {r["what"]: r["unit"] for r in report["results"]}

    def limit(*part):
        if part[0] == "Sheaf":
            return median.get((*part[1:], "Sheaf"))
        return median.get((*part, "limit"))

    rows = []
    for target in wanted or every_target(report["machine"]["cpus"]):
        key = (target.what, target.pes, target.size)
        value = median.get((*key, target.library))
        if value is None:
            continue
        others = {name: median[(*key, name)] for name in target.against or report["peers"] if (*key, name) in median}
        row = {"label": target.label, "what": target.what, "bytes": target.size, "pes": target.pes,
               "unit": unit[target.what], "value": value, **against_peers(target, value, others),
               **against_limits(target, value, limit)}
        missed = row["peer_met"] is False or row["limit_met"] is False
        of_what = why.get(target.what) if target.library == "Sheaf" else None
        row["why"] = why.get(target.label, of_what) if missed else None
        rows.append(row)
    return rows


def against_peers(target, value, others):
    best = (max if target.more else min)(others, key=others.get, default=None)
    ahead = others[best] / value if best and others[best] > 0 < value and not target.more else None
    met = None if ahead is None or target.peer is None else ahead >= target.peer
    return {"peer": best, "peer_value": others.get(best), "ahead": ahead, "ahead_wanted": target.peer, "peer_met": met}


def against_limits(target, value, lookup):
    bound = target.limit.value(lookup) if target.limit else None
    stated = target.state.value(lookup) if target.state else None
    return {"limit": target.limit.text if target.limit else None, "limit_value": bound,
            "limit_sign": target.limit.sign if target.limit else None,
            "limit_met": None if bound is None else target.limit.met(value, bound),
            "stated": target.state.text if stated is not None else None, "stated_value": stated,
            "distance": value / stated if stated and not target.more else None}


def time_text(ns):
    """A time with three significant digits."""
    for scale, unit in ((1, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")):
        if ns < 999.5 * scale or unit == "s":
            value = ns / scale
            digits = max(0, 2 - int(math.floor(math.log10(value)))) if value > 0 else 0
            return f"{value:.{min(digits, 2)}f} {unit}"
    return ""


def value_text(value, unit):
    if unit in ("%", "KiB"):
        return f"{value:,.0f} {unit}"
    return time_text(value) if unit == "ns" else f"{value:.2f}"
