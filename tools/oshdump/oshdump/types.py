# SPDX-License-Identifier: BSD-3-Clause
"""Types of variables: how long they are, what they consist of, and what bytes mean in them."""
import struct

from oshdump import dwarf as D
from oshdump.problem import Problem

QUALIFIERS = (D.TYPEDEF, D.CONST, D.VOLATILE, D.RESTRICT, D.ATOMIC)
BOOLEAN, COMPLEX, FLOAT, SIGNED, SIGNED_CHAR, UNSIGNED, UNSIGNED_CHAR, UTF = 2, 3, 4, 5, 6, 7, 8, 0x10
MOST_DEPTH = 64


class Type:
    """A type, or what is left of an array of several dimensions."""

    def __init__(self, debug, place, depth=0):
        if depth > MOST_DEPTH:
            raise Problem("the program's debug information goes round in circles", "SH956")
        self.debug, self.names = debug, []
        entry = debug.entries.get(place)
        while entry is not None and entry.tag in QUALIFIERS:
            if entry.tag == D.TYPEDEF:
                self.names.append(entry.get(D.NAME, ""))
            entry = debug.entries.get(entry.get(D.TYPE))
            depth += 1
            if depth > MOST_DEPTH:
                raise Problem("the program's debug information goes round in circles", "SH956")
        self.entry = self.complete(entry)
        self.tag = self.entry.tag if self.entry is not None else None
        self.dimensions = []
        if self.tag == D.ARRAY:
            self.dimensions = [self.extent(child) for child in self.entry.children if child.tag == D.SUBRANGE]

    def complete(self, entry):
        """A structure that is declared in one unit and defined in another."""
        if entry is None or entry.tag not in (D.STRUCT, D.CLASS, D.UNION) or not entry.get(0x3C):
            return entry
        for other in self.debug.entries.values():
            if other.tag == entry.tag and other.get(D.NAME) == entry.get(D.NAME) and not other.get(0x3C):
                return other
        return entry

    @staticmethod
    def extent(child):
        count, upper, lower = child.get(D.COUNT), child.get(D.UPPER), child.get(0x22, 0)
        if isinstance(count, int):
            return count
        return upper + 1 - lower if isinstance(upper, int) and upper < 1 << 62 else 0

    def of(self, entry=None):
        return Type(self.debug, (entry or self.entry).get(D.TYPE))

    def element(self):
        """Of an array: one row of the first dimension, or the element."""
        if len(self.dimensions) <= 1:
            return self.of()
        row = Type.__new__(Type)
        row.debug, row.names, row.entry, row.tag = self.debug, [], self.entry, self.tag
        row.dimensions = self.dimensions[1:]
        return row

    def size(self):
        if self.tag == D.ARRAY:
            size = self.of().size()
            for count in self.dimensions:
                size *= count
            return size
        if self.entry is None:
            return 1
        if self.tag in (D.POINTER, D.REFERENCE, 0x42):
            return 8
        return self.entry.get(D.SIZE, 0)

    def members(self):
        """Names, types and places of members, those of base classes and unnamed ones among them."""
        for child in self.entry.children:
            if child.tag not in (D.MEMBER, D.INHERITS) or not isinstance(child.get(D.PLACE, 0), int):
                continue
            if child.get(0x3C) or child.get(0x3F):  # a static member of C++ lies elsewhere
                continue
            bits = None
            if child.get(D.BIT_SIZE):
                bits = (self.bit_place(child), child.get(D.BIT_SIZE))
            name = child.get(D.NAME) if child.tag == D.MEMBER else None
            yield name, self.of(child), child.get(D.PLACE, 0), bits

    def bit_place(self, child):
        """From the structure's first bit; version 4 counts from the other end of what holds the field."""
        if child.get(0x0C) is None:
            return child.get(D.BIT_PLACE, 8 * child.get(D.PLACE, 0))
        holder = child.get(D.SIZE) or self.of(child).size()
        return 8 * (child.get(D.PLACE, 0) + holder) - child.get(0x0C) - child.get(D.BIT_SIZE)

    def text(self):
        if self.names:
            return self.names[0]
        if self.entry is None:
            return "void"
        name = self.entry.get(D.NAME)
        if self.tag == D.POINTER:
            return self.of().text() + " *"
        if self.tag == D.ARRAY:
            return self.of().text() + "".join(f"[{count}]" for count in self.dimensions)
        word = {D.STRUCT: "struct ", D.UNION: "union ", D.ENUM: "enum ", D.CLASS: "class "}.get(self.tag, "")
        return word + (name or "{...}")

    def is_structure(self):
        return self.tag in (D.STRUCT, D.UNION, D.CLASS)

    def is_character(self):
        return self.tag == D.BASE and self.entry.get(D.NAME) == "char"

    def plain(self, data, bits=None):
        """The value of a type that has no parts."""
        if self.tag == D.ENUM:
            number = int.from_bytes(data, "little", signed=True)
            names = {child.get(D.CONST_VALUE): child.get(D.NAME) for child in self.entry.children}
            return names.get(number, number)
        if self.tag != D.BASE:
            return f"0x{int.from_bytes(data, 'little'):x}"
        encoding = self.entry.get(D.ENCODING)
        if encoding == FLOAT:
            return self.number(data)
        if encoding == COMPLEX:
            half = len(data) // 2
            return {"re": self.number(data[:half]), "im": self.number(data[half:])}
        number = int.from_bytes(data, "little", signed=bits is None and encoding in (SIGNED, SIGNED_CHAR))
        if bits is not None and encoding in (SIGNED, SIGNED_CHAR) and number >> (bits - 1) & 1:
            number -= 1 << bits
        return bool(number) if encoding == BOOLEAN else number

    @staticmethod
    def number(data):
        """Of 80 bits in 16 bytes: to the nearest of 64."""
        if len(data) in (2, 4, 8):
            return struct.unpack({2: "<e", 4: "<f", 8: "<d"}[len(data)], data)[0]
        mantissa, top = struct.unpack_from("<QH", data)
        exponent, sign = top & 0x7FFF, -1.0 if top >> 15 else 1.0
        if exponent == 0x7FFF:
            return sign * float("inf") if mantissa << 1 & (1 << 64) - 1 == 0 else float("nan")
        try:
            return sign * float(mantissa) * 2.0 ** (exponent - 16383 - 63)
        except OverflowError:
            return sign * float("inf")
