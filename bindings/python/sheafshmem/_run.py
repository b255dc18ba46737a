# SPDX-License-Identifier: BSD-3-Clause
"""Jobs from a plain interpreter or a notebook: sheafshmem.run."""
from __future__ import annotations

import fcntl
import mmap
import operator
import os
import pickle
import select
import signal
import struct
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any, Callable, Optional, Sequence, TypeVar

Result = TypeVar("Result")
REPORT = "SHEAF_PYTHON_REPORT"  # the descriptor by which a job's PEs tell run() how far they are
WORK = "import sys; from sheafshmem._run import work; work(int(sys.argv[1]), int(sys.argv[2]))"
RESULT = struct.Struct("=QQ")  # where a PE's result begins in their file, and its length; 0: there is none
MOST_PES = 65536  # oshrun's
BAR = 30


class JobError(RuntimeError):
    """A job of run() that did not succeed: .status is oshrun's, .failures the PEs' tracebacks by number."""

    def __init__(self, text: str, status: int, failures: dict[int, str]) -> None:
        super().__init__(text)
        self.status, self.failures = status, failures


def launcher():
    """The oshrun that was installed with the library: the PATH's may be another library's."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        library = next(line.split(maxsplit=5)[5].rstrip("\n") for line in maps if "/libsheaf.so" in line)
    for folder in list(Path(library).parents)[1:4]:
        if os.access(folder / "bin" / "oshrun", os.X_OK):
            return str(folder / "bin" / "oshrun")
    raise FileNotFoundError(f"sheafshmem.run: no bin/oshrun beside {library}")


def run(function: Callable[..., Result], *args: Any, pes: int = 4, options: Sequence[str] = (),
        show_progress: Optional[bool] = None) -> list[Result]:
    """Calls function(*args) on pes PEs of a new job; returns the list of what each returned, by PE.

    Function, arguments and results travel by pickle (cloudpickle, where it is installed: then functions of the
    notebook and of the interpreter go, too). What PEs print appears line by line behind "[PE]". options are
    oshrun's, such as ["--heap", "1G"]. show_progress: a bar of what PEs report by progress(); by default where
    standard error is a terminal. Ctrl-C ends the job, and so does the end of this process, whatever ends it. A PE that
    raises ends the job and raises JobError here.
    """
    pes = _checked(pes)
    for option in options:
        if option.startswith("--host"):
            raise ValueError(f"sheafshmem.run: options: {option}: a job of run() is on this machine")
    # Both have no name: nothing stays behind where this process is killed.
    with tempfile.TemporaryFile() as call, tempfile.TemporaryFile() as results:
        call.write(_pickled((function, args)))
        call.flush()
        results.truncate(pes * RESULT.size)
        files = [call.fileno(), results.fileno()]
        command = [launcher(), "--tag-output", "--end-with", str(os.getpid()), *options, "-n", str(pes),
                   sys.executable, "-c", WORK, *map(str, files)]
        status = _watch(command, files, pes, sys.stderr.isatty() if show_progress is None else show_progress)
        return _results(results, pes, status)


def _checked(pes):
    try:
        count = operator.index(pes)
    except TypeError:
        raise TypeError(f"sheafshmem.run: pes is {pes!r}: expected a whole number") from None
    if not 1 <= count <= MOST_PES:
        raise ValueError(f"sheafshmem.run: pes is {count}: a job has 1 to {MOST_PES} PEs")
    return count


def progress(done: float, total: float = 1) -> None:
    """Tells run() that done of total parts of this PE's work are done; without run() it does nothing."""
    if REPORT in os.environ:
        os.write(int(os.environ[REPORT]), f"{_pe()} {min(max(done / total, 0), 1):.4f}\n".encode())


def _pe():
    from sheafshmem import _core

    return _core.my_pe()


def _pickled(value):
    try:
        import cloudpickle as pickler  # type: ignore[import-untyped]
    except ImportError:
        pickler = pickle
    try:
        return pickler.dumps(value)
    except Exception as error:
        hint = "" if pickler is not pickle else " (pip install cloudpickle, for functions that are in no module)"
        raise TypeError(f"sheafshmem.run: the function or its arguments cannot be sent to the PEs: {error}{hint}") from error


def _watch(command, files, pes, shows):
    """Runs the job, and shows its output; returns oshrun's status."""
    reports, tell = os.pipe()
    environment = {**os.environ, REPORT: str(tell), "PYTHONUNBUFFERED": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([*(p or os.getcwd() for p in sys.path)])
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           pass_fds=[tell, *files], env=environment, start_new_session=True)
    os.close(tell)
    try:
        _show(job.stdout.fileno(), reports, [0.0] * pes, shows)
        return job.wait()
    except BaseException:
        _end(job)
        raise
    finally:
        os.close(reports)
        job.stdout.close()


def _end(job):
    """oshrun ends its PEs at a SIGTERM, and does not outlive what ignores it."""
    job.send_signal(signal.SIGTERM)
    try:
        job.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()


def _show(output, reports, parts, shows):
    """Passes lines on until the job has closed its output."""
    texts = {output: b"", reports: b""}
    while output in texts:
        for source in select.select(list(texts), [], [])[0]:
            new = os.read(source, 65536)
            *lines, rest = (texts.pop(source) + new).split(b"\n")
            if new:
                texts[source] = rest
            elif rest:
                lines.append(rest)
            if shows and lines:
                print("\r\033[K", end="", file=sys.stderr, flush=True)
            _take(lines, source == output, parts)
            if shows and lines:
                _draw(parts)
    if shows:
        print(file=sys.stderr)


def _take(lines, are_output, parts):
    for line in lines:
        if are_output:
            print(line.decode(errors="replace"), flush=True)
        else:
            pe, part = line.split()
            parts[int(pe)] = float(part)


def _draw(parts):
    part = sum(parts) / len(parts)
    bar = ("#" * int(part * BAR)).ljust(BAR, ".")
    finished = sum(each == 1 for each in parts)
    print(f"\r[{bar}] {part:4.0%}, {finished} of {len(parts)} PEs done", end="", file=sys.stderr, flush=True)


def _results(file, pes, status):
    """Raises where a PE did not succeed."""
    results, failures = {}, {}
    file.seek(0)
    entries = list(RESULT.iter_unpack(file.read(pes * RESULT.size)))
    for pe, (begin, length) in enumerate(entries):
        if length:
            file.seek(begin)
            succeeded, value = pickle.loads(file.read(length))
            (results if succeeded else failures)[pe] = value
    if status == 0 and len(results) == pes:
        return [results[pe] for pe in range(pes)]
    who = ", ".join(f"PE {pe}: {text.strip().splitlines()[-1]}" for pe, text in failures.items())
    raise JobError(f"sheafshmem.run: {who or f'the job ended with status {status}'}", status, failures)


def _write(file, pe, outcome):
    """All of it or nothing: a PE may be ended while it writes."""
    text = memoryview(_pickled(outcome))
    fcntl.lockf(file, fcntl.LOCK_EX)
    begin = os.fstat(file).st_size
    os.ftruncate(file, begin + len(text))
    fcntl.lockf(file, fcntl.LOCK_UN)
    done = 0
    while done < len(text):
        done += os.pwrite(file, text[done:], begin + done)
    os.pwrite(file, RESULT.pack(begin, len(text)), pe * RESULT.size)


def work(call, results):
    """What each PE of a job of run() does."""
    pe = _pe()
    try:
        with mmap.mmap(call, 0, prot=mmap.PROT_READ) as text:
            function, args = pickle.loads(text)
        _write(results, pe, (True, function(*args)))
    except BaseException:
        _write(results, pe, (False, traceback.format_exc()))
        raise
    progress(1)
