#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""SHEAF_BUDDY=on: snapshots in each host's own folder, of which one is lost. Hosts are this machine's, with a folder
each by %h.

    buddy.py OSHRUN ON-HOSTS STEPS [FOLDER of applications | RUNS [FIRST-SEED]]

RUNS: so often a job that takes snapshots is killed."""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

oshrun, on_hosts, steps = sys.argv[1:4]
runs = int(sys.argv[4]) if sys.argv[4:] and sys.argv[4].isdigit() else 0
programs = sys.argv[4] if sys.argv[4:] and not runs else None
STEPS = 24
RESULT = re.compile(r"\d+ iterations, .*max \|x - 1\| = \S+")


def expect(condition, what, said=""):
    if not condition:
        sys.exit(f"failed: {what}\n{said}")


def job(hosts, *words, restart=None, **more):
    """On hosts by letters: status and what it says. At the same addresses."""
    environment = {**os.environ, "SHMEM_SYMMETRIC_SIZE": "32M", "SHEAF_BUDDY": "1", **more}
    if restart:
        environment["SHEAF_RESTART"] = str(restart)
    done = subprocess.run([sys.executable, on_hosts, hosts, "setarch", "-R", *map(str, words)], env=environment,
                          capture_output=True, text=True, timeout=60)
    if done.returncode == 77:
        print(done.stdout, end="")
        sys.exit(77)
    return done.returncode, done.stdout + done.stderr


def snapshot(at, hosts, until=STEPS, every=16):
    status, said = job(hosts, steps, until, at / "%h", every)
    expect(status == 0 and "sheaf" not in said, "a snapshot", said)
    return checksum(said)


def checksum(said):
    found = re.search(r"steps \d+ checksum (\w+)", said)
    return found and found[1]


def goes_on(at, hosts, wanted, step=16):
    status, said = job(hosts, steps, STEPS, restart=at / "%h" / "steps")
    expect(status == 0 and f"goes on at step {step}" in said and checksum(said) == wanted, f"a restart on {hosts}", said)
    return said


def refused(at, hosts, words):
    status, said = job(hosts, steps, STEPS, restart=at / "%h" / "steps")
    expect(status != 0 and said.count("sheaf: ") == 1 and words in said and "goes on" not in said, f'refused with "{words}"',
           said)


def loses(folder):
    """Whichever host is lost, the others have all, on as many hosts or fewer, with PEs where they were not."""
    wanted = snapshot(folder, "aabb")
    for host in "ab":
        taken = folder / f"host-{host}" / "steps"
        expect(len(list(taken.glob("pe-*"))) == 4, "each of two hosts has all files", os.listdir(taken))
        expect(taken.stat().st_mode & 0o777 == 0o700, "the folder is the user's")
    for lost, left in ("host-b", ("aacc", "caac", "aaaa", "abbc")), ("host-a", ("bbcc", "aabb", "bbbb")):
        shutil.move(folder / lost, folder / "away")
        for hosts in left:
            goes_on(folder, hosts, wanted)
        shutil.move(folder / "away", folder / lost)
    goes_on(folder, "aabb", wanted)
    refused(folder, "cccd", "there is no snapshot steps on any host")
    file = folder / "host-a" / "steps" / "pe-00003"
    whole = file.read_bytes()
    file.write_bytes(whole[:-8])
    goes_on(folder, "aabb", wanted)
    shutil.move(folder / "host-b", folder / "away")
    refused(folder, "aacc", "no host has the file of PE 3")
    file.write_bytes(whole)
    damage(file)
    refused(folder, "aacc", "its file of PE 3 is damaged")
    file.write_bytes(whole)
    file.chmod(0o666)
    refused(folder, "aacc", "no host has the file of PE 3")


def mends(folder):
    """A PE's own file is damaged, and its buddy has a good one; or that one is damaged, too."""
    wanted = snapshot(folder, "aabb")
    at = folder / "host-b" / "steps"
    damage(at / "pe-00003")
    said = goes_on(folder, "aabb", wanted)
    expect(said.count("sheaf: ") == 1 and "PE 3 is damaged or cut: a checksum of its memory: the copy of host host-a is taken [SH805]\n" in said,
           "one line says so", said)
    damage(at / "pe-00002")
    said = goes_on(folder, "aabb", wanted)
    expect(said.count("sheaf: ") == 1 and "the copy of host host-a is taken, and 1 more likewise [SH805]\n" in said, "of two", said)
    damage(folder / "host-a" / "steps" / "pe-00002")
    status, said = job("aabb", steps, STEPS, restart=folder / "%h" / "steps")
    expect(status == 3 and said.count("is not restored: its file of PE 2 is damaged") == 1 and "goes on" not in said,
           "no copy is good", said)


def damage(file):
    """In its memory's contents: the header fits."""
    whole = bytearray(file.read_bytes())
    whole[9000] ^= 1
    file.write_bytes(whole)


def is_cut(folder):
    """Killed where some hosts have given the new snapshot its name, and others have not: one of both is whole."""
    snapshot(folder, "aabbc", until=8, every=8)
    shutil.copytree(folder, folder.parent / "before")
    wanted = snapshot(folder, "aabbc")
    ids = [(top / "host-a/steps/manifest").read_text().split()[3] for top in (folder.parent / "before", folder)]
    expect(ids[0] != ids[1], "another snapshot")
    for behind, step in ("c", 16), ("a", 16), ("ab", 8):
        cut = folder.parent / f"cut-{behind}"
        shutil.copytree(folder, cut)
        for host in "abc":
            here, part = cut / f"host-{host}", f".steps.{ids[1][:16]}.part"
            old = folder.parent / "before" / f"host-{host}" / "steps"
            if host in behind:
                (here / "steps").rename(here / part)
            shutil.copytree(old, here / ("steps" if host in behind else part))
        goes_on(cut, "aabbc", wanted, step)
        names = {host: (cut / f"host-{host}/steps/manifest").read_text().split()[3] for host in "abc"}
        expect(behind == "ab" or set(names.values()) == {ids[1]}, f"the one that was restored has its name: {names}")
        expect(behind == "ab" or not list(cut.glob("*/.steps.*")), "what was left is removed")
    shutil.rmtree(folder / "host-b")
    goes_on(folder, "aaccc", wanted)
    shutil.rmtree(folder / "host-c")
    refused(folder, "aaccc", "no host has the file of PE 2")


def alone(folder):
    """On one host: one line, and a snapshot as ever; with oshrun, too, which passes the folder's name on."""
    status, said = job("aabb", steps, STEPS)
    expect(status == 0 and said.count("SHEAF_BUDDY=on has had no effect") == 1, "a job without snapshots", said)
    status, said = job("aaaa", steps, STEPS, folder / "%h", 16)
    expect(status == 0 and said.count("no other host has a copy") == 1, "a job on one host", said)
    environment = {**os.environ, "SHEAF_BUDDY": "1", "SHEAF_HOST": "here"}
    subprocess.run([oshrun, "-n", "2", "--snapshot-dir", str(folder / "%h"), "--snapshot-every", "0.01", steps, "3000"],
                   env=environment, capture_output=True, text=True, timeout=60)
    named = [entry for entry in folder.iterdir() if (entry / "auto" / "manifest").exists()]
    expect(len(named) == 1 and "%" not in named[0].name, f"a folder of the host's name: {os.listdir(folder)}")
    done = subprocess.run([oshrun, "--restart", str(named[0]), steps, "1"], env=environment, capture_output=True, text=True,
                          timeout=60)
    expect("goes on at step" in done.stdout, "oshrun restarts from it", done.stdout + done.stderr)


def application(folder):
    """cg goes on from the buddy's copy: the same iterations and the same error as undisturbed."""
    words = [f"{programs}/cg", "--laplacian", "24", "--tolerance", "1e-11"]
    status, plain = job("aabb", *words)
    expect(status == 0, "cg", plain)
    status, said = job("aabb", *words, "--checkpoint", folder / "%h", "--every", "5", "--iterations", "33")
    expect((folder / "host-b" / "cg" / "manifest").exists(), "a checkpoint", said)
    shutil.rmtree(folder / "host-a")
    status, said = job("bbcc", *words, "--checkpoint", folder / "%h", "--every", "5", restart=folder / "%h" / "cg")
    expect(status == 0 and RESULT.search(said)[0] == RESULT.search(plain)[0], "cg ends as undisturbed", said + plain)


def pes_of(pid):
    """The PEs below a process, with their hosts."""
    found = []
    try:
        if os.readlink(f"/proc/{pid}/exe") == steps:
            words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            found = [(pid, next(word for word in words if word.startswith(b"SHEAF_HOST=")))]
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, StopIteration):
        return found
    return found + [pe for child in children for pe in pes_of(int(child))]


def end_some(job, rng):
    """A PE, all of a host, or all at once."""
    pes = pes_of(job.pid)
    expect(pes, "PEs are there to be killed")
    host = rng.choice(pes)[1]
    chosen = rng.choice(([pid for pid, _ in pes[:1]], [pid for pid, at in pes if at == host], [pid for pid, _ in pes]))
    for pid in chosen:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def kills(folder):
    """Whoever is killed whenever: what was taken before is whole, or what was under way, although one host is lost then."""
    sums = {}
    for seed in range(int(sys.argv[5]) if len(sys.argv) > 5 else 0, runs):
        rng, at = random.Random(seed), folder / str(seed)
        at.mkdir()
        environment = {**os.environ, "SHMEM_SYMMETRIC_SIZE": "8M", "SHEAF_BUDDY": "1"}
        running = subprocess.Popen([sys.executable, on_hosts, "abbc", "setarch", "-R", steps, "4000", str(at / "%h"), "1"],
                                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not all((at / f"host-{host}/steps").exists() for host in "abc") and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.15))
        end_some(running, rng)
        running.wait(60)
        if rng.random() < 0.7:
            shutil.rmtree(at / f"host-{rng.choice('abc')}")
        status, said = job("abbc", steps, 0, restart=at / "%h" / "steps", SHMEM_SYMMETRIC_SIZE="8M")
        found = re.search(r"goes on at step (\d+)", said)
        expect(status == 0 and found, f"a whole snapshot, seed {seed}", said + str(sorted(at.glob("*/*"))))
        step = int(found[1])
        if step not in sums:
            sums[step] = checksum(job("abbc", steps, step, SHMEM_SYMMETRIC_SIZE="8M")[1])
        expect(checksum(said) == sums[step], f"step {step} is whole, seed {seed}", said)
        shutil.rmtree(at)


with tempfile.TemporaryDirectory(prefix="survive-buddy-") as name:
    for part in (kills,) if runs else (application,) if programs else (loses, mends, is_cut, alone):
        (Path(name) / part.__name__ / "hosts").mkdir(parents=True)
        part(Path(name) / part.__name__ / "hosts")
