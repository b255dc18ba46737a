# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong with adapters: memory that cannot be registered, a link that goes down, a PE that dies
during RMA or the adapter's atomic operations. Each job must end by itself, say why in a line that names a
PE, and leave nothing. On adapters that guest/adapters has made; BUILD is set. Argument: cases' names, a
regular expression.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests", "hosts"))
import jobs  # noqa: E402
from hosts import Site  # noqa: E402
from launchers import Layout, launcher_of  # noqa: E402
from two_hosts import VICTIM  # noqa: E402

# An emulated machine's patience. An adapter gives a peer up after 8 packets, each 0.5 to 4 s later.
PATIENCE = int(os.environ.get("TEST_PATIENCE", "1"))
jobs.START = 90.0 * PATIENCE
jobs.LIMIT = LAUNCHER = 60.0 * PATIENCE
TWO = Layout([1, 1])
NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
NAMED = r"sheaf: PE \d+: error: PE \d+ on host h\d cannot be reached|PE \d+ .*(died|killed|signal 9)|RUNNING AT h\d"


def cable(up):
    """Of the second host's adapter; TCP goes another way and stays."""
    subprocess.run(["ip", "link", "set", "plug2", "up" if up else "down"], check=True)


def end_after(launcher, what, harm, env):
    """(what is wrong, or None; the job's words)"""
    job = jobs.Job(launcher, TWO, [VICTIM, what], env).wait_until_ready()
    harm(job)
    clean, gone, left = job.end(job.site.left, LAUNCHER)
    if clean is None or gone is None:
        return f"did not end; left: {left}", job.out
    if job.process.returncode == 0:
        return "ended well", job.out
    said = "".join(job.said[job.started:])
    if not re.search(NAMED, said):
        return "names no PE", job.out
    return None, f"ended after {clean:.1f} s: {said.splitlines()[0]}"


def refused(launcher, kib, what, says):
    """A plain user's job that may lock so much memory. It ends with words that match says."""
    program = ["prlimit", f"--memlock={kib * 1024}", *NOBODY, VICTIM, what, "1"]
    status, out = launcher.run(TWO, program, 90 * PATIENCE)
    if status in (0, 124):
        return f"exit status {status}", out
    reasons = re.findall(f"sheaf: .*{says}.*ulimit -l.*", out)
    return (None, reasons[0]) if reasons else ("gives no reason", out)


DEVICE = {"SHEAF_ATOMICS": "device"}
CASES = {
    "no memory may be locked": lambda on: refused(on, 64, "put", "for what arrives"),
    # Enough for what arrives, of which short queues take little, and not for a heap of 64 MiB.
    "the heap is too large to be locked":
        lambda on: refused(on, 40 << 10, "large", "of the symmetric heap cannot be registered"),
    "a link goes down during puts": lambda on: end_after(on, "put", lambda job: cable(False), {}),
    "a link goes down during atomic operations":
        lambda on: end_after(on, "atomics", lambda job: cable(False), DEVICE),
    "a PE dies during puts": lambda on: end_after(on, "put", lambda job: job.kill_pe(1), {}),
    "a PE dies during atomic operations":
        lambda on: end_after(on, "atomics", lambda job: job.kill_pe(1), DEVICE),
}


def main():
    failed, wanted = 0, sys.argv[1] if len(sys.argv) > 1 else ""
    cases = {name: case for name, case in CASES.items() if re.search(wanted, name)}
    with Site(2, keep=[VICTIM]) as site, launcher_of("hydra", site) as launcher:
        for name, case in cases.items():
            wrong, said = case(launcher)
            cable(True)
            failed += wrong is not None
            print(f"{name}: {wrong or 'ended'}\n    " + said.strip().replace("\n", "\n    "), flush=True)
    print(f"{len(cases) - failed} of {len(cases)} ended as they should")
    sys.exit(1 if failed else 0)


main()
