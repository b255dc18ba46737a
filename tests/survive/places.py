# SPDX-License-Identifier: BSD-3-Clause
"""Places of dead PEs on two hosts, which this machine plays: who can be started there, and what is said of those who
cannot. Arguments: on-hosts, oshrun, the program of places.c."""
import os
import re
import subprocess
import sys

on_hosts, oshrun, program = sys.argv[1:4]

SPARES = {"twice": 4, "none-left": 1}  # of each host

CASES = {  # what PE 0 says, and what lines on standard error must be like
    "host": ("all have met\n", []),
    "respawn-agent": ("all have met\n", ["PE 1 on host host-a .* has died"]),
    "killed-agent": ("all have met\n", ["host host-b is lost"]),
    "first-agent": ("all have met\n", ["host host-a is lost"]),
    "twice": ("all have met\n", ["host host-b is lost", "PE 3 on host host-a .* has died"]),
    "none-left": ("some are missed\n", ["host host-b is lost", "host host-b, where PE 2 was, is lost, and no other has"]),
    "end": ("", []),
    "outside": ("", ["error: all PEs are dead, but for new ones"]),
    "all": ("", ["error: all PEs are dead: the job ends"]),
    "leave": ("some are missed\n", []),
}

for case, (said, lines) in CASES.items():
    done = subprocess.run([on_hosts, "aabb", oshrun, f"--respawn-agent={SPARES.get(case, 2)}", program, case], capture_output=True, text=True,
                          timeout=60, env={**os.environ, "SHEAF_FAILURES": "report"})
    if done.returncode == 77:
        print(done.stdout)
        sys.exit(77)
    told = f"{case}: status {done.returncode}\n{done.stdout}{done.stderr}"
    fails = case in ("outside", "all")
    if (done.returncode != 0 and not fails) or done.stdout != said or (" error: " in done.stderr) != fails:
        sys.exit(told)
    for line in lines:
        if not re.search(line, done.stderr):
            sys.exit(f"{told}\nmissing: {line}")
print(f"{len(CASES)} jobs")
