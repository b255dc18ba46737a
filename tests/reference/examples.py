# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the reference compile without a warning and end well on several numbers of PEs. Arguments: the source tree, the
build, a folder."""
import pathlib
import shutil
import subprocess
import sys

SOURCE, BUILD, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    sources = sorted((SOURCE / "examples/routines").glob("*.c"))
    for source in sources:
        program = WORK / source.stem
        subprocess.run([BUILD / "bin/oshcc", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", program], check=True, timeout=60)
        for pes in 1, 2, 4:
            done = subprocess.run([BUILD / "bin/oshrun", "-n", str(pes), program], capture_output=True, text=True, timeout=60)
            if done.returncode or done.stderr or not done.stdout:
                print(f"{source.name} on {pes} PEs: status {done.returncode}\n{done.stdout}{done.stderr}")
                return 1
    print(f"{len(sources)} examples on 1, 2 and 4 PEs")
    return 0 if len(sources) >= 16 else 1


if __name__ == "__main__":
    sys.exit(main())
