# SPDX-License-Identifier: BSD-3-Clause
"""Whether the memory model's page has a row for each litmus test, and no other: page.py PAGE PROGRAM...

A row begins with the shape's name in backquotes, and names an outcome under "Forbidden" where the program forbids
one, or under "Allowed" where it counts one.
"""
import re
import subprocess
import sys

ROW = re.compile(r"^\| `([^`]+)` \|(?P<program>[^|]*)\|(?P<forbidden>[^|]*)\|(?P<allowed>[^|]*)\|(?P<page>[^|]*)\|$")


def rows_of(page):
    """{name: kind}; what is wrong with a row is printed."""
    rows, wrong = {}, 0
    for line in open(page):
        row = ROW.match(line.rstrip("\n"))
        if not row:
            continue
        name, forbidden, allowed = row[1], row["forbidden"].strip(), row["allowed"].strip()
        if name in rows or not row["program"].strip() or "shmem_" not in row["page"] or bool(forbidden) == bool(allowed):
            print(f"{page}: the row of \"{name}\": twice, or without program, page or one outcome")
            wrong += 1
        rows[name] = "forbidden" if forbidden else "allowed"
    return rows, wrong


def shapes_of(programs):
    shapes = {}
    for program in programs:
        out = subprocess.run([program, "names"], check=True, stdout=subprocess.PIPE, text=True).stdout
        for line in out.splitlines():
            name, kind = line.split("\t")
            if name in shapes:
                sys.exit(f"two litmus tests are called \"{name}\"")
            shapes[name] = kind
    return shapes


def main():
    page, programs = sys.argv[1], sys.argv[2:]
    rows, wrong = rows_of(page)
    shapes = shapes_of(programs)
    for name in sorted(set(rows) | set(shapes)):
        if rows.get(name) != shapes.get(name):
            print(f"\"{name}\": {rows.get(name, 'no row')} in {page}, {shapes.get(name, 'none')} in tests/litmus")
            wrong += 1
    if len(shapes) < 40:
        sys.exit(f"only {len(shapes)} litmus tests")
    sys.exit(1 if wrong else 0)


main()
