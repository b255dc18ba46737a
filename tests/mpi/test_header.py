# SPDX-License-Identifier: BSD-3-Clause
"""shmemx_mpi.h compiles alone, twice and with the others, in every C and C++ that it is for, without a
warning, against each MPI; and defines no macro that a program could mind, beside those of MPI's header.
Arguments: Sheaf's folder of headers, and each MPI's."""
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "interface"))
from toolbox import compile_text, compilers  # noqa: E402

import jobs  # noqa: E402

STANDARDS = {"c": ["c99", "c17"], "c++": ["c++11", "c++20"]} # Open MPI's own header is for these
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror"]
TEXTS = ["#include <shmemx_mpi.h>\n" * 2, "#include <mpi.h>\n#include <shmem.h>\n#include <shmemx_mpi.h>\n",
         "#include <shmemx_mpi.h>\n#include <shmem.h>\n#include <mpi.h>\n"]
OWN = re.compile(r"_?SHMEMX?_|shmemx?_|sheaf_|SHEAF_")


def macros(compiler, options, text):
    done = subprocess.run([compiler, *options, "-E", "-dM", "-"], input=text, capture_output=True, text=True,
                          check=True)
    return {line.split()[1].split("(")[0] for line in done.stdout.splitlines()}


def main():
    include, mpis = sys.argv[1], [path for path in sys.argv[2:] if path and not path.endswith("NOTFOUND")]
    if not mpis:
        print("skipped: no MPI's headers here: Debian's libopenmpi-dev, libmpich-dev")
        sys.exit(jobs.SKIPPED)
    wrong = count = 0
    for language, standards in STANDARDS.items():
        for compiler, standard, mpi in ((c, s, m) for c in compilers(language) for s in standards for m in mpis):
            options = [f"-std={standard}", "-isystem", mpi, *STRICT]
            found = [compile_text(text, compiler, options, include) for text in TEXTS]
            base = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <stdint.h>\n"
            base += "#include <stddef.h>\n" + ("#include <complex>\n" if language == "c++" else "")
            preprocess = ["-x", language, f"-I{include}", f"-std={standard}", "-isystem", mpi]
            added = macros(compiler, preprocess, TEXTS[0]) - macros(compiler, preprocess, base)
            found.append("".join(f"defines {name}\n" for name in sorted(added) if not OWN.match(name)))
            for said in filter(None, found):
                print(f"{compiler} -std={standard} {mpi}:\n{said}")
                wrong += 1
            count += len(found)
    print(f"{count - wrong} of {count} passed")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
