#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sheafshmem.run: results, output and errors of its jobs, the cell magic, and the notebook of examples/."""
import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid
from pathlib import Path

import numpy as np

import sheafshmem as shmem

NOTEBOOK = Path(__file__).resolve().parents[3] / "examples" / "python" / "pi.ipynb"
try:
    import cloudpickle  # noqa: F401
    HAS_CLOUDPICKLE = True
except ImportError:
    HAS_CLOUDPICKLE = False
try:
    import IPython
    import jupyter_client
    import nbclient
    import nbformat
    import ipykernel  # noqa: F401
except ImportError:
    IPython = nbclient = None

FOREVER = """
import sheafshmem as shmem
def wait():
    import os, sheafshmem as shmem
    print("runs", os.getpid(), flush=True)
    shmem.zeros(1, int).wait_until("==", 1)
shmem.run(wait, pes=2)
"""


def processes_with(text):
    """Pids of all processes whose initial environment holds text."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and text.encode() in Path("/proc", name, "environ").read_bytes():
                found.append(int(name))
        except OSError:
            pass
    return found


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
            import sheafshmem as shmem

            total = shmem.full(2, shmem.my_pe() + 1)
            shmem.reduce(total)
            print("PE", shmem.my_pe(), "was here")
            shmem.progress(1, 2)
            return total, values * factor * shmem.my_pe()

        output, results = shown(lambda: shmem.run(work, np.arange(3), pes=3))
        self.assertEqual(sorted(output.splitlines()), [f"[{pe}] PE {pe} was here" for pe in range(3)])
        for pe, (total, values) in enumerate(results):
            self.assertEqual(type(total), np.ndarray)
            self.assertEqual((total.tolist(), values.tolist()), ([6, 6], [0, 10 * pe, 20 * pe]))

    def test_progress_bar(self):
        bar = io.StringIO()
        with contextlib.redirect_stderr(bar):
            shmem.run(shmem.my_pe, pes=2, show_progress=True)
        self.assertIn("100%, 2 of 2 PEs done\n", bar.getvalue())

    def test_a_pe_that_raises(self):
        def work():
            import sheafshmem as shmem

            if shmem.my_pe() == 1:
                raise ValueError("no such thing")
            shmem.barrier()

        with self.assertRaises(shmem.JobError) as caught:
            shown(lambda: shmem.run(work, pes=2))
        self.assertIn("PE 1: ValueError: no such thing", str(caught.exception))
        self.assertEqual((list(caught.exception.failures), caught.exception.status), ([1], 1))

    def test_a_pe_that_dies(self):
        def work():
            import os

            os.kill(os.getpid(), 9)

        with self.assertRaisesRegex(shmem.JobError, "the job ended with status 137"):
            shown(lambda: shmem.run(work, pes=1))

    def test_what_cannot_be_sent(self):
        with self.assertRaisesRegex(TypeError, "cannot be sent to the PEs"):
            shmem.run(print, threading.Lock(), pes=1)

    def test_number_of_pes(self):
        for pes in 0, -1, 65537, 10**9:
            with self.assertRaisesRegex(ValueError, f"^sheafshmem.run: pes is {pes}: a job has 1 to 65536 PEs$"):
                shmem.run(print, pes=pes)
        for pes in 2.5, "2", None:
            with self.assertRaisesRegex(TypeError, f"^sheafshmem.run: pes is {pes!r}: expected a whole number$"):
                shmem.run(print, pes=pes)
        self.assertEqual(shown(lambda: shmem.run(shmem.my_pe, pes=np.int64(2)))[1], [0, 1])

    def test_other_hosts(self):
        for options in ["--hosts", "a"], ["--hostfile=a"]:
            with self.assertRaisesRegex(ValueError, f"^sheafshmem.run: options: {options[0]}: a job of run"):
                shmem.run(print, options=options)

    def test_large_results(self):
        def work(values):
            import numpy
            import sheafshmem as shmem

            return numpy.full(1 << 20, shmem.my_pe()) + values

        results = shown(lambda: shmem.run(work, np.ones(1 << 20), pes=3))[1]
        self.assertEqual([(set(each), each.size) for each in results], [({pe + 1}, 1 << 20) for pe in range(3)])

    def test_interrupt(self):
        job = subprocess.Popen([sys.executable, "-c", FOREVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        pids = [int(job.stdout.readline().split()[-1]) for _ in range(2)]
        job.send_signal(signal.SIGINT)
        errors = job.communicate(timeout=30)[1]
        self.assertIn("KeyboardInterrupt", errors)
        for pid in pids:
            with self.assertRaises(ProcessLookupError):
                os.kill(pid, 0)

    def check_end(self, end):
        """Starts an interpreter by end(program, environment), which ends it once its job runs: nothing of that may be left."""
        with tempfile.TemporaryDirectory() as folder:
            marker = f"SHEAF_TEST_MARKER={uuid.uuid4().hex}"
            name, value = marker.split("=")
            end(FOREVER, {**os.environ, "TMPDIR": folder, name: value})
            until = time.monotonic() + 10
            while (left := processes_with(marker)) and time.monotonic() < until:
                time.sleep(0.02)
            files = os.listdir(folder)
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            self.assertEqual((left, files), ([], []))

    def test_end_of_the_interpreter(self):
        """Whatever ends it, also where a process that it forked has all its descriptors, and where SIGTERM is ignored."""
        forks = "import os, signal, time\nif os.fork() == 0: os.setsid(); time.sleep(3); os._exit(0)\n"
        ignores = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        for number, before in ((signal.SIGKILL, ""), (signal.SIGTERM, ""), (signal.SIGHUP, ""), (signal.SIGKILL, forks),
                               (signal.SIGKILL, ignores)):
            def end(program, environment):
                job = subprocess.Popen([sys.executable, "-c", before + program], stdout=subprocess.PIPE, text=True,
                                       env=environment)
                for _ in range(2):
                    self.assertIn("runs", job.stdout.readline())
                job.send_signal(number)
                job.wait(10)
                job.stdout.close()

            with self.subTest(signal=number.name, before=before):
                self.check_end(end)

    @unittest.skipUnless(nbclient, "nbclient or ipykernel is not installed")
    def test_restart_of_a_kernel(self):
        def end(program, environment):
            manager, client = jupyter_client.manager.start_new_kernel(env=environment)
            client.execute(program)
            text = ""
            while text.count("runs") < 2:
                message = client.get_iopub_msg(timeout=30)
                text += message["content"].get("text", "") if message["msg_type"] == "stream" else ""
            jobs = processes_with(next(f"{name}={value}" for name, value in environment.items() if "MARKER" in name))
            manager.restart_kernel(now=True)
            client.stop_channels()
            manager.shutdown_kernel(now=True)
            self.assertGreater(len(jobs), 3)

        self.check_end(end)

    @unittest.skipUnless(nbclient, "IPython is not installed")
    def test_magic(self):
        shell = IPython.core.interactiveshell.InteractiveShell.instance()
        shell.run_line_magic("load_ext", "sheafshmem")
        shell.user_ns["x"] = 5
        cell = "import sheafshmem as shmem\ny = x + shmem.my_pe()\nprint('y', y)"
        output, _ = shown(lambda: shell.run_cell_magic("sheaf", "-n 2 --send x --result y", cell))
        self.assertEqual(sorted(output.splitlines()), ["[0] y 5", "[1] y 6"])
        self.assertEqual(shell.user_ns["y"], [5, 6])
        output, _ = shown(lambda: shell.run_cell_magic("sheaf", "-n 1", "1 / 0"))
        self.assertIn("sheafshmem.run: PE 0: ZeroDivisionError: division by zero", output)

    @unittest.skipUnless(nbclient, "nbclient or ipykernel is not installed")
    def test_notebook(self):
        notebook = nbformat.read(NOTEBOOK, 4)
        nbclient.NotebookClient(notebook, timeout=60).execute()
        text = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ()))
        self.assertRegex(text, r"pi is 3\.1\d+, by 4 PEs")
        self.assertRegex(text, r"\[3\] PE 3 of 4")


unittest.main()
