# SPDX-License-Identifier: BSD-3-Clause
"""The profile as text, as numbers, and what has changed between two."""
import math

from .job import TRANSFERS, spans, title
from .read import KINDS, reason

TOP = 25


def seconds(value):
    for limit, factor, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "us"), (1, 1e3, "ms")):
        if value < limit:
            return f"{value * factor:.3g} {unit}" if value else "0"
    return f"{value:.3f} s" if value < 1000 else f"{value:.0f} s"


def size(value):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024 or unit == "GiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    return ""


def columns(head, rows):
    """A table whose first column is text; the others are numbers, to the right."""
    rows = [head, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    return "".join("  ".join(cell.ljust(widths[i]) if i == 0 else cell.rjust(widths[i])
                             for i, cell in enumerate(row)).rstrip() + "\n" for row in rows)


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def text(job):
    total = sum(p.wall for p in job.profiles.values())
    out = [f"{title(job)}: {job.arguments}\n{job.summary()}\n"]
    out += [f"note: {note}\n" for note in job.notes]
    rows = job.per_pe()
    shown = sorted(rows) if len(rows) <= 32 else sorted(sorted(rows, key=lambda pe: -rows[pe]["waited"])[:16])
    out.append(f"\nPEs{'' if len(shown) == len(rows) else ', those that waited most'}\n")
    out.append(columns(["PE", "time", "computing", "waiting", "collectives", "transfers", "heap at most"], [
        [pe, seconds(job.profiles[pe].wall), percent(rows[pe]["compute"], job.profiles[pe].wall),
         percent(rows[pe]["waited"], job.profiles[pe].wall), percent(rows[pe]["collective"], job.profiles[pe].wall),
         percent(sum(rows[pe][kind] for kind in TRANSFERS), job.profiles[pe].wall), size(job.profiles[pe].heap_peak)]
        for pe in shown]))
    out.append("\nCall sites, all PEs together\n")
    out.append(columns(["call", "calls", "time", "within", "share", "waiting", "longest", "bytes near", "far"], [
        [place.name, place.calls, ("~" if place.is_sampled else "") + seconds(place.seconds),
         f"± {seconds(place.error)}" if place.is_sampled else "", percent(place.seconds, total), seconds(place.waited), seconds(place.longest),
         size(place.near if place.kind in TRANSFERS else place.bytes), size(place.far)] for place in job.sites[:TOP]]))
    if any(place.is_sampled for place in job.sites):
        out.append("~: every call is counted, some are timed; ±: two standard deviations of the sum over all calls\n")
    out += imbalance(job) + culprits(job) + channels(job) + heap(job) + events(job) + counters(job)
    return "".join(out)


def imbalance(job):
    late = [place for place in job.sites if place.last]
    if not late:
        return []
    rows = []
    for place in sorted(late, key=lambda place: -sum(record[1] for record in place.last.values()))[:TOP]:
        pe = max(place.last, key=lambda pe: place.last[pe][1])
        waited = sum(record[1] for record in place.last.values())
        rows.append([place.name, place.instances, seconds(waited), f"PE {pe}", place.last[pe][0],
                     seconds(place.last[pe][1] / max(1, place.last[pe][0]) / max(1, job.npes - 1))])
    error = f" (clocks of the hosts agree within {seconds(job.clock_error)})" if job.clock_error else ""
    return [f"\nWho came last to collectives{error}\n",
            columns(["call", "times", "others waited", "mostly for", "times last", "each waits"], rows)]


def waited_for(job):
    """[(place, PE that waited, PE waited for, seconds)] of waits that a trace explains, the longest first."""
    rows = [(place, pe, other, waited) for place in job.sites if place.kind == "wait"
            for (pe, other), waited in place.waited_for.items()]
    return sorted(rows, key=lambda row: (-row[3], row[1], row[2]))


def culprits(job):
    rows = [[place.name, f"PE {pe}", f"PE {other}", seconds(waited)] for place, pe, other, waited in waited_for(job)]
    return ["\nWaits and the PE whose store ended them, as far as the trace goes back\n",
            columns(["call", "waits", "for", "time"], rows[:TOP])] if rows else []


CHANNEL_NAMES = {"near": "near: the shared image", "far": "far: the engine", "session": "of these in sessions"}


def messages(job):
    """Rows of text, where there is a network."""
    rows = [[kind, sent, size(sent_bytes), arrived, size(arrived_bytes)]
            for kind, (sent, sent_bytes, arrived, arrived_bytes) in job.messages().items()]
    return ["\nThe engine's messages\n", columns(["kind", "sent", "bytes", "arrived", "bytes"], rows), "\n"] if rows else []


def channels(job):
    rows = [[CHANNEL_NAMES[name], calls, size(moved), seconds(took), f"{size(moved / took)}/s" if took else "-"]
            for name, (calls, moved, took) in job.channels().items()]
    copies = [f"{size(length)} at {size(rate)}/s" for length, rate in roof(job)]
    return ["\nChannels of put, get and atomic operations\n",
            columns(["channel", "calls", "bytes", "time in calls", "while in calls"], rows),
            *messages(job),
            f"memory nodes: {job.nodes()}\n",
            *([f"a copy on this machine: {', '.join(copies)}\n"] if copies else [])]


def roof(job):
    """[(bytes, bytes a second)] of copies, the fastest of the hosts'."""
    best = {}
    for profile in job.profiles.values():
        for length, ps in profile.copies:
            if ps:
                best[length] = max(best.get(length, 0.0), length / ps * 1e12)
    return sorted(best.items())


def heap(job):
    places = [place for place in job.sites if place.at_peak]
    if not places:
        return []
    most = max(p.heap_peak for p in job.profiles.values())
    return [f"\nSymmetric heap: at most {size(most)} per PE\n",
            columns(["allocated", "at the most, per PE", "still there"], [
                [place.name, size(place.at_peak / len(job.profiles)), size(place.live / len(job.profiles))]
                for place in sorted(places, key=lambda place: -place.at_peak)[:TOP]])]


def user_events(job):
    """{name: [is counter, count, seconds, least, most, sum]} of all PEs; no figure (NaN) is None."""
    sums = {}
    for profile in job.profiles.values():
        for name, count, ticks, _, least, most, total, is_counter, _, _ in profile.names:
            row = sums.setdefault(name, [bool(is_counter), 0, 0.0, least, most, 0.0])
            row[1] += count
            row[2] += profile.seconds(ticks)
            row[3], row[4] = min(row[3], least), max(row[4], most)
            row[5] += total
    return {name: [value if math.isfinite(value) else None for value in row] for name, row in sums.items()}


def figure(value, count=1):
    return "no number" if value is None else f"{value / count:g}"


def events(job):
    sums = user_events(job)
    rows = [[name, row[1], "" if row[0] else seconds(row[2]), *(
                [figure(row[3]), figure(row[5], max(1, row[1])), figure(row[4])] if row[0] else ["", "", ""])]
            for name, row in sorted(sums.items())]
    return ["\nEvents and counters of the program\n",
            columns(["name", "times", "time", "least", "mean", "most"], rows)] if rows else []


def counter_sums(job):
    """[(name, sum or None, reason why not)]"""
    out = []
    for i, (name, _, _) in enumerate(next(iter(job.profiles.values())).counters):
        rows = [p.counters[i] for p in job.profiles.values()]
        errors = [row[2] for row in rows if row[2]]
        if name:
            out.append((name, None if errors else sum(row[1] for row in rows),
                        reason(errors[0]) if errors else ""))
    return out


def counters(job):
    return ["\nKernel and processor, all PEs together\n",
            *(f"{name}: {f'{value:,}' if value is not None else f'not here ({why})'}\n"
              for name, value, why in counter_sums(job))]


def numbers(job):
    """What --json prints."""
    size_of = job.matrix(1)
    return {
        "program": job.program, "arguments": job.arguments, "pes": job.npes, "seconds": job.wall,
        "summary": job.summary(), "notes": job.notes, "clock_error": job.clock_error,
        "per_pe": {pe: {"host": job.profiles[pe].host, "seconds": job.profiles[pe].wall,
                        "heap_peak": job.profiles[pe].heap_peak, **row} for pe, row in job.per_pe().items()},
        "sites": [{
            "routine": place.routine, "kind": place.kind, "function": place.function, "place": place.where,
            "calls": place.calls, "bytes": place.bytes, "seconds": place.seconds, "error": place.error,
            "waited": place.waited, "longest": place.longest, **{name: dict(zip(("calls", "bytes", "seconds"), row)) for name, row in place.channels.items()},
            "node_bytes": {"local": place.node_bytes[0], "remote": place.node_bytes[1]}, "is_sampled": place.is_sampled,
            "by_pe": {pe: dict(zip(("calls", "bytes", "seconds", "waited"), row))
                      for pe, row in sorted(place.by_pe.items())},
            "last": {pe: {"times": row[0], "others_waited": row[1]} for pe, row in sorted(place.last.items())},
            "heap": {"at_peak": place.at_peak, "live": place.live, "allocated": place.total},
        } for place in job.sites],
        "matrix": [{"from": pair[0], "to": pair[1], "calls": calls, "bytes": size_of.get(pair, 0)}
                   for pair, calls in sorted(job.matrix(0).items())],
        "channels": {name: dict(zip(("calls", "bytes", "seconds"), row)) for name, row in job.channels().items()},
        "messages": {kind: dict(zip(("sent", "sent_bytes", "arrived", "arrived_bytes"), row))
                     for kind, row in job.messages().items()},
        "memory_nodes": job.nodes(),
        "copies": [{"bytes": length, "bytes_a_second": rate} for length, rate in roof(job)],
        "waited_for": [{"place": place.name, "pe": pe, "for": other, "seconds": waited}
                       for place, pe, other, waited in waited_for(job)],
        "events": {name: {"is_counter": row[0], "times": row[1], "seconds": row[2], "least": row[3],
                          "most": row[4], "sum": row[5]} for name, row in sorted(user_events(job).items())},
        "counters": {name: {"value": value, "absent": why or None} for name, value, why in counter_sums(job)},
    }


def difference(before, after):
    out = [f"{title(before)}: {seconds(before.wall)} before, {seconds(after.wall)} after",
           f" ({percent(after.wall - before.wall, before.wall)})\n" if before.wall else "\n",
           f"before: {before.summary()}\nafter:  {after.summary()}\n\n"]
    old = {(place.routine, place.where): place for place in before.sites}
    new = {(place.routine, place.where): place for place in after.sites}
    rows = []
    for key in old.keys() | new.keys():
        a, b = old.get(key), new.get(key)
        rows.append([f"{key[0]} at {key[1]}", a.calls if a else 0, b.calls if b else 0,
                     a.seconds if a else 0.0, b.seconds if b else 0.0])
    rows.sort(key=lambda row: (-abs(row[4] - row[3]), row[0]))
    out.append(columns(["call", "calls before", "after", "time before", "after", "more"], [
        [row[0], row[1], row[2], seconds(row[3]), seconds(row[4]),
         ("+" if row[4] >= row[3] else "-") + seconds(abs(row[4] - row[3]))] for row in rows[:40]]))
    return "".join(out)
