# SPDX-License-Identifier: BSD-3-Clause
"""What libfabric's tcp;ofi_rxm sends without asking first, as it logs it: eager.py OSHRUN PROGRAM."""
import os
import re
import subprocess
import sys
import unittest

OSHRUN, PROGRAM = sys.argv[1:3]
LONGEST = 64 << 10  # in bytes: data of a message, at most


def limits(**variables):
    """Of each endpoint that the job opens."""
    environment = {**os.environ, "SHEAF_ONNODE": "off", "SHEAF_ENGINE": "ofi", "SHEAF_OFI_PROVIDER": "tcp",
                   "FI_LOG_LEVEL": "info", "FI_LOG_PROV": "ofi_rxm", **variables}
    result = subprocess.run([OSHRUN, "-n", "2", PROGRAM], env=environment, capture_output=True, text=True,
                            timeout=60, check=True)
    return [int(number) for number in re.findall(r"Protocol limits: Eager: (\d+)", result.stderr)]


class Eager(unittest.TestCase):
    def test_whole_messages(self):
        found = limits()
        if not found:
            self.skipTest("this libfabric does not log it")
        self.assertGreater(min(found), LONGEST)

    def test_asked_for(self):
        self.assertEqual(set(limits(FI_OFI_RXM_EAGER_LIMIT="20000")) - {20000}, set())


unittest.main(argv=sys.argv[:1])
