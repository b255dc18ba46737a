#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every message has an id, and oshinfo --explain knows it.

The texts that the library's functions, addons and commands print are collected from the sources: each begins with an id.
The lines that oshrun prints of a job end with one, and so do those that are written by themselves. Each id that a source has is in the table, each row of the table is printed by
some source, and its page is there.

Arguments: the source tree, oshinfo, oshrun."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT, OSHINFO, OSHRUN = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
PRINTS = re.compile(r"\bsheaf_(?:error|fatal|fatal_placed|error_of_call|warn)\(|\btell\((?=\")")
ID = re.compile(r"SH\d{3}\b")
# oshrun's lines that are no failure: what a report holds, and what oshrun did.
# The same of the other commands and of libraries beside libsheaf: no failures.
FREE = {"races": ("checks OpenSHMEM calls", "%u race%s in all")}
# Where texts that begin with an id are printed: the printer's pattern, the folders, and how the call goes on to the text.
PRINTERS = [(r"\braces_say\(", ["addons/races"]), (r"\bsay\(", ["addons/profile", "tools/oshtune"]),
            (r"\btop_die\(\w+, ", ["tools/oshtop"]), (r"\b(?:die\(\w+, |complain\()", ["tools/oshwhy"])]
# The files that have a line's beginning, "sheaf: ..." or "COMMAND: ...": their lines are the printers' above, or end with an id.
BEGINNINGS = re.compile(r'(?<!"")"(?:\\r\\033\[K)?(?:%s)?(?:sheaf|osh(?:run|top|tune|why|prof|dump|info)): (?!needs Python)((?:[^"\\]|\\.)*)"')
NEWS = ("stacks", "frames of Python", "Python:", "job of", "because PE", "could not read", "%s", "memory of %d PE", "not bound",
        "host %s:", "needs gdb", "Open MPI 4's")


def first_argument(text, start):
    """The source of a call's first argument: up to a comma or a parenthesis outside of all brackets and texts."""
    depth, at = 0, start
    while depth or text[at] not in ",)":
        if text[at] == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        depth += (text[at] in "([{") - (text[at] in ")]}")
        at += 1
    return text[start:at]


def texts(argument):
    """The texts of an argument: one, or both of a choice; pieces that follow each other are one."""
    return re.findall(r'"((?:[^"\\]|\\.)*)"', re.sub(r'"\s*"', "", argument))


def sources(*folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            yield path, path.read_text()


def explain(*words):
    return oshinfo("--explain", *words)


def oshinfo(*words):
    return subprocess.run([OSHINFO, *words], capture_output=True, text=True, timeout=30)


def rows():
    titles, *lines = (line.split("\t") for line in oshinfo("--explain=tsv").stdout.splitlines())
    return {line[0]: dict(zip(titles, line)) for line in lines}


class Ids(unittest.TestCase):
    def test_every_message_of_the_library_begins_with_an_id_of_the_table(self):
        known, count = rows(), 0
        for path, text in sources("src"):
            if path.name in ("log.c", "log.h", "layer.c"): # layer.c: the caller's id
                continue
            for call in PRINTS.finditer(text):
                found = texts(first_argument(text, call.end()))
                self.assertTrue(found, (path, text[call.start():call.end() + 60]))
                for message in found[:1] if "?" not in first_argument(text, call.end()).replace(found[0], "") else found:
                    count += 1
                    self.assertRegex(message, r"^SH\d{3} ", path)
                    self.assertIn(message[:5], known, path)
        self.assertGreater(count, 250)

    def test_every_line_of_bindings_has_an_id_of_the_table(self):
        known, count = rows(), 0
        for path, text in sources("bindings"):
            if "/tests/" not in str(path):
                for found in re.findall(r"\bp?shmemx_fail\((.*?),", text):
                    count += 1
                    self.assertIn(found.strip('"'), known, path)
        self.assertGreater(count, 0)

    def test_every_line_of_oshrun_ends_with_an_id_of_the_table(self):
        known, count = rows(), 0
        for path, text in sources("tools/oshrun/supervise"):
            for line in re.findall(r'"(oshrun: (?:[^"\\]|\\.)*\\n)"', re.sub(r'"\s*\n\s*"', "", text)):
                if not any(word in line for word in NEWS):
                    count += 1
                    self.assertRegex(line, r" \[SH\d{3}\]\\n$", path)
        for path, text in sources("tools/oshrun", "src/boot/job_report"):
            for found in re.findall(r'"[^"\n]*(SH\d{3})\b', text):
                self.assertIn(found, known, path)
        self.assertGreater(count, 6)

    def test_every_line_of_addons_and_commands_begins_with_an_id_of_the_table(self):
        known, count = rows(), 0
        for printer, folders in PRINTERS:
            for path, text in sources(*folders):
                for call in re.finditer(printer + r'(?=")', text):
                    argument = first_argument(text, call.end())
                    message = texts(argument)[0]
                    if any(message.startswith(free) for free in FREE.get(path.parent.name, ())):
                        continue
                    count += 1
                    self.assertRegex(message, r"^SH\d{3} ", path)
                    self.assertIn(message[:5], known, path)
        self.assertGreater(count, 30)

    def test_every_line_of_commands_in_python_has_an_id_of_the_table(self):
        known, count = rows(), 0
        for folder, call in (("oshprof", " die("), ("oshdump", "raise Problem(")):
            for path in sorted((ROOT / "tools" / folder).rglob("*.py")):
                for rest in path.read_text().replace("def die(", "").split(call)[1:]:
                    count += 1
                    found = re.search(r', "(SH\d{3})"\)(?: from None)?\n', rest)
                    self.assertTrue(found and found[1] in known, (path, rest[:80]))
        self.assertGreater(count, 40)

    def test_a_command_line_that_a_command_in_python_refuses_is_one_line(self):
        for name in ("oshprof", "oshdump"):
            for words in ([], ["--nosuch"], ["--nosuch", "x", "y"]):
                done = subprocess.run([Path(OSHINFO).with_name(name), *words], capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, rf"^{name}: name .*; {name} --help says more \[SH951\]\n$" if not words else
                                 rf"^{name}: unknown option --nosuch; {name} --help lists them \[SH951\]\n$")

    def test_every_line_of_compiler_commands_has_an_id_of_the_table(self):
        known, text = rows(), (ROOT / "tools/oshcc/oshcc.in").read_text()
        calls = re.findall(r"(?<![\w-])fail (\S+) ", text)
        self.assertGreater(len(calls), 15)
        for found in calls:
            self.assertIn(found, known)
        self.assertEqual(re.findall(r"^.*(?<!\d)>&2.*", text, re.M), ['    echo "@SHEAF_WRAPPER@: error: $2 [$1]" >&2'])

    def test_no_other_file_begins_a_line(self):
        """Who writes "sheaf: " by itself ends the line with an id, or is one of the printers."""
        printers = {"src/base/log.c", "addons/races/state.c", "addons/races/report.c", "addons/profile/start.c", "tools/oshtop/die.c",
                    "tools/oshwhy/main.c", "tools/oshtune/main.c", "bindings/armci/process.c", "tools/oshprof/oshprof/command.py",
                    "tools/oshdump/oshdump/command.py"}
        # A comment; news of oshrun; a report; further lines of a message.
        outside = {"src/base/log.h", "tools/common/own_name.c", "src/boot/job_report/tell.c", "src/core/pe/mpi_world.c",
                   "src/report/report.h", "src/report/take.c"}
        paths = [path for path, _ in sources("src", "addons", "tools", "bindings")]
        paths += [path for folder in ("tools", "bindings") for path in sorted((ROOT / folder).rglob("*.py"))]
        found = set()
        for path in paths:
            name = str(path.relative_to(ROOT))
            if "/tests/" in name or name.startswith("tools/oshrun/") or name == "tools/oshinfo/messages.c":
                continue
            for line in BEGINNINGS.findall(re.sub(r'"\s*\n\s*"', "", path.read_text())):
                found.add(name)
                if name not in printers:
                    self.assertTrue(re.search(r" \[SH\d{3}\](\\n)?$", line) or name in outside, (name, line))
        self.assertLessEqual(printers, found)

    def test_every_row_is_whole_and_printed_somewhere(self):
        used = {found for _, text in sources("src", "tools/oshrun", "tools/oshtop", "tools/oshwhy", "tools/oshtune", "addons", "bindings")
                for found in ID.findall(text)}
        used |= {found for folder in ("tools/oshdump", "tools/oshprof", "bindings/python/sheafshmem") for path in (ROOT / folder).rglob("*.py")
                 for found in ID.findall(path.read_text())}
        used |= set(ID.findall((ROOT / "tools/oshcc/oshcc.in").read_text()))
        for id, row in rows().items():
            with self.subTest(id=id):
                self.assertRegex(id, r"^SH\d{3}$")
                self.assertTrue(all(row.values()) and len(row) == 5)
                self.assertIn(id, used)
                page = row["page"]
                self.assertTrue((ROOT / "docs" / f"{page}.md").is_file() or page == "reference/variables", page)
        self.assertGreater(len(rows()), 80)
        self.assertEqual(sorted(rows()), list(rows()))


class Explain(unittest.TestCase):
    def test_by_id_by_line_and_by_words(self):
        for text in ("SH101", "sh101", "sheaf: PE 3: error: shmem_put: PE 9 is out of range; called at x.c:3 [SH101]"):
            said = explain(text)
            self.assertEqual(said.returncode, 0)
            self.assertRegex(said.stdout, r"^SH101  .*\n  cause:  .*\n  remedy: .*\n  page:   .*\n$")
        self.assertRegex(explain("not symmetric").stdout, r"(?m)^SH102 ")

    def test_without_argument_all_are_listed(self):
        listed = explain().stdout.splitlines()
        self.assertEqual([line.split()[0] for line in listed], list(rows()))

    def test_what_is_none_is_refused(self):
        for text in ("SH000", "no such words", ""):
            said = explain(text)
            self.assertEqual((said.returncode, said.stdout), (1, ""))
            self.assertIn("oshinfo --explain lists all", said.stderr)

    def test_a_line_of_a_job_is_explained(self):
        for command in ([OSHRUN, "-n", "2", "sh", "-c", "exit 3"], [OSHRUN, "-n", "1", "./no-such-program"],
                        [OSHRUN, "--timeout", "x", "true"]):
            line = subprocess.run(command, capture_output=True, text=True, timeout=60).stderr.splitlines()[-1]
            self.assertRegex(line, r" \[SH9\d\d\]$")
            self.assertEqual(explain(line).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
