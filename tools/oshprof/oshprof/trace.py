# SPDX-License-Identifier: BSD-3-Clause
"""All PEs' events as one file in Chrome's trace format: a process per PE, a thread per thread, and an arrow from each store
of a signal, or of a single word, to the wait that ended by it."""
import bisect
import json
import math
import struct
from collections import namedtuple

from .read import KINDS

BEGIN, END, COUNT = 100, 101, 102
# A store of a word that PE target may wait for, or a wait for one; times in seconds.
Signal = namedtuple("Signal", "pe thread target word begin seconds place")


def signals(job):
    """(stores, waits) that the traces hold, in order of time."""
    stores, waits = [], []
    for pe, profile in job.profiles.items():
        for thread, (_, events) in profile.traces.items():
            for begin, end, _, word, site, target, kind, _ in events:
                place = job.place_of.get((pe, thread, site)) if word and kind < len(KINDS) else None
                if place and place.kind in ("wait", "put", "atomic"):
                    at = job.time(pe, begin) - job.zero
                    length = max(0.0, job.time(pe, end) - job.zero - at)
                    (waits if place.kind == "wait" else stores).append(
                        Signal(pe, thread, target, word, at, length, place))
    return sorted(stores, key=lambda one: one.begin), sorted(waits, key=lambda one: one.begin)


def pairs(stores, waits):
    """A wait ended by the last store of its word that had begun before the wait's end; each ends one wait."""
    by_word, used = {(wait.pe, wait.word): [] for wait in waits}, set()
    for store in stores:
        if (store.target, store.word) in by_word:
            by_word[store.target, store.word].append(store)
    begins = {word: [store.begin for store in made] for word, made in by_word.items()}
    for wait in waits:
        word = (wait.pe, wait.word)
        at = bisect.bisect_right(begins[word], wait.begin + wait.seconds) - 1
        if at >= 0 and (word, at) not in used:
            used.add((word, at))
            yield by_word[word][at], wait


def write(job, put):
    """Hands the text to put(); returns how many events there are, and how many the rings have lost."""
    lines, dropped = [], 0
    for pe, profile in sorted(job.profiles.items()):
        lines.append({"ph": "M", "name": "process_name", "pid": pe, "args": {"name": f"PE {pe} ({profile.host})"}})
        lines.append({"ph": "M", "name": "process_sort_index", "pid": pe, "args": {"sort_index": pe}})
        for thread, (lost, events) in sorted(profile.traces.items()):
            dropped += lost
            for event in events:
                add(job, profile, thread, event, lines)
            if lost:
                first = micro(job, pe, events[0][0]) if events else 0.0
                lines.append({"ph": "i", "s": "t", "name": f"{lost} earlier events were dropped", "pid": pe,
                              "tid": thread, "ts": first})
    count = sum(1 for line in lines if line["ph"] in "XBEC")
    lines += arrows(job)
    head = {"displayTimeUnit": "ns", "otherData": {
        "program": job.arguments, "clock error (us)": job.clock_error * 1e6, "dropped": dropped}}
    body = ",\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    put(json.dumps(head)[:-1] + ', "traceEvents": [\n' + body + "\n]}\n")
    return count, dropped


def micro(job, pe, tick):
    return round((job.time(pe, tick) - job.zero) * 1e6, 4)


def add(job, profile, thread, event, lines):
    begin, end, size, _, site, target, kind, sequence = event
    ts = micro(job, profile.pe, begin)
    base = {"pid": profile.pe, "tid": thread, "ts": ts}
    if kind in (BEGIN, END, COUNT):
        name = profile.names[site][0] if site < len(profile.names) else "?"
        value = struct.unpack("<d", struct.pack("<Q", size))[0]
        if kind == COUNT and not math.isfinite(value):
            return
        lines.append({**base, "ph": "C", "name": name, "args": {"value": value}} if kind == COUNT
                     else {**base, "ph": "B" if kind == BEGIN else "E", "name": name})
        return
    place = job.place_of.get((profile.pe, thread, site))
    if not place or kind >= len(KINDS):
        return
    duration = round(max(0.0, micro(job, profile.pe, end) - ts), 4)
    arguments = {"at": place.where}
    if target >= 0:
        arguments["PE"] = target
    if size:
        arguments["bytes"] = size
    if place.kind == "collective":
        arguments["number"] = sequence
    lines.append({**base, "ph": "X", "dur": duration, "name": place.routine, "cat": place.kind, "args": arguments})


def arrows(job):
    out = []
    for number, (store, wait) in enumerate(pairs(*signals(job))):
        flow = {"name": "signal", "cat": "signal", "id": number}
        # Both ends within their calls: at a call's end Perfetto has closed it.
        begin, end = store.begin * 1e6, (wait.begin + wait.seconds) * 1e6 - min(.002, wait.seconds * .5e6)
        out.append({**flow, "ph": "s", "pid": store.pe, "tid": store.thread, "ts": round(begin, 4)})
        out.append({**flow, "ph": "f", "bp": "e", "pid": wait.pe, "tid": wait.thread, "ts": round(max(begin, end), 4)})
    return out
