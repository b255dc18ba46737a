# SPDX-License-Identifier: BSD-3-Clause
#
# What was measured, as a table of text, and the parts of an HTML page that needs nothing else. What
# is shown of it is chosen by node_page.py and net/net_page.py.

import html as markup

import machine
import plot
import state
from targets import short, time_text, value_text

STYLES = ("sheaf", "inline", "peer-1", "peer-2", "peer-3", "peer-4", "peer-5", "peer-6")

STYLE = """
:root { --paper: #fcfcfb; --ink: #1c1c1a; --soft: #6b6a66; --rule: #e3e2dd; --card: #ffffff;
  --sheaf: #2a78d6; --inline: #86b6ef; --peer-1: #eb6834; --peer-2: #1baf7a; --peer-3: #8a63c9; --peer-4: #c2377e;
  --peer-5: #b58a00; --peer-6: #33322f; --limit: #8b8a85;
  --good: #0a7a2f; --good-back: #e2f3e5; --bad: #b3261e; --bad-back: #fbe6e3; }
@media (prefers-color-scheme: dark) { :root { --paper: #191918; --ink: #f1f0ec; --soft: #a3a29c;
  --rule: #383733; --card: #222220; --sheaf: #5598e7; --inline: #256abf; --peer-1: #f08a5d; --peer-2: #3cc793;
  --peer-3: #a98ae0; --peer-4: #e27bb0; --peer-5: #d6b34a; --peer-6: #e8e7e2; --limit: #9b9a94; --good: #6fd08c;
  --good-back: #1d3325; --bad: #f2968c; --bad-back: #40211d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1040px; padding: 32px 20px 64px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 18px; margin: 40px 0 6px; }
h3 { font-size: 14px; margin: 0 0 4px; font-weight: 600; }
p { margin: 4px 0 12px; color: var(--soft); max-width: 90ch; }
.tiles { display: flex; gap: 12px; flex-wrap: wrap; margin: 20px 0 8px; }
.tile { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 10px 16px; flex: 1 1 150px; }
.tile b { display: block; font-size: 24px; font-weight: 600; } .tile span { color: var(--soft); font-size: 13px; }
.legend { display: flex; gap: 18px; flex-wrap: wrap; font-size: 13px; margin: 8px 0; }
.legend i { display: inline-block; width: 18px; height: 0; border-top: 3px solid; vertical-align: middle; margin-right: 6px; }
.legend i.limit { border-top-style: dashed; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(380px, 1fr)); gap: 16px; }
.found { margin: 4px 0 12px; padding-left: 20px; max-width: 90ch; font-size: 14px; }
.chart { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 12px 12px 6px; }
svg { display: block; width: 100%; height: auto; font-family: inherit; }
.grid { stroke: var(--rule); stroke-width: 1; } .tick, .axis { font-size: 11px; fill: var(--soft); }
.name { font-size: 12.5px; fill: var(--ink); } .value { font-size: 10px; fill: var(--soft); }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; } .range { stroke-width: 1; opacity: .5; }
g.limit polyline { stroke-dasharray: 5 4; } g.limit circle { r: 2; }
i.sheaf { border-color: var(--sheaf); } i.inline { border-color: var(--inline); } i.peer-1 { border-color: var(--peer-1); }
i.peer-2 { border-color: var(--peer-2); } i.peer-3 { border-color: var(--peer-3); }
i.peer-4 { border-color: var(--peer-4); } i.peer-5 { border-color: var(--peer-5); } i.peer-6 { border-color: var(--peer-6); } i.limit { border-color: var(--limit); }
g.sheaf { stroke: var(--sheaf); } g.inline { stroke: var(--inline); } g.peer-1 { stroke: var(--peer-1); } g.peer-2 { stroke: var(--peer-2); }
g.peer-3 { stroke: var(--peer-3); } g.peer-4 { stroke: var(--peer-4); } g.peer-5 { stroke: var(--peer-5); } g.peer-6 { stroke: var(--peer-6); } g.limit { stroke: var(--limit); }
g.sheaf circle, rect.sheaf { fill: var(--sheaf); } g.inline circle, rect.inline { fill: var(--inline); } g.peer-1 circle, rect.peer-1 { fill: var(--peer-1); }
g.peer-2 circle, rect.peer-2 { fill: var(--peer-2); } g.peer-3 circle, rect.peer-3 { fill: var(--peer-3); }
g.peer-4 circle, rect.peer-4 { fill: var(--peer-4); } g.peer-5 circle, rect.peer-5 { fill: var(--peer-5); } g.peer-6 circle, rect.peer-6 { fill: var(--peer-6); }
g.limit circle, rect.limit { fill: var(--limit); }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
th { text-align: left; color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--rule); padding: 5px 8px; }
td { border-bottom: 1px solid var(--rule); padding: 4px 8px; white-space: nowrap; }
td.wrap { white-space: normal; min-width: 320px; font-size: 12.5px; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.met, .missed, .equal { border-radius: 9px; padding: 1px 8px; font-size: 12px; }
.met { color: var(--good); background: var(--good-back); } .missed { color: var(--bad); background: var(--bad-back); }
.equal { color: var(--soft); background: var(--rule); }
.soft { color: var(--soft); } .scroll { overflow-x: auto; }
summary { cursor: pointer; color: var(--soft); margin: 12px 0; }
"""


def say(met):
    return {True: "met", False: "missed", None: ""}[met]


def standing(row):
    """Against the others; a study's rows may be equal to the best of them, by their rounds."""
    return "equal" if row.get("equal") else say(row["peer_met"])


def times(ratio):
    return f"{ratio:.0f} ×" if ratio >= 100 else f"{ratio:.1f} ×" if ratio >= 10 else f"{ratio:.2f} ×"


def peer_text(row):
    if row["ahead"] is None:
        return "" if row["peer"] else "none" if row["ahead_wanted"] is None else "not measured"
    wanted = f" (≥ {row['ahead_wanted']:g})" if row["ahead_wanted"] else ""
    return f"{times(row['ahead'])}{wanted}"


def limit_text(row):
    """The bound and where it comes from; the distance to what is only told, or, of shares, that itself."""
    parts = []
    if row["limit_value"]:
        source = f" = {row['limit']}" if row["limit"] else ""
        parts.append(f"{row['limit_sign']} {value_text(row['limit_value'], row['unit'])}{source}")
    if row["distance"]:
        parts.append(f"{times(row['distance'])} {row['stated']}")
    elif row["stated"]:
        parts.append(f"{row['stated']} {value_text(max(row['stated_value'], 0), row['unit'])}")
    return "; ".join(parts)


def counts(report):
    judged = [row[key] for row in report["targets"] for key in ("peer_met", "limit_met") if row[key] is not None]
    return sum(judged), len(judged)


def heading(report):
    return (f"{machine.text(report['machine'])}; {report['date']}; {report['rounds']} rounds"
            f"{', quick' if report['quick'] else ''}, {report['seconds']} s")


def heading_table(report):
    """Of a page of the book: who was measured, where and when."""
    rows = [("libraries", ", ".join(report["libraries"])), ("machine", machine.text(report["machine"])), ("date", report["date"]),
            ("rounds", f"{report['rounds']}{', quick' if report['quick'] else ''}, {report['seconds']} s")]
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {value} |" for name, value in rows)


def state_text(report):
    """What the machine did beside the rounds, as a sentence; empty in reports of when nobody looked."""
    said = state.text(report.get("state"))
    return f"{said[0].upper()}{said[1:]}." if said else ""


def columns(rows, gaps=2):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join((" " * gaps).join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def text(report):
    rows = [("", "Sheaf", "best other", "ahead (wanted)", "", "against the limit", "")]
    for row in report["targets"]:
        other = value_text(row["peer_value"], row["unit"]) if row["peer"] else "-"
        rows.append((row["label"], value_text(row["value"], row["unit"]), other, peer_text(row), standing(row),
                     limit_text(row), say(row["limit_met"])))
    met, judged = counts(report)
    lines = [heading(report), *filter(None, [state_text(report)]), "Libraries: " + ", ".join(report["libraries"]) + ("" if report["peers"] else "; no other to compare with"), "",
             columns(rows), "", f"{met} of {judged} targets met"]
    for row in report["targets"]:
        missed = [kind for kind in ("peer", "limit") if row[kind + "_met"] is False and not (kind == "peer" and row.get("equal"))]
        if missed:
            lines.append(f"missed against {' and '.join(missed)}: {row['label']}")
    return "\n".join(lines + failures(report)) + "\n"


def failures(report):
    """A line for each library and reason."""
    found = {}
    for failure in report["failures"]:
        pes = f" on {failure['pes']} PEs" if failure["pes"] else ""
        found.setdefault((failure["library"], failure["reason"]), []).append(f"{failure['program']}{pes}")
    return [f"{library}: {', '.join(programs)}: {reason}" for (library, reason), programs in found.items()]


class Pictures:
    """Charts from a report's figures."""

    def __init__(self, report):
        self.report = report
        self.style = dict(zip(report["libraries"], STYLES), limit="limit")

    def points(self, name, what, x, pick, y=lambda result, value: value):
        out = []
        for result in self.report["results"]:
            if result["library"] == name and result["what"] == what and pick(result):
                ends = sorted((y(result, result["min"]), y(result, result["max"])))
                out.append((result[x], y(result, result["median"]), *ends))
        return out

    def series(self, what, x, pick, limit=None, limit_name="limit", y=lambda result, value: value):
        found = [plot.Series(name, self.style.get(name, "peer-3"), self.points(name, what, x, pick, y))
                 for name in self.report["libraries"]]
        if limit:
            found.append(plot.Series(limit_name, "limit", self.points("limit", limit, x, lambda result: True, y)))
        return found

    def card(self, title, series, x_text, y_text, x_title, y_title, percent=False):
        chart = plot.lines(series, x_text, y_text, x_title, y_title, percent)
        return f'<div class="chart"><h3>{plot.escape(title)}</h3>{chart}</div>' if chart else ""

    def legend(self, limit=None, everything=False, rows=None):
        """rows: only of libraries that have a figure of one of these."""
        shown = {r["library"] for r in self.report["results"] if rows is None or r["what"] in rows}
        names = [(name, self.style.get(name, "peer-3")) for name in self.report["libraries"]
                 if (everything or self.style.get(name) != "inline") and (rows is None or name in shown)]
        names += [(limit, "limit")] if limit else []
        return '<div class="legend">' + "".join(f'<span><i class="{style}"></i>{plot.escape(name)}</span>'
                                                for name, style in names) + "</div>"


def mark(said):
    return f'<span class="{said}">{said}</span>' if said else ""


def score_table(report):
    out = ['<div class="scroll"><table><tr><th></th><th class="n">Sheaf</th><th class="n">best other</th><th class="n">ahead '
           '(wanted)</th><th></th><th>against the limit</th><th></th></tr>']
    for row in report["targets"]:
        other = value_text(row["peer_value"], row["unit"]) if row["peer"] else ""
        cells = [value_text(row["value"], row["unit"]), other, peer_text(row) if row["peer"] else ""]
        limit = ". ".join(filter(None, (limit_text(row), row["why"])))
        out.append(f"<tr><td>{plot.escape(row['label'])}</td>" + "".join(f'<td class="n">{plot.escape(c)}</td>' for c in cells) +
                   f"<td>{mark(standing(row))}</td><td class=\"soft wrap\">{plot.escape(limit)}</td>"
                   f"<td>{mark(say(row['limit_met']))}</td></tr>")
    return "".join(out) + "</table></div>"


def raw_table(report):
    out = ['<details><summary>Everything measured: median, least and most of all rounds</summary><div class="scroll"><table>'
           '<tr><th></th><th>library</th><th class="n">PEs</th><th class="n">bytes</th><th class="n">median</th>'
           '<th class="n">least</th><th class="n">most</th></tr>']
    for r in sorted(report["results"], key=lambda r: (r["what"], r["pes"], r["bytes"])):
        figures = "".join(f'<td class="n">{value_text(r[key], r["unit"])}</td>' for key in ("median", "min", "max"))
        out.append(f"<tr><td>{markup.escape(r['what'])}</td><td>{markup.escape(r['library'])}</td><td class=\"n\">{r['pes']}</td>"
                   f"<td class=\"n\">{r['bytes']:,}</td>{figures}</tr>")
    return "".join(out) + "</table></div></details>"


def tiles(report, chosen):
    """chosen: (label of a target, text) of the figures to show large."""
    met, judged = counts(report)
    found = [(f"{met} of {judged}", "targets met")]
    rows = {row["label"]: row for row in report["targets"]}
    for label, text_ in chosen:
        if label in rows:
            row = rows[label]
            ahead = f", {times(row['ahead'])} ahead" if row["ahead"] else ""
            found.append((value_text(row["value"], row["unit"]), text_ + ahead))
    return '<div class="tiles">' + "".join(f'<div class="tile"><b>{markup.escape(big)}</b><span>{markup.escape(small)}</span></div>'
                                           for big, small in found) + "</div>"


def section(title, note, legend, cards):
    cards = "".join(cards)
    return f'<h2>{title}</h2><p>{note}</p>{legend}<div class="charts">{cards}</div>' if cards else ""


def targets_section(report, note):
    return f"<h2>Targets</h2><p>{note}</p>{score_table(report)}{raw_table(report)}"


def document(title, report, parts):
    parts += [f"<p>{markup.escape(line)}</p>" for line in failures(report)]
    libraries = ", ".join(report["libraries"])
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, '
            f'initial-scale=1"><title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>'
            f"<p>{markup.escape(libraries)}. {markup.escape(heading(report))}. {markup.escape(state_text(report))}</p>{''.join(parts)}</body></html>\n")
