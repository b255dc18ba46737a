#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the inline forms compile to. For every routine of the specification that should have one, a
function that only calls it is compiled by each C compiler here, and every fifth, and what generic names choose, by the C++
compilers, to which the forms are the same functions: the library must appear in it as the
pshmem_ routine, for the slow way, and nowhere else; on x86-64 the way that is taken on a node, read
off the disassembly, must end in a return without a call."""
import argparse
import csv
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE.parent / "interface" / "spec" / "functions.tsv"
SIZED = r"(put|get)(8|16|32|64|128|mem)(_nbi)?"
TYPED = r"[a-z]+\d*_(p|g|(put|get)(_nbi)?|atomic_\w+|fetch|set|c?swap|f?inc|f?add)"
OTHERS = r"my_pe|n_pes|ptr|fence|quiet"
INLINE = re.compile(rf"shmem_(ctx_)?({SIZED}|{TYPED}|{OTHERS})")
NOT_INLINE = {"shmem_signal_fetch", "shmem_signal_set", "shmem_signal_add",
              "shmem_ctx_signal_set", "shmem_ctx_signal_add"}
# The longest way, a copy of 64 bytes included, with a few to spare.
MOST_INSTRUCTIONS = 28
COMPILERS = [("gcc", "c"), ("clang", "c"), ("g++", "c++"), ("clang++", "c++")]
# Type-generic names: C11 and C++ choose the routine, whose inline form it must be.
GENERIC = {
    "shmem_p": "void|long *dest, long value, int pe",
    "shmem_g": "long|const long *source, int pe",
    "shmem_put": "void|long *dest, const long *source, size_t nelems, int pe",
    "shmem_get": "void|long *dest, const long *source, size_t nelems, int pe",
    "shmem_atomic_fetch": "long|const long *source, int pe",
    "shmem_atomic_set": "void|long *dest, long value, int pe",
    "shmem_atomic_add": "void|shmem_ctx_t ctx, long *dest, long value, int pe",
    "shmem_atomic_swap": "long|shmem_ctx_t ctx, long *dest, long value, int pe",
    "shmem_atomic_compare_swap": "long|long *dest, long cond, long value, int pe",
    "shmem_atomic_fetch_xor": "unsigned long|unsigned long *dest, unsigned long value, int pe",
}


def routines():
    with open(TABLE, encoding="ascii") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [row for row in rows
            if INLINE.fullmatch(row["symbol"]) and row["symbol"] not in NOT_INLINE]


def caller(row):
    """A function around a call, with the constants that an inline form asks for."""
    parameters, arguments = [], []
    for parameter in row["parameters"].split(", "):
        name = re.search(r"\w+$", parameter)[0]
        if parameter == "void":
            continue
        if name == "ctx":
            arguments.append("SHMEM_CTX_DEFAULT")
        elif name == "nelems":
            arguments.append("1")
        else:
            parameters.append(parameter)
            arguments.append(name)
    call = f"{row['symbol']}({', '.join(arguments)});"
    result = "" if row["return_type"] == "void" else "return "
    return (f"{row['return_type']} call_{row['symbol']}({', '.join(parameters) or 'void'});\n"
            f"{row['return_type']} call_{row['symbol']}({', '.join(parameters) or 'void'})\n"
            f"{{\n    {result}{call}\n}}\n")


def compile_callers(compiler, language, include, text, output):
    command = [compiler, "-x", language, "-O2", "-fPIE", "-DSHEAF_INLINE", "-Wall", "-Wextra",
               "-Werror", "-DSHMEM_NO_DEPRECATED", "-I", str(include), "-c", "-o", str(output), "-"]
    subprocess.run(command, input=text, text=True, check=True, timeout=300)


def symbols(output):
    """Names of routines in an object file: functions of the library, and overloads left as such."""
    done = subprocess.run(["nm", str(output)], capture_output=True, text=True, check=True)
    words = [line.split()[-2:] for line in done.stdout.splitlines()]
    return {name for kind, name in words if "call_" not in name
            and ("shmem" in name or kind == "U" and name.startswith("sheaf_"))}


# Compilers stop inlining in functions that grow large, unless told otherwise.
LARGE = """
void call_many(long *a, int pe);
void call_many(long *a, int pe)
{
""" + "    shmem_p(a, 1L, pe); shmem_atomic_add(a, 1L, pe); shmem_put(a, a + 8, 1, pe);\n" * 300 + "}\n"


def functions(output):
    """{name: instructions} of what call_... compiled to; an instruction is (operation, rest)."""
    done = subprocess.run(["objdump", "-d", "--no-show-raw-insn", str(output)],
                          capture_output=True, text=True, check=True)
    found, current = {}, None
    for line in done.stdout.splitlines():
        begin = re.match(r"[0-9a-f]+ <(\w+)>:", line)
        if begin:
            current = found.setdefault(begin[1], [])
        elif current is not None and "\t" in line:
            words = line.split("\t")[-1].split(None, 1)
            if words:
                current.append((words[0], words[1] if len(words) > 1 else ""))
    return found


def fast_way(instructions):
    """The instructions when no conditional jump is taken; None when that way leaves the function."""
    way = []
    for operation, rest in instructions:
        way.append(operation)
        if operation.startswith("ret"):
            return way
        if operation in ("call", "jmp"):
            return None
    return None


def check(compiler, language, include, rows, folder):
    text = "#include <shmem.h>\n"
    if language == "c++":
        text += 'extern "C" {\n'
    rows = rows + [dict(zip(("symbol", "return_type", "parameters"), (name, *form.split("|"))))
                   for name, form in GENERIC.items()]
    text += "".join(map(caller, rows)) + LARGE + ("}\n" if language == "c++" else "")
    output = Path(folder) / f"{compiler}.o"
    compile_callers(compiler, language, include, text, output)
    expected = {"p" + row["symbol"] for row in rows if row["symbol"] not in GENERIC}
    expected |= {"sheaf_inline_attach", "sheaf_inline_detach"}
    wrong = [f"{compiler}: {name} is called" for name in sorted(symbols(output) - expected)]
    wrong += [f"{compiler}: {name} is not the slow way of anything"
              for name in sorted(expected - symbols(output))]
    if platform.machine() != "x86_64":
        return wrong, 0
    bodies, longest = functions(output), 0
    for row in rows:
        way = fast_way(bodies["call_" + row["symbol"]])
        if way is None:
            wrong.append(f"{compiler}: {row['symbol']}: a call on the way that is taken on a node")
            continue
        longest = max(longest, len(way))
        if len(way) > MOST_INSTRUCTIONS:
            wrong.append(f"{compiler}: {row['symbol']}: {len(way)} instructions: {' '.join(way)}")
    return wrong, longest


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include", type=Path, required=True)
    include = parser.parse_args().include
    rows = routines()
    print(f"{len(rows)} routines should have inline forms")
    wrong = [] if len(rows) > 600 else ["the table of functions lacks some"]
    with tempfile.TemporaryDirectory() as folder:
        for compiler, language in COMPILERS:
            if shutil.which(compiler):
                few = rows if language == "c" else [row for number, row in enumerate(rows)
                                                    if number % 5 == 0 or "long_" in row["symbol"]]
                more, longest = check(compiler, language, include, few, folder)
                wrong += more
                print(f"{compiler}: at most {longest} instructions")
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
