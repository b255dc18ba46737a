# SPDX-License-Identifier: BSD-3-Clause
"""What bench/conform/run found: as a table of text, as a page of the book, and as one page of HTML that needs nothing else."""
import html as markup

import machine
import page

STATES = "passes", "fails", "hangs", "not there", "differs", "skipped"
MARKS = {"passes": "met", "fails": "missed", "hangs": "missed"}


def counts(report):
    """{(kind, chapter): {library: {state: rows}}}, in the report's order."""
    found = {}
    for row in report["rows"]:
        of_chapter = found.setdefault((row["kind"], row["chapter"]), {})
        for library, (state, _why) in row["results"].items():
            states = of_chapter.setdefault(library, dict.fromkeys(STATES, 0))
            states[state] += 1
    return found


def cell(states):
    """How many rows pass of how many, and what the others do."""
    others = ", ".join(f"{states[state]} {state}" for state in STATES[1:] if states[state])
    return f"{states['passes']} of {sum(states.values())}" + (f" ({others})" if others else "")


def table(report):
    libraries = [library["name"] for library in report["libraries"]]
    yield ["", *libraries]
    for (kind, chapter), found in counts(report).items():
        yield [f"{chapter}: {kind}s", *(cell(found[library]) for library in libraries)]


def text(report):
    lines = list(table(report))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines)


def condensed(report):
    """What the book's page shows."""
    reasons = [[library, row["chapter"], row["name"], state, why] for row in report["rows"] if row["kind"] == "statement"
               for library, (state, why) in row["results"].items() if state in ("fails", "hangs", "differs")]
    return {**{key: report[key] for key in ("date", "machine", "pes", "left_out", "libraries")}, "table": list(table(report)),
            "reasons": reasons}


def rows_as_markdown(rows):
    cells = [[word.replace("|", "\\|") for word in row] for row in rows]
    return "\n".join(["| " + " | ".join(cells[0]) + " |", "|---" * len(cells[0]) + "|", *("| " + " | ".join(row) + " |" for row in cells[1:])])


def book_page(kept):
    """docs/measured/conform.md, of what condensed() keeps."""
    commands = rows_as_markdown([["library", "compiled by", "run by"], *([one["name"], f"`{one['compiler']}`", f"`{one['command']}`"]
                                                                         for one in kept["libraries"])])
    reasons = rows_as_markdown([["library", "chapter", "statement", "result", "first line"], *kept["reasons"]])
    return f"""<!-- Written by bench/figures from bench/data/conform.json; `make conform` measures again. -->
# Which library has what of OpenSHMEM 1.6

`make conform` compiles and runs the conformance programs of Sheaf with every OpenSHMEM library that you name, and counts by chapter.

```console
$ make conform PEERS="Sandia:/opt/sos/bin/oshcc:/opt/sos/bin/oshrun; Cray:cc:srun"
```

Each library is `name:compiler:command that runs a program`; `-n N PROGRAM` is added to the command, or `{{n}}` in it is replaced.
Without `PEERS` Sheaf is compared with the Open MPI that is installed. `build/conform` then has `conform.json` and `index.html`,
with every routine and statement and the reason where one does not pass. `ONLY=Teams` judges one chapter.

There are two kinds of rows:

- A *routine* is there when a program that takes its address compiles and links.
- A *statement* is a sentence of the specification with the functions that test it ([the list](../../tests/conformance/TRAPS.md)). Each function is cut
  out of its file, so that a missing routine takes no other row along. {kept["left_out"]} statements are left out, as no program alone can
  judge them.

| result | meaning |
|---|---|
| passes | every function of the row passed with every number of PEs: {", ".join(map(str, kept["pes"]))} |
| fails | a check did not hold, or the program ended with an error |
| hangs | the program did not end within its limit, 20 s |
| not there | the program does not compile or link: the library lacks a name |
| differs | the specification leaves the behaviour open, and the library chose otherwise than Sheaf |

## Results

Measured on {kept["date"]}: {machine.text(kept["machine"])}.

{commands}

{rows_as_markdown(kept["table"])}

Statements that were there and did not pass:

{reasons if kept["reasons"] else "None."}

What Sheaf chose where the specification is open is in [conformance](../reference/conformance.md).
"""


def result(state, why):
    return (f'<td><span class="{MARKS.get(state, "equal")}">{state}</span></td>'
            f'<td class="wrap">{markup.escape(why)}</td>')


def rows_of(report, kind, chapter):
    names = [library["name"] for library in report["libraries"]]
    rows = [row for row in report["rows"] if (row["kind"], row["chapter"]) == (kind, chapter)]
    if kind == "routine":  # those that every library has say nothing
        rows = [row for row in rows if any(row["results"][name][0] != "passes" for name in names)]
    if not rows:
        return "<p>All of them, in every library.</p>"
    head = "".join(f'<th colspan="2">{markup.escape(name)}</th>' for name in names)
    body = "".join(f'<tr><td class="wrap">{markup.escape(row["name"])}</td>' +
                   "".join(result(*row["results"][name]) for name in names) + "</tr>" for row in rows)
    return f"<table><tr><th></th>{head}</tr>{body}</table>"


def document(report):
    names = [library["name"] for library in report["libraries"]]
    summary = "".join("<tr>" + "".join(f"<td>{markup.escape(word)}</td>" for word in line) + "</tr>"
                      for line in list(table(report))[1:])
    chapters = "".join(f"<h2>{markup.escape(chapter)}: {kind}s</h2>{rows_of(report, kind, chapter)}"
                       for kind, chapter in counts(report))
    commands = "".join(f"<li>{markup.escape(one['name'])}: <code>{markup.escape(one['compiler'])}</code>, "
                       f"<code>{markup.escape(one['command'])}</code></li>" for one in report["libraries"])
    head = "".join(f"<th>{markup.escape(name)}</th>" for name in ["", *names])
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>OpenSHMEM 1.6, library by library</title><style>{page.STYLE}
td.wrap {{ min-width: 0; overflow-wrap: anywhere; }}</style>
<h1>OpenSHMEM 1.6, library by library</h1>
<p>{report["date"]}, {markup.escape(machine.text(report["machine"]))}. Statements ran on {", ".join(map(str, report["pes"]))} PEs; {report["left_out"]} statements
of tests/conformance/TRAPS.md that no program alone can judge are left out. "Differs": the specification leaves it open.</p>
<ul class="found">{commands}</ul>
<table><tr>{head}</tr>{summary}</table>
{chapters}
</html>
"""
