# SPDX-License-Identifier: BSD-3-Clause
#
# Whether two ways that took turns in rounds differ: by the sign test on the rounds, each of which met both in the same
# state of the machine. It takes no shape of the noise for granted. Numbers in, numbers out.

import math

CHANCE = 0.1  # two ways that are alike are told apart by chance in one row of ten at most, from five rounds on


def chance(count, fewer):
    """That of so many rounds at most so few go one way, and all others the other, if the ways are alike."""
    return min(1.0, 2 * sum(math.comb(count, each) for each in range(fewer + 1)) / 2 ** count)


def is_equal(ours, theirs):
    """Neither is ahead in nearly all rounds. Rounds that cannot be paired tell nothing: then they are not equal."""
    if len(ours) != len(theirs) or not ours:
        return False
    fewer = min(sum(one < other for one, other in zip(ours, theirs)), sum(one > other for one, other in zip(ours, theirs)))
    return fewer > 0 and chance(len(ours), fewer) > CHANCE
