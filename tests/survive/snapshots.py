#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots and restarts of a program whose checksum is known: whole, damaged, of another program, killed.

Arguments: oshrun, the program of steps.c, another program, and which part to run."""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from damage import sealed

oshrun, program, other, part = sys.argv[1:5]
STEPS = 40


def job(*options, pes=4, steps=STEPS, every=None, of=program, variables=None, wait=True):
    """What a job says, and its status."""
    words = [oshrun, "-n", str(pes), *options, of, str(steps), *(every or [])]
    started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env={**os.environ, **(variables or {})})
    if not wait:
        return started
    said = started.communicate(timeout=50)[0]
    return started.returncode, said


def checksum(said):
    return said.rsplit("checksum ", 1)[1].split()[0] if "checksum " in said else None


def expect(condition, what, said=""):
    if not condition:
        sys.exit(f"failed: {what}\n{said}")


def undisturbed(pes=4):
    status, said = job(pes=pes)
    expect(status == 0, "the undisturbed run", said)
    return checksum(said)


def snapshot(folder, pes=4, every=16):
    status, said = job(every=[str(folder), str(every)], pes=pes, steps=24)
    expect(status == 0 and "sheaf" not in said, "a snapshot", said)
    return folder / "steps"


def restarts(folder):
    """A restart ends as the undisturbed run does, on several numbers of PEs, and its files are the user's alone."""
    for pes in 1, 2, 4, 8:
        at = folder / str(pes)
        taken = snapshot(at, pes)
        expect(taken.stat().st_mode & 0o777 == 0o700, "the folder is the user's")
        for file in taken.iterdir():
            expect(file.stat().st_mode & 0o777 == 0o600, f"{file} is the user's")
        words = [oshrun, "--restart", str(at), program, str(STEPS)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=50)
        expect(done.returncode == 0 and "goes on at step 16" in done.stdout, "a restart", done.stdout + done.stderr)
        expect(checksum(done.stdout) == undisturbed(pes), f"the same result on {pes} PEs", done.stdout)


def refused(at, words, *options, **settings):
    """One line that says why, no PE hangs, nothing is restored."""
    status, said = job("--restart", str(at), *options, **settings)
    lines = [line for line in said.splitlines() if line.startswith("sheaf: ")]
    expect(status == 3 and len(lines) == 1 and words in lines[0] and "goes on" not in said,
           f'refused with "{words}", status {status}', said)


def refused_at_once(at, words):
    """By oshrun, and by the library under another launcher, which is told by the variable alone."""
    status, said = job("--restart", str(at))
    expect(status == 2 and said.count("\n") == 1 and words in said, f'oshrun refuses it with "{words}"', said)
    status, said = job(variables={"SHEAF_RESTART": str(at)})
    expect(status == 3 and said.count("sheaf: ") == 1 and words in said and "goes on" not in said,
           f'shmemx_restore refuses it with "{words}"', said)


def damaged(folder):
    """Every kind of damage is seen before anything is touched."""
    at = snapshot(folder)
    file = at / "pe-00002"
    whole = file.read_bytes()
    for place in 8, 100, 5000, len(whole) // 2, len(whole) - 1:
        bad = bytearray(whole)
        bad[place] ^= 1
        file.write_bytes(bad)
        refused(at, "", *[])
    file.write_bytes(whole[:-100])
    refused(at, "its file of PE 2 is damaged or cut")
    file.write_bytes(b"")
    refused(at, "too short for a header")
    file.unlink()
    refused(at, "its file pe-00002: No such file")
    file.symlink_to(at / "pe-00001")
    refused(at, "its file pe-00002: Too many levels")
    file.unlink()
    shutil.copy(at / "pe-00001", file)
    refused(at, "the file of PE 2 is that of PE 1")
    file.write_bytes(whole)
    file.chmod(0o622)
    refused(at, "another user could have written there")
    file.chmod(0o600)
    manifest = (at / "manifest").read_text()
    (at / "manifest").write_text(manifest.replace("members 0", "members 1"))
    refused_at_once(at, "its manifest is damaged")
    expect(sealed(manifest, "npes 4") == manifest, "the checksum is known here")
    for word in "npes 4000000000000000000", "members 0 1 -4", "members 3 7 4", "heap -":
        (at / "manifest").write_text(sealed(manifest, word))
        refused_at_once(at, "its manifest is damaged")
    (at / "manifest").write_text(manifest)
    refused(at, "it is of a job of 4 PEs, and this one has 3", pes=3)
    refused(at, "it is of another program", of=other)
    refused(at, "pointers to them would be wrong", "--heap", "8M")
    status, said = job("--restart", str(at))
    expect(status == 0 and "goes on" in said, "whole again", said)


def grows(folder):
    """A snapshot adds what has changed to the one before, by files that are each needed; in time it is whole again."""
    wanted = undisturbed()
    at = folder / "steps"
    for last in range(30, STEPS):
        status, said = job(every=[str(folder), "1"], steps=last)
        parts = len(list(at.glob("pe-00002.*")))
        if parts >= 2:  # the last one was not written whole, nor the one before
            break
    expect(status == 0 and 2 <= parts < 29, f"most snapshots add a file, and not all: {parts}", said)
    expect(all(part.stat().st_mode & 0o777 == 0o600 for part in at.iterdir()), "its files are the user's")
    expect((at / "pe-00002").stat().st_size < (at / "pe-00002.0").stat().st_size / 2, "one has less than all")
    said = job("--restart", str(folder))[1]
    expect(f"goes on at step {last}" in said and checksum(said) == wanted, "the result after a restart", said)
    middle, name = at / f"pe-00002.{parts - 1}", f"pe-00002.{parts - 1}"
    middle.rename(at / "elsewhere")
    refused(at, f"its file {name}: No such file")
    shutil.copy(at / "pe-00002.0", middle)
    refused(at, f"its file {name} is of another snapshot")
    middle.write_bytes((at / "elsewhere").read_bytes()[:-1])
    refused(at, "its file of PE 2 is damaged or cut")
    os.replace(at / "elsewhere", middle)
    said = job("--restart", str(folder))[1]
    expect(checksum(said) == wanted, "whole again", said)


def compressed(folder):
    """By zstd, where it is installed: smaller files, the same result."""
    status, said = job(variables={"SHEAF_SNAPSHOT_COMPRESS": "zstd"}, every=[str(folder / "z"), "16"], steps=24)
    if "libzstd.so.1 is not installed" in said:
        print("skipped: no libzstd.so.1")
        sys.exit(77)
    expect(status == 0 and "sheaf" not in said, "a compressed snapshot", said)
    plain = snapshot(folder / "plain")
    sizes = [(at / "pe-00002").stat().st_size for at in (folder / "z" / "steps", plain)]
    expect(sizes[0] < sizes[1] / 2, f"it is smaller: {sizes}")
    expect(checksum(job("--restart", str(folder / "z"))[1]) == undisturbed(), "the result after a restart")
    file = folder / "z" / "steps" / "pe-00002"
    whole = file.read_bytes()
    for place in range(4096, len(whole), len(whole) // 7):
        bad = bytearray(whole)
        bad[place] ^= 1
        file.write_bytes(bad)
        refused(file.parent, "damaged or cut")
    status, said = job(variables={"SHEAF_SNAPSHOT_COMPRESS": "best"})
    expect(status != 0 and "must be one of: off, zstd" in said, "an unknown way", said)


def choose(pid):
    """A process below the job's oshrun: the proxy, or a PE."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    below = [child for parent in children
             for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
    return random.choice(below + [str(pid)]) if below else str(pid)


def killed(folder):
    """Whoever is killed while snapshots are written: there is a whole one, or none, and it restarts well."""
    wanted = undisturbed()
    random.seed(int(os.environ.get("SEED", "20")))
    found = 0
    for _ in range(int(os.environ.get("KILLS", "8"))):
        run = job(every=[str(folder), "1"], steps=4000, wait=False)
        deadline = time.monotonic() + random.choice((0, 20))
        while not (folder / "steps").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(random.uniform(0.03, 0.25))
        try:
            os.kill(int(choose(run.pid)), signal.SIGKILL)
        except (OSError, ValueError):
            pass
        run.communicate(timeout=30)
        if not (folder / "steps").exists():
            continue
        found += 1
        at = int(job("--restart", str(folder), steps=0)[1].split("at step ")[1].split()[0])
        if at < STEPS:
            said = job("--restart", str(folder))[1]
            expect(checksum(said) == wanted, "the result after a kill", said)
        shutil.rmtree(folder / "steps")
    expect(found > 0, "no snapshot was found after any kill")
    job(every=[str(folder), "16"])
    expect(not list(folder.glob(".*")), f"left behind: {list(folder.glob('.*'))}")


def periodic(folder):
    """The environment's snapshots: nothing in the program asks for one."""
    run = job("--snapshot-dir", str(folder), "--snapshot-every", "0.05", steps=30000, wait=False)
    deadline = time.time() + 20
    while not (folder / "auto").exists() and time.time() < deadline and run.poll() is None:
        time.sleep(0.02)
    run.terminate()
    run.communicate(timeout=30)
    status, said = job("--restart", str(folder), steps=0)
    expect(status == 0 and "goes on at step" in said, "a snapshot by the clock", said)
    shutil.rmtree(folder / "auto")
    run = job("--snapshot-dir", str(folder), "--snapshot-signal", "USR1", steps=30000, wait=False)
    time.sleep(0.5)
    expect(not (folder / "auto").exists(), "no snapshot before the signal")
    run.send_signal(signal.SIGUSR1)
    while not (folder / "auto").exists() and time.time() < deadline and run.poll() is None:
        time.sleep(0.02)
    run.terminate()
    run.communicate(timeout=30)
    expect((folder / "auto" / "manifest").exists(), "a snapshot by the signal")


def places(folder):
    """Where nothing can be written, or another user could: one line, and the job goes on."""
    def says(words, at, tag="steps"):
        status, said = job(every=[str(at), "16"], steps=24)
        expect(status == 4 and said.count("sheaf: ") == 1 and words in said, f'"{words}", status {status}', said)
    (folder / "file").write_text("")
    says("the folder", folder / "file")
    says("cannot be made", folder / "no" / "where")
    if os.path.exists("/dev/full"):
        (folder / "link").symlink_to(folder / "gone")
        says("the folder", folder / "link")
    kept = folder / "kept" / "steps"
    kept.mkdir(parents=True)
    (kept / "thesis").write_text("all of it")
    says("has other files than a snapshot's", folder / "kept")
    (folder / "kept" / ".x.0123456789abcdef.part").symlink_to(kept)
    (folder / "kept" / "auto").symlink_to(kept)
    (kept / "pe-00000").write_text("")
    says("has other files than a snapshot's", folder / "kept")
    kept.rename(folder / "kept" / "real")
    kept.symlink_to("real")
    says("what is there already", folder / "kept")
    expect({file.name for file in kept.iterdir()} == {"thesis", "pe-00000"}, "nothing of the user's is removed")
    shared = folder / "shared"
    shared.mkdir()
    for mode in 0o777, 0o770:
        shared.chmod(mode)
        says("another user could have written there", shared)
    shared.chmod(0o1777)
    snapshot(shared)
    expect([file.name for file in shared.iterdir()] == ["steps"], "a sticky folder does, and nothing else lies there")
    taken = snapshot(folder / "mine")
    taken.parent.chmod(0o777)
    refused_at_once(taken, "another user could have written there")
    status, said = job("--restart", str(taken.parent))
    expect(status == 2 and "another user could have written there" in said, "the newest there is refused as well", said)
    taken.parent.chmod(0o700)
    if os.geteuid() == 0:
        theirs = folder / "theirs"
        theirs.mkdir()
        os.chown(theirs, 4711, 4711)
        says("another user could have written there", theirs)
        expect(not list(theirs.iterdir()), "nothing lies there")
        os.chown(taken, 4711, 4711)
        refused_at_once(taken, "another user could have written there")


def unaware(folder):
    """What only has an effect if the program helps: one line where it does not."""
    program_without = os.environ["UNAWARE"]

    def says(words, *options, **more):
        status, said = job(*options, pes=3, **more)
        expect(status == 0 and said.count("sheaf: ") == bool(words) and words in said, f'"{words}", status {status}', said)
    says("", of=program_without, steps=0)
    taken = snapshot(folder / "taken", pes=3)
    says("the program calls no shmemx_restore", "--restart", str(taken), of=program_without, steps=0)
    says("the program calls no shmemx_restore", "--restart", str(taken), of=other, steps=0)
    says("has not called shmem_barrier_all", "--snapshot-dir", str(folder / "a"), "--snapshot-every", "0.05",
         of=program_without, steps=200)
    says("", "--snapshot-dir", str(folder / "b"), "--snapshot-every", "0.05", of=program_without, steps=200, every=["1"])
    expect((folder / "b" / "auto" / "manifest").exists(), "a snapshot at the program's only barrier")
    says("", "--snapshot-dir", str(folder / "c"), "--snapshot-every", "20", of=program_without, steps=0)
    for option in ("--snapshot-every", "20"), ("--snapshot-signal", "USR1"):
        status, said = job(*option)
        expect(status == 2 and f"{option[0]} needs a folder" in said, "oshrun asks for --snapshot-dir", said)


os.umask(0o022) # Ubuntu's users have 002, and a folder that others may write is refused
with tempfile.TemporaryDirectory(prefix="sheaf-survive-") as name:
    {"restarts": restarts, "damaged": damaged, "killed": killed, "periodic": periodic, "grows": grows,
     "compressed": compressed, "unaware": unaware,
     "places": places}[part](Path(name))
