# SPDX-License-Identifier: BSD-3-Clause
#
# The part on computation that grows beside a transfer (bench/growth.h): Sheaf, and MPI's one-sided operations and its
# messages, on one host and between two; its rows, its tables and its pictures.

import plot
from far import OVER, Far
from papers import REMOTE
from rows import Bench, Part
from targets import short, value_text

NAME = "growth"
OPERATIONS = ("put", "get", "put, strided", "get, strided", "put, by fence", "get, by fence")
WAITED_FOR = OPERATIONS[:2]  # of a target that computes
SHARES = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 125, 150)
SIZES, CURVE_SIZE = "65536,262144,1048576,4194304", 1 << 20
OSC = {"OMPI_MCA_osc": "^ucx"}  # over TCP Open MPI's windows by UCX cannot be had


def totals(operation):
    return tuple(f"total of {operation}, computation of {share} %" for share in SHARES)


WHATS = {"share": tuple(f"hidden beside {operation}" for operation in OPERATIONS),
         "curve": (*totals("put"), *totals("get")),
         "asleep": tuple(f"{operation}, the target computes" for operation in WAITED_FOR)}


class Growth(Bench):
    """mode: what the program reports."""

    def __init__(self, mode, cost, sizes, label=""):
        super().__init__("growth", WHATS[mode], cost, sizes, sizes.split(",")[0], 2, label=label,
                         settings={"BENCH_GROWTH": mode}, unit="ns" if mode == "asleep" else "%")
        self.mode = mode

    @property
    def key(self):
        return f"{super().key}, {self.mode}"

    def takes(self, way):
        return "SHMEM" not in way.name and super().takes(way)


class FarGrowth(Far, Growth):
    """Each library between hosts, under its own launcher."""

    def __init__(self, mode, cost, sizes):
        super().__init__(mode, cost, sizes, OVER)

    def command(self, way, program, pes, cpus, environment):
        found = super().command(way, program, pes, cpus, {**environment, **self.settings})
        launcher = getattr(way, "launcher", "openmpi")
        at = found.index("--")
        more = [f"{name}={value}" for name, value in OSC.items()] if launcher != "hydra" else []
        return [*found[:at], "--launcher", launcher, "--timeout", "60", "--", "env", *more, *found[at + 1:]]


PART = Part(NAME, "Computation that grows beside a transfer",
            "The paper's own method: computation between the begin of a nonblocking transfer and its end grows until the whole takes 5 % longer than the "
            "transfer alone. That much computation is hidden, in per cent of the transfer's time: 5 % is nothing, 100 % all of it. MPI is MPI_Put or "
            "MPI_Get with a flush, or between two fences, and in columns of its own MPI_Isend and MPI_Irecv, with an answer. Strided: runs of 1 KiB. "
            "The target waits in its library. Then the whole against the computation, and the time of a transfer whose target computes for 20 ms "
            "without a call. One host with a CPU for each process, and two hosts made of namespaces, by TCP.", [
                Growth("share", 12, SIZES), FarGrowth("share", 20, SIZES), FarGrowth("curve", 8, str(CURVE_SIZE)),
                Growth("asleep", 8, "65536,1048576"), FarGrowth("asleep", 8, "65536,1048576")], REMOTE)


def is_total(row):
    return row.startswith("total of ")


def _names(found, rows):
    return [name for name in found["libraries"] if any(r["library"] == name and r["what"] in rows for r in found["results"])]


def _medians(found):
    return {(r["what"], r["bytes"], r["library"]): (r["median"], r["unit"]) for r in found["results"]}


def _row_table(found, rows):
    """Rows by size against libraries."""
    names, values = _names(found, rows), _medians(found)
    out = [f"| | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for row in rows:
        for size in sorted({key[1] for key in values if key[0] == row}):
            cells = (values.get((row, size, name)) for name in names)
            out.append(f"| {row} {short(size)} | {' | '.join(value_text(*cell) if cell else '' for cell in cells)} |")
    return "\n".join(out)


def _total_table(found, operation):
    """Libraries against the computation, and what is hidden beside most of it."""
    rows, values = [f"{row}, {OVER}" for row in totals(operation)], _medians(found)
    out = [f"| {operation} of {short(CURVE_SIZE)}, over TCP | {' | '.join(f'{share} %' for share in SHARES)} | hidden at last |",
           "|---|" + "---|" * (len(SHARES) + 1)]
    for name in _names(found, rows):
        cells = [values.get((row, CURVE_SIZE, name)) for row in rows]
        hidden = f"{min(100, max(0, 100 + SHARES[-1] - cells[-1][0])):.0f} %" if cells[-1] else ""
        out.append(f"| {name} | {' | '.join(value_text(*cell) if cell else '' for cell in cells)} | {hidden} |")
    return "\n".join(out)


WHY = """Why it is so:

- On one host a transfer is a copy, and a copy needs a processor. A one-sided put or get is the caller's copy in Sheaf and in Open MPI. It
  hides nothing while the target keeps its own processor. MPI's message is copied by its receiver, which waits for it: so a put hides, and
  a get does not. With a processor to spare a thread of Sheaf's makes the copy ([waiting.md](../understand/waiting.md#copies-while-the-pe-computes)).
- Over TCP issuing a put is sending it, which the caller does ([network.md](network.md)). The answer of a get is taken by Sheaf's thread
  meanwhile.
- MPICH's larger shares of a get are of a longer time (table below). Beside the same computation the whole takes longer than Sheaf's without
  its thread.
- No library hides the copy out of the socket, which takes the caller's processor: 0.21 to 0.24 ms of a get of 1 MiB. So long the quiet takes
  behind 0.4 ms of computation with `SHEAF_PROGRESS=none`. The thread takes the data as it comes: the quiet takes 0.06 to 0.08 ms, and the
  computation longer. It adds 8 context switches a get, and 0.05 ms: the whole takes 688 to 705 µs instead of 630 to 652 (one host by TCP, `perf stat`,
  3 runs of 500 gets in turns, with precedence over others). A target that computes is served only by the thread.

| 1 MiB over TCP: alone, and the whole beside 0.4 ms of computation, µs | get | get, strided | put | put, strided |
|---|---|---|---|---|
| Sheaf | 646, 653; 695, 928 | 485, 728; 1,062, 1,150 | 474, 486; 1,063, 1,812 | 413, 490; 914, 1,228 |
| Sheaf, `SHEAF_PROGRESS=none` | 380, 412; 628, 728 | 404, 459; 779, 807 | 349, 393; 821, 905 | 372, 428; 734, 901 |
| MPICH 4.0.2 | 870, 982; 800, 972 | 4,469, 7,912; 4,186, 7,891 | 1,215, 1,347; 1,603, 2,034 | 5,005, 5,571; 3,684, 5,528 |
| MPICH 5.0.2 | 947, 1,325; 697, 1,180 | 1,380, 1,925; 1,694, 1,901 | 254, 380; 700, 721 | 1,465, 1,728; 1,421, 1,959 |
| Open MPI 5.0.11 | 898; 1,415 | not ended | 399; 824 | 17,076; 17,474 |

Two rounds in turns (Open MPI 5: one, which did not end within 12 s), no build or test beside, 2026-11-28, Xeon at 2.5 GHz with 2 CPUs, by the curve's
program; between its points by a straight line. Shares of a get that are hidden, by `BENCH_MPI=... ONLY='growth, over TCP, share'`, one round, 64 KiB to
4 MiB: Sheaf 2 to 13 %, MPICH 4 9 to 78 %, MPICH 5 54 to 83 %, messages of Open MPI 5 3 to 18 %, of MPICH 5 4 to 45 %. Open MPI 5's windows
did not end within a minute.

- A target that computes is served by Sheaf's thread there. MPI waits for the target's next call, in a window no less than with a message.
  Only Open MPI's windows on one host do not, since both processes map them."""


def tables(found, part):
    shares = [row for row in part["rows"] if row.startswith("hidden beside ")]
    asleep = [row for row in part["rows"] if "the target computes" in row]
    return "\n\n".join(["![Computation beside a transfer](figures/studies-growth.svg)", _row_table(found, shares),
                        "The whole, in per cent of the transfer alone, beside computation of so many per cent of it. What is hidden at last is what the "
                        "whole lacks there of transfer and computation together; no noise of the first points is in it.",
                        *(_total_table(found, operation) for operation in WAITED_FOR),
                        "A target that computes without a call:", _row_table(found, asleep), WHY])


def _curve(pictures, operation):
    """The whole against the computation, of each library."""
    series = []
    for name in pictures.report["libraries"]:
        points = [(share, *(result[end] for end in ("median", "min", "max")))
                  for share, row in zip(SHARES, totals(operation)) if share
                  for result in pictures.report["results"] if result["library"] == name and result["what"] == f"{row}, {OVER}"]
        series.append(plot.Series(name, pictures.style.get(name, "peer-3"), points))
    return pictures.card(f"{operation} of {short(CURVE_SIZE)}, two hosts: the whole", series, lambda x: f"{x:g} %", lambda y: f"{y:.0f} %",
                         "computation", "the whole, of the transfer alone")


def panels(pictures):
    shares = [pictures.card(f"hidden beside a {operation}, two hosts", pictures.series(f"hidden beside {operation}, {OVER}", "bytes", lambda result: True),
                            short, lambda y: f"{y:.0f} %", "bytes", "hidden", True) for operation in WAITED_FOR]
    return [*shares, *(_curve(pictures, operation) for operation in WAITED_FOR)]
