# SPDX-License-Identifier: BSD-3-Clause
"""A snapshot's folder, or what a failed job has left, and the symmetric memory of its PEs: the only part that knows the
layout of the files, which src/snapshot/file/format.h has. Every offset is checked."""
import bisect
import ctypes
import struct
from pathlib import Path

from oshdump.problem import Problem

MAGIC, VERSION, HEADER_SIZE = b"sheaf\rpe", 2, 4096
HEADER = struct.Struct("<8sII16s16siiII8x40sQQQQQ3Q3QQQ")
EXTENT = struct.Struct("<IIQIIQQ")
PLAIN, ZERO, ZSTD = 0, 1, 2
DATA, HEAP = 0, 1


def find(path):
    """The snapshot at path, or the newest in it."""
    path = Path(path)
    if (path / "manifest").is_file():
        return path
    try:
        inside = [folder for folder in path.iterdir()
                  if folder.name[0] != "." and (folder / "manifest").is_file()]
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    if not inside:
        raise Problem(f"{path}: there is no snapshot in it")
    return max(inside, key=lambda folder: (folder / "manifest").stat().st_mtime_ns)


class Snapshot:
    def __init__(self, path):
        self.path, self.opened = find(path), {}
        self.is_post_mortem = self.manifest().startswith("sheaf-post-mortem ")
        self.said = dict(line.split(" ", 1) for line in self.manifest().splitlines()
                         if " " in line)
        try:
            self.npes = int(self.said["npes"])
            start, stride, size = map(int, self.said["members"].split())
        except (KeyError, ValueError):
            raise Problem(f"{self.path}: its manifest is damaged") from None
        if not 0 < size <= self.npes or self.npes > 1 << 24:
            raise Problem(f"{self.path}: its manifest is damaged")
        self.pes = [start + rank * stride for rank in range(size)]

    def manifest(self):
        try:
            return (self.path / "manifest").read_text(errors="replace")
        except OSError as error:
            raise Problem(f"{self.path}: {error.strerror}") from None

    def memory(self, pe):
        if pe not in self.pes:
            raise Problem(f"{self.path}: it has no PE {pe}: its PEs are {self.pes[0]} to {self.pes[-1]}")
        if pe not in self.opened:
            self.opened[pe] = Memory(self.path, pe)
        return self.opened[pe]


class Memory:
    """Of one PE. Where a file adds to others, theirs come first."""

    def __init__(self, folder, pe):
        self.path = folder / f"pe-{pe:05d}"
        self.extents = {}
        try:
            self.read_files(folder, pe)
        except OSError as error:
            raise Problem(f"{self.path}: {error.strerror}") from None
        except struct.error:
            raise Problem(f"{self.path}: damaged or cut") from None

    def read_files(self, folder, pe):
        names = [self.path, *sorted(folder.glob(f"pe-{pe:05d}.*"), key=lambda path: -int(path.suffix[1:]))]
        self.files = [open(name, "rb") for name in names]
        for age, file in enumerate(self.files):
            header = self.read_header(file)
            if age == 0:
                self.describe(file, header)
            table = self.part(file, header[18:21], header[21])
            for row in EXTENT.iter_unpack(table):
                self.add(age, row)
        for rows in self.extents.values():
            rows.sort(key=lambda row: (row[0], row[1]))

    def read_header(self, file):
        data = file.read(HEADER_SIZE)
        if len(data) < HEADER.size or data[:8] != MAGIC:
            raise Problem(f"{file.name}: no file of a snapshot")
        header = HEADER.unpack_from(data)
        if header[1] != VERSION:
            raise Problem(f"{file.name}: of version {header[1]}; this oshdump reads version {VERSION}")
        if header[21] != file.seek(0, 2):
            raise Problem(f"{file.name}: damaged or cut: it should have {header[21]} bytes")
        return header

    def part(self, file, part, length):
        place, size, _ = part
        if place > length or size > length - place:
            raise Problem(f"{file.name}: damaged or cut")
        file.seek(place)
        return file.read(size)

    def describe(self, file, header):
        self.page, self.build_id = header[2], header[9].split(b"\0")[0].decode(errors="replace")
        self.data, data_length, self.heap, _, heap_limit = header[10:15]
        self.segments = {DATA: (self.data, data_length), HEAP: (self.heap, heap_limit)}
        self.blocks = []
        state = self.part(file, header[15:18], header[21])
        spaces, _, _ = struct.unpack_from("<QQQ", state)
        at = 24
        for i in range(spaces + 1):
            place, address, length, _, count = struct.unpack_from("<QQQQQ", state, at)
            at += 40
            if i > 0:
                self.segments[2 + place] = (address, length)
            for _ in range(min(count, (len(state) - at) // 24)):
                offset, size, _ = struct.unpack_from("<QQQ", state, at)
                self.blocks.append((address + offset, size))
                at += 24

    def add(self, age, row):
        segment, coding, offset, length, stored, place, _ = row
        self.extents.setdefault(segment, []).append((offset, -age, length, coding, stored, place))

    def content(self, row):
        _, age, length, coding, stored, place = row
        if coding == ZERO:
            return bytes(length)
        file = self.files[-age]
        file.seek(place)
        data = file.read(stored)
        if len(data) != stored:
            raise Problem(f"{file.name}: damaged or cut")
        return decompress(data, length) if coding == ZSTD else data

    def read(self, address, length):
        """Bytes of symmetric memory."""
        for segment, (start, size) in self.segments.items():
            if start <= address and address + length <= start + size:
                return self.read_segment(segment, address - start, length)
        raise Problem(f"0x{address:x} does not lie in symmetric memory")

    def read_segment(self, segment, offset, length):
        """What no file holds is zero; the youngest file counts."""
        result, rows = bytearray(length), self.extents.get(segment, [])
        first = bisect.bisect_left(rows, (max(0, offset - (1 << 20)),))
        last = bisect.bisect_left(rows, (offset + length,))
        for row in sorted(rows[first:last], key=lambda row: row[1]):
            low, high = max(row[0], offset), min(row[0] + row[2], offset + length)
            if low < high:
                result[low - offset:high - offset] = self.content(row)[low - row[0]:high - row[0]]
        return bytes(result)

    def digest(self, segment):
        """Pages that differ at all have another."""
        return [(row[0], row[2], row) for row in self.extents.get(segment, [])]


def decompress(data, length):
    try:
        library = ctypes.CDLL("libzstd.so.1")
    except OSError:
        raise Problem("the snapshot is compressed, and libzstd.so.1 is not installed") from None
    library.ZSTD_decompress.restype = ctypes.c_size_t
    result = ctypes.create_string_buffer(length)
    if library.ZSTD_decompress(result, ctypes.c_size_t(length), data, ctypes.c_size_t(len(data))) != length:
        raise Problem("the snapshot is damaged: its compressed bytes")
    return result.raw
