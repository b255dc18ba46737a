# SPDX-License-Identifier: BSD-3-Clause
"""What the interface tests share: the specification's tables, and the compilers of this machine."""
import csv
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

C_TYPES = {
    "float": "float", "double": "double", "longdouble": "long double", "char": "char",
    "schar": "signed char", "short": "short", "int": "int", "long": "long",
    "longlong": "long long", "uchar": "unsigned char", "ushort": "unsigned short",
    "uint": "unsigned int", "ulong": "unsigned long", "ulonglong": "unsigned long long",
    "int8": "int8_t", "int16": "int16_t", "int32": "int32_t", "int64": "int64_t",
    "uint8": "uint8_t", "uint16": "uint16_t", "uint32": "uint32_t", "uint64": "uint64_t",
    "size": "size_t", "ptrdiff": "ptrdiff_t",
    "complexf": "float _Complex", "complexd": "double _Complex",
}
# The same type under the name that has no typedef, on LP64.
NATIVE = {
    "int8": "schar", "int16": "short", "int32": "int", "int64": "long", "uint8": "uchar",
    "uint16": "ushort", "uint32": "uint", "uint64": "ulong", "size": "ulong", "ptrdiff": "long",
}


def table(name):
    with open(HERE / "spec" / f"{name}.tsv", encoding="ascii") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def compilers(language):
    """Paths of gcc and clang for "c" or "c++", as far as they are here."""
    names = {"c": ("gcc", "clang"), "c++": ("g++", "clang++")}[language]
    found = [path for path in map(shutil.which, names) if path]
    if not found:
        sys.exit(f"no compiler for {language} was found")
    return found


def compile_text(text, compiler, options, include, output=None):
    """Compiles text from standard input; returns what the compiler said, "" when it was happy."""
    language = "c++" if "++" in Path(compiler).name else "c"
    command = [compiler, "-x", language, "-I", str(include), "-DSHMEM_NO_DEPRECATED", *options, "-"]
    command += ["-c", "-o", str(output)] if output else ["-fsyntax-only"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300)
    return "" if done.returncode == 0 else done.stderr or f"{compiler} failed"
