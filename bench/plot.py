# SPDX-License-Identifier: BSD-3-Clause
#
# Line charts and bar charts as inline SVG, both axes logarithmic but for per cents. Knows nothing of what
# is drawn.

import html
import math

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 14, 42
MOST_SIZES = 30  # values of x that are marked themselves, as sizes are; of more, as of times, round ones


class Series:
    """A line: its name, its class in the style sheet, and points (x, y, low, high)."""

    def __init__(self, name, style, points):
        self.name, self.style, self.points = name, style, sorted(points)


def escape(text):
    return html.escape(str(text))


def axis(low, high):
    """Ends of an axis that holds both, at 1, 2 or 5 times a power of ten, and its marks: powers of ten, or
    these steps where two powers or fewer fit."""
    first = math.floor(math.log10(low))
    steps = [digit * 10.0 ** power for power in range(first, math.ceil(math.log10(high)) + 1) for digit in (1, 2, 5)]
    start = max(step for step in steps if step <= low * (1 + 1e-9))
    end = min(step for step in steps if step >= high * (1 - 1e-9) and step > start)
    inside = [step for step in steps if start <= step <= end]
    tens = [step for step in inside if round(math.log10(step), 6).is_integer()]
    return start, end, tens if len(tens) > 2 else inside


def place(value, low, high, start, end):
    share = (math.log(value) - math.log(low)) / (math.log(high) - math.log(low)) if high > low else 0.5
    return start + share * (end - start)


def apart(marks, at_x, least=46):
    """Those values of the x axis whose labels do not touch; the last one is always among them."""
    kept = [marks[-1]]
    for mark in reversed(marks[:-1]):
        if at_x(kept[-1]) - at_x(mark) >= least:
            kept.append(mark)
    return kept


def bare(text):
    """A tick's label: no digits that say nothing."""
    number, _, unit = text.partition(" ")
    return f"{float(number):g} {unit}".strip()


def lines(series, x_text, y_text, x_title, y_title, percent=False, steps=()):
    """A chart of lines; each series marked at its points, with the figures shown on hover. percent: the y axis
    goes evenly from 0 to 100. steps: places on the x axis with a name, (x, name)."""
    series = [s for s in series if s.points]
    if not series:
        return ""
    xs = sorted({point[0] for s in series for point in s.points})
    values = [y for s in series for point in s.points for y in point[1:4] if y > 0]
    left, right, x_marks = axis(xs[0], xs[-1]) if len(xs) > MOST_SIZES else (xs[0], xs[-1], xs)
    low, high, y_marks = (0, 100, range(0, 101, 20)) if percent else axis(min(values), max(values))

    def at_x(x):
        return place(x, left, right, LEFT + 8, WIDTH - RIGHT - 8)

    def at_y(y):
        if percent:
            return HEIGHT - BOTTOM + y / 100 * (TOP - HEIGHT + BOTTOM)
        return place(y, low, high, HEIGHT - BOTTOM, TOP)

    out = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(y_title)} against {escape(x_title)}">']
    for mark in y_marks:
        y = at_y(mark)
        out.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
                   f'<text class="tick" x="{LEFT - 7}" y="{y + 3.5:.1f}" text-anchor="end">{escape(bare(y_text(mark)))}</text>')
    for mark in apart(x_marks, at_x):
        out.append(f'<text class="tick" x="{at_x(mark):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">'
                   f'{escape(bare(x_text(mark)))}</text>')
    for x, name in steps:
        if xs[0] <= x <= xs[-1]:
            out.append(f'<line class="grid" x1="{at_x(x):.1f}" x2="{at_x(x):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
                       f'<text class="tick" x="{at_x(x) + 3:.1f}" y="{TOP + 10}">{escape(name)}</text>')
    out.append(f'<text class="axis" x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 6}" text-anchor="middle">'
               f'{escape(x_title)}</text>')
    for s in series:
        path = " ".join(f"{at_x(p[0]):.1f},{at_y(p[1]):.1f}" for p in s.points)
        out.append(f'<g class="{s.style}"><polyline points="{path}"/>')
        for x, y, least, most in s.points:
            out.append(f'<line class="range" x1="{at_x(x):.1f}" x2="{at_x(x):.1f}" y1="{at_y(least):.1f}" '
                       f'y2="{at_y(most):.1f}"/>'
                       f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="3"><title>{escape(s.name)}, '
                       f'{escape(x_text(x))}: {escape(y_text(y))}</title></circle>')
        out.append("</g>")
    out.append("</svg>")
    return "".join(out)


def bars(groups, y_text, label=150):
    """Groups of horizontal bars: (label, [(name, class, value)]); label: the room for labels."""
    values = [value for _, rows in groups for _, _, value in rows]
    if not values:
        return ""
    low, high, marks = axis(min(values), max(values))
    width, thick, gap = 960, 11, 11
    height = 26 + sum(thick * len(rows) + gap for _, rows in groups)

    def at_x(value):
        return place(value, low, high, label, width - 66)

    out = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="times of short operations">']
    for mark in marks:
        x = at_x(mark)
        out.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height - 20}"/>'
                   f'<text class="tick" x="{x:.1f}" y="{height - 6}" text-anchor="middle">{escape(bare(y_text(mark)))}</text>')
    y = 4
    for text, rows in groups:
        out.append(f'<text class="name" x="{label - 10}" y="{y + thick * len(rows) / 2 + 4:.1f}" text-anchor="end">'
                   f'{escape(text)}</text>')
        for name, style, value in rows:
            x = at_x(value)
            out.append(f'<rect class="{style}" x="{label}" y="{y}" width="{max(x - label, 2):.1f}" height="{thick - 1.5}" rx="2">'
                       f'<title>{escape(name)}, {escape(text)}: {escape(y_text(value))}</title></rect>'
                       f'<text class="value" x="{max(x, label) + 5:.1f}" y="{y + 8.5}">{escape(y_text(value))}</text>')
            y += thick
        y += gap
    out.append("</svg>")
    return "".join(out)


SHEET = """text { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.title { font-size: 14px; font-weight: 600; fill: #1c1c1a; } .key { font-size: 12.5px; fill: #1c1c1a; }
.grid { stroke: #e3e2dd; stroke-width: 1; } .tick, .axis { font-size: 11px; fill: #6b6a66; }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; } .range { stroke-width: 1; opacity: .5; }
g.limit polyline { stroke-dasharray: 5 4; }"""


def alone(panels, names, columns=2):
    """A picture that stands alone: panels (title, chart of lines) in columns, below a key of names (name, colour,
    class)."""
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    width, cell, top = columns * (WIDTH + 20), HEIGHT + 30, 34 + 18 * ((len(names) - 1) // 4)
    height = top + rows * cell
    sheet = SHEET + "".join(f"\ng.{style} {{ stroke: {colour}; }} g.{style} circle {{ fill: {colour}; }}"
                            for _, colour, style in names)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
           f'<style>{sheet}</style>\n<rect width="{width}" height="{height}" fill="#fcfcfb"/>']
    step = width / min(len(names), 4)
    for i, (name, colour, style) in enumerate(names):
        x, y = 14 + step * (i % 4), 20 + 18 * (i // 4)
        dash = ' stroke-dasharray="5 4"' if style == "limit" else ""
        out.append(f'<line x1="{x:.0f}" x2="{x + 20:.0f}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="3"{dash}/>'
                   f'<text class="key" x="{x + 27:.0f}" y="{y}">{escape(name)}</text>')
    for i, (title, chart) in enumerate(panels):
        x, y = 10 + i % columns * (WIDTH + 20), top + i // columns * cell
        inner = chart.replace("<svg ", f'<svg x="{x}" y="{y + 22}" width="{WIDTH}" height="{HEIGHT}" ', 1)
        out.append(f'<text class="title" x="{x + 8}" y="{y + 14}">{escape(title)}</text>\n{inner}')
    return "\n".join(out) + "\n</svg>\n"
