# SPDX-License-Identifier: BSD-3-Clause
"""names.py SOURCE: docs/reference/python-names.md has each routine of the headers once, with a Python name that exists or with a
reason; and each public name of the module is in docs/do/python.md, docs/do/notebooks.md or there, with a docstring."""
import re
import sys
from pathlib import Path

import numpy as np

import sheafshmem as shmem

SOURCE = Path(sys.argv[1])
TYPES = ("float double longdouble char schar short int long longlong uchar ushort uint ulong ulonglong int8 int16 int32 "
         "int64 uint8 uint16 uint32 uint64 size ptrdiff complexf complexd").split()
SIZED = "put|get|iput|iget|ibput|ibget|broadcast|collect|fcollect|alltoall|alltoalls"
PLACES = {"shmem": shmem, "a": shmem.Array, "team": shmem.Team, "context": shmem.Context, "handle": shmem.Handle,
          "pending": shmem.Pending, "space": shmem.Space, "lock": shmem.Lock}
wrong = []


def family(name):
    """A routine without its context, type and size: shmem_ctx_int_put_nbi and shmemx_put64_nbi are put_nbi."""
    name = re.sub("^shmemx?_", "", name)
    if name not in ("ctx_create", "ctx_destroy", "ctx_get_team"):
        name = re.sub("^ctx_", "", name)
    name = re.sub(rf"^({'|'.join(TYPES)})_", "", name)
    return re.sub(rf"^({SIZED})(8|16|32|64|128|mem)?(?=$|_)", r"\1", name)


def declared():
    found = set()
    for header in ("shmem.h", "shmemx.h"):
        text = re.sub(r"/\*.*?\*/", "", (SOURCE / "include" / header).read_text(), flags=re.S)
        found.update(re.findall(r"^(?!#)\w[\w *]*?\b(shmemx?_\w+)\(", text, re.M))
    return {family(name) for name in found}


def exists(word):
    place, _, name = word.partition(".")
    return place in PLACES and hasattr(PLACES[place], name)


def read_table():
    rows = {}
    for line in (SOURCE / "docs/reference/python-names.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if not line.startswith("| `") or len(cells) != 2:
            continue
        routines, python = re.findall(r"`(\w+)`", cells[0]), cells[1]
        for routine in routines:
            if routine in rows:
                wrong.append(f"{routine} has two rows")
            rows[routine] = python
    return rows


rows = read_table()
routines = declared()
wrong += [f"no row for {name}" for name in sorted(routines - set(rows))]
wrong += [f"a row for {name}, which no header declares" for name in sorted(set(rows) - routines)]
for routine, python in rows.items():
    words = re.findall(r"`([a-z]+\.\w+)", python)
    if not python.startswith("no: "):
        wrong += [f"{routine}: no {word}" for word in words if not exists(word)]
        if not words:
            wrong.append(f"{routine}: neither a name nor a reason")

text = "".join((SOURCE / "docs" / page).read_text()
               for page in ("do/python.md", "do/notebooks.md", "reference/python-names.md"))
own = {f"shmem.{name}": getattr(shmem, name) for name in shmem.__all__}
for place in ("a", "team", "context", "handle", "pending", "space", "lock"):
    of = PLACES[place]
    own.update({f"{place}.{name}": value for name, value in vars(of).items()
                if not name.startswith("_") and not (of is shmem.Array and hasattr(np.ndarray, name))})
for name, value in own.items():
    word = name.partition(".")[2]
    if not re.search(rf"\b{word}\b|`_{word.rpartition('_')[2]}`", text):
        wrong.append(f"{name} is in none of these pages")
    if not (value.__doc__ or "").strip():
        wrong.append(f"{name} has no docstring")
print("\n".join(wrong) or f"{len(routines)} families of routines, {len(own)} Python names")
sys.exit(bool(wrong))
