# SPDX-License-Identifier: BSD-3-Clause
"""What oshrun --profile says of memory nodes, beside puts of which a quarter goes to another node: node_mix.py NEAR FAR, PEs
of PE 0's node and of another one, of 4 PEs."""
import json
import os
import subprocess
import sys
import tempfile

BUILD = os.environ["BUILD"]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    near, far = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        run(f"{BUILD}/bin/oshrun", "--timeout", "100", "-n", "4", "--profile", f"{folder}/mix", f"{BUILD}/tests/test-profile-mix", near, far)
        numbers = json.loads(run(sys.executable, f"{BUILD}/bin/oshprof", "--json", f"{folder}/mix"))
    print(numbers["memory_nodes"])
    sites = [site["node_bytes"] for site in numbers["sites"] if site["routine"] == "shmem_putmem"]
    for site in sites:
        print(site)
    local, remote = (sum(site[where] for site in sites) for where in ("local", "remote"))
    assert sorted((site["local"] > 0, site["remote"] > 0) for site in sites) == [(False, True), (True, False)], "a site has both"
    assert 0.15 < remote / (local + remote) < 0.35, f"{remote / (local + remote):.2f} of the bytes on another node, not a quarter"


main()
