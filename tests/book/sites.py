# SPDX-License-Identifier: BSD-3-Clause
"""What docs/administer/sites.md quotes is there: messages and lines of oshinfo in the sources' strings, settings, options, and
packages. Arguments: the source tree, the folder of the commands."""
import pathlib
import re
import subprocess
import sys

LITERALS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
BOX = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
PACKAGE = re.compile(r"\b(?:lib[a-z]+(?:\d+|-dev)|mpich|openmpi-bin|slurm-client|ibverbs-providers)\b(?!\.)")
LEAST = 60  # what a page of this size quotes at least


def strings(source):
    """All string literals of library and commands, those that the compiler joins as one."""
    found = []
    for folder in ("src", "tools", "addons", "bindings"):
        for path in sorted((source / folder).rglob("*.[ch]")):
            for literal in LITERALS.findall(path.read_text()):
                found.append("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literal)))
    return "\n".join(found)


def quotes(page):
    """Lines of boxes that commands print, without those that are typed, and the first column of tables of what stands there instead."""
    for kind, text in BOX.findall(page):
        yield from (line for line in text.splitlines() if not line.startswith("$ ")) if kind == "console" else ()
    for row in re.findall(r"^\| (`.*?`) \|", page, re.M):
        yield from re.findall(r"`([^`]*)`", row)


def pieces(quote):
    """The parts of a line that stand in the sources as they are."""
    quote = re.sub(r"^(wrong|note): ", "", quote)
    return [piece.strip() for piece in re.split(r"\.\.\.|: |; |\s{2,}", quote) if piece.strip()]


def options_of(folder, command):
    said = subprocess.run([folder / command, "--help"], capture_output=True, text=True, check=True, timeout=30).stdout
    return set(re.findall(r"--[\w-]+", said))


def options(page, command):
    """Those that stand behind a command, up to its program's name."""
    for line in re.findall(rf"\b{command} ([^`\n]*)", page):
        for word in line.split():
            if word.startswith("--"):
                yield word.split("=")[0]
            elif word.startswith("./"):
                break


def main():
    source, commands = (pathlib.Path(argument) for argument in sys.argv[1:3])
    page, known = (source / "docs/administer/sites.md").read_text(), strings(source)
    said = subprocess.run([commands / "oshinfo"], capture_output=True, text=True, check=True, timeout=30).stdout
    setup = (source / "scripts/setup").read_text()
    wanted = [(piece, known, "a message") for quote in quotes(page) for piece in pieces(quote)]
    wanted += [(name, said, "a setting") for name in set(re.findall(r"\bSH(?:EAF|MEM)_[A-Z_]+\b", page))]
    wanted += [(name, known, "a setting of a network") for name in set(re.findall(r"\b(?:UCX|FI)_[A-Z_]+\b", page))]
    for command in ("oshrun", "oshinfo"):
        wanted += [(option, options_of(commands, command), f"an option of {command}") for option in options(page, command)]
    wanted += [(name, setup + known, "a package") for name in set(PACKAGE.findall(page))]
    wrong = [f"{what}: {text}" for text, places, what in wanted if text not in places]
    print("\n".join(["not there: " + line for line in wrong] + [f"{len(wanted)} looked for, {len(wrong)} not there"]))
    return 1 if wrong or len(wanted) < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
