# SPDX-License-Identifier: BSD-3-Clause
"""docs/do/port-names.md: what it calls there is declared, what it calls not there is not, and what it says to write in
its place is. Argument: the root of the tree."""
import re
import sys
from pathlib import Path

CODE = re.compile(r"`([^`]*)`")
NAME = re.compile(r"\b(?:p?shmem_\w+|_SHMEM_\w+|start_pes|_my_pe|_num_pes|shmalloc|shfree|shrealloc|shmemalign|my_pe|num_pes|\w*barrier"
                  r"|globalexit|_?rtc\w*)\b")


def rows(text, heading):
    section = re.search(rf"^## {heading}$(.*?)(?=^## )", text, re.M | re.S)[1]
    for line in re.findall(r"^\| (`.*|Open.*) \|$", section, re.M):
        yield [NAME.findall(" ".join(part for part in CODE.findall(cell) if ".h" not in part)) for cell in line.split(" | ")]


def main():
    root = Path(sys.argv[1])
    page = (root / "docs/do/port-names.md").read_text()
    known = set(re.findall(r"\w+", re.sub(r"/\*.*?\*/", "", (root / "include/shmem.h").read_text(), flags=re.S)))
    there = [name for cells in rows(page, "Names that are there") for name in cells[0]]
    missing = [(name, instead) for name, instead in rows(page, "Names that are not there")]
    write = [name for _names, names in missing for name in names]
    wrong = [f"is not there: {name}" for name in there + write if name not in known]
    wrong += [f"is there: {name}" for names, _instead in missing for name in names if name in known]
    seen = len(there) + len(write) + sum(len(names) for names, _instead in missing)
    print("\n".join(wrong) or f"{seen} names are where the page says")
    return 1 if wrong or len(there) < 20 or len(missing) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
