# SPDX-License-Identifier: BSD-3-Clause
"""SHMEM_SYMMETRIC_SIZE and its old spelling: what they mean, which values are errors, and what
oshinfo says of the heap's pages."""
import os
import re

import outside

GOOD = {
    "1048576": 1 << 20, "3.1M": 3250586, ".5m": 1 << 19, "0.5m": 1 << 19, "20k": 20480,
    "20kk": 20480, "20K": 20480, "2M": 2 << 20, "1g": 1 << 30, "1G": 1 << 30, "0.001t": 1099511628,
    "0": 0, "0.0": 0, "00012k": 12288, "1.5": 2, "5.": 5, "7mfoo": 7 << 20, "0t": 0, "1": 1,
}
BAD = ["20x", "-1", "-1m", "abc", "", " ", "1e999", "1e3", "nan", "inf", "infinity", ".", "m", ".m",
       "1.2.3", "1..2", "--5", "0x10", "1,5m", "99999999999999999999", "99999999t", "16777216t",
       "20 m", "%s", "1_000"]


class Size(outside.Case):
    def sized(self, expected, **variables):
        environment = {key: value for key, value in os.environ.items()
                       if "SYMMETRIC_SIZE" not in key}
        environment.update(variables)
        return outside.oshrun(2, outside.program("heap_limit"), expected, env=environment)

    def test_good_values(self):
        for text, size in GOOD.items():
            with self.subTest(text=text):
                result = self.sized(size, SHMEM_SYMMETRIC_SIZE=text)
                self.assertRan(result, "heap: enough, limited")

    def test_no_size_is_no_limit(self):
        self.assertRan(self.sized(1 << 30), "heap: enough, unlimited")

    def test_bad_values(self):
        for text in BAD:
            with self.subTest(text=text):
                result = self.sized(0, SHMEM_SYMMETRIC_SIZE=text)
                self.assertNotEqual(result.status, 0, result)
                self.assertNotIn("heap:", result.out)
                said = [line for line in outside.lines(result.err)
                        if "SHMEM_SYMMETRIC_SIZE" in line]
                self.assertTrue(said, result)

    def test_more_than_any_address_space(self):
        result = self.sized(0, SHMEM_SYMMETRIC_SIZE="8000000t")
        self.assertRefused(result, "SHMEM_SYMMETRIC_SIZE|address space")

    def test_old_spelling(self):
        self.assertRan(self.sized(3 << 20, SMA_SYMMETRIC_SIZE="3m"), "heap: enough, limited")
        self.assertRefused(self.sized(0, SMA_SYMMETRIC_SIZE="3x"), "SMA_SYMMETRIC_SIZE")

    def test_new_spelling_wins(self):
        result = self.sized(512 << 20, SMA_SYMMETRIC_SIZE="1m", SHMEM_SYMMETRIC_SIZE="512m")
        self.assertRan(result, "heap: enough, limited")
        result = self.sized(1 << 20, SMA_SYMMETRIC_SIZE="bad", SHMEM_SYMMETRIC_SIZE="1m")
        self.assertRan(result, "heap: enough, limited")
        self.assertRefused(self.sized(0, SMA_SYMMETRIC_SIZE="1m", SHMEM_SYMMETRIC_SIZE="bad"),
                           "SHMEM_SYMMETRIC_SIZE")

    def test_option_of_oshrun(self):
        result = outside.run(outside.OSHRUN, "-n", 2, "--heap", "2m", outside.program("heap_limit"),
                             2 << 20)
        self.assertRan(result, "heap: enough, limited")

    def test_bare_program(self):
        environment = dict(os.environ, SHMEM_SYMMETRIC_SIZE="4m")
        result = outside.run(outside.program("heap_limit"), 4 << 20, env=environment)
        self.assertRan(result, "heap: enough, limited")
        environment["SHMEM_SYMMETRIC_SIZE"] = "4x"
        self.assertRefused(outside.run(outside.program("heap_limit"), 0, env=environment),
                           "SHMEM_SYMMETRIC_SIZE")

    def test_huge_pages_told(self):
        if not os.path.exists("/sys/kernel/mm/transparent_hugepage/shmem_enabled"):
            self.skipTest("this kernel has no transparent huge pages for shared memory")
        result = outside.run(outside.OSHINFO)
        self.assertEqual(result.status, 0, result)
        told = [line for line in result.out.splitlines() if line.startswith("huge pages, heap")]
        self.assertEqual(len(told), 1, result.out)
        with open("/sys/kernel/mm/transparent_hugepage/shmem_enabled") as file:
            setting = re.search(r"\[(\w+)\]", file.read()).group(1)
        if setting in ("never", "deny"):
            self.assertRegex(told[0], r"\bno\b.*shmem_enabled is .?%s" % setting)


if __name__ == "__main__":
    outside.main()
