# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the model's table into docs/understand/scale.md, and its picture beside it: `make scale`. Arguments: the program
# model, the folder docs, and optionally the most PEs; --try FOLDER in place of docs: works on a copy in that folder, for
# a test.

import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
sys.path.append(str(SOURCE / "bench"))
import plot

MARK = "<!-- printed by make scale -->\n"
SMALLEST = 10  # PEs in the table; smaller jobs are there to be compared with real ones
COLOURS = {"TCP": ("#eb6834", "peer-1"), "InfiniBand": ("#2a78d6", "sheaf"), "Slingshot": ("#1baf7a", "peer-2")}
PICTURES = ("barrier", "broadcast, 8 B", "sum, 8 B", "team_split")


def time_text(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def count_text(pes):
    return f"{pes:,}"


def run(program, most):
    """[(network, call, nodes, PEs, ns, rounds, messages)]"""
    arguments = [program, HERE / "networks.tsv"] + ([str(most)] if most else [])
    lines = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    rows = [line.split("\t") for line in lines]
    return [(network, call, *(int(number) for number in numbers)) for network, call, *numbers in rows]


def table(rows):
    sizes = sorted({(row[3], row[2]) for row in rows if row[3] >= SMALLEST and row[2] >= SMALLEST})
    heads = [f"{count_text(pes)} on {count_text(nodes)}" for pes, nodes in sizes]
    out = [f"| network | call | {' | '.join(heads)} |", "|---" * (2 + len(sizes)) + "|"]
    for network, call in dict.fromkeys(row[:2] for row in rows):
        found = {row[3]: row for row in rows if row[:2] == (network, call) and row[2] >= SMALLEST}
        cells = [f"{time_text(found[pes][4])} ({found[pes][5]})" if pes in found else "" for pes, _ in sizes]
        out.append(f"| {network} | {call} | {' | '.join(cells)} |")
    return "\n".join(out) + "\n"


def small_table(rows):
    """Jobs of two nodes, for the comparison with real ones."""
    sizes = sorted({row[3] for row in rows if row[2] == 2})
    out = [f"| TCP, two nodes | {' | '.join(f'{pes} PEs' for pes in sizes)} |", "|---" * (1 + len(sizes)) + "|"]
    for call in dict.fromkeys(row[1] for row in rows):
        found = {row[3]: row for row in rows if row[:3] == ("TCP", call, 2)}
        out.append(f"| {call} | {' | '.join(time_text(found[pes][4]) for pes in sizes)} |")
    return "\n".join(out) + "\n"


def picture(rows):
    panels = []
    for call in PICTURES:
        lines = [plot.Series(name, style, [(row[3], row[4], row[4], row[4]) for row in rows
                                           if row[:2] == (name, call) and row[2] >= SMALLEST])
                 for name, (_, style) in COLOURS.items()]
        panels.append((call, plot.lines(lines, str, time_text, "PEs", "time")))
    return plot.alone(panels, [(name, colour, style) for name, (colour, style) in COLOURS.items()])


def write(program, docs, most=None):
    page = docs / "understand/scale.md"
    before, _, after = page.read_text().split(MARK)
    rows = run(program, most)
    page.write_text(before + MARK + table(rows) + "\n" + small_table(rows) + MARK + after)
    (docs / "understand/figures/scale.svg").write_text(picture(rows))
    return rows


def attempt(program, folder):
    """Twice the same, and something for each network."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "understand/figures").mkdir(parents=True)
    shutil.copy(SOURCE / "docs/understand/scale.md", folder / "understand")
    rows = write(program, folder, 100)
    if rows != run(program, 100) or {row[0] for row in rows} != set(COLOURS) or min(row[4] for row in rows) <= 0:
        print("the model's results differ from run to run, or lack a network:", rows)
        return 1
    return 0


def main():
    program = pathlib.Path(sys.argv[1])
    if sys.argv[2] == "--try":
        return attempt(program, pathlib.Path(sys.argv[3]))
    write(program, pathlib.Path(sys.argv[2]), *sys.argv[3:4])
    print("written: docs/understand/scale.md docs/understand/figures/scale.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
