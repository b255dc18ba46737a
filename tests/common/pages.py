# SPDX-License-Identifier: BSD-3-Clause
"""A page's small programs do what it says: a block of text is what the block of C or of sh before it says.

PAGES_CHAOS is SHEAF_CHAOS of all that runs.

As a script: a block of a program, or of a file for a build system, is a file that the comment in its first line names
(/* ring.c */, // ring.cpp, ! ring.f90, # ring.py, # CMakeLists.txt); blocks of sh are run one after another, all in one
folder; a block of text is all that the commands say, in this order. "..." stands for what differs. A page may show in
blocks of another kind (console) what needs machines that are not here; lines that PEs print in any order it shows by
"| sort". A comment <!-- needs: TOOL ... --> before a block of sh leaves it out, and its text, where a command (or, as
import:NAME, a module of Python, or as PMIx oshrun's part that starts programs of Open MPI) is missing, which is said.
Arguments: the page, the build, a folder.
tests/mpi/test_page.py runs each block of C by itself."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

TIMEOUT_S = 60 * int(os.environ.get("TEST_PATIENCE", "1"))
TOOLS = ":".join(filter(None, (os.environ.get("PAGES_PATH"), os.environ["PATH"]))) # PAGES_PATH: of Python with NumPy
FILES = "c", "cpp", "fortran", "python", "cmake", "make", "meson", "toml", "ini"
BLOCK = re.compile(rf"^```({'|'.join(FILES)}|sh|text)\n(.*?)^```$", re.M | re.S)
NEEDS = re.compile(r"^<!-- needs: ([^\n>]+) -->\n+(```sh\n.*?^```\n(?:\n*```text\n.*?^```\n)?)", re.M | re.S)
NAME = re.compile(r"(?:/\*|//|!|#) ([\w.-]+\.\w+|Makefile(?:\.\w+)?|meson\.build|configure\.ac)\b")


def pattern(line):
    """A page may leave out the id at a message's end. Built without libdw a race names a variable, and not which element."""
    if os.environ.get("PAGES_MEMBERS") == "0":
        line = re.sub(r"(?<=race on )(\w+)\[[^\]]*\]", r"\1...", line)
    return ".*".join(re.escape(part) for part in line.split("...")) + r"(?: \[SH\d{3}\])?"


def differs(expected, said):
    """Where what was said is not what the page has, in words; None: nowhere. A line may come several times in a row:
    several PEs may say it."""
    wanted = [line for line in expected.splitlines() if line.strip()]
    at = -1
    for line in filter(str.strip, said.splitlines()):
        if at + 1 < len(wanted) and re.fullmatch(pattern(wanted[at + 1]), line):
            at += 1
        elif at < 0 or not re.fullmatch(pattern(wanted[at]), line):
            return f"there came\n    {line}\nand the page has\n    {(wanted[at + 1:] or ['no more'])[0]}"
    return None if at + 1 == len(wanted) else f"this did not come\n    {wanted[at + 1]}"


def run(commands, folder, build):
    # A make that runs the tests is not the page's.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SHEAF_", "SHMEM_", "MAKE", "MFLAGS"))}
    environment["PATH"] = f"{build / 'bin'}:{TOOLS}"
    if "PAGES_CHAOS" in os.environ: # late operations change nothing that a page shows
        environment["SHEAF_CHAOS"] = os.environ["PAGES_CHAOS"]
    done = subprocess.run(["sh", "-c", commands], cwd=folder, env=environment, timeout=TIMEOUT_S, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout


def is_here(tool):
    if tool == "PMIx":
        return os.environ.get("PAGES_PMIX") != "0"
    if not tool.startswith("import:"):
        return shutil.which(tool, path=TOOLS)
    found = subprocess.run(["sh", "-c", f"python3 -c 'import {tool[7:]}'"], env={**os.environ, "PATH": TOOLS}, check=False,
                           stderr=subprocess.DEVNULL)
    return found.returncode == 0


def blocks_of(page):
    """(The page's blocks that can run here, the tools that others need.)"""
    missing = set()

    def leave_out(found):
        gone = {tool for tool in found[1].split() if not is_here(tool)}
        missing.update(gone)
        return "" if gone else found[2]

    text = NEEDS.sub(leave_out, page.read_text())
    return BLOCK.findall(text), sorted(missing)


def check(page, runners, compare=differs):
    """runners: of each kind of block a function of its text, which returns what it said, or None where it only gets
    ready. (Blocks that said something, what is wrong.)"""
    wrong, said, ran = [], None, 0
    block = ""
    blocks, missing = blocks_of(page)
    if missing:
        print("not run: blocks that need", ", ".join(missing))
    for kind, text in blocks:
        if kind in runners:
            block, said = text, runners[kind](text)
            ran += said is not None
        elif kind == "text":
            reason = compare(text, said or "")
            if reason:
                wrong.append(f"{block}{reason}\nAll that was said:\n{said}")
    return ran, wrong


def keep(text, folder):
    name = NAME.match(text)
    assert name, f"a program without a name: {text.splitlines()[0]}"
    (folder / name[1]).write_text(text)


def keep_program(page, name, folder):
    """The path of the page's block of C with that name, now a file of the folder."""
    keep(next(text for kind, text in BLOCK.findall(page.read_text()) if kind == "c" and NAME.match(text)[1] == name), folder)
    return folder / name


def conclude(ran, wrong):
    """The script's exit status."""
    print("\n".join(wrong) or f"{ran} times something was run, and all of it said what the page says")
    return 1 if wrong or ran == 0 else 0


def main():
    page, build, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    if not shutil.which("addr2line"):
        print("skipped: no addr2line, which finds lines of the source (Debian: binutils)")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    blocks, missing = blocks_of(page)
    if missing and "sh" not in dict(blocks):
        print("skipped: every block of sh needs", ", ".join(missing))
        return 77
    runners = dict.fromkeys(FILES, lambda text: keep(text, folder))
    return conclude(*check(page, {**runners, "sh": lambda text: run(text, folder, build)}))


if __name__ == "__main__":
    sys.exit(main())
