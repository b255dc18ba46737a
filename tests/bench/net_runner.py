# SPDX-License-Identifier: BSD-3-Clause
#
# The runner across hosts, for one round of one program: as root its results are complete and judged, as
# anybody else it says why not; the comparison of two settings too. And how figures are judged there, on
# figures made up. Arguments: the folder bench/, the build tree, a folder to work in.

import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
SKIPPED = 77


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def result(what, pes, size, library, median, unit="ns"):
    return {"what": what, "pes": pes, "bytes": size, "library": library, "unit": unit, "median": median}


def check_judgement():
    import net_targets
    import targets

    mib = 1 << 20
    report = {"libraries": ["Sheaf", "Sheaf flat", "A"], "peers": ["A"], "results": [
        result("get", 2, mib, "Sheaf", 400e3), result("get", 2, mib, "A", 620e3), result("TCP stream", 2, mib, "limit", 210e3),
        result("overlap of get, target asleep", 2, 4096, "Sheaf", 81, "%"),
        result("overlap of get, target asleep", 2, 4096, "A", 12, "%"),
        result("barrier_all", 8, 0, "Sheaf", 90.0), result("barrier_all", 8, 0, "Sheaf flat", 80.0),
        result("barrier_all", 8, 0, "A", 500.0)]}
    rows = {row["label"]: row for row in targets.judge(report, net_targets.every_target(), net_targets.WHY)}
    get = rows["get 1 MiB"]
    check(get["peer_met"] is True and get["limit_met"] is True, "1.55 times ahead, and less than twice the stream's time")
    overlap = rows["overlap of get 4 KiB, target asleep"]
    check(overlap["limit_met"] is True and overlap["ahead"] is None and overlap["peer_value"] == 12, "more overlap is better")
    check(rows["barrier, 2 hosts × 4, against flat"]["peer_met"] is False, "levels are compared with flat alone")


def main():
    bench, build, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
    sys.path[:0] = [str(bench), str(bench / "net")]
    check_judgement()
    environment = dict(os.environ, QUICK="1", ROUNDS="1", ONLY="^barrier 2x1$")
    run = subprocess.run([bench / "net/run", build, output], capture_output=True, text=True, env=environment)
    if "not measured" in run.stderr:
        print(run.stderr.strip())
        return SKIPPED
    check(run.returncode == 0, f"status {run.returncode}\n{run.stdout}{run.stderr}")
    report = json.loads((output / "results.json").read_text())
    mine = {r["what"]: r for r in report["results"] if r["library"] == "Sheaf"}
    check(set(mine) == {"barrier_all", "sync_all"}, f"measured {sorted(mine)}")
    check([row["label"] for row in report["targets"]] == ["barrier, 2 hosts × 1"], "judged what was measured")
    check("targets met" in (output / "table.txt").read_text() and (output / "index.html").exists(), "table and page")
    check_comparison(bench, build, output)
    print("ok")
    return 0


def check_comparison(bench, build, output):
    """One round of two sides; what rounds say is bench/comparison's."""
    environment = dict(os.environ, VARIANTS="turns=100,SHEAF_LEVELS=flat", ROUNDS="1", ONLY="^barrier 2x1$")
    run = subprocess.run([bench / "net/compare", build, output], capture_output=True, text=True, env=environment)
    check(run.returncode == 0, f"status {run.returncode}\n{run.stdout}{run.stderr}")
    report = json.loads((output / "compare.json").read_text())
    check(report["sides"] == ["as it is", environment["VARIANTS"]], f"sides {report['sides']}")
    check({row["what"] for row in report["rows"]} == {"barrier_all", "sync_all"}, f"rows {report['rows']}")
    check(all(set(row["values"]) == set(report["sides"]) for row in report["rows"]), "both sides of every row")
    check("geometric mean" in run.stdout and "too few rounds" in run.stdout, run.stdout)


if __name__ == "__main__":
    sys.exit(main())
