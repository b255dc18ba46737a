# SPDX-License-Identifier: BSD-3-Clause
#
# The documents' figures are what bench/figures makes of the data kept in bench/data. Arguments: the source
# tree, a folder to work in.

import filecmp
import pathlib
import shutil
import subprocess
import sys


def main():
    source, work = (pathlib.Path(argument) for argument in sys.argv[1:3])
    docs = work / "docs"
    shutil.rmtree(work, ignore_errors=True)
    (docs / "measured").mkdir(parents=True)
    for page in "measured/algorithms.md", "measured/failures.md":
        shutil.copy(source / "docs" / page, docs / page)
    subprocess.run([source / "bench/figures", "-", docs], check=True)
    made = sorted(path.relative_to(docs) for path in docs.rglob("*") if path.is_file())
    different = [str(path) for path in made if not (source / "docs" / path).exists() or
                 not filecmp.cmp(docs / path, source / "docs" / path, shallow=False)]
    if different or len(made) < 11:
        print("not what bench/figures makes of bench/data:", ", ".join(different) or made)
        return 1
    print(f"{len(made)} files as checked in")
    return 0


if __name__ == "__main__":
    sys.exit(main())
