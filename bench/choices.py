# SPDX-License-Identifier: BSD-3-Clause
#
# What oshtune measured, for docs/measured/algorithms.md: per operation a picture and a table of which
# algorithm wins where, and how that compares with what the TSHMEM study found.

import statistics

import plot
from targets import short, time_text

BEGIN, END = "<!-- figures: begin; written by bench/figures -->", "<!-- figures: end -->"
OPERATIONS = ("broadcast", "fcollect", "reduce", "copy")
COLOURS = ("#2a78d6", "#eb6834", "#1baf7a", "#8a63c9", "#d6a92a", "#c2377e", "#5a6b7b", "#7fb3d5")
NOISY = 2 # a median that is so many times its best round says more of the machine than of the algorithm
MOST_SLOWER = 10 # times the best: what is above is drawn there

# (claim, operation, the one said to be ahead, the other, from how many bytes on, from how many PEs on)
CLAIMS = (
    ("broadcast: pull ahead of push", "broadcast", "pull", "push", 256, 2),
    ("fcollect: gather, then pull (naive) ahead of linear", "fcollect", "naive", "linear", 256, 2),
    ("reduce: tree ahead of linear at many PEs", "reduce", "tree", "linear", 256, 8),
    ("reduce: tree ahead of naive at many PEs", "reduce", "tree", "naive", 256, 8),
)


class Measurements:
    """time[operation][pes][bytes][algorithm] in ns; source: the comment at the data's head."""

    def __init__(self, path):
        self.source, self.time, self.algorithms, self.points, self.noisy = "", {}, {}, 0, 0
        for line in path.read_text().splitlines():
            fields = line.split("\t")
            if line.startswith("#"):
                self.source = line[1:].strip()
            elif fields[0] != "pes":
                self.add(int(fields[0]), fields[1], fields[2], int(fields[3]), float(fields[4]), float(fields[5]))

    def add(self, pes, operation, algorithm, size, ns, least):
        self.points += 1
        if ns > NOISY * least:
            self.noisy += 1
            return
        self.time.setdefault(operation, {}).setdefault(pes, {}).setdefault(size, {})[algorithm] = ns
        known = self.algorithms.setdefault(operation, [])
        if algorithm not in known:
            known.append(algorithm)

    def measured(self):
        return [operation for operation in OPERATIONS if operation in self.time]

    def names(self, operation):
        return [(name, COLOURS[i], f"algorithm-{i}") for i, name in enumerate(self.algorithms[operation])]


def panel(found, operation, pes):
    """Times over the best one's, against bytes."""
    sizes = found.time[operation][pes]
    series = []
    for name, _, style in found.names(operation):
        points = []
        for size, times in sizes.items():
            if name in times:
                slower = min(times[name] / min(times.values()), MOST_SLOWER)
                points.append((size, slower, slower, slower))
        series.append(plot.Series(name, style, points))
    ratio = lambda value: f"{value:.3g} ×"
    return f"{pes} PEs", plot.lines(series, short, ratio, "bytes", "time over the best")


def barrier_panel(found):
    series = []
    for name, _, style in found.names("barrier"):
        points = [(pes, *(sizes[0][name],) * 3) for pes, sizes in found.time["barrier"].items() if name in sizes[0]]
        series.append(plot.Series(name, style, points))
    return "barrier", plot.lines(series, str, time_text, "PEs", "time")


def draw(found, figures):
    if "barrier" in found.time:
        (figures / "algorithms-barrier.svg").write_text(plot.alone([barrier_panel(found)], found.names("barrier")))
    for operation in found.measured():
        panels = [panel(found, operation, pes) for pes in sorted(found.time[operation])]
        (figures / f"algorithms-{operation}.svg").write_text(plot.alone(panels, found.names(operation)))


def winner(times):
    """The fastest, and by how much it is ahead of the next."""
    ranked = sorted(times, key=times.get)
    if len(ranked) < 2:
        return ranked[0]
    return f"{ranked[0]} {times[ranked[1]] / times[ranked[0]]:.2f}"


def table(found, operation):
    by_pes = found.time[operation]
    sizes = sorted({size for times in by_pes.values() for size in times})
    head = ["PEs", *(short(size) for size in sizes)] if operation != "barrier" else ["PEs", "", "time"]
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for pes in sorted(by_pes):
        cells = [winner(by_pes[pes][size]) if size in by_pes[pes] else "" for size in sizes]
        if operation == "barrier":
            cells.append(time_text(min(by_pes[pes][0].values())))
        out.append(f"| {pes} | " + " | ".join(cells) + " |")
    return "\n".join(out)


def judge(found, claim):
    text, operation, ahead, other, least_bytes, least_pes = claim
    ratios = [times[other] / times[ahead] for pes, sizes in found.time.get(operation, {}).items() if pes >= least_pes
              for size, times in sizes.items() if size >= least_bytes and ahead in times and other in times]
    if not ratios:
        return f"| {text} | not measured | |"
    true = sum(ratio > 1 for ratio in ratios)
    return f"| {text} | {true} of {len(ratios)} | {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |"


def left_out(found):
    if not found.noisy:
        return ""
    return f"{found.noisy} of {found.points} points are left out: their median was more than {NOISY} times their best round."


def report(found):
    parts = [f"Measured on: {found.source}. {left_out(found)}".strip()]
    if "barrier" in found.time:
        parts += ["### Barrier\n\n![Barriers by PEs](figures/algorithms-barrier.svg)", table(found, "barrier")]
    for operation in found.measured():
        parts += [f"### {operation.capitalize()}\n\n![{operation}: algorithms by size](figures/algorithms-{operation}.svg)",
                  table(found, operation)]
    rows = "\n".join(judge(found, claim) for claim in CLAIMS)
    parts.append("### Beside the TSHMEM study\n\n| what it found | holds here, of sizes and PEs measured | times ahead: median (range) |\n"
                 f"|---|---|---|\n{rows}")
    return "\n\n".join(parts)


def write(data, path, figures):
    found = Measurements(data)
    draw(found, figures)
    before, rest = path.read_text().split(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{report(found)}\n{END}{rest.split(END)[1]}")
