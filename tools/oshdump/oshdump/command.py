# SPDX-License-Identifier: BSD-3-Clause
"""The command line."""
import argparse
import json
import os
import signal
import sys

from oshdump import value
from oshdump.dwarf import ARRAY, Dwarf
from oshdump.elf import Elf
from oshdump.expression import Place, resolve, split
from oshdump.problem import Problem, sanitize
from oshdump.snapshot import Snapshot
from oshdump.types import Type
from oshdump.version import VERSION


class View:
    """A program and a snapshot of it."""

    def __init__(self, program, debug, snapshot):
        self.snapshot, self.debug, self.program = snapshot, debug, program
        for pe in snapshot.pes[:1]:
            build_id = snapshot.memory(pe).build_id
            if build_id and build_id != program.build_id()[:len(build_id)]:
                raise Problem(f"{snapshot.path}: the snapshot is of another program, with build-id "
                              f"{build_id[:12]}, and this one's is {program.build_id()[:12] or 'none'}", "SH953")

    def bias(self, pe):
        memory = self.snapshot.memory(pe)
        return memory.data - self.program.data_start(memory.page) if memory.data else 0

    def read(self, expression, pe, most=None):
        memory = self.snapshot.memory(pe)
        place = resolve(self.debug, memory, self.bias(pe), expression)
        return value.read(memory, place, most)


def show(view, expressions, pe, as_json):
    result = []
    for text in expressions:
        expression, wanted = split(text)
        wanted = wanted if wanted is not None else pe
        pes = view.snapshot.pes if wanted in ("*", None) else [int(wanted)]
        for one in pes:
            got = view.read(expression, one, None if as_json else value.MOST)
            result.append({"expression": expression, "pe": one, "value": got})
            if not as_json:
                print(sanitize(f"{expression}@{one} = {value.text(got)}"))
    if as_json:
        print(json.dumps(result))


def variables(view):
    for name in sorted(view.debug.variables):
        for variable in view.debug.variables[name]:
            kind = Type(view.debug, variable["type"])
            yield {"name": name, "type": kind.text(), "bytes": kind.size(), "file": variable["file"],
                   "address": variable["address"], "kind": kind}


def is_symmetric(memory, address, size):
    start, length = memory.segments[0]
    return start <= address and address + size <= start + length


def show_list(view, as_json):
    pe = view.snapshot.pes[0]
    memory, rows = view.snapshot.memory(pe), []
    for row in variables(view):
        if is_symmetric(memory, row["address"] + view.bias(pe), row["bytes"]):
            rows.append({name: row[name] for name in ("name", "type", "bytes", "file")})
    blocks = [{"address": f"0x{address:x}", "bytes": size} for address, size in memory.blocks]
    if as_json:
        print(json.dumps({"pes": list(view.snapshot.pes), "post_mortem": view.snapshot.is_post_mortem, "variables": rows,
                          "blocks": blocks}))
        return
    pes = view.snapshot.pes
    print(sanitize(f"{view.snapshot.path}: PEs {pes[0]} to {pes[-1]}, {len(rows)} variables, ")
          + ("left by a failed job, whose blocks are not known" if view.snapshot.is_post_mortem
             else f"{len(blocks)} blocks"))
    for row in rows:
        print(sanitize(f"{row['bytes']:12d}  {row['name']}  ({row['type']}, {row['file']})"))
    for block in blocks:
        print(f"{block['bytes']:12d}  block at {block['address']}")


def first_difference(one, other, path=""):
    """Where two values differ first, and what they are there."""
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(one, other))]
    elif isinstance(one, dict) and isinstance(other, dict):
        pairs = [(f"{path}.{name}", one[name], other.get(name)) for name in one]
    else:
        return None if one == other or one != one and other != other else (path, one, other)
    return next((found for found in (first_difference(a, b, where) for where, a, b in pairs) if found), None)


def differing_blocks(one, other, pe):
    before, after = one.snapshot.memory(pe), other.snapshot.memory(pe)
    sizes = dict(after.blocks)
    for address, size in before.blocks:
        if sizes.get(address) != size:
            yield {"pe": pe, "block": f"0x{address:x}", "bytes": size, "what": "is not in the second"}
        elif (count := differing_bytes(before, after, address, size)):
            yield {"pe": pe, "block": f"0x{address:x}", "bytes": size, "what": f"{count} bytes differ"}
    known = dict(before.blocks)
    for address, size in after.blocks:
        if known.get(address) != size:
            yield {"pe": pe, "block": f"0x{address:x}", "bytes": size, "what": "is not in the first"}


def differences(before, after, here, there, size):
    """Pairs of bytes that differ, and where they lie: of memory that no file holds nothing is read."""
    windows = sorted({*before.windows(here, size), *after.windows(there, size)})
    for low, high in windows:
        length = high - low
        if before.digest(here + low, length) == after.digest(there + low, length):
            continue
        a, b = before.read(here + low, length), after.read(there + low, length)
        if a != b:
            yield low, a, b


def differing_bytes(before, after, address, size):
    return sum(sum(x != y for x, y in zip(a, b)) for _, a, b in differences(before, after, address, address, size))


def first_byte(before, after, here, there, size):
    """The first that differs; None: none does."""
    found = next(differences(before, after, here, there, size), None)
    if found is None:
        return None
    low, a, b = found
    return low + next(i for i, (x, y) in enumerate(zip(a, b)) if x != y)


def element_at(kind, offset):
    """What part of an array holds a byte: its path, its type and where it begins."""
    path, begin = "", 0
    while kind.tag == ARRAY and kind.element().size() and not kind.element().is_character():
        size = kind.element().size()
        path, begin, kind = path + f"[{(offset - begin) // size}]", begin + (offset - begin) // size * size, kind.element()
    return path, kind, begin


def differing_variables(one, other, pe):
    before, after = one.snapshot.memory(pe), other.snapshot.memory(pe)
    for row in variables(one):
        here, there, size = row["address"] + one.bias(pe), row["address"] + other.bias(pe), row["bytes"]
        if not is_symmetric(before, here, size) or not is_symmetric(after, there, size) or size == 0:
            continue
        first = first_byte(before, after, here, there, size)
        if first is None:
            continue
        path, kind, begin = element_at(row["kind"], first)
        found = first_difference(value.read(before, Place(kind, here + begin)), value.read(after, Place(kind, there + begin)),
                                 path)
        where, was, now = found or (path, "?", "?")
        yield {"pe": pe, "variable": row["name"] + where, "first": was, "second": now}


def show_diff(one, other, as_json):
    if one.snapshot.pes != other.snapshot.pes:
        raise Problem("the two snapshots are not of the same PEs", "SH953")
    rows = []
    for pe in one.snapshot.pes:
        rows += [*differing_variables(one, other, pe), *differing_blocks(one, other, pe)]
    if as_json:
        print(json.dumps(rows))
    for row in [] if as_json else rows:
        if "variable" in row:
            print(sanitize(f"{row['variable']}@{row['pe']}: {value.text(row['first'])}, then {value.text(row['second'])}"))
        else:
            print(f"block {row['block']}@{row['pe']}, {row['bytes']} bytes: {row['what']}")
    return 1 if rows else 0


def parse():
    parser = argparse.ArgumentParser(prog="oshdump", description="Shows variables in a snapshot of an OpenSHMEM "
                                     "program's symmetric memory, by the program's debug information.")
    parser.error = lambda message: parser.exit(2, f"oshdump: {sanitize(message)}; oshdump --help says more [SH951]\n")
    parser.add_argument("program", metavar="PROGRAM", nargs="?", help="the program's file, compiled with -g")
    parser.add_argument("snapshot", metavar="SNAPSHOT", nargs="?", help="a snapshot's folder, or what oshrun --save-on-failure has written, or a folder that holds "
                             "some: then the newest")
    parser.add_argument("expressions", metavar="EXPRESSION", nargs="*",
                        help="variable, element, member: grid[5].temperature@7; @PE or @* for all, the default; "
                             "*pointer, pointer->member, array[2:5]")
    parser.add_argument("--list", action="store_true", help="list variables and blocks")
    parser.add_argument("--diff", nargs=2, metavar=("A", "B"),
                        help="what differs between two snapshots; exit status 1 where something does")
    parser.add_argument("--pe", type=int, help="the PE of expressions without @")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--version", action="version", version=f"oshdump (Sheaf) {VERSION}")
    arguments, unknown = parser.parse_known_intermixed_args()
    if unknown:
        parser.exit(2, f"oshdump: unknown option {sanitize(unknown[0])}; oshdump --help lists them [SH951]\n")
    if not arguments.program:
        parser.error("name the program's file")
    if not arguments.diff and not arguments.snapshot:
        parser.error("name a snapshot")
    if not arguments.diff and not arguments.list and not arguments.expressions:
        parser.error("name a variable, such as grid[5]@0, or give --list")
    return arguments


def run(arguments):
    program = Elf(arguments.program)
    debug = Dwarf(program)
    if arguments.diff:
        one, other = (View(program, debug, Snapshot(path)) for path in arguments.diff)
        return show_diff(one, other, arguments.json)
    view = View(program, debug, Snapshot(arguments.snapshot))
    if arguments.list:
        show_list(view, arguments.json)
    if arguments.expressions:
        show(view, arguments.expressions, arguments.pe, arguments.json)
    return 0


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    arguments = parse()
    try:
        status = run(arguments)
    except Problem as problem:
        sys.stdout.flush()
        print(f"oshdump: {problem}", file=sys.stderr)
        status = 1 if not arguments.diff else 2
    sys.stdout.flush()
    os._exit(status)
