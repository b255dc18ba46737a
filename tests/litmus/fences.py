# SPDX-License-Identifier: BSD-3-Clause
"""What AArch64 code of the library has behind its remote accesses: fences.py COMPILER SOURCE_FOLDER

No emulator reorders memory accesses, so the instructions are looked at: tests/models shows that they are
needed (copy.pml, exclusive.pml). Exits 77 without the compiler.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

# A read's value is there before what the caller does next; what an exclusive store wrote, too.
READERS = ["pshmem_long_g", "pshmem_int_g", "pshmem_ctx_double_g"]
ATOMIC = ["pshmem_long_atomic_swap", "pshmem_int_atomic_fetch_add", "pshmem_long_atomic_fetch_inc",
          "pshmem_ctx_long_atomic_compare_swap", "pshmem_ulong_atomic_fetch_or"]


def disassemble(compiler, source, name, folder):
    """{function: [instruction]}."""
    target = f"{folder}/{os.path.basename(name)}.o"
    subprocess.run([compiler, "-std=gnu17", "-O3", "-D_GNU_SOURCE", "-mno-outline-atomics", "-fPIC",
                    "-I", f"{source}/src", "-c", f"{source}/src/{name}", "-o", target], check=True)
    out = subprocess.run([compiler.replace("gcc", "objdump"), "-d", "--no-show-raw-insn", target],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    functions = {}
    for line in out.splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if head:
            code = functions.setdefault(head[1], [])
        elif "\t" in line:
            code.append(" ".join(line.split("\t")[1:]))
    return functions


def has_behind(code, access, fence):
    """Whether a fence stands between each such access and the next return or call."""
    for at, instruction in enumerate(code):
        if not access(instruction):
            continue
        rest = code[at + 1:]
        end = next((i for i, other in enumerate(rest) if re.match(r"(ret|bl|b) ?", other)
                    and not re.match(r"b [0-9a-f]+ <[^>]*\+0x", other)), len(rest))
        if not any(re.match(fence, other) for other in rest[:end]):
            return False
    return True


def main():
    compiler, source = sys.argv[1:]
    if not shutil.which(compiler):
        print(f"skipped: no {compiler}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        rma = disassemble(compiler, source, "api/access/rma.c", folder)
        amo = disassemble(compiler, source, "api/access/amo.c", folder)
    failed = []
    for name in READERS:
        fences = sum("ishld" in instruction for instruction in rma[name])
        if fences < 2:  # the plain way, and the one that counts reads
            failed.append(f"{name}: {fences} of 2 fences behind its loads")
    for name in ATOMIC:
        if not has_behind(amo[name], lambda i: re.match(r"stlxr", i), r"dmb ish$"):
            failed.append(f"{name}: no fence between its exclusive store and its return")
    print("\n".join(failed) or f"{len(READERS) + len(ATOMIC)} routines have their fences")
    sys.exit(1 if failed else 0)


main()
