# SPDX-License-Identifier: BSD-3-Clause
"""Every public routine and every command has a manual page with all its sections, and man and whatis read it without a
complaint. Arguments: the source tree, the build, a folder."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

SOURCE, BUILD, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
PAGES = BUILD / "man/man3"
COMMANDS = sorted((SOURCE / "docs/man").glob("*.1"))
COMMAND_SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
OPTION = re.compile(r"(?:^|[ ,\[|(])(--[a-z][a-z-]+)", re.M)
SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "RETURN VALUE", "ERRORS", "HISTORY", "SEE ALSO"]


def target(path):
    match = re.match(r"\.so man3/(\S+)\n$", path.read_text())
    return PAGES / match[1] if match else path


class Routines(unittest.TestCase):
    def test_nothing_is_missing(self):
        done = subprocess.run([SOURCE / "scripts/print-reference", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_symbol(self):
        names = set()
        for header in "shmem.h", "shmemx.h", "shmemx_ft.h":
            text = re.sub(r"/\*.*?\*/|^#define.*?[^\\]$", "", (SOURCE / "include" / header).read_text(), flags=re.S | re.M)
            names |= set(re.findall(r"^[a-z][\w \*]*?\b(shmemx?_\w+|start_pes|shmalloc|_my_pe)\([^;{]*;", text, re.M))
        self.assertGreater(len(names), 2000)
        self.assertEqual(sorted(name for name in names if not (PAGES / f"{name}.3").exists()), [])

    def test_sections(self):
        pages = [path for path in PAGES.glob("*.3") if target(path) == path]
        self.assertGreater(len(pages), 160)
        for path in pages:
            found = re.findall(r"^\.SH (.+)", path.read_text(), re.M)
            self.assertEqual([section for section in SECTIONS if section not in found], [], path.name)

    def test_links_lead_somewhere(self):
        for path in PAGES.glob("*.3"):
            self.assertTrue(target(path).exists(), path.name)
            for name in re.findall(r"^\.BR (\S+) \(3\)", path.read_text(), re.M):
                self.assertTrue((PAGES / f"{name}.3").exists(), f"{path.name}: {name}")

    def test_man_reads_them(self):
        if not shutil.which("man") or not shutil.which("groff"):
            self.skipTest("man or groff is not installed: Debian's man-db, groff-base")
        for name in "shmem_put", "shmem_reductions", "shmem_lock", "shmemx_agree":
            done = subprocess.run(["man", "--warnings", "-l", PAGES / f"{name}.3"], capture_output=True, text=True,
                                  env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANPAGER": "cat"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(name, done.stdout)

    def test_whatis_reads_them(self):
        if not shutil.which("lexgrog"):
            self.skipTest("lexgrog is not installed: Debian's man-db")
        for path in PAGES.glob("*.3"):
            if target(path) == path:
                done = subprocess.run(["lexgrog", path], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, f"{path.name}: {done.stdout}")


class Commands(unittest.TestCase):
    @staticmethod
    def text(page):
        other = re.match(r"\.so man1/(\S+)\n$", page.read_text())
        return (page.parent / other[1] if other else page).read_text()

    def test_sections(self):
        """Each once."""
        self.assertEqual(len(COMMANDS), 10)
        for page in COMMANDS:
            found = re.findall(r"^\.SH (.+)", self.text(page), re.M)
            self.assertEqual([section for section in COMMAND_SECTIONS if found.count(section) != 1], [], page.name)

    def test_options(self):
        """What --help lists."""
        for page in COMMANDS:
            command = BUILD / "bin" / page.stem
            if not command.exists():
                continue
            told = subprocess.run([command, "--help"], capture_output=True, text=True, timeout=30, check=True).stdout
            options = set(OPTION.findall(told))
            self.assertIn("--help", options, page.name)
            written = self.text(page).replace("\\-", "-")
            missing = [option for option in sorted(options) if not re.search(re.escape(option) + r"(?![a-z-])", written)]
            self.assertEqual(missing, [], page.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
