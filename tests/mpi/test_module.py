# SPDX-License-Identifier: BSD-3-Clause
"""Where Sheaf's libraries for MPIs are found: test_module.py PROGRAM CC SRC FOLDER

PROGRAM holds the code that looks for them, and was told that the libraries of its tree lie in ../../multiarch. The MPI
and Sheaf's library for it are made here, and have nothing but what the search asks for."""
import os
import shutil
import subprocess
import sys
from pathlib import Path

program, cc, src, folder = sys.argv[1:]
root = Path(folder)
MPI = "int ompi_mpi_comm_world;\nint MPI_Init_thread(void)\n{\n    return 0;\n}\n"
MODULE = """#include "base/mpi/shim.h"
extern int ompi_mpi_comm_world;
int *world = &ompi_mpi_comm_world;
const struct sheaf_mpi_shim sheaf_mpi_shim = {.version = SHEAF_MPI_SHIM_VERSION};
"""


def build(name, text):
    source = root / "source.c"
    source.write_text(text)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([cc, "-shared", "-fPIC", "-Wl,-z,now", f"-I{src}", source, "-o", root / name], check=True)


def expect(place, libraries, expected, why):
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(program, root / place)
    search = ":".join(str(root / one) for one in libraries)
    found = subprocess.run([root / place], env={"LD_LIBRARY_PATH": search}, capture_output=True, text=True, timeout=20)
    says = found.stdout + found.stderr
    if not says.startswith(expected) or "and it is loaded" in says:
        sys.exit(f"{why}: {says!r}, expected {expected!r}")


shutil.rmtree(root, ignore_errors=True)
root.mkdir(parents=True)
build("mpi/libmpi.so.40", MPI)
build("lib/multiarch/libsheaf-mpi-openmpi.so", MODULE)
expect("lib/sheaf/bin/command", ["mpi"], "libmpi.so.40", "a command two folders below the libraries")
expect("home/program", ["mpi", "lib/multiarch"], "libmpi.so.40", "a program with libsheaf.a, a module that the loader finds")
expect("home/program", ["mpi"], "no MPI is here that Sheaf was built for", "a module that is nowhere")
print("ok")
