# SPDX-License-Identifier: BSD-3-Clause
#
# The study of applications: what it measures is complete and judged; stopped in the middle of a line it goes on; another
# study's journal is refused; a program that does not verify its answer, fails or never ends is told as wrong.
# Arguments: the folder bench/, the build tree, a folder to work in.

import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
ROW = "queens: 13 queens"


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def load(bench):
    sys.path[:0] = [str(bench / "study")]
    loader = importlib.machinery.SourceFileLoader("study_run", str(bench / "study/run"))
    spec = importlib.util.spec_from_loader("study_run", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def run(bench, build, output, **settings):
    environment = {**os.environ, "QUICK": "1", "ROUNDS": "2", "ONLY": "^irregular queens", **settings}
    done = subprocess.run([bench / "study/run", build, output], capture_output=True, text=True, env=environment)
    begun = re.search(r"study: (\d+) runs", done.stderr)
    return done, int(begun[1]) if begun else None


def check_whole(bench, build, output):
    done, runs = run(bench, build, output)
    check(done.returncode == 0, f"status {done.returncode}\n{done.stdout}{done.stderr}")
    report = json.loads((output / "results.json").read_text())
    check(runs == 2 * len({r["library"] for r in report["results"]}), f"{runs} runs\n{done.stdout}{done.stderr}")
    found = [r for r in report["results"] if r["what"] == ROW and r["library"] == "Sheaf" and r["pes"] == 2]
    check(len(found) == 1 and len(found[0]["values"]) == 2, f"results {report['results']}")
    check([row["label"] for row in report["targets"]] == [ROW + ", 2 PEs"], f"judged {report['targets']}")
    check("<svg" in (output / "index.html").read_text(), "a page with pictures")


def check_continued(bench, build, output):
    """Killed while it wrote the last line."""
    path = output / "journal.jsonl"
    path.write_text(path.read_text()[:-20])
    done, runs = run(bench, build, output)
    check(done.returncode == 0 and runs == 1, f"status {done.returncode}, {runs} runs\n{done.stderr}")
    done, _ = run(bench, build, output, QUICK="")
    check(done.returncode == 1 and "of another study (quick)" in done.stderr, done.stderr)


def check_settings(bench, build, output):
    for settings, word in (({"PES": "2,0"}, 'PES is "2,0"'), ({"ROUNDS": "many"}, 'ROUNDS is "many"'),
                           ({"ONLY": "("}, "no regular expression"), ({"ONLY": "nothing like it"}, "ONLY matches nothing")):
        done, _ = run(bench, build, output, **settings)
        check(done.returncode == 1 and word in done.stderr and "Traceback" not in done.stderr, f"{settings}: {done.stderr}")


def check_wrong(study_run, output):
    """Programs that are wrong, each in its own way."""
    import parts
    import study_report
    import ways

    class Liar(ways.Way):
        def command(self, program, pes, cpus):
            return ["sh", "-c", program[0]]

    said = "x, 0.5 s on 2 PEs"
    programs = {"unverified": f"echo '{said}'", "silent": "echo verified", "failing": "echo wrong >&2; exit 3",
                "endless": "sleep 60",
                "right": f"echo '{said}'; echo verified"}
    study_run.PATIENCE = 0.5
    rows = [parts.Row("queens", name, "", "", 0.1, parts.SECONDS_FIRST) for name in programs]
    study = study_run.Study.__new__(study_run.Study)
    study.here = {"processor": "any", "cpus": 2, "system": "any", "kernel": "any", "load": 0.0}
    study.output, study.quick, study.rounds, study.counts, study.cpus = output, True, 1, [2], 2
    study.parts, study.ways = [(parts.Part("liars", "Liars", "", rows), rows)], [Liar("Sheaf", {})]
    study.bench_settings = {}
    study.journal = study_run.journal.Journal(output / "wrong.jsonl", {})
    for row in rows:
        study.programs = {("queens", "Sheaf"): programs[row.label]}
        study.run(study_run.Step(row, study.ways[0], 2, 1))
    why = {run["row"]: run.get("why") for run in study.journal.runs.values()}
    wanted = {"unverified": "verified", "silent": "no time", "failing": "status 3: wrong", "endless": "nothing after"}
    for name, word in wanted.items():
        check(word in (why[f"queens: {name}"] or ""), f"{name}: {why}")
    check(why["queens: right"] is None, f"right: {why}")
    report = study_report.report(study, 1)
    check(study_report.is_wrong(report), "a wrong answer makes a wrong study")


def check_spread():
    """Two ways whose rounds mix are equal; one that is ahead in all of them is not, however little."""
    import spread
    check(spread.is_equal([1, 2, 3, 4, 9], [2, 1, 4, 3, 5]), "ahead in two rounds of five")
    check(not spread.is_equal([1, 2, 3, 4, 9], [1.01, 2.01, 3.01, 4.01, 9.01]), "ahead in all of five")
    check(not spread.is_equal([5] * 9, [4] * 8 + [6]), "behind in eight rounds of nine")
    check(not spread.is_equal([1, 2], [2]), "rounds that cannot be paired")
    import study_report
    results = [{"what": "x", "pes": 2, "bytes": 0, "unit": "ns", "library": name, "values": values, "median": sorted(values)[2],
                "min": min(values), "max": max(values)} for name, values in (("Sheaf", [3, 4, 5, 6, 9]), ("MPI", [4, 3, 4.5, 7, 3]))]
    row, = study_report.judged({"parts": [{"rows": ["x"]}], "results": results, "peers": ["MPI"]})
    check(row["equal"] and row["peer_met"] is False and row["why"] is None, f"judged {row}")


def check_rooflines():
    """A copy of 64 bytes in 2 ns by each of two, and a BLAS of 8 operations a nanosecond."""
    import rooflines
    results = [{"what": what, "pes": 2, "bytes": size, "library": library, "median": median}
               for what, size, library, median in (("copy from memory", 64, "limit", 2), ("matmul: by rows, x", 0, "limit", 4),
                                                   ("matmul: by rows, x", 0, "Sheaf", 8), ("other", 0, "Sheaf", 8))]
    found = {"results": results, "work": {"matmul: by rows, x": [128, 32]}}
    (row,) = rooflines.lines(found)
    check(row[3] == "2.00 ns" and row[5] == "4.00 ns" and row[6] == "50 %", f"rooflines {row}")
    check("50 %" in rooflines.document(found) and "50 %" in rooflines.html(found), "rooflines are shown")
    check(rooflines.document({"results": results}) == "", "a report of before")


def main():
    bench, build, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    study_run = load(bench)
    check_whole(bench, build, output)
    check_continued(bench, build, output)
    check_settings(bench, build, output)
    check_wrong(study_run, output)
    check_spread()
    check_rooflines()
    print("ok")


main()
