#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""oshrun --save-on-failure: what a failed job has left, and oshdump shows. Arguments: oshrun, the program of fails.c,
oshdump, the program of steps.c."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

oshrun, program, oshdump, steps = sys.argv[1:5]


def expect(condition, what, said=""):
    if not condition:
        sys.exit(f"failed: {what}\n{said}")


def job(how, folder, *options, pes=3, of=program, variables=None):
    option = ["--save-on-failure", str(folder)] if folder else []
    done = subprocess.run([oshrun, "-n", str(pes), *option, *options, of, how], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **(variables or {})})
    return done.returncode, done.stdout + done.stderr


def dump(*words, of=program):
    done = subprocess.run([oshdump, of, *map(str, words)], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def check_values(at, pes):
    wanted = {}
    for pe in range(pes):
        wanted.update({f"grid[4999].temperature@{pe}": 1000.0 * pe + 4999, f"heap[4321]@{pe}": 43210 + pe,
                       f"space_words[1234]@{pe}": -12340 - pe, f"large[16777215]@{pe}": 77 + pe, f"large[5]@{pe}": 0,
                       f"grid[7].next->next->temperature@{pe}": 1000.0 * pe + 9})
    status, said, wrong = dump(at, "--json", *wanted)
    expect(status == 0, "the values can be read", wrong)
    for (name, value), got in zip(wanted.items(), json.loads(said)):
        expect(got["value"] == value, f"{name} is {value}: {got}")


def one_of(folder):
    found = list(folder.iterdir())
    expect(len(found) == 1 and found[0].name.startswith("job-"), f"one folder for the job: {found}")
    return found[0]


def saves(folder):
    """Every way to fail is kept, and the job's status is what it was."""
    cases = [("killed", 3, 137, ()), ("aborts", 2, 134, ()), ("exits", 2, 5, ()), ("everybody", 3, 6, ()),
             ("argument", 2, 1, ()), ("pauses", 2, 124, ("--timeout", "2")), ("killed", 1, 137, ())]
    for number, (how, pes, wanted, options) in enumerate(cases):
        at = folder / str(number)
        status, said = job(how, at, *options, pes=pes)
        plain = job(how, None, *options, pes=pes)[0]
        expect(status == plain == wanted, f"{how}: status {status}, {plain}", said)
        lines = [line for line in said.splitlines() if "memory of" in line]
        taken = one_of(at)
        expect(len(lines) == 1 and f"oshdump {program} {taken} --list" in lines[0], f"{how}: one line says so", said)
        expect(taken.stat().st_mode & 0o777 == 0o700, "the folder is the user's")
        expect(all(file.stat().st_mode & 0o777 == 0o600 for file in taken.iterdir()), "its files are the user's")
        expect(sum(file.stat().st_blocks for file in taken.iterdir()) < pes * 2048, "untouched memory is not written")
        check_values(at, pes)


def saves_nothing(folder):
    status, said = job("ends", folder)
    expect(status == 0 and not list(folder.iterdir()) and "oshrun" not in said, "a job that does not fail", said)
    status, said = job("early", folder)
    expect(status == 7 and not list(folder.iterdir()) and "no PE had come to shmem_init" in said, "nothing to save", said)
    expect(not list(folder.glob(".*")), "nothing is left behind")


def shows(folder):
    """What is none of a snapshot says so, and no job starts from it."""
    for at in folder / "a", folder / "b":
        job("killed", at)
    listed = json.loads(dump(folder / "a", "--list", "--json")[1])
    expect(listed["post_mortem"] is True and listed["pes"] == [0, 1, 2] and not listed["blocks"], f"listed: {listed}")
    names = {row["name"]: row["bytes"] for row in listed["variables"]}
    expect(names["large"] == 1 << 26, f"variables: {names}")
    expect("left by a failed job" in dump(folder / "a", "--list")[1], "the list says what it is")
    status, said, _ = dump("--diff", folder / "a", folder / "b", "--json")
    found = {row["variable"].split("[")[0].split(".")[0] for row in json.loads(said)}
    expect(status in (0, 1) and found <= {"grid", "heap", "space_words"}, f"they differ in addresses alone: {said}")
    taken = one_of(folder / "a")
    done = subprocess.run([oshrun, "--restart", str(taken), steps, "1"], capture_output=True, text=True, timeout=60)
    expect(done.returncode == 2 and "what a failed job has left" in done.stderr, "oshrun refuses it", done.stderr)
    done = subprocess.run([oshrun, "--restart", str(folder / "a"), steps, "1"], capture_output=True, text=True, timeout=60)
    expect(done.returncode == 2 and "what a failed job has left" in done.stderr, "nor does it take it", done.stderr)
    status, said = job("1", None, of=steps, variables={"SHEAF_RESTART": str(taken)})
    expect(status == 3 and said.count("what a failed job has left") == 1, "shmemx_restore refuses it", said)


def refuses(folder):
    """Where nothing can be written: one line, and the job's own status. What another user has put there stays."""
    (folder / "file").write_text("")
    for at in folder / "file", folder / "no" / "where":
        status, said = job("killed", at)
        expect(status == 2 and said.count("\n") == 1, f"{at} is refused at once", said)
        status, said = job("killed", None, variables={"SHEAF_SAVE_ON_FAILURE": str(at)})
        expect(status == 137 and said.count("is not saved") == 1, f"{at} is no reason for another status", said)
    status, said = job("killed", folder / "x", variables={"SHEAF_ONNODE": "off"})
    expect(status == 2 and "SHEAF_ONNODE=off" in said, "PEs that share no memory", said)
    status, said = job("killed", folder / "x", "--hosts", "localhost")
    expect(status == 2 and "--hosts" in said, "other launchers", said)
    alone = subprocess.run([program, "killed"], capture_output=True, text=True, timeout=60,
                           env={**os.environ, "SHEAF_SAVE_ON_FAILURE": str(folder / "x")})
    expect("SHEAF_SAVE_ON_FAILURE needs oshrun" in alone.stderr, "no launcher", alone.stderr)
    strangers(folder / "theirs")
    fills(folder)


def strangers(at):
    """Another user's folder, with names that lead to this user's files."""
    mine = at.parent / "mine"
    for folder in at, mine:
        folder.mkdir()
    (mine / "pe-00000").write_text("kept")
    (at / ".job-1.0123456789abcdef.part").symlink_to(mine)
    if os.geteuid() == 0:
        os.chown(at, 4711, 4711)
        at.chmod(0o777)
    status, said = job("killed", at)
    taken = [entry for entry in at.iterdir() if not entry.name.startswith(".")]
    expect(status == 137 and len(taken) == 1 and taken[0].stat().st_mode & 0o777 == 0o700, "what is written is private", said)
    expect((mine / "pe-00000").read_text() == "kept", "no link is followed")


def fills(folder):
    """A full disk, as root can make one."""
    small = folder / "small"
    small.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "sheaf", str(small)],
                                           capture_output=True).returncode != 0:
        return
    try:
        status, said = job("killed", small)
        expect(status == 137 and said.count("is not saved") == 1 and "No space left" in said, "a full disk", said)
        expect(not list(small.iterdir()), f"nothing is left of it: {list(small.iterdir())}")
    finally:
        subprocess.run(["umount", str(small)], check=True)


with tempfile.TemporaryDirectory(prefix="sheaf-failure-") as name:
    for part in saves, saves_nothing, shows, refuses:
        (Path(name) / part.__name__).mkdir()
        part(Path(name) / part.__name__)
