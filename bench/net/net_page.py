# SPDX-License-Identifier: BSD-3-Clause
#
# The page of what was measured across hosts: which pictures, and in which order.

import page
import plot
from targets import short, time_text

TITLE = "Sheaf across hosts"
TILES = (("put 8 B + quiet", "put 8 B + quiet"), ("get 8 B", "get 8 B"), ("fetch-add", "fetch-add"),
         ("get 1 MiB", "get 1 MiB"), ("barrier, 2 hosts × 2", "barrier, 2 hosts × 2"))
SHORT = (("put + quiet", "direct UCX put + flush"), ("get", "direct UCX get"), ("fetch-add", "raw UCX fetch-add"),
         ("swap", "raw UCX swap"), ("cswap", "raw UCX cswap"), ("add + quiet", None), ("ping-pong", "raw UCX put, seen"),
         ("put + fence + flag", "raw UCX put, seen"),
         ("put + fence + flag", "raw UCX put, seen"),
         ("put with signal", "raw UCX put, seen"), ("get, target computes", None), ("put + quiet, target computes", None),
         ("fetch-add, target computes", None))


def rate(result, value):
    return result["bytes"] / value


def rate_text(value):
    return f"{value:g} GB/s" if value >= 10 else f"{value:.3g} GB/s"


def percent_text(value):
    return f"{value:.0f} %"


class Pictures(page.Pictures):
    def transfer(self, what, limit, title=None):
        series = self.series(what, "bytes", lambda result: result["pes"] == 2, limit, limit)
        return self.card(f"{title or what}: time", series, short, time_text, "bytes", "time")

    def bandwidth(self, what, limit=None):
        series = self.series(what, "bytes", lambda result: result["pes"] == 2, limit, limit, rate)
        stream = self.points("limit", "TCP stream", "bytes", lambda result: True, rate)
        series.append(plot.Series("TCP stream", "limit", stream))
        return self.card(f"{what}: bandwidth", series, short, rate_text, "bytes", "bandwidth")

    def collective(self, what, pes, title):
        series = self.series(what, "bytes", lambda result: result["pes"] == pes)
        return self.card(title, series, short, time_text, "bytes per PE", "time")

    def overlap(self, what):
        series = [plot.Series(name, self.style[name], self.points(name, what, "bytes", lambda result: True))
                  for name in self.report["libraries"]]
        return self.card(what, series, short, percent_text, "bytes", "overlap", percent=True)

    def start(self, what, hosts, y_text, y=lambda result, value: value):
        limit = f"launcher alone, {hosts} hosts" if what == "launch to end" else None
        series = self.series(f"{what}, {hosts} hosts", "pes", lambda result: True, limit, "launcher alone", y)
        return self.card(f"{what}, {hosts} hosts", series, str, y_text, "PEs", what)

    def short_operations(self):
        median = {(r["what"], r["library"]): r["median"] for r in self.report["results"]
                  if r["pes"] == 2 and r["bytes"] == 8}
        groups = []
        for what, limit in SHORT:
            rows = [(name, self.style[name], median[what, name]) for name in self.report["libraries"]
                    if (what, name) in median]
            if rows and (limit, "limit") in median:
                rows.append((f"limit: {limit}", "limit", median[limit, "limit"]))
            if rows:
                groups.append((what, rows))
        return plot.bars(groups, time_text, label=220)


def mebibytes(result, value):
    return value / 1024


def mebibytes_text(value):
    return f"{value:.3g} MiB"


def html(report):
    pictures = Pictures(report)
    parts = [page.tiles(report, TILES)]
    operations = pictures.short_operations()
    if operations:
        parts.append("<h2>Operations of 8 bytes, 2 hosts</h2><p>Time of one operation, logarithmic. Grey is UCX called "
                     f"directly.</p>{pictures.legend('limit')}<div class=\"chart\">{operations}</div>")
    parts.append(page.section("Put and get, 2 hosts", "Against the size of a transfer; the line at each point spans all rounds.",
                              pictures.legend("limit"),
                              [pictures.transfer("put + quiet", "direct UCX put + flush"),
                               pictures.transfer("get", "direct UCX get"), pictures.bandwidth("put, streamed"),
                               pictures.bandwidth("get, streamed")]))
    parts.append(page.section("Overlap", "How much of a nonblocking transfer computation hides.", pictures.legend(),
                              [pictures.overlap(f"overlap of {what}{target}") for target in ("", ", target asleep")
                               for what in ("put", "get")]))
    for pes in (2, 4):
        parts.append(page.section(f"Collectives, 2 hosts × {pes // 2}", "Each with a barrier after it.", pictures.legend(),
                                  [pictures.collective(what, pes, f"{what} + barrier")
                                   for what in ("sum", "broadcast", "fcollect")]))
    for hosts in (2, 4):
        parts.append(page.section(f"Collectives, {hosts} hosts × 4", "Two levels against flat algorithms; each with a barrier "
                                  "after it.", pictures.legend(None, True),
                                  [pictures.collective(what, 4 * hosts, f"{what} + barrier")
                                   for what in ("broadcast", "sum", "fcollect")]))
    parts.append(page.section("Starting", "The whole launch, and the memory of a PE.", pictures.legend("launcher alone"),
                              [picture for hosts in (2, 4) for picture in (
                                  pictures.start("launch to end", hosts, time_text), pictures.start("init", hosts, time_text),
                                  pictures.start("resident after init", hosts, mebibytes_text, mebibytes),
                                  pictures.start("own memory, all PEs put to", hosts, mebibytes_text, mebibytes))]))
    parts.append(page.targets_section(report, "Ahead is the best other's median over Sheaf's. Limits are measured in the same "
                                      "rounds, between the same hosts."))
    return page.document(TITLE, report, parts)
