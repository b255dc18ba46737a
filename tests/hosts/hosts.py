# SPDX-License-Identifier: BSD-3-Clause
"""Several hosts on one machine, for tests and benchmarks of jobs that span hosts.

    with Site(2) as site:
        site.run(["mpirun", "-H", "h1,h2", ...])   # on the head, where a user would type it
        site.hosts[1].set_link(False)              # pulls h2's cable

A site is a process that owns namespaces: network, hostname, IPC, mounts, PIDs. In it stands a
bridge, the switch. Each host h1, h2, ... is such a process within it, with an interface eth0 on
the bridge and with /proc, /sys, /dev/shm and /tmp of its own. Launchers and daemons run in the
site itself, the "head", from where they enter a host as they would with ssh. There is no route to
anywhere else.

Nothing of this has a name outside: no interface, no file, no directory. It all ends with the
site's first process, and that one ends with whoever made the site, in whatever way: the kernel
sees to it (a parent-death signal, and a PID namespace that dies with its first process). So there
are no leftovers to sweep, and any number of sites can stand side by side.
"""
import atexit
import ctypes
import os
import re
import shlex
import shutil
import signal
import subprocess
import time

NETWORK = "10.77.0"  # /24, the same in every site: sites do not see each other
SUBNET = f"{NETWORK}.0/24"
HEAD = "head"
SHARED = "/run/site"  # one directory for head and hosts, as a cluster's file system is
PRIVATE = ("/run", "/tmp")

# What follows is the first process of the site, then of each host. $keep lists what must stay in
# sight although it lies where the private directories come. It tells that it is ready, then
# waits for ever; orphans that end there are forgotten at once, because it ignores SIGCHLD.
FIRST_PROCESS = r"""
set -eu
exec 2>&1
private() { # an empty directory over $1, but for what $keep names
    mount -n -t tmpfs -o mode=1777 tmpfs /dev/shm
    for path in $keep; do
        case $path in "$1"/*) ;; *) continue ;; esac
        here=/dev/shm/${path#"$1"/}
        if [ -d "$path" ]; then mkdir "$here"; else : >"$here"; fi
        mount -n --rbind "$path" "$here"
    done
    mount -n --move /dev/shm "$1"
}
mount -n -t proc proc /proc
hostname "$name"
for place in $private; do private "$place"; done
mount -n -t tmpfs -o mode=1777 tmpfs /dev/shm
trap '' CHLD
if [ "$name" = head ]; then
    mkdir /run/site /run/site/pids
    # A bare system has no /etc/hosts, over which another could be laid: a copy of /etc has.
    if [ ! -e /etc/hosts ] || [ ! -e /etc/resolv.conf ]; then
        cp -a /etc /run/site/etc 2>/dev/null || :
        touch /run/site/etc/hosts /run/site/etc/resolv.conf
        mount -n --bind /run/site/etc /etc
    fi
    for file in hosts resolv.conf; do
        : >/run/site/$file
        mount -n --bind /run/site/$file /etc/$file
    done
    ip link set lo up
fi
echo ready
exec sleep infinity
"""

# A file system of what the network namespace has: UCX looks for interfaces in /sys/class/net.
# The control groups stay as they were.
OWN_SYS = r"""
set -eu
mkdir /dev/shm/cgroup
mount -n --rbind /sys/fs/cgroup /dev/shm/cgroup
mount -n -t sysfs sysfs /sys
mount -n --move /dev/shm/cgroup /sys/fs/cgroup
rmdir /dev/shm/cgroup
"""

# enter HOST COMMAND ARGUMENTS...: what the head does in a host.
ENTER = r"""#!/bin/sh
read -r pid <"/run/site/pids/$1" 2>/dev/null || { echo "enter: no host $1" >&2; exit 255; }
shift
exec nsenter -t "$pid" -m -u -i -n -p -- /bin/sh -c 'cd "$0" 2>/dev/null; exec "$@"' "$PWD" "$@"
"""

# agent HOST SHELL-COMMAND...: as ssh, for launchers. The environment is not passed on.
AGENT = r"""#!/bin/sh
host=$1
shift
if ! getent hosts "$host" >/dev/null; then
    echo "agent: could not resolve hostname $host: Name or service not known" >&2
    exit 255
fi
if [ ! -e "/run/site/pids/$host" ]; then
    echo "agent: connect to host $host: No route to host" >&2
    exit 255
fi
exec /usr/bin/env -i PATH="$PATH" HOME="${HOME:-/}" PWD="$PWD" SHELL=/bin/sh /run/site/enter "$host" /bin/sh -c "$*"
"""


# adapter COMMAND...: all hosts see all adapters, and each has one of its own. Where it has two, every second process that
# Hydra starts on it uses the other one.
ADAPTER = r"""#!/bin/sh
device=rxe$(hostname)
[ $((${MPI_LOCALRANKID:-0} % 2)) = 1 ] && [ -e "/sys/class/infiniband/${device}b" ] && device=${device}b
UCX_NET_DEVICES=$device:1,eth0 exec "$@"
"""


MESSAGE_ID = r" \[SH\d{3}\]"  # tests/oshinfo/messages.py looks at those; here the words count


class Unavailable(Exception):
    """This machine, or this user, cannot make hosts: the reason in words."""


def run_quietly(command, **options):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=20, **options)
    if done.returncode != 0:
        raise Unavailable(f"`{shlex.join(command)}` failed: {done.stdout.strip()}")
    return done.stdout


def die_with_parent():
    """The calling process is killed when its parent's thread ends: PR_SET_PDEATHSIG."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)


def child_of(parent):
    """The pid of a process whose only child is wanted."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                    if int(file.read().rpartition(")")[2].split()[1]) == parent:
                        return int(name)
            except OSError:
                pass
        time.sleep(0.005)
    raise Unavailable(f"process {parent} started nothing")


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def first_component_below(path):
    """What of path is kept where its directory becomes private: /tmp/a/b gives /tmp/a."""
    path = os.path.realpath(path)
    for place in PRIVATE:
        if path.startswith(place + "/"):
            return place + "/" + path[len(place) + 1:].split("/")[0]
    return None


class Machine:
    """What site and host share: namespaces that live as long as their first process."""

    def __init__(self, name):
        self.name = name
        self.process = None
        self.pid = None  # of the first process, outside

    def _begin(self, front, private, keep):
        if any(" " in path for path in keep):
            raise Unavailable(f"a path with a blank: {keep}")
        script = (f"name={self.name} private={shlex.quote(' '.join(private))} "
                  f"keep={shlex.quote(' '.join(keep))}\n{FIRST_PROCESS}")
        command = [*front, "unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork",
                   "--kill-child=KILL", "--", "/bin/sh", "-c", script]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        text=True, start_new_session=True,
                                        preexec_fn=die_with_parent)
        said = self.process.stdout.readline()
        if said != "ready\n":
            said += self.process.stdout.read()
            raise Unavailable(f"namespaces cannot be made: {said.strip() or 'no reason given'}")
        outermost = self.process.pid
        unshare = child_of(outermost) if front else outermost
        self.pid = child_of(unshare)

    def inside(self, *command):
        """The command line that runs command in this machine, started outside."""
        return ["nsenter", "-t", str(self.pid), "-m", "-u", "-i", "-n", "-p", "--", "/bin/sh", "-c",
                'cd "$0" 2>/dev/null; exec "$@"', os.getcwd(), *command]

    def do(self, *command):
        """Runs a command that must succeed, and returns its output."""
        return run_quietly(self.inside(*command))

    def processes(self):
        """{pid there: command line} of all processes, hosts' within the head too; not zombies."""
        found = {}
        root = f"/proc/{self.pid}/root/proc"
        try:
            names = os.listdir(root)
        except OSError:
            return found
        for name in filter(str.isdigit, names):
            try:
                with open(f"{root}/{name}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if words != [b""]:
                found[int(name)] = b" ".join(words).decode(errors="replace").strip()
        return found

    def find(self, text):
        """Pids there of the processes whose command line's first word ends with text."""
        return sorted(pid for pid, line in self.processes().items()
                      if line.split(" ")[0].rstrip(":").endswith(text))

    def signal(self, number, pids):
        """Sends a signal to processes by their pids there; those that have gone are no matter."""
        if pids:
            subprocess.run(["nsenter", "-t", str(self.pid), "-m", "-p", "--", "/bin/sh", "-c",
                            'kill -s "$@" 2>/dev/null', "sh", str(int(number)), *map(str, pids)],
                           check=False, stdin=subprocess.DEVNULL, timeout=20)

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()
            self.process.stdout.close()
        until = time.monotonic() + 5
        while self.pid and is_alive(self.pid) and time.monotonic() < until:
            time.sleep(0.005) # the kernel ends all that is in it


class Host(Machine):
    def __init__(self, site, number):
        super().__init__(f"h{number}")
        self.site = site
        self.address = f"{NETWORK}.{10 + number}"
        self.port = f"port{number}"  # the switch's end of the cable

    def start(self, rate):
        self._begin(self.site.inside(), ["/tmp"], self.site.keep_in("/tmp"))
        self._name_pid()
        with open(f"{self.site.shared}/hosts", "a", encoding="ascii") as file:
            file.write(f"{self.address} {self.name}\n")
        there = self.number_in_site()
        self.site.do("ip", "link", "add", self.port, "type", "veth",
                     "peer", "name", "eth0", "netns", str(there))
        self.site.do("ip", "link", "set", self.port, "master", "switch", "up")
        self.do("ip", "link", "set", "lo", "up")
        self.do("ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        self.do("ip", "link", "set", "eth0", "up")
        self.do("/bin/sh", "-c", OWN_SYS)
        if rate:
            self.do("tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", rate,
                    "burst", "256k", "latency", "50ms")

    def number_in_site(self):
        """The first process's pid as the head sees it."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("NSpid:"):
                    return int(line.split()[-2])
        raise Unavailable("no NSpid in /proc/PID/status")

    def _name_pid(self):
        with open(f"{self.site.shared}/pids/{self.name}", "w", encoding="ascii") as file:
            file.write(f"{self.number_in_site()}\n")

    def set_link(self, up):
        """The cable at the switch: what is sent meanwhile is lost without a word."""
        self.site.do("ip", "link", "set", self.port, "up" if up else "down")

    def disable_network(self):
        """Its own interface: it knows no way to anybody."""
        self.do("ip", "link", "set", "eth0", "down")

    def isolate(self):
        """Speaks with the head, and no longer with other isolated hosts."""
        self.site.do("bridge", "link", "set", "dev", self.port, "isolated", "on")

    def left(self):
        """Its processes but for the first: {pid: command line}."""
        return {pid: line for pid, line in self.processes().items()
                if pid != 1 and pid not in self.site.usual.get(self.name, ())}

    def kill_all(self):
        self.signal(signal.SIGKILL, [pid for pid in self.processes() if pid != 1])


class Site(Machine):
    """keep: paths that head and hosts must see though they lie in a directory made private. Where
    HOSTS_RDMA is set, hosts have adapters, which tests/machines/guest/adapters has made."""

    def __init__(self, hosts, rate=None, keep=()):
        super().__init__(HEAD)
        self.rdma = "HOSTS_RDMA" in os.environ
        self.hosts = [Host(self, number) for number in range(1, hosts + 1)]
        self.rate = rate
        wanted = [first_component_below(path) for path in (os.getcwd(), __file__, *keep)]
        self.keep = sorted({path for path in wanted if path})
        self.usual = {}  # machine: pids of daemons, which are no leftovers

    def keep_in(self, place):
        return [path for path in self.keep if path.startswith(place + "/")]

    @property
    def shared(self):
        """The shared directory, as seen from outside."""
        return f"/proc/{self.pid}/root{SHARED}"

    def start(self):
        for command in ("ip", "tc", "unshare", "nsenter"):
            if not shutil.which(command):
                raise Unavailable(f"no command {command}: install Debian's iproute2 and util-linux")
        if os.geteuid() != 0:
            raise Unavailable("hosts are made of network namespaces, which takes root")
        atexit.register(self.end)
        self._begin([], PRIVATE, self.keep)
        with open(f"{self.shared}/hosts", "w", encoding="ascii") as file:
            file.write(f"127.0.0.1 localhost\n{NETWORK}.1 {HEAD}\n")
        for name, text in (("enter", ENTER), ("agent", AGENT), ("adapter", ADAPTER)):
            self.write(name, text, 0o755)
        self.do("ip", "link", "add", "switch", "type", "bridge", "forward_delay", "0")
        self.do("ip", "address", "add", f"{NETWORK}.1/24", "dev", "switch")
        self.do("ip", "link", "set", "switch", "up")
        self.do("/bin/sh", "-c", OWN_SYS)
        for host in self.hosts:
            host.start(self.rate)
        self.settle()

    def write(self, name, text, mode=0o644):
        """A file in the shared directory; returns its path there."""
        path = f"{self.shared}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return f"{SHARED}/{name}"

    def at_adapter(self, program):
        """The command line, for the adapter of whichever host it runs on."""
        return [f"{SHARED}/adapter", *program] if self.rdma else program

    def settle(self):
        """What runs now is no leftover of a job."""
        self.usual = {machine.name: set(machine.processes()) for machine in (self, *self.hosts)}

    def left(self):
        """{machine: {pid: command line}} of what a job left; empty when nothing is."""
        found = {host.name: host.left() for host in self.hosts}
        return {name: processes for name, processes in found.items() if processes}

    def wait_until_clean(self, seconds):
        """left() once it is empty or the time is over."""
        until = time.monotonic() + seconds
        while self.left() and time.monotonic() < until:
            time.sleep(0.05)
        return self.left()

    def kill_jobs(self):
        """Ends every process that is not a host's first one or a daemon."""
        mine = self.processes()
        self.signal(signal.SIGKILL, [pid for pid in mine if pid not in self.usual[self.name]])

    def popen(self, command, **options):
        """A process on the head; it ends with the caller."""
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(self.inside(*command), text=True, **options)

    def run(self, command, timeout=60, env=None):
        """(exit status, output and errors together); the status of what takes longer is 124."""
        process = self.popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             errors="replace")
        try:
            out, _ = process.communicate(timeout=timeout)
            return process.returncode, re.sub(MESSAGE_ID, "", out)
        except subprocess.TimeoutExpired:
            self.kill_jobs()
            try:
                out, _ = process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                out = ""
            return 124, re.sub(MESSAGE_ID, "", out or "")

    def end(self):
        # The site first: what entered the hosts from outside then reaps what it started there,
        # which this machine's own first process may do much later.
        super().end()
        for host in self.hosts:
            host.end()
        atexit.unregister(self.end)

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *unused):
        self.end()
