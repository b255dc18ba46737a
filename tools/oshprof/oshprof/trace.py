# SPDX-License-Identifier: BSD-3-Clause
"""All PEs' events as one file in Chrome's trace format: a process per PE, a thread per thread, and an arrow from each put
with a signal to the wait that ended by it."""
import bisect
import json
import math
import struct

from .read import KINDS

BEGIN, END, COUNT = 100, 101, 102


def write(job, put):
    """Hands the text to put(); returns how many events there are, and how many the rings have lost."""
    lines, puts, waits, dropped = [], [], [], 0
    for pe, profile in sorted(job.profiles.items()):
        lines.append({"ph": "M", "name": "process_name", "pid": pe, "args": {"name": f"PE {pe} ({profile.host})"}})
        lines.append({"ph": "M", "name": "process_sort_index", "pid": pe, "args": {"sort_index": pe}})
        for thread, (lost, events) in sorted(profile.traces.items()):
            dropped += lost
            for event in events:
                add(job, profile, thread, event, lines, puts, waits)
            if lost:
                first = micro(job, pe, events[0][0]) if events else 0.0
                lines.append({"ph": "i", "s": "t", "name": f"{lost} earlier events were dropped", "pid": pe,
                              "tid": thread, "ts": first})
    count = sum(1 for line in lines if line["ph"] in "XBEC")
    lines += arrows(puts, waits)
    head = {"displayTimeUnit": "ns", "otherData": {
        "program": job.arguments, "clock error (us)": job.clock_error * 1e6, "dropped": dropped}}
    body = ",\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    put(json.dumps(head)[:-1] + ', "traceEvents": [\n' + body + "\n]}\n")
    return count, dropped


def micro(job, pe, tick):
    return round((job.time(pe, tick) - job.zero) * 1e6, 4)


def add(job, profile, thread, event, lines, puts, waits):
    begin, end, size, signal, site, target, kind, sequence = event
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
    if signal and place.kind in ("put", "atomic") and target >= 0:
        puts.append((target, signal, ts, duration, profile.pe, thread))
    elif signal and place.kind == "wait":
        waits.append((profile.pe, signal, ts, duration, thread))


def arrows(puts, waits):
    """A wait ended by the last put of its signal that had begun before the wait's end; each put ends one wait."""
    by_signal, out = {}, []
    for target, signal, ts, duration, pe, thread in sorted(puts, key=lambda row: row[2]):
        by_signal.setdefault((target, signal), []).append((ts, duration, pe, thread))
    used = set()
    for number, (pe, signal, ts, duration, thread) in enumerate(sorted(waits, key=lambda row: row[2])):
        sent = by_signal.get((pe, signal), [])
        at = bisect.bisect_right(sent, (ts + duration, float("inf"))) - 1
        if at < 0 or (pe, signal, at) in used:
            continue
        used.add((pe, signal, at))
        begin, length, source, source_thread = sent[at]
        flow = {"name": "signal", "cat": "signal", "id": number}
        out.append({**flow, "ph": "s", "pid": source, "tid": source_thread, "ts": begin + length / 2})
        out.append({**flow, "ph": "f", "bp": "e", "pid": pe, "tid": thread,
                    "ts": max(ts + duration, begin + length / 2)})
    return out
