# SPDX-License-Identifier: BSD-3-Clause
#
# The limits across hosts: raw UCX (ucx_perftest, and limits/ucx.c for what it lacks), libfabric (limits/ofi.c) and a TCP
# stream (iperf3), between the same hosts and on the same CPUs as the PEs.

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import time

import measure

TIMEOUT_S = 20
LIMITS = pathlib.Path(__file__).resolve().parent / "limits"

# Of limits/: name -> (title, libraries, Debian's package)
DIRECT = {"ucx": ("direct UCX", ("-lucp", "-lucs"), "libucx-dev"), "ofi": ("direct libfabric", ("-lfabric",), "libfabric-dev")}

# name -> test of ucx_perftest. A put's figure is half of a ping-pong: what a put takes to be
# seen; the others are whole operations. Its get waits for a timer over TCP, a millisecond.
UCX_TESTS = {"raw UCX put, seen": "ucp_put_lat", "raw UCX fetch-add": "ucp_fadd",
             "raw UCX swap": "ucp_swap", "raw UCX cswap": "ucp_cswap"}
FINAL = re.compile(r"^\s*(?:Final:)?\s*(\d+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)", re.MULTILINE)


def missing():
    """What the limits lack here, in words."""
    packages = {"ucx_perftest": "ucx-utils", "iperf3": "iperf3"}
    return [f"no {command}, so nothing is compared with it (Debian: apt-get install {package})"
            for command, package in packages.items() if not shutil.which(command)]


class Pair:
    """A server on the second host and a client on the first, each on a CPU of its own."""

    def __init__(self, site, environment, cpus):
        self.hosts, self.environment, self.cpus = site.hosts[:2], environment, cpus

    def on(self, index, *command):
        cpu = str(self.cpus[index % len(self.cpus)])
        return self.hosts[index].inside("taskset", "-c", cpu, *command)

    def run(self, server, client, port=None):
        """(what the client says, "") or (None, why not)."""
        process = subprocess.Popen(self.on(1, *server), env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if port and not self.listens(port):
                return None, f"{server[0]} does not listen"
            out, _, reason = measure.execute(self.on(0, *client), self.environment, TIMEOUT_S)
            return out, reason
        finally:
            for host in self.hosts:
                host.kill_all() # an entered process outlives the one that entered it
            process.wait()

    def listens(self, port):
        """Whether something on the second host does, within five seconds."""
        until = time.monotonic() + 5
        while time.monotonic() < until:
            for name in ("tcp", "tcp6"):
                with open(f"/proc/{self.hosts[1].pid}/net/{name}", encoding="ascii") as file:
                    if any(line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"
                           for line in file.readlines()[1:]):
                        return True
            time.sleep(0.02)
        return False


def direct(name, pair, figures, output):
    """limits/NAME.c, where its library's headers are; not tried again where it does not compile."""
    title, libraries, package = DIRECT[name]
    if (title, f"limits/{name}.c", 0) in figures.failures:
        return
    program = output / "programs" / name
    if not program.exists():
        compiler = shlex.split(os.environ.get("CC", "cc"))
        done = subprocess.run([*compiler, *measure.flags(compiler), str(LIMITS / f"{name}.c"), "-o", str(program),
                               *libraries], capture_output=True, text=True)
        if done.returncode:
            figures.failures[title, f"limits/{name}.c", 0] = f"does not compile: Debian's {package} is needed"
            return
    with tempfile.TemporaryDirectory(dir=output) as folder:
        out, reason = pair.run([str(program), "1", folder], [str(program), "0", folder])
    if reason:
        figures.failures[title, f"limits/{name}.c", 2] = reason
    figures.read(out or "", "limit")


def ucx(pair, figures, quick):
    """Single operations of 8 bytes: medians, as ucx_perftest tells them."""
    for what, test in UCX_TESTS.items():
        rounds = "1000" if quick else "2000"
        out, reason = pair.run(["ucx_perftest"], ["ucx_perftest", "h2", "-t", test, "-s", "8", "-n", rounds, "-w", "200",
                                                  "-f"], 13337)
        found = FINAL.findall(out or "")
        if not found:
            figures.failures["ucx_perftest", test, 2] = reason or "no figure in what it says"
            continue
        figures.note(what, 2, 8, "limit", float(found[-1][1]) * 1e3, "ns")


def iperf3(pair, figures):
    """The rate of one stream, told as the time of 1 MiB."""
    out, reason = pair.run(["iperf3", "-s", "-1"], ["iperf3", "-c", "h2", "-J", "-t", "1"], 5201)
    try:
        rate = json.loads(out or "{}")["end"]["sum_received"]["bits_per_second"]
    except (KeyError, ValueError):
        figures.failures["iperf3", "stream", 2] = reason or "no figure in what it says"
        return
    figures.note("TCP stream", 2, 1 << 20, "limit", (8 << 20) / rate * 1e9, "ns")


def measure_all(site, environment, cpus, figures, output, quick):
    pair = Pair(site, environment, cpus)
    for name in DIRECT:
        direct(name, pair, figures, output)
    if shutil.which("ucx_perftest"):
        ucx(pair, figures, quick)
    if shutil.which("iperf3"):
        iperf3(pair, figures)
