# SPDX-License-Identifier: BSD-3-Clause
#
# What a paper found, beside what is found here, each in a sentence. Figures of papers stand in the documents that say where
# they are from: docs/measured/diposh.md, docs/do/sessions.md, bench/atomics.py.

import re
import statistics

from page import times
from targets import time_text

OWN = "Sheaf"


def own(name):
    return name == OWN


def openmp(name):
    return name == "OpenMP"


def open_shmem(name):
    return "SHMEM" in name


def open_mpi_shmem(name):
    return name.endswith("OSHMEM")


def two_sided(name):
    return name.endswith("two-sided")


def mpi(name):
    return name.startswith(("Open MPI", "MPICH")) and not open_shmem(name) and not two_sided(name)


def fftw_threads(name):
    return name == "FFTW's threads"


def fftw_mpi(name):
    return name == "FFTW-MPI"


class Medians:
    def __init__(self, found):
        self.known, self.cpus = {}, found.get("machine", {}).get("cpus")
        for r in found["results"]:
            if r["library"] != "limit":
                self.known.setdefault((r["what"], r["pes"], r["bytes"]), {})[r["library"]] = r["median"]

    def points(self, pattern):
        """(what, PEs, bytes) of what matches as a whole."""
        return sorted(key for key in self.known if re.fullmatch(pattern, key[0]))

    def best(self, key, who):
        """The least of those libraries; None without."""
        return min((value for name, value in self.known.get(key, {}).items() if who(name)), default=None)


def ratio_text(ratios, what):
    """Of medians, how many times one is ahead."""
    ahead = f"here {times(statistics.median(ratios))}{' at the median' if len(ratios) > 1 else ''}"
    if len(ratios) == 1:
        return ahead
    true = sum(ratio > 1 for ratio in ratios)
    return f"{ahead}, {times(min(ratios))} to {times(max(ratios))}, ahead in {true} of {len(ratios)} {what}"


def beside(claim, there, here):
    return f"{claim}: there {there}; {here}." if there else f"{claim}: {here}."


class Ahead:
    """One thing ahead of another: row names as regular expressions, the second made from a match of the first by replacing
    its text; of which libraries. there: what the paper says of how far; None: nothing."""

    def __init__(self, claim, there, row, replaced=("", ""), who=own, other=own, least_bytes=0, least_pes=0):
        self.claim, self.there, self.row, self.replaced = claim, there, row, replaced
        self.who, self.other, self.least_bytes, self.least_pes = who, other, least_bytes, least_pes

    def ratios(self, medians):
        for what, pes, size in medians.points(self.row):
            if size < self.least_bytes or pes < self.least_pes:
                continue
            one = medians.best((what, pes, size), self.who)
            two = medians.best((re.sub(*self.replaced, what) if self.replaced[0] else what, pes, size), self.other)
            if one and two:
                yield two / one

    def sentence(self, medians):
        ratios = list(self.ratios(medians))
        return beside(self.claim, self.there, ratio_text(ratios, "measurements")) if ratios else None


class Scaling:
    """The time of one PE over that of the most there are CPUs for."""

    def __init__(self, claim, there, row):
        self.claim, self.there, self.row = claim, there, row

    def sentence(self, medians):
        most, ratios = 0, []
        for what, pes, size in medians.points(self.row):
            alone, all_ = (medians.best((what, n, size), own) for n in (1, pes))
            if 1 < pes <= (medians.cpus or pes) and alone and all_:
                most = max(most, pes)
                ratios.append((pes, alone / all_))
        ratios = [ratio for pes, ratio in ratios if pes == most]
        return beside(self.claim, self.there, f"{ratio_text(ratios, 'rows')}, on {most} PEs") if ratios else None


class Shares:
    """Per cents of rows, the least and the most."""

    def __init__(self, claim, there, rows):
        self.claim, self.there, self.rows = claim, there, rows

    def sentence(self, medians):
        said = []
        for name, row in self.rows:
            values = [medians.best(key, own) for key in medians.points(row)]
            if values:
                ends = dict.fromkeys((f"{min(values):.0f}", f"{max(values):.0f}"))
                said.append(f"{name} {' to '.join(ends)} %")
        return beside(self.claim, self.there, f"here {', '.join(said)}") if said else None


class Time:
    """A time of theirs, and the same measurement here."""

    def __init__(self, claim, there, row, size, pes, who=own):
        self.claim, self.there, self.key, self.who = claim, there, (row, pes, size), who

    def sentence(self, medians):
        value = medians.best(self.key, self.who)
        return beside(self.claim, self.there, f"here {time_text(value)}") if value else None


def applications(rows):
    """What the study of many-core processors says of its applications."""
    return [Ahead("OpenSHMEM against OpenMP", "both scale well, and depend on how well libraries are tuned", rows, other=openmp),
            Scaling("Strong scaling", "good on both processors", rows)]


BATCHED = "38 × for a histogram and 37 × for an index-gather, on 128 nodes"
FINDINGS = {
    "transfers": [
        Ahead("Memory that all map, without copies between, ahead of MPI in latency", "significantly better", "latency, average",
              other=mpi),
        Ahead("The slowest of all trips, against MPI's", "the maximum is the point", "latency, most", other=mpi),
        Ahead("Transfers between heaps ahead of those between static variables",
              "ahead, since a tile's static variables are its own", "(put|get), heap to heap", ("heap to heap", "static to static")),
        Ahead("The same with Open MPI's OSHMEM", "ahead", "(put|get), heap to heap", ("heap to heap", "static to static"),
              open_mpi_shmem, open_mpi_shmem)],
    "rate": [Ahead("Ahead of MPI in the rate of small messages", "significantly better", "message to .*", other=mpi)],
    "wire": [Ahead("Memory that both map ahead of the network", "ahead", "latency, average, in memory",
                   ("in memory", "through TCP"))],
    "turns": [Ahead("In turns ahead of what Sheaf chooses", None, "sum, in turns", ("in turns", "as chosen"))],
    "bandwidth": [
        Time("A put of 8 B on a host", "30.7 ns", "put", 8, 2), Time("A get of 8 B on a host", "29.4 ns", "get", 8, 2),
        Time("A put of 8 B by MPI's one-sided operations", "24.3 ns", "put", 8, 2, mpi),
        Time("A get of 8 B by MPI's one-sided operations", "30.7 ns", "get", 8, 2, mpi),
        Ahead("One copy from memory to memory ahead of MPI's messages, 64 KiB and more", "significantly better (A)",
              "(put|get), streamed", other=two_sided, least_bytes=65536)],
    "growth": [
        Shares("Transfers go on while the processor computes, between two hosts", "an adapter makes them",
               tuple((f"{name}:", f"hidden beside {rows}, over TCP") for name, rows in (("put", "put(, strided)?"), ("get", "get(, strided)?")))),
        Ahead("A put or a get into a target that computes, against MPI_Put and MPI_Get", "needs no processor there",
              "(put|get), the target computes, over TCP", other=mpi),
        Ahead("The same against messages", "needs no processor there", "(put|get), the target computes, over TCP", other=two_sided)],
    "overlap": [
        Shares("Transfers go on while the processor computes", "an adapter makes them",
               (("nobody makes the copy but the caller:", "overlap of (put|get)(, target asleep)?"),
                ("with SHEAF_COPIER=1, the target polling:", "overlap of (put|get), SHEAF_COPIER=1"),
                ("the target asleep:", "overlap of (put|get), target asleep, SHEAF_COPIER=1"))),
        Ahead("What a thread's copy leaves of the caches", None, "walk behind a put, SHEAF_COPIER=1",
              (", SHEAF_COPIER=1", ""))],
    "collectives": [
        Ahead("Broadcast: pull ahead of push", "ahead", "broadcast, pull", ("pull", "push"), least_bytes=256),
        Ahead("Fcollect: gather, then pull (naive) ahead of linear", "ahead", "fcollect, naive", ("naive", "linear"), least_bytes=256),
        Ahead("Reduce: tree ahead of linear", "ahead at many PEs", "sum, tree", ("tree", "linear"), least_bytes=256),
        Ahead("Reduce: tree ahead of naive", "ahead at many PEs", "sum, tree", ("tree", "naive"), least_bytes=256)],
    "heat": applications("heat: (?!picture).*"),
    "picture": applications("heat: picture.*"),
    "fit": applications("fit: .*"),
    "matmul": applications("matmul: .*"),
    "cannon": [Time("A product of order 2048 on 4 processes", "0.867 s", "cannon: order 2048", 0, 4),
               Ahead("OpenSHMEM's blocks ahead of MPI's", None, "cannon: .*", other=mpi),
               Scaling("Strong scaling of order 2048", "43 × from 4 to 961 processes", "cannon: order 2048")],
    "fft": [*applications("fft: .*"), Ahead("One transform against FFTW's own threads", None, "fft: .*", other=fftw_threads),
            Ahead("One transform against FFTW's MPI transforms, in natural order", None, "fft: .*", other=fftw_mpi)],
    "nas": [Ahead("MG one-sided ahead of two-sided", None, "mg: class .", other=mpi),
            Ahead("Its exchanges alone", None, "mg: class .: exchanges", other=mpi),
            Ahead("MG's halos with and without SHEAF_COPIER=1", None,
                  "mg: class A, halos by put, SHEAF_COPIER=1", (", SHEAF_COPIER=1", ""))],
    "irregular": [Ahead("In a session ahead of one by one, on one node", BATCHED, "(histogram|gather): in a session",
                        ("in a session", "one by one"))],
    "network": [
        Ahead("In a session ahead of one by one, each in a message of its own", BATCHED, "(histogram|gather): in a session, over TCP",
              ("in a session", "one by one, not gathered")),
        Ahead("Whole applications alike", None, "(?!histogram|gather).*: in a session, over TCP",
              ("in a session", "one by one, not gathered")),
        Ahead("In a session ahead of one by one as Sheaf gathers them", None,
              ".*: in a session, over TCP", ("in a session", "one by one")),
        Ahead("Native atomic operations ahead of those built from compare-and-swap", "2.0 × (D)", ".*, native, over TCP",
              ("native", "built from compare-and-swap")),
        Ahead("Native atomic operations ahead of those by message", "5.3 × (D)", ".*, native, over TCP",
              ("native", "by message"))],
    "multigrid": [Ahead("MG one-sided ahead of two-sided", "ahead", "mg: class ., .* a host, over TCP( at 1 Gbit/s)?", other=mpi),
                  Ahead("Its exchanges alone", None, "mg: class ., .* a host, over TCP.*: exchanges", other=mpi)],
}


def sentences(found, part):
    """Of a part of a report, those of which figures are there."""
    medians = Medians(found)
    return [said for finding in FINDINGS.get(part["name"], ()) if (said := finding.sentence(medians))]
