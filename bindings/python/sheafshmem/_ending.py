# SPDX-License-Identifier: BSD-3-Clause
"""How a PE ends with the whole job where an exception ends it. At any other end the library sees the exit status: of 0
it finalizes, and another one ends the job."""
import faulthandler
import os
import sys
import traceback

from sheafshmem import _core

UP = 1


def watch():
    """Ends the job where an exception reaches the interpreter; a PE that dies of a signal shows where its program was."""
    if not faulthandler.is_enabled() and sys.__stderr__ is not None:
        faulthandler.enable(sys.__stderr__)
    before = sys.excepthook

    def end_job(kind, error, trace):
        if _core.state() != UP or _core.n_pes() == 1:
            before(kind, error, trace)
            return
        sys.stdout.flush()
        text = "".join(traceback.format_exception(kind, error, trace))
        text += f"sheaf: PE {_core.my_pe()}: {kind.__name__} ends the job [SH153]\n"
        sys.stderr.flush()
        os.write(2, text.encode(errors="backslashreplace"))  # at once: other PEs may write too
        _core.global_exit(130 if issubclass(kind, KeyboardInterrupt) else 1)

    sys.excepthook = end_job
