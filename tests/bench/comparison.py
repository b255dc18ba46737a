# SPDX-License-Identifier: BSD-3-Clause
#
# How bench/net/compare tells noise from change, on figures made up: the same numbers, noise, a real
# tenth, one wild round; and what it makes of its options. Nothing is measured. Arguments: the folder
# bench/, the folder tests/hosts.

import math
import random
import sys

sys.dont_write_bytecode = True


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def row(base, other, what="get", unit="ns"):
    made = comparison.Row("2 × 1", what, 8, unit)
    made.base, made.other = dict(enumerate(base)), dict(enumerate(other))
    return made


def verdict(base, other, **options):
    return comparison.judged(list(row(base, other, **options).gains().values()))[3]


def noisy(seed, factor=1.0, rounds=12, noise=0.02):
    source = random.Random(seed)
    return [1000 * factor * math.exp(source.gauss(0, noise)) for _ in range(rounds)]


def check_intervals():
    # Tables of the sign test: at most so many of the other sign, and one, at 1 % for both ends together.
    check([intervals.cut(n) for n in (7, 8, 11, 12, 15, 20, 25)] == [0, 1, 1, 2, 3, 4, 6], "critical values")
    check(intervals.least_count() == 8, "eight rounds at least")
    check(intervals.interval([8.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]) == (4.5, 1.0, 8.0), "eight: from end to end")
    estimate, low, high = intervals.interval([3.0])
    check(estimate == 3 and math.isinf(low) and math.isinf(high), "one value has no interval")


def check_verdicts():
    check(verdict([1000.0] * 12, [1000.0] * 12) == 0, "the same numbers are unchanged")
    check(verdict(noisy(1), noisy(2, 1.1)) == -1, "a tenth slower is worse")
    check(verdict(noisy(1), noisy(2, 1 / 1.1)) == 1, "a tenth faster is better")
    check(verdict(noisy(1, rounds=5), noisy(2, 2.0, 5)) == 0, "five rounds say nothing")
    wild = noisy(2, 1.1)
    wild[3] = 1.0
    check(verdict(noisy(1), wild) == -1, "one wild round hides no change")
    called = sum(verdict(noisy(2 * n, noise=0.3), noisy(2 * n + 1, noise=0.3)) != 0 for n in range(1000))
    check(called <= 20, f"noise is called a change in {called} of 1000 rows")
    found = sum(verdict(noisy(2 * n), noisy(2 * n + 1, 1.1)) == -1 for n in range(1000))
    check(found >= 990, f"a real tenth is found in {found} of 1000 rows")
    lost = row([1000.0, 1000.0], [1000.0])
    check(len(lost.gains()) == 1, "a round that lacks a side does not count")


def check_directions():
    twenty, eighty = [20.0 + n % 2 for n in range(12)], [80.0 + n % 2 for n in range(12)]
    check(verdict(twenty, eighty, what="overlap of put", unit="%") == 1, "more overlap is better")
    check(verdict([0.0] * 12, twenty, what="overlap of put", unit="%") == 1, "from nothing too")
    check(verdict(twenty, eighty, what="threads of a PE left alone", unit="%") == -1, "more load is not")
    check(verdict(twenty, eighty, what="histogram, times faster", unit="x") == 1, "more times faster is better")


def check_table():
    rows = [row(noisy(1), noisy(2, 1.1)), row(noisy(3), noisy(4, 1.1), what="put"), row([5.0] * 12, [5.0] * 12, "overlap", "%")]
    mean = comparison.judged(comparison.geometric_mean(rows))
    check(abs(math.exp(-mean[0]) - 1.1) < 0.02 and mean[3] == -1, "the mean over rows of time alone")
    text = comparison.table(rows, "old", "new")
    check(text.count("worse\n") == 3 and "+0 points" in text and "geometric mean" in text, text)
    check("ROUNDS=8" in comparison.table([row([1.0], [2.0])], "old", "new"), "too few rounds are told")
    check("of 0 rounds" in comparison.table([], "old", "new"), "nothing measured")


def check_options():
    asked = sides.Options({"VARIANTS": "spins=10, turns=20;SHEAF_LEVELS=flat,nap_part=2", "ROUNDS": "9", "ONLY": "^get"})
    check(asked.rounds == 9 and asked.only.search("get 2x1") and not asked.only.search("put 2x1"), "rounds and jobs")
    check(asked.variants[0] == ("spins=10, turns=20", {"SHEAF_PACE": "spins=10,turns=20"}), "constants of the pace")
    check(asked.variants[1][1] == {"SHEAF_LEVELS": "flat", "SHEAF_PACE": "nap_part=2"}, "and variables")
    long = sides.Options({"VARIANTS": "spins=1;" + ",".join(f"name{n}=1" for n in range(40))})
    check([name for name, _ in sides.named(long.variants)] == ["spins=1", "variant 2"], "a long one has a number")
    check(sides.Options({"BASE": "HEAD"}).rounds == 12, "twelve rounds")
    wrong = {"nothing to compare with": {}, "both": {"BASE": "HEAD", "VARIANTS": "spins=1"},
             "no rounds": {"BASE": "HEAD", "ROUNDS": "0"}, "rounds in words": {"BASE": "HEAD", "ROUNDS": "many"},
             "time": {"BASE": "HEAD", "MINUTES": "-1"}, "no regular expression": {"BASE": "HEAD", "ONLY": "("},
             "sizes": {"BASE": "HEAD", "SIZES": "8 KiB"}, "no value": {"VARIANTS": "spins"}, "empty": {"VARIANTS": "spins=1;"},
             "twice": {"VARIANTS": "spins=1,spins=2"}, "the same": {"VARIANTS": "spins=1;spins=1"},
             "somebody's variable": {"VARIANTS": "LD_PRELOAD=x"}}
    for what, environment in wrong.items():
        try:
            sides.Options(environment)
        except sides.Mistake as reason:
            check("\n" not in str(reason), f"{what}: one line")
        else:
            check(False, f"accepted: {what}")


if __name__ == "__main__":
    bench, hosts = sys.argv[1:3]
    sys.path[:0] = [bench, bench + "/net", hosts]
    import comparison
    import intervals
    import sides

    check_intervals()
    check_verdicts()
    check_directions()
    check_table()
    check_options()
    print("ok")
