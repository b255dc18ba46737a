#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every form of every type-generic name compiles without a warning for every type, has the result
type of the specification, and calls the routine of the right type.

Each call is a function of its own section in one generated file; the section's relocations say
what it calls. In C the names are macros of C11, in C++ they are overloads."""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from toolbox import C_TYPES, NATIVE, compile_text, compilers, table

# The first takes every call, by the first compiler; the later ones, which add nothing to these rules, and the other
# compiler, every fifth, unless --all is given.
STANDARDS = {"c": ["c11", "c17"], "c++": ["c++11", "c++17", "c++20"]}
# -O1 calls the routine from the call's own section, as -O2 does, in two thirds of the time.
OPTIONS = ["-O1", "-ffunction-sections", "-fno-lto", "-fPIC", "-Wall", "-Wextra", "-pedantic",
           "-Werror"]
# The specification's names with one form and no list of types, and C functions of these names.
# What Sheaf's waits and tests on sets of variables take besides the specification's types.
SHORTS = ["short", "ushort"]
UNTYPED = [
    ("shmem_sync(team)", "shmem_team_sync"),
    ("shmem_sync(number, number, number, sync)", "shmem_sync"),
    ("shmem_signal_add(ctx, sig, value, number)", "shmem_ctx_signal_add"),
    ("shmem_signal_add(sig, value, number)", "shmem_signal_add"),
    ("shmem_signal_set(ctx, sig, value, number)", "shmem_ctx_signal_set"),
    ("shmem_signal_set(sig, value, number)", "shmem_signal_set"),
]
HEAD = """#include <shmem.h>
#ifdef __cplusplus
#include <type_traits>
#define RESULT(TYPE, call) \\
    static_assert(std::is_same<TYPE, decltype(call)>::value, "type of the result"); (void)(call)
#define USE extern "C" void
#define ANY(N) void N()
#else
#define RESULT(TYPE, call) \\
    _Static_assert(__builtin_types_compatible_p(TYPE, __typeof__(call)), "type of the result"); \\
    (void)(call)
#define USE void
#define ANY(N) void N(void)
#endif
shmem_ctx_t ctx; shmem_team_t team; int number; size_t size; ptrdiff_t stride; uint64_t value;
uint64_t *sig; long *sync; int *status; size_t *indices; const int *const_status;
"""


class Call:
    """One call in the generated file: its text, and the routines it may turn into, in C where that differs."""

    def __init__(self, text, result, accepted, in_c=None):
        self.text, self.result = text, result
        self.accepted = {True: in_c or accepted, False: accepted}


def native(name):
    return NATIVE.get(name, name)


def argument(parameter, name, variant):
    """An expression for one parameter. Variant 1 has arrays, literals and no const."""
    words = parameter.split()
    if "TYPE" in words:
        if "*" not in parameter:
            return "1" if variant and not name.startswith("complex") else f"scalar_{name}"
        if variant:
            return f"array_{name}"
        return f"const_{name}" if "const" in words else f"pointer_{name}"
    if "shmem_ctx_t" in words:
        return "ctx" if not variant else "SHMEM_CTX_DEFAULT"
    if "shmem_team_t" in words:
        return "team" if not variant else "SHMEM_TEAM_WORLD"
    if "uint64_t" in words:
        return "sig" if "*" in parameter else "value"
    if "status" in parameter:
        return "const_status" if not variant else "status"
    if "indices" in parameter:
        return "indices"
    return {"size_t": "size", "ptrdiff_t": "stride"}.get(words[0], "number")


# C11's forms of old names call what replaces them.
REPLACED = {"fetch": "atomic_fetch", "set": "atomic_set", "cswap": "atomic_compare_swap", "swap": "atomic_swap",
            "finc": "atomic_fetch_inc", "inc": "atomic_inc", "fadd": "atomic_fetch_add", "add": "atomic_add"}


def typed_calls(row, names, known):
    """Once for each type: to a compiler int32_t is int."""
    forms = row["call_forms"].split(" || ")
    names = [name for name in names if native(name) == name or native(name) not in names]
    suffix = row["macro"].removeprefix("shmem_")
    for form in forms:
        context = "ctx_" if form.startswith("shmem_ctx_t") else ""
        for name in names:
            same = [n for n in C_TYPES if native(n) == native(name)]
            accepted = {f"shmem_{context}{n}_{suffix}" for n in same} & known
            in_c = {f"shmem_{n}_{REPLACED[suffix]}" for n in same} & known if suffix in REPLACED else None
            if native(name) == "long":  # in C++ an old C function may be the overload for long
                accepted |= {row["macro"]} & known
            for variant in (0, 1):
                args = ", ".join(argument(p, name, variant) for p in form.split(", "))
                result = row["return_type"].replace("TYPE", f"type_{name}")
                yield Call(f"{row['macro']}({args})", result, accepted, in_c)


def all_calls(known):
    calls = [Call(text, None, {symbol}) for text, symbol in UNTYPED]
    covered = {call.text.split("(")[0] for call in calls}
    for row in table("generics"):
        names = [n for n in (row["typenames"] + "," + row["deprecated_typenames"]).split(",") if n]
        if re.match("shmem_(wait_until|test)_", row["macro"]):
            known |= {f"shmem_{name}_{row['macro'].removeprefix('shmem_')}" for name in SHORTS}
            names += SHORTS
        calls += list(typed_calls(row, names, known))
        if not names and row["macro"] not in covered:
            sys.exit(f"{row['macro']} has no types and no call in this test")
    return calls


def program(calls):
    lines = [HEAD]
    for name, ctype in C_TYPES.items():
        ctype = {"complexf": "sheaf_complexf", "complexd": "sheaf_complexd"}.get(name, ctype)
        lines.append(f"typedef {ctype} type_{name}; type_{name} scalar_{name}, *pointer_{name}, "
                     f"array_{name}[4]; const type_{name} *const_{name};")
    for i, call in enumerate(calls):
        body = call.text if call.result in (None, "void") else f"RESULT({call.result}, {call.text})"
        lines.append(f"USE call_{i}(void);\nANY(call_{i}) {{ {body}; }}")
    return "\n".join(lines) + "\n"


def targets(path):
    """{number of the call: shmem routines its section refers to}"""
    done = subprocess.run(["readelf", "-rW", str(path)], capture_output=True, text=True, check=True)
    found, current = {}, None
    for line in done.stdout.splitlines():
        section = re.match(r"Relocation section '([^']+)'", line)
        if section:
            number = re.search(r"\.text\.call_(\d+)$", section[1])
            current = int(number[1]) if number else None
        elif current is not None:
            found.setdefault(current, set()).update(re.findall(r"\bshmem_\w+", line))
    return found


def check(compiler, standard, include, calls):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "calls.o"
        options = [f"-std={standard}", *OPTIONS, *["-Wc++-compat"] * language_is_c(compiler)]
        said = compile_text(program(calls), compiler, options, include, path)
        if said:
            return [said[:4000]]
        found = targets(path)
    expected = [call.accepted[language_is_c(compiler)] for call in calls]
    return [f"{call.text} calls {sorted(found.get(i, []))}, expected one of {sorted(expected[i])}"
            for i, call in enumerate(calls)
            if len(found.get(i, ())) != 1 or not found[i] <= expected[i]]


def refused():
    """{name: a call of it with data of a type that no family has}"""
    calls = {row["macro"]: row["call_forms"].split(" || ")[0] for row in table("generics") if row["typenames"]}
    calls = {name: "(" + ", ".join("wrong" if "TYPE" in p and "*" in p else argument(p, "int", 1)
                                   for p in form.split(", ")) + ")" for name, form in calls.items()}
    return {**calls, "shmem_signal_add": "(wrong, value, number)",
            "shmem_signal_set": "(wrong, value, number)"}


def refuses(compiler, standard, include):
    """Calls for types that a family does not have must not compile, and the message names them."""
    calls = {**refused(), "shmem_p ": "(ctx, wrong, 1, number)", "shmem_put ": "(&ctx, wrong, size, number)",
             "shmem_signal_set ": "(ctx, wrong, value, number)"}
    lines = [f"USE bad_{i}(void);\nANY(bad_{i}) {{ (void){name}{arguments}; }}"
             for i, (name, arguments) in enumerate(calls.items())]
    limit = "-ferror-limit=0" if "clang" in compiler else "-fmax-errors=0"
    said = compile_text(f"{HEAD}struct wrong {{ int a; }} *wrong;\n" + "\n".join(lines) + "\n",
                        compiler, [f"-std={standard}", limit], include)
    wrong = [f"no message names {name}" for name in calls
             if f"{name.strip()}: unsupported type" not in said]
    messages = len(re.findall(r"error: static.assert.*: unsupported type", said))
    expected = len(calls) if language_is_c(compiler) else len(set(map(str.strip, calls)))
    if messages != expected:
        wrong.append(f"{messages} messages for {expected} calls of unsupported types")
    return wrong


def takes_volatile(compiler, standard, include):
    """Awaited variables may be volatile in C++, as in specification 1.3; in C all may, const too, with a warning."""
    texts = [name + arguments.replace("wrong", "moving", 1).replace("wrong", "(int *)0") for name, arguments in refused().items()
             if language_is_c(compiler) or re.match("shmem_(wait_until|test)", name)]
    texts = [text for text in texts if "put_signal" not in text and "signal_" not in text]
    if language_is_c(compiler):
        texts.append("shmem_g((const volatile int *)moving, number)")
    lines = [f"USE volatile_{i}(void);\nANY(volatile_{i}) {{ (void){text}; }}" for i, text in enumerate(texts)]
    said = compile_text(f"{HEAD}volatile int *moving;\n" + "\n".join(lines) + "\n", compiler,
                        [f"-std={standard}", "-w"], include)
    return [said[:2000]] * bool(said)


def language_is_c(compiler):
    return "++" not in Path(compiler).name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--include", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="every call by every compiler")
    options = parser.parse_args()
    include = options.include
    known = {row["symbol"] for row in table("functions")}
    calls = all_calls(known)
    failed = False
    for language, standards in STANDARDS.items():
        for number, compiler in enumerate(compilers(language)):
            for standard in standards:
                is_whole = standard == standards[0] and (number == 0 or options.all)
                chosen = calls if is_whole else calls[::5]
                wrong = check(compiler, standard, include, chosen)
                wrong += refuses(compiler, standard, include) + takes_volatile(compiler, standard, include)
                print(f"{compiler} -std={standard}: {len(chosen)} calls, {len(wrong)} wrong")
                if wrong:
                    print("\n".join(wrong[:40]))
                failed |= bool(wrong)
    sys.exit(failed)


if __name__ == "__main__":
    main()
