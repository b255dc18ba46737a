#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the specification's table of functions with what the library exports, what the
headers declare, and what the test programs call; and the same for Sheaf's own routines, by
shmemx.h and shmemx_ft.h. Below 100 % in any of these it fails."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

from toolbox import compile_text, compilers, table


def symbols(files, *options):
    """Names that nm lists for the files."""
    names = set()
    for start in range(0, len(files), 200):
        done = subprocess.run(["nm", *options, *map(str, files[start:start + 200])],
                              capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            words = line.split()
            if len(words) >= 2 and not line.endswith(":"):
                names.add(words[-1].split("@")[0])
    return names


def exported(rows, library):
    """Symbols that the library has, and has again with a p in front."""
    names = symbols([library], "-D", "--defined-only")
    return {row["symbol"] for row in rows if {row["symbol"], "p" + row["symbol"]} <= names}


def declared(rows, include):
    """Symbols whose two prototypes are exactly the table's, by every C compiler here."""
    lines = ["#include <shmem.h>", "#include <pshmem.h>"]
    where = {}
    for i, row in enumerate(rows):
        for prefix in ("", "p"):
            result, params, symbol = row["return_type"], row["parameters"], prefix + row["symbol"]
            lines.append(f"{result} (*const sheaf_{prefix}{i})({params}) = {symbol};")
            where[len(lines)] = row["symbol"]
    bad = set()
    for compiler in compilers("c"):
        limit = "-fmax-errors=0" if "clang" not in compiler else "-ferror-limit=0"
        said = compile_text("\n".join(lines) + "\n", compiler,
                            ["-std=c11", "-Wall", "-Werror", limit], include)
        if said:
            numbers = [int(n) for n in re.findall(r"<stdin>:(\d+):", said)]
            bad |= {where[n] for n in numbers if n in where}
            if not numbers:
                sys.exit(said)
    return {row["symbol"] for row in rows} - bad


def called(rows, objects):
    """Symbols that an object file of a test program refers to."""
    files = sorted(objects.glob("*/CMakeFiles/test-*.dir/**/*.o")) # not what other tests build and remove meanwhile
    if not files:
        return set()
    names = symbols(files, "--undefined-only")
    return {row["symbol"] for row in rows if row["symbol"] in names}


def own_headers(include):
    return "".join((include / name).read_text() for name in ("shmemx.h", "shmemx_ft.h"))


def extensions(include):
    """Rows for Sheaf's own routines: those that have a twin in their header."""
    text = own_headers(include)
    return [{"symbol": name} for name in sorted(set(re.findall(r"\bp(shmemx_\w+)\(", text)))]


def report_extensions(options):
    rows = extensions(options.include)
    text = own_headers(options.include)
    complete = bool(rows)
    for what, found in (("exports", exported(rows, options.library)),
                        ("headers", set(re.findall(r"\b(shmemx_\w+)\(", text))),
                        ("called", called(rows, options.objects))):
        missing = [row["symbol"] for row in rows if row["symbol"] not in found]
        if missing:
            complete = False
            print(f"not in {what}: {' '.join(missing)}")
    print(f"extensions: {len(rows)} routines")
    return complete


def report(title, rows, options):
    counts, complete = [], True
    for what, found in (("exports", exported(rows, options.library)),
                        ("headers", declared(rows, options.include)),
                        ("called", called(rows, options.objects))):
        missing = [row["symbol"] for row in rows if row["symbol"] not in found]
        counts.append(f"{what} {len(rows) - len(missing)}/{len(rows)}")
        if missing:
            complete = False
            print(f"not in {what}: {' '.join(missing)}")
    print(f"{title}: {', '.join(counts)}")
    return complete


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--include", type=Path, required=True)
    parser.add_argument("--objects", type=Path, required=True, help="the build folder's tests/")
    options = parser.parse_args()
    current = report("specification 1.6", table("functions"), options)
    removed = report("removed before 1.6", table("functions-removed"), options)
    own = report_extensions(options)
    sys.exit(not (current and removed and own))


if __name__ == "__main__":
    main()
