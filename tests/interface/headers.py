#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every public header compiles alone, twice, and with the others, in every C and C++ it is for,
without a warning, and defines no macro that a program could mind."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

from toolbox import compile_text, compilers

# The first takes every header by itself. The second list is for --all.
STANDARDS = {"c": ["c99", "c11", "gnu17"], "c++": ["c++98", "c++11", "c++20"]}
OTHERS = {"c": ["c17"], "c++": ["c++14", "c++17"]}
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror"]
HEADERS = ["shmem.h", "pshmem.h", "shmemx.h", "shmemx_inline.h", "shmemx_ft.h",
           "mpp/shmem.h", "mpp/shmemx.h"]
PREFIXES = re.compile(r"_?SHMEM_|shmem_|shmemx_|sheaf_|SHEAF_")


def texts(language, alone):
    """Each header alone, and all from the last to the first, for the oldest standard; all of them for every one."""
    if alone:
        yield from (f"#include <{h}>\nint main(void) {{ return 0; }}\n" for h in HEADERS)
    yield "".join(f"#include <{h}>\n" for h in HEADERS * 2)
    if alone:
        yield "".join(f"#include <{h}>\n" for h in reversed(HEADERS))
    if language == "c++" and alone:  # programs wrap headers they take for C's
        yield 'extern "C" {\n#include <shmem.h>\n}\nint main() { return 0; }\n'


def macros(compiler, language, standard, include, text):
    command = [compiler, "-x", language, f"-std={standard}", "-I", str(include), "-E", "-dM", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return {line.split()[1].split("(")[0] for line in done.stdout.splitlines()}


# {call: what its one warning says}; None for those that have to compile without.
OLD = {
    "start_pes(0)": "use shmem_init",
    "_my_pe()": "use shmem_my_pe",
    "shfree(0)": "use shmem_free",
    "shmem_int_add(&i, 1, 0)": "use shmem_atomic_add",
    "shmem_double_swap(&d, 1, 0)": "use shmem_atomic_swap",
    "shmem_long_wait(&l, 0)": "use shmem_wait_until with SHMEM_CMP_NE",
    "shmem_barrier(0, 0, 1, &l)": "use shmem_quiet and shmem_team_sync",
    "shmem_sync(0, 0, 1, &l)": "use shmem_team_sync",
    "shmem_broadcast32(&i, &i, 1, 0, 0, 0, 1, &l)": "use shmem_broadcast with a team",
    "shmem_int_sum_to_all(&i, &i, 1, 0, 0, 1, &i, &l)": "use shmem_sum_reduce with a team",
    "shmem_udcflush()": "it does nothing",
    "shmem_init()": None,
    "shmem_int_atomic_add(&i, 1, 0)": None,
    "shmem_long_wait_until(&l, SHMEM_CMP_NE, 0)": None,
    "shmem_wait_until(&l, SHMEM_CMP_NE, 0)": None,
}
OLD_GENERIC = {
    "shmem_add(&i, 1, 0)": "use shmem_atomic_add",
    "shmem_swap(&d, 1, 0)": "use shmem_atomic_swap",
    "shmem_fadd(&l, 1, 0)": "use shmem_atomic_fetch_add",
    "shmem_atomic_add(&i, 1, 0)": None,
    "shmem_sync(SHMEM_TEAM_WORLD)": None,
    "shmem_wait_until(&i, SHMEM_CMP_NE, 0)": None,
}


def deprecated(compiler, standard, include):
    """An old name has one warning with what replaces it, by its type and by the generic form; the switch turns it off."""
    calls = {**OLD, **(OLD_GENERIC if standard != "c99" else {})}
    text = "#include <shmem.h>\nint i; long l; double d;\n"
    text += "".join(f"void f{number}(void) {{ {call}; }}\n" for number, call in enumerate(calls))
    told = sorted((call.split("(")[0], advice) for call, advice in calls.items() if advice)
    limit = "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0"
    for switch, expected in ("-U", told), ("-D", []):
        said = compile_text(text, compiler, [f"-std={standard}", "-Wall", "-Werror", limit, f"{switch}SHMEM_NO_DEPRECATED"],
                            include)
        found = sorted(map(warning, (line for line in said.splitlines() if "error: " in line)))
        if found != expected:
            yield f"{compiler} -std={standard} {switch}SHMEM_NO_DEPRECATED: {found}, not {expected}"


def warning(line):
    """(routine, what to use instead); of C11's generic forms a type is named, in C++ the prototype."""
    match = re.search(r"error: .(.+). is deprecated: (.+) \[", line)
    if not match:
        return line, ""
    return match[1].split("(")[0].split()[-1].removeprefix("sheaf_").removesuffix("_is_old"), match[2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="every standard")
    options = parser.parse_args()
    include = options.include
    failures, count = [], 0
    for language, standards in STANDARDS.items():
        base = "#include <stddef.h>\n#include <stdint.h>\n"
        if language == "c++":
            base += "#include <complex>\n"
        for compiler in compilers(language):
            for standard in standards + OTHERS[language] * options.all:
                for text in texts(language, standard == standards[0]):
                    strict = STRICT + ["-Wc++-compat"] * (language == "c")
                    said = compile_text(text, compiler, [f"-std={standard}", *strict], include)
                    count += 1
                    if said:
                        failures.append(f"{compiler} -std={standard}:\n{text}{said}")
                failures += deprecated(compiler, standard, include)
                count += 2
                added = (macros(compiler, language, standard, include, "#include <shmem.h>\n")
                         - macros(compiler, language, standard, include, base))
                failures += [f"{compiler} -std={standard}: shmem.h defines {name}"
                             for name in sorted(added) if not PREFIXES.match(name)]
    print("\n".join(failures))
    print(f"{count - len(failures)} of {count} compilations passed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
