# SPDX-License-Identifier: BSD-3-Clause
"""Hosts are killed at random moments, by seed, of jobs that take snapshots with SHEAF_BUDDY=on: the PEs of a host that is
lost live again on another, all go back to the last snapshot, and the end is that of an undisturbed job; nothing hangs,
nothing is left. Hosts are this machine's.

    rehome.py ON-HOSTS OSHRUN PROGRAM RUNS [FIRST-SEED]

PROGRAM is that of rehome.c, or cg of apps. Killed are all processes of a host, its agent alone, a PE, or a new process as soon as it is there; up to three times
a job, two at once in some. One host stays."""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

on_hosts, oshrun, program, runs = sys.argv[1:5]
first = int(sys.argv[5]) if len(sys.argv) > 5 else 0
SECONDS = 60  # a job takes less than one, and some on a busy machine
LAYOUTS = "aabb abb aab abab aaabb abc aabbc abcab abcc".split()
IS_CG = os.path.basename(program) == "cg"
WORDS = ["40", "folder", "6", "4000"]
if IS_CG:
    WORDS = ["--laplacian", "48", "--tolerance", "1e-11", "--checkpoint", "folder", "--every", "4", "--survive"]
MARK = f"REHOME_TEST={os.getpid()}"
CHECKSUM = re.compile(r"\d+ iterations, .*max \|x - 1\| = \S+" if IS_CG else r"^steps 40 checksum \w+$", re.MULTILINE)
TOO_MANY = "no host has all of the last checkpoint any more"  # neighbours are lost: cg ends then, rehome.c begins again
NOBODY = "all PEs are dead, but for new ones that are not connected yet: the job ends"
EXPECTED = re.compile(r"the job goes on \(SHEAF_FAILURES=report\)( \[SH604\])?$|PMIX ERROR|no other host has a copy( \[SH806\])?$|is not restored: |"
                      r"cannot be started: |all PEs are dead(, but for new ones|: the job ends)|this process, which is not connected to the others yet, dies with it( \[SH604\])?$|^$")


def processes():
    """Of this test: number, name, host, whether it is a new one's."""
    found = []
    for path in [Path("/proc", name, "environ") for name in os.listdir("/proc") if name.isdigit()]:
        try:
            words = path.read_bytes().split(b"\0")
            if MARK.encode() in words:
                host = next((word[-1:].decode() for word in words if word.startswith(b"SHEAF_HOST=")), "")
                is_new = any(word.startswith(b"SHEAF_PLACE=") for word in words)
                found.append((int(path.parent.name), (path.parent / "comm").read_text().strip(), host, is_new))
        except OSError:
            pass
    return found


killed = set()  # of the job under way


def kill(found):
    for pid, *_ in found:
        killed.add(pid)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def kill_host(rng, hosts):
    lost = hosts.pop(rng.randrange(len(hosts)))
    found = [one for one in processes() if one[2] == lost]
    killed.update(one[0] for one in found)  # some before it is their turn, by the end of another
    if rng.random() < 0.5:
        found = [one for one in found if one[1] == "sheaf-agent"]
    rng.shuffle(found)
    kill(found)


def kill_pe(rng, _):
    found = [one for one in processes() if one[2] and one[1] not in ("sheaf-agent", "oshrun")]
    kill(rng.sample(found, min(1, len(found))))


def kill_new(rng, _):
    """The next one that is seen, if one is."""
    known, deadline = {one[0] for one in processes()}, time.monotonic() + 1
    while time.monotonic() < deadline:
        found = [one for one in processes() if one[3] and one[0] not in known and one[1] not in ("sheaf-agent", "oshrun")]
        if found:
            time.sleep(rng.uniform(0, 0.02))
            kill(found[:1])
            return


def disturb(rng, hosts):
    """At least one host is lost, and then others may be, or PEs."""
    hosts = sorted(set(hosts))
    time.sleep(rng.uniform(0, 0.25))
    kill_host(rng, hosts)
    for _ in range(rng.randrange(3)):
        time.sleep(rng.choice((0, rng.uniform(0, 0.05), rng.uniform(0, 0.3))))
        ways = [kill_pe, kill_new] + [kill_host] * (len(hosts) > 1)
        rng.choice(ways)(rng, hosts)


def start(hosts, folder):
    name, _, value = MARK.partition("=")
    environment = {**os.environ, "SHMEM_SYMMETRIC_SIZE": "32M", "SHEAF_BUDDY": "1", "SHEAF_FAILURES": "report", name: value}
    words = [word.replace("folder", f"{folder}/%h") for word in WORDS]
    command = ["setarch", "-R", sys.executable, on_hosts, hosts, oshrun, "--respawn-agent=64", program, *words]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=open(f"{folder}/said", "w"),
                            text=True)


def await_begin(job, folder):
    deadline = time.monotonic() + 30
    while IS_CG and job.poll() is None and not list(Path(folder).glob("host-*/cg")) and time.monotonic() < deadline:
        time.sleep(0.01)
    said = job.stdout.readline() if not IS_CG or job.poll() is not None else ""
    if said.startswith("skipped"):
        print(said, end="")
        sys.exit(77)
    return said


def finish(job):
    """Open MPI's mpirun may wait for itself when all that it has started has ended."""
    try:
        return job.communicate(timeout=SECONDS)[0]
    except subprocess.TimeoutExpired:
        left = [one for one in processes() if one[2]]
        kill(processes())
        said = job.communicate()[0]
        return said + (f"no end in {SECONDS} s: {left}" if left else "")


def wait_for_end():
    deadline = time.monotonic() + 10
    while [one for one in processes() if one[2]] and time.monotonic() < deadline:
        time.sleep(0.02)
    return [one for one in processes() if one[2]]


def run(hosts, rng):
    with tempfile.TemporaryDirectory(prefix="survive-rehome-") as folder:
        job = start(hosts, folder)
        said = await_begin(job, folder)
        if rng:
            disturb(rng, hosts)
        said += finish(job)
        left = wait_for_end()
        errors = Path(folder, "said").read_text()
    return said, errors, left


def unexplained(errors):
    """Deaths of PEs that were not killed, nor die with one that was, nor by an assertion of UCX."""
    died = [int(pid) for pid in re.findall(r"\(process (\d+)\) has died; the job goes on", errors)]
    others = errors.count("dies with it") + errors.count("error: SIGABRT in")
    return [pid for pid in died if pid > 0 and pid not in killed][others:]


def is_right(said, errors, wanted):
    """Or those who had met were killed before they could meet others. Who dies after the result is printed brings all back to
    the last snapshot: it is printed again, and is the same."""
    found = CHECKSUM.findall(said)
    return (found != [] and set(found) == set(wanted)) or is_over(said, errors)


def is_over(said, errors):
    return not CHECKSUM.findall(said) and "no end in" not in said and (NOBODY in errors or TOO_MANY in errors
                                                                                   or "has died" in errors)


def wrong_lines(errors):
    of_ucx = "uct_tcp_ep_pending_purge" in errors  # see deaths.py: one more death
    if TOO_MANY in errors:  # the job is ended, whoever does what
        return []
    return [line for line in errors.splitlines() if line.startswith("sheaf") and not EXPECTED.search(line)
            and not (of_ucx and " error: SIGABRT in" in line)]


def main():
    sums, deaths, back, over = {}, 0, 0, 0
    for seed in range(first, first + int(runs)):
        rng = random.Random(seed)
        hosts = LAYOUTS[seed % len(LAYOUTS)]
        if len(hosts) not in sums:
            sums[len(hosts)] = CHECKSUM.findall(run(hosts, None)[0])
        killed.clear()
        said, errors, left = run(hosts, rng)
        deaths += errors.count("is lost, and all its PEs are dead")
        back += said.count("goes on")
        over += is_over(said, errors)
        ends_well = TOO_MANY in errors or not unexplained(errors)
        if not ends_well or not sums[len(hosts)] or not is_right(said, errors, sums[len(hosts)]) or wrong_lines(errors) or left:
            sys.exit(f"seed {seed}, {hosts}: wanted {sums[len(hosts)]}\n{said}\n{errors}\nleft: {left}\n"
                     f"died, and were not killed: {unexplained(errors)}")
    print(f"{runs} jobs, {deaths} hosts lost, {back} times back to a snapshot, {over} jobs in which nobody was left")
    if int(runs) >= 6 and back < int(runs) // 3:
        sys.exit("too few to tell anything")


main()
