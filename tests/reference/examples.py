# SPDX-License-Identifier: BSD-3-Clause
"""The programs of a folder of examples compile without a warning, and end well on several numbers of PEs. Arguments: the source tree,
the build, a folder to work in, the examples' folder, how many there are at least."""
import pathlib
import shutil
import subprocess
import sys

SOURCE, BUILD, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
FOLDER, LEAST = sys.argv[4], int(sys.argv[5])


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    sources = sorted((SOURCE / "examples" / FOLDER).glob("*.c"))
    for source in sources:
        program = WORK / source.stem
        subprocess.run([BUILD / "bin/oshcc", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", program], check=True, timeout=60)
        for pes in 1, 2, 3, 8:
            done = subprocess.run([BUILD / "bin/oshrun", "-n", str(pes), program], capture_output=True, text=True, timeout=60)
            if done.returncode or done.stderr:
                print(f"{source.name} on {pes} PEs: status {done.returncode}\n{done.stdout}{done.stderr}")
                return 1
    print(f"{len(sources)} examples on 1, 2, 3 and 8 PEs")
    return 0 if len(sources) >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
