# SPDX-License-Identifier: BSD-3-Clause
"""Kills random PEs of jobs at random moments, by seed: the others go on, nothing hangs, nothing is left.

    deaths.py LAUNCHER deaths|respawn|starts|queens|uts RUNS FOLDER PROGRAM [MORTAL] [FIRST-SEED]

LAUNCHER is oshrun; for deaths also Open MPI's mpirun. With tests/common/one-by-one or on-hosts the PEs of each job are on
two or three hosts, which this machine plays; for respawn on-hosts, and of every second job new processes die while they
start.

deaths: one or two PEs of 2 to 5 die, each in one kind of call; the living go on without them. respawn: PEs of 3 to 5
die, up to four times in all, and new ones take their places. starts: a PE of 2 to 4 dies while it starts. queens, uts: one or two PEs of an application die, which
MORTAL sees to; the result is the undisturbed run's. A PE that dies before its shmem_init is over ends the job, in one
line.

FOLDER is emptied; what a job leaves there, or runs on, fails the test.
"""
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

SECONDS = 40  # a run takes some 20 ms, on several hosts and a busy machine some s
GOES_ON = "the job goes on (SHEAF_FAILURES=report)"
ENDS_EARLY = re.compile(r"(oshrun: PE \d+ .* was killed by signal 14 .*|one-by-one: PE \d+ was killed by signal 14, .*|"
                        r"sheaf: PE \d+: error: PE \d+ on host \S+ \(process \d+\) has died(| before all PEs were connected): the job ends|"
                        r"sheaf: error: host \S+: PE \d+ on host \S+ has died before all PEs were connected: the job ends|"
                        r"sheaf: PE \d+.*: error: .*: host \S+ has not been connected within 10\.\d s: a PE there has died in.*|"
                        r"sheaf: PE \d+.*: error: shmem_init: PE \d+ has died before all PEs were connected: the job ends.*)\n")
# In a job whose launcher kills all because one was killed in shmem_init, a host may outlive the others so long.
KILLED_LATE = re.compile(r"sheaf: error: host \S+: it cannot reach the greater part of the job any more, .*\n")
ENDED_BY_LAUNCHER = ", and others wait for it in shmem_init\n"
# UCX 1.13 does so, rarely, when a connection breaks that is still being made: one more death.
UCX_ENDS = re.compile(r"tcp_ep\.c:\d+ +Assertion ")
MARK = f"SURVIVE_TEST={os.getpid()}"

APPS = {"queens": ["--size", "13", "--depth", "4", "--survive"], "uts": ["--tree", "medium", "--chunk", "3", "--survive"]}
# On several hosts each look at a task is a message, and a search that has lost some begins again: smaller ones.
SMALL = {"queens": ["--size", "12", "--depth", "3", "--survive"], "uts": ["--tree", "medium", "--chunk", "6", "--survive"]}


class Job:
    """One job's command, by seed, and what may come of it."""
    least, most = 0, 4
    may_end_early = False
    hosts = 0  # several: so many at most
    says = None

    def __init__(self, options, words):
        self.options, self.words = options, words


def job_of_deaths(program, _, seed):
    victims = 1 + (seed // 13) % 2
    pes = 2 + seed % 4 if victims == 1 else 3 + seed % 3
    job = Job(["-n", str(pes)], [program, str(seed), str(victims)])
    job.least = job.most = victims
    return job


def job_of_respawn(program, _, seed):
    return Job(["--spare", "4", "-n", str(3 + seed % 3)], [program, str(seed)])


def job_of_starts(program, _, seed):
    """In the time that a start takes, or somewhat later."""
    job = Job(["-n", str(2 + seed % 3)], [program, str(seed), "150000"])
    job.most = 1
    job.may_end_early = True
    return job


def app(launcher, mode):
    return (SMALL if is_of_hosts(launcher) else APPS)[mode]


def job_of_app(words, mode, undisturbed_us):
    """PEs die within the time that it takes, after the part in which shmem_init mostly is."""
    times = [str(undisturbed_us // 3), str(undisturbed_us * 5 // 4)]

    def make(program, mortal, seed):
        pes, victims = random.Random(seed).choice([(2, 1), (3, 1), (4, 1), (3, 2), (4, 2), (5, 2)])
        job = Job(["-n", str(pes)], [mortal, str(seed), str(pes), str(victims), *times, program, *words])
        job.most = victims
        job.may_end_early = True
        job.says = mode
        return job
    return make


def hosts_of(pes, seed):
    """Of each PE a letter, on at least two hosts: in rows, in turns, or one alone."""
    ways = ["a" * (pes - pes // 2) + "b" * (pes // 2), ("ab" * pes)[:pes], "a" + "b" * (pes - 1),
            "a" * (pes - 1) + "b", ("abc" * pes)[:pes] if pes > 2 else "ab"]
    return ways[seed // 7 % len(ways)]


def is_of_hosts(launcher):
    return os.path.basename(launcher) in ("on-hosts", "one-by-one")


def launched(launcher, words):
    """Open MPI's jobs go on by --enable-recovery. It says more than needed of that."""
    if is_of_hosts(launcher):
        stands_in = []
        if words[0] == "--spare":
            stands_in = [str(pathlib.Path(words[4]).parents[1] / "bin/oshrun"), "--respawn-agent=64"]
            words = [*words[2:], str(25 * (int(words[5]) % 2))]
        return [launcher, hosts_of(int(words[1]), int(words[3]) if words[3].isdigit() else 0), *stands_in, *words[2:]]
    if "mpirun" in os.path.basename(launcher):
        return [launcher, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--enable-recovery",
                "--timeout", str(SECONDS), *words]
    return [launcher, "--timeout", str(SECONDS), *words]


def run(launcher, words):
    command = launched(launcher, words)
    name, _, value = MARK.partition("=")
    environment = dict(os.environ, SHEAF_FAILURES="report", TMPDIR=os.getcwd(), **{name: value})
    try:
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS + 20)
    except subprocess.TimeoutExpired as late:
        sys.exit(f"no end in {SECONDS + 20} s: {' '.join(command)}\n{late.stdout}{late.stderr}")


def undisturbed(oshrun, program, mode):
    """What any number of PEs says, and how long they take: the least of some."""
    shortest = None
    for _ in range(3):
        begin = time.monotonic()
        done = run(oshrun, ["-n", "3", program, *app(oshrun, mode)])
        seconds = time.monotonic() - begin
        shortest = min(seconds, shortest or seconds)
        if done.returncode != 0 or "verified" not in done.stdout:
            sys.exit(f"{mode}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return plain(done.stdout), int(shortest * 1e6)


def plain(said):
    """Its lines once each: whoever says them may die then, and another says them again."""
    return sorted(set(re.sub(r"on \d PEs", "on all PEs", said).splitlines()))


def running():
    """Processes of this test."""
    left = []
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if MARK.encode() in path.read_bytes().split(b"\0"):
                left.append(path.parent.name + " " + (path.parent / "comm").read_text().strip())
        except OSError:
            pass
    return left


def is_right(job, done, said):
    done.stderr = re.sub(r" \[SH\d{3}\]", "", done.stderr)  # tests/oshinfo/messages.py looks at the ids of messages
    if ENDED_BY_LAUNCHER in done.stderr:
        done.stderr = KILLED_LATE.sub("", done.stderr)
    told = done.stderr.count(GOES_ON)
    most = 100 if os.path.basename(done.args[0]) == "on-hosts" and "--spare" in job.options else job.most
    if "Sanitizer" in done.stderr or "runtime error" in done.stderr:
        return False
    if job.hosts and UCX_ENDS.search(done.stderr):
        return "failed" not in done.stdout
    if job.may_end_early and told == 0 and ENDS_EARLY.fullmatch(done.stderr):
        return done.returncode == 128 + 14 or (job.hosts > 0 and done.returncode == 1)
    others = [line for line in done.stderr.splitlines() if GOES_ON not in line and "PMIX ERROR" not in line]
    if job.may_end_early and others and (told < job.most or job.hosts):  # of several each may say it, and its PEs' ends
        return (done.returncode != 0 and len(others) <= max(1, job.hosts)
                and all(ENDS_EARLY.fullmatch(line + "\n") for line in others))
    says_right = said is None or (plain(done.stdout) == said and not others)
    return (done.returncode == 0 and job.least <= told <= most and says_right
            and not any(line.startswith("sheaf: ") for line in others))


def snapshots_left():
    """What is wrong with those that a job has taken: each is whole or absent. Of one whose PEs have died before the
    others knew of it a nameless part may be left, until the next one."""
    folder = pathlib.Path("snapshots")
    if not folder.exists():
        return ""
    names = os.listdir(folder)
    wrong = [name for name in names if name != "tag" and not name.endswith(".part")]
    if "tag" in names and not (folder / "tag/manifest").exists():
        wrong.append("tag without a manifest")
    shutil.rmtree(folder)
    return ", ".join(wrong + names[2:])


def try_one(oshrun, job, said):
    """How many have died while the others went on, whether the job ended early, and what is wrong."""
    job.hosts = 3 if is_of_hosts(oshrun) else 0
    done = run(oshrun, [*job.options, *job.words])
    deadline = time.monotonic() + 2
    while running() and time.monotonic() < deadline:  # agents end after the PEs
        time.sleep(0.01)
    wrong_snapshots = snapshots_left() # removes them
    files = [name for name in os.listdir() if not name.startswith("pmix-gds-")] # PMIx 5's, of PEs that were killed
    left = [wrong_snapshots, *files, *running()]
    wrong = "" if is_right(job, done, said) else f"status {done.returncode}\n{done.stdout}{done.stderr}"
    if any(left):
        wrong += "left: " + ", ".join(left)
    if wrong:
        wrong = "SHEAF_FAILURES=report " + " ".join(done.args) + ": " + wrong
    return done.stderr.count(GOES_ON), done.returncode != 0, wrong


def main():
    oshrun, mode, runs, folder, program, *rest = sys.argv[1:]
    if not shutil.which(oshrun):
        print(f"skipped: no {oshrun}")
        sys.exit(77)
    mortal = rest.pop(0) if mode in APPS else None
    first = int(rest[0]) if rest else 0
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    os.chdir(folder)
    said = None
    make = {"deaths": job_of_deaths, "respawn": job_of_respawn, "starts": job_of_starts}.get(mode)
    if mode in APPS:
        said, us = undisturbed(oshrun, program, mode)
        make = job_of_app(app(oshrun, mode), mode, us)
    deaths = early = 0
    for seed in range(first, first + int(runs)):
        begin = time.monotonic()
        told, ended, wrong = try_one(oshrun, make(program, mortal, seed), said)
        deaths += told
        early += ended
        if mode in APPS and told == 0 and not ended:  # undisturbed as well: the machine may be less busy by now
            us = min(us, int((time.monotonic() - begin) * 1e6))
            make = job_of_app(app(oshrun, mode), mode, us)
        if wrong:
            sys.exit(wrong)
    print(f"{runs} jobs, {deaths} deaths that the others went on after, {early} jobs that ended in shmem_init")
    if int(runs) >= 20 and deaths + early < int(runs) // 4:
        sys.exit("too few deaths to tell anything")


main()
