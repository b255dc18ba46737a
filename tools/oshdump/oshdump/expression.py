# SPDX-License-Identifier: BSD-3-Clause
"""What a user names: grid[5].temperature@7, *head, list->next->value, rows[2:5][0]@*."""
import re

from oshdump import dwarf as D
from oshdump.problem import Problem
from oshdump.types import Type

STEP = re.compile(r"\[(-?\d+)(?::(\d+))?\]|(\.|->)([A-Za-z_]\w*)")
NAME = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")


class Place:
    """A type at an address; count: so many of it in a row, as a slice has them; bits: of a bit field."""

    def __init__(self, kind, address, count=None, bits=None):
        self.kind, self.address, self.count, self.bits = kind, address, count, bits


def split(text):
    """Expression and PE: a number, "*" for all, or None where none is said."""
    expression, at, pe = text.partition("@")
    if at and pe != "*" and not pe.isdigit():
        raise Problem(f'"{text}": expected a PE\'s number, or *, behind @', "SH955")
    return expression.strip(), (pe if pe == "*" else int(pe)) if at else None


def find_variable(debug, name):
    known = debug.variables.get(name)
    if not known:
        last = [full for full in debug.variables if full.split("::")[-1] == name]
        known = [variable for full in last for variable in debug.variables[full]]
    if not known:
        near = [full for full in debug.variables if name.lower() in full.lower()][:3]
        raise Problem(f"the program has no variable {name}" + (f"; it has {', '.join(near)}" if near else ""), "SH955")
    if len(known) > 1:
        files = ", ".join(f"{variable['name']} of {variable['file']}" for variable in known[:4])
        raise Problem(f"the program has {len(known)} variables {name}: {files}", "SH955")
    return known[0]


def resolve(debug, memory, bias, text):
    """The place that an expression names in the memory of a PE."""
    stars = len(text) - len(text.lstrip("*"))
    rest = text[stars:].strip()
    match = NAME.match(rest)
    if not match:
        raise Problem(f'"{text}": expected a variable\'s name', "SH955")
    variable = find_variable(debug, match[0])
    place = Place(Type(debug, variable["type"]), variable["address"] + bias)
    at = match.end()
    while at < len(rest):
        step = STEP.match(rest, at)
        if not step:
            raise Problem(f'"{text}": "{rest[at:]}" is neither [INDEX], .MEMBER nor ->MEMBER', "SH955")
        place = take(memory, place, step, text)
        at = step.end()
    for _ in range(stars):
        place = follow(memory, place, text)
    return place


def take(memory, place, step, text):
    if place.count is not None:
        raise Problem(f'"{text}": a slice comes last', "SH955")
    if step[1] is not None:
        return index(memory, place, int(step[1]), int(step[2]) if step[2] else None, text)
    if step[3] == "->" or place.kind.tag == D.POINTER:
        place = follow(memory, place, text)
    return member(place, step[4], text)


def follow(memory, place, text):
    if place.kind.tag not in (D.POINTER, D.REFERENCE, 0x42):
        raise Problem(f'"{text}": {place.kind.text()} is no pointer', "SH955")
    address = int.from_bytes(memory.read(place.address, 8), "little")
    if address == 0:
        raise Problem(f'"{text}": the pointer is null', "SH955")
    return Place(place.kind.of(), address)


def index(memory, place, first, last, text):
    if place.kind.tag == D.POINTER:
        place, count = follow(memory, place, text), None
        element = place.kind
    elif place.kind.tag == D.ARRAY:
        element, count = place.kind.element(), place.kind.dimensions[0] or None
    else:
        raise Problem(f'"{text}": {place.kind.text()} has no elements', "SH955")
    end = first + 1 if last is None else last
    if count is not None and not (0 <= first < count and first < end <= count):
        raise Problem(f'"{text}": {place.kind.text()} has elements 0 to {count - 1}', "SH955")
    if end <= first:
        raise Problem(f'"{text}": [{first}:{last}] has no elements', "SH955")
    return Place(element, place.address + first * element.size(), None if last is None else end - first)


def member(place, name, text):
    if not place.kind.is_structure():
        raise Problem(f'"{text}": {place.kind.text()} has no members', "SH955")
    for known, kind, offset, bits in place.kind.members():
        if known == name:
            return Place(kind, place.address if bits else place.address + offset, None, bits)
        if known is None and kind.is_structure():
            try:
                return member(Place(kind, place.address + offset), name, text)
            except Problem:
                continue
    raise Problem(f'"{text}": {place.kind.text()} has no member {name}', "SH955")
