# SPDX-License-Identifier: BSD-3-Clause
"""Kills random PEs of jobs at random moments, by seed: the others go on, nothing hangs, nothing is left.

    deaths.py OSHRUN PROGRAM deaths|respawn RUNS [FIRST-SEED]

deaths: one or two PEs of 2 to 5 die, each in one kind of call; the living go on without them. respawn: PEs
of 3 to 5 die, up to four times in all, and new ones take their places.
"""
import os
import subprocess
import sys

SECONDS = 20  # a run takes some 20 ms


def arguments(mode, seed):
    """Of oshrun, of the program, and how many die at least and at most."""
    if mode == "respawn":
        return ["--spare", "4", "-n", str(3 + seed % 3)], [str(seed)], 0, 4
    victims = 1 + (seed // 13) % 2
    pes = 2 + seed % 4 if victims == 1 else 3 + seed % 3
    return ["-n", str(pes)], [str(seed), str(victims)], victims, victims


def run(oshrun, program, mode, seed):
    """One job: how many have died, and what to say where it fails."""
    options, words, least, most = arguments(mode, seed)
    command = [oshrun, "--timeout", str(SECONDS), *options, program, *words]
    done = subprocess.run(command, env=dict(os.environ, SHEAF_FAILURES="report"), capture_output=True, text=True,
                          timeout=SECONDS + 20)
    told = done.stderr.count("the job goes on (SHEAF_FAILURES=report)")
    if done.returncode == 0 and least <= told <= most and "sheaf: " not in done.stderr:
        return told, None
    return told, " ".join(command) + f": status {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    oshrun, program, mode, runs = sys.argv[1:5]
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    deaths = 0
    for seed in range(first, first + int(runs)):
        told, failure = run(oshrun, program, mode, seed)
        deaths += told
        if failure:
            sys.exit("SHEAF_FAILURES=report " + failure)
    print(f"{runs} jobs, {deaths} deaths")
    if deaths < int(runs):
        sys.exit("too few deaths to tell anything")


main()
