# SPDX-License-Identifier: BSD-3-Clause
#
# What a problem takes of the machine at least: bytes that have to come from memory and go there, were no cache larger than
# a block, and operations on real numbers, a logarithm or a root being one. Beside the rates at which the machine copies
# and a BLAS multiplies, which the same study measures.

import math

from targets import time_text

COPY, PRODUCT = "copy from memory", "matmul: by rows"
TITLE = "Against the machine"
TEXT = ("What each problem moves and computes, and how long that alone takes: bytes at the rate at which as many processes copy memory "
        "(moved were nothing found in a cache: where a cache holds the problem, more than 100 % is reached), operations at that "
        "of a BLAS on as many cores. The share is the longer one of the two over the time taken: a problem far from both waits for "
        "something else, which its page in apps says.")
HEADS = ("", "Sheaf", "moves", "at the copy rate", "computes", "at the BLAS's rate", "share")


def heat(o):
    cells = int(o["--size"]) ** 2 * int(o["--iterations"])
    return (24 if o.get("--method") == "jacobi" else 48) * cells, 7 * cells


def fit(o):
    return 16 * int(o["--points"]), 7 * int(o["--points"])


def product(o):
    n = int(o["--size"])
    return 24 * n * n, 2 * n ** 3


def fft(o):
    n, many = int(o["--size"]), int(o.get("--many", 1))
    return (64 if many == 1 else 32) * n * many, 5 * n * many * math.log2(n)


def mg(o):
    side, rounds = {"S": (32, 4), "W": (128, 4), "A": (256, 4), "B": (256, 20)}[o["--class"]]
    return 110 * side ** 3 * rounds, 58 * side ** 3 * rounds  # bytes: 96 on the finest grid, 1/8 as much on each next


def sort(o):
    return 12 * 10 * {"S": 1 << 16, "W": 1 << 20, "A": 1 << 23, "B": 1 << 25}[o["--class"]], 0


def gradients(o):
    order, row, rounds = {"S": (1400, 7, 15), "W": (7000, 8, 15), "A": (14000, 11, 15), "B": (75000, 13, 75)}[o["--class"]]
    return 12 * order * (row + 1) ** 2 * 26 * rounds, 2 * rounds * order * (6 + row * (row + 1) + 25 * (5 + row * (row + 1)))


def pairs(o):
    return 0, 14 * (1 << {"S": 24, "W": 25, "A": 28, "B": 30}[o["--class"]])


WORK = {"heat": heat, "fit": fit, "matmul": product, "cannon": product, "fft": fft, "mg": mg, "is": sort, "nas-cg": gradients,
        "ep": pairs}


def work_of(row, quick):
    """(bytes, operations) of a row, or None."""
    words = row.quick if quick else row.full
    return WORK[row.app](dict(zip(words[::2], words[1::2]))) if row.is_app and row.app in WORK else None


def rates(found):
    """{PEs: (bytes, operations) a nanosecond}"""
    limits = {(r["what"], r["pes"]): r for r in found["results"] if r["library"] == "limit"}
    copies = {pes: pes * r["bytes"] / r["median"] for (what, pes), r in limits.items() if what == COPY}
    products = {}
    for (what, pes), r in limits.items():
        if what.startswith(PRODUCT) and what in found["work"]:
            products[pes] = max(products.get(pes, 0), found["work"][what][1] / r["median"])
    return {pes: (copies[pes], products[pes]) for pes in copies if pes in products}


def quantity(value, unit):
    """Empty where it is nothing."""
    scale, prefix = (1e9, "G") if value >= 1e9 else (1e6, "M")
    return f"{value / scale:.3g} {prefix}{unit}" if value else ""


def lines(found):
    """Rows of the table, without its head; none where the machine's rates were not measured."""
    work, known = found.get("work", {}), rates(found) if found.get("work") else {}
    for result in found["results"]:
        what, pes, took = result["what"], result["pes"], result["median"]
        if result["library"] != "Sheaf" or what not in work or pes not in known:
            continue
        times = [amount / rate for amount, rate in zip(work[what], known[pes])]
        shown = [cell for amount, time, unit in zip(work[what], times, ("B", "op"))
                 for cell in (quantity(amount, unit), time_text(time) if amount else "")]
        yield (f"{what}, {pes} PE{'s' if pes > 1 else ''}", time_text(took), *shown, f"{100 * max(times) / took:.0f} %")


def document(found):
    rows = [HEADS, ("---",) * len(HEADS), *lines(found)]
    return f"## {TITLE}\n\n{TEXT}\n\n" + "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n\n" if len(rows) > 2 else ""


def html(found):
    rows = list(lines(found))
    cells = "".join("<tr>" + "".join(f'<td{" class=n" if at else ""}>{cell}</td>' for at, cell in enumerate(row)) + "</tr>" for row in rows)
    head = "".join(f'<th{" class=n" if at else ""}>{head}</th>' for at, head in enumerate(HEADS))
    return f'<h2>{TITLE}</h2><p>{TEXT}</p><div class="scroll"><table><tr>{head}</tr>{cells}</table></div>' if rows else ""
