# SPDX-License-Identifier: BSD-3-Clause
"""The whole job: all PEs' profiles put together, call sites with their places in the source, clocks of several hosts
aligned, and who came last to each collective."""
import math
import os

from . import places, trace
from .read import KINDS, OF_LINES, read_folder, reason

WAITING = ("wait", "lock", "order")
TRANSFERS = ("put", "get", "atomic")
# Near: by the image, the memory that PEs of one host share; far: by the engine, over the network; session: those of
# both that were made in a session on their context.
CHANNELS = ("near", "far", "session")


class Unusable(Exception):
    """There is nothing to show."""


class Place:
    """A call site of the program: what all PEs did there."""

    def __init__(self, routine, kind, function, where):
        self.routine, self.kind, self.function, self.where = routine, kind, function, where
        self.calls = self.bytes = self.longest = 0
        self.seconds = self.waited = self.variance = 0.0
        self.channels = {name: [0, 0, 0.0] for name in CHANNELS} # of transfers: calls, bytes, seconds
        self.node_bytes = [0, 0]          # on the caller's memory node, on others; of the calls that were looked at
        self.by_pe = {}                   # PE: [calls, bytes, seconds, waited]
        self.to_pe = {}                   # (PE, target): [calls, bytes]
        self.at_peak = self.live = self.total = 0
        self.is_sampled = False
        self.last = {}                    # PE: [times it came last, seconds that others waited for it]
        self.waited_for = {}              # (PE, last PE): seconds
        self.instances = 0

    @property
    def name(self):
        return f"{self.routine} at {self.where}"

    @property
    def near(self):
        return self.channels["near"][1]

    @property
    def far(self):
        return self.channels["far"][1]

    @property
    def remote(self):
        """The share of bytes on other memory nodes, or None where nothing is known."""
        return self.node_bytes[1] / sum(self.node_bytes) if sum(self.node_bytes) else None

    @property
    def error(self):
        """Of seconds, where only some calls were timed: two standard deviations of the estimate."""
        return 2 * math.sqrt(self.variance)


class Job:
    """What oshprof shows."""

    def __init__(self, folder):
        self.folder = folder
        self.profiles, self.wrong = read_folder(folder)
        if not self.profiles:
            raise Unusable("; ".join(f"{name}: {why}" for name, why in self.wrong[:3]) or "it holds no profile; oshrun --profile DIR writes one")
        first = next(iter(self.profiles.values()))
        self.npes, self.program, self.arguments = first.npes, first.program, first.arguments
        self.notes = [f"{name}: {why}" for name, why in self.wrong]
        missing = [pe for pe in range(self.npes) if pe not in self.profiles]
        if missing:
            self.notes.append(f"no profile of PE{'s' if len(missing) > 1 else ''} {spans(missing)}")
        for word, state in (("did not end in order: its profile goes as far as it came", "running"),
                            ("ended without shmem_finalize", "exited")):
            these = [pe for pe, p in self.profiles.items() if p.state == state]
            if these:
                self.notes.append(f"PE{'s' if len(these) > 1 else ''} {spans(these)} {word}")
        self.wall = max(p.wall for p in self.profiles.values())
        self.hosts = [p.host for p in self.profiles.values()]
        self.align()
        self.join_sites()
        self.balance()
        self.find_senders()
        lost = sum(p.lost for p in self.profiles.values())
        if lost:
            self.notes.append(f"{lost} calls are not counted: there was no room for their sites")

    def align(self):
        """self.shift: what to take from each PE's clock, and self.clock_error, both in seconds. Hosts are compared by
        the rounds in which all PEs met: nobody left one before everybody had entered."""
        profiles = list(self.profiles.values())
        hosts = {}
        for profile in profiles:
            hosts.setdefault(profile.boot_id, []).append(profile)
        reference = hosts[profiles[0].boot_id]
        self.shift, self.clock_error = {p.pe: (0.0, 0.0) for p in profiles}, 0.0
        for members in hosts.values():
            if members is reference:
                continue
            ends = [bound(reference, members, which) for which in (0, 1)]
            known = [end for end in ends if end]
            if not known:
                self.notes.append(f"the clock of {members[0].host} cannot be compared with {reference[0].host}'s: "
                                  "who came last to collectives is left out")
                self.shift.update({p.pe: None for p in members})
                continue
            begin, end = ends[0] or known[0], ends[1] or known[0]
            self.clock_error = max(self.clock_error, begin[1], end[1])
            self.shift.update({p.pe: (begin[0], end[0] - begin[0]) for p in members})
        self.zero = min(self.time(p.pe, p.begin) for p in profiles)

    def time(self, pe, tick):
        """Seconds on the reference host's clock."""
        profile, (shift, drift) = self.profiles[pe], self.shift[pe] or (0.0, 0.0)
        share = (tick - profile.tick[0]) / (profile.tick[1] - profile.tick[0])
        return profile.at(tick) - shift - drift * min(max(share, 0.0), 1.0)

    def join_sites(self):
        wanted = set()
        for profile in self.profiles.values():
            for site in profile.sites:
                _, build, path = profile.modules[site.module] if site.module < len(profile.modules) else (0, "", "")
                site.place = (path, build, site.offset)
                if site.module != OF_LINES:
                    wanted.add(site.place)
        found, notes = places.find(wanted)
        self.notes += notes
        self.places, self.place_of = {}, {}
        for profile in self.profiles.values():
            for site in profile.sites:
                function, where = ("", profile.line(site.offset)) if site.module == OF_LINES else found[site.place]
                place = self.places.setdefault((site.name, where), Place(site.name, site.kind, function, where))
                self.place_of[profile.pe, site.thread, site.index] = place
                self.add(place, profile, site)
        self.sites = sorted(self.places.values(), key=lambda place: -place.seconds)

    def add(self, place, profile, site):
        calls, size, seconds = site.calls, site.bytes, profile.seconds(site.ticks)
        waited = seconds if site.kind in WAITING else 0.0
        place.calls += calls
        place.bytes += size
        place.seconds += seconds
        place.waited += waited
        place.variance += site.variance * profile.seconds(1) ** 2
        place.longest = max(place.longest, profile.seconds(site.longest))
        place.is_sampled |= bool(site.is_sampled)
        place.at_peak += site.at_peak
        place.live += site.live
        place.total += site.total
        mine = place.by_pe.setdefault(profile.pe, [0, 0, 0.0, 0.0])
        for i, value in enumerate((calls, size, seconds, waited)):
            mine[i] += value
        for i in 0, 1:
            place.node_bytes[i] += site.node_bytes[i]
        if site.kind not in TRANSFERS:
            return
        for target, (calls, size, ticks) in site.cells.items():
            cell = place.to_pe.setdefault((profile.pe, target), [0, 0])
            cell[0] += calls
            cell[1] += size
            channels = ["near" if self.is_near(profile.pe, target) else "far"] + ["session"] * bool(site.in_session)
            for name in channels:
                channel = place.channels[name]
                for number, value in enumerate((calls, size, profile.seconds(ticks))):
                    channel[number] += value

    def is_near(self, pe, other):
        if other not in self.profiles or pe not in self.profiles:
            return pe == other
        return self.profiles[pe].node == self.profiles[other].node

    def matrix(self, what, kinds=TRANSFERS):
        """{(PE, target): number} of bytes (1) or calls (0)."""
        sums = {}
        for place in self.sites:
            if place.kind in kinds:
                for pair, cell in place.to_pe.items():
                    sums[pair] = sums.get(pair, 0) + cell[what]
        return sums

    def balance(self):
        """Who came last to each collective that all members' files have."""
        shift = max(p.kept_shift for p in self.profiles.values())
        scale, groups = 1 << shift, {}
        for profile in self.profiles.values():
            if self.shift[profile.pe] is None:
                continue
            for team, begin, end, sequence, site in profile.collectives:
                place = self.place_of.get((profile.pe, site >> 16, site & 0xffff))
                if place and team in profile.teams and (shift == 0 or
                        ((sequence + 1) * 0x9e3779b97f4a7c15 & (1 << 64) - 1) >> (64 - shift) == 0):
                    groups.setdefault((team, sequence), []).append(
                        (self.time(profile.pe, begin), self.time(profile.pe, end), profile.pe, place,
                         profile.teams[team][0]))
        if shift:
            self.notes.append(f"of collectives one in {scale} is recorded: their imbalance is an estimate")
        for members in groups.values():
            if len(members) != members[0][4] or len(members) < 2:
                continue
            came, _, last, place, _ = max(members, key=lambda member: member[:3])
            place.instances += scale
            record = place.last.setdefault(last, [0, 0.0])
            record[0] += scale
            for entered, left, pe, own, _ in members:
                waited = max(0.0, min(came, left) - entered) * scale
                own.waited += waited
                own.by_pe[pe][3] += waited
                record[1] += waited
                pair = own.waited_for.setdefault((pe, last), 0.0)
                own.waited_for[pe, last] = pair + waited

    def find_senders(self):
        """Whose store ended each wait, as far as a trace holds both."""
        for put, wait in trace.pairs(*trace.signals(self)):
            if wait.place.kind == "wait":
                pair = (wait.pe, put.pe)
                wait.place.waited_for[pair] = wait.place.waited_for.get(pair, 0.0) + wait.seconds

    def channels(self):
        """{channel: [calls, bytes, seconds]} of all sites."""
        return {name: [sum(place.channels[name][i] for place in self.sites) for i in range(3)] for name in CHANNELS}

    def messages(self):
        """{kind: [sent, bytes sent, arrived, bytes arrived]} of all PEs, the kinds that there were."""
        sums = {}
        for profile in self.profiles.values():
            for kind, counts in profile.messages.items():
                sums[kind] = [a + b for a, b in zip(sums.get(kind, [0] * 4), counts)]
        return {kind: counts for kind, counts in sums.items() if any(counts)}

    def nodes(self):
        """What can be said of memory nodes, in words."""
        unknown = [p for p in self.profiles.values() if not p.nodes]
        if unknown:
            return f"not available: {reason(unknown[0].nodes_error)}"
        if all(p.nodes == 1 for p in self.profiles.values()):
            return "one node: all near memory is local"
        local, remote = (sum(place.node_bytes[i] for place in self.sites) for i in (0, 1))
        if not local + remote:
            return "no near transfer was looked at"
        return f"{100 * remote / (local + remote):.0f} % of the bytes looked at lie on another node than the caller's CPU"

    def per_pe(self):
        """{PE: {kind: seconds}} with "compute" for the rest, and "waited"."""
        rows = {pe: dict.fromkeys([*KINDS, "waited"], 0.0) for pe in self.profiles}
        for place in self.sites:
            for pe, (_, _, seconds, waited) in place.by_pe.items():
                rows[pe][place.kind] += seconds
                rows[pe]["waited"] += waited
        for pe, row in rows.items():
            row["compute"] = max(0.0, self.profiles[pe].wall - sum(row[kind] for kind in KINDS))
        return rows

    def summary(self):
        """One sentence: where most time can be won."""
        best = (0.0, "")
        for place in self.sites:
            for (pe, last), waited in place.waited_for.items():
                share = waited / self.profiles[pe].wall if self.profiles[pe].wall else 0.0
                if pe != last and share > best[0]:
                    best = (share, f"of PE {pe}'s time is waiting for PE {last} in {place.name}")
            for pe, (_, _, seconds, _) in place.by_pe.items():
                share = seconds / self.profiles[pe].wall if self.profiles[pe].wall else 0.0
                if place.kind in (*WAITING, *TRANSFERS) and share > best[0]:
                    doing = "waiting in" if place.kind in WAITING else "spent in"
                    best = (share, f"of PE {pe}'s time is {doing} {place.name}")
        if best[0] < 0.01:
            return "Less than 1 % of any PE's time is spent in one call site of the library."
        return f"{min(best[0], 1.0) * 100:.0f} % {best[1]}."


def bound(reference, members, which):
    """(clock difference, its error) of two hosts' PEs at the begin or the end, or None."""
    count = min([len(p.rounds[which]) for p in reference + members] or [0])
    low, high = -float("inf"), float("inf")
    for i in range(count):
        def ends(profiles, index):
            return [p.at(p.rounds[which][i][index]) for p in profiles]
        low = max(low, max(ends(members, 0)) - min(ends(reference, 1)))
        high = min(high, min(ends(members, 1)) - max(ends(reference, 0)))
    return ((low + high) / 2, abs(high - low) / 2) if count else None


def spans(numbers):
    """0-3,7"""
    out, numbers = [], sorted(numbers)
    for number in numbers:
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    words = [str(a) if a == b else f"{a}-{b}" for a, b in out]
    return ",".join(words[:8]) + ("…" if len(words) > 8 else "")


def title(job):
    return f"{os.path.basename(job.program) or '?'} on {job.npes} PE{'s' if job.npes != 1 else ''}"
