# SPDX-License-Identifier: BSD-3-Clause
#
# What a part of a study is made of. A row is one problem, given to every way of writing the same application, or a
# benchmark, run with every library that has it.

import re

# How an application tells its time, by a line with "on 4 PEs" (ranks, threads, images): each has one of these.
SECONDS = re.compile(r"(?:on \d+ (?:PEs|ranks|processes|threads|images)|in \d+ steps|iterations):? ([\d.]+) s\b")
SECONDS_LAST = re.compile(r"on \d+ PEs, ([\d.]+) s\b")
SECONDS_FIRST = re.compile(r", ([\d.]+) s on \d+ PEs")
NANOSECONDS = re.compile(r"by each of \d+ PEs, ([\d.]+) ns per")
EXCHANGES = re.compile(r"at least ([\d.]+) s of it in exchanges")
LIMIT = re.compile(r"(?:local products alone|limit[^:]*): ([\d.]+) s\b")  # the same work without communication


class Unread(Exception):
    """A run that says no figure: why."""


class Row:
    """An application's problem. label: within its part. full, quick: arguments for all of the application's programs, {study} in
    them the study's folder, {planner} the way's, quick None where a quick study leaves it out. cost: seconds of one processor (2.1 GHz) that a full run of it takes. limit:
    arguments that make the OpenSHMEM program tell a limit. settings: of the environment. exchanges: whether the program also tells
    what its exchanges take, on more than one PE."""
    is_app, is_far, unit, launch_s, folder = True, False, "ns", 0.6, ""

    def __init__(self, app, label, full, quick, cost, said=SECONDS, unit="s", limit="", ways=None, settings=None,
                 exchanges=False):
        self.app, self.label, self.cost, self.is_quick = app, label, cost, quick is not None
        self.full, self.quick, self.limit = full.split(), (quick or "").split(), limit.split()
        self.said, self.scale, self.ways, self.settings = said, {"s": 1e9, "ns": 1}[unit], ways, settings or {}
        self.exchanges = exchanges

    @property
    def key(self):
        return f"{self.app}: {self.label}"

    @property
    def shown(self):
        """What it has a figure of."""
        return [self.key, f"{self.key}: exchanges"] if self.exchanges else [self.key]

    def takes(self, way):
        return (self.ways is None or way.name in self.ways) and way.writes(self)

    def counts(self, counts, crowd):
        """On how many PEs; crowd: more than there are CPUs, or None."""
        return counts

    def command(self, way, program, pes, cpus, environment):
        return way.command(program, pes, cpus)

    def read(self, out):
        """[(what, bytes, figure)] of a run; "limit" before what is the machine's."""
        found, limit = self.said.search(out), LIMIT.search(out)
        if not found:
            raise Unread("it says no time")
        if "verified" not in out:
            raise Unread("it does not say that its answer is verified")
        exchanges = EXCHANGES.search(out) if self.exchanges else None
        return [(self.key, 0, float(found[1]) * self.scale),
                *([("limit " + self.key, 0, float(limit[1]) * 1e9)] if limit else []),
                *([(f"{self.key}: exchanges", 0, float(exchanges[1]) * 1e9)] if exchanges else [])]


class Bench(Row):
    """A program of bench/node/, which tells several figures by lines of six fields. whats: those that are compared. folder: of
    bench/, where it is not there. label: behind what it says, where settings make a difference. quick_sizes: empty
    where a quick study leaves it out. crowded: also on more PEs than there are CPUs."""
    is_app = False

    def __init__(self, program, whats, cost, sizes, quick_sizes, pes=None, ways=None, folder="", label="", settings=None,
                 crowded=False, unit="ns"):
        super().__init__(program, label, "", "" if quick_sizes else None, cost, ways=ways, settings=settings)
        self.whats, self.sizes, self.quick_sizes = whats, sizes, quick_sizes
        self.pes = (pes,) if isinstance(pes, int) else pes
        self.folder, self.crowded, self.unit = folder, crowded, unit

    @property
    def key(self):
        return f"bench {self.app}{', ' + self.label if self.label else ''}"

    @property
    def shown(self):
        return [self._shown(what) for what in self.whats]

    def _shown(self, what):
        return f"{what}, {self.label}" if self.label else what

    def counts(self, counts, crowd):
        if self.pes is not None:
            return list(self.pes)
        return [pes for pes in counts if pes > 1 and (not crowd or pes < crowd)] + ([crowd] if self.crowded and crowd else [])

    def read(self, out):
        fields = [line.split("\t") for line in out.splitlines() if line.startswith("bench\t")]
        found = [(self._shown(line[1]), int(line[3]), float(line[4])) for line in fields if len(line) == 6 and line[1] in self.whats]
        if not found:
            raise Unread("it says no figure")
        return found


class Part:
    """name: for ONLY. paper: where the finding is from; none where it is no paper's."""

    def __init__(self, name, title, text, rows, paper=None):
        self.name, self.title, self.text, self.rows, self.paper = name, title, text, rows, paper
