# SPDX-License-Identifier: BSD-3-Clause
#
# Probes for tracers: the library has those that docs/do/tools.md lists, and no others; and they fire, seen by gdb.
# Arguments: the library, the page, a program that puts 1 KiB again and again, "probes=" and yes where there are any,
# "sanitizer=" and its name.
import os
import re
import shutil
import subprocess
import sys

library, page, program = sys.argv[1:4]
has_probes, sanitizer = (word.partition("=")[2] for word in sys.argv[4:])


def fail(*words):
    sys.exit("failed: " + " ".join(map(str, words)))


def notes():
    text = subprocess.run(["readelf", "-nW", library], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"Provider: (\S+)\s+Name: (\S+)\s.*?Arguments:[ ]?([^\n]*)", text, re.S)
    return {name: len(arguments.split()) for provider, name, arguments in found if provider == "sheaf"}


def listed():
    """Names in the first column of the page's table of probes."""
    with open(page) as file:
        part = file.read().partition("## Probes for tracers")[2].partition("\n## ")[0]
    return {name for row in re.findall(r"^\| (`.*?) \|", part, re.M) for name in re.findall(r"`(\w+)`", row)}


def fires():
    """At a put of 1 KiB to itself, with arguments checked: PE and bytes as the probe tells them."""
    result = subprocess.run(
        ["gdb", "-nx", "-batch", "-ex", "set environment SHEAF_CHECK=args", "-ex", "break main", "-ex", "run", "-ex",
         "break -probe-stap sheaf:put", "-ex", "continue", "-ex", 'printf "put %d %d\\n", $_probe_arg0, $_probe_arg1',
         "-ex", "kill", "--args", program, "move"], capture_output=True, text=True, timeout=100,
        stdin=subprocess.DEVNULL)
    if "ptrace" in result.stderr or "not permitted" in result.stderr:
        print("gdb may not trace here: probes were read, and not fired")
        return
    if "\nput 0 1024\n" not in result.stdout:
        fail("gdb did not stop at sheaf:put:\n", result.stdout, result.stderr)


if not shutil.which("readelf"):
    print("readelf is not here")
    sys.exit(77)
if not has_probes:
    if notes():
        fail("there are probes without sys/sdt.h:", notes())
    print("built without sys/sdt.h: no probes")
    sys.exit(77)
if set(notes()) != listed():
    fail("the library has", sorted(notes()), "and the page", sorted(listed()))
if min(notes().values()) < 1:
    fail("a probe without arguments:", notes())
if shutil.which("bpftrace") and os.geteuid() == 0:
    seen = subprocess.run(["bpftrace", "-l", f"usdt:{library}:sheaf:*"], capture_output=True, text=True)
    print("bpftrace lists", len(set(seen.stdout.split())), "probes", seen.stderr.strip())
else:
    print("bpftrace is not here, or this is not root: gdb alone looks at them")
if shutil.which("gdb") and not sanitizer:
    fires()
else:
    print("probes were read, and not fired: gdb is not here, or the build has a sanitizer")
