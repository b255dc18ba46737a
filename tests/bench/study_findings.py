# SPDX-License-Identifier: BSD-3-Clause
#
# The study's parts and findings without a run: every row has a program, rows are told apart, and what a paper found stands
# beside what a report has, of those figures alone that it has. Argument: the folder bench/.

import pathlib
import sys

sys.dont_write_bytecode = True
BENCH = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(BENCH / "study"), str(BENCH / "diposh"), str(BENCH / "net"), str(BENCH), str(BENCH.parent / "tests/hosts")]
import findings
import growth
import parts
import study_report
import ways


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def check_rows():
    rows = [row for part in parts.PARTS for row in part.rows]
    keys = [row.key for row in rows]
    check(len(keys) == len(set(keys)), f"told apart: {sorted(keys)}")
    names = [part.name for part in parts.PARTS]
    check(set(findings.FINDINGS) <= set(names) and len(names) == len(set(names)), f"findings are of parts: {names}")
    mpi = ways.Mpi("Open MPI", "mpicc", "openmpi")
    every = [ways.Shmem(pathlib.Path("build")), mpi, ways.TwoSided(mpi), ways.Bare()]
    for row in rows:
        check(any(row.takes(way) for way in every), f"{row.key}: no program")
        # Sizes reach a benchmark by the environment: a limit's first argument is how many processes it starts.
        check(row.is_app or row.full == row.quick == [], f"{row.key}: arguments {row.full}, {row.quick}")


def report():
    """Whose barrier is in a paper's reach, and one collective of two algorithms, at two sizes, of which one is too small."""
    def result(what, size, library, median, unit="ns"):
        return {"what": what, "pes": 2, "bytes": size, "library": library, "unit": unit, "median": median, "min": median,
                "max": median, "values": [median]}

    rows = ["broadcast", "broadcast, push", "broadcast, pull"]
    found = [result(what, size, "Sheaf", value) for size in (8, 4096)
             for what, value in zip(rows, (size, 3 * size, 2 * size))]
    found += [result("broadcast", size, "OpenMP", 5 * size) for size in (8, 4096)]
    found += [result("overlap of put", 1 << 20, "Sheaf", 0, "%"), result("overlap of put, SHEAF_COPIER=1", 1 << 20, "Sheaf", 60, "%")]
    told = [{"name": "collectives", "title": "Collectives", "text": "", "paper": None, "rows": rows},
            {"name": "overlap", "title": "Overlap", "text": "", "paper": None,
             "rows": ["overlap of put", "overlap of put, SHEAF_COPIER=1"]}]
    return {"results": found, "parts": told, "libraries": ["Sheaf", "OpenMP"], "peers": ["OpenMP"], "failures": [], "rounds": 1,
            "quick": True, "seconds": 1, "date": "", "machine": {"processor": "any", "cpus": 2, "system": "any", "kernel": "any",
                                                                   "load": 0.0}}


def check_sentences(found):
    said = findings.sentences(found, found["parts"][0])
    check(said == ["Broadcast: pull ahead of push: there ahead; here 1.50 ×."], said)
    said = findings.sentences(found, found["parts"][1])
    check(len(said) == 1 and "caller: 0 %" in said[0] and "polling: 60 %" in said[0], said)


def check_page(found):
    found["targets"] = study_report.judged(found)
    judged = [row["what"] for row in found["targets"] if row["peer_met"] is not None]
    check(judged == ["broadcast", "broadcast"], f"judged {judged}")
    table = study_report.part_table(found, found["parts"][1])
    check("60 %" in table and " 0 %" in table, table)
    drawn = study_report.html(found)
    check("broadcast, 2 PEs: Sheaf&#x27;s ways" in drawn and "here 1.50 ×" in drawn, "a chart of the algorithms")


def check_growth():
    """Its tables have every library's figure, what the whole takes is not judged, and each library has its own launcher."""
    told = {"name": "growth", "title": "Growth", "text": "", "paper": None, "rows": [what for row in growth.PART.rows for what in row.shown]}
    values = {"hidden beside put, over TCP": (60, "%"), "total of put, computation of 50 %, over TCP": (130, "%"),
              "put, the target computes, over TCP": (2e6, "ns")}
    found = {**report(), "parts": [told], "results": [
        {"what": what, "pes": 2, "bytes": 1 << 20, "library": "Sheaf", "unit": unit, "median": value, "min": value, "max": value,
         "values": [value]} for what, (value, unit) in values.items()]}
    judged = [row["what"] for row in study_report.judged(found)]
    check(judged == ["hidden beside put, over TCP", "put, the target computes, over TCP"], f"judged {judged}")
    table = growth.tables(found, told)
    check(all(cell in table for cell in ("| 60 % |", "| 130 % |", "| 2.00 ms |")), table)
    row = next(row for row in growth.PART.rows if row.is_far)
    for launcher, is_open in (("openmpi", True), ("hydra", False)):
        line = " ".join(map(str, row.command(ways.Mpi("MPI", "mpicc", launcher), ["/program"], 2, 2, {"BENCH_SIZES": "8"})))
        check(f"--launcher {launcher} " in line and ("OMPI_MCA_osc=^ucx" in line) == is_open and "BENCH_GROWTH=share" in line, line)


check_rows()
check_growth()
check_sentences(report())
check_page(report())
print("ok")
