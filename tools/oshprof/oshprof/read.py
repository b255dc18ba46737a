# SPDX-License-Identifier: BSD-3-Clause
"""A PE's file, as addons/profile/format.h lays it out. Nothing in it is believed before it was compared with the file's
length: a file may be cut, of another version, or no profile at all."""
import math
import os
import re
import stat
import struct

MAGIC = b"SHEAFPRF"
VERSION = 3
UNIT = 65536
ROUNDS = 16
COUNTERS = 8
COPIES = 5 # of 64, 1024, ... bytes
KINDS = ["put", "get", "atomic", "wait", "test", "order", "collective", "memory", "lock", "team", "user"]
SITES, CELLS, TIMELINE, COLLECTIVES, TEAMS, MODULES, HEAP, TRACE, NAMES, RECENT, MESSAGES, LINES = range(1, 13)
STATES = {1: "running", 2: "finalized", 3: "exited"}
MOST_PES = 1 << 20

HEADER = struct.Struct("<8s6I" + "QQ" + "2Q2QQ" + "QQQQQ" + "4I" + f"{4 * ROUNDS}Q" + "QQQII"
                       + "24sQq" * COUNTERS + f"II{COPIES}Q" + "40s64s1024s1024s")
CHUNK = struct.Struct("<IIQQQ")
SITE = struct.Struct("<QQIIIIIIQQQQQ64s3d2Q")
CELL = struct.Struct("<QQQII")
WAYS = 16
RECENT_SITE = struct.Struct("<QI4x" + "II" * WAYS + "Q" * WAYS)
COLLECTIVE = struct.Struct("<QQQII")
TEAM = struct.Struct("<QIIiI")
MODULE = struct.Struct("<Q48s456s")
LINE = struct.Struct("<I60s")
OF_LINES = (1 << 32) - 2 # in place of a module: the offset is a line's number
POINT = struct.Struct("<QQ")
MESSAGE = struct.Struct("<16s4Q")
EVENT = struct.Struct("<QQQQIiII")
NAME = struct.Struct("<64sQQddddIIQ")
BINS = 256


class Damaged(Exception):
    """A file that is no profile, or not all of one."""


def sanitize(line, kept=""):
    """What a terminal would take as an order is shown as a question mark."""
    return "".join(letter if letter.isprintable() or letter in kept else "?" for letter in line)


def text(raw):
    """Of a field."""
    return sanitize(raw.split(b"\0", 1)[0].decode("utf-8", "replace"))


def reason(number):
    """Of an error's number, in words."""
    return os.strerror(number) if 0 < number < 4096 else f"error {number}"


def read_all(path):
    """Of a file; not of a pipe, which another process would have to fill."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Damaged("not a file")
        return file.read()


class Site:
    """A place that calls a routine, with its cells by PE: (calls, bytes, ticks)."""

    def __init__(self, fields, index, thread):
        (_, self.cells_at, self.cell_count, kind, self.module, self.is_sampled, self.element, self.in_session, self.offset, self.longest,
         self.live, self.at_peak, self.total, name, *rest) = fields
        self.spread, self.node_bytes = rest[:3], rest[3:]
        self.index, self.thread, self.name = index, thread, text(name)
        if kind >= len(KINDS) or not all(map(math.isfinite, self.spread)):
            raise Damaged(f"a call site of kind {kind} with a spread of {self.spread}")
        self.kind = KINDS[kind]
        self.cells, self.timed = {}, 0 # of the cells, how many have a call that was timed

    @property
    def calls(self):
        return sum(cell[0] for cell in self.cells.values())

    @property
    def bytes(self):
        return sum(cell[1] for cell in self.cells.values())

    @property
    def ticks(self):
        return sum(cell[2] for cell in self.cells.values())

    @property
    def variance(self):
        """Of ticks, where they are an estimate, in ticks squared."""
        mean = self.ticks / self.calls if self.calls else 0.0
        weights, firsts, squares = self.spread
        return max(0.0, squares - 2 * mean * firsts + mean * mean * weights)


class Profile:
    """One PE's."""

    def __init__(self, path):
        self.path = path
        self.data = read_all(path)
        self.read_header()
        self.sites, self.timelines, self.collectives, self.teams = [], {}, [], {}
        self.modules, self.heap, self.names, self.traces, self.recent = [], [], [], {}, {}
        self.messages, self.lines = {}, []
        readers = {SITES: self.read_sites, TIMELINE: self.read_timeline, COLLECTIVES: self.read_collectives,
                   TEAMS: self.read_teams, MODULES: self.read_modules, HEAP: self.read_heap,
                   TRACE: self.read_trace, NAMES: self.read_names, RECENT: self.read_recent,
                   MESSAGES: self.read_messages, LINES: self.read_lines}
        for kind, thread, begin, end, count, detail in self.chunks():
            if kind in readers:
                readers[kind](thread, begin, end, count, detail)
            elif kind != CELLS:
                raise Damaged(f"a chunk of kind {kind}")
        del self.data

    def read_header(self):
        data = self.data
        if len(data) < UNIT or data[:8] != MAGIC:
            raise Damaged("not a profile" if data[:8] != MAGIC else "cut within its header")
        fields = list(HEADER.unpack_from(data))
        take = iter(fields[1:])
        (self.version, header, self.pe, self.npes, self.node, state, self.job, self.used) = (
            next(take) for _ in range(8))
        if self.version != VERSION or header != UNIT:
            raise Damaged(f"version {self.version}; this oshprof reads version {VERSION}")
        self.tick = (next(take), next(take))
        self.ns = (next(take), next(take))
        self.realtime = next(take)
        self.begin, self.end, self.last, self.lost, self.collective_calls = (next(take) for _ in range(5))
        self.kept_shift, rounds, last_rounds, self.pid = (next(take) for _ in range(4))
        values = [next(take) for _ in range(4 * ROUNDS)]
        pairs = list(zip(values[0::2], values[1::2]))
        self.rounds = (pairs[:min(rounds, ROUNDS)], pairs[ROUNDS:ROUNDS + min(last_rounds, ROUNDS)])
        self.heap_now, self.heap_peak, self.heap_peak_tick, _, self.clock = (next(take) for _ in range(5))
        self.counters = [(text(next(take)), next(take), next(take)) for _ in range(COUNTERS)]
        self.nodes, self.nodes_error = next(take), next(take)
        self.copies = [(64 << 4 * i, next(take)) for i in range(COPIES)]
        self.boot_id, self.host, self.program, self.arguments = (text(next(take)) for _ in range(4))
        if state not in STATES or not self.pe < self.npes <= MOST_PES or self.kept_shift > 32:
            raise Damaged("a header that makes no sense")
        self.state = STATES[state]
        if self.tick[1] <= self.tick[0] or self.ns[1] <= self.ns[0]:
            self.tick, self.ns = (self.tick[0], self.tick[0] + 1), (self.ns[0], self.ns[0] + 1)

    def chunks(self):
        """(kind, thread, begin, end, count, detail) of each whole chunk."""
        at = UNIT
        while at + CHUNK.size <= min(self.used, len(self.data)):
            kind, thread, size, count, detail = CHUNK.unpack_from(self.data, at)
            if size < UNIT or size % UNIT or at + size > len(self.data):
                raise Damaged(f"cut, or damaged, at byte {at}")
            yield kind, thread, at + CHUNK.size, at + size, count, detail
            at += size
        if at < self.used:
            raise Damaged(f"cut at byte {len(self.data)} of {self.used}")

    def rows(self, layout, begin, end, count):
        if count * layout.size > end - begin:
            raise Damaged(f"{count} entries in a chunk for {(end - begin) // layout.size}")
        return layout.iter_unpack(self.data[begin:begin + count * layout.size])

    def read_sites(self, thread, begin, end, count, _):
        for index, fields in enumerate(self.rows(SITE, begin, end, count)):
            if fields[0] == 0:
                continue
            site = Site(fields, index, thread)
            last = site.cells_at + site.cell_count * CELL.size
            if site.cell_count not in (1, self.npes) or site.cells_at < UNIT or last > len(self.data):
                raise Damaged(f"the calls of {site.name} lie outside the file")
            rows = CELL.iter_unpack(self.data[site.cells_at:last])
            for pe, (upto, ticks, size, left, step) in enumerate(rows):
                recent = self.recent.get((thread, index, pe))
                if recent:
                    left, size = recent[1], size + recent[0]
                if upto <= left:
                    continue
                calls, timed = upto - left, upto + 1 - step if step else 0
                site.timed += timed > 0
                size = calls * site.element if site.element else size
                site.cells[pe] = (calls, size, ticks * calls / timed if timed > 0 else 0.0)
            self.sites.append(site)

    def read_recent(self, thread, begin, end, count, _):
        """It comes before the sites."""
        for key, site, *ways in self.rows(RECENT_SITE, begin, end, count):
            for left, pe, size in zip(ways[0:2 * WAYS:2], ways[1:2 * WAYS:2], ways[2 * WAYS:]) if key else ():
                self.recent[thread, site, pe] = (size, left if left < 1 << 31 else 0)

    def read_timeline(self, thread, begin, end, count, width):
        row = struct.Struct(f"<{len(KINDS)}Q")
        if width == 0 or count > BINS:
            raise Damaged("a timeline without a width")
        self.timelines[thread] = (width, list(self.rows(row, begin, end, count)))

    def read_collectives(self, thread, begin, end, count, _):
        self.collectives = list(self.rows(COLLECTIVE, begin, end, count))

    def read_teams(self, thread, begin, end, count, _):
        self.teams = {fields[0]: fields[1:] for fields in self.rows(TEAM, begin, end, count)}

    def read_modules(self, thread, begin, end, count, _):
        self.modules = [(base, text(build), text(path)) for base, build, path in
                        self.rows(MODULE, begin, end, count)]

    def read_heap(self, thread, begin, end, count, _):
        self.heap = list(self.rows(POINT, begin, end, count))

    def read_trace(self, thread, begin, end, count, ring):
        if ring == 0 or ring * EVENT.size > end - begin:
            raise Damaged("a trace without its room")
        events = list(self.rows(EVENT, begin, end, min(count, ring)))
        if count > ring:
            events = events[count % ring:] + events[:count % ring]
        self.traces[thread] = (max(0, count - ring), events)

    def read_names(self, thread, begin, end, count, _):
        self.names = [(text(fields[0]), *fields[1:]) for fields in self.rows(NAME, begin, end, count)]

    def read_lines(self, thread, begin, end, count, _):
        self.lines = [f"{text(file)}:{line}" if line < OF_LINES else text(file) for line, file in self.rows(LINE, begin, end, count)]

    def read_messages(self, thread, begin, end, count, _):
        self.messages = {text(kind): counts for kind, *counts in self.rows(MESSAGE, begin, end, count)}

    def line(self, number):
        """Where an interpreted program calls."""
        return self.lines[number] if number < len(self.lines) else "?"

    def seconds(self, ticks):
        """Of a number of ticks."""
        return ticks * (self.ns[1] - self.ns[0]) / (self.tick[1] - self.tick[0]) / 1e9

    def at(self, tick):
        """CLOCK_MONOTONIC of this PE's host in seconds."""
        return self.ns[0] / 1e9 + self.seconds(tick - self.tick[0])

    @property
    def wall(self):
        """Seconds from shmem_init to shmem_finalize, or as far as is known."""
        end = self.end or max(self.last, self.tick[1])
        return max(self.seconds(end - self.begin), 0.0) if self.begin else 0.0


NAME_OF_FILE = re.compile(r"pe-(\d{5,})\.sheaf$")


def read_folder(folder):
    """(profiles by PE, [(file, what is wrong with it)])."""
    profiles, wrong = {}, []
    for name in sorted(os.listdir(folder)):
        if not NAME_OF_FILE.match(name):
            continue
        try:
            profile = Profile(os.path.join(folder, name))
            if int(NAME_OF_FILE.match(name)[1]) != profile.pe:
                raise Damaged(f"the file of PE {profile.pe} by another name")
            if profile.begin == 0:
                raise Damaged("the PE did not come through shmem_init")
            first = next(iter(profiles.values()), profile)
            if (profile.job, profile.npes) != (first.job, first.npes):
                raise Damaged(f"of another run than {os.path.basename(first.path)}")
            profiles[profile.pe] = profile
        except (Damaged, OSError, struct.error) as error:
            wrong.append((name, getattr(error, "strerror", None) or str(error)))
    return profiles, wrong
