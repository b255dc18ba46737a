#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""oshdump prints the variables of dumped.c with the values that the program gave them. Arguments: oshrun, the
program, oshdump, another program with debug information."""

import json
import os
import subprocess
import sys
import tempfile

oshrun, program, oshdump, other = sys.argv[1:5]

VALUES = {
    "grid[5].temperature@1": 105.0, "grid[2].colour@0": "GREEN", "grid[2].flags@0": 5, "grid[2].small@0": -3,
    "grid[2].name@0": "cell", "grid[2].y@0": -4, "grid[1].next->next->temperature@0": 3.0, "*pointer@1": -4,
    "matrix[1][2:4]@0": [6.0, 7.0], "matrix[2]@1": [8.0, 9.0, 0.0, 0.0], "heap[2:5]@1": [4.0, 5.5, 7.0],
    "number@0": {"re": 1.0, "im": 2.0}, "longer@0": 1.5, "truth@0": True, "bytes@1": [255, 1, 0, 0],
    "both@0": {"whole": 0x3F800000, "part": 1.0}, "counter@0": 8, "count::counter@1": 8, "large[1048575]@0": 7,
    "large[1000]@0": 0,
}
REFUSED = {
    "gird": "has no variable gird", "grid[10]": "has elements 0 to 9", "grid[0].no": "has no member no",
    "truth[0]": "has no elements", "grid@9": "it has no PE 9", "*truth": "is no pointer", "grid[0]@x": "expected a PE",
    "grid[1": "is neither", "": "expected a variable's name",
}


def dump(*words):
    done = subprocess.run([oshdump, *words], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def check_values(at):
    status, said, wrong = dump(program, at, "--json", *VALUES)
    expect(status == 0 and not wrong, f"values: {wrong}")
    for (name, value), got in zip(VALUES.items(), json.loads(said)):
        expect(got["value"] == value, f"{name} is {value}: {got}")
    status, said, _ = dump(program, at, "truth", "grid[5].temperature@1")
    expect(said == "truth@0 = true\ntruth@1 = true\ngrid[5].temperature@1 = 105\n", f"printed: {said}")
    for name, words in REFUSED.items():
        status, said, wrong = dump(program, at, name)
        expect(status == 1 and words in wrong and wrong.count("\n") == 1 and not said, f"{name}: {wrong}{said}")


def check_list(at):
    listed = json.loads(dump(program, at, "--list", "--json")[1])
    kinds = {row["name"]: (row["type"], row["bytes"]) for row in listed["variables"]}
    expect(kinds["matrix"] == ("float[3][4]", 48) and kinds["large"][1] == 8 << 20, f"a list: {kinds}")
    expect([block["bytes"] for block in listed["blocks"]] == [80], f"blocks: {listed['blocks']}")
    os.symlink(f"{at}/first", bad := f"{at}/x\x1b[31m\n")
    expect("/x?[31m?: PEs " in dump(program, bad, "--list")[1], "a name that a terminal would obey")
    os.unlink(bad)
    status, said, _ = dump(program, at, "--list")
    expect(status == 0 and "8388608  large" in said, f"a printed list: {said}")


def check_diff(folder):
    status, said, _ = dump(program, "--diff", f"{folder}/first", f"{folder}/second", "--json")
    rows = json.loads(said)
    found = {row.get("variable", "block") for row in rows}
    expect(status == 1 and found == {"grid[5].temperature", "count::counter", "block"}, f"differences: {rows}")
    expect(all(row["pe"] == 1 for row in rows), f"PE 1's: {rows}")
    status, said, _ = dump(program, "--diff", f"{folder}/first", f"{folder}/first")
    expect(status == 0 and not said, f"no differences: {said}")


with tempfile.TemporaryDirectory(prefix="sheaf-dump-") as folder:
    subprocess.run([oshrun, "-n", "2", program, folder], check=True, timeout=60)
    check_values(f"{folder}/first")
    check_list(folder)
    check_diff(folder)
    status, said, wrong = dump(other, folder, "numbers@0")
    expect(status == 1 and "of another program" in wrong, f"another program: {wrong}{said}")
    with open(f"{folder}/second/pe-00000", "r+b") as file:
        file.truncate(5000)
    status, said, wrong = dump(program, f"{folder}/second", "truth@0")
    expect(status == 1 and "damaged or cut" in wrong, f"a cut file: {wrong}")
