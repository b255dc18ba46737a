# SPDX-License-Identifier: BSD-3-Clause
#
# Whether paired measurements differ: the median of their differences, and its exact interval by the sign test, which
# lies between two of the differences themselves. It takes no shape of the noise for granted, and from twelve rounds on
# one wild round moves neither end. Numbers in, numbers out.

import math
import statistics

ERROR = 0.01  # of the intervals: at most one row in a hundred that did not change is called changed


def cut(count):
    """How many of the differences lie at or beyond each end of the interval; 0: too few have one."""
    beyond, taken = 0, 0
    while taken < count:
        beyond += math.comb(count, taken)
        if 2 * beyond > ERROR * 2 ** count:
            break
        taken += 1
    return taken


def least_count():
    """Fewer differences than these have no interval."""
    return next(count for count in range(1, 64) if cut(count))


def interval(values):
    """(median, low, high); low and high are infinite where there are too few values."""
    inner, taken = sorted(values), cut(len(values))
    if not taken:
        return statistics.median(values), -math.inf, math.inf
    return statistics.median(values), inner[taken - 1], inner[-taken]
