# SPDX-License-Identifier: BSD-3-Clause
#
# Instructions per call of the fast paths, counted by callgrind, against upper bounds: slower code
# fails here without anything being timed. Arguments: the program fast_paths, a folder to work in.
# Without valgrind the test is skipped.

import pathlib
import re
import shutil
import subprocess
import sys

# Instructions of one call, without the jump through the program's procedure linkage table. What
# gcc 12 and clang 14 make, and little more; what calls memcpy has room for other C libraries.
BOUNDS = {
    "p": 14, "p_static": 14, "g": 13, "put": 24, "get": 24, "put_1k": 170, "put_nbi": 24,
    "fetch_add": 13, "add": 12, "swap": 13, "cswap": 13, "iput": 320, "iget": 320,
    "put_signal": 50, "wait_until": 40, "test": 33, "quiet": 5, "fence": 4, "my_pe": 9,
    "n_pes": 9, "ptr": 48, "barrier_all": 70, "sync_all": 70, "team_my_pe": 36,
}


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
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
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
    for name, bound in BOUNDS.items():
        times, cost = counted.get("count_" + name, (0, 0))
        each = cost / times if times else float("inf")
        verdict = "ok" if each <= bound else "too many"
        failures += each > bound
        print(f"{name:12} {each:8.2f} instructions, at most {bound:4}: {verdict}")
    missing = [name for name in counted if name.startswith("count_") and name[len("count_"):] not in BOUNDS]
    if missing:
        print("no bound for", ", ".join(missing))
    return 1 if failures or missing else 0


if __name__ == "__main__":
    sys.exit(main())
