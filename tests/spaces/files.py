# SPDX-License-Identifier: BSD-3-Clause
"""Memory spaces in files: a second job finds what a first one left, whatever is not plainly the user's own
space is refused and stays as it was, and a creation that fails leaves no file. Arguments: oshrun, the program
file.c."""
import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

OSHRUN, PROGRAM = sys.argv[1:3]
BYTES = 1 << 20
failures = []


def check(condition, what):
    if not condition:
        failures.append(what)
        print("failed:", what)


def run(action, path, size=BYTES, pes=2):
    done = subprocess.run([OSHRUN, "-n", str(pes), "--timeout", "50", PROGRAM, action, str(path), str(size)],
                          capture_output=True, text=True, timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def passes(action, path, **how):
    status, said = run(action, path, **how)
    check(status == 0 and "sheaf: " not in said, f"{action} {how}: status {status}: {said}")


def refuses(why, path, **how):
    status, said = run("refuse", path, **how)
    check(status == 0 and re.search(why, said), f"{why}: status {status}: {said}")


def content(folder):
    return {entry.name: (entry.lstat().st_mode, entry.read_bytes() if entry.is_file() else b"")
            for entry in folder.iterdir()}


def outlives(folder):
    path = folder / "state"
    passes("write", path)
    names = sorted(os.listdir(folder))
    check(names == ["state.0", "state.1"], f"files {names}")
    for name in names:
        check(stat.S_IMODE((folder / name).stat().st_mode) == 0o600, f"mode of {name}")
    passes("read", path)
    passes("fork", path)
    passes("read", path)
    before = content(folder)
    refuses(r"state\.[01] holds 1048576 bytes of member [01] of 2", path, size=BYTES + 65536)
    refuses(r"state\.0 holds 1048576 bytes of member 0 of 2; this is member 0 of 3", path, pes=3)
    check(content(folder) == before, "a refusal changed or left something")
    status, said = run("twice", path)
    check(status == 0 and "is in use by another memory space" in said, f"twice: {said}")


def keeps_out(folder):
    path = folder / "other"
    own = folder / "other.1"
    own.write_text("a letter\n")
    own.chmod(0o600)
    refuses(r"other\.1 holds no memory space", path)
    own.chmod(0o640)
    refuses(r"other\.1 is not this user's alone", path)
    own.unlink()
    target = folder / "letter"
    target.write_text("a letter\n")
    own.symlink_to(target)
    refuses(r"other\.1 is no regular file", path)
    own.unlink()
    os.mkfifo(own)
    refuses(r"other\.1 is no regular file", path)
    own.unlink()
    os.link(target, own)
    refuses(r"other\.1 is no regular file with one name", path)
    own.unlink()
    refuses(r"missing/x\.[01]: No such file", folder / "missing" / "x")
    check(sorted(os.listdir(folder)) == ["letter"], f"left: {os.listdir(folder)}")
    check(target.read_text() == "a letter\n", "the letter changed")


def main():
    for subject in (outlives, keeps_out):
        with tempfile.TemporaryDirectory() as folder:
            subject(Path(folder))
    sys.exit(bool(failures))


main()
