# SPDX-License-Identifier: BSD-3-Clause
#
# What two sides measured in the same rounds, row by row: the ratio with its interval, and whether the row changed;
# the geometric mean over all rows of time; the table. Knows no library and no host.

import math
import statistics

import intervals
from page import columns
from targets import short, value_text

WORDS = {1: "better", -1: "worse", 0: ""}


def more_is_better(what):
    return what.startswith("overlap") or what.endswith("times faster")


class Row:
    """One figure of one job. Rounds that lack a side do not count."""

    def __init__(self, layout, what, size, unit):
        self.layout, self.what, self.size, self.unit = layout, what, size, unit
        self.base, self.other = {}, {}  # round -> value

    @property
    def label(self):
        return ", ".join(filter(None, (self.what, short(self.size) if self.size else "", self.layout)))

    @property
    def shared(self):
        """Shares in per cent may be 0: they are told by their difference."""
        return self.unit == "%"

    def gains(self):
        """{round: by how much the other side is better}: the ratio's logarithm, or points of per cent."""
        sign, both = (1 if more_is_better(self.what) else -1), sorted(self.base.keys() & self.other.keys())
        if self.shared:
            return {r: sign * (self.other[r] - self.base[r]) for r in both}
        return {r: sign * math.log(self.other[r] / self.base[r]) for r in both if self.base[r] > 0 and self.other[r] > 0}


def judged(gains):
    """(estimate, low, high, 1 better, -1 worse, 0 not known to have changed)."""
    estimate, low, high = intervals.interval(gains)
    return estimate, low, high, (low > 0) - (high < 0)


def geometric_mean(rows):
    """The gains of all rows of time, averaged in each round that all of them have; None without such a round."""
    gains = [row.gains() for row in rows if row.unit == "ns"]
    rounds = set.intersection(*map(set, gains)) if gains else set()
    return [sum(gain[r] for gain in gains) / len(gains) for r in sorted(rounds)] or None


def told(estimate, low, high, shared):
    """The columns of the ratio and of its interval."""
    if shared:
        return f"{estimate:+.0f} points", f"{low:+.0f} to {high:+.0f}" if math.isfinite(low) else "too few rounds"
    estimate, low, high = (math.exp(value) if math.isfinite(value) else value for value in (estimate, low, high))
    return f"{estimate:.3f}", f"{low:.3f} to {high:.3f}" if math.isfinite(low) else "too few rounds"


def line_of(row):
    gains = list(row.gains().values())
    estimate, low, high, verdict = judged(gains)
    values = [value_text(statistics.median(side.values()), row.unit) for side in (row.base, row.other)]
    return [row.label, *values, *told(estimate, low, high, row.shared), WORDS[verdict]]


def table(rows, base, other):
    """Text: a line per row, and the mean."""
    rows = [row for row in rows if row.gains()]
    lines = [["", base, other, "ratio", f"{100 * (1 - intervals.ERROR):g} % interval", ""], *map(line_of, rows)]
    mean = geometric_mean(rows)
    if mean:
        lines.append(["geometric mean of all times", "", "", *told(*judged(mean)[:3], False), WORDS[judged(mean)[3]]])
    return columns(lines) + "\n" + note(rows)


def note(rows):
    most, least = max((len(row.gains()) for row in rows), default=0), intervals.least_count()
    said = (f"\nratio: of {most} rounds, above 1 is better (times: base / other); better and worse: the interval says so,\n"
            f"by chance alone in {100 * intervals.ERROR:g} of 100 rows.\n")
    return said + (f"An interval takes {least} rounds: ROUNDS={least} or more, MINUTES=n for more time.\n" if most < least else "")
