# SPDX-License-Identifier: BSD-3-Clause
"""What a mistake of the program is told as, by exceptions of Python. Arguments: names of tests."""
import os
import re
import sys
import unittest

import run

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mistakes.py")
CASES = {
    "another_call": ("Error: rank 0 of group {}: all_reduce(16 bytes, float32, sum), call 2: rank 1 calls "
                     "broadcast(16 bytes, float32, from rank 0)",
                     "Error: rank 1 of group {}: broadcast(16 bytes, float32, from rank 0), call 2: rank 0 calls "
                     "all_reduce(16 bytes, float32, sum)"),
    "another_length": ("(16 bytes, float32, sum), call 2: rank 1 calls all_reduce(20 bytes,",
                       "(20 bytes, float32, sum), call 2: rank 0 calls all_reduce(16 bytes,"),
    "another_type": ("rank 1 calls all_reduce(16 bytes, int32", "rank 0 calls all_reduce(16 bytes, float32"),
    "another_root": ("rank 1 calls broadcast(16 bytes, float32, from rank 1)", "rank 0 calls broadcast("),
    "another_split": ("rank 1 sends 4 bytes, and 8 are expected", "rank 1 sends 4 bytes, and 8 are expected|rank 1 sends 12"),
    "afterwards": ("rank 0 of group {}: all_reduce(16 bytes", "rank 1 of group {}: all_reduce(20 bytes"),
    "message_length": ("Error: rank 0 of group {}: send(16 bytes, to rank 1, tag 0): rank 1 receives 20 bytes",
                       "Error: rank 1 of group {}: recv(20 bytes, from rank 0, tag 0): rank 0 sends 16 bytes"),
    "aborted": ("rank 0 of group {} was aborted",) * 2,
    "other_device": ("ValueError: rank 0 of group {}: all_reduce: the tensor of 16 bytes is on meta",
                     "ValueError: rank 1 of group {}: all_reduce: the tensor of 16 bytes is on meta"),
    "now_other_device": ("all_to_all: the tensor of 16 bytes is on meta",) * 2,
    "now_other_types": ("all_gather: the output is torch.int32, and the input torch.float32",) * 2,
    "other_types": ("all_gather_into_tensor: the output is torch.int32, and the input torch.float32",) * 2,
    "begun_anew": ("barrier, call 1: 1 of 2 ranks have not come within the timeout of 1 s: rank 1 has made no call of this group",
                   "no exception"),
    "monitored": ("barrier, call 2: 1 of 2 ranks have not come within the timeout of 1 s: rank 1's last call was barrier, call 1",
                  "no exception"),
    "freed": ("a tensor of shape (4,) has no memory: its storage was resized to 0",) * 2,
    "now_no_tensor": ("all_reduce: expected a tensor, and not a list",) * 2,
    "now_no_member": ("ValueError: sheaftorch.now: rank 0 is no member of this group",
                      "ValueError: sheaftorch.now: rank 1 is no member of this group"),
    "sparse": ("torch.sparse_coo, and sheaf moves dense ones",) * 2,
    "unequal_outputs": ("all_gather: the output[1] has 20 bytes, and 16 are expected",) * 2,
    "not_so_many": ("all_to_all: the input has 1 tensors, and the group 2 ranks",) * 2,
    "no_such_reduction": ("all_reduce: band of torch.float32 is not supported",) * 2,
    "splits": ("the output's first dimension has 4 elements, which are not split among 2 ranks by [1, 1]",) * 2,
}


def run_cases(*cases, ranks=2):
    return run.finish(run.start(ranks, [PROGRAM, *cases]))


class Mistakes(unittest.TestCase):
    def test_all(self):
        for rank, said in enumerate(run_cases(*CASES)):
            lines = dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)
            for case, expected in CASES.items():
                pattern = re.escape(expected[rank]).replace(r"\{\}", r"\S+").replace(r"\|", "|")
                self.assertRegex(lines.get(case, said), pattern, f"{case}: rank {rank}")


class Ends(unittest.TestCase):
    def test_late(self):
        said = run_cases("late", ranks=3)
        missing = r"1 of 3 ranks have not come within the timeout of 4 s: rank 1's last call was barrier, call 2"
        self.assertRegex(said[0], r"rank 0 of group \S+: all_reduce\(16 bytes, float32, sum\), call 3: " + missing)
        self.assertRegex(said[2], "rank 2 of group .*" + missing + "|rank 2 of group .*call 3: rank 0 of group")

    def test_missing(self):
        self.assertRegex(run_cases("missing", ranks=3)[0], "start: Error: rank 0 of group [^ ]+: ranks 1, 2 of 3 have not come within 2 s")

    def test_missing_store(self):
        """Rank 0 has torch's store."""
        self.assertRegex(run_cases("missing_store")[1], "start: Error: rank 1: rank 0, which has torch's store at .*, has not come within 2 s")

    def test_killed(self):
        said = run_cases("killed", ranks=3)
        for rank in (0, 2):
            self.assertRegex(said[rank], rf"killed: Error: rank {rank} of group \S+: all_reduce.*: rank 1 has died")
            # On a machine that does nothing else; each process more takes its turn.
            seconds = float(re.search("after ([0-9.]+) s", said[rank])[1])
            self.assertLess(seconds, 1 + os.getloadavg()[0], said[rank])

    def test_killed_elsewhere(self):
        for case, call in (("killed_before_a_message", "recv.*: "), ("killed_before_a_signal", "wait_signal.*: "),
                           ("killed_in_the_middle", "all_reduce.*: "), ("killed_before_a_group", ""),
                           ("killed_before_a_monitored_barrier", "barrier, call 2.*: ")):
            self.assertRegex(run_cases(case)[0], rf"Error: rank 0 of group \S+: {call}(rank 1|a rank) has died")

    def test_left(self):
        said = run_cases("left")
        self.assertRegex(said[0], r"rank 0 of group \S+: all_reduce.*: rank 1 has ended")
        self.assertIn("left: no exception", said[1])


if __name__ == "__main__":
    if not run.have_torch():
        print(f"{sys.executable} has no torch.distributed with gloo")
        sys.exit(77)
    unittest.main(argv=sys.argv)
