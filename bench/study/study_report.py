# SPDX-License-Identifier: BSD-3-Clause
#
# What a study found: rows against the other ways of writing the same, a page and a table.

import html as markup
import re

import findings
import growth
import machine
import measure
import page
import papers
import plot
import reasons
import rooflines
import spread
import parts
import ways
from targets import Limit, Target, judge, short, time_text, value_text

LIMIT = "limit "  # before what the machine does without the library
ALONE = {True: "the same without a library", False: "the same work without communication"}  # of a benchmark, of an application
STYLES = {"SHMEM": ("peer-6", "peer-3", "inline"), "OpenMP": ("peer-2",), "two-sided": ("peer-4", "peer-5"), "FFTW": ("peer-4", "peer-5"),
          "": ("peer-1", "peer-3")}  # of the others by a word of their names, one after the other
LEAST_ROUNDS = 5  # from here on the sign test tells two ways apart
VARIANT_STYLES = tuple(style for style in page.STYLES if style != "inline")  # lines beside one another: not a second blue


def minutes(seconds):
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{max(seconds, 1):.0f} s"


def figures_of(study):
    """The journal as figures, those of failed runs as failures."""
    figures = measure.Figures()
    units = {row.key: row.unit for _, rows in study.parts for row in rows}
    for run in study.journal.runs.values():
        if run["row"] not in units:
            continue
        if "why" in run:
            figures.failures[run["way"], run["row"], run["pes"]] = run["why"]
        for what, size, value in run.get("figures", ()):
            name = "limit" if what.startswith(LIMIT) or run["way"] == ways.BARE else run["way"]
            figures.note(what.removeprefix(LIMIT), run["pes"], size, name, value, units[run["row"]])
    for way in study.ways:
        for app, reason in way.failures.items():
            figures.failures[way.name, app, 0] = reason
    return figures


def report(study, seconds):
    names = [way.name for way in study.ways if way.name != ways.BARE]
    found = measure.make_report(figures_of(study), study.here, names, names[1:], study.rounds, study.quick, seconds)
    found["parts"] = [{"name": part.name, "title": part.title, "text": part.text, "paper": part.paper,
                       "rows": list(dict.fromkeys(what for row in rows for what in row.shown))} for part, rows in study.parts]
    works = {row.key: rooflines.work_of(row, study.quick) for _, rows in study.parts for row in rows if not row.is_far}
    found["work"] = {key: work for key, work in works.items() if work}
    near = {part.name for part in parts.PARTS if not any(row.is_far for row in part.rows)}
    found["between"] = "applications" if near <= {part["name"] for part in found["parts"]} else "papers"
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
    return any(failure["library"].startswith(ways.OWN) for failure in found["failures"])


def wanted(found):
    """At least as fast as the best of the others, wherever another one ran."""
    unit = {r["what"]: r["unit"] for r in found["results"]}
    compared = {r["what"] for r in found["results"] if r["library"] in found["peers"]}
    for part in found["parts"]:
        for row in filter(lambda row: not growth.is_total(row), part["rows"]):
            share = unit.get(row) == "%"
            measured = {(r["pes"], r["bytes"]) for r in found["results"] if r["library"] == ways.OWN and r["what"] == row}
            for pes, size in sorted(measured):
                alone = Limit(ALONE[size > 0], (row, pes, size))
                yield Target(label(found, row, pes, size), row, size, 1.0 if row in compared else None, None, None if share else alone, pes,
                             more=share)


def label(found, row, pes, size):
    crowded = ", crowded" if pes > found.get("machine", {}).get("cpus", pes) else ""
    return f"{row}{' ' + short(size) if size else ''}, {pes} PE{'s' if pes > 1 else ''}{crowded}"


class Pictures(page.Pictures):
    def __init__(self, found):
        super().__init__(found)
        self.style = {ways.OWN: "sheaf", "limit": "limit"}
        left = {word: list(styles) for word, styles in STYLES.items()}
        for name in found["peers"]:
            styles = left[next(word for word in STYLES if word in name)]
            self.style[name] = styles.pop(0) if styles else "peer-3"

    def row(self, row):
        """Against bytes or PEs, where several numbers of them were measured."""
        sizes = {r["bytes"] for r in self.report["results"] if r["what"] == row}
        if len(sizes) > 1:
            pes = max(r["pes"] for r in self.report["results"] if r["what"] == row)
            return self.card(f"{row}, {pes} PEs", self.series(row, "bytes", lambda result: result["pes"] == pes, row, "limit"),
                             short, time_text, "bytes", "time")
        counts = {r["pes"] for r in self.report["results"] if r["what"] == row}
        if len(counts) > 1:
            return self.card(row, self.series(row, "pes", lambda result: True, row, "without communication"), str, time_text,
                             "PEs", "time")
        return ""

    def bars(self, rows):
        groups = []
        for row in rows:
            every = [r for r in self.report["results"] if r["what"] == row and r["unit"] == "ns"]
            found = [(r["library"], self.style[r["library"]], r["median"])
                     for r in [r for r in every if r["library"] != "limit"] or every]
            if found:
                groups.append((row, sorted(found, key=lambda one: one[2])))
        return plot.bars(groups, time_text, 330)

    def variants(self, row, rows):
        """Of a row those that are the same done in another way by the library under study: they bear its name and a word."""
        return [other for other in rows if other.startswith(row + ", ") and self.is_own(other)]

    def is_own(self, row):
        return {r["library"] for r in self.report["results"] if r["what"] == row} == {ways.OWN}

    def how(self, row, others):
        """A row beside its variants, against bytes or PEs."""
        results = [r for r in self.report["results"] if r["what"] in (row, *others) and r["library"] == ways.OWN]
        pes, x = max((r["pes"] for r in results), default=0), next((x for x in ("bytes", "pes") if len({r[x] for r in results}) > 1), None)
        if x is None:
            return ""
        titles = ["by itself", *(name.removeprefix(row + ", ") for name in others)]
        series = [plot.Series(title, style, self.points(ways.OWN, name, x, lambda result: x == "pes" or result["pes"] == pes))
                  for title, style, name in zip(titles, VARIANT_STYLES, (row, *others))]
        unit = results[0]["unit"]
        chart = self.card(f"{row}{f', {pes} PEs' if x == 'bytes' else ''}: Sheaf's ways", series, short if x == "bytes" else str,
                          lambda value: value_text(value, unit), "bytes" if x == "bytes" else "PEs", "share" if unit == "%" else "time",
                          unit == "%")
        keys = "".join(f'<span><i class="{s.style}"></i>{markup.escape(s.name)}</span>' for s in series)
        return chart.replace("</h3>", f'</h3><div class="legend">{keys}</div>', 1)

    def part(self, rows):
        """Cards, and bars of the rows that were measured at one point alone."""
        variants = {row: self.variants(row, rows) for row in rows}
        shown = {other for others in variants.values() for other in others}
        cards, left = [], []
        for row in rows:
            if row not in shown:
                card = "" if variants[row] and self.is_own(row) else self.row(row)
                how = self.how(row, variants[row]) if variants[row] else ""
                cards += [card, how]
                left += [] if card or how else [row, *variants[row]]
        cards = "".join(cards)
        return (f'<div class="charts">{cards}</div>' if cards else "") + self.bars(left)


def found_section(found, part):
    said = "".join(f"<li>{markup.escape(sentence)}</li>" for sentence in findings.sentences(found, part))
    return f'<ul class="found">{said}</ul>' if said else ""


def part_section(found, pictures, part):
    drawn = pictures.part(part["rows"])
    beside = f" Beside: {part['paper']}." if part["paper"] else ""
    measured = {r["what"] for r in found["results"]}
    if not measured & set(part["rows"]):
        return f"<h2>{markup.escape(part['title'])}</h2><p>Not measured.</p>"
    sizes = [r["bytes"] for r in found["results"] if r["library"] == "limit" and r["what"] in part["rows"]]
    limit = ALONE[any(sizes)] if 'class="chart"' in drawn and sizes else None
    return (f"<h2>{markup.escape(part['title'])}</h2><p>{markup.escape(part['text'] + beside)}</p>"
            f"{found_section(found, part)}{pictures.legend(limit, True, part['rows'])}{drawn}")


def html(found):
    pictures = Pictures(found)
    sections = [part_section(found, pictures, part) for part in found["parts"]]
    note = ("Ahead is the best other way's median over Sheaf's: OpenMP, MPI or another OpenSHMEM, whichever is fastest in that row. "
            "Every run has verified its own answer.")
    return page.document("Applications of the papers' studies", found, [*sections, rooflines.html(found), page.targets_section(found, note)])


def text(found):
    return page.text(found)


def medians(found):
    return {(r["what"], r["pes"], r["bytes"], r["library"]): r["median"] for r in found["results"]}


def alone(found):
    """{row: its time on one PE of the library under study}"""
    return {r["what"]: r["median"] for r in found["results"] if r["pes"] == 1 and r["library"] == ways.OWN and r["unit"] == "ns"}


def scaled_rows(found):
    """Applications that ran on one PE and on several."""
    counts = {}
    for r in found["results"]:
        counts.setdefault(r["what"], set()).add(r["pes"])
    return [row for row in alone(found) if row in found.get("work", {}) and len(counts[row]) > 1]


def part_table(found, part):
    """Rows against ways, each in as many numbers of PEs as were measured; the fastest is bold."""
    unit = {r["what"]: r["unit"] for r in found["results"]}
    values, equal = medians(found), {(row["what"], row["pes"], row["bytes"]) for row in found["targets"] if row["equal"]}
    names = [name for name in (*found["libraries"], "limit") if any(key[0] in part["rows"] and key[3] == name for key in values)]
    titles = [ALONE[any(key[2] for key in values if key[0] in part["rows"])] if name == "limit" else name for name in names]
    of_one = {row: value for row, value in alone(found).items() if row in part["rows"]}
    heads = [*titles, "ahead", *(["1 PE's time over it"] if of_one else [])]
    out = [f"| | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    for row in part["rows"]:
        for pes, size in sorted({(key[1], key[2]) for key in values if key[0] == row}):
            cells = {name: values.get((row, pes, size, name)) for name in names}
            others = [value for name, value in cells.items() if value and name not in (ways.OWN, "limit")]
            least = min(filter(None, (*others, cells.get(ways.OWN))), default=None)
            ahead = page.times(min(others) / cells[ways.OWN]) if others and cells.get(ways.OWN) else ""
            ahead += " equal" if (row, pes, size) in equal else ""
            shown = (("**%s**" if value == least and others else "%s") % value_text(value, unit[row]) if value is not None else ""
                     for value in cells.values())
            scaled = of_one.get(row) and pes > 1 and cells.get(ways.OWN)
            ends = [ahead, *([page.times(of_one[row] / cells[ways.OWN]) if scaled else ""] if of_one else [])]
            out.append(f"| {label(found, row, pes, size)} | {' | '.join((*shown, *ends))} |")
    return "\n".join(out)


def equal_text(found):
    """Rows whose median is behind by less than the rounds differ, with what they differ by."""
    values = {(r["what"], r["pes"], r["bytes"], r["library"]): r for r in found["results"]}

    def spread_of(row, name):
        result = values[row["what"], row["pes"], row["bytes"], name]
        return f"{name} {time_text(result['min'])} to {time_text(result['max'])}"

    return "\n".join(f"- {row['label']}: {page.times(row['ahead'])}; {spread_of(row, ways.OWN)}, {spread_of(row, row['peer'])}."
                     for row in found["targets"] if row["equal"] and row["peer_met"] is False) or "None."


def cells_of(sentence):
    """Claim, theirs and ours of a finding's sentence."""
    match = re.match(r"(.*?): (?:there (.*?); )?here (.*)\.$", sentence)
    return match[1], match[2] or "", match[3]


def letter(paper):
    """Of one of the five, which the page lists, its letter; the whole name of others."""
    return ", and ".join(word[:3] if word[:1] == "(" else word for word in paper.split(", and "))


def pair_table(found):
    """Latencies of pairs of CPUs as a map: as far apart as the caches are."""
    known = {tuple(map(int, re.findall(r"\d+", r["what"]))): r["median"] for r in found["results"] if r["what"].startswith("CPU ")}
    cpus = sorted({cpu for pair in known for cpu in pair})
    rows = (f"| CPU {one} | " + " | ".join(time_text(known[min(one, other), max(one, other)]) if one != other else ""
                                           for other in cpus) + " |" for one in cpus)
    return "\n".join([f"| | {' | '.join(f'CPU {cpu}' for cpu in cpus)} |", "|---|" + "---|" * len(cpus), *rows])


def some_sizes(found, part, sizes=(8, 4096, 1 << 20, 64 << 20)):
    """The table of a curve: a few of its sizes."""
    few = [r for r in found["results"] if r["what"] not in part["rows"] or r["bytes"] in sizes]
    return part_table({**found, "results": few}, part)


def copy_text(found, part):
    """The picture, the caches where the machine told them, and the table."""
    caches = found["machine"].get("caches", {})
    said = ", ".join(f"{name} {short(size)}" for name, size in caches.items())
    return "![Copies by size](figures/studies-copies.svg)\n\n" + (f"Caches: {said}.\n\n" if said else "") + some_sizes(
        found, part, [8, *(16 << power for power in (10, 11, 15, 16, 20, 21, 22))])


SHOWN = {"copies": copy_text,
         "pairs": lambda found, part: pair_table(found),
         growth.NAME: growth.tables,
         "curve": lambda found, part: f"![Bandwidth by size](figures/studies-bandwidth.svg)\n\n{some_sizes(found, part)}"}


def part_text(found, part):
    beside = f" Beside: {letter(part['paper'])}." if part["paper"] else ""
    rows = [f"| {what} | {there} | {here} |\n" for what, there, here in map(cells_of, findings.sentences(found, part))]
    said = "| finding | the paper | here |\n|---|---|---|\n" + "".join(rows) if rows else ""
    table = SHOWN.get(part["name"], part_table)(found, part)
    note = "" if part.get("again") else papers.NOTES.get(part["name"], "")
    command = f"```sh\nONLY='^{part['name']} ' make study\n```"
    return f"## {part['title']}\n\n{command}\n\n{part['text']}{beside}\n\n{said and said + chr(10)}{table}\n{note and chr(10) + note + chr(10)}"


def link(place, titles):
    """To a part of the study, or what measures it; another page is a link already."""
    if place[0] == "[":
        return place
    if place not in titles:
        return f"not measured yet: `ONLY='^{place} ' make study`"
    anchors = ((title, re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")) for title in titles[place])
    return ", ".join(f"[{title}](#{anchor})" for title, anchor in anchors)


def papers_text(titles):
    """The five, what each shows, and where that is answered. titles: those of each part's sections."""
    named = "\n".join(f"- {paper}." for paper in papers.FIVE)
    rows = "\n".join(f"| {paper} | {shows} | {', '.join(link(place, titles) for place in where)} | {holds} |"
                     for paper, shows, where, holds in papers.ANSWERS)
    return f"""## The five papers

Sheaf builds on five papers, which the sections below name by their letters:

{named}

Of A and E no text but abstracts and summaries is public. So their rows say what was measured, and name a figure's number only where another text
gives it; a paper's own numbers stand where its text or data is public.

| paper | it shows | answered by | here |
|---|---|---|---|
{rows}
"""


def measured_parts(found):
    measured = {r["what"] for r in found["results"]}
    return [part for part in found["parts"] if measured & set(part["rows"])]


def counts_of(found, part):
    return sorted({r["pes"] for r in found["results"] if r["what"] in part["rows"]})


def retitled(found, later, part):
    """A part of a later study; where the whole one has it too, its title says on how many PEs."""
    if part["name"] not in {other["name"] for other in measured_parts(found)}:
        return part
    counts = list(map(str, counts_of(later, part)))
    return {**part, "again": True, "title": f"{part['title']}, {' and '.join(filter(None, (', '.join(counts[:-1]), counts[-1])))} PEs"}


def joined(kept, new):
    """Studies of some parts: a new one takes the place of the same parts in those kept."""
    names, out = {part["name"] for part in new["parts"]}, []
    for study in kept:
        left = [part for part in study["parts"] if part["name"] not in names]
        rows = {row for part in left for row in part["rows"]}
        if left:
            out.append({**study, "parts": left, "results": [r for r in study["results"] if r["what"] in rows],
                        "work": {row: work for row, work in study.get("work", {}).items() if row in rows}})
    return [*out, new]


def later_text(found, laters):
    """The parts that were measured by themselves."""
    said = ["## Measured by themselves\n\nParts that were measured later, on another machine than those above: only figures of one "
            "table are to be compared.\n"] if laters else []
    if any(map(scaled_rows, laters)):
        said.append("![How applications scale](figures/studies-scaling.svg)\n\nEach way's curve is the time of one PE of Sheaf over its "
                    "own. PEs beyond the CPUs are crowded: they share them.\n")
    for later in laters:
        sections = "\n".join(part_text(later, retitled(found, later, part)).replace("## ", "### ", 1) for part in measured_parts(later))
        busy = "Others used the CPUs meanwhile: what takes more than some microseconds was interrupted by them.\n\n" \
            if later["machine"].get("busy", 0) > machine.BUSY else ""
        few = "So few rounds tell two ways apart only where they are far apart: the same loops took up to half as long again in one run " \
            "as in another.\n\n" if later["rounds"] < LEAST_ROUNDS else ""
        said.append(f"{page.heading_table(later)}\n\n{busy}{few}{sections}")
    return "\n".join(said) + ("\n" if laters else "")


def document(found, misses, laters):
    """docs/measured/studies.md. laters: studies of some parts alone."""
    rows = [row for row in found["targets"] if row["peer_met"] is not None]
    equal = sum(row["equal"] for row in rows)
    faster = sum(row["peer_met"] and not row["equal"] for row in rows)
    sections = "\n".join(part_text(found, part) for part in measured_parts(found))
    titles = {part["name"]: [part["title"]] for part in measured_parts(found)}
    for later in laters:
        for part in measured_parts(later):
            titles.setdefault(part["name"], []).append(retitled(found, later, part)["title"])
    lacking = "\n".join(f"- {line}." for line in page.failures(found))
    return f"""<!-- Written by bench/figures from bench/data/studies.json; `make study` measures again. -->
# The papers' studies

{page.heading_table(found)}

The figures of the papers that Sheaf builds on, measured again, and their applications, as [apps](../../apps/README.md) has them, in every
way in which each is written. Times are medians of rounds in which all took turns; *ahead* is the best other way's over Sheaf's. Every run
verified its answer. The papers' machines were others, so what is compared is which way is faster, not by how much.
**Of {len(rows)} rows {faster} are faster than the best other way, {equal} equal to it, and {len(rows) - faster - equal} slower.** Two ways are
equal where each was ahead in some rounds, so that two alike ways would be as far apart in more than one row of ten (the
sign test). `make study` writes the same as a page with pictures, into `build/study/index.html`.

{papers_text(titles)}
{sections}
{later_text(found, laters)}{rooflines.document(found)}## Slower than another way, and why

{misses}

## Equal by the rounds, though the median is behind

{equal_text(found)}
""" + (f"\n## What did not run\n\n{lacking}\n" if lacking else "")
