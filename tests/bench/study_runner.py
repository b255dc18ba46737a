# SPDX-License-Identifier: BSD-3-Clause
#
# The study's runner, for one round of a transfer by Sheaf and by every MPI, and of a product: as root what it measured is
# complete and judged, as anybody else it says why not. And its list of engines, which is oshinfo's. Arguments: the
# folder bench/, the build tree, a folder to work in.

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
SKIPPED = 77
SAID = """Sheaf 1

Network engines
ucx                   UCX 1.13
                      transports: tcp/eth0
ofi                   not available: no libfabric
mpi                   not there yet
new                   something
none                  no network
auto                  ucx

This machine
usable CPUs           2
"""


def check(condition, what):
    if not condition:
        print("failed:", what)
        sys.exit(1)


def check_engines(diposh_jobs):
    with tempfile.TemporaryDirectory() as folder:
        oshinfo = pathlib.Path(folder, "bin/oshinfo")
        oshinfo.parent.mkdir()
        oshinfo.write_text(f"#!/bin/sh\ncat <<'END'\n{SAID}END\n")
        oshinfo.chmod(0o755)
        check(diposh_jobs.engines(folder) == ["ucx", "new"], f"engines {diposh_jobs.engines(folder)}")
        check(diposh_jobs.sheaf_over("new") == "Sheaf over new", "an engine that nobody knows yet")


def main():
    bench, build, output = (pathlib.Path(argument) for argument in sys.argv[1:4])
    sys.path[:0] = [str(bench / "diposh"), str(bench / "net"), str(bench), str(bench.parent / "tests/hosts")]
    import diposh_jobs
    check_engines(diposh_jobs)
    environment = dict(os.environ, QUICK="1", ROUNDS="1", ONLY="^(get|rma) 1x2$|^cannon 1x2 512$")
    run = subprocess.run([bench / "diposh/run", build, output], capture_output=True, text=True, env=environment)
    if "not measured" in run.stderr:
        print(run.stderr.strip())
        return SKIPPED
    check(run.returncode == 0, f"status {run.returncode}\n{run.stdout}{run.stderr}")
    report = json.loads((output / "results.json").read_text())
    check(report["failures"] == [], f"failures {report['failures']}")
    got = {(r["what"], r["library"]) for r in report["results"]}
    for mpi in diposh_jobs.find_mpis():
        wanted = {(what, mpi) for what in ("put", "put + quiet", "get", "put, streamed", "get, streamed")}
        check(wanted <= got, f"{mpi}: measured {sorted(got)}")
    check(("get", "Sheaf") in got, f"measured {sorted(got)}")
    labels = [row["label"] for row in report["targets"]]
    check("get 8 B" in labels, f"judged {labels}")
    if "not built" not in run.stdout:
        check("product of order 512, 2 PEs" in labels, f"judged {labels}")
    check("<svg" in (output / "index.html").read_text(), "a page with pictures")
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
