# SPDX-License-Identifier: BSD-3-Clause
"""The command line."""
import argparse
import json
import os
import secrets
import stat
import sys

from . import archive, page, report, trace
from .job import Job, Unusable
from .read import sanitize
from .version import VERSION


def die(text, id):
    """oshinfo --explain knows the id."""
    print(sanitize(f"oshprof: {text} [{id}]"), file=sys.stderr)
    sys.exit(1)


def load(folder):
    try:
        return Job(folder)
    except NotADirectoryError:
        die(f"{folder}: not a folder; oshrun --profile DIR makes one", "SH953")
    except OSError as error:
        die(f"{folder}: {error.strerror}", "SH952")
    except Unusable as error:
        die(f"{folder}: no profile can be read: {error}", "SH953")


def write(path, text):
    """A new file takes the place of what has that name: a link that another user has put there is not followed. Nor has
    the new one's name a meaning once it is open: who may write in the folder can give it to a link."""
    temporary = None
    try:
        if path == "-":
            sys.stdout.write(sanitize(text, "\n"))
            return path
        if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
            die(f"{path}: it is not a regular file", "SH952")
        name = os.path.join(os.path.dirname(path), f".oshprof-{secrets.token_hex(8)}")
        fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        temporary = name
        with open(fd, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        die(f"{path}: {error.strerror}", "SH952")
    finally:
        if temporary:
            os.unlink(temporary)
    return path


def options():
    parser = argparse.ArgumentParser(
        prog="oshprof", description="Shows where the time of an OpenSHMEM program went: reads the folder of oshrun "
        "--profile, --trace or SHEAF_PROFILE and writes one page for a browser, DIR/profile.html.")
    parser.error = lambda message: parser.exit(2, f"oshprof: {sanitize(message)}; oshprof --help says more [SH951]\n")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--text", action="store_true", help="print the profile instead")
    what.add_argument("--json", action="store_true", help="print its numbers, for other programs")
    what.add_argument("--trace", action="store_true",
                      help="write DIR/trace.json, for ui.perfetto.dev and chrome://tracing")
    what.add_argument("--otf2", action="store_true",
                      help="write the trace as an OTF2 archive, DIR/otf2; needs OTF2's Python binding")
    what.add_argument("--diff", action="store_true", help="print what has changed from DIR to the second folder")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there; -: to standard output")
    parser.add_argument("--version", action="version", version=f"oshprof (Sheaf) {VERSION}")
    parser.add_argument("folders", metavar="DIR", nargs="*", help="a folder with a profile; two for --diff")
    chosen, unknown = parser.parse_known_intermixed_args()
    if unknown:
        parser.exit(2, f"oshprof: unknown option {sanitize(unknown[0])}; oshprof --help lists them [SH951]\n")
    if len(chosen.folders) != (2 if chosen.diff else 1) or "" in chosen.folders:
        parser.error("--diff needs two folders" if chosen.diff else "name one folder with a profile")
    return chosen


def write_archive(job, path):
    otf2 = archive.binding()
    if not otf2:
        die(f"--otf2 needs OTF2's Python binding for {sys.executable} (Debian: python3-otf2); --trace needs nothing", "SH956")
    if not any(profile.traces for profile in job.profiles.values()):
        die(f"{job.folder}: a profile without a trace: oshrun --trace DIR makes one", "SH953")
    if os.path.lexists(path):
        die(f"{path}: it is there already", "SH952")
    try:
        calls = archive.write(job, path, otf2)
    except (OSError, otf2.error.Error) as error:
        die(f"{path}: {error}", "SH952")
    print(sanitize(f"oshprof: {path}/traces.otf2: {calls} calls"), file=sys.stderr)


def run(chosen):
    job, folder = load(chosen.folders[0]), chosen.folders[0]
    if chosen.diff:
        write(chosen.output or "-", report.difference(job, load(chosen.folders[1])))
    elif chosen.text:
        write(chosen.output or "-", report.text(job))
    elif chosen.json:
        write(chosen.output or "-", json.dumps(report.numbers(job), indent=1) + "\n")
    elif chosen.trace:
        path = chosen.output or os.path.join(folder, "trace.json")
        events, dropped = trace.write(job, lambda text: write(path, text))
        if path != "-":
            said = f"; {dropped} earlier ones were dropped (SHEAF_TRACE_EVENTS)" if dropped else ""
            print(sanitize(f"oshprof: {path}: {events} events{said}; open it in https://ui.perfetto.dev"), file=sys.stderr)
    elif chosen.otf2:
        write_archive(job, chosen.output or os.path.join(folder, "otf2"))
    else:
        path = write(chosen.output or os.path.join(folder, "profile.html"), page.html(job))
        if path != "-":
            print(sanitize(f"{job.summary()}\n{path}: open it in a browser", "\n"))


def main():
    chosen = options()
    try:
        run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)
