# SPDX-License-Identifier: BSD-3-Clause
"""bench/conform tells what holds from what fails, hangs and is not there: Sheaf beside itself with one routine broken, one that
never returns and one taken away. Arguments: the source tree, the build, a folder to work in."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

SOURCE, BUILD, WORK = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
# A compiler that puts these before each program: what a library with such faults would do.
FAULTS = """#include <shmem.h>
#include <unistd.h>
#define shmem_team_translate_pe(source, pe, target) 17
#define shmem_team_split_2d(...) (pause(), 0)
#define shmem_team_get_config shmem_team_get_config_is_not_there
"""


class Conform(unittest.TestCase):
    def run_conform(self, **settings):
        environment = {**os.environ, "ONLY": "^Teams", "PES": "2", "SECONDS_EACH": "3", **settings}
        return subprocess.run([SOURCE / "bench/conform/run", BUILD, WORK], env=environment, capture_output=True, text=True, timeout=170)

    def test_results(self):
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        (WORK / "faults.h").write_text(FAULTS)
        result = self.run_conform(PEERS=f"Faulty:{BUILD}/bin/oshcc -include {WORK}/faults.h:{BUILD}/bin/oshrun")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        report = json.loads((WORK / "conform.json").read_text())
        states = {row["name"]: {name: state for name, (state, _why) in row["results"].items()} for row in report["rows"]
                  if row["kind"] == "statement"}
        self.assertGreater(len(states), 10)
        self.assertEqual({row["Sheaf"] for row in states.values()}, {"passes"})
        self.assertEqual(states["my_pe, n_pes and translate_pe of TEAM_INVALID: -1"]["Faulty"], "fails")
        self.assertEqual(states["get_config of TEAM_INVALID and with mask 0"]["Faulty"], "not there")
        self.assertEqual(states["team_destroy: collective, TEAM_INVALID a no-op"]["Faulty"], "passes")
        self.assertEqual(next(row["Faulty"] for name, row in states.items() if name.startswith("split_2d")), "hangs")
        self.assertIn("Faulty", (WORK / "index.html").read_text())

    def test_mistakes(self):
        for peers, said in (("Cray", "is not name:compiler:command"), ("Cray:no-such-cc:oshrun", "there is no program no-such-cc")):
            result = self.run_conform(PEERS=peers)
            self.assertEqual(result.returncode, 1)
            self.assertIn(said, result.stderr)
        self.assertIn("no chapter has that name", self.run_conform(ONLY="nowhere", PEERS="a:false:false").stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
