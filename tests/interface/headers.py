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
                added = (macros(compiler, language, standard, include, "#include <shmem.h>\n")
                         - macros(compiler, language, standard, include, base))
                failures += [f"{compiler} -std={standard}: shmem.h defines {name}"
                             for name in sorted(added) if not PREFIXES.match(name)]
    print("\n".join(failures))
    print(f"{count - len(failures)} of {count} compilations passed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
