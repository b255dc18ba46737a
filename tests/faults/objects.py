#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
#
# Messages about addresses name the variable or the block: objects.py OSHRUN PROGRAM SOURCE INLINE [members].
"""Each mistake is told in one line: which object, whose it is, by how much."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

OSHRUN, PROGRAM, SOURCE, INLINE = sys.argv[1:5]  # INLINE: the same, compiled with inline forms
HAS_MEMBERS = "members" in sys.argv[5:]  # libdw
TIMEOUT_S = 60 * int(os.environ.get("TEST_PATIENCE", "1"))  # more on a machine that is emulated
with open(SOURCE, encoding="ascii") as source:
    TEXT = source.read().splitlines()
HEAP = "of the symmetric heap"


def line_of(word):
    (number,) = (number for number, text in enumerate(TEXT, 1) if text.endswith(f"/* {word} */"))
    return rf"objects\.c:{number}"


def run(how, path=None, check="args", program=PROGRAM):
    env = {**os.environ, "SHEAF_CHECK": check, **({"PATH": path} if path is not None else {})}
    done = subprocess.run([OSHRUN, "-n", "2", "--timeout", str(TIMEOUT_S - 20), program, how], capture_output=True,
                          text=True, env=env, timeout=TIMEOUT_S, check=False)
    done.stderr = re.sub(r" \[SH\d{3}\]", "", done.stderr)  # tests/oshinfo/messages.py looks at the ids of messages
    return done


class Objects(unittest.TestCase):
    def check(self, how, words, said_by="PE 1", **more):
        """One line of the library's says so, and nothing else does."""
        result = run(how, **more)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        said = [line for line in result.stderr.splitlines() if line.startswith("sheaf:")]
        self.assertEqual(len(said), 1, result.stderr)
        self.assertRegex(said[0], rf"^sheaf: {re.escape(said_by)}: error: {words}$")

    def check_called(self, how, words, **more):
        self.check(how, f"{words}; called at {line_of(how)}", **more)

    def test_nothing_wrong(self):
        for check in ("", "args", "memory", "args,memory"):
            result = run("", check=check)
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "the end\n" * 2, ""))

    @unittest.skipUnless(shutil.which("addr2line"), "addr2line is not installed")
    def test_blocks(self):
        first, second = line_of("first"), line_of("second")
        self.check_called("overrun", "shmem_putmem: 60 bytes at 0x[0-9a-f]+ end 12 bytes past their block: they begin at "
                          f"byte 16 of one of 64 bytes {HEAP}, allocated at {first}; the next block, of 128 bytes "
                          f"allocated at {second}, begins 0 bytes behind it")
        self.check_called("far-past", "shmem_putmem: 8 bytes at 0x[0-9a-f]+ are not within one block of symmetric memory: "
                          f"they begin at what is 800000000 bytes past the end of a block of 128 bytes {HEAP}, allocated "
                          f"at {second}; no block comes after it")
        freed = rf"{HEAP} that was freed at {line_of('freed')} \(allocated at {line_of('third')}\)"
        self.check_called("use-after-free", "shmem_putmem: 8 bytes at 0x[0-9a-f]+ are not within one block of symmetric "
                          f"memory: they begin at what is byte 8 of a block of 200 bytes {freed}")
        for check in ("", "args"):
            self.check_called("free-twice", f"shmem_free: 0x[0-9a-f]+ is not the start of a block {HEAP}, but byte 0 of a "
                              f"block of 200 bytes {freed}: pass what shmem_malloc returned, once", check=check)
        self.check_called("free-inside", f"shmem_free: 0x[0-9a-f]+ is not the start of a block {HEAP}, but byte 16 of a "
                          f"block of 128 bytes {HEAP}, allocated at {second}: pass what shmem_malloc returned, once")

    @unittest.skipUnless(shutil.which("addr2line") and HAS_MEMBERS, "no addr2line or no libdw")
    def test_members(self):
        self.check_called("member", "shmem_putmem: 24 bytes at 0x[0-9a-f]+ end 8 bytes past their variable of 72 bytes: "
                          r"they begin at field\[3\].x of grid, a static variable of the program")
        self.check_called("element", "shmem_long_put: 16 bytes at 0x[0-9a-f]+ end 8 bytes past their variable of 120 "
                          r"bytes: they begin at \[2\]\[4\] of table, a static variable of the program")
        self.check_called("unaligned", r"shmem_long_atomic_add: .* it is \[1\]\[2\]\+4 of table, a static variable of the "
                          "program")
        self.check_called("unaligned-put", "shmem_long_put: dest at 0x[0-9a-f]+ does not lie at a multiple of 8 bytes, as "
                          r"its type's elements do: .* it is \[1\]\[2\]\+4 of table, a static variable of the program")

        begins = r"it is \[1\]\[2\]\+4 of table, a static variable of the program"
        self.check_called("unaligned-iget", "shmem_long_iget: source at 0x[0-9a-f]+ does not lie at a multiple of 8 bytes, "
                          f".* {begins}")
        self.check_called("unaligned-put-signal", "shmem_long_put_signal: dest at 0x[0-9a-f]+ does not lie at a multiple of "
                          f"8 bytes, .* {begins}")
        self.check_called("unaligned-signal", "shmem_long_put_signal: the object at 0x[0-9a-f]+ does not lie at a multiple "
                          f"of its 8 bytes, .* {begins}")

    @unittest.skipUnless(shutil.which("addr2line") and shutil.which("clang") and HAS_MEMBERS, "no addr2line, clang or libdw")
    def test_members_of_clang(self):
        """Its DWARF 5 has variables' addresses in a table."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "objects")
            here = os.path.dirname(SOURCE)
            subprocess.run([os.path.join(os.path.dirname(OSHRUN), "oshcc"), "-gdwarf-5", "-O1", f"-I{here}/../common", SOURCE,
                            "-o", program], env={**os.environ, "OSHCC_CC": "clang"}, check=True)
            self.check_called("element", "shmem_long_put: 16 bytes at 0x[0-9a-f]+ end 8 bytes past their variable of 120 "
                              r"bytes: they begin at \[2\]\[4\] of table, a static variable of the program", program=program)

    def test_without_addr2line(self):
        place = r"test-faults-objects\+0x[0-9a-f]+"
        self.check("use-after-free", rf"shmem_putmem: .*freed at {place} \(allocated at {place}\); called at {place}",
                   path="/nowhere")

    @unittest.skipUnless(shutil.which("addr2line"), "addr2line is not installed")
    def test_guarded_memory(self):
        """What was written where nobody may is told by the PE whose memory it is, at the next barrier."""
        first, second = line_of("first"), line_of("second")
        since = f"of this PE that no block holds (has|have) been written since shmem_barrier_all at {line_of('before')}"
        said_at = f"; called at {line_of('barrier')}"
        for check in ("memory", "memory,args"):
            self.check("store-past", f"shmem_barrier_all: a byte {since}: it is 2 bytes past the end of a block of 128 bytes "
                       f"{HEAP}, allocated at {second}; no block comes after it{said_at}", check=check)
        self.check("store-before", f"shmem_barrier_all: a byte {since}: it is 2 bytes before the start of a block of 64 bytes "
                   f"{HEAP}, allocated at {first}{said_at}", check="memory")
        self.check("write-past", f"shmem_barrier_all: 12 bytes {since}: the first is 0 bytes past the end of a block of 64 "
                   f"bytes {HEAP}, allocated at {first}; the next block, of 128 bytes allocated at {second}, begins 64 bytes "
                   f"behind it{said_at}", said_by="PE 0", check="memory")
        self.check("write-freed", f"shmem_barrier_all: 8 bytes {since}: the first is byte 16 of a block of 200 bytes {HEAP} "
                   rf"that was freed at {line_of('freed')} \(allocated at {line_of('third')}\){said_at}", said_by="PE 0",
                   check="memory")

    @unittest.skipUnless(shutil.which("addr2line"), "addr2line is not installed")
    def test_spaces(self):
        """Their blocks are guarded and known by who allocated them as the heap's are."""
        place, block = "of a memory space of 2 PEs", line_of("space-first")
        self.check_called("space-overrun", "shmem_putmem: 8 bytes at 0x[0-9a-f]+ end 4 bytes past their block: they begin at "
                          f"byte 96 of one of 100 bytes {place}, allocated at {block}; no block comes after it")
        since = f"of this PE that no block holds has been written since shmem_barrier_all at {line_of('space-before')}"
        for how, what in (("space-past", f"0 bytes past the end of a block of 100 bytes {place}, allocated at {block}; .*"),
                          ("space-before-it", f"1 bytes before the start of a block of 100 bytes {place}, allocated at "
                           f"{block}"),
                          ("space-freed", rf"byte 3 of a block of 50 bytes {place} that was freed at .* \(allocated at .*\)")):
            self.check(how, f"shmem_barrier_all: a byte {since}: it is {what}; called at {line_of('barrier')}",
                       check="memory")

    def test_inline_forms(self):
        """Checked, too: they call the library then. Without checks the put goes its own way."""
        self.check("write-freed", r"shmem_long_p: 8 bytes at 0x[0-9a-f]+ are not within one block .*; called at .*",
                   program=INLINE)
        self.assertEqual(run("write-freed", check="", program=INLINE).returncode, 0)

    def test_guarded_on_some_pes_only(self):
        result = subprocess.run([OSHRUN, "-n", "1", "-x", "SHEAF_CHECK=memory", PROGRAM, ":", "-n", "1", PROGRAM],
                                capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("error: SHEAF_CHECK has memory on PE 0 and not on PE 1: blocks must lie alike", result.stderr)

    @unittest.skipUnless(shutil.which("addr2line"), "addr2line is not installed")
    def test_private_memory(self):
        private = ("0x[0-9a-f]+ is not symmetric: it is on the stack; pass the address of a static variable or of memory "
                   "from shmem_malloc")
        self.check_called("stack", f"shmem_long_put: {private}")
        self.check_called("wait", f"shmem_long_wait_until: {private}")

    def test_sizes_that_differ(self):
        result = run("malloc")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, "(?m)^sheaf: PE [01] .*: error: shmem_malloc: .*(100.*200|200.*100)")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
