# SPDX-License-Identifier: BSD-3-Clause
"""own_tests.py [TEST...]: torch's own tests for backends, which it comes with
(torch.testing._internal.distributed.distributed_test), by sheaf on three ranks. What gloo passes sheaf has to pass: a test that
fails is run by gloo too, and counts where that passes. Without arguments all of them; VERBOSE=1 says each one's result.

The tests ask for gloo, and many run for that name alone: it is given to sheaf's groups. A test's ranks are children of this
process, which has loaded torch once.
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import types
import unittest

import run

# What torch does for gloo alone, by that name.
REFUSED = {"test_get_backend": "the backend is named sheaf",
           **{f"test_monitored_barrier_{what}": "torch refuses monitored_barrier to all backends but gloo" for what in
              ("failure_order", "gloo", "gloo_rank_0_timeout", "gloo_subgroup", "wait_all_ranks")}}


def swap(name):
    return "sheaf" if name is None or str(name).lower() == "gloo" else name


def renamed(function, place):
    """The function, which takes a backend's name as its argument number place, or by name."""
    def call(*arguments, **named):
        arguments = list(arguments)
        if len(arguments) > place:
            arguments[place] = swap(arguments[place])
        elif function.__name__ == "init_process_group" or "backend" in named:
            named["backend"] = swap(named.get("backend"))
        return function(*arguments, **named)
    return call


def load(backend, folder):
    """The class of tests, and torch as they find it."""
    os.environ.update(BACKEND="gloo", WORLD_SIZE="3", TEMP_DIR=folder, MASTER_ADDR="127.0.0.1", GLOO_SOCKET_IFNAME="lo",
                      OMP_NUM_THREADS="1", INIT_METHOD="")
    if not importlib.util.find_spec("expecttest"):  # torch's tests want its class, and no more of it here
        sys.modules["expecttest"] = types.ModuleType("expecttest")
        vars(sys.modules["expecttest"]).update(TestCase=unittest.TestCase, ACCEPT=False)
    import torch
    import torch.distributed as dist
    from torch.testing._internal import common_distributed
    if backend == "sheaf":
        import sheaftorch  # noqa: F401: makes the backend known
        for module in (dist, dist.distributed_c10d):
            module.init_process_group = renamed(module.init_process_group, 0)
            module.new_group = renamed(module.new_group, 2)
    common_distributed.TIMEOUT_DEFAULT = 60
    from torch.testing._internal.distributed import distributed_test

    class Own(distributed_test.TestDistBackend, distributed_test.DistributedTest._DistTestBase):
        def setUp(self):
            super().setUp()
            self._start_processes(torch.multiprocessing.get_context("fork").Process)

    return Own


class Result(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.names = {"passed": [], "skipped": [], "failed": []}

    def note(self, test, result):
        self.names[result].append(test._testMethodName)
        if "VERBOSE" in os.environ:
            print(result, test._testMethodName, flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.note(test, "passed")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, "skipped")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.note(test, "failed")

    def addError(self, test, error):
        super().addError(test, error)
        self.note(test, "failed")


def run_tests(backend, names):
    with tempfile.TemporaryDirectory() as folder:
        tempfile.tempdir = folder  # the tests leave the files of their stores
        tests, result = load(backend, folder), Result()
        for name in names or unittest.TestLoader().getTestCaseNames(tests):
            tests(name).run(result)
    return result


def passes_by_gloo(name):
    command = [sys.executable, os.path.abspath(__file__), "--gloo", name]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def main():
    if not run.have_torch():
        print(f"{sys.executable} has no torch.distributed with gloo")
        return 77
    if sys.argv[1:2] == ["--gloo"]:
        return len(run_tests("gloo", sys.argv[2:]).names["passed"]) != 1
    result = run_tests("sheaf", sys.argv[1:])
    texts = {test._testMethodName: text for test, text in result.failures + result.errors}
    refused = [name for name in texts if name in REFUSED]
    worse = [name for name in texts if name not in REFUSED and passes_by_gloo(name)]
    for name in worse:
        print(f"{name}: gloo passes it\n{texts[name]}")
    print(f"passed {len(result.names['passed'])}, skipped {len(result.names['skipped'])}, torch wants gloo by name "
          f"{len(refused)}, gloo fails too {len(texts) - len(refused) - len(worse)}, gloo passes {len(worse)}")
    return bool(worse)


if __name__ == "__main__":
    sys.exit(main())
