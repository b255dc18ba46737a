# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the model's tables into docs/measured/scale.md, and two pictures beside it: `make scale`. Arguments: the folder with the
# programs test-scale-model, -start, -storm and -log, the folder docs, and optionally the most PEs; --try FOLDER in place of docs:
# works on a copy in that folder, for a test.

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.append(str(SOURCE / "bench"))
import plot

MARK = "<!-- {} printed by make scale -->\n"
SEEDS = 1000  # of deaths, splits and slow nodes
NODES = 1000
SMALLEST = 10  # nodes in the table; smaller jobs are there to be compared with real ones
ONE_MACHINE = "one machine"  # in place of a network: its processors are all that the nodes have
STARTS = {"start, PMI-1": "PMI-1 (Hydra)", "start, PMIx": "PMIx (PRRTE)"}
# What hosts.tsv and launchers.tsv were calibrated on: all other rows of the comparison are predicted.
CALIBRATED = {("barrier", 2), ("barrier", 16), *((start, pes) for start in STARTS for pes in (2, 16))}
NEAR, LEAST_NEAR = 1.3, 0.7  # as near as the model is to be, and the least share of the predicted figures that is
COLOURS = {"TCP": ("#eb6834", "peer-1"), "InfiniBand": ("#2a78d6", "sheaf"), "Slingshot": ("#1baf7a", "peer-2")}
STORM_PES, STORM_NODE = 10000, 100
CALM_STORMS = ((100, 10), (1000, 100))  # in the picture, before the largest
STORM_LINES = (("in a port", 6, "#eb6834", "peer-1"), ("memory of PE 0", 11, "#2a78d6", "sheaf"),
               ("of another PE", 12, "#1baf7a", "peer-2"))  # and the columns of run_storms()
PICTURES = ("barrier", "broadcast, 8 B", "sum, 8 B", "team_split")


def time_text(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def count_text(pes):
    return f"{pes:,}"


def lines_of(*arguments):
    """The columns of each line that a program prints."""
    out = subprocess.run([str(word) for word in arguments], stdout=subprocess.PIPE, text=True, check=False)
    if out.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}: status {out.returncode}\n{out.stdout}")
    return [line.split("\t") for line in out.stdout.splitlines()]


def numbered(lines, texts):
    return [(*columns[:texts], *(float(number) for number in columns[texts:])) for columns in lines]


def run_model(programs, most):
    """[(network, call, nodes, PEs, ns, rounds, messages)]"""
    lines = lines_of(programs / "test-scale-model", HERE / "networks.tsv", HERE / "hosts.tsv", *([most] if most else []))
    return [(network, call, *(int(number) for number in numbers)) for network, call, *numbers in lines]


def run_start(programs, most):
    """[(launcher, nodes, PEs, ns, fences, questions, values, bytes, sent, held)]"""
    return numbered(lines_of(programs / "test-scale-start", HERE / "launchers.tsv", HERE / "hosts.tsv", *([most] if most else [])), 1)


def run_log(programs, most):
    """[(death, nodes, lost, ns, messages, of one, questions, waiting)]"""
    return numbered(lines_of(programs / "test-scale-log", most or NODES), 1)


def run_storms(programs, most, *words):
    """[(storm, fault, PEs, first, last, messages, in a port, unread, waiting, dropped, lost, memory of PE 0, another's, kept)]"""
    size = (most, most // 10) if most else (STORM_PES, STORM_NODE)
    return numbered(lines_of(programs / "test-scale-storm", *size, *words), 2)


def run_calm_storms(programs, most):
    return [row for pes, node in CALM_STORMS if not most or pes < most
            for row in numbered(lines_of(programs / "test-scale-storm", "calm", pes, node), 2)]


def run_seeds(programs, first, count):
    lines_of(programs / "test-scale-log", NODES, first, count)


def table(rows):
    sizes = sorted({(row[3], row[2]) for row in rows if row[3] >= SMALLEST and row[2] >= SMALLEST})
    heads = [f"{count_text(pes)} on {count_text(nodes)}" for pes, nodes in sizes]
    out = [f"| network | call | {' | '.join(heads)} |", "|---" * (2 + len(sizes)) + "|"]
    for network, call in dict.fromkeys(row[:2] for row in rows):
        found = {row[3]: row for row in rows if row[:2] == (network, call) and row[2] >= SMALLEST}
        cells = [f"{time_text(found[pes][4])} ({found[pes][5]})" if pes in found else "" for pes, _ in sizes]
        out.append(f"| {network} | {call} | {' | '.join(cells)} |")
    return "\n".join(out) + "\n"


def compared(rows, starts):
    """[(call, PEs, nodes, model, measured, whether it was calibrated)] of jobs on one machine, in nanoseconds."""
    model = {row[1:4]: row[4] for row in rows if row[0] == ONE_MACHINE}
    model.update({(call, int(row[1]), int(row[2])): row[3] for row in starts for call, name in STARTS.items()
                  if row[0] == name and row[1] < SMALLEST})
    out = []
    for line in (HERE / "measured.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        call, nodes, pes, measured, *_ = line.split("\t")
        ns = model.get((call, int(nodes), int(pes)), 0)
        if ns:
            out.append((call, int(pes), int(nodes), ns, float(measured) * 1000, nodes == "2" and (call, int(pes)) in CALIBRATED))
    return out


def is_near(row):
    return 1 / NEAR <= row[3] / row[4] <= NEAR


def comparison(rows):
    sizes = sorted({row[2:0:-1] for row in rows}, key=lambda size: (size[1], size[0]))
    out = [f"| call | {' | '.join(f'{pes} on {nodes}' for nodes, pes in sizes)} |", "|---" * (1 + len(sizes)) + "|"]
    for call in dict.fromkeys(row[0] for row in rows):
        found = {row[2:0:-1]: row for row in rows if row[0] == call}
        cells = []
        for size in sizes:
            row = found.get(size)
            ratio = f"{row[3] / row[4]:.2f}" if row else ""
            cells.append(f"{time_text(row[3])} / {time_text(row[4])} = {f'({ratio})' if row[5] else ratio if is_near(row) else f'**{ratio}**'}"
                         if row else "")
        out.append(f"| {call} | {' | '.join(cells)} |")
    predicted = [row for row in rows if not row[5]]
    near = sum(is_near(row) for row in predicted)
    return "\n".join(out) + f"\n\n{near} of {len(predicted)} predicted figures are within 30 %.\n"


def picture(rows):
    panels = []
    for call in PICTURES:
        lines = [plot.Series(name, style, [(row[3], row[4], row[4], row[4]) for row in rows
                                           if row[:2] == (name, call) and row[2] >= SMALLEST])
                 for name, (_, style) in COLOURS.items()]
        panels.append((call, plot.lines(lines, str, time_text, "PEs", "time")))
    return plot.alone(panels, [(name, colour, style) for name, (colour, style) in COLOURS.items()])


def storm_picture(rows):
    """The largest storms without a fault, by the number of PEs."""
    panels = []
    for storm in dict.fromkeys(row[0] for row in rows):
        calm = [row for row in rows if row[0] == storm and row[1] == ""]
        lines = [plot.Series(name, style, [(row[2], *[max(row[column], 1)] * 3) for row in calm])
                 for name, column, _, style in STORM_LINES]
        panels.append((storm, plot.lines(lines, lambda pes: f"{pes:g}", bytes_text, "PEs", "bytes")))
    return plot.alone(panels, [(name, colour, style) for name, _, colour, style in STORM_LINES])


def bytes_text(count):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.3g} B"


def start_table(rows):
    out = ["| launcher | PEs on nodes | time | exchanges | questions of one PE | values in all | their bytes | most sent by one daemon "
           "| most memory of a PE, for each PE of the job |", "|---" * 9 + "|"]
    for name, nodes, pes, ns, fences, questions, values, size, sent, held in rows:
        if nodes >= SMALLEST:
            out.append(f"| {name} | {int(pes):,} on {int(nodes):,} | {time_text(ns)} | {int(fences)} | {int(questions):,} "
                       f"| {int(values):,} | {bytes_text(size)} | {bytes_text(sent)} | {held:.1f} B |")
    return "\n".join(out) + "\n"


def log_table(rows):
    out = [f"| {int(rows[0][1]):,} nodes | nodes lost | all know after | messages | of one node | questions | waiting at one node |",
           "|---" * 7 + "|"]
    for name, _nodes, lost, ns, messages, of_one, questions, waiting in rows:
        out.append(f"| {name} | {int(lost)} | {time_text(ns)} | {int(messages):,} | {int(of_one):,} | {int(questions):,} "
                   f"| {int(waiting):,} |")
    return "\n".join(out) + "\n"


def storm_table(rows):
    out = [f"| {int(rows[0][2]):,} PEs, {STORM_NODE} on a node | with | first done | last done | messages | most in a port | unread at one PE "
           "| waiting at one PE | dropped | memory of PE 0 | at the end | of another |", "|---" * 12 + "|"]
    for name, fault, _pes, first, last, messages, port, unread, waiting, dropped, _lost, target, other, kept in rows:
        out.append(f"| {name} | {fault} | {time_text(first)} | {time_text(last)} | {int(messages):,} | {bytes_text(port)} "
                   f"| {bytes_text(unread)} | {int(waiting):,} | {int(dropped):,} | {bytes_text(target)} "
                   f"| {bytes_text(kept)} | {bytes_text(other)} |")
    return "\n".join(out) + "\n"


def fill(text, name, table_text):
    before, _, after = text.split(MARK.format(name))
    return before + MARK.format(name) + table_text + MARK.format(name) + after


def write(programs, docs, most=None):
    """The parts run beside each other, the longest first."""
    page = docs / "measured/scale.md"
    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        model, storms, calm, start, log = (pool.submit(part, programs, most)
                                           for part in (run_model, run_storms, run_calm_storms, run_start, run_log))
        step = SEEDS // 10
        seeds = [pool.submit(run_seeds, programs, first, step) for first in range(1, SEEDS + 1, step)] if not most else []
        rows, starts, deaths, stormy = model.result(), start.result(), log.result(), storms.result()
        for part in seeds:
            part.result()
    text = fill(page.read_text(), "calls:", table([row for row in rows if row[0] != ONE_MACHINE]) + "\n" + comparison(compared(rows, starts)))
    text = fill(text, "storms:", storm_table(stormy))
    page.write_text(fill(fill(text, "start:", start_table(starts)), "deaths:", log_table(deaths)))
    (docs / "measured/figures/scale.svg").write_text(picture(rows))
    (docs / "measured/figures/storms.svg").write_text(storm_picture([*calm.result(), *stormy]))
    return rows, starts, deaths, stormy


def attempt(programs, folder):
    """Twice the same, and something for each network."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "measured/figures").mkdir(parents=True)
    shutil.copy(SOURCE / "docs/measured/scale.md", folder / "measured")
    found = write(programs, folder, 100)
    rows = found[0]
    if found != tuple(part(programs, 100) for part in (run_model, run_start, run_log, run_storms)) or \
            {row[0] for row in rows} != {*COLOURS, ONE_MACHINE} or min(row[4] for row in rows) <= 0:
        print("the model's results differ from run to run, or lack a network:", found)
        return 1
    predicted = [row for row in compared(rows, found[1]) if not row[5]]
    if not predicted or sum(map(is_near, predicted)) < LEAST_NEAR * len(predicted):
        print("the model is far from real runs:", [row for row in predicted if not is_near(row)])
        return 1
    return 0


def main():
    programs = pathlib.Path(sys.argv[1])
    if sys.argv[2] == "--try":
        return attempt(programs, pathlib.Path(sys.argv[3]))
    write(programs, pathlib.Path(sys.argv[2]), *sys.argv[3:4])
    print("written: docs/measured/scale.md docs/measured/figures/scale.svg storms.svg")
    print(f"{SEEDS} seeds of deaths on {NODES} nodes: no wrong decision")
    return 0


if __name__ == "__main__":
    sys.exit(main())
