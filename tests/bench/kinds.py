# SPDX-License-Identifier: BSD-3-Clause
#
# Figures of several kinds of processors: what a kind's targets came to stays when another one is measured, and goes when the
# kind itself is measured again; the first figures of a kind come with advice. On figures made up. Argument: the folder bench/.

import json
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import kinds
import targets

XEON = {"processor": "Intel Xeon", "family": 6, "model": 143, "cpus": 2}
EPYC = {"processor": "AMD EPYC", "family": 25, "model": 17, "cpus": 2}
NAMELESS = {"processor": "AMD EPYC", "cpus": 2}  # before family and model were noted


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def row(label, value, ahead, met):
    return {"label": label, "value": value, "unit": "ns", "ahead": ahead, "peer_met": met, "limit_met": None}


def report(machine, met=True):
    return {"date": "2026-01-01 00:00 UTC", "machine": machine, "targets": [row("barrier_all", 123.456, 2.5, met)]}


def main():
    check(kinds.same(EPYC, NAMELESS) and not kinds.same(EPYC, XEON), "which kinds are the same")
    old = report(XEON, met=False)
    after = kinds.replaced({"net": {"x": {}}}, "bench", old, old["targets"], report(EPYC))
    check(after["net"] == {"x": {}} and list(after["bench"]) == ["Intel Xeon, family 6, model 143"], f"the Xeon's stay: {after}")
    record = after["bench"]["Intel Xeon, family 6, model 143"]
    check(kinds.cell(record, row("barrier_all", 1, 1, True), targets.value_text) == "123 ns, 2.5 ×, missed", "a cell of its column")
    check(kinds.cell(record, row("sync_all", 1, 1, True), targets.value_text) == "", "a row that the kind has not")
    again = kinds.replaced(after, "bench", report(EPYC), report(EPYC)["targets"], report(XEON))
    check(list(again["bench"]) == ["AMD EPYC, family 25, model 17"], f"the Xeon is measured again: {again}")
    check(kinds.replaced({}, "bench", report(NAMELESS), [], report(EPYC)) == {"bench": {}}, "the same kind is replaced")
    with tempfile.TemporaryDirectory() as folder:
        kinds.FILE = pathlib.Path(folder) / "kinds.json"
        (pathlib.Path(folder) / "bench.json").write_text(json.dumps(report(EPYC)))
        check(kinds.advice("bench", report(NAMELESS)) == "", "no advice on a kind that is kept")
        said = kinds.advice("bench", report(XEON, met=False))
        check("Missed here: barrier_all." in said and "oshtune" in said, f"advice on a new kind: {said}")
        kinds.replace("bench", report(EPYC), report(EPYC)["targets"], report(XEON))
        (pathlib.Path(folder) / "bench.json").write_text(json.dumps(report(XEON)))
        check(kinds.advice("bench", report(EPYC)) == "", "no advice on a kind that has a column")
        check("family 25" in kinds.text("bench", report(XEON)) and "No figures of another" in kinds.text("net", report(XEON)), "the head's sentence")


main()
