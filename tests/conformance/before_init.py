# SPDX-License-Identifier: BSD-3-Clause
"""A call before shmem_init works or is refused by its name; none dies of a signal. One of each family, of all that the library
has. Arguments: the library, the program of before_init.c."""
import re
import subprocess
import sys

LIBRARY, PROGRAM = sys.argv[1:3]
TYPES = ("char|schar|short|int|long|longlong|uchar|ushort|uint|ulong|ulonglong|float|double|longdouble|u?int(?:8|16|32|64)|size|"
         "ptrdiff|complex[dfl]")
# Collective or never returning by what they are, or what brings the library up, with arguments that are not there.
WITHOUT = re.compile(r"finalize|shmemx?_init|start_pes|global_exit")


def main():
    listed = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    names = sorted(set(re.findall(r" [TWi] (shmemx?_\w+)", listed)))
    families = {}
    for name in names:
        if not WITHOUT.search(name):
            families.setdefault(re.sub(rf"_(?:{TYPES})(?=_|$)", "_T", name), name)
    wrong = []
    for name in families.values():
        done = subprocess.run([PROGRAM, name], capture_output=True, text=True, timeout=20)
        if done.returncode < 0 or done.returncode == 9:
            wrong.append(f"{name}: {done.returncode}")
    print(f"{len(families)} families, {len(wrong)} wrong: {' '.join(wrong)}")
    sys.exit(bool(wrong) or len(families) < 300)


main()
