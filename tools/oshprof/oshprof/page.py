# SPDX-License-Identifier: BSD-3-Clause
"""One page for a browser that holds all it needs: page.html with its style, its script and the numbers."""
import base64
import html as escape
import json
import pkgutil
import re
from datetime import datetime, timezone

from .job import TRANSFERS, WAITING, title
from .read import KINDS as KIND_NAMES
from .report import CHANNEL_NAMES, counter_sums, roof, user_events, waited_for

MOST_SITES = 60
MOST_WAITS = 20
MOST_CELLS = 200000 # bins of all timelines together
# What a timeline tells apart.
CLASSES = ["waiting", "collectives", "transfers", "other calls"]
CLASS_OF = {**dict.fromkeys(WAITING, 0), "test": 0, "collective": 1, **dict.fromkeys(TRANSFERS, 2)}


def timeline(job):
    """{"seconds", "bins", "data"}: of each PE and bin a byte for each class, its share of 255."""
    bins = max(32, min(256, MOST_CELLS // max(1, len(job.profiles))))
    whole = max(job.wall, 1e-9)
    rows = bytearray()
    for pe in sorted(job.profiles):
        sums = [[0.0] * bins for _ in CLASSES]
        profile = job.profiles[pe]
        width, data = profile.timelines.get(0, (1, []))
        step = profile.seconds(width)
        late = job.time(pe, profile.begin) - job.zero
        for i, row in enumerate(data):
            spread(sums, row, (i * step + late) / whole * bins, step / whole * bins, profile)
        for i in range(bins):
            for line in sums:
                rows.append(max(0, min(255, round(line[i] / (whole / bins) * 255))))
    return {"seconds": whole, "bins": bins, "classes": CLASSES, "data": base64.b64encode(bytes(rows)).decode()}


def spread(sums, row, begin, length, profile):
    """One bin of the file over those of the page."""
    bins = len(sums[0])
    for kind, ticks in enumerate(row):
        if not ticks:
            continue
        line = sums[CLASS_OF.get(KIND_NAMES[kind], 3)]
        seconds = profile.seconds(ticks)
        at, end = begin, begin + length
        while at < end and at < bins:
            edge = min(int(at) + 1, end)
            line[int(at)] += seconds * (edge - at) / length
            at = edge


def matrix(job):
    calls, size = job.matrix(0), job.matrix(1)
    return [[pe, to, calls[pe, to], size.get((pe, to), 0)] for pe, to in sorted(calls)]


def site(job, place):
    return {
        "call": place.routine, "kind": place.kind, "where": place.where, "function": place.function,
        "calls": place.calls, "bytes": place.bytes, "seconds": place.seconds, "error": place.error, "waited": place.waited,
        "longest": place.longest, "near": place.near, "far": place.far, "sampled": place.is_sampled,
        "channels": [place.channels["near"], place.channels["far"]], "remote": place.remote,
        "pes": [[pe, row[0], row[2], row[3]] for pe, row in sorted(place.by_pe.items())],
        "last": [[pe, row[0], row[1]] for pe, row in sorted(place.last.items())], "times": place.instances,
        "peak": place.at_peak / len(job.profiles), "live": place.live / len(job.profiles),
    }


def heap(job):
    """The PE that held most, over time."""
    pe = max(job.profiles, key=lambda pe: (job.profiles[pe].heap_peak, -pe))
    profile = job.profiles[pe]
    points = [[max(0.0, job.time(pe, tick) - job.zero), most] for tick, most in profile.heap]
    return {"pe": pe, "points": points, "peak": profile.heap_peak}


def numbers(job):
    rows = job.per_pe()
    return {
        "title": title(job), "arguments": job.arguments, "summary": job.summary(), "notes": job.notes,
        "seconds": job.wall, "npes": job.npes,
        "pes": [{"pe": pe, "host": job.profiles[pe].host, "node": job.profiles[pe].node,
                 "seconds": job.profiles[pe].wall, "heap": job.profiles[pe].heap_peak,
                 **{key: rows[pe][key] for key in rows[pe]}} for pe in sorted(rows)],
        "sites": [site(job, place) for place in job.sites[:MOST_SITES]],
        "left_out": max(0, len(job.sites) - MOST_SITES),
        "matrix": matrix(job), "timeline": timeline(job), "heap": heap(job),
        "events": [[name, *row] for name, row in sorted(user_events(job).items())],
        "counters": counter_sums(job), "roof": roof(job), "nodes": job.nodes(),
        "channels": [[CHANNEL_NAMES[name], *row] for name, row in job.channels().items()],
        "messages": [[kind, *row] for kind, row in job.messages().items()],
        "ended": [[place.name, pe, other, waited] for place, pe, other, waited in waited_for(job)[:MOST_WAITS]],
        "when": datetime.fromtimestamp(min(p.realtime for p in job.profiles.values()) / 1e9,
                                       timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }


def html(job):
    def part(name):
        return pkgutil.get_data("oshprof", name).decode()
    # "<" would let a name end the script.
    data = json.dumps(numbers(job), separators=(",", ":")).replace("<", "\\u003c")
    marks = {"TITLE": escape.escape(title(job)), "STYLE": part("page.css"), "SCRIPT": part("page.js"), "DATA": data}
    return re.sub("@(TITLE|STYLE|SCRIPT|DATA)@", lambda found: marks[found[1]], part("page.html"))
