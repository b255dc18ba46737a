#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every constant, handle and type of the specification's table is there, in C and C++, with the
properties the table asks for."""
import argparse
import sys
from pathlib import Path

from toolbox import compile_text, compilers, table

HANDLES = {"SHMEM_TEAM_INVALID": "shmem_team_t", "SHMEM_CTX_INVALID": "shmem_ctx_t",
           "SHMEM_TEAM_WORLD": "shmem_team_t", "SHMEM_TEAM_SHARED": "shmem_team_t",
           "SHMEM_CTX_DEFAULT": "shmem_ctx_t"}
STRINGS = {"SHMEM_VENDOR_STRING", "_SHMEM_VENDOR_STRING"}

# What a sentence of the table says and a name alone does not.
PROPERTIES = """
CHECK(SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION == 6);
CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED);
CHECK(SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED);
CHECK(SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);
CHECK(sizeof(SHMEM_VENDOR_STRING) <= SHMEM_MAX_NAME_LEN);
CHECK(SHMEM_SIGNAL_SET == 1 && SHMEM_SIGNAL_ADD == 2); /* programs in Fortran have the numbers */
CHECK(SHMEM_MALLOC_ATOMICS_REMOTE != 0 && SHMEM_MALLOC_SIGNAL_REMOTE != 0);
CHECK((SHMEM_MALLOC_ATOMICS_REMOTE & SHMEM_MALLOC_SIGNAL_REMOTE) == 0);
CHECK((SHMEM_CTX_PRIVATE & SHMEM_CTX_SERIALIZED) == 0);
CHECK((SHMEM_CTX_PRIVATE & SHMEM_CTX_NOSTORE) == 0);
CHECK((SHMEM_CTX_SERIALIZED & SHMEM_CTX_NOSTORE) == 0);
CHECK(SHMEM_TEAM_NUM_CONTEXTS != 0 && SHMEM_CTX_SESSION_TOTAL_OPS != 0);
CHECK(SHMEM_CTX_SESSION_BATCH != 0);
CHECK(SHMEM_SYNC_SIZE >= SHMEM_BARRIER_SYNC_SIZE && SHMEM_SYNC_SIZE >= SHMEM_BCAST_SYNC_SIZE);
CHECK(SHMEM_SYNC_SIZE >= SHMEM_REDUCE_SYNC_SIZE && SHMEM_SYNC_SIZE >= SHMEM_COLLECT_SYNC_SIZE);
CHECK(SHMEM_SYNC_SIZE >= SHMEM_ALLTOALL_SYNC_SIZE);
CHECK(SHMEM_SYNC_SIZE >= SHMEM_ALLTOALLS_SYNC_SIZE);
CHECK(SIZE_MAX > 0);
"""
COMPARISONS = [f"SHMEM_CMP_{name}" for name in ("EQ", "NE", "LT", "LE", "GT", "GE")]


def text(rows):
    lines = ["#include <shmem.h>", "#ifdef __cplusplus", "#define CHECK(c) static_assert(c, #c)",
             "#else", "#define CHECK(c) _Static_assert(c, #c)", "#endif"]
    for row in rows:
        name, kind = row["name"], row["kind"]
        if kind in ("constant", "handle"):
            lines += [f"#ifndef {name}", f"#error {name} is no macro", "#endif"]
            if name in HANDLES:
                lines.append(f"{HANDLES[name]} sheaf_{name} = {name};")
            elif name in STRINGS:
                lines.append(f"char sheaf_{name}[] = {name};")
            else:
                lines.append(f"enum {{ sheaf_{name} = {name} }}; long sheaf_long_{name} = {name};")
        elif kind in ("type", "struct"):
            lines.append(f"{name} sheaf_object_{name};")
        if name.startswith("_SHMEM") and name not in STRINGS:
            lines.append(f"CHECK({name} == {name[1:]});")
    lines += [f"CHECK({a} != {b});" for i, a in enumerate(COMPARISONS) for b in COMPARISONS[:i]]
    lines += ["int *sheaf_field_1 = &sheaf_object_shmem_team_config_t.num_contexts;",
              "size_t *sheaf_field_2 = &sheaf_object_shmem_ctx_session_config_t.total_ops;"]
    return "\n".join(lines) + PROPERTIES


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include", type=Path, required=True)
    include = parser.parse_args().include
    rows = table("constants")
    failed = False
    for language, standard in (("c", "c11"), ("c++", "c++11")):
        for compiler in compilers(language):
            said = compile_text(text(rows), compiler, [f"-std={standard}", "-Wall", "-Werror"],
                                include)
            print(f"{compiler} -std={standard}: {said or 'all there'}")
            failed |= bool(said)
    sys.exit(failed)


if __name__ == "__main__":
    main()
