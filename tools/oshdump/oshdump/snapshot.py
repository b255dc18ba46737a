# SPDX-License-Identifier: BSD-3-Clause
"""A snapshot's folder, or what a failed job has left, and the symmetric memory of its PEs. Files may be damaged, cut, or
forged: nothing is used before it has been checked, and no length is believed that the file cannot have."""
import bisect
import os
import stat
from pathlib import Path

from oshdump import layout
from oshdump.checksum import checksum, checksum_of_pages
from oshdump.layout import DATA, HEAP, PLAIN, ZERO, ZSTD
from oshdump.problem import Problem
from oshdump.zstd import decompress

MOST_MANIFEST, MOST_PES = 1023, 1 << 24
MOST_PART = 1 << 29  # bytes of a table or a list: of memory that has more, each second page has been touched
MOST_EXTENT, MOST_FILES = 1 << 20, 32


def open_file(path):
    """A file, and nothing that is none: a pipe would never be read to its end."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}", "SH952") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Problem(f"{path}: no file", "SH952")
    return open(fd, "rb")


def find(path):
    """The snapshot at path, or the newest in it."""
    path = Path(path)
    try:
        if os.path.lexists(path / "manifest"):
            return path
        inside = [folder for folder in path.iterdir() if folder.name[0] != "." and (folder / "manifest").is_file()]
        newest = max(inside, key=lambda folder: (folder / "manifest").stat().st_mtime_ns, default=None)
    except (OSError, ValueError) as error:
        raise Problem(f"{path}: {getattr(error, 'strerror', None) or error}", "SH952") from None
    if not newest:
        raise Problem(f"{path}: there is no snapshot in it", "SH953")
    return newest


class Snapshot:
    def __init__(self, path):
        self.path, self.opened = find(path), {}
        try:
            self.read_manifest()
        except (KeyError, ValueError):
            raise Problem(f"{self.path}: its manifest is damaged, or of another version", "SH953") from None

    def read_manifest(self):
        """ValueError or KeyError where it is damaged."""
        with open_file(self.path / "manifest") as file:
            text = file.read(MOST_MANIFEST)
        body, _, seal = text.rpartition(b"hash ")
        if int(seal, 16) != checksum(body):
            raise ValueError
        said = dict(line.split(" ", 1) for line in body.decode("ascii").splitlines())
        kind = next(iter(said), None)
        self.is_post_mortem = {"sheaf-snapshot": False, "sheaf-post-mortem": True}[kind]
        self.id, self.npes = bytes.fromhex(said["id"]), int(said["npes"])
        start, stride, size = map(int, said["members"].split())
        last = start + (size - 1) * stride
        if not (0 < size <= self.npes <= MOST_PES and 0 <= start < self.npes and 0 <= last < self.npes
                and int(said[kind]) == layout.VERSION and (stride or size == 1)):
            raise ValueError
        self.pes = range(start, last + (stride > 0 or -1), stride) if size > 1 else range(start, start + 1)

    def memory(self, pe):
        if pe not in self.pes:
            raise Problem(f"{self.path}: it has no PE {pe}: its PEs are {self.pes[0]} to {self.pes[-1]}", "SH953")
        if pe not in self.opened:
            self.opened[pe] = Memory(self, pe)
        return self.opened[pe]


class Memory:
    """Of one PE. Where a file adds to others, theirs come first; extents carry their file's age, 0 for the newest."""

    def __init__(self, snapshot, pe):
        self.snapshot, self.pe = snapshot, pe
        self.paths, self.files, self.headers = [], [], []  # by age
        self.extents, self.verified = {}, set()
        newest = self.add_file(snapshot.path / f"pe-{pe:05d}", layout.little_endian(snapshot.id))
        self.describe(newest)
        for number in reversed(range(newest.parts)):
            self.add_file(Path(f"{self.paths[0]}.{number}"), self.headers[-1].before)
        for age, header in enumerate(self.headers):
            self.add_extents(age, header)

    def add_file(self, path, wanted):
        """Its header, of the snapshot that is wanted."""
        file = open_file(path)
        data = file.read(layout.HEADER_SIZE)
        if len(data) < layout.HEADER_SIZE or data[:8] != layout.MAGIC:
            raise Problem(f"{path}: no file of a snapshot", "SH953")
        header = layout.Header(data)
        if header.version != layout.VERSION:
            raise Problem(f"{path}: of version {header.version}; this oshdump reads version {layout.VERSION}", "SH953")
        if header.hash != checksum(data[:layout.HASHED]):
            raise Problem(f"{path}: damaged or cut: the header's checksum", "SH953")
        length = os.fstat(file.fileno()).st_size
        if header.length != length:
            raise Problem(f"{path}: damaged or cut: it has {length} bytes and should have {header.length}", "SH953")
        if header.id != wanted or header.pe != self.pe or bool(header.kind) != self.snapshot.is_post_mortem:
            raise Problem(f"{path}: of another snapshot or PE", "SH953")
        if not 4096 <= header.page <= MOST_EXTENT or header.page & (header.page - 1) or header.parts > MOST_FILES:
            raise Problem(f"{path}: damaged: the header", "SH953")
        self.paths.append(path)
        self.files.append(file)
        self.headers.append(header)
        return header

    def damaged(self, age, what):
        raise Problem(f"{self.paths[age]}: damaged or cut: {what}", "SH953")

    def part(self, age, part, what):
        place, size, wanted = part
        length = self.headers[age].length
        if place > length or size > length - place or size > MOST_PART:
            self.damaged(age, what)
        data = self.bytes_of(age, place, size)
        if len(data) != size or checksum(data) != wanted:
            self.damaged(age, what)
        return data

    def bytes_of(self, age, place, size):
        self.files[age].seek(place)
        return self.files[age].read(size)

    def describe(self, header):
        self.page, self.data, self.heap = header.page, header.data, header.heap
        self.build_id = header.build_id.split(b"\0")[0].decode(errors="replace")
        self.segments = {DATA: (header.data, header.data_length), HEAP: (header.heap, header.heap_limit)}
        self.blocks = []
        state = layout.State(self.part(0, header.state, "the list of blocks"))
        try:
            for place, address, length, blocks in state.memories():
                if place is not None:
                    self.segments[2 + place] = (address, length)
                if any(offset + size > length for offset, size in blocks):
                    self.damaged(0, "the list of blocks")
                self.blocks += [(address + offset, size) for offset, size in blocks]
        except layout.Cut:
            self.damaged(0, "the list of blocks")

    def add_extents(self, age, header):
        rows = {}
        for row in layout.extents(self.part(age, header.table, "the table of extents")):
            if not self.is_sound(row, header.length):
                self.damaged(age, "the table of extents")
            rows.setdefault(row.segment, []).append((row.offset, -age, row))
        for segment, some in rows.items():
            some.sort(key=lambda entry: entry[0])
            if any(one[0] + one[2].length > other[0] for one, other in zip(some, some[1:])):
                self.damaged(age, "the table of extents")
            self.extents.setdefault(segment, []).extend(some)
            self.extents[segment].sort(key=lambda entry: entry[:2])

    def is_sound(self, row, length):
        _, size = self.segments.get(row.segment, (0, 0))
        return (0 < row.length <= MOST_EXTENT and row.length % self.page == 0 and row.offset % self.page == 0
                and row.offset + row.length <= size + self.page and row.stored <= MOST_EXTENT
                and (row.coding in (ZERO, ZSTD) or row.coding == PLAIN and row.stored == row.length)
                and (row.coding == ZERO or row.place <= length and row.stored <= length - row.place))

    def content(self, age, row):
        if row.coding == ZERO:
            return bytes(row.length)
        data = self.bytes_of(age, row.place, row.stored)
        if len(data) != row.stored or (age, row) not in self.verified and row.hash != (
                checksum_of_pages(data, self.page) if row.coding == PLAIN else checksum(data)):
            self.damaged(age, "a checksum of its memory")
        self.verified.add((age, row))
        return decompress(data, row.length) if row.coding == ZSTD else data

    def segment_of(self, address, length):
        for segment, (start, size) in self.segments.items():
            if start <= address and address + length <= start + size:
                return segment, address - start
        raise Problem(f"0x{address:x} does not lie in symmetric memory", "SH953")

    def rows(self, segment, offset, length):
        """Extents that have some of it, the oldest first."""
        rows = self.extents.get(segment, [])
        first = bisect.bisect_left(rows, (max(0, offset - MOST_EXTENT),))
        last = bisect.bisect_left(rows, (offset + length,))
        return sorted((entry for entry in rows[first:last] if entry[0] + entry[2].length > offset),
                      key=lambda entry: entry[1])

    def read(self, address, length):
        """Bytes of symmetric memory: what no file holds is zero, and the youngest file counts."""
        segment, offset = self.segment_of(address, length)
        result = bytearray(length)
        for start, age, row in self.rows(segment, offset, length):
            low, high = max(start, offset), min(start + row.length, offset + length)
            result[low - offset:high - offset] = self.content(-age, row)[low - start:high - start]
        return bytes(result)

    def windows(self, address, length):
        """Where files hold some of it, as first and last bytes, in steps of an extent's length: the rest is zero."""
        segment, offset = self.segment_of(address, length)
        rows, last = self.extents.get(segment, []), -1
        for start, _, row in rows[bisect.bisect_left(rows, (max(0, offset - MOST_EXTENT),)):]:
            if start >= offset + length:
                break
            for step in range(max(last + 1, start // MOST_EXTENT), (start + row.length - 1) // MOST_EXTENT + 1):
                low, high = max(step * MOST_EXTENT, offset), min((step + 1) * MOST_EXTENT, offset + length)
                if low < high:
                    yield low - offset, high - offset
                last = step

    def digest(self, address, length):
        """The same where two snapshots hold the same by the same extents."""
        segment, offset = self.segment_of(address, length)
        return [(start - offset, row.length, row.coding, row.hash) for start, _, row in self.rows(segment, offset, length)]
