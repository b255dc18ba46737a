# SPDX-License-Identifier: BSD-3-Clause
"""Damages the files of snapshots, for fuzz.py: at random, or so that all checksums fit again."""
import os
import shutil
import socket
import stat
import struct

MASK = (1 << 64) - 1
PART = struct.Struct("<QQQ")
EXTENT = struct.Struct("<IIQIIQQ")
# Of struct sheaf_snapshot_header: where fields begin, and what they hold.
FIELDS = {8: "I", 12: "I", 16: "Q", 24: "Q", 32: "Q", 40: "Q", 48: "i", 52: "i", 56: "I", 60: "I", 64: "I", 68: "I", 72: "Q",
          112: "Q", 120: "Q", 128: "Q", 136: "Q", 144: "Q", 152: "Q", 160: "Q", 168: "Q", 176: "Q", 184: "Q", 192: "Q", 200: "Q"}
STATE, TABLE, LENGTH, HASH = 152, 176, 200, 208


def step(lane, word):
    lane = (lane ^ word) * 0x9FB21C651E98DF25 & MASK
    return (lane << 29 | lane >> 35) & MASK


def hash_of(text):
    """As src/snapshot/file/hash.h has it."""
    words = [int.from_bytes(text[at:at + 8], "little") for at in range(0, len(text) // 8 * 8, 8)]
    lanes = [1, 2, 3, 4]
    for place, word in enumerate(words):
        lane = place % 4 if place < len(words) // 4 * 4 else 0
        lanes[lane] = step(lanes[lane], word)
    result = step(len(text), int.from_bytes(text[len(words) * 8:], "little"))
    for lane in lanes:
        result = step(result, lane)
    return result or 1


def sealed(manifest, line):
    """The manifest with another line in the place of the one of that name, and a checksum that fits."""
    name = line.split()[0]
    rows = [line if row.startswith(name + " ") else row for row in manifest.splitlines()[:-1]]
    return seal_manifest("".join(row + "\n" for row in rows))


def seal_manifest(text):
    return f"{text}hash {hash_of(text.encode(errors='surrogateescape')):016x}\n"


def part_of(data, at):
    """Place and length of a part that lies within the file; else none."""
    place, length, _ = PART.unpack_from(data, at)
    return (place, length) if place + length <= len(data) and length < 1 << 20 else (0, 0)


def seal(data):
    """All checksums of a PE's file fit, but for those of memory."""
    for at in STATE, TABLE:
        place, length = part_of(data, at)
        struct.pack_into("<Q", data, at + 16, hash_of(bytes(data[place:place + length])))
    struct.pack_into("<Q", data, HASH, hash_of(bytes(data[:HASH])))


def number(random, bits, near=()):
    """A number that somebody may have forgotten."""
    edges = [0, 1, 2, 3, 7, 31, 32, 33, 62, 64, 4095, 4096, 4097, 1 << 20, (1 << 20) + 1, 1 << 24, 1 << 30, (1 << 31) - 1, 1 << 31,
             (1 << 32) - 1, 1 << 32, 1 << 36, 1 << 40, (1 << 63) - 1, 1 << 63, MASK, MASK - 4095, MASK // 24, MASK // 40, *near]
    value = random.choice(edges) if random.random() < 0.8 else random.getrandbits(bits)
    if random.random() < 0.3:
        value += random.choice((-4096, -64, -8, -1, 1, 8, 64, 4096))
    return value & (1 << bits) - 1


class Folder:
    """A snapshot's folder, whose files are damaged and mended."""

    def __init__(self, path):
        self.path = path
        self.files = {entry.name: entry.read_bytes() for entry in path.iterdir()}
        self.names = sorted(self.files)
        self.states = [name for name in self.names if name != "manifest"]

    def write(self, name, data):
        at = self.path / name
        self.remove(name)
        at.write_bytes(data)
        at.chmod(0o600)

    def remove(self, name):
        at = self.path / name
        try:
            shutil.rmtree(at) if stat.S_ISDIR(os.lstat(at).st_mode) else os.unlink(at)
        except FileNotFoundError:
            pass

    def mend(self):
        if os.geteuid() == 0:
            os.chown(self.path, 0, 0)
        self.path.chmod(0o700)
        for name in os.listdir(self.path):
            if name not in self.files:
                self.remove(name)
        for name, data in self.files.items():
            self.write(name, data)

    def pick(self, random):
        return "manifest" if random.random() < 0.15 else random.choice(self.states)

    def damage(self, random):
        """Damages one or two files. What was done, and whether the checksums fit it."""
        kinds = (flips, cuts, lengthens, overwrites, splices, swaps, replaces, opens, forges, forges, forges, forges, writes_manifest,
                 writes_manifest)
        kind = random.choice(kinds)
        return f"{kind.__name__} {kind(self, random)}", kind in (forges, writes_manifest)


def region(data, random):
    """A place: header, state and table are small beside the memory."""
    spans = [(0, min(216, len(data)))]
    if len(data) > 216 and data[:8] == b"sheaf\rpe":
        spans += [(place, length) for place, length in (part_of(data, STATE), part_of(data, TABLE)) if length]
    spans.append((0, len(data)))
    start, length = random.choice(spans)
    return start + random.randrange(max(1, length))


def flips(folder, random):
    name = folder.pick(random)
    data = bytearray(folder.files[name])
    count = random.choice((1, 1, 1, 2, 8, 64))
    for _ in range(count):
        at = region(data, random)
        data[at] ^= 1 << random.randrange(8)
    folder.write(name, data)
    return f"{name}: {count} bits"


def cuts(folder, random):
    name = folder.pick(random)
    data = folder.files[name]
    length = random.choice((0, 1, 8, 215, 216, 217, 4095, 4096, 4097, len(data) - 1, len(data) - 8, random.randrange(len(data))))
    folder.write(name, data[:max(0, length)])
    return f"{name}: to {length}"


def lengthens(folder, random):
    """By some bytes; or by a hole, beyond any memory."""
    name = folder.pick(random)
    folder.write(name, folder.files[name] + random.randbytes(random.choice((1, 8, 40, 4096))))
    more = random.choice((0, 0, 1 << 20, 1 << 33, 1 << 42))
    if more:
        try:
            os.truncate(folder.path / name, len(folder.files[name]) + more)
        except OSError:
            pass
    return f"{name}: by {more}"


def overwrites(folder, random):
    name = folder.pick(random)
    data = bytearray(folder.files[name])
    at = min(region(data, random) // 8 * 8, max(0, len(data) - 8))
    data[at:at + 8] = number(random, 64, (len(data),)).to_bytes(8, "little")
    folder.write(name, data)
    return f"{name}: 8 bytes at {at}"


def splices(folder, random):
    name, other = folder.pick(random), folder.pick(random)
    data, source = bytearray(folder.files[name]), folder.files[other]
    length = random.randrange(1, min(len(data), len(source)))
    at, place = random.randrange(len(data) - length + 1), random.randrange(len(source) - length + 1)
    data[at:at + length] = source[place:place + length]
    folder.write(name, data)
    return f"{name}: {length} bytes at {at} of {other} at {place}"


def swaps(folder, random):
    one, other = folder.pick(random), folder.pick(random)
    folder.write(one, folder.files[other])
    folder.write(other, folder.files[one])
    return f"{one} and {other}"


def replaces(folder, random):
    """By what is no file, or is not there."""
    name = folder.pick(random)
    at = folder.path / name
    folder.remove(name)
    kind = random.choice(("nothing", "fifo", "folder", "socket", "itself", "link", "gone", "zero", "hard"))
    if kind == "fifo":
        os.mkfifo(at, 0o600)
    elif kind == "folder":
        at.mkdir(0o700)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            here = os.open(folder.path, os.O_RDONLY)
            try:
                made.bind(f"/proc/self/fd/{here}/{name}")
            finally:
                os.close(here)
    elif kind in ("itself", "link", "gone"):
        at.symlink_to({"itself": name, "gone": "nowhere"}.get(kind, random.choice(folder.names)))
    elif kind == "zero":
        try:
            os.mknod(at, 0o600 | stat.S_IFCHR, os.makedev(1, 5))
        except OSError:
            at.symlink_to("/dev/zero")
    elif kind == "hard":
        other = random.choice([entry for entry in folder.names if entry != name])
        os.link(folder.path / other, at)
    return f"{name}: {kind}"


def opens(folder, random):
    """To other users."""
    at = random.choice([folder.path, folder.path / folder.pick(random)])
    if os.geteuid() == 0 and random.random() < 0.5:
        os.chown(at, 4711, 4711)
        return f"{at.name}: another's"
    mode = random.choice((0o666, 0o620, 0o602, 0o777))
    at.chmod(mode)
    return f"{at.name}: mode {mode:o}"


def forge_words(data, span, random):
    place, length = span
    at = place + random.randrange(max(1, length // 8)) * 8
    if length >= 8:
        struct.pack_into("<Q", data, at, number(random, 64, (len(data), length)))
    return f"word {(at - place) // 8}"


def forge_extent(data, random):
    place, length = part_of(data, TABLE)
    if length < EXTENT.size:
        return "no extent"
    at = place + random.randrange(length // EXTENT.size) * EXTENT.size
    row = list(EXTENT.unpack_from(data, at))
    field = random.randrange(len(row))
    bits = 32 if field in (0, 1, 3, 4) else 64
    row[field] = number(random, bits, (len(data), row[5], row[3]))
    EXTENT.pack_into(data, at, *row)
    return f"extent's field {field}: {row[field]}"


def forge_parts(data, random):
    """A part's place and length: many more, or others' bytes."""
    at = random.choice((STATE, TABLE))
    place, length, _ = PART.unpack_from(data, at)
    kind = random.choice(("less", "more", "hole"))
    if kind == "less":
        length = random.randrange(0, length + 1) // 8 * 8
    elif kind == "more" and length:
        copies = data[place:place + length] * random.choice((2, 10, 100))
        place, length = len(data), len(copies)
        data += copies
        struct.pack_into("<Q", data, LENGTH, len(data))
    else:
        length = number(random, 64, (len(data),))
    PART.pack_into(data, at, place, length, 0)
    return f"{kind}: {length} bytes at {place}"


def forge_hole(data, random):
    """A part that a hole of the file makes long. The file's length."""
    at, length = random.choice((STATE, TABLE)), random.choice((1 << 24, 1 << 30, 1 << 36, 1 << 40))
    PART.pack_into(data, at, len(data), length - random.choice((0, 8, len(data), 1 << 20)), 0)
    struct.pack_into("<Q", data, LENGTH, length)
    return length


def forges(folder, random):
    """Everything fits, but for what is said."""
    name = random.choice(folder.states)
    data = bytearray(folder.files[name])
    what, length = random.choice(("field", "field", "state", "state", "table", "extent", "extent", "parts", "hole")), 0
    if what == "field":
        at = random.choice(sorted(FIELDS))
        size = struct.calcsize(FIELDS[at])
        data[at:at + size] = number(random, 8 * size, (len(data),)).to_bytes(size, "little")
        what += f" at {at}"
    elif what == "extent":
        what = forge_extent(data, random)
    elif what == "parts":
        what = forge_parts(data, random)
    elif what == "hole":
        length = forge_hole(data, random)
    else:
        what += " " + forge_words(data, part_of(data, STATE if what == "state" else TABLE), random)
    seal(data)
    folder.write(name, data)
    if length:
        os.truncate(folder.path / name, length)
    return f"{name}: {what} {length or ''}"


def writes_manifest(folder, random):
    text = folder.files["manifest"].decode()
    rows = text.splitlines()
    words = [("npes", 1), ("members", 3), ("heap", 1), ("id", 1), ("program", 1), (rows[0].split()[0], 1)]
    name, count = random.choice(words)
    edges = ["0", "-1", "1", "2", "2147483647", "2147483648", "-2147483648", "4294967296", "18446744073709551615", "99999999999999999999",
             "-", "", "x", "%s%n", "\x1b[2J", "\u00e4", "1e9", "0x10", "9" * 900, "\x00", "16777216", "16777217"]
    line = f"{name} " + " ".join(random.choice(edges) for _ in range(count))
    kind = random.choice(("sealed", "sealed", "sealed", "bare", "lines", "noise"))
    if kind == "sealed":
        changed = sealed(text, line)
    elif kind == "bare":
        changed = text.replace(next((row for row in rows if row.startswith(name)), ""), line)
    elif kind == "lines":
        random.shuffle(rows)
        changed = seal_manifest("".join(row + "\n" for row in rows[:random.randrange(len(rows) + 1)]))
    else:
        changed = None
    folder.write("manifest", random.randbytes(random.choice((1, 100, 5000))) if changed is None
                 else changed.encode(errors="surrogateescape"))
    return f"{kind} {line[:60]!r}"
