# SPDX-License-Identifier: BSD-3-Clause
#
# The picture and the tables of docs/failures.md, from what bench/survive/run measured.

import statistics

import machine
import plot
from targets import time_text

BEGIN, END = "<!-- figures: written by bench/figures -->", "<!-- end of figures -->"
STEPS = (("detection", "detection: every survivor has left the barrier that the dead PE did not reach", "#2a78d6"),
         ("shrink and barrier", "a team of the living, which has met", "#1baf7a"),
         ("respawn", "a new process: from `shmemx_respawn` until all are out of `shmemx_rejoin`", "#8a63c9"),
         ("recovery", "recovery: the world of all PEs has met", "#eb6834"))
SHARES = range(0, 101, 2)


def at(values, percent):
    """Of ascending values the one that so many per cent do not exceed."""
    return values[min(len(values) - 1, max(0, -(-len(values) * percent // 100) - 1))]


def style(name):
    return name.replace(" ", "-")


def draw(found, path):
    panels = []
    for case in found["deaths"]:
        series = [plot.Series(name, style(name), [(at(case["us"][name], share) * 1e3, share, share, share)
                                                  for share in SHARES if share > 0]) for name, _, _ in STEPS]
        title = f"{len(case['us']['detection'])} deaths of one of {case['pes']} PEs"
        panels.append((title, plot.lines(series, time_text, lambda share: f"{share:g} %", "time", "deaths", True)))
    path.write_text(plot.alone(panels, [(name, colour, style(name)) for name, _, colour in STEPS]))


def times_of_deaths(found):
    head = " | ".join("{0} PEs, p50 | {0} PEs, p99".format(case["pes"]) for case in found["deaths"])
    rows = [f"| from the death on, or as said | {head} |", "|---" * (1 + 2 * len(found["deaths"])) + "|"]
    for name, text, _ in STEPS:
        cells = " | ".join(time_text(at(case["us"][name], percent) * 1e3) for case in found["deaths"] for percent in (50, 99))
        rows.append(f"| {text} | {cells} |")
    return "\n".join(rows)


def meetings(found):
    median = {(m["pes"], m["what"], m["failures"]): statistics.median(m["us"]) * 1e3 for m in found["meetings"]}
    rows = ["| PEs | barrier | barrier with `report` | agreement with `report` | agreement ÷ barrier |", "|---|---|---|---|---|"]
    for pes in sorted({pes for pes, _, _ in median}):
        end, report = median[pes, "barrier", "end"], median[pes, "barrier", "report"]
        agreement = median[pes, "agreement", "report"]
        rows.append(f"| {pes} | {time_text(end)} | {time_text(report)} ({100 * (report / end - 1):+.1f} %) | "
                    f"{time_text(agreement)} | {agreement / report:.2f} |")
    return "\n".join(rows)


def write(found, docs):
    draw(found, docs / "figures/survive.svg")
    path = docs / "failures.md"
    before, rest = path.read_text().split(BEGIN)
    text = (f"Measured on: {machine.text(found['machine'])}.\n\n![How long it takes](figures/survive.svg)\n\n"
            f"{times_of_deaths(found)}\n\n{meetings(found)}")
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{rest.split(END)[1]}")
