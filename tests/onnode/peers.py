# SPDX-License-Identifier: BSD-3-Clause
"""What a PE keeps of a peer on another host that it has not addressed: peers.py OSHRUN PROGRAM ENGINE..."""
import os
import re
import statistics
import subprocess
import sys
import unittest

OSHRUN, PROGRAM, *ENGINES = sys.argv[1:]
FEW, MANY = 11, 24  # PEs: each has met eight others at start, by steps of 1, 2, 4, 8 and 16 either way
MOST = 100  # bytes per peer


def held(engine, pes):
    """Bytes, of a PE in the middle."""
    environment = {**os.environ, "SHEAF_ONNODE": "off", "SHEAF_ENGINE": engine}
    result = subprocess.run([OSHRUN, "-n", str(pes), PROGRAM], env=environment, capture_output=True, text=True,
                            timeout=60, check=True)
    found = [int(number) for number in re.findall(r"^(\d+) bytes$", result.stdout, re.MULTILINE)]
    assert len(found) == pes, result.stdout + result.stderr
    return statistics.median(found)


class Peers(unittest.TestCase):
    def test_unconnected(self):
        for engine in ENGINES:
            with self.subTest(engine=engine):
                many = held(engine, MANY)
                each = (many - held(engine, FEW)) / (MANY - FEW)
                print(f"{engine}: {each:.0f} bytes")
                self.assertGreater(many, 0)
                self.assertLess(each, MOST)


unittest.main(argv=sys.argv[:1])
