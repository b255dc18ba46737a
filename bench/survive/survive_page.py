# SPDX-License-Identifier: BSD-3-Clause
#
# The pictures and the tables of docs/measured/failures.md, from what bench/survive/run and run-hosts measured.

import statistics

import machine
import plot
from targets import time_text

BEGIN, END = "<!-- figures: written by bench/figures -->", "<!-- end of figures -->"
BEGIN_HOSTS, END_HOSTS = "<!-- figures of several hosts: written by bench/figures -->", "<!-- end of figures of several hosts -->"
PARTED = (("detection", "every survivor has left the barrier", "#2a78d6"), ("agreement", "they agree", "#8a63c9"),
          ("team", "a team of the living, which has met: from the death on", "#1baf7a"))
DEATHS = {"PE": "a PE is killed", "host": "all processes of a host are killed", "silent": "a host is switched off"}
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


def draw(found, path, steps, title, *columns):
    """title: of a case."""
    panels = []
    for case in found["deaths"]:
        series = [plot.Series(name, style(name), [(at(case["us"][name], share) * 1e3, share, share, share)
                                                  for share in SHARES if share > 0]) for name, _, _ in steps]
        panels.append((title(case), plot.lines(series, time_text, lambda share: f"{share:g} %", "time", "deaths", True)))
    path.write_text(plot.alone(panels, [(name, colour, style(name)) for name, _, colour in steps], *columns))


def times_of_deaths(found):
    head = " | ".join("{0} PEs, p50 | {0} PEs, p99".format(case["pes"]) for case in found["deaths"])
    rows = [f"| from the death on, or as said | {head} |", "|---" * (1 + 2 * len(found["deaths"])) + "|"]
    for name, text, _ in STEPS:
        cells = " | ".join(time_text(at(case["us"][name], percent) * 1e3) for case in found["deaths"] for percent in (50, 99))
        rows.append(f"| {text} | {cells} |")
    return "\n".join(rows)


def meetings(found, group="pes", title="PEs"):
    median = {(m[group], m["what"], m["failures"]): statistics.median(m["us"]) * 1e3 for m in found["meetings"]}
    rows = [f"| {title} | barrier | barrier with `report` | agreement with `report` | agreement ÷ barrier |",
            "|---|---|---|---|---|"]
    for size in sorted({size for size, _, _ in median}):
        end, report = median[size, "barrier", "end"], median[size, "barrier", "report"]
        agreement = median[size, "agreement", "report"]
        rows.append(f"| {size} | {time_text(end)} | {time_text(report)} ({100 * (report / end - 1):+.1f} %) | "
                    f"{time_text(agreement)} | {agreement / report:.2f} |")
    return "\n".join(rows)


def replace(path, begin, end, text):
    before, rest = path.read_text().split(begin)
    path.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}")


def times_of_hosts(found):
    rows = ["| PEs of each host | death | times | " + " | ".join(f"{name}: p50 | p99" for name, _, _ in PARTED) + " |",
            "|---" * (3 + 2 * len(PARTED)) + "|"]
    for case in found["deaths"]:
        cells = " | ".join(time_text(at(case["us"][name], percent) * 1e3) for name, _, _ in PARTED for percent in (50, 99))
        rows.append(f"| {case['hosts']} | {DEATHS[case['death']]} | {len(case['us']['team'])} | {cells} |")
    return "\n".join(rows)


def write_hosts(found, page, figures):
    draw(found, figures / "survive-hosts.svg", PARTED,
         lambda case: f"{case['hosts']} PEs: {DEATHS[case['death']]}, {len(case['us']['team'])} times", 3)
    replace(page, BEGIN_HOSTS, END_HOSTS,
            f"Measured on: {machine.text(found['machine'])}.\n\n![How long it takes on two hosts](figures/survive-hosts.svg)\n\n"
            f"{times_of_hosts(found)}\n\n{meetings(found, 'hosts', 'PEs of each host')}")


def write(found, page, figures):
    draw(found, figures / "survive.svg", STEPS,
         lambda case: f"{len(case['us']['detection'])} deaths of one of {case['pes']} PEs")
    replace(page, BEGIN, END,
            f"Measured on: {machine.text(found['machine'])}.\n\n![How long it takes](figures/survive.svg)\n\n"
            f"{times_of_deaths(found)}\n\n{meetings(found)}")
