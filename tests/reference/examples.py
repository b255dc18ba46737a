# SPDX-License-Identifier: BSD-3-Clause
"""The programs of a folder of examples compile without a warning, and end well on several numbers of PEs, and with operations
that nothing orders late (SHEAF_CHAOS). Those in Fortran and Python are left out, which is said, where gfortran or NumPy is
missing. Arguments: the source tree, the build, a folder to work in, the examples' folder, how many in C there are at least."""
import os
import pathlib
import shutil
import subprocess
import sys

SOURCE, BUILD, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
FOLDER, LEAST = sys.argv[4], int(sys.argv[5])
PYTHON = shutil.which("python3", path=os.environ.get("PAGES_PATH", os.environ["PATH"])) # of Python with NumPy
STRICT = "-O2", "-Wall", "-Wextra", "-Werror"
RUNS = (1, {}), (2, {}), (3, {}), (8, {}), (3, {"SHEAF_CHAOS": "1"})


def command_of(source):
    """The words that run it on one PE; None: something is missing here."""
    program = WORK / source.name.replace(".", "-")
    if source.suffix == ".py":
        numpy = subprocess.run([PYTHON, "-c", "import numpy"], stderr=subprocess.DEVNULL, check=False, timeout=60)
        return [PYTHON, source] if numpy.returncode == 0 else None
    if source.suffix == ".f90" and not shutil.which("gfortran"):
        return None
    compiler = BUILD / "bin" / ("oshfort" if source.suffix == ".f90" else "oshcc")
    subprocess.run([compiler, *STRICT, source, "-o", program], check=True, timeout=60, cwd=WORK)
    return [program]


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    sources = sorted(path for path in (SOURCE / "examples" / FOLDER).iterdir() if path.suffix in (".c", ".f90", ".py"))
    for source in sources:
        command = command_of(source)
        if command is None:
            print("not run, as gfortran or NumPy is missing:", source.name)
            continue
        for pes, settings in RUNS:
            done = subprocess.run([BUILD / "bin/oshrun", "-n", str(pes), *command], capture_output=True, text=True, timeout=60,
                                  env={**os.environ, **settings}, check=False)
            if done.returncode or done.stderr:
                print(f"{source.name} on {pes} PEs {settings or ''}: status {done.returncode}\n{done.stdout}{done.stderr}")
                return 1
    print(f"{len(sources)} examples on 1, 2, 3 and 8 PEs, and on 3 with SHEAF_CHAOS")
    return 0 if sum(source.suffix == ".c" for source in sources) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
