# SPDX-License-Identifier: BSD-3-Clause
#
# What a study found: rows against the other ways of writing the same, a page and a table. Knows no program.

import html as markup

import measure
import page
import plot
import reasons
import spread
import ways
from targets import Limit, Target, judge, short, time_text

LIMIT = "limit "  # before what the machine does without the library
ALONE = {True: "the same without a library", False: "the same work without communication"}  # of a benchmark, of an application
STYLES = {"OpenMP": "peer-2", "Open MPI OSHMEM": "inline"}
MPI_STYLES = ("peer-1", "peer-3")


def minutes(seconds):
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{max(seconds, 1):.0f} s"


def figures_of(study):
    """The journal as figures, those of failed runs as failures."""
    figures = measure.Figures()
    keys = {row.key for _, rows in study.parts for row in rows}
    for run in study.journal.runs.values():
        if run["row"] not in keys:
            continue
        if "why" in run:
            figures.failures[run["way"], run["row"], run["pes"]] = run["why"]
        for what, size, value in run.get("figures", ()):
            name = "limit" if what.startswith(LIMIT) or run["way"] == ways.BARE else run["way"]
            figures.note(what.removeprefix(LIMIT), run["pes"], size, name, value, "ns")
    for way in study.ways:
        for app, reason in way.failures.items():
            figures.failures[way.name, app, 0] = reason
    return figures


def report(study, seconds):
    names = [way.name for way in study.ways if way.name != ways.BARE]
    found = measure.make_report(figures_of(study), study.here, names, names[1:], study.rounds, study.quick, seconds)
    found["parts"] = [{"name": part.name, "title": part.title, "text": part.text, "paper": part.paper,
                       "rows": [what for row in rows for what in (row.whats if not row.is_app else (row.key,))]} for part, rows in study.parts]
    found["between"] = "applications"
    found["targets"] = judged(found)
    return found


def judged(found):
    """The targets of a report whose figures were kept, and whether each row's best two differ by more than their rounds."""
    rounds = {(r["what"], r["pes"], r["bytes"], r["library"]): r.get("values", ()) for r in found["results"]}
    rows = judge(found, wanted(found), {})
    for row in rows:
        key = row["what"], row["pes"], row["bytes"]
        row["equal"] = row["peer"] is not None and spread.is_equal(rounds[*key, ways.OWN], rounds[*key, row["peer"]])
        if row["peer_met"] is False and not row["equal"]:
            row["why"] = reasons.why(row["what"], row["bytes"])
    return rows


def is_wrong(found):
    """Whether a program of the library under study failed or gave a wrong answer."""
    return any(failure["library"] == ways.OWN for failure in found["failures"])


def wanted(found):
    """At least as fast as the best of the others, wherever another one ran."""
    for part in found["parts"]:
        for row in part["rows"]:
            measured = {(r["pes"], r["bytes"]) for r in found["results"] if r["library"] == ways.OWN and r["what"] == row}
            for pes, size in sorted(measured):
                alone = Limit(ALONE[size > 0], (row, pes, size))
                yield Target(label(row, pes, size), row, size, 1.0, None, alone, pes)


def label(row, pes, size):
    return f"{row}{' ' + short(size) if size else ''}, {pes} PE{'s' if pes > 1 else ''}"


class Pictures(page.Pictures):
    def __init__(self, found):
        super().__init__(found)
        mpis = iter(MPI_STYLES)
        self.style = {ways.OWN: "sheaf", "limit": "limit"}
        for name in found["peers"]:
            key = "Open MPI OSHMEM" if name.endswith("OSHMEM") else name
            self.style[name] = STYLES.get(key) or next(mpis, "peer-3")

    def row(self, row):
        """Against bytes or PEs, where several numbers of them were measured."""
        sizes = {r["bytes"] for r in self.report["results"] if r["what"] == row}
        if len(sizes) > 1:
            pes = max(r["pes"] for r in self.report["results"] if r["what"] == row)
            return self.card(f"{row}, {pes} PEs", self.series(row, "bytes", lambda result: result["pes"] == pes), short,
                             time_text, "bytes", "time")
        counts = {r["pes"] for r in self.report["results"] if r["what"] == row}
        if len(counts) > 1:
            return self.card(row, self.series(row, "pes", lambda result: True, row, "without communication"), str, time_text,
                             "PEs", "time")
        return ""

    def bars(self, rows):
        groups = []
        for row in rows:
            found = [(r["library"], self.style[r["library"]], r["median"]) for r in self.report["results"]
                     if r["what"] == row and r["library"] != "limit"]
            if found:
                groups.append((row, sorted(found, key=lambda one: one[2])))
        return plot.bars(groups, time_text, 330)


def part_section(found, pictures, part):
    cards = "".join(pictures.row(row) for row in part["rows"])
    drawn = f'<div class="charts">{cards}</div>' if cards else pictures.bars(part["rows"])
    beside = f" Beside: {part['paper']}." if part["paper"] else ""
    measured = {r["what"] for r in found["results"]}
    if not measured & set(part["rows"]):
        return f"<h2>{markup.escape(part['title'])}</h2><p>Not measured.</p>"
    has_limit = cards and any(r["library"] == "limit" and r["what"] in part["rows"] for r in found["results"])
    limit = "the same work without communication" if has_limit else None
    return (f"<h2>{markup.escape(part['title'])}</h2><p>{markup.escape(part['text'] + beside)}</p>"
            f"{pictures.legend(limit, True, part['rows'])}{drawn}")


def html(found):
    pictures = Pictures(found)
    sections = [part_section(found, pictures, part) for part in found["parts"]]
    note = ("Ahead is the best other way's median over Sheaf's: OpenMP, MPI or another OpenSHMEM, whichever is fastest in that row. "
            "Every run has verified its own answer.")
    return page.document("Applications of the papers' studies", found, [*sections, page.targets_section(found, note)])


def text(found):
    return page.text(found)


def medians(found):
    return {(r["what"], r["pes"], r["bytes"], r["library"]): r["median"] for r in found["results"]}


def part_table(found, part):
    """Rows against ways, each in as many numbers of PEs as were measured; the fastest is bold."""
    values, equal = medians(found), {(row["what"], row["pes"], row["bytes"]) for row in found["targets"] if row["equal"]}
    names = [name for name in (*found["libraries"], "limit") if any(key[0] in part["rows"] and key[3] == name for key in values)]
    titles = [ALONE[any(key[2] for key in values if key[0] in part["rows"])] if name == "limit" else name for name in names]
    out = [f"| | {' | '.join(titles)} | ahead |", "|---|" + "---|" * (len(names) + 1)]
    for row in part["rows"]:
        for pes, size in sorted({(key[1], key[2]) for key in values if key[0] == row}):
            cells = {name: values.get((row, pes, size, name)) for name in names}
            others = [value for name, value in cells.items() if value and name not in (ways.OWN, "limit")]
            least = min(filter(None, (*others, cells.get(ways.OWN))), default=None)
            ahead = page.times(min(others) / cells[ways.OWN]) if others and cells.get(ways.OWN) else ""
            ahead += " equal" if (row, pes, size) in equal else ""
            shown = (("**%s**" if value == least and others else "%s") % time_text(value) if value else ""
                     for value in cells.values())
            out.append(f"| {label(row, pes, size)} | {' | '.join(shown)} | {ahead} |")
    return "\n".join(out)


def equal_text(found):
    """Rows whose median is behind by less than the rounds differ, with what they differ by."""
    values = {(r["what"], r["pes"], r["bytes"], r["library"]): r for r in found["results"]}

    def spread_of(row, name):
        result = values[row["what"], row["pes"], row["bytes"], name]
        return f"{name} {time_text(result['min'])} to {time_text(result['max'])}"

    return "\n".join(f"- {row['label']}: {page.times(row['ahead'])}; {spread_of(row, ways.OWN)}, {spread_of(row, row['peer'])}."
                     for row in found["targets"] if row["equal"] and row["peer_met"] is False) or "None."


def part_text(found, part):
    beside = f" Beside: {part['paper']}." if part["paper"] else ""
    return f"## {part['title']}\n\n{part['text']}{beside}\n\n{part_table(found, part)}\n"


def document(found, misses):
    """docs/studies.md."""
    rows = [row for row in found["targets"] if row["peer_met"] is not None]
    equal = sum(row["equal"] for row in rows)
    faster = sum(row["peer_met"] and not row["equal"] for row in rows)
    measured = {r["what"] for r in found["results"]}
    parts = "\n".join(part_text(found, part) for part in found["parts"] if measured & set(part["rows"]))
    lacking = "\n".join(f"- {line}." for line in page.failures(found))
    return f"""<!-- Written by bench/figures from docs/studies/results.json; `make study` measures again. -->
# The studies' applications

{", ".join(found["libraries"])}: {page.heading(found)}.

The applications of the studies that Sheaf builds on, as [apps](../apps/README.md) has them, in every way in which each is written. Times are
medians of rounds in which all took turns; *ahead* is the best other way's over Sheaf's. Every run verified its answer. The pages of the
papers are named beside; their machines were others, so what is compared is which way is faster, not by how much.
**Of {len(rows)} rows {faster} are faster than the best other way, {equal} equal to it, and {len(rows) - faster - equal} slower.** Two ways are
equal where each was ahead in some rounds, so that two alike ways would be as far apart in more than one row of ten (the
sign test). `make study` writes the same as a page with pictures, into `build/study/index.html`.

{parts}
## Slower than another way, and why

{misses}

## Equal by the rounds, though the median is behind

{equal_text(found)}
""" + (f"\n## What did not run\n\n{lacking}\n" if lacking else "")
