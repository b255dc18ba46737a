# SPDX-License-Identifier: BSD-3-Clause
#
# The study's parts and findings without a run: every row has a program, rows are told apart, and what a paper found stands
# beside what a report has, of those figures alone that it has. Argument: the folder bench/.

import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
BENCH = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(BENCH / "study"), str(BENCH / "diposh"), str(BENCH / "net"), str(BENCH), str(BENCH.parent / "tests/hosts")]
import findings
import growth
import parts
import plot
import study_report
import ways


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def write_program(folder, name, text):
    path = pathlib.Path(folder, "bin", name)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def check_refused(find, folder, variable, what):
    """That the folder has none, by an error that names the variable which gave it."""
    try:
        find(folder)
    except SystemExit as reason:
        check(variable in str(reason), str(reason))
    else:
        check(False, what)


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


def check_rows_have_counts():
    """Every row says on how many PEs it runs."""
    for row in (row for part in parts.PARTS for row in part.rows):
        counts = row.counts([1, 2], 4)
        check(all(isinstance(count, int) for count in counts), f"{row.key}: {counts}")


def check_other_mpi():
    """An MPI in a folder of its own: its launcher, on one host and between two, where Open MPI 5 has prterun."""
    row = next(row for row in growth.PART.rows if row.is_far)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/bin")
        for said, name, launcher in (("mpirun (Open MPI) 5.0.11", "Open MPI 5.0.11", "prte"), ("HYDRA:\n  Version: 5.0.2", "MPICH 5.0.2", "hydra")):
            for program in ("mpicc", "mpiexec"):
                write_program(folder, program, f"cat <<'END'\n{said}\nEND")
            mpi = ways.mpi_of(folder)
            check((mpi.name, mpi.launcher) == (name, launcher), f"{mpi.name}, {mpi.launcher}")
            for way in (mpi, ways.TwoSided(mpi)):
                line = list(map(str, row.command(way, ["/program"], 2, 2, {})))
                here = str(way.command(["/program"], 2, 2)[0])
                check(line[1].startswith(f"PATH={mpi.prefix}/bin:") and launcher in line and here.startswith(f"{mpi.prefix}/bin/"), f"{here}, {line}")
    check_refused(ways.mpi_of, folder, "BENCH_MPI", "a folder without an MPI")


def check_other_shmem():
    """An OpenSHMEM in a folder of its own: its name by its header, its launcher, and that TCP within a host is not asked of it."""
    wire = next(row for part in parts.PARTS for row in part.rows if row.label == "through TCP")
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/bin")
        for vendor, name in (('"Some OpenSHMEM"', "Some OpenSHMEM"), ('"Some"', "Some OpenSHMEM"), ("SHMEM_VENDOR_STRING", None)):
            for program, said in (("oshcc", f"cat >/dev/null\necho 'named {vendor}'"), ("oshrun", "exit 1")):
                write_program(folder, program, said)
            way = ways.shmem_of(folder)
            check(way.name == (name or f"{pathlib.Path(folder).name} OpenSHMEM"), way.name)
            check(findings.open_shmem(way.name) and not findings.mpi(way.name), way.name)
        line = list(map(str, way.command(["/program"], 2, 2)))
        check(f"{pathlib.Path(folder).resolve()}/bin/oshrun" in line and line[-1] == "/program", f"{line}")
        check(not wire.takes(way) and not wire.takes(ways.Bare()) and wire.takes(ways.Shmem(pathlib.Path("build"))), wire.key)
        os.unlink(f"{folder}/bin/oshrun")
        check_refused(ways.shmem_of, folder, "BENCH_SHMEM", "a folder without an oshrun")


def check_times():
    """Each version of an application names its processes in its own word."""
    heat = next(row for part in parts.PARTS for row in part.rows if row.key.startswith("heat: jacobi"))
    for word in ("PEs", "ranks", "threads", "images"):
        told = f"heat: jacobi, 288 x 288, stopped after 500 iterations on 2 {word}: 0.5 s, 337 Mop/s\nheat: verified"
        check(heat.read(told) == [(heat.key, 0, 5e8)], word)


def check_exchanges():
    """A program that tells what its exchanges take has two figures, and one on a single PE, which exchanges nothing."""
    row = next(row for part in parts.PARTS for row in part.rows if row.key == "mg: class A")
    told = "mg: class A, 1 x 1 x 1 blocks on 1 PEs: 0.5 s, 1 Mop/s\nmg: verified"
    check(row.read(told) == [("mg: class A", 0, 5e8)], row.read(told))
    told = told.replace("on 1 PEs", "on 2 PEs").replace("mg: verified", "mg: at least 0.25 s of it in exchanges\nmg: verified")
    check(row.read(told) == [("mg: class A", 0, 5e8), ("mg: class A: exchanges", 0, 2.5e8)], row.read(told))
    check(row.shown == ["mg: class A", "mg: class A: exchanges"], row.shown)


def scaled(library="Sheaf"):
    """An application on 1, 2 and 4 PEs, of a machine with two CPUs."""
    times = {1: 8.0, 2: 4.0, 4: 5.0}
    return {**report(), "parts": [{"name": "nas", "title": "NAS", "text": "", "paper": None, "rows": ["ep: class A"]}],
            "results": [{"what": "ep: class A", "pes": pes, "bytes": 0, "library": library, "unit": "ns", "median": value, "min": value,
                         "max": value, "values": [value]} for pes, value in times.items()]}


def check_scaling():
    """The time of one PE over the others'; more PEs than CPUs are marked, and no finding counts them."""
    found = scaled()
    found["targets"] = study_report.judged(found)
    table = study_report.part_table(found, found["parts"][0])
    check("1 PE's time over it" in table, table)
    check("| ep: class A, 2 PEs | 4.00 ns |  | 2.00 × |" in table, table)
    check("| ep: class A, 4 PEs, crowded | 5.00 ns |  | 1.60 × |" in table, table)
    check(study_report.scaled_rows({**found, "work": {"ep: class A": (0, 1)}}) == ["ep: class A"], "a curve")
    said = findings.Scaling("it scales", None, "ep: .*").sentence(findings.Medians(found))
    check(said == "it scales: here 2.00 ×, on 2 PEs.", said)


def check_counts():
    """Applications run on 1, 2, 4 and 8 PEs, benchmarks up to the CPUs and where they are crowded."""
    app, bench = parts.Row("ep", "x", "", "", 1), parts.Bench("barrier", ("x",), 1, "8", "8", crowded=True)
    check(app.counts([1, 2, 4, 8], 4) == [1, 2, 4, 8], app.counts([1, 2, 4, 8], 4))
    check(bench.counts([1, 2, 4, 8], 4) == [2, 4], bench.counts([1, 2, 4, 8], 4))
    check(bench.counts([1, 8], None) == [8], "as many as PES says")


def check_joined():
    """A new study takes the place of the same parts alone, and a part of the whole study's name says on how many PEs it ran."""
    old, new = report(), {**report(), "parts": report()["parts"][1:]}
    kept, last = study_report.joined([old], new)
    check([part["name"] for part in kept["parts"]] == ["collectives"] and last is new, kept["parts"])
    check({r["what"] for r in kept["results"]} == {"broadcast", "broadcast, push", "broadcast, pull"}, "figures of these alone")
    check(study_report.joined([new], new) == [new], "nothing is left of a study whose parts are all measured again")
    part = study_report.retitled(scaled(), scaled(), scaled()["parts"][0])
    check(part["title"] == "NAS, 1, 2 and 4 PEs", part["title"])
    check(study_report.retitled(report(), scaled(), scaled()["parts"][0])["title"] == "NAS", "the only one of its name")


def check_copies():
    """Copies stand beside the machine's caches, and their picture has a step for each within the sizes."""
    part = {"name": "copies", "title": "Copies", "text": "", "paper": None, "rows": ["memcpy"]}
    found = {**report(), "parts": [part], "targets": [], "machine": {"caches": {"L1": 32 << 10, "L3": 32 << 20}},
             "results": [{"what": "memcpy", "pes": 1, "bytes": size, "library": "limit", "unit": "ns", "median": size, "min": size,
                          "max": size, "values": [size]} for size in (8, 1 << 20)]}
    check("Caches: L1 32 KiB, L3 32 MiB." in study_report.part_text(found, part), study_report.part_text(found, part))
    series = [plot.Series("memcpy", "limit", [(8, 1, 1, 1), (1 << 20, 2, 2, 2)])]
    drawn = plot.lines(series, str, str, "bytes", "bandwidth", steps=[(16 << 10, "half of L1"), (16 << 20, "half of L3")])
    check("half of L1" in drawn and "half of L3" not in drawn, drawn)


check_rows()
check_rows_have_counts()
check_copies()
check_growth()
check_other_mpi()
check_other_shmem()
check_times()
check_exchanges()
check_scaling()
check_counts()
check_joined()
check_sentences(report())
check_page(report())
print("ok")
