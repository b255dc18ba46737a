# SPDX-License-Identifier: BSD-3-Clause
"""Debug information, versions 4 and 5: the program's variables and their types, and nothing else."""
import struct

from oshdump.problem import Problem

# Tags, attributes and forms as the standard numbers them.
ARRAY, ENUM, MEMBER, POINTER, UNIT, STRUCT, TYPEDEF, UNION, SUBRANGE = 1, 4, 0x0D, 0x0F, 0x11, 0x13, 0x16, 0x17, 0x21
BASE, CONST, ENUMERATOR, VARIABLE, VOLATILE, NAMESPACE, CLASS, INHERITS = 0x24, 0x26, 0x28, 0x34, 0x35, 0x39, 2, 0x1C
SUBPROGRAM, BLOCK, RESTRICT, ATOMIC, REFERENCE, MODULE = 0x2E, 0x0B, 0x37, 0x47, 0x10, 0x1E
LOCATION, NAME, SIZE, CONST_VALUE, UPPER, PLACE, COUNT = 2, 3, 0x0B, 0x1C, 0x2F, 0x38, 0x37
ENCODING, ABSTRACT, TYPE, SPECIFICATION, BIT_SIZE, BIT_PLACE = 0x3E, 0x31, 0x49, 0x47, 0x0D, 0x6B
LINKAGE, OFFSETS_BASE, ADDRESS_BASE, IMPLICIT = 0x6E, 0x72, 0x73, 0x21
SCOPES = (UNIT, NAMESPACE, SUBPROGRAM, BLOCK, MODULE, STRUCT, CLASS)


class Entry:
    """One entry: its tag, its attributes, its parent and children."""

    def __init__(self, place, tag, attributes, parent):
        self.place, self.tag, self.attributes, self.parent, self.children = place, tag, attributes, parent, []

    def get(self, name, default=None):
        return self.attributes.get(name, default)


def uleb(data, at):
    result = shift = 0
    while True:
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return result, at


def sleb(data, at):
    start = at
    result, at = uleb(data, at)
    bits = 7 * (at - start)
    return (result - (1 << bits) if result >> (bits - 1) & 1 else result), at


def text_at(data, at):
    return data[at:data.index(b"\0", at)].decode(errors="replace")


class Unit:
    """One compilation unit: reads all its entries."""

    def __init__(self, dwarf, at):
        self.dwarf, self.data, self.start = dwarf, dwarf.info, at
        length, = struct.unpack_from("<I", self.data, at)
        self.wide = length == 0xFFFFFFFF
        if self.wide:
            length, = struct.unpack_from("<Q", self.data, at + 4)
        at += 12 if self.wide else 4
        self.end = at + length
        self.version, = struct.unpack_from("<H", self.data, at)
        self.kind, self.offsets_base, self.address_base = 1, 0, 0
        if self.version >= 5:
            self.kind, self.address_size = self.data[at + 2], self.data[at + 3]
            abbreviations, at = self.offset(at + 4)
            at += {4: 8, 5: 8}.get(self.kind, 0)
            if self.kind in (2, 6):
                at += 8 + (8 if self.wide else 4)
        else:
            abbreviations, at = self.offset(at + 2)
            self.address_size = self.data[at]
            at += 1
        self.first = at
        self.abbreviations = dwarf.abbreviations(abbreviations)

    def offset(self, at):
        size = 8 if self.wide else 4
        return int.from_bytes(self.data[at:at + size], "little"), at + size

    def read(self):
        """All entries, by place; kept: those of the unit itself."""
        at, stack, entries = self.first, [], {}
        while at < self.end:
            place = at
            code, at = uleb(self.data, at)
            if code == 0:
                if stack:
                    stack.pop()
                if not stack:
                    break
                continue
            tag, has_children, fields = self.abbreviations[code]
            parent = stack[-1] if stack else None
            entry = Entry(place, tag, {}, parent)
            late = []
            for name, form, value in fields:
                raw, at = self.value(form, at, value)
                if isinstance(raw, tuple):
                    late.append((name, raw))
                else:
                    entry.attributes[name] = raw
            if tag in (UNIT, 0x4A):
                self.offsets_base = entry.get(OFFSETS_BASE, 16 if self.wide else 8)
                self.address_base = entry.get(ADDRESS_BASE, 16 if self.wide else 8)
            for name, (kind, index) in late:
                entry.attributes[name] = self.indexed(kind, index)
            entries[place] = entry
            entry.unit = self
            if parent:
                parent.children.append(entry)
            if has_children:
                stack.append(entry)
            elif not stack:
                break
        return entries

    def indexed(self, kind, index):
        if kind == "address":
            at = self.address_base + index * 8
            return int.from_bytes(self.dwarf.addresses[at:at + 8], "little")
        size = 8 if self.wide else 4
        at = self.offsets_base + index * size
        return text_at(self.dwarf.strings, int.from_bytes(self.dwarf.offsets[at:at + size], "little"))

    def value(self, form, at, constant):
        """What an attribute has, and the place behind it. A tuple: to be looked up once the unit's bases are known."""
        data = self.data
        fixed = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x01: 8, 0x0C: 1, 0x20: 8, 0x1E: 16}.get(form)
        if fixed:
            return int.from_bytes(data[at:at + fixed], "little"), at + fixed
        if form == 0x19:
            return 1, at
        if form == 0x21:
            return constant, at
        if form == 0x0D:
            return sleb(data, at)
        if form in (0x0F, 0x22, 0x23):
            return uleb(data, at)
        if form == 0x08:
            end = data.index(b"\0", at)
            return data[at:end].decode(errors="replace"), end + 1
        if form in (0x0E, 0x1F):
            offset, at = self.offset(at)
            return text_at(self.dwarf.strings if form == 0x0E else self.dwarf.line_strings, offset), at
        if form in (0x17, 0x1D):
            return self.offset(at)
        if form == 0x10:
            return self.offset(at)
        if form in (0x11, 0x12, 0x13, 0x14):
            size = {0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8}[form]
            return self.start + int.from_bytes(data[at:at + size], "little"), at + size
        if form == 0x15:
            offset, at = uleb(data, at)
            return self.start + offset, at
        if form in (0x18, 0x09):
            length, at = uleb(data, at)
            return data[at:at + length], at + length
        if form in (0x0A, 0x03, 0x04):
            size = {0x0A: 1, 0x03: 2, 0x04: 4}[form]
            length = int.from_bytes(data[at:at + size], "little")
            return data[at + size:at + size + length], at + size + length
        if form == 0x1A:
            index, at = uleb(data, at)
            return ("text", index), at
        if form in (0x25, 0x26, 0x27, 0x28):
            size = form - 0x24
            return ("text", int.from_bytes(data[at:at + size], "little")), at + size
        if form == 0x1B:
            index, at = uleb(data, at)
            return ("address", index), at
        if form in (0x29, 0x2A, 0x2B, 0x2C):
            size = form - 0x28
            return ("address", int.from_bytes(data[at:at + size], "little")), at + size
        raise Problem(f"debug information of a form that oshdump does not know (0x{form:x})", "SH956")


class Dwarf:
    def __init__(self, elf):
        self.info, self.lists = elf.section(".debug_info"), elf.section(".debug_abbrev")
        self.strings, self.line_strings = elf.section(".debug_str"), elf.section(".debug_line_str")
        self.offsets, self.addresses = elf.section(".debug_str_offsets"), elf.section(".debug_addr")
        self.tables, self.entries, self.variables = {}, {}, {}
        if not self.info:
            raise Problem("the program has no debug information: compile it with -g", "SH956")
        try:
            self.read()
        except (IndexError, KeyError, ValueError, struct.error):
            raise Problem("the program's debug information is damaged", "SH956") from None

    def abbreviations(self, at):
        if at in self.tables:
            return self.tables[at]
        table, place = {}, at
        while True:
            code, at = uleb(self.lists, at)
            if code == 0:
                break
            tag, at = uleb(self.lists, at)
            has_children, fields = self.lists[at], []
            at += 1
            while True:
                name, at = uleb(self.lists, at)
                form, at = uleb(self.lists, at)
                value = None
                if form == 0x21:
                    value, at = sleb(self.lists, at)
                if name == 0 and form == 0:
                    break
                fields.append((name, form, value))
            table[code] = (tag, has_children, fields)
        self.tables[place] = table
        return table

    def read(self):
        at = 0
        while at < len(self.info):
            unit = Unit(self, at)
            if unit.kind in (1, 3):
                self.entries.update(unit.read())
            at = unit.end
        for entry in list(self.entries.values()):
            if entry.tag == VARIABLE and self.address(entry) is not None:
                self.add(entry)

    @staticmethod
    def address(entry):
        """Of a variable that lies at one place of the program's file."""
        place = entry.get(LOCATION)
        if isinstance(place, bytes) and len(place) == 9 and place[0] == 3:
            return int.from_bytes(place[1:], "little")
        if isinstance(place, bytes) and len(place) > 1 and place[0] == 0xA1:
            index, end = uleb(place, 1)
            return entry.unit.indexed("address", index) if end == len(place) else None
        return None

    def origin(self, entry):
        for name in (SPECIFICATION, ABSTRACT):
            if entry.get(name) in self.entries:
                return self.origin(self.entries[entry.get(name)])
        return entry

    def add(self, entry):
        origin = self.origin(entry)
        name = entry.get(NAME) or origin.get(NAME)
        if not name:
            return
        scopes, scope, unit = [], origin.parent, None
        while scope:
            if scope.tag == UNIT:
                unit = scope.get(NAME)
            elif scope.tag in SCOPES and scope.get(NAME):
                scopes.insert(0, scope.get(NAME))
            scope = scope.parent
        full = "::".join([*scopes, name])
        kind = entry.get(TYPE) or origin.get(TYPE)
        variable = {"name": full, "address": self.address(entry), "type": kind, "file": unit}
        known = self.variables.setdefault(full, [])
        if all(other["address"] != variable["address"] for other in known):
            known.append(variable)
