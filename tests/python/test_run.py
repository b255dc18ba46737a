#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sheaf.run: results, output and errors of its jobs, the cell magic, and the notebook of examples/."""
import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path

import numpy as np

import sheaf

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "python" / "pi.ipynb"
try:
    import cloudpickle  # noqa: F401
    HAS_CLOUDPICKLE = True
except ImportError:
    HAS_CLOUDPICKLE = False
try:
    import IPython
    import nbclient
    import nbformat
    import ipykernel  # noqa: F401
except ImportError:
    IPython = nbclient = None

FOREVER = """
import sheaf
def wait():
    import os, sheaf
    print("runs", os.getpid(), flush=True)
    sheaf.zeros(1, int).wait_until("==", 1)
sheaf.run(wait, pes=2)
"""


def shown(function):
    """What function() prints, and what it returns."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        result = function()
    return output.getvalue(), result


@unittest.skipUnless(HAS_CLOUDPICKLE, "cloudpickle is not installed")
class Run(unittest.TestCase):
    def test_results_and_output(self):
        factor = 10

        def work(values):
            import sheaf

            total = sheaf.full(2, sheaf.my_pe() + 1)
            sheaf.reduce(total)
            print("PE", sheaf.my_pe(), "was here")
            sheaf.progress(1, 2)
            return total, values * factor * sheaf.my_pe()

        output, results = shown(lambda: sheaf.run(work, np.arange(3), pes=3))
        self.assertEqual(sorted(output.splitlines()), [f"[{pe}] PE {pe} was here" for pe in range(3)])
        for pe, (total, values) in enumerate(results):
            self.assertEqual(type(total), np.ndarray)
            self.assertEqual((total.tolist(), values.tolist()), ([6, 6], [0, 10 * pe, 20 * pe]))

    def test_progress_bar(self):
        bar = io.StringIO()
        with contextlib.redirect_stderr(bar):
            sheaf.run(sheaf.my_pe, pes=2, show_progress=True)
        self.assertIn("100%, 2 of 2 PEs done\n", bar.getvalue())

    def test_a_pe_that_raises(self):
        def work():
            import sheaf

            if sheaf.my_pe() == 1:
                raise ValueError("no such thing")
            sheaf.barrier()

        with self.assertRaises(sheaf.JobError) as caught:
            shown(lambda: sheaf.run(work, pes=2))
        self.assertIn("PE 1: ValueError: no such thing", str(caught.exception))
        self.assertEqual((list(caught.exception.failures), caught.exception.status), ([1], 1))

    def test_a_pe_that_dies(self):
        def work():
            import os

            os.kill(os.getpid(), 9)

        with self.assertRaisesRegex(sheaf.JobError, "the job ended with status 137"):
            shown(lambda: sheaf.run(work, pes=1))

    def test_what_cannot_be_sent(self):
        with self.assertRaisesRegex(TypeError, "cannot be sent to the PEs"):
            sheaf.run(print, threading.Lock(), pes=1)
        with self.assertRaisesRegex(ValueError, "pes is 0"):
            sheaf.run(print, pes=0)

    def test_interrupt(self):
        job = subprocess.Popen([sys.executable, "-c", FOREVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        pids = [int(job.stdout.readline().split()[-1]) for _ in range(2)]
        job.send_signal(signal.SIGINT)
        errors = job.communicate(timeout=30)[1]
        self.assertIn("KeyboardInterrupt", errors)
        for pid in pids:
            with self.assertRaises(ProcessLookupError):
                os.kill(pid, 0)

    @unittest.skipUnless(nbclient, "IPython is not installed")
    def test_magic(self):
        shell = IPython.core.interactiveshell.InteractiveShell.instance()
        shell.run_line_magic("load_ext", "sheaf")
        shell.user_ns["x"] = 5
        cell = "import sheaf\ny = x + sheaf.my_pe()\nprint('y', y)"
        output, _ = shown(lambda: shell.run_cell_magic("sheaf", "-n 2 --send x --result y", cell))
        self.assertEqual(sorted(output.splitlines()), ["[0] y 5", "[1] y 6"])
        self.assertEqual(shell.user_ns["y"], [5, 6])
        output, _ = shown(lambda: shell.run_cell_magic("sheaf", "-n 1", "1 / 0"))
        self.assertIn("sheaf.run: PE 0: ZeroDivisionError: division by zero", output)

    @unittest.skipUnless(nbclient, "nbclient or ipykernel is not installed")
    def test_notebook(self):
        notebook = nbformat.read(NOTEBOOK, 4)
        nbclient.NotebookClient(notebook, timeout=60).execute()
        text = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
        self.assertRegex(text, r"pi is 3\.1\d+, by 4 PEs")
        self.assertRegex(text, r"\[3\] PE 3 of 4")


unittest.main()
