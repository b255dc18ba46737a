# SPDX-License-Identifier: BSD-3-Clause
"""All PEs' events as an OTF2 archive, which Vampir, Scalasca and Cube's tools read: a location for each thread, a region for
each call site and each event of the program. Needs the Python binding of the OTF2 library; all else works without it."""
import contextlib
import errno
import os

from .trace import BEGIN, COUNT, END


def binding():
    """The module, or None where it is not installed."""
    try:
        import otf2
    except ImportError:
        return None
    return otf2


def new_folder(path):
    """Makes the folder; returns its descriptor. Whoever may write beside it can put another in its place, or a link."""
    os.mkdir(path, 0o700)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    if os.fstat(folder).st_uid != os.geteuid() or os.listdir(folder):
        raise FileExistsError(errno.EEXIST, "another user has put a folder in its place")
    return folder


def write(job, path, otf2):
    """Makes the folder, which must be new. Returns how many calls and events are in it. After an error nothing stays."""
    folder = new_folder(path)
    try:
        # By its descriptor: the library knows paths alone.
        return fill(job, f"/proc/self/fd/{folder}", otf2)
    except BaseException:
        for _, folders, files, place in os.fwalk(".", topdown=False, dir_fd=folder):
            for name in files:
                os.unlink(name, dir_fd=place)
            for name in folders:
                os.rmdir(name, dir_fd=place)
        with contextlib.suppress(OSError):
            os.rmdir(path)
        raise
    finally:
        os.close(folder)


def fill(job, folder, otf2):
    count = 0
    with otf2.writer.open(folder, timer_resolution=10 ** 9) as archive:
        root = archive.definitions.system_tree_node("job")
        hosts, regions = {}, Regions(archive.definitions)
        for pe, profile in sorted(job.profiles.items()):
            host = hosts.get(profile.host) or archive.definitions.system_tree_node(profile.host, parent=root)
            hosts[profile.host] = host
            group = archive.definitions.location_group(f"PE {pe}", system_tree_parent=host)
            for thread, (_, events) in sorted(profile.traces.items()):
                writer = archive.event_writer(f"thread {thread}", group=group)
                count += write_thread(writer, job, profile, thread, events, regions)
    return count


class Regions:
    def __init__(self, definitions):
        self.definitions, self.known = definitions, {}

    def of(self, name, where=""):
        if (name, where) not in self.known:
            file, _, line = where.rpartition(":")
            line = int(line) if line.isdigit() else 0
            self.known[name, where] = self.definitions.region(name, source_file=file, begin_line_number=line)
        return self.known[name, where]


def write_thread(writer, job, profile, thread, events, regions):
    """Times of a location do not go back, and its regions lie within one another."""
    last, open_regions, count = 0, [], 0

    def moment(tick):
        nonlocal last
        last = max(last, round((job.time(profile.pe, tick) - job.zero) * 1e9))
        return last
    for begin, end, _, _, site, _, kind, _ in events:
        if kind in (BEGIN, END, COUNT):
            name = profile.names[site][0] if site < len(profile.names) else "?"
            if kind == BEGIN:
                open_regions.append(regions.of(name))
                writer.enter(moment(begin), open_regions[-1])
            elif kind == END and open_regions and open_regions[-1] == regions.of(name):
                writer.leave(moment(begin), open_regions.pop())
            continue
        place = job.place_of.get((profile.pe, thread, site))
        if place:
            region = regions.of(place.routine, place.where)
            writer.enter(moment(begin), region)
            writer.leave(moment(end), region)
            count += 1
    while open_regions:
        writer.leave(last, open_regions.pop())
    return count
