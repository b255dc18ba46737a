# SPDX-License-Identifier: BSD-3-Clause
"""The files that the pages name are there, and figures that a command prints are what it prints. (Those of the benchmarks
have data beside them, and bench/figures.) Arguments: the source tree, the build, a folder to work in."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE, BUILD, WORK = (pathlib.Path(word) for word in sys.argv[1:4])
PAGES = sorted(page for pattern in ("*.md", "docs/**/*.md", "src/**/*.md", "apps/**/*.md", "tests/**/*.md", "bench/**/*.md", "tools/**/*.md", "addons/**/*.md", "bindings/**/*.md")
               for page in SOURCE.glob(pattern))
FOLDERS = "src|tools|tests|bench|scripts|docs|apps|cmake|include|examples|addons|bindings"
NAMED = re.compile(rf"`((?:{FOLDERS})/[\w./*+-]+)`")
SHELL = re.compile(r"^```(?:sh|console)\n(.*?)^```$", re.M | re.S)
DATA = re.compile(r"(?<![\w/.$*-])((?:[\w.-]+/)*[\w-]+\.(?:mtx|png|csv|tune|json|tsv))\b")
MADE = r"(?:-o|-m|-s|>|--output|--json|--html|--write)[ =]?\S*{}"


def short(page):
    return page.relative_to(SOURCE)


class Pages(unittest.TestCase):
    def test_paths(self):
        """Each path of the tree, in backticks: a file, a folder, several, or one without its ending."""
        looked_at, missing = 0, []
        for page in PAGES:
            for path in NAMED.findall(page.read_text()):
                looked_at += 1
                if not any(True for root in (SOURCE, page.parent) for end in ("", ".*")
                           for _found in root.glob(path.rstrip("/") + end)):
                    missing.append(f"{short(page)}: {path}")
        self.assertGreater(looked_at, 100)
        self.assertEqual(missing, [])

    def test_data(self):
        """A data file of a command comes with the tree, or the page makes it."""
        missing = []
        for page in PAGES:
            text = "".join(SHELL.findall(page.read_text()))
            for name in DATA.findall(text):
                made = re.search(MADE.format(re.escape(name)), text)
                if not made and not any((root / name).exists() for root in (SOURCE, page.parent)):
                    missing.append(f"{short(page)}: {name}")
        self.assertEqual(missing, [])

    def test_figures_shown(self):
        """No picture that no page shows."""
        text = "".join(page.read_text() for page in PAGES)
        kept = [path.name for path in (SOURCE / "docs/measured/figures").iterdir()]
        self.assertEqual([name for name in kept if name not in text], [])


class Memory(unittest.TestCase):
    def test_table(self):
        """docs/understand/memory.md's first table, within a third: pages and libc differ between machines; shares differ with the other
        programs that have libc mapped. Page tables behind accesses differ between kernels (64 PEs: 756 and 1,096 KiB): a half."""
        program = WORK / "memory"
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run([BUILD / "bin/oshcc", SOURCE / "bench/node/memory.c", "-o", program], check=True, timeout=60)
        page = (SOURCE / "docs/understand/memory.md").read_text()
        rows = {int(row[0]): row[1:] for row in (line.strip("| ").split(" | ") for line in page.splitlines()) if row[0].isdigit() and len(row) == 6}
        for pes in 2, 64:
            said = subprocess.run([BUILD / "bin/oshrun", "-n", str(pes), program], check=True, timeout=60,
                                  capture_output=True, text=True).stdout
            tables, resident, _share, tables_after, _resident, _share_after = map(int, re.findall(r"(\d+) KiB", said))
            for name, got, written in zip(("page tables", "page tables after", "resident"), (tables, tables_after, resident),
                                          rows[pes]):
                number, unit = written.replace(",", "").split()
                expected = float(number) * {"KiB": 1, "MiB": 1024}[unit]
                within = expected / (2 if name == "page tables after" else 3)
                self.assertLess(abs(got - expected), within, f"{pes} PEs, {name}: {got} KiB, and the page has {written}")


if __name__ == "__main__":
    os.environ.pop("SHMEM_SYMMETRIC_SIZE", None)
    unittest.main(argv=sys.argv[:1], verbosity=2)
