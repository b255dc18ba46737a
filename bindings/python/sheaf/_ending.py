# SPDX-License-Identifier: BSD-3-Clause
"""How a PE ends: in order with its program, and with the whole job where an exception ends it."""
import atexit
import os
import sys
import traceback

from sheaf import _arrays, _core

UP = 1


def watch():
    """Takes the library down at the end of the program, and the job where an exception reaches the interpreter."""
    atexit.register(_arrays.finalize)
    before = sys.excepthook

    def end_job(kind, error, trace):
        if _core.state() != UP or _core.n_pes() == 1:
            before(kind, error, trace)
            return
        sys.stdout.flush()
        text = "".join(traceback.format_exception(kind, error, trace))
        text += f"sheaf: PE {_core.my_pe()}: {kind.__name__} ends the job\n"
        sys.stderr.flush()
        os.write(2, text.encode(errors="backslashreplace"))  # at once: other PEs may write too
        _core.global_exit(130 if issubclass(kind, KeyboardInterrupt) else 1)

    sys.excepthook = end_job
