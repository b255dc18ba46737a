# SPDX-License-Identifier: BSD-3-Clause
"""The programs of a page: each block of C compiles without a warning, by oshcc --mpi, and prints on 4 PEs,
in some order, what the block of text after it shows. Arguments: the MPI, the page, the build folder, a
folder to work in."""
import itertools
import subprocess
import sys
from pathlib import Path

import jobs

sys.path.append(str(Path(__file__).parent.parent / "common"))
import pages # noqa: E402


def lines_of(expected, said):
    """What differs, the lines' order apart; None: nothing."""
    return None if sorted(said.splitlines()) == sorted(expected.splitlines()) else f"the page has\n{expected}"


def main():
    mpi, page, build, work = sys.argv[1], *map(Path, sys.argv[2:5])
    jobs.need(mpi)
    work.mkdir(parents=True, exist_ok=True)
    shown = subprocess.run([build / "bin/oshcc", f"--mpi={mpi}", "--show", "-c", "a.c"], capture_output=True,
                           text=True, check=False)
    if shown.returncode != 0:
        print(f"skipped: {shown.stderr.strip()}")
        sys.exit(jobs.SKIPPED)
    numbers = itertools.count()

    def run(source):
        name = work / f"{mpi}-{next(numbers)}"
        name.with_suffix(".c").write_text(source)
        subprocess.run([build / "bin/oshcc", f"--mpi={mpi}", "-O2", "-Wall", "-Wextra", "-Werror",
                        name.with_suffix(".c"), "-o", name], check=True)
        status, out, errors = jobs.run(mpi, 4, [str(name)])
        jobs.need_windows(mpi, str(build / f"tests/test-mpi-{mpi}-buffers"), errors)
        return out if status == 0 and "sheaf:" not in errors else f"{out}{errors}status {status}\n"

    sys.exit(pages.conclude(*pages.check(page, {"c": run}, lines_of)))


if __name__ == "__main__":
    main()
