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
        return not way.name.endswith("OSHMEM") and super().takes(way)


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
  meanwhile. MPICH hides gets too, and strided puts, without a thread; how was not looked into.
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
