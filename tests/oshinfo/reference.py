#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of variables says what is read: a value that it lists is taken, another is refused. Each page that it names
is there and speaks of the variable, and the printed reference has every row.

Arguments: the source tree, oshinfo, a folder to work in."""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT, OSHINFO, WORK = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith(("SHEAF_", "SHMEM_", "SMA_"))}


def oshinfo(*options, **settings):
    return subprocess.run([OSHINFO, *options], env={**ENVIRONMENT, **settings}, capture_output=True, text=True, timeout=30)


def rows():
    titles, *lines = (line.split("\t") for line in oshinfo("--settings=tsv").stdout.splitlines())
    return [dict(zip(titles, line)) for line in lines]


def is_taken(name, value):
    """oshinfo --pace reads all variables, as a job does."""
    return oshinfo("--pace", **{name: value}).returncode == 0


class Variables(unittest.TestCase):
    def setUp(self):
        self.rows = rows()

    def test_rows_are_whole(self):
        self.assertGreater(len(self.rows), 50)
        for row in self.rows:
            self.assertTrue(all(row[title] for title in ("name", "type", "since", "help")), row)
            self.assertEqual(len(row), 8, row)

    def test_values_that_are_listed_are_taken_and_others_refused(self):
        for row in self.rows:
            name, kind, values = row["name"], row["type"], row["values"]
            with self.subTest(name=name):
                if kind == "name":
                    for value in values.split(", "):
                        self.assertTrue(is_taken(name, value), value)
                    self.assertIn(row["default"], values.split(", "))
                elif kind == "names":
                    self.assertTrue(is_taken(name, values.split(": ")[1].replace(", ", ",")))
                elif kind == "seconds":
                    self.assertTrue(is_taken(name, "0.5"))
                if "off" in re.split(", | or ", values) and kind != "number":
                    for value in ("off", "0", "no", "none"):
                        self.assertTrue(is_taken(name, value), value)
                if "on" in values.split(", ") and kind != "number":
                    self.assertTrue(is_taken(name, "1") and is_taken(name, "yes"))
                if kind in ("name", "names", "seconds", "size"):
                    self.assertFalse(is_taken(name, "nonsense"))
                    self.assertIn(name, oshinfo("--pace", **{name: "nonsense"}).stderr)

    def test_numbers(self):
        for name, good, bad in (("SHEAF_COPIER", ("off", "64"), ("65", "-1", "x")), ("SHEAF_CHAOS", ("off", "0", "7"), ("-1", "x")),
                                ("SHMEM_SYMMETRIC_SIZE", ("512m", "1.5G"), ("off", "1x"))):
            for value in good:
                self.assertTrue(is_taken(name, value), (name, value))
            for value in bad:
                self.assertFalse(is_taken(name, value), (name, value))

    def test_pages_speak_of_the_variable(self):
        for row in self.rows:
            if row["page"]:
                page = (ROOT / "docs" / f"{row['page']}.md").read_text()
                self.assertIn(row["name"].replace("SHMEM_BARRIER_A", "SHMEM_*_A"), page.replace("SHMEM_BARRIER_A", "SHMEM_*_A"),
                              row["page"])


class Printed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([sys.executable, ROOT / "scripts/print-settings", "--oshinfo", OSHINFO, "--man", WORK, "--book", WORK],
                       check=True, timeout=60)

    def test_every_variable_and_constant_is_in_both(self):
        man, page = (WORK / "sheaf.7").read_text(), (WORK / "variables.md").read_text()
        names = re.findall(r"(?m)^([a-z]\w+) ", oshinfo("--pace").stdout)
        self.assertGreater(len(names), 100)
        for row in rows():
            self.assertIn(row["name"], page)
            if row["type"] != "internal":
                self.assertIn(f".B {row['name']}\n", man)
                self.assertIn(f"### {row['name']}\n", page)
        for name in names:
            self.assertIn(f".B {name}\n", man)
            self.assertIn(f"| `{name}` |", page)

    def test_the_manual_page_is_well_formed(self):
        man = (WORK / "sheaf.7").read_text()
        self.assertRegex(man, r"(?m)^\.SH NAME\nsheaf \\- ")
        for line in man.splitlines():
            self.assertRegex(line, r"^([^.']|\.(\\\"|TH|SH|TP|PP|B|BR|I|EX|EE|br)( |$))", line)

    def test_every_option_of_a_command_is_in_its_page(self):
        index, count = (WORK / "commands/index.md").read_text(), 0
        for man in sorted((ROOT / "docs/man").glob("*.1")):
            text = man.read_text()
            if text.startswith(".so "):
                continue
            self.assertIn(f"({man.stem}.md)", index)
            page = (WORK / "commands" / f"{man.stem}.md").read_text()
            self.assertNotRegex(page, r"(?m)^\.[A-Z]|\\\\f[A-Z]|\\\\-")
            for option in re.findall(r"--[a-z][a-z-]*", text.replace("\\-", "-")):
                count += 1
                self.assertIn(option, page)
        self.assertGreater(count, 100)

    def test_every_message_is_in_the_page(self):
        page = (WORK / "messages.md").read_text()
        for line in oshinfo("--explain").stdout.splitlines():
            self.assertIn(f"### {line.split()[0]}\n", page)
        shown = oshinfo("--explain", "SH101").stdout
        self.assertTrue(shown and shown in page, shown)

    def test_links_of_the_pages_lead_to_pages(self):
        for name in "variables.md", "messages.md":
            links = re.findall(r"\]\(([^)#]+)\)", (WORK / name).read_text())
            self.assertGreater(len(links), 40)
            for link in links:
                self.assertTrue((ROOT / "docs/reference" / link).is_file() or (WORK / link).is_file(), link)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
