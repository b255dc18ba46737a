# SPDX-License-Identifier: BSD-3-Clause
"""Counts whose bytes wrap or that no address space holds end the program by the call's name, near and far, with checks and
without, whatever the family. Arguments: oshrun, the program of huge_counts.c."""
import os
import pathlib
import re
import subprocess
import sys

OSHRUN, PROGRAM = sys.argv[1:3]
NAMES = re.findall(r"^    X\((\w+),.*?(shmemx?_\w+)\(", pathlib.Path(__file__).with_suffix(".c").read_text(), re.M)
# Bytes of 0, of 8, and as a negative int becomes.
COUNTS = "2000000000000000", "2000000000000001", "ffffffffffffffff"
WAYS = {"near": {}, "checked": {"SHEAF_CHECK": "args"}}
if os.environ.get("ENGINES"):
    WAYS["far"] = {"SHEAF_ONNODE": "off"}
else:
    print("skipped: far PEs, as no network engine is built")
FEW = "put", "get", "sum_reduce", "ibput" # of which each count is tried in each way


def main():
    wrong = ran = 0
    for name, call in NAMES:
        for way, settings in WAYS.items():
            for count in COUNTS if name in FEW else COUNTS[:1]:
                if name == "wait_until_all" and way == "far":
                    continue # local
                done = subprocess.run([OSHRUN, "--timeout", "20", "-n", "2", PROGRAM, name, count], text=True, timeout=60,
                                      capture_output=True, env={**os.environ, "SHMEM_SYMMETRIC_SIZE": "1M", **settings})
                ran += 1
                told = re.search(rf"{call}: (\d+ elements of \d+ bytes|so many elements|nelems is -?\d+)", done.stderr)
                if "no engine" in done.stderr or "not installed" in done.stderr:
                    continue
                if done.returncode in (0, 124) or not told or "SIGSEGV" in done.stderr:
                    wrong += 1
                    print(f"{name} {count} {way}: status {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{ran} calls, {wrong} wrong")
    sys.exit(wrong != 0 or ran < 30 * len(WAYS))


main()
