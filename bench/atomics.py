#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# Times of atomic operations across two hosts by each way of carrying them out: native, built from the
# 64-bit compare-and-swap, by a message to the target's processor. Prints a table and ratios, and writes
# a picture. Usage: bench/atomics.py BUILD [PICTURE.svg]; BUILD is a build tree.
#
# The network is what UCX finds. Where it has no atomic operations of its own, UCX imitates them, and the
# figures compare ways through one imitation: SHEAF_ATOMICS_NATIVE says which operations count as native.
# COMMAND="mpirun -n 2 --host a,b" starts the two PEs on real hosts; without it this machine plays both.

import os
import pathlib
import shlex
import statistics
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE)]
import plot

ROUNDS = int(os.environ.get("ROUNDS", "5"))
# InfiniBand, 2014: hardware-software atomic operations over native ones, software ones over native ones.
PUBLISHED = {"built": 2.0, "message": 5.3}

WAYS = {
    "native": {"SHEAF_ATOMICS": "device", "SHEAF_ATOMICS_NATIVE": "all"},
    "built": {"SHEAF_ATOMICS": "device", "SHEAF_ATOMICS_NATIVE": "cswap64"},
    "message": {"SHEAF_ATOMICS": "cpu"},
}
COLOURS = {"native": "#2f6fb0", "built": "#c8762b", "message": "#6a6a66"}


def command(build):
    program = str(build / "tests/test-bench-atomics")
    given = os.environ.get("COMMAND")
    return shlex.split(given) + [program] if given else [
        sys.executable, str(HERE.parent / "tests/common/on-hosts"), "ab", program]


def run(build, way):
    environment = {**os.environ, **WAYS[way]}
    done = subprocess.run(command(build), env=environment, capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"bench/atomics.py: {way}: status {done.returncode}\n{done.stdout}{done.stderr}")
    figures = {}
    for line in done.stdout.splitlines():
        if line.startswith("bench\t"):
            _, what, _, size, value, _ = line.split("\t")
            figures[f"{what}, {8 * int(size)} bits"] = float(value) / 1000
    return figures


def measure(build):
    """Microseconds by operation and way: the least of the rounds, which take turns, since what else a
    machine does only adds; each round's figure is a median."""
    rounds = [{way: run(build, way) for way in WAYS} for _ in range(ROUNDS)]
    return {name: {way: min(one[way][name] for one in rounds) for way in WAYS}
            for name in rounds[0]["native"]}


def table(figures):
    out = [f"{'us, least of ' + str(ROUNDS):<30}" + "".join(f"{way:>10}" for way in WAYS)
           + f"{'built':>16}{'message':>10}", f"{'':<60}{'over native':>26}"]
    for name, times in figures.items():
        out.append(f"{name:<30}" + "".join(f"{times[way]:>10.2f}" for way in WAYS)
                   + "".join(f"{times[way] / times['native']:>{width}.2f}"
                             for way, width in (("built", 16), ("message", 10))))
    return "\n".join(out)


def ratios(figures):
    def middle(way, over):
        return statistics.median(times[way] / times[over] for times in figures.values())
    return "\n".join([
        f"built over native:   {middle('built', 'native'):.2f}   (hardware-software, InfiniBand 2014: {PUBLISHED['built']})",
        f"message over native: {middle('message', 'native'):.2f}   (software by active message, InfiniBand 2014: {PUBLISHED['message']})",
        f"message over built:  {middle('message', 'built'):.2f}   (from the same two: {PUBLISHED['message'] / PUBLISHED['built']:.2f})",
    ])


def picture(figures):
    groups = [(name, [(way, way, times[way]) for way in WAYS]) for name, times in figures.items()]
    chart = plot.bars(groups, lambda value: f"{value:.3g} us", label=190)
    height = int(chart.split('viewBox="0 0 960 ')[1].split('"')[0])
    sheet = plot.SHEET + " .name, .value { font-size: 10px; fill: #1c1c1a; }" + "".join(
        f" .{way} {{ fill: {colour}; }}" for way, colour in COLOURS.items())
    key = "".join(f'<rect class="{way}" x="{190 + 120 * i}" y="8" width="14" height="10"/>'
                  f'<text class="key" x="{210 + 120 * i}" y="17">{way}</text>' for i, way in enumerate(WAYS))
    inner = chart.replace("<svg ", '<svg x="0" y="26" width="960" '
                          f'height="{height}" ', 1)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 {height + 30}" width="960" '
            f'height="{height + 30}">\n<style>{sheet}</style>\n'
            f'<rect width="960" height="{height + 30}" fill="#fcfcfb"/>\n{key}\n{inner}\n</svg>\n')


def main():
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build").resolve()
    figures = measure(build)
    print(table(figures) + "\n\n" + ratios(figures))
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(picture(figures))


main()
