# SPDX-License-Identifier: BSD-3-Clause
"""Each listing and each typed line of the book is checked by something, or says why not. Argument: the source tree.

A block of a program, of a file or of commands (sh) on a page that tests/common/pages.py runs is checked there. Of the others

    <!-- from: tests/book/fragments/strided.c -->   above a block: its lines stand in that file, which a test compiles and runs
    <!-- run by: tests/hosts/test_page.py -->       above a block: that file or folder of tests does the same
    <!-- not run: needs Slurm -->                   above a block: nothing does it, for this reason

and lines behind a prompt (console) are typed by scripts/personas, which names page and heading, or have such a comment."""
import collections
import pathlib
import re
import sys
import textwrap

BLOCK = re.compile(r"(?:^ *<!-- (?P<how>from|run by|not run): (?P<what>[^>]+?) -->\n)?"
                   r"^(?P<indent> *)```(?P<kind>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S)
NAME = re.compile(r"(?:/\*|//|!|#) ([\w.-]+\.\w+|Makefile(?:\.\w+)?|meson\.build|configure\.ac)\b")
RUN = {"sh", "c", "cpp", "fortran", "python", "cmake", "make", "meson", "toml", "ini"}
SHOWN = {"text", "", "{toctree}"} # what is printed or drawn
PROMPT = re.compile(r"^ *[\w@:~-]*[$#] ", re.M)
TYPED = re.compile(r"blocks (\S+) ['\"]([^'\"]*)['\"] (\S+)")
# Tests of one page, and the kinds of blocks that they look at.
TESTED = {"README.md": ("book/program, scripts/personas", "sh c"), "docs/do/mpi.md": ("mpi/*/page", "sh c cmake"),
          "docs/contribute/first-change.md": ("book/diffs, scripts/personas", "diff console"),
          "docs/administer/sites.md": ("book/sites", "console"), "docs/do/port-names.md": ("book/cray", "sh c")}
TESTS = re.compile(r"(?:addons/\w+/|bindings/\w+/)?tests\b|scripts/(?:fresh|personas)$|packaging/check$")
MOST_NOT_RUN = 20 # blocks that no machine of the tests can run


def headings(page):
    """(Where it begins, its text) of each."""
    return [(0, "")] + [(found.start(), found[0]) for found in re.finditer(r"^##+ .*", page, re.M)]


def typed_by_personas(root):
    """(page, heading, kind) of the blocks that it types; a heading with a $ stands for several."""
    page, found = "", set()
    for line in (root / "scripts/personas").read_text().splitlines():
        if assigned := re.search(r"\bpage=(docs/\S+\.md)", line):
            page = assigned[1]
        for where, heading, kinds in TYPED.findall(line):
            for kind in kinds.strip("'\")").split("|"):
                found.add((page if where == "$page" else where, heading, kind))
    return found


def is_typed(personas, name, heading, kind):
    return any(page == name and of_kind == kind and (at == heading or ("$" in at and heading.startswith("## ")))
               for page, at, of_kind in personas)


def excerpt_is_missing(root, block):
    """In words; None: its lines stand in the file, one after the other."""
    path = root / block["what"]
    if not path.is_file():
        return f"there is no {block['what']}"
    wanted = [line.strip() for line in textwrap.dedent(block["text"]).splitlines()]
    lines = [line.strip() for line in path.read_text().splitlines()]
    if any(lines[at:at + len(wanted)] == wanted for at in range(len(lines))):
        return None
    return f"these lines do not stand in {block['what']} one after the other"


def is_used(page, block):
    """Whether the page's commands name the block's file, or its name without an ending, or read it by themselves."""
    if block["kind"] == "sh" or not (name := NAME.match(block["text"])):
        return block["kind"] == "sh"
    typed = "\n".join(found["text"] for found in BLOCK.finditer(page) if found["kind"] == "sh")
    return bool(re.search(rf"\b{re.escape(pathlib.Path(name[1]).stem)}\b|\b(?:make|cmake|meson|autoreconf)\b", typed))


def judge(root, name, page, block, personas):
    """(How it is checked, what is wrong or None)"""
    kind = block["kind"]
    heading = [text for at, text in headings(page) if at <= block.start()][-1]
    if block["how"] == "from":
        return f"an excerpt of {pathlib.Path(block['what']).parent}", excerpt_is_missing(root, block)
    if block["how"] == "run by":
        is_test = TESTS.match(block["what"]) and (root / block["what"]).exists()
        return "a test does the same", None if is_test else f"{block['what']} is no file or folder of tests"
    if block["how"] == "not run":
        return f"not run: {block['what']}", None
    if kind in SHOWN or (kind == "console" and not PROMPT.search(block["text"])):
        return "shown", None
    if name.startswith("docs/measured/"):
        return "a bench's own line, beside what it measured", None
    if name in TESTED and kind in TESTED[name][1].split():
        return TESTED[name][0], None
    is_run = re.match(r"docs/(learn|do|administer)/", name) and re.search(r"^```sh$", page, re.M)
    if kind in RUN and not block["indent"] and is_run:
        return "its page is run", None if is_used(page, block) else "no line of sh on this page uses the file"
    if is_typed(personas, name, heading, kind):
        return "scripts/personas", None
    return "nothing", f"nothing checks this block ({kind}): run it, take it from a file, or say why not"


def main():
    root = pathlib.Path(sys.argv[1])
    personas, ways, wrong = typed_by_personas(root), collections.Counter(), []
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md")),
             *sorted((root / "examples").rglob("*.md"))]
    for path in pages:
        page, name = path.read_text(), path.relative_to(root).as_posix()
        if re.search(r"^ *~~~", page, re.M):
            wrong.append(f"{name}: a block begins with ~~~: write three backquotes, which the tests of pages look for")
        for block in BLOCK.finditer(page):
            way, reason = judge(root, name, page, block, personas)
            ways[way] += 1
            if reason:
                wrong.append(f"{name}:{page[:block.start('kind')].count(chr(10)) + 1}: {reason}")
    print("\n".join(wrong))
    for way, count in sorted(ways.items(), key=lambda pair: -pair[1]):
        print(f"{count:5}  {way}")
    not_run = sum(count for way, count in ways.items() if way.startswith("not run"))
    if not_run > MOST_NOT_RUN:
        print(f"{not_run} blocks are not run: {MOST_NOT_RUN} at most")
    return 1 if wrong or not_run > MOST_NOT_RUN or ways["its page is run"] < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
