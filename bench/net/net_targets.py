# SPDX-License-Identifier: BSD-3-Clause
#
# What Sheaf is to reach across hosts, over TCP: against Open MPI, raw UCX, half of a TCP stream's
# rate, and against its own flat algorithms.

from targets import AT_ONCE, MIB, Least, Limit, Target, short

HALF_STREAM = Limit("half of iperf3's rate", ("TCP stream", 2, MIB), factor=2)
FLAT = ("Sheaf flat",)

# Why a target may be missed, by what is measured: what was found when it was looked into.
MESSAGE = ("a message that the target's processor carries out, as UCX's own get over TCP is: on loopback UCX's active "
           "message there and back takes 0.35 µs more than its get (it sends a list of pieces), a process with "
           "threads and a lock 0.2 µs more, Sheaf's own part is 0.4 µs of 9.4. Since these figures a turn reads from the busy "
           "connection of small messages before it asks the kernel, and a get of 8 B takes 13.0 µs where it took 14.1, a "
           "fetch-add 13.3 where 14.1 (30 November, coarrays.md)")
SENDING = ("over TCP issuing a transfer is sending it, and between hosts made of namespaces the sender's processor "
           "does the receiving host's part of the protocol too: what remains after the call (*all but issuing*) is "
           "less than 80 % there; handing 4 KiB to the thread takes as long as sending it, and waking it where its "
           "processor is idle as long as 32 KiB take to arrive. From 256 KiB on the thread does it, on the one free "
           "processor, which receives for the other host too: 75 to 95 % from round to round. Looked at 20 times a "
           "millisecond, the kernel's own work there leaves nothing of a transfer up to 4 KiB, 0 to 50 % of 32 KiB, 42 to "
           "64 % of 256 KiB, 76 to 91 % of 1 MiB and 90 to 94 % of 4 MiB (bench/README.md)")
EVEN = ("as many messages over the same UCX as the other library sends: measured again in turns, which of the two is ahead "
        "changes from round to round (broadcast of 8 B 17 to 21 µs against 20 to 21, sum of 64 KiB 58 to 74 against 61 to 73)")
GATHERED = ("the loop without a session gathers by itself since these targets were set, and is 5 to 36 times as fast as the "
            "other library's; a session saves the rest")
FEW_ROUNDS = "three rounds on a machine of two speeds: 20 rounds just after gave a median of 23.7 µs"
TWO_SPEEDS = ("which PEs share a processor decides (EPYC, 180 batches each): where the two of one host do (BENCH_CPUS=0,0,1,1) 17 µs and "
              "0.02 sleeps a barrier, PE n on processor n as here 57 µs and one sleep, the first of one host with the second of the other "
              "(0,1,1,0) 97 µs and more; PEs that are not bound change between these within a job, as the kernel moves them. More "
              "yields before a sleep make it slower: 200 take 154 µs")
THREAD = ("1.33 to 1.38 times: of put + quiet of 4 KiB the thread's part is 2.7 of 17.5 µs (8 rounds in turns with "
          "SHEAF_PROGRESS=none), and without it 1.17 times are left; of the longer ones its part was not measured again")
WHY = {
    "barrier, 2 hosts × 2": TWO_SPEEDS, "put + quiet 4 KiB over libfabric": THREAD,
    "put + quiet 32 KiB over libfabric": THREAD, "get 256 KiB over libfabric": THREAD,
    "put + quiet": FEW_ROUNDS, "histogram, times faster": GATHERED, "index-gather, times faster": GATHERED,
    "scatter, times faster": GATHERED,
    "get": MESSAGE, "fetch-add": MESSAGE, "swap": MESSAGE, "cswap": MESSAGE, "get, streamed": MESSAGE,
    "put, streamed": MESSAGE, "index-gather": MESSAGE,
    "broadcast": EVEN, "sum": EVEN, "fcollect": EVEN, "barrier_all": EVEN,
    "overlap of put, target asleep": SENDING, "overlap of get, target asleep": SENDING,
}
SIZES = (8, 64, 1024, 4096, 32768, 262144, MIB, 4 * MIB)


def raw(what, factor=1.15):
    return Limit(f"{factor:g} × {what}", (what, 2, 8), factor=factor)


def told(what, size=8):
    return Limit(what, (what, 2, size))


def transfers():
    yield Target("put 8 B + quiet", "put + quiet", 8, 1.3, None, told("direct UCX put + flush"))
    yield Target("get 8 B", "get", 8, 1.0, raw("direct UCX get"))
    yield Target("fetch-add", "fetch-add", 8, 1.0, raw("raw UCX fetch-add"), told("direct UCX fetch-add"))
    yield Target("swap", "swap", 8, 1.0, raw("raw UCX swap"))
    yield Target("cswap", "cswap", 8, 1.0, raw("raw UCX cswap"))
    yield Target("add + quiet", "add + quiet", 8, 1.0)
    yield Target("ping-pong, put + wait_until", "ping-pong", 8, 1.0, None, told("raw UCX put, seen"))
    yield Target("put with signal, received", "put with signal", 8, None, None, told("raw UCX put, seen"))
    for what in ("put + quiet", "get"):
        for size in (4096, 262144):
            yield Target(f"{what} {short(size)}", what, size, 1.0, None, told(DIRECT[what], size))
        yield Target(f"{what} 1 MiB", what, MIB, 1.5, HALF_STREAM, told(DIRECT[what], MIB))
    for what in ("put, streamed", "get, streamed"):
        for size in (8, 4096, MIB):
            yield Target(f"{what}, {short(size)}", what, size, 1.0)
    for what in ("iput + quiet", "iget"):
        for size in (512, 32768):
            yield Target(f"{what}, {size // 8} words", what, size, 1.0)
    for what in ("ibput + quiet", "ibget"):
        yield Target(f"{what}, 64 blocks of 64 words", what, 32768)


def over_libfabric():
    for what in ("put + quiet", "get"):
        direct = DIRECT[what].replace("UCX", "libfabric")
        for size in SIZES:
            yield Target(f"{what} {short(size)} over libfabric", what, size, None,
                         Limit(f"1.3 × {direct}", (direct, 2, size), factor=1.3), library="Sheaf over libfabric")


DIRECT = {"put + quiet": "direct UCX put + flush", "get": "direct UCX get"}


def noncontiguous():
    for what, loop in AT_ONCE:
        for size in (8, 64, 4096):
            limit = Limit(f"a third of {loop}", ("Sheaf", loop, 2, 64 * size), factor=1 / 3)
            yield Target(f"{what}, 64 × {short(size)}", what, 64 * size, None, limit if size == 64 else None)


def progress():
    for what in ("get", "put + quiet", "fetch-add"):
        for pauses in ("", ", back to back"):
            yield Target(f"{what}, target computes{pauses}", f"{what}, target computes{pauses}", 8, None,
                         Limit("", plus=100e3))
    yield Target("threads of a PE left alone", "threads of a PE left alone", 0, None, Limit("", plus=1))


def overlap():
    for target in ("", ", target asleep"):
        for what in ("put", "get"):
            for size in SIZES:
                measured = f"overlap of {what}{target}"
                yield Target(f"overlap of {what} {short(size)}{target}", measured, size, None,
                             Least("", plus=80) if target and size >= 4096 else None,
                             Limit("the kernel leaves", ("Sheaf", f"{measured}, left by the kernel", 2, size)),
                             more=True)
                if target and size >= 4096:
                    yield Target(f"overlap of {what} {short(size)}{target}, as much computation",
                                 f"{measured}, as much computation", size, more=True)


def collectives():
    for pes in (2, 4):
        layout = f"2 hosts × {pes // 2}"
        yield Target(f"barrier, {layout}", "barrier_all", 0, 1.0, pes=pes)
        for what in ("sum", "broadcast", "fcollect"):
            for size in (8, 4096, 65536, MIB):
                yield Target(f"{what} of {short(size)}, {layout}", what, size, 1.0, pes=pes)


def levels():
    for hosts in (2, 4):
        layout = f"{hosts} hosts × 4, against flat"
        yield Target(f"barrier, {layout}", "barrier_all", 0, 1.0, pes=4 * hosts, against=FLAT)
        for what in ("broadcast", "sum", "fcollect"):
            for size in (8, 4096, MIB):
                yield Target(f"{what} of {short(size)}, {layout}", what, size, 1.0, pes=4 * hosts, against=FLAT)


def bursts():
    for hosts, pes in ((2, 1), (4, 2)):
        layout = f"{hosts} hosts × {pes}"
        for what in ("p", "add", "fetch-add nbi"):
            yield Target(f"{what}, burst, 8 B, {layout}", f"{what}, burst", 8, 10.0, pes=hosts * pes)
        for what in ("put", "put nbi", "get nbi"):
            yield Target(f"{what}, burst, 8 B, {layout}", f"{what}, burst", 8, 10.0, pes=hosts * pes)
            yield Target(f"{what}, burst, 4 KiB, {layout}", f"{what}, burst", 4096, 1.5, pes=hosts * pes)


def sessions():
    for hosts, pes in ((2, 1), (4, 2)):
        layout = f"{hosts} hosts × {pes}"
        for what in ("histogram", "index-gather", "scatter"):
            yield Target(f"{what}, 8 B, {layout}", what, 8, 1.0, pes=hosts * pes)
            yield Target(f"{what} in a session, {layout}", f"{what}, in a session", 8, pes=hosts * pes)
            yield Target(f"{what}, session: times faster, {layout}", f"{what}, times faster", 8, None,
                         Least("", plus=10), pes=hosts * pes, more=True)


def starts():
    for hosts in (2, 4):
        for pes in (2, 4, 16, 64, 256):
            alone = Limit("the launcher alone", (f"launcher alone, {hosts} hosts", pes, 0))
            yield Target(f"launch to end, {pes} PEs on {hosts} hosts", f"launch to end, {hosts} hosts", 0, 1.0, None, alone,
                         pes=pes)
            for what in ("init", "resident after init", "own memory beyond main", "own memory, all PEs put to"):
                yield Target(f"{what}, {pes} PEs on {hosts} hosts", f"{what}, {hosts} hosts", 0, pes=pes)


def every_target():
    for kind in (transfers, over_libfabric, noncontiguous, progress, overlap, bursts, sessions, collectives, levels, starts):
        yield from kind()
