# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions per call of the fast paths, counted by callgrind, against upper bounds: slower code
# fails here without anything being timed. Arguments: the program fast_paths, a folder to work in, the compiler
# and its version as CMake names them.
# Without valgrind the test is skipped.
#
# gcc and clang at the versions named are held to what they make, so that one instruction more is seen; from
# others a little more is taken, and where something is copied that each processor has its own way for.

import pathlib
import re
import shutil
import subprocess
import sys

# Instructions of one call, without the jump through the program's procedure linkage table: by gcc, by clang.
COUNTED_WITH = {"GNU": "12", "Clang": "14"}
COUNTS = {
    "p": (8, 11), "p_static": (8, 11), "g": (9, 13), "put": (13, 15), "get": (13, 15),
    "put_1k": (137, 138), "put_nbi": (13, 15), "fetch_add": (10, 12), "add": (8, 11), "swap": (9, 12),
    "cswap": (10, 12), "ctx_p": (22, 26), "ctx_g": (20, 25),
    "ctx_get_nbi": (31, 37), "ctx_add": (23, 26),
    "iput": (290, 323), "iget": (289, 323), "put_signal": (32, 33),
    "wait_until": (29, 32), "test": (21, 21), "quiet": (5, 5), "fence": (4, 4), "my_pe": (5, 7),
    "n_pes": (5, 7), "ptr": (43, 43), "barrier_all": (19, 20), "sync_all": (16, 16),
    "team_my_pe": (27, 32),
}
OTHER_VERSION = 5  # instructions more: gcc 13 takes 5 for ptr and team_my_pe
COPIED = {"put_1k": 30, "iput": 30, "iget": 30}


def bounds(compiler, version):
    """The most instructions of each call."""
    which = list(COUNTED_WITH).index(compiler) if compiler in COUNTED_WITH else 1
    known = COUNTED_WITH.get(compiler) == version.split(".")[0]
    return {name: counts[which] + COPIED.get(name, 0) + (0 if known else OTHER_VERSION)
            for name, counts in COUNTS.items()}


def calls(text):
    """For each function: how often it called others, and the instructions spent in those calls."""
    names, found, function, count = {}, {}, None, None
    for line in text.splitlines():
        name = re.match(r"(c?)fn=\((\d+)\)(?: (.*))?$", line)
        if name:
            if name[3]:
                names[name[2]] = name[3]
            if not name[1]:
                function = names[name[2]]
        elif line.startswith("calls="):
            count = int(line[len("calls="):].split()[0])
        elif count is not None:
            times, cost = found.get(function, (0, 0))
            found[function] = (times + count, cost + int(line.split()[-1]))
            count = None
    return found


def main():
    program, folder, most = sys.argv[1], pathlib.Path(sys.argv[2]), bounds(*sys.argv[3:])
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "callgrind.out"
    run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program],
                         capture_output=True, text=True)
    if run.returncode:
        print(f"valgrind: status {run.returncode}\n{run.stdout}{run.stderr}")
        return 1
    counted = calls(out.read_text())
    failures = 0
    for name, bound in most.items():
        times, cost = counted.get("count_" + name, (0, 0))
        each = cost / times if times else float("inf")
        verdict = "ok" if each <= bound else "too many"
        failures += each > bound
        print(f"{name:12} {each:8.2f} instructions, at most {bound:4}: {verdict}")
    missing = [name for name in counted if name.startswith("count_") and name[len("count_"):] not in COUNTS]
    if missing:
        print("no bound for", ", ".join(missing))
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
