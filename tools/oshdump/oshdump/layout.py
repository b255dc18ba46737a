# SPDX-License-Identifier: BSD-3-Clause
"""The layout of a PE's file, which src/snapshot/file/format.h has: what lies where, and no more."""
import collections
import struct

MAGIC, VERSION, HEADER_SIZE = b"sheaf\rpe", 2, 4096
PLAIN, ZERO, ZSTD = 0, 1, 2
DATA, HEAP = 0, 1

HEADER = struct.Struct("<8sII16s16siiIIII40sQQQQQ3Q3QQQ")
HASHED = HEADER.size - 8
EXTENT = struct.Struct("<IIQIIQQ")
Extent = collections.namedtuple("Extent", "segment coding offset length stored place hash")
COUNTS, MEMORY, BLOCK = struct.Struct("<QQQ"), struct.Struct("<QQQQQ"), struct.Struct("<QQQ")


class Header:
    def __init__(self, data):
        (_, self.version, self.page, self.id, self.before, _, self.pe, _, _, self.parts, self.kind, self.build_id, self.data,
         self.data_length, self.heap, _, self.heap_limit, *rest) = HEADER.unpack_from(data)
        self.state, self.table, self.length, self.hash = rest[:3], rest[3:6], rest[6], rest[7]


class Cut(Exception):
    """There is less of it than it says."""


class State:
    """Heap and spaces, with their blocks."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form, count=1):
        if count > (len(self.data) - self.at) // form.size:
            raise Cut
        rows = form.iter_unpack(self.data[self.at:self.at + count * form.size])
        self.at += count * form.size
        return list(rows)

    def memories(self):
        """Of each: a space's place, None of the heap; its address and length; offset and size of its blocks."""
        spaces = self.take(COUNTS)[0][0]
        for i in range(spaces + 1):
            place, address, length, _, count = self.take(MEMORY)[0]
            blocks = [(offset, size) for offset, size, _ in self.take(BLOCK, count)]
            yield place if i else None, address, length, blocks


def extents(table):
    if len(table) % EXTENT.size:
        table = table[:-(len(table) % EXTENT.size)]
    return map(Extent._make, EXTENT.iter_unpack(table))


def little_endian(number):
    """A manifest's id, two numbers of 64 bits, as the header has it."""
    return number[7::-1] + number[15:7:-1]
