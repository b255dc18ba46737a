# SPDX-License-Identifier: BSD-3-Clause
#
# The page of what was measured on one node: which pictures, and in which order.

import page
import plot
from targets import short, time_text

TILES = (("p, heap", "p"), ("put 8 B + quiet", "put 8 B + quiet"), ("barrier_all", "barrier, 2 PEs"),
         ("launch + init + finalize", "launch to end"))


class Pictures(page.Pictures):
    def latency(self, what):
        pick = lambda result: result["pes"] == 2 and result["bytes"] <= 32768
        series = self.series(what, "bytes", pick, "memcpy", "memcpy")
        series[-1].points = [point for point in series[-1].points if point[0] <= 32768]
        return self.card(f"{what}: time", series, short, time_text, "bytes", "time")

    def bandwidth(self, what):
        rate = lambda result, value: result["bytes"] / value
        pick = lambda result: result["pes"] == 2
        gigabytes = lambda value: f"{value:g} GB/s" if value >= 10 else f"{value:.3g} GB/s"
        return self.card(f"{what}: bandwidth", self.series(what, "bytes", pick, "memcpy", "memcpy", rate), short, gigabytes,
                         "bytes", "bandwidth")

    def collective(self, what):
        return self.card(f"{what} + barrier, 2 PEs", self.series(what, "bytes", lambda result: result["pes"] == 2), short,
                         time_text, "bytes per PE", "time")

    def against_pes(self, what, size, title):
        series = self.series(what, "pes", lambda result: result["bytes"] == size)
        cpus = self.report["machine"]["cpus"]
        switch = next((r for r in self.report["results"] if r["what"] == "context switch"), None)
        crowded = sorted({point[0] for s in series for point in s.points if point[0] > cpus})
        if switch:
            series.append(plot.Series("a context switch per PE and core", "limit",
                                      [(pes, *(switch[k] * pes / cpus for k in ("median", "min", "max"))) for pes in crowded]))
        return self.card(title, series, str, time_text, "PEs", "time")

    def short_operations(self):
        wanted = (("p", 8, "store behind a call"), ("g", 8, "load behind a call"),
                  ("p static", 8, "store behind a call"), ("g static", 8, "load behind a call"),
                  ("put + quiet", 8, "store + locked add behind calls"), ("put static + quiet", 8, "store + locked add behind calls"),
                  ("fetch-add", 8, "fetch-add"), ("swap", 8, "swap"), ("cswap", 8, "cswap"), ("iput", 512, "strided loop"),
                  ("iget", 512, "strided loop"), ("ping-pong", 8, "cache-line ping-pong"),
                  ("put with signal", 8, "cache-line ping-pong"), ("barrier_all", 0, "two flags"))
        median = {(r["what"], r["bytes"], r["library"]): r["median"] for r in self.report["results"]
                  if r["pes"] == 2 or r["library"] == "limit"}
        groups = []
        for what, size, limit in wanted:
            rows = [(name, self.style.get(name, "peer-3"), median[(what, size, name)])
                    for name in self.report["libraries"] if (what, size, name) in median]
            if rows and (limit, size, "limit") in median:
                rows.append((f"limit: {limit}", "limit", median[(limit, size, "limit")]))
            if rows:
                groups.append((what + (", 64 × 8 B" if size == 512 else ""), rows))
        return plot.bars(groups, time_text)


def html(report):
    pictures = Pictures(report)
    parts = [page.tiles(report, TILES)]
    operations = pictures.short_operations()
    if operations:
        parts.append("<h2>Short operations, 2 PEs</h2><p>Time of one operation, logarithmic. Grey is the same done "
                     f"without any library.</p>{pictures.legend('limit', True)}<div class=\"chart\">{operations}</div>")
    parts.append(page.section("Put and get, 2 PEs", "Against the size of a transfer; the line at each point spans all rounds.",
                              pictures.legend("memcpy"), [pictures.latency("put"), pictures.latency("get"),
                                                          pictures.bandwidth("put"), pictures.bandwidth("get")]))
    parts.append(page.section("Collectives against size", "Each with a barrier after it.", pictures.legend(),
                              [pictures.collective(what) for what in ("sum", "broadcast", "fcollect", "collect", "alltoall", "scan")]))
    cpus = report["machine"]["cpus"]
    parts.append(page.section("Collectives against PEs", f"On {cpus} CPUs: beyond {cpus} PEs they share them. The dashed line is one "
                              "context switch per PE and core.", pictures.legend("a context switch per PE and core"),
                              [pictures.against_pes("barrier_all", 0, "barrier_all"),
                               pictures.against_pes("sum", 8, "sum of 8 bytes + barrier"),
                               pictures.against_pes("broadcast", 8, "broadcast of 8 bytes + barrier"),
                               pictures.against_pes("fcollect", 8, "fcollect of 8 bytes + barrier")]))
    parts.append(page.targets_section(report, "Ahead is the best other library's median over Sheaf's. A limit is measured in "
                                      "the same rounds without any library."))
    return page.document("Sheaf on one node", report, parts)
