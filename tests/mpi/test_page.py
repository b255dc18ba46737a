# SPDX-License-Identifier: BSD-3-Clause
"""The programs of a page: each block of C compiles without a warning, by oshcc --mpi, and prints on 4 PEs,
in some order, what the block of text after it shows. Arguments: the MPI, the page, the build folder, a
folder to work in."""
import re
import subprocess
import sys
from pathlib import Path

import jobs

BLOCK = re.compile(r"^```(c|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(page):
    """(source, output) of each program."""
    blocks = BLOCK.findall(page.read_text())
    for i, (language, text) in enumerate(blocks):
        if language == "c":
            assert blocks[i + 1:] and blocks[i + 1][0] == "text", f"no output behind:\n{text}"
            yield text, blocks[i + 1][1]


def works(mpi, number, source, expected, build, work):
    name = work / f"{mpi}-{number}"
    name.with_suffix(".c").write_text(source)
    subprocess.run([build / "bin/oshcc", f"--mpi={mpi}", "-O2", "-Wall", "-Wextra", "-Werror",
                    name.with_suffix(".c"), "-o", name], check=True)
    status, out, errors = jobs.run(mpi, 4, [str(name)])
    if status == 0 and "sheaf:" not in errors and sorted(out.splitlines()) == sorted(expected.splitlines()):
        return True
    print(f"program {number}: status {status}, expected\n{expected}\ngot\n{out}{errors}")
    return False


def main():
    mpi, page, build, work = sys.argv[1], *map(Path, sys.argv[2:5])
    jobs.need(mpi)
    work.mkdir(parents=True, exist_ok=True)
    shown = subprocess.run([build / "bin/oshcc", f"--mpi={mpi}", "--show", "-c", "a.c"], capture_output=True,
                           text=True, check=False)
    if shown.returncode != 0:
        print(f"skipped: {shown.stderr.strip()}")
        sys.exit(jobs.SKIPPED)
    found = list(programs(page))
    good = sum(works(mpi, i, *pair, build, work) for i, pair in enumerate(found))
    print(f"{good} of {len(found)} programs do what {page.name} says")
    sys.exit(not found or good != len(found))


if __name__ == "__main__":
    main()
