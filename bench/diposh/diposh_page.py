# SPDX-License-Identifier: BSD-3-Clause
#
# What the study found: its targets, its pictures, and docs/measured/diposh.md with the published figures that each answers.

import page
from cannon import LAYOUTS, ORDERS, what
from targets import MIB, Limit, Target, judge as judge_all, short, time_text

SIZES = (8, 64, 1024, 4096, 32768, 262144, MIB, 4 * MIB)
FAR = ", 2 hosts"
NEAR_AHEAD = 10  # times MPI's one-sided operations, at 8 bytes
STYLE = {"Sheaf": "sheaf", "Sheaf --inline": "inline", "Sheaf over UCX": "sheaf", "Sheaf over libfabric": "peer-4", "Sheaf over MPI": "peer-3"}
MPI_STYLES = ("peer-1", "peer-2")

ONE_HOST = ("the BLAS takes all of the time but 2 to 3 %, and the same for all; one run of a program differs from the next by more: measured "
            "again on two PEs, five runs of each in turns, order 512 took 3.72 ms against 3.99, order 2048 took 235 ms against 244, where "
            "the runs of one program spread from 221 to 273 ms")
TWO_HOSTS = ("measured again on two hosts with a PE each, ten runs of each in turns, order 512 took 2.68 ms against Open MPI's 2.34, order "
             "1024 19.0 against 16.0 and order 2048 120 against 112; in other ten, on a busier machine, 3.48 against 4.33, 24.9 against 29.1 "
             "and 172 against 178. The two series contradict each other, so the cause is not proved. A lead: the thread that moves a "
             "block shares a CPU with the product; one run under strace, which slows it, has it without its CPU for 56 ms in the "
             "middle of 16 MiB, so that most of them arrived in the quiet. With gets that are never left "
             "to the thread the best run of order 512 took 2.07 ms, not 2.19, of 1024 15.4, not 15.6, of 2048 108, not 111. The kernel's "
             "account (/proc/self/task/*/schedstat, six runs of each in turns beside other jobs, sixty products of order 512 in each) "
             "shows that lack, and that it is not what decides: the thread ran 25 to 67 ms, once 221, and waited 230 to 490 ms for a CPU, but both "
             "threads together ran 350 to 570 ms where Open MPI's process ran 520 to 710, and the product took 9.9 ms against 17.7, of "
             "order 1024 75 against 81; gets never left to the thread changed nothing that is larger than the spread of runs (three of each: "
             "4.5, 8.7 and 13.2 ms, and 100, 87 and 75). On a quiet machine the question stays open")
WHY = {
    "put": ("Open MPI's put on one host is a copy into memory that both processes share, too: calls and a copy in 17 to 40 ns, by processor. Sheaf's is "
            "13 instructions behind one call, 3 to 5 ns, which is about what a call that stores takes on this processor"),
    "put + quiet": ("a quiet is one instruction with a LOCK, which takes 2 to 4 ns beside the put's 3 to 5, and orders all that the PE has "
                    "written before"),
    **{what(order): ONE_HOST for order in ORDERS},
    **{what(order) + FAR: TWO_HOSTS for order in ORDERS},
}


def every_target():
    for operation in ("put", "put + quiet", "get"):
        for size in SIZES[:1] if operation == "put" else SIZES:
            label = f"{operation} {short(size)}"
            yield Target(label, operation, size, NEAR_AHEAD if size == 8 else 1.0)
        yield Target(f"{operation} 8 B, oshcc --inline", operation, 8, NEAR_AHEAD, library="Sheaf --inline")
    for hosts, pes in LAYOUTS:
        for order in ORDERS:
            yield from products(order, hosts, pes)


def place(hosts, pes):
    return f"{hosts} hosts × {pes}" if hosts > 1 else f"{pes} PE{'s' if pes > 1 else ''}"


def products(order, hosts, pes):
    key, total = what(order) + (FAR if hosts > 1 else ""), hosts * pes
    alone = Limit("the local products alone", (what(order), total, 0))
    yield Target(f"product of order {order}, {place(hosts, pes)}", key, 0, 1.0, None, alone, total,
                 "Sheaf over UCX" if hosts > 1 else "Sheaf")


def judge(report):
    rows = judge_all(report, every_target(), WHY)
    for row in rows:
        row["why"] = WHY.get(row["what"])
    return rows


class Pictures(page.Pictures):
    def __init__(self, report):
        super().__init__(report)
        self.style = {**STYLE, **dict(zip(report["peers"], MPI_STYLES)), "limit": "limit"}

    def transfer(self, operation, title):
        series = self.series(operation, "bytes", lambda result: result["pes"] == 2)
        return self.card(title, series, short, time_text, "bytes", "time")

    def throughput(self, operation, title):
        series = self.series(operation, "bytes", lambda result: result["pes"] == 2,
                             y=lambda result, value: result["bytes"] / value)
        return self.card(title, series, short, rate_text, "bytes", "throughput")

    def scaling(self, order, suffix, title):
        key = what(order) + suffix
        series = self.series(key, "pes", lambda result: True, None if suffix else key, "local products alone")
        return self.card(title, series, str, time_text, "PEs", "time")

    def near(self):
        return [self.transfer("put + quiet", "put, one host: time"), self.transfer("get", "get, one host: time"),
                self.throughput("put, streamed", "put, one host: throughput"),
                self.throughput("get, streamed", "get, one host: throughput")]

    def far(self):
        return [self.transfer("put + quiet" + FAR, "put, two hosts: time"), self.transfer("get" + FAR, "get, two hosts: time"),
                self.throughput("put, streamed" + FAR, "put, two hosts: throughput"),
                self.throughput("get, streamed" + FAR, "get, two hosts: throughput")]

    def products(self):
        return [self.scaling(order, suffix, f"product of order {order}, {'two hosts' if suffix else 'one host'}")
                for suffix in ("", FAR) for order in ORDERS]


def rate_text(value):
    return f"{value:g} GB/s" if value >= 10 else f"{value:.3g} GB/s"


def html(report):
    pictures = Pictures(report)
    return page.document("Put, get and Cannon's product", report, [
        page.section("One host", "Sheaf reads and writes the other PE's memory.", pictures.legend(None, True), pictures.near()),
        page.section("Two hosts", "TCP between network namespaces.", pictures.legend(None, True), pictures.far()),
        page.section("Cannon's product", "", pictures.legend("local products alone", True), pictures.products()),
        page.targets_section(report, "Ahead is the best MPI's median over Sheaf's.")])


def medians(report):
    return {(r["what"], r["pes"], r["bytes"], r["library"]): r["median"] for r in report["results"]}


def table(report, operation, text=lambda size, value: time_text(value)):
    """Sizes against libraries; and how far the first is ahead of the best MPI."""
    found = medians(report)
    names = [name for name in report["libraries"] if any((operation, 2, size, name) in found for size in SIZES)]
    if not names:
        return ""
    out = [f"| | {' | '.join(names)} | ahead of the best MPI |", "|---|" + "---|" * (len(names) + 1)]
    for size in SIZES:
        values = {name: found[operation, 2, size, name] for name in names if (operation, 2, size, name) in found}
        others = [values[name] for name in report["peers"] if name in values]
        if values:
            ahead = page.times(min(others) / values[names[0]]) if others and names[0] in values else ""
            cells = [text(size, values[name]) if name in values else "" for name in names]
            out.append(f"| {short(size)} | {' | '.join(cells)} | {ahead} |")
    return "\n".join(out)


def rates(report, operation):
    return table(report, operation, lambda size, value: rate_text(float(f"{size / value:.3g}")))


def product_table(report):
    """Each layout: the time, what the local products alone take, and the speed-up over one PE."""
    found = medians(report)
    mpis = report["peers"]
    out = [f"| | Sheaf | {' | '.join(mpis)} | ahead of the best MPI | speed-up | local products alone |",
           "|---|---|" + "---|" * (len(mpis) + 3)]
    for order in ORDERS:
        for hosts, pes in LAYOUTS:
            key, total = what(order) + (FAR if hosts > 1 else ""), hosts * pes
            library = "Sheaf over UCX" if hosts > 1 else "Sheaf"
            mine, one = found.get((key, total, 0, library)), found.get((what(order), 1, 0, "Sheaf"))
            if mine is None:
                continue
            others = {name: found[key, total, 0, name] for name in mpis if (key, total, 0, name) in found}
            limit = found.get((what(order), total, 0, "limit"))
            cells = [time_text(mine), *(time_text(others[name]) if name in others else "" for name in mpis),
                     page.times(min(others.values()) / mine) if others else "", f"{one / mine:.2f}" if one else "",
                     time_text(limit) if limit else ""]
            out.append(f"| {order} × {order}, {place(hosts, pes)} | {' | '.join(cells)} |")
    return "\n".join(out)


DATA = "https://github.com/coti/DiPOSH/tree/6c15b6baa6aa21212b6025e056964842ac5c3f76/publications/CC-PE_2020"


def document(report, target_table, misses):
    met, judged = page.counts(report)
    said = page.state_text(report)
    note = report["note"] + " " if "note" in report else ""  # of data that were put together by hand
    lacking = "\n".join(f"- {line}." for line in page.failures(report))
    return f"""<!-- Written by bench/figures from bench/data/diposh.json; `make study-diposh` measures again. -->
# Put, get and a matrix product, as the DiPOSH paper shows them

C. Coti and A. D. Malony, *DiPOSH: A portable OpenSHMEM implementation for short API-to-network path*, Concurrency and
Computation: Practice and Experience 33(11), 2021 ([10.1002/cpe.6179](https://doi.org/10.1002/cpe.6179)); before it *On the Road to
DiPOSH: Adventures in High-Performance OpenSHMEM*, LNCS 12043, 2020. The data and plots of both are [published]({DATA}); what stands
below as theirs is read from there. They were taken on Grid'5000 (the files name the cluster dahu), on other machines and networks than
the figures here: beside one another they say what such a library costs, not which is faster.

| their plots | in their data, 8 B | here |
|---|---|---|
| time and throughput of put and get on a host, through shared memory (`sm_bycore`) | put 30.7 ns, get 29.4 ns | [one host](#one-host): Sheaf |
| the same through MPI's one-sided operations (`mpi_bycore`) | put 24.3 ns, get 30.7 ns | [one host](#one-host): MPI called directly; [mpi.md](mpi.md#one-host): Sheaf over it |
| time and throughput between two nodes, through MPI (`mpi_bynode`) | put 5.73 µs, get 5.85 µs | [two hosts](#two-hosts): Sheaf over each engine, and MPI called directly |
| the same through a helper process (`hub`) | put 5.94 µs, get 6.14 µs | Sheaf has no such process: PEs of a host map one another's memory |
| a matrix product, orders 2048 and 8192 on 4 to 961 processes (their data calls it SUMMA): time and speed-up | order 2048: 0.867 s on 4, 0.0203 s on 961 | [a product](#a-product): [apps/cannon](../../apps/cannon/README.md) |

{page.heading_table(report)}

Figures are medians of rounds in which all took turns. {said + " " if said else ""}{note}**{met} of {judged} targets met.**

## One host

```sh
ONLY='1x2$' bench/diposh/run build     # all of this page: make study-diposh
```

Two processes, a CPU each. Sheaf: `shmem_putmem` and `shmem_quiet`; `shmem_getmem`, each a call of the library; *Sheaf --inline* is the same
source compiled by `oshcc --inline`, which makes stores and loads of lengths known to the compiler, here 8 and 64 bytes. Nothing
waits for such a store: its figure is how often one can be made. The last column is of Sheaf's calls. MPI: `MPI_Put` or `MPI_Get` and `MPI_Win_flush` in a
window of `MPI_Win_allocate`, locked once for all (passive target). Time of a put and of its completion:

{table(report, "put + quiet")}

Time of a put alone, which is what their data has; on one host Sheaf's and Open MPI's are done when the call returns:

{table(report, "put")}

Time of a get:

{table(report, "get")}

Throughput, 16 puts and then a quiet or flush; then 16 gets:

{rates(report, "put, streamed")}

{rates(report, "get, streamed")}

![Put and get on one host](figures/diposh-near.svg)

## Two hosts

```sh
ONLY='2x1$' bench/diposh/run build
```

The hosts are network namespaces of one machine, whose CPUs are all that they have together; TCP carries everything. Time of a put, a get:

{table(report, "put + quiet" + FAR)}

{table(report, "get" + FAR)}

Throughput of puts, of gets:

{rates(report, "put, streamed" + FAR)}

{rates(report, "get, streamed" + FAR)}

![Put and get between two hosts](figures/diposh-far.svg)

## A product

```sh
ONLY=cannon bench/diposh/run build
```

Cannon's algorithm in double precision ([apps/cannon](../../apps/cannon/README.md)), strong scaling: the same product on more PEs. Every PE has one
thread and, where there are enough, a CPU of its own. The MPI version takes the same steps with the same blocks. *Local products alone* is
the same BLAS calls on as many PEs without communication: on one PE it is one core's BLAS, on more it says what the cores leave
when all compute. Over MPI as Sheaf's channel, which is how the paper's library moves its blocks, 1, 4, 9 and 16 PEs are in
[mpi.md](mpi.md#one-host).

{product_table(report)}

![Cannon's product](figures/diposh-product.svg)

## Targets

{target_table}

## Missed, and why

{misses}
""" + (f"\n## What did not run\n\n{lacking}\n" if lacking else "")
